package cypher

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
)

// kind is what is known of a value before the query runs.
type kind int

const (
	unknown kind = iota
	nodeKind
	relKind
	relsKind // a list of relationships
	walkKind
	boolKind
	intKind
	floatKind
	textKind
	listKind
	mapKind
)

func (k kind) String() string {
	return []string{"a value", "a node", "a relationship", "a list of relationships", "a path", "true or false", "an integer", "a number", "a text", "a list", "a map"}[k]
}

// kindOfValue is the kind of a value that is there.
func kindOfValue(v any) kind {
	switch v.(type) {
	case bool:
		return boolKind
	case int64:
		return intKind
	case float64:
		return floatKind
	case string:
		return textKind
	case List:
		return listKind
	case Map:
		return mapKind
	}
	return unknown
}

// row holds the values of variables, by slot. Slot 0 has the trail.
type row []any

// eval computes an expression.
type eval func(x *exec, r row) (any, error)

// variable is a name that is in scope.
type variable struct {
	slot int
	kind kind
}

// scope is what names mean at a place of a query.
type scope struct {
	vars map[string]variable
	// names are those of vars in the order in which they came.
	names []string
	// size is how many slots rows need.
	size *int
	// known are expressions that have been computed, by key: the columns that rows are
	// grouped by, and aggregates.
	known map[string]variable
	// hidden says why a name that was in scope before is not any more: the code of the
	// error, by name.
	hidden map[string]string
	// simple says that of known only names, properties and aggregates count: in an
	// expression that has an aggregate, other parts cannot be told from what is grouped.
	simple bool
	// fixed says that no name may be new: patterns in expressions bind none.
	fixed bool
}

func newScope() *scope {
	size := 1
	return &scope{vars: map[string]variable{}, size: &size}
}

// add puts a name into scope, in a slot of its own.
func (s *scope) add(name string, k kind) variable {
	v := variable{s.slot(), k}
	if _, ok := s.vars[name]; !ok {
		s.names = append(s.names, name)
	}
	s.vars[name] = v
	return v
}

func (s *scope) slot() int {
	*s.size++
	return *s.size - 1
}

// inner is a scope within this one: names that are added to it are not seen outside.
func (s *scope) inner() *scope {
	in := *s
	in.vars = make(map[string]variable, len(s.vars)+1)
	maps.Copy(in.vars, s.vars)
	in.names = slices.Clone(s.names)
	return &in
}

// compiler turns what was parsed into what can be run.
type compiler struct {
	g      Graph
	params map[string]any
	notes  []string
	// conditions counts the conditions that are being compiled, within each other.
	conditions int
}

// note adds a remark for the user, once.
func (c *compiler) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(c.notes, text) {
		c.notes = append(c.notes, text)
	}
}

// unknown remarks that a name is not there, and which one is like it.
func (c *compiler) unknown(what, name string, names []string) {
	if near := nearest(name, names); near != "" {
		what += "; did you mean " + Name(near) + "?"
	} else {
		what += "."
	}
	c.note("%s", what)
}

// propertyNamed remarks that nothing has a property.
func (c *compiler) propertyNamed(name string) {
	switch has, leads := c.g.HasProperty(name); {
	case has:
	case leads:
		c.note("Nothing has a value %s: it leads to nodes, as in (n)-[:%s]->(m).", Name(name), Name(name))
	default:
		_, _, names := c.g.Names()
		c.unknown("Nothing has the property "+name, name, names)
	}
}

// expr compiles an expression; nil for nil.
func (c *compiler) expr(e *Expr, s *scope) (eval, kind, error) {
	if e == nil {
		return nil, unknown, nil
	}
	if s.known != nil {
		if v, ok := s.known[e.key()]; ok && (!s.simple || e.Kind == Variable || e.Kind == Property || e.Kind == Call) {
			return slotOf(v.slot), v.kind, nil
		}
	}
	switch e.Kind {
	case Literal:
		v := e.Value
		return func(*exec, row) (any, error) { return v, nil }, kindOfValue(v), nil
	case Param:
		v, ok := c.params[e.Name]
		if !ok {
			return nil, 0, syntax(e.At, "MissingParameter", "the parameter $%s has no value", e.Name)
		}
		return func(*exec, row) (any, error) { return v, nil }, unknown, nil
	case Variable:
		v, err := s.find(e)
		return slotOf(v.slot), v.kind, err
	case Property:
		return c.property(e, s)
	case Index, Slice:
		return c.element(e, s)
	case HasLabels:
		return c.hasLabels(e, s)
	case Unary:
		return c.unary(e, s)
	case Binary:
		return c.binary(e, s)
	case Compare:
		return c.compare(e, s)
	case ListOf, MapOf:
		return c.collection(e, s)
	case Call:
		return c.call(e, s)
	case Case:
		return c.cases(e, s)
	case ListComp, Quantifier, Reduce:
		return c.each(e, s)
	case PatternExists, PatternComp, Exists, CountOf:
		return c.subpattern(e, s)
	}
	return nil, 0, syntax(e.At, "UnexpectedSyntax", "this expression has no meaning")
}

