package cypher

import (
	"slices"
	"strings"
)

// atom reads what has no operator.
func (p *parser) atom() *Expr {
	t := p.peek()
	switch t.kind {
	case number:
		if p.take(); t.wrong != nil {
			panic(t.wrong)
		}
		return &Expr{Kind: Literal, At: t.at, End: t.end, Value: t.value}
	case quoted:
		p.take()
		return &Expr{Kind: Literal, At: t.at, End: t.end, Value: t.text}
	case param:
		p.take()
		return &Expr{Kind: Param, At: t.at, End: t.end, Name: t.text}
	case word:
		return p.worded()
	case quotedWord:
		if p.ahead(1).is("(") {
			return p.call()
		}
		p.take()
		return &Expr{Kind: Variable, At: t.at, End: t.end, Name: t.text}
	case end, mark:
	}
	switch {
	case t.is("("):
		if paths, ok := p.pattern(); ok {
			return p.grown(&Expr{Kind: PatternExists, At: t.at, Paths: paths})
		}
		p.take()
		x := p.expr()
		p.expect(")")
		x.At, x.End = t.at, p.tokens[p.at-1].end
		return x
	case t.is("["):
		return p.listed()
	case t.is("{"):
		return p.mapping()
	}
	panic(p.unexpected("an expression"))
}

// pattern reads a pattern with a relationship in it, where an expression may stand as
// well; what was read is given back where it is none.
func (p *parser) pattern() ([]Path, bool) {
	at := p.at
	var path Path
	if !p.try(func() { path = p.element() }) || len(path.Edges) == 0 {
		p.at = at
		return nil, false
	}
	return []Path{path}, true
}

// try reports whether something can be read.
func (p *parser) try(read func()) bool {
	var err error
	func() {
		defer caught(&err, p.text)
		read()
	}()
	return err == nil
}

// worded reads an expression that begins with a word.
func (p *parser) worded() *Expr {
	t := p.peek()
	constant := func(v any) *Expr {
		p.take()
		return &Expr{Kind: Literal, At: t.at, End: t.end, Value: v}
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
			path := p.path()
			return p.grown(&Expr{Kind: PatternComp, At: t.at, Paths: []Path{path}, Args: []*Expr{nil, nil}})
		}
	}
	if called || p.dotted() {
		return p.call()
	}
	p.take()
	return &Expr{Kind: Variable, At: t.at, End: t.end, Name: t.text}
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
func (p *parser) call() *Expr {
	e := &Expr{Kind: Call, At: p.peek().at}
	for {
		e.Name += strings.ToLower(p.take().text)
		if !p.accept(".") {
			break
		}
		e.Name += "."
	}
	p.expect("(")
	if e.Name == "count" && p.accept("*", ")") {
		e.Star = true
		return p.grown(e)
	}
	e.Distinct = p.accept("DISTINCT")
	p.expressions(e, ")")
	return p.called(e)
}

// called ends an expression with its bracket.
func (p *parser) called(e *Expr) *Expr {
	p.expect(")")
	return p.grown(e)
}

// cases reads CASE … END.
func (p *parser) cases() *Expr {
	e := &Expr{Kind: Case, At: p.take().at, Args: []*Expr{nil}}
	read := func() { e.Args = append(e.Args, p.expr()) }
	if !p.peek().is("WHEN") {
		x := p.expr()
		e.Args[0] = x
	}
	for p.accept("WHEN") {
		read()
		p.expect("THEN")
		read()
	}
	if len(e.Args) == 1 {
		panic(p.unexpected("WHEN"))
	}
	if p.accept("ELSE") {
		read()
	} else {
		e.Args = append(e.Args, nil)
	}
	p.expect("END")
	return p.grown(e)
}

