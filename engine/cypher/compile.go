package cypher

import (
	"fmt"
	"maps"
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
type eval func(x *exec, r row) any

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

// addNew is add for a name at a place of the text, which must not be in use.
func (s *scope) addNew(at int, name string, k kind) variable {
	if _, ok := s.vars[name]; ok {
		panic(syntax(at, "VariableAlreadyBound", "the name %s is already in use", name))
	}
	return s.add(name, k)
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
	// endless says that paths of any length are looked for.
	endless bool
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
		c.note("%s is a relationship, not a property: use (n)-[:%s]->(m).", Name(name), Name(name))
	default:
		_, _, names := c.g.Names()
		c.unknown("Nothing has the property "+name, name, names)
	}
}

// expr compiles an expression; nil for nil.
func (c *compiler) expr(e *Expr, s *scope) (eval, kind) {
	if e == nil {
		return nil, unknown
	}
	if s.known != nil {
		if v, ok := s.known[e.key()]; ok && (!s.simple || e.Kind == Variable || e.Kind == Property || e.Kind == Call) {
			return slotOf(v.slot), v.kind
		}
	}
	switch e.Kind {
	case Literal:
		v := e.Value
		return func(*exec, row) any { return v }, kindOfValue(v)
	case Param:
		v, ok := c.params[e.Name]
		if !ok {
			panic(syntax(e.At, "MissingParameter", "the parameter $%s has no value", e.Name))
		}
		return func(*exec, row) any { return v }, unknown
	case Variable:
		v := s.find(e)
		return slotOf(v.slot), v.kind
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
	panic(syntax(e.At, "UnexpectedSyntax", "this expression is not supported"))
}

func slotOf(slot int) eval { return func(_ *exec, r row) any { return r[slot] } }

// find looks up a variable.
func (s *scope) find(e *Expr) variable {
	if v, ok := s.vars[e.Name]; ok {
		return v
	}
	if code := s.hidden[e.Name]; code == "AmbiguousAggregationExpression" {
		panic(syntax(e.At, code, "%s is next to an aggregate, so it must be a column of its own", e.Name))
	}
	panic(syntax(e.At, "UndefinedVariable", "%s is not defined%s", e.Name, didYouMean(nearest(e.Name, s.names))))
}

func (c *compiler) all(es []*Expr, s *scope) (fs []eval, ks []kind) {
	for _, e := range es {
		f, k := c.expr(e, s)
		fs, ks = append(fs, f), append(ks, k)
	}
	return fs, ks
}

// want fails where it is known before the query runs that an argument has none of the
// kinds that are wanted.
func want(e *Expr, k kind, kinds ...kind) {
	if k != unknown && !slices.Contains(kinds, k) {
		panic(syntax(e.At, "InvalidArgumentType", "expected %s, found %s", kinds[0], k))
	}
}

// wantOf is want for what has properties or elements, where the wrong kind of value is no
// fault of the text: but a path has none.
func wantOf(e *Expr, k kind, kinds ...kind) {
	if k == walkKind {
		want(e, k, kinds...)
	} else if k != unknown && !slices.Contains(kinds, k) {
		panic(&Error{Kind: ErrType, Code: "InvalidArgumentType", What: fmt.Sprintf("expected %s, found %s", kinds[0], k), at: e.At})
	}
}

func (c *compiler) property(e *Expr, s *scope) (eval, kind) {
	of, k := c.expr(e.Args[0], s)
	wantOf(e.Args[0], k, mapKind, nodeKind, relKind)
	name := e.Name
	if k == nodeKind || k == relKind {
		c.propertyNamed(name)
	}
	return func(x *exec, r row) any { return x.property(r, of(x, r), name) }, unknown
}

// property reads a property of a value. What relationships say so goes on the trail.
func (x *exec) property(r row, v any, name string) any {
	switch v := v.(type) {
	case nil:
		return nil
	case Map:
		return v[name]
	case Node:
		p, by := x.g.Of(v, name)
		if len(by) > 0 {
			x.tread(r, by...)
		}
		return p
	case Rel:
		return x.g.OfRel(v, name)
	case Moment:
		return v.part(name)
	case Duration:
		return v.part(name)
	}
	panic(wrongType("InvalidArgumentType", "%s has no properties such as %s", kindOf(v), name))
}

func (c *compiler) element(e *Expr, s *scope) (eval, kind) {
	fs, ks := c.all(e.Args, s)
	of := fs[0]
	if e.Kind == Slice {
		want(e.Args[0], ks[0], listKind, relsKind)
		return func(x *exec, r row) any {
			v := of(x, r)
			if v == nil {
				return nil
			}
			list, ok := v.(List)
			if !ok {
				panic(wrongType("InvalidArgumentType", "%s cannot be sliced", kindOf(v)))
			}
			bounds := [2]int{0, len(list)}
			for i, f := range fs[1:] {
				if f == nil {
					continue
				}
				v := f(x, r)
				if v == nil {
					return nil
				}
				n, ok := v.(int64)
				if !ok {
					panic(wrongType("InvalidArgumentType", "a slice goes from one integer to another, not to %s", kindOf(v)))
				}
				if n < 0 {
					n += int64(len(list))
				}
				bounds[i] = int(min(max(n, 0), int64(len(list))))
			}
			if bounds[0] >= bounds[1] {
				return List{}
			}
			return list[bounds[0]:bounds[1]:bounds[1]]
		}, listKind
	}
	wantOf(e.Args[0], ks[0], listKind, relsKind, mapKind, nodeKind, relKind)
	index := fs[1]
	return func(x *exec, r row) any {
		v := of(x, r)
		i := index(x, r)
		if v == nil || i == nil {
			return nil
		}
		switch list := v.(type) {
		case List:
			n, ok := i.(int64)
			if !ok {
				panic(wrongType("InvalidArgumentType", "a list index must be an integer, not %s", kindOf(i)))
			}
			if n < 0 {
				n += int64(len(list))
			}
			if n < 0 || n >= int64(len(list)) {
				return nil
			}
			return list[n]
		case Map, Node, Rel:
			name, ok := i.(string)
			if !ok {
				panic(wrongType("MapElementAccessByNonString", "a property key must be a string, not %s", kindOf(i)))
			}
			return x.property(r, v, name)
		}
		panic(wrongType("InvalidArgumentType", "%s has no elements", kindOf(v)))
	}, unknown
}

func (c *compiler) hasLabels(e *Expr, s *scope) (eval, kind) {
	of, k := c.expr(e.Args[0], s)
	want(e.Args[0], k, nodeKind, relKind)
	return func(x *exec, r row) any {
		v := of(x, r)
		if v == nil {
			return nil
		}
		for _, name := range e.Names {
			switch v := v.(type) {
			case Node:
				if l, ok := x.g.Label(name); !ok || !x.g.HasLabel(v, l) {
					return false
				}
			case Rel:
				if x.g.Type(v) != name {
					return false
				}
			default:
				panic(wrongType("InvalidArgumentType", "%s has no labels", kindOf(v)))
			}
		}
		return true
	}, boolKind
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