func slotOf(slot int) eval { return func(_ *exec, r row) (any, error) { return r[slot], nil } }

// find looks up a variable.
func (s *scope) find(e *Expr) (variable, error) {
	if v, ok := s.vars[e.Name]; ok {
		return v, nil
	}
	if code := s.hidden[e.Name]; code == "AmbiguousAggregationExpression" {
		return variable{}, syntax(e.At, code, "%s stands beside an aggregate, so it must be a column of its own", e.Name)
	}
	if near := nearest(e.Name, s.names); near != "" {
		return variable{}, syntax(e.At, "UndefinedVariable", "%s is not defined; did you mean %s?", e.Name, near)
	}
	return variable{}, syntax(e.At, "UndefinedVariable", "%s is not defined", e.Name)
}

// all compiles expressions.
func (c *compiler) all(es []*Expr, s *scope) (fs []eval, ks []kind, err error) {
	for _, e := range es {
		f, k, err := c.expr(e, s)
		if err != nil {
			return nil, nil, err
		}
		fs, ks = append(fs, f), append(ks, k)
	}
	return fs, ks, nil
}

// want fails where it is known before the query runs that an argument has none of the
// kinds that are wanted.
func want(e *Expr, k kind, kinds ...kind) error {
	if k == unknown || slices.Contains(kinds, k) {
		return nil
	}
	return syntax(e.At, "InvalidArgumentType", "expected %s, found %s", kinds[0], k)
}

// wantOf is want for what has properties or elements, where the wrong kind of value is no
// fault of the text: but a path has none.
func wantOf(e *Expr, k kind, kinds ...kind) error {
	err := want(e, k, kinds...)
	if wrong, ok := errors.AsType[*Error](err); ok && k != walkKind {
		wrong.Kind = ErrType
	}
	return err
}

func (c *compiler) property(e *Expr, s *scope) (eval, kind, error) {
	of, k, err := c.expr(e.Args[0], s)
	if err == nil {
		err = wantOf(e.Args[0], k, mapKind, nodeKind, relKind)
	}
	name := e.Name
	if k == nodeKind || k == relKind {
		c.propertyNamed(name)
	}
	return func(x *exec, r row) (any, error) {
		v, err := of(x, r)
		if err != nil {
			return nil, err
		}
		return x.property(r, v, name)
	}, unknown, err
}

// property reads a property of a value. What relationships say so goes on the trail.
func (x *exec) property(r row, v any, name string) (any, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case Map:
		return v[name], nil
	case Node:
		p, by := x.g.Of(v, name)
		if len(by) > 0 {
			x.tread(r, by...)
		}
		return p, nil
	case Rel:
		return x.g.OfRel(v, name), nil
	}
	return nil, wrongType("InvalidArgumentType", "%s has no properties, such as %s", kindOf(v), name)
}

