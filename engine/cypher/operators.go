package cypher

import (
	"math"
	"regexp"
	"slices"
	"strings"
)

func (c *compiler) unary(e *Expr, s *scope) (eval, kind) {
	f, k := c.expr(e.Args[0], s)
	switch e.Name {
	case "NOT":
		want(e.Args[0], k, boolKind)
		return func(x *exec, r row) any {
			v := truth(f(x, r))
			if v == nil {
				return nil
			}
			return v == false
		}, boolKind
	case "IS NULL", "IS NOT NULL":
		null := e.Name == "IS NULL"
		return func(x *exec, r row) any { return (f(x, r) == nil) == null }, boolKind
	}
	want(e.Args[0], k, intKind, floatKind)
	minus := e.Name == "-"
	return func(x *exec, r row) any {
		v := f(x, r)
		if v == nil {
			return nil
		}
		if !minus {
			if _, ok := asFloat(v); ok {
				return v
			}
		}
		switch v := v.(type) {
		case int64:
			if v == math.MinInt64 {
				panic(overflow())
			}
			return -v
		case float64:
			return 0 - v // there is no negative 0
		}
		panic(wrongType("InvalidArgumentType", "%s cannot have a sign", kindOf(v)))
	}, k
}

// truth passes on what is true, false or null.
func truth(v any) any {
	switch v.(type) {
	case nil, bool:
		return v
	}
	panic(wrongType("InvalidArgumentType", "expected true or false, found %s", kindOf(v)))
}

func overflow() *Error {
	return &Error{Kind: ErrArgument, Code: "IntegerOverflow", What: "the result is too large for an integer", at: -1}
}

func (c *compiler) binary(e *Expr, s *scope) (eval, kind) {
	fs, ks := c.all(e.Args, s)
	left, right := fs[0], fs[1]
	both := func(op func(a, b any) any) eval {
		return func(x *exec, r row) any {
			a := left(x, r)
			return op(a, right(x, r))
		}
	}
	switch e.Name {
	case "AND", "OR", "XOR":
		for i, a := range e.Args {
			want(a, ks[i], boolKind)
		}
		return logic(e.Name, left, right), boolKind
	case "IN":
		want(e.Args[1], ks[1], listKind, relsKind)
		return both(in), boolKind
	case "STARTS WITH", "ENDS WITH", "CONTAINS", "=~":
		return c.textTest(e, both)
	}
	k := unknown
	number := func(k kind) bool { return k == intKind || k == floatKind }
	if number(ks[0]) && number(ks[1]) {
		k = max(ks[0], ks[1])
	}
	operator := e.Name
	if operator == "^" {
		k = floatKind
	}
	if operator != "+" && operator != "||" {
		for i, a := range e.Args {
			want(a, ks[i], intKind, floatKind)
		}
	} else if ks[0] == boolKind || ks[1] == boolKind || ks[0] == mapKind && ks[1] == mapKind {
		if ks[0] != listKind && ks[1] != listKind {
			panic(syntax(e.At, "InvalidArgumentType", "%s and %s cannot be added", ks[0], ks[1]))
		}
	}
	return both(func(a, b any) any { return arithmetic(operator, a, b) }), k
}

// logic joins conditions; what decides is not undone by null.
func logic(operator string, left, right eval) eval {
	return func(x *exec, r row) any {
		a := truth(left(x, r))
		decides := operator == "OR"
		if operator != "XOR" && a == decides {
			return a
		}
		b := truth(right(x, r))
		switch {
		case operator == "XOR":
			if a == nil || b == nil {
				return nil
			}
			return a != b
		case b == decides:
			return b
		case a == nil:
			return nil
		}
		return b
	}
}

// in says whether a list holds a value.
func in(a, b any) any {
	if b == nil {
		return nil
	}
	list, ok := b.(List)
	if !ok {
		panic(wrongType("InvalidArgumentType", "IN needs a list, found %s", kindOf(b)))
	}
	var found any = false
	for _, v := range list {
		switch equal(a, v) {
		case true:
			return true
		case nil:
			found = nil
		}
	}
	return found
}

