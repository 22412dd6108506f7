package cypher

import (
	"slices"
	"strings"
)

// atom reads what has no operator.
func (p *parser) atom() (*Expr, error) {
	t := p.peek()
	switch t.kind {
	case number:
		p.take()
		return &Expr{Kind: Literal, At: t.at, End: t.end, Value: t.value}, t.wrong
	case quoted:
		p.take()
		return &Expr{Kind: Literal, At: t.at, End: t.end, Value: t.text}, nil
	case param:
		p.take()
		return &Expr{Kind: Param, At: t.at, End: t.end, Name: t.text}, nil
	case word:
		return p.worded()
	case quotedWord:
		if p.ahead(1).is("(") {
			return p.call()
		}
		p.take()
		return &Expr{Kind: Variable, At: t.at, End: t.end, Name: t.text}, nil
	case end, mark:
	}
	switch {
	case t.is("("):
		if paths, ok := p.pattern(); ok {
			return p.grown(&Expr{Kind: PatternExists, At: t.at, Paths: paths}), nil
		}
		p.take()
		x, err := p.expr()
		if err != nil {
			return nil, err
		}
		if err = p.expect(")"); err != nil {
			return nil, err
		}
		x.At, x.End = t.at, p.tokens[p.at-1].end
		return x, nil
	case t.is("["):
		return p.list()
	case t.is("{"):
		return p.mapping()
	}
	return nil, p.unexpected("an expression")
}

// pattern reads a pattern with a relationship in it, where an expression may stand as
// well; what was read is given back where it is none.
func (p *parser) pattern() ([]Path, bool) {
	at := p.at
	path, err := p.element()
	if err != nil || len(path.Edges) == 0 {
		p.at = at
		return nil, false
	}
	return []Path{path}, true
}

// worded reads an expression that begins with a word.
func (p *parser) worded() (*Expr, error) {
	t := p.peek()
	constant := func(v any) (*Expr, error) {
		p.take()
		return &Expr{Kind: Literal, At: t.at, End: t.end, Value: v}, nil
	}
	called, braced := p.ahead(1).is("("), p.ahead(1).is("{")
	switch strings.ToLower(t.text) {
	case "true":
		return constant(true)
	case "false":
		return constant(false)
	case "null":
		return constant(nil)
	case "case":
		return p.cases()
	case "count", "exists":
		if braced {
			return p.subquery()
		}
	case "all", "any", "none", "single":
		if called && p.ahead(3).is("IN") {
			return p.quantifier()
		}
	case "reduce":
		if called {
			return p.reduce()
		}
	case "shortestpath", "allshortestpaths":
		if called {
			path, err := p.path()
			if err != nil {
				return nil, err
			}
			return p.grown(&Expr{Kind: PatternComp, At: t.at, Paths: []Path{path}, Args: []*Expr{nil, nil}}), nil
		}
	}
	if called || p.dotted() {
		return p.call()
	}
	p.take()
	return &Expr{Kind: Variable, At: t.at, End: t.end, Name: t.text}, nil
}

// dotted reports whether the name of a function with dots comes next, such as date.truncate.
func (p *parser) dotted() bool {
	i := 0
	for p.ahead(i).kind == word && p.ahead(i+1).is(".") {
		i += 2
	}
	return i > 0 && p.ahead(i).kind == word && p.ahead(i+1).is("(")
}

// call reads a function and its arguments.
func (p *parser) call() (*Expr, error) {
	e := &Expr{Kind: Call, At: p.peek().at}
	for {
		e.Name += strings.ToLower(p.take().text)
		if !p.accept(".") {
			break
		}
		e.Name += "."
	}
	if err := p.expect("("); err != nil {
		return nil, err
	}
	if e.Name == "count" && p.accept("*", ")") {
		e.Star = true
		return p.grown(e), nil
	}
	e.Distinct = p.accept("DISTINCT")
	for !p.peek().is(")") {
		x, err := p.expr()
		if err != nil {
			return nil, err
		}
		if e.Args = append(e.Args, x); !p.accept(",") {
			break
		}
	}
	return p.called(e)
}

// called ends an expression with its bracket.
func (p *parser) called(e *Expr) (*Expr, error) {
	if err := p.expect(")"); err != nil {
		return nil, err
	}
	return p.grown(e), nil
}

// cases reads CASE … END.
func (p *parser) cases() (*Expr, error) {
	e := &Expr{Kind: Case, At: p.take().at, Args: []*Expr{nil}}
	read := func() error {
		x, err := p.expr()
		e.Args = append(e.Args, x)
		return err
	}
	if !p.peek().is("WHEN") {
		x, err := p.expr()
		if err != nil {
			return nil, err
		}
		e.Args[0] = x
	}
	for p.accept("WHEN") {
		if err := read(); err != nil {
			return nil, err
		}
		if err := p.expect("THEN"); err != nil {
			return nil, err
		}
		if err := read(); err != nil {
			return nil, err
		}
	}
	if len(e.Args) == 1 {
		return nil, p.unexpected("WHEN")
	}
	if p.accept("ELSE") {
		if err := read(); err != nil {
			return nil, err
		}
	} else {
		e.Args = append(e.Args, nil)
	}
	if err := p.expect("END"); err != nil {
		return nil, err
	}
	return p.grown(e), nil
}