// subquery reads EXISTS { … } and COUNT { … }: a pattern with its condition, or a query.
func (p *parser) subquery() *Expr {
	defer p.deeper()()
	t := p.take()
	e := &Expr{Kind: Exists, At: t.at}
	if t.is("COUNT") {
		e.Kind = CountOf
	}
	p.take()
	switch next := p.peek(); {
	case next.kind == word && !p.ahead(1).is("="):
		// A query in brackets may leave RETURN out where it begins with MATCH.
		e.Query = &Query{Text: p.text, Parts: []part{{}}}
		part := &e.Query.Parts[0]
		for !p.peek().is("}") && !p.peek().is("UNION") {
			c := p.clause()
			part.Clauses = append(part.Clauses, c)
		}
	default:
		e.Paths = p.paths()
		where := p.where()
		e.Args = []*Expr{where}
	}
	p.expect("}")
	return p.grown(e)
}

// eachOf reads x IN list, and its WHERE.
func (p *parser) eachOf(e *Expr) {
	e.Name = p.name("a name for the elements")
	p.expect("IN")
	list := p.expr()
	e.Args = append(e.Args, list, p.where())
}

func (p *parser) quantifier() *Expr {
	t := p.take()
	e := &Expr{Kind: Quantifier, At: t.at, Names: []string{strings.ToLower(t.text)}}
	p.take()
	p.eachOf(e)
	if e.Args[1] == nil {
		panic(p.unexpected("WHERE"))
	}
	return p.called(e)
}

// reduce reads reduce(sum = 0, x IN list | sum + x).
func (p *parser) reduce() *Expr {
	e := &Expr{Kind: Reduce, At: p.take().at}
	p.take()
	name := p.name("a name for the accumulator")
	p.expect("=")
	first := p.expr()
	p.expect(",")
	e.Names, e.Args = []string{name}, []*Expr{first}
	e.Name = p.name("a name for the elements")
	p.expect("IN")
	list := p.expr()
	p.expect("|")
	what := p.expr()
	e.Args = append(e.Args, list, what)
	return p.called(e)
}

// expressions reads arguments up to a bracket.
func (p *parser) expressions(e *Expr, bracket string) {
	for !p.peek().is(bracket) {
		if e.Args = append(e.Args, p.expr()); !p.accept(",") {
			return
		}
	}
}

// listed reads a list, [x IN list WHERE … | …] or [(a)-->(b) WHERE … | …].
func (p *parser) listed() *Expr {
	at := p.take().at
	switch t := p.peek(); {
	case t.isName() && p.ahead(1).is("IN"):
		e := &Expr{Kind: ListComp, At: at}
		p.eachOf(e)
		return p.comprehended(e)
	case t.is("("), p.ahead(1).is("="):
		from := p.at
		var path Path
		if p.try(func() { path = p.path() }) && len(path.Edges) > 0 && (p.peek().is("WHERE") || p.peek().is("|")) {
			e := &Expr{Kind: PatternComp, At: at, Paths: []Path{path}}
			where := p.where()
			if e.Args = []*Expr{where}; !p.peek().is("|") {
				panic(p.unexpected("| and what to list"))
			}
			return p.comprehended(e)
		}
		p.at = from
	}
	e := &Expr{Kind: ListOf, At: at}
	p.expressions(e, "]")
	p.expect("]")
	return p.grown(e)
}

// comprehended reads what a comprehension lists, and its end.
func (p *parser) comprehended(e *Expr) *Expr {
	var what *Expr
	if p.accept("|") {
		what = p.expr()
	}
	e.Args = append(e.Args, what)
	p.expect("]")
	return p.grown(e)
}

// mapping reads {name: value, …}.
func (p *parser) mapping() *Expr {
	e := &Expr{Kind: MapOf, At: p.take().at}
	for !p.peek().is("}") {
		name := p.name("the name of a property")
		p.expect(":")
		x := p.expr()
		if i := slices.Index(e.Names, name); i >= 0 {
			e.Args[i] = x
		} else {
			e.Names, e.Args = append(e.Names, name), append(e.Args, x)
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect("}")
	return p.grown(e)
}