func (c *compiler) element(e *Expr, s *scope) (eval, kind, error) {
	fs, ks, err := c.all(e.Args, s)
	if err != nil {
		return nil, 0, err
	}
	of := fs[0]
	if e.Kind == Slice {
		if err := want(e.Args[0], ks[0], listKind, relsKind); err != nil {
			return nil, 0, err
		}
		return func(x *exec, r row) (any, error) {
			v, err := of(x, r)
			if err != nil || v == nil {
				return nil, err
			}
			list, ok := v.(List)
			if !ok {
				return nil, wrongType("InvalidArgumentType", "%s has no range of elements", kindOf(v))
			}
			bounds := [2]int{0, len(list)}
			for i, f := range fs[1:] {
				if f == nil {
					continue
				}
				v, err := f(x, r)
				if err != nil || v == nil {
					return nil, err
				}
				n, ok := v.(int64)
				if !ok {
					return nil, wrongType("InvalidArgumentType", "a range of elements goes from one integer to another, not to %s", kindOf(v))
				}
				if n < 0 {
					n += int64(len(list))
				}
				bounds[i] = int(min(max(n, 0), int64(len(list))))
			}
			if bounds[0] >= bounds[1] {
				return List{}, nil
			}
			return list[bounds[0]:bounds[1]:bounds[1]], nil
		}, listKind, nil
	}
	if err := wantOf(e.Args[0], ks[0], listKind, relsKind, mapKind, nodeKind, relKind); err != nil {
		return nil, 0, err
	}
	index := fs[1]
	return func(x *exec, r row) (any, error) {
		v, err := of(x, r)
		if err != nil {
			return nil, err
		}
		i, err := index(x, r)
		if err != nil || v == nil || i == nil {
			return nil, err
		}
		switch list := v.(type) {
		case List:
			n, ok := i.(int64)
			if !ok {
				return nil, wrongType("InvalidArgumentType", "an element of a list is found by an integer, not by %s", kindOf(i))
			}
			if n < 0 {
				n += int64(len(list))
			}
			if n < 0 || n >= int64(len(list)) {
				return nil, nil
			}
			return list[n], nil
		case Map, Node, Rel:
			name, ok := i.(string)
			if !ok {
				return nil, wrongType("MapElementAccessByNonString", "a property is found by its name, not by %s", kindOf(i))
			}
			return x.property(r, v, name)
		}
		return nil, wrongType("InvalidArgumentType", "%s has no elements", kindOf(v))
	}, unknown, nil
}

func (c *compiler) hasLabels(e *Expr, s *scope) (eval, kind, error) {
	of, k, err := c.expr(e.Args[0], s)
	if err == nil {
		err = want(e.Args[0], k, nodeKind, relKind)
	}
	if err != nil {
		return nil, 0, err
	}
	return func(x *exec, r row) (any, error) {
		v, err := of(x, r)
		if err != nil || v == nil {
			return nil, err
		}
		for _, name := range e.Names {
			switch v := v.(type) {
			case Node:
				if l, ok := x.g.Label(name); !ok || !x.g.HasLabel(v, l) {
					return false, nil
				}
			case Rel:
				if x.g.Type(v) != name {
					return false, nil
				}
			default:
				return nil, wrongType("InvalidArgumentType", "%s has no labels", kindOf(v))
			}
		}
		return true, nil
	}, boolKind, nil
}

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
	c, ok := less(a, b)
	if !ok {
		return nil
	}
	if isNaN(a) || isNaN(b) {
		return false
	}
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

func (c *compiler) collection(e *Expr, s *scope) (eval, kind, error) {
	fs, _, err := c.all(e.Args, s)
	if err != nil {
		return nil, 0, err
	}
	if e.Kind == MapOf {
		return func(x *exec, r row) (any, error) {
			m := make(Map, len(fs))
			for i, f := range fs {
				v, err := f(x, r)
				if err != nil {
					return nil, err
				}
				m[e.Names[i]] = v
			}
			return m, nil
		}, mapKind, nil
	}
	return func(x *exec, r row) (any, error) {
		list := make(List, len(fs))
		for i, f := range fs {
			v, err := f(x, r)
			if err != nil {
				return nil, err
			}
			list[i] = v
		}
		return list, nil
	}, listKind, nil
}

func (c *compiler) cases(e *Expr, s *scope) (eval, kind, error) {
	fs, _, err := c.all(e.Args, s)
	if err != nil {
		return nil, 0, err
	}
	return func(x *exec, r row) (any, error) {
		var subject any
		var err error
		if fs[0] != nil {
			if subject, err = fs[0](x, r); err != nil {
				return nil, err
			}
		}
		for i := 1; i+1 < len(fs); i += 2 {
			v, err := fs[i](x, r)
			if err != nil {
				return nil, err
			}
			if fs[0] != nil {
				v = equal(subject, v)
			}
			if v == true {
				return fs[i+1](x, r)
			}
		}
		if f := fs[len(fs)-1]; f != nil {
			return f(x, r)
		}
		return nil, nil
	}, unknown, nil
}