// subquery reads EXISTS { … } and COUNT { … }: a pattern with its condition, or a query.
func (p *parser) subquery() (*Expr, error) {
	done, err := p.deeper()
	if err != nil {
		return nil, err
	}
	defer done()
	t := p.take()
	e := &Expr{Kind: Exists, At: t.at}
	if t.is("COUNT") {
		e.Kind = CountOf
	}
	p.take()
	switch next := p.peek(); {
	case next.kind == word && !p.ahead(1).is("="):
		// A query in brackets may leave RETURN out where it begins with MATCH.
		e.Query = &Query{Text: p.text, Parts: []Part{{}}}
		part := &e.Query.Parts[0]
		for !p.peek().is("}") && !p.peek().is("UNION") {
			c, err := p.clause()
			if err != nil {
				return nil, err
			}
			part.Clauses = append(part.Clauses, c)
		}
	default:
		if e.Paths, err = p.paths(); err != nil {
			return nil, err
		}
		where, err := p.where()
		if err != nil {
			return nil, err
		}
		e.Args = []*Expr{where}
	}
	if err := p.expect("}"); err != nil {
		return nil, err
	}
	return p.grown(e), nil
}

// eachOf reads x IN list, and its WHERE.
func (p *parser) eachOf(e *Expr) (err error) {
	if e.Name, err = p.name("a name for the elements"); err != nil {
		return err
	}
	if err = p.expect("IN"); err != nil {
		return err
	}
	list, err := p.expr()
	if err != nil {
		return err
	}
	where, err := p.where()
	e.Args = append(e.Args, list, where)
	return err
}

func (p *parser) quantifier() (*Expr, error) {
	t := p.take()
	e := &Expr{Kind: Quantifier, At: t.at, Names: []string{strings.ToLower(t.text)}}
	p.take()
	if err := p.eachOf(e); err != nil {
		return nil, err
	}
	if e.Args[1] == nil {
		return nil, p.unexpected("WHERE")
	}
	return p.called(e)
}

// reduce reads reduce(sum = 0, x IN list | sum + x).
func (p *parser) reduce() (*Expr, error) {
	e := &Expr{Kind: Reduce, At: p.take().at}
	p.take()
	name, err := p.name("a name for what is added up")
	if err != nil {
		return nil, err
	}
	if err = p.expect("="); err != nil {
		return nil, err
	}
	first, err := p.expr()
	if err != nil {
		return nil, err
	}
	if err = p.expect(","); err != nil {
		return nil, err
	}
	e.Names, e.Args = []string{name}, []*Expr{first}
	if e.Name, err = p.name("a name for the elements"); err != nil {
		return nil, err
	}
	if err = p.expect("IN"); err != nil {
		return nil, err
	}
	list, err := p.expr()
	if err != nil {
		return nil, err
	}
	if err = p.expect("|"); err != nil {
		return nil, err
	}
	what, err := p.expr()
	if err != nil {
		return nil, err
	}
	e.Args = append(e.Args, list, what)
	return p.called(e)
}

// list reads a list, [x IN list WHERE … | …] or [(a)-->(b) WHERE … | …].
func (p *parser) list() (*Expr, error) {
	at := p.take().at
	switch t := p.peek(); {
	case (t.kind == word || t.kind == quotedWord) && p.ahead(1).is("IN"):
		e := &Expr{Kind: ListComp, At: at}
		if err := p.eachOf(e); err != nil {
			return nil, err
		}
		return p.comprehended(e)
	case t.is("("), p.ahead(1).is("="):
		from := p.at
		if path, err := p.path(); err == nil && len(path.Edges) > 0 && (p.peek().is("WHERE") || p.peek().is("|")) {
			e := &Expr{Kind: PatternComp, At: at, Paths: []Path{path}}
			where, err := p.where()
			if err != nil {
				return nil, err
			}
			if e.Args = []*Expr{where}; !p.peek().is("|") {
				return nil, p.unexpected("| and what to list")
			}
			return p.comprehended(e)
		}
		p.at = from
	}
	e := &Expr{Kind: ListOf, At: at}
	for !p.peek().is("]") {
		x, err := p.expr()
		if err != nil {
			return nil, err
		}
		if e.Args = append(e.Args, x); !p.accept(",") {
			break
		}
	}
	if err := p.expect("]"); err != nil {
		return nil, err
	}
	return p.grown(e), nil
}

// comprehended reads what a comprehension lists, and its end.
func (p *parser) comprehended(e *Expr) (*Expr, error) {
	var what *Expr
	if p.accept("|") {
		var err error
		if what, err = p.expr(); err != nil {
			return nil, err
		}
	}
	e.Args = append(e.Args, what)
	if err := p.expect("]"); err != nil {
		return nil, err
	}
	return p.grown(e), nil
}

// mapping reads {name: value, …}.
func (p *parser) mapping() (*Expr, error) {
	e := &Expr{Kind: MapOf, At: p.take().at}
	for !p.peek().is("}") {
		name, err := p.name("the name of a property")
		if err != nil {
			return nil, err
		}
		if err = p.expect(":"); err != nil {
			return nil, err
		}
		x, err := p.expr()
		if err != nil {
			return nil, err
		}
		if i := slices.Index(e.Names, name); i >= 0 {
			e.Args[i] = x
		} else {
			e.Names, e.Args = append(e.Names, name), append(e.Args, x)
		}
		if !p.accept(",") {
			break
		}
	}
	if err := p.expect("}"); err != nil {
		return nil, err
	}
	return p.grown(e), nil
}
