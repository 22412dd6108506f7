package cypher

import (
	"math"
	"regexp"
	"slices"
	"strings"
)

func (c *compiler) unary(e *Expr, s *scope) (eval, kind, error) {
	f, k, err := c.expr(e.Args[0], s)
	if err != nil {
		return nil, 0, err
	}
	switch e.Name {
	case "NOT":
		if err := want(e.Args[0], k, boolKind); err != nil {
			return nil, 0, err
		}
		return func(x *exec, r row) (any, error) {
			v, err := truth(f(x, r))
			if err != nil || v == nil {
				return nil, err
			}
			return v == false, nil
		}, boolKind, nil
	case "IS NULL", "IS NOT NULL":
		null := e.Name == "IS NULL"
		return func(x *exec, r row) (any, error) {
			v, err := f(x, r)
			return (v == nil) == null, err
		}, boolKind, nil
	}
	if err := want(e.Args[0], k, intKind, floatKind); err != nil {
		return nil, 0, err
	}
	minus := e.Name == "-"
	return func(x *exec, r row) (any, error) {
		v, err := f(x, r)
		if err != nil || v == nil {
			return nil, err
		}
		if !minus {
			if _, ok := asFloat(v); ok {
				return v, nil
			}
		}
		switch v := v.(type) {
		case int64:
			if v == math.MinInt64 {
				return nil, overflow()
			}
			return -v, nil
		case float64:
			return 0 - v, nil // there is no negative 0
		}
		return nil, wrongType("InvalidArgumentType", "%s has no sign", kindOf(v))
	}, k, nil
}

// truth passes on what is true, false or null.
func truth(v any, err error) (any, error) {
	switch v.(type) {
	case nil, bool:
		return v, err
	}
	if err == nil {
		err = wrongType("InvalidArgumentType", "expected true or false, found %s", kindOf(v))
	}
	return nil, err
}

func overflow() error {
	return &Error{Kind: ErrArgument, Code: "IntegerOverflow", What: "the result is too large for an integer", at: -1}
}

func (c *compiler) binary(e *Expr, s *scope) (eval, kind, error) {
	fs, ks, err := c.all(e.Args, s)
	if err != nil {
		return nil, 0, err
	}
	left, right := fs[0], fs[1]
	both := func(op func(x *exec, a, b any) (any, error)) eval {
		return func(x *exec, r row) (any, error) {
			a, err := left(x, r)
			if err != nil {
				return nil, err
			}
			b, err := right(x, r)
			if err != nil {
				return nil, err
			}
			return op(x, a, b)
		}
	}
	switch e.Name {
	case "AND", "OR", "XOR":
		for i, a := range e.Args {
			if err := want(a, ks[i], boolKind); err != nil {
				return nil, 0, err
			}
		}
		return logic(e.Name, left, right), boolKind, nil
	case "IN":
		if err := want(e.Args[1], ks[1], listKind, relsKind); err != nil {
			return nil, 0, err
		}
		return both(func(_ *exec, a, b any) (any, error) { return in(a, b) }), boolKind, nil
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
			if err := want(a, ks[i], intKind, floatKind); err != nil {
				return nil, 0, err
			}
		}
	} else if ks[0] == boolKind || ks[1] == boolKind || ks[0] == mapKind && ks[1] == mapKind {
		if ks[0] != listKind && ks[1] != listKind {
			return nil, 0, syntax(e.At, "InvalidArgumentType", "%s and %s cannot be added", ks[0], ks[1])
		}
	}
	return both(func(_ *exec, a, b any) (any, error) { return arithmetic(operator, a, b) }), k, nil
}

// logic joins conditions; what decides is not undone by null.
func logic(operator string, left, right eval) eval {
	return func(x *exec, r row) (any, error) {
		a, err := truth(left(x, r))
		if err != nil {
			return nil, err
		}
		decides := operator == "OR"
		if operator != "XOR" && a == decides {
			return a, nil
		}
		b, err := truth(right(x, r))
		switch {
		case err != nil:
			return nil, err
		case operator == "XOR":
			if a == nil || b == nil {
				return nil, nil
			}
			return a != b, nil
		case b == decides:
			return b, nil
		case a == nil:
			return nil, nil
		}
		return b, nil
	}
}

// in says whether a list holds a value.
func in(a, b any) (any, error) {
	if b == nil {
		return nil, nil
	}
	list, ok := b.(List)
	if !ok {
		return nil, wrongType("InvalidArgumentType", "IN needs a list, found %s", kindOf(b))
	}
	var found any = false
	for _, v := range list {
		switch equal(a, v) {
		case true:
			return true, nil
		case nil:
			found = nil
		}
	}
	return found, nil
}