// each compiles what goes through a list: comprehensions, quantifiers and reduce.
func (c *compiler) each(e *Expr, s *scope) (eval, kind, error) {
	args := e.Args
	in := s.inner()
	var first eval
	var sum variable
	var err error
	if e.Kind == Reduce {
		if first, _, err = c.expr(args[0], s); err != nil {
			return nil, 0, err
		}
		args = args[1:]
		sum = in.add(e.Names[0], unknown)
	}
	list, k, err := c.expr(args[0], s)
	if err == nil {
		err = want(args[0], k, listKind, relsKind)
	}
	if err != nil {
		return nil, 0, err
	}
	elements := unknown
	switch {
	case k == relsKind:
		elements = relKind
	case args[0].Kind == ListOf && len(args[0].Args) > 0:
		// The elements of a list that is written out are of a kind where all are.
		elements = kindOfValue(args[0].Args[0].Value)
		for _, a := range args[0].Args {
			if kindOfValue(a.Value) != elements {
				elements = unknown
			}
		}
	}
	at := in.add(e.Name, elements)
	for _, a := range args[1:] {
		if a != nil && a.aggregates() {
			return nil, 0, syntax(a.At, "InvalidAggregation", "rows cannot be counted or summed within a list")
		}
	}
	fs, ks, err := c.all(args[1:], in)
	if err != nil {
		return nil, 0, err
	}
	walk := func(x *exec, r row, f func(v any) (bool, error)) (null bool, err error) {
		v, err := list(x, r)
		if err != nil || v == nil {
			return true, err
		}
		l, ok := v.(List)
		if !ok {
			return false, wrongType("InvalidArgumentType", "expected a list, found %s", kindOf(v))
		}
		before := r[at.slot]
		defer func() { r[at.slot] = before }()
		for _, v := range l {
			if err := x.tick(); err != nil {
				return false, err
			}
			r[at.slot] = v
			if more, err := f(v); err != nil || !more {
				return false, err
			}
		}
		return false, nil
	}
	switch e.Kind { //nolint:exhaustive // of those that go through a list
	case Quantifier:
		if err := want(args[1], ks[0], boolKind); err != nil {
			return nil, 0, err
		}
		return quantified(e.Names[0], fs[0], walk), boolKind, nil
	case Reduce:
		return func(x *exec, r row) (any, error) {
			v, err := first(x, r)
			if err != nil {
				return nil, err
			}
			null, err := walk(x, r, func(any) (bool, error) {
				r[sum.slot] = v
				v, err = fs[0](x, r)
				return err == nil, err
			})
			if null {
				v = nil
			}
			return v, err
		}, unknown, nil
	}
	where, what := fs[0], fs[1]
	return func(x *exec, r row) (any, error) {
		result := List{}
		null, err := walk(x, r, func(v any) (bool, error) {
			if where != nil {
				if yes, err := where(x, r); err != nil || yes != true {
					return err == nil, err
				}
			}
			if what != nil {
				var err error
				if v, err = what(x, r); err != nil {
					return false, err
				}
			}
			result = append(result, v)
			return true, nil
		})
		if null || err != nil {
			return nil, err
		}
		return result, nil
	}, listKind, nil
}

// quantified computes all, any, none and single; what is not known makes the result null
// unless the rest decides.
func quantified(which string, where eval, walk func(*exec, row, func(any) (bool, error)) (bool, error)) eval {
	return func(x *exec, r row) (any, error) {
		yes, no, open := 0, 0, 0
		null, err := walk(x, r, func(any) (bool, error) {
			v, err := truth(where(x, r))
			switch v {
			case true:
				yes++
			case false:
				no++
			default:
				open++
			}
			return err == nil, err
		})
		if null || err != nil {
			return nil, err
		}
		known := func(decided, result bool) (any, error) {
			if decided || open == 0 {
				return result, nil
			}
			return nil, nil
		}
		switch which {
		case "all":
			return known(no > 0, no == 0)
		case "any":
			return known(yes > 0, yes > 0)
		case "none":
			return known(yes > 0, yes == 0)
		}
		return known(yes > 1, yes == 1)
	}
}

// key writes an expression so that equal ones have equal keys, however they were spaced.
func (e *Expr) key() string {
	var b strings.Builder
	e.appendKey(&b)
	return b.String()
}

func (e *Expr) appendKey(b *strings.Builder) {
	if e == nil {
		b.WriteByte('_')
		return
	}
	fmt.Fprintf(b, "(%d %q %v %v %q", e.Kind, e.Name, e.Distinct, e.Star, e.Names)
	if e.Kind == Literal {
		b.WriteString(Text(e.Value))
	}
	for _, a := range e.Args {
		a.appendKey(b)
	}
	if len(e.Paths) > 0 || e.Query != nil {
		fmt.Fprintf(b, " at %d", e.At)
	}
	b.WriteByte(')')
}