// textTest compiles STARTS WITH and its like: null where not both are texts.
func (c *compiler) textTest(e *Expr, both func(func(a, b any) any) eval) (eval, kind) {
	test := map[string]func(string, string) bool{
		"STARTS WITH": strings.HasPrefix,
		"ENDS WITH":   strings.HasSuffix,
		"CONTAINS":    strings.Contains,
	}[e.Name]
	if test == nil {
		// A pattern that is written out is made once.
		var once *regexp.Regexp
		anchored := func(b string) string { return "^(?:" + b + ")$" }
		if b, ok := e.Args[1].Value.(string); ok {
			var err error
			if once, err = regexp.Compile(anchored(b)); err != nil {
				panic(syntax(e.Args[1].At, "InvalidRegularExpression", "%q is not a regular expression: %v", b, strings.TrimPrefix(err.Error(), "error parsing regexp: ")))
			}
		}
		test = func(a, b string) bool {
			re := once
			if re == nil {
				var err error
				if re, err = regexp.Compile(anchored(b)); err != nil {
					panic(wrongType("InvalidArgumentValue", "%q is not a regular expression", b))
				}
			}
			return re.MatchString(a)
		}
	}
	return both(func(a, b any) any {
		s, isText := a.(string)
		t, isText2 := b.(string)
		if !isText || !isText2 {
			return nil
		}
		return test(s, t)
	}), boolKind
}

// arithmetic computes a op b.
func arithmetic(operator string, a, b any) any {
	if operator == "+" || operator == "||" {
		l, isList := a.(List)
		m, isList2 := b.(List)
		switch {
		case isList && isList2:
			return slices.Concat(l, m)
		case isList && b != nil:
			return append(slices.Clone(l), b)
		case isList2 && a != nil:
			return append(List{a}, m...)
		}
	}
	if a == nil || b == nil {
		return nil
	}
	if operator == "+" || operator == "||" {
		s, isText := a.(string)
		t, isText2 := b.(string)
		switch {
		case isText && isText2:
			return s + t
		case isText && rank(b) == rank(int64(0)):
			return s + Text(b)
		case isText2 && rank(a) == rank(int64(0)):
			return Text(a) + t
		}
	}
	if v, ok := timeArithmetic(operator, a, b); ok {
		return v
	}
	i, isInt := a.(int64)
	j, isInt2 := b.(int64)
	if isInt && isInt2 && operator != "^" {
		return integers(operator, i, j)
	}
	f, ok := asFloat(a)
	g, ok2 := asFloat(b)
	if !ok || !ok2 {
		panic(wrongType("InvalidArgumentType", "%s %s %s cannot be computed", kindOf(a), operator, kindOf(b)))
	}
	switch operator {
	case "+":
		return f + g
	case "-":
		return f - g
	case "*":
		return f * g
	case "/":
		return f / g
	case "%":
		return math.Mod(f, g)
	}
	return math.Pow(f, g)
}

func integers(operator string, i, j int64) any {
	switch operator {
	case "+":
		if s := i + j; (s > i) == (j > 0) {
			return s
		}
	case "-":
		if s := i - j; (s < i) == (j > 0) {
			return s
		}
	case "*":
		if i == 0 || j == 0 {
			return int64(0)
		}
		if s := i * j; s/j == i && (i != -1 || j != math.MinInt64) && (j != -1 || i != math.MinInt64) {
			return s
		}
	default:
		switch {
		case j == 0:
			panic(&Error{Kind: ErrArgument, Code: "NumberOutOfRange", What: "a number cannot be divided by 0", at: -1})
		case j == -1:
			if operator == "%" {
				return int64(0)
			}
			return integers("-", 0, i)
		case operator == "%":
			return i % j
		}
		return i / j
	}
	panic(overflow())
}

// compare compiles a chain of comparisons: all of them must hold.
func (c *compiler) compare(e *Expr, s *scope) (eval, kind) {
	fs, _ := c.all(e.Args, s)
	return func(x *exec, r row) any {
		a := fs[0](x, r)
		var all any = true
		for i, operator := range e.Names {
			b := fs[i+1](x, r)
			switch compareValues(operator, valueBeside(x.g, a, b), valueBeside(x.g, b, a)) {
			case false:
				return false
			case nil:
				all = nil
			}
			a = b
		}
		return all
	}, boolKind
}

// valueBeside is what a is compared as with b: a node that is a value, by that value.
func valueBeside(g Graph, a, b any) any {
	n, isNode := a.(Node)
	if _, alike := b.(Node); alike || !isNode || b == nil {
		return a
	}
	if g, ok := g.(Valued); ok {
		if v, ok := g.Value(n); ok {
			return v
		}
	}
	return a
}

func compareValues(operator string, a, b any) any {
	switch operator {
	case "=":
		return equal(a, b)
	case "<>":
		v := equal(a, b)
		if v == nil {
			return nil
		}
		return v == false
	}
	least, most, ok := dated(a, b)
	if !ok {
		least, ok = less(a, b)
		most = least
	}
	if !ok {
		return nil
	}
	if isNaN(a) || isNaN(b) {
		return false
	}
	holds := func(c int) bool {
		switch operator {
		case "<":
			return c < 0
		case "<=":
			return c <= 0
		case ">":
			return c > 0
		}
		return c >= 0
	}
	if holds(least) != holds(most) {
		return nil
	}
	return holds(least)
}