// textTest compiles STARTS WITH and its like: null where not both are texts.
func (c *compiler) textTest(e *Expr, both func(func(*exec, any, any) (any, error)) eval) (eval, kind, error) {
	test := map[string]func(string, string) (bool, error){
		"STARTS WITH": func(a, b string) (bool, error) { return strings.HasPrefix(a, b), nil },
		"ENDS WITH":   func(a, b string) (bool, error) { return strings.HasSuffix(a, b), nil },
		"CONTAINS":    func(a, b string) (bool, error) { return strings.Contains(a, b), nil },
	}[e.Name]
	if test == nil {
		// A pattern that is written out is made once.
		var once *regexp.Regexp
		anchored := func(b string) string { return "^(?:" + b + ")$" }
		if b, ok := e.Args[1].Value.(string); ok {
			var err error
			if once, err = regexp.Compile(anchored(b)); err != nil {
				return nil, 0, syntax(e.Args[1].At, "InvalidRegularExpression", "%q is no regular expression: %v", b, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
			}
		}
		test = func(a, b string) (bool, error) {
			re := once
			if re == nil {
				var err error
				if re, err = regexp.Compile(anchored(b)); err != nil {
					return false, wrongType("InvalidArgumentValue", "%q is no regular expression", b)
				}
			}
			return re.MatchString(a), nil
		}
	}
	return both(func(_ *exec, a, b any) (any, error) {
		s, isText := a.(string)
		t, isText2 := b.(string)
		if !isText || !isText2 {
			return nil, nil
		}
		return test(s, t)
	}), boolKind, nil
}

// arithmetic computes a op b.
func arithmetic(operator string, a, b any) (any, error) {
	if operator == "+" || operator == "||" {
		l, isList := a.(List)
		m, isList2 := b.(List)
		switch {
		case isList && isList2:
			return slices.Concat(l, m), nil
		case isList && b != nil:
			return append(slices.Clone(l), b), nil
		case isList2 && a != nil:
			return append(List{a}, m...), nil
		}
	}
	if a == nil || b == nil {
		return nil, nil
	}
	if operator == "+" || operator == "||" {
		s, isText := a.(string)
		t, isText2 := b.(string)
		switch {
		case isText && isText2:
			return s + t, nil
		case isText && rank(b) == rank(int64(0)):
			return s + Text(b), nil
		case isText2 && rank(a) == rank(int64(0)):
			return Text(a) + t, nil
		}
	}
	if v, ok, err := timeArithmetic(operator, a, b); ok {
		return v, err
	}
	i, isInt := a.(int64)
	j, isInt2 := b.(int64)
	if isInt && isInt2 && operator != "^" {
		return integers(operator, i, j)
	}
	f, ok := asFloat(a)
	g, ok2 := asFloat(b)
	if !ok || !ok2 {
		return nil, wrongType("InvalidArgumentType", "%s %s %s cannot be computed", kindOf(a), operator, kindOf(b))
	}
	switch operator {
	case "+":
		return f + g, nil
	case "-":
		return f - g, nil
	case "*":
		return f * g, nil
	case "/":
		return f / g, nil
	case "%":
		return math.Mod(f, g), nil
	}
	return math.Pow(f, g), nil
}

func integers(operator string, i, j int64) (any, error) {
	switch operator {
	case "+":
		if s := i + j; (s > i) == (j > 0) {
			return s, nil
		}
	case "-":
		if s := i - j; (s < i) == (j > 0) {
			return s, nil
		}
	case "*":
		if i == 0 || j == 0 {
			return int64(0), nil
		}
		if s := i * j; s/j == i && (i != -1 || j != math.MinInt64) && (j != -1 || i != math.MinInt64) {
			return s, nil
		}
	default:
		switch {
		case j == 0:
			return nil, &Error{Kind: ErrArgument, Code: "NumberOutOfRange", What: "a number cannot be divided by 0", at: -1}
		case j == -1:
			if operator == "%" {
				return int64(0), nil
			}
			return integers("-", 0, i)
		case operator == "%":
			return i % j, nil
		}
		return i / j, nil
	}
	return nil, overflow()
}

// compare compiles a chain of comparisons: all of them must hold.
func (c *compiler) compare(e *Expr, s *scope) (eval, kind, error) {
	fs, _, err := c.all(e.Args, s)
	if err != nil {
		return nil, 0, err
	}
	return func(x *exec, r row) (any, error) {
		a, err := fs[0](x, r)
		if err != nil {
			return nil, err
		}
		var all any = true
		for i, operator := range e.Names {
			b, err := fs[i+1](x, r)
			if err != nil {
				return nil, err
			}
			switch compareValues(operator, a, b) {
			case false:
				return false, nil
			case nil:
				all = nil
			}
			a = b
		}
		return all, nil
	}, boolKind, nil
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
