package cypher

import (
	"slices"
	"strings"

	"cairn/internal/wording"
)

// Parse reads a query. It fails with an *Error that says where and why.
func Parse(text string) (q *Query, err error) {
	defer caught(&err, text)
	p := &parser{text: text, tokens: lex(text)}
	q = p.query()
	p.accept(";")
	if p.peek().kind != end {
		panic(p.unexpected("the end of the query"))
	}
	return q, nil
}

// maxDepth is how deep expressions, patterns and queries may lie within each other.
const maxDepth = 200

// parser reads tokens by recursive descent. What it cannot read it panics with, as an
// *Error.
type parser struct {
	text   string
	tokens []token
	at     int
	depth  int
}

func (p *parser) peek() token { return p.tokens[p.at] }

// ahead is the token n behind the next one.
func (p *parser) ahead(n int) token { return p.tokens[min(p.at+n, len(p.tokens)-1)] }

func (p *parser) take() token {
	t := p.peek()
	if t.kind != end {
		p.at++
	}
	return t
}

// accept takes the words or marks if they come next.
func (p *parser) accept(texts ...string) bool {
	for i, text := range texts {
		if !p.ahead(i).is(text) {
			return false
		}
	}
	p.at += len(texts)
	return true
}

func (p *parser) expect(text string) {
	if !p.accept(text) {
		panic(p.unexpected(wording.Quote(text)))
	}
}

// list reads things divided by commas, one at least.
func (p *parser) list(read func()) {
	for read(); p.accept(","); {
		read()
	}
}

// unexpected is the error that something else was wanted here.
func (p *parser) unexpected(wanted string) *Error {
	return syntax(p.peek().at, "UnexpectedSyntax", "expected %s, found %s", wanted, p.peek())
}

// name takes a name, in backticks or not.
func (p *parser) name(what string) string {
	if !p.peek().isName() {
		panic(p.unexpected(what))
	}
	return p.take().text
}

// maybeName takes a name if one comes next.
func (p *parser) maybeName() string {
	if !p.peek().isName() {
		return ""
	}
	return p.take().text
}

// deeper fails where the text is nested too deep; done undoes it.
func (p *parser) deeper() (done func()) {
	if p.depth++; p.depth > maxDepth {
		panic(syntax(p.peek().at, "UnexpectedSyntax", "this is nested more than %d levels deep", maxDepth))
	}
	return func() { p.depth-- }
}

// query reads parts joined by UNION.
func (p *parser) query() *Query {
	q := &Query{Text: p.text}
	for {
		part := p.part()
		q.Parts = append(q.Parts, part)
		at := p.peek().at
		if !p.accept("UNION") {
			return q
		}
		all := p.accept("ALL")
		if len(q.Parts) > 1 && all != q.All {
			panic(syntax(at, "InvalidClauseComposition", "UNION and UNION ALL cannot be mixed in one query"))
		}
		q.All = all
	}
}

func (p *parser) part() part {
	var part part
	for {
		c := p.clause()
		if last := len(part.Clauses) - 1; c.Kind == clauseMatch && !c.Optional && last >= 0 && part.Clauses[last].Optional {
			panic(syntax(c.At, "InvalidClauseComposition", "MATCH cannot follow OPTIONAL MATCH; put WITH * between them"))
		}
		part.Clauses = append(part.Clauses, c)
		if c.Kind == clauseReturn {
			return part
		}
		if t := p.peek(); t.kind == end || t.is(";") || t.is("}") || t.is("UNION") {
			panic(syntax(t.at, "InvalidClauseComposition", "a query ends with RETURN; found %s", t))
		}
	}
}

// writes are clauses that change a graph, or reach beyond it.
var writes = []string{"CREATE", "MERGE", "SET", "DELETE", "DETACH", "REMOVE", "FOREACH", "LOAD", "DROP", "CALL", "USE"}

func (p *parser) clause() (c clause) {
	t := p.peek()
	c.At = t.at
	switch {
	case p.accept("OPTIONAL", "MATCH"), p.accept("MATCH"):
		c.Kind, c.Optional = clauseMatch, t.is("OPTIONAL")
		c.Paths, c.Where = p.paths(), p.where()
		return c
	case p.accept("UNWIND"):
		c.Kind = clauseUnwind
		c.List = p.expr()
		p.expect("AS")
		c.Name = p.name("a name for the elements")
		return c
	case p.accept("WITH"):
		c.Kind = clauseWith
		p.projection(&c)
		c.Where = p.where()
		return c
	case p.accept("RETURN"):
		c.Kind = clauseReturn
		p.projection(&c)
		return c
	}
	for _, w := range writes {
		if t.kind == word && t.is(w) {
			panic(syntax(t.at, "InvalidClauseComposition", "%s is not supported: queries are read-only. Use MATCH, OPTIONAL MATCH, UNWIND, WITH and RETURN", strings.ToUpper(t.text)))
		}
	}
	panic(p.unexpected("MATCH, OPTIONAL MATCH, UNWIND, WITH or RETURN"))
}

// where reads WHERE and its condition, if there is one.
func (p *parser) where() *Expr {
	if !p.accept("WHERE") {
		return nil
	}
	return p.expr()
}

// projection reads what stands behind WITH or RETURN.
func (p *parser) projection(c *clause) {
	c.Distinct = p.accept("DISTINCT")
	if c.Star = p.accept("*"); !c.Star || p.accept(",") {
		c.Items = p.items()
	}
	if p.accept("ORDER", "BY") {
		p.list(func() {
			e := p.expr()
			down := p.accept("DESC") || p.accept("DESCENDING")
			if !down && !p.accept("ASC") {
				p.accept("ASCENDING")
			}
			c.Order = append(c.Order, key{e, down})
		})
	}
	if p.accept("SKIP") || p.accept("OFFSET") {
		c.Skip = p.expr()
	}
	if p.accept("LIMIT") {
		c.Limit = p.expr()
	}
}

func (p *parser) items() (items []item) {
	p.list(func() {
		e := p.expr()
		i := item{Expr: e, Name: p.text[e.At:e.End]}
		if p.accept("AS") {
			i.Named = true
			i.Name = p.name("a name for the column")
		} else if e.Kind == Variable {
			i.Name = e.Name
		}
		items = append(items, i)
	})
	return items
}

// paths reads path patterns divided by commas.
func (p *parser) paths() (paths []Path) {
	p.list(func() { paths = append(paths, p.path()) })
	return paths
}

// path reads one path pattern, with its name and how short it should be.
func (p *parser) path() (path Path) {
	at := p.peek().at
	var name string
	if p.ahead(1).is("=") {
		name = p.name("a name for the path")
		p.take()
	}
	shortest, all := p.peek().is("shortestPath"), p.peek().is("allShortestPaths")
	if (shortest || all) && p.ahead(1).is("(") {
		p.at += 2
		path = p.element()
		if len(path.Edges) != 1 {
			panic(syntax(at, "UnexpectedSyntax", "a shortest path must have one relationship, such as (a)-[*]-(b)"))
		}
		p.expect(")")
	} else {
		shortest, all = false, false
		path = p.element()
	}
	path.Name, path.Shortest, path.All, path.At = name, shortest || all, all, at
	return path
}

// element reads nodes and relationships that alternate.
func (p *parser) element() (path Path) {
	defer p.deeper()()
	if p.peek().is("(") && p.ahead(1).is("(") {
		p.take()
		path = p.element()
		p.expect(")")
		return path
	}
	path.At = p.peek().at
	n := p.node()
	path.Nodes = append(path.Nodes, n)
	for p.peek().is("-") || p.peek().is("<") {
		e := p.edge()
		n = p.node()
		path.Edges, path.Nodes = append(path.Edges, e), append(path.Nodes, n)
	}
	return path
}

func (p *parser) node() (n NodePattern) {
	n.At = p.peek().at
	p.expect("(")
	n.Name = p.maybeName()
	n.Labels = p.labels()
	n.Properties = p.properties()
	p.expect(")")
	return n
}

// labels reads :A:B.
func (p *parser) labels() (labels []string) {
	for p.accept(":") {
		labels = append(labels, p.name("a label"))
	}
	return labels
}

// properties reads a map or a parameter, if there is one.
func (p *parser) properties() *Expr {
	switch t := p.peek(); {
	case t.is("{"):
		return p.mapping()
	case t.kind == param:
		p.take()
		return &Expr{Kind: Param, At: t.at, End: t.end, Name: t.text}
	}
	return nil
}

// edge reads -[…]->, <-[…]- or -[…]-, the brackets being optional.
func (p *parser) edge() (e EdgePattern) {
	e.At = p.peek().at
	e.In = p.accept("<")
	p.expect("-")
	e.Least, e.Most = 1, 1
	if p.accept("[") {
		e.Name = p.maybeName()
		if p.accept(":") {
			for {
				e.Types = append(e.Types, p.name("a relationship type"))
				if !p.accept("|") {
					break
				}
				p.accept(":")
			}
		}
		if p.accept("*") {
			p.length(&e)
		}
		e.Properties = p.properties()
		if p.peek().is("..") || p.peek().kind == number {
			panic(syntax(p.peek().at, "InvalidRelationshipPattern", "write * before a length, as in -[*1..3]-"))
		}
		p.expect("]")
	}
	p.expect("-")
	e.Out = p.accept(">")
	if !e.In && !e.Out {
		e.In, e.Out = true, true
	}
	return e
}

// length reads what may stand behind *: nothing, 2, 1..3, 1.., ..3.
func (p *parser) length(e *EdgePattern) {
	e.Many, e.Most = true, -1
	bound := func(into *int) {
		if p.peek().is("-") {
			panic(syntax(p.peek().at, "InvalidRelationshipPattern", "a path cannot have a negative length"))
		}
		if p.peek().kind != number {
			return
		}
		t := p.take()
		n, ok := t.value.(int64)
		if !ok || n > 1<<30 {
			panic(syntax(t.at, "InvalidRelationshipPattern", "%s is not a length", t))
		}
		*into = int(n)
	}
	given := p.peek().kind == number
	bound(&e.Least)
	if p.accept("..") {
		bound(&e.Most)
	} else if given {
		e.Most = e.Least
	}
}

func (p *parser) expr() *Expr {
	defer p.deeper()()
	return p.joined(conditions, p.not)
}

// conditions are the operators between comparisons, sums those within them, the levels that
// bind the weakest first.
var (
	conditions = [][]string{{"OR"}, {"XOR"}, {"AND"}}
	sums       = [][]string{{"+", "-", "||"}, {"*", "/", "%"}, {"^"}}
)

// joined reads operands between operators of some levels, which bind to the left.
func (p *parser) joined(levels [][]string, operand func() *Expr) *Expr {
	if len(levels) == 0 {
		return operand()
	}
	left := p.joined(levels[1:], operand)
	for {
		i := slices.IndexFunc(levels[0], func(o string) bool { return p.peek().is(o) })
		if i < 0 {
			return left
		}
		p.take()
		left = p.grown(&Expr{Kind: Binary, Name: levels[0][i], Args: []*Expr{left, p.joined(levels[1:], operand)}})
	}
}

// grown gives an expression the place of its arguments, up to the token just taken.
func (p *parser) grown(e *Expr) *Expr {
	if e.At == 0 && len(e.Args) > 0 && e.Args[0] != nil {
		e.At = e.Args[0].At
	}
	e.End = p.tokens[p.at-1].end
	return e
}

func (p *parser) not() *Expr {
	at := p.peek().at
	if !p.accept("NOT") {
		return p.comparison()
	}
	defer p.deeper()()
	x := p.not()
	return p.grown(&Expr{Kind: Unary, Name: "NOT", At: at, Args: []*Expr{x}})
}

var comparisons = []string{"=", "<>", "<=", ">=", "<", ">", "!="}

func (p *parser) comparison() *Expr {
	first := p.predicate()
	e := &Expr{Kind: Compare, At: first.At, Args: []*Expr{first}}
	for {
		i := slices.IndexFunc(comparisons, func(o string) bool { return p.peek().is(o) })
		if i < 0 {
			break
		}
		if t := p.take(); t.is("!=") {
			panic(syntax(t.at, "UnexpectedSyntax", "use <> for not equal"))
		}
		e.Names, e.Args = append(e.Names, comparisons[i]), append(e.Args, p.predicate())
	}
	if len(e.Names) == 0 {
		return first
	}
	return p.grown(e)
}

// predicates are what may be asked of a value, in words.
var predicates = [][]string{{"IN"}, {"STARTS", "WITH"}, {"ENDS", "WITH"}, {"CONTAINS"}, {"=~"}, {"IS", "NOT", "NULL"}, {"IS", "NULL"}}

// begun fails where the next word begins a predicate of several words, and another one follows.
func (p *parser) begun() {
	for _, words := range predicates {
		if len(words) > 1 && p.accept(words[0]) {
			panic(p.unexpected(wording.Quote(words[len(words)-1])))
		}
	}
}

// predicate reads a sum and what may be asked of it.
func (p *parser) predicate() *Expr {
	x := p.joined(sums, p.sign)
	for {
		i := slices.IndexFunc(predicates, func(words []string) bool { return p.accept(words...) })
		if i < 0 {
			p.begun()
			return x
		}
		e := &Expr{Kind: Unary, Name: strings.Join(predicates[i], " "), At: x.At, Args: []*Expr{x}}
		if predicates[i][0] != "IS" {
			e.Kind, e.Args = Binary, append(e.Args, p.joined(sums, p.sign))
		}
		x = p.grown(e)
	}
}

func (p *parser) sign() *Expr {
	t := p.peek()
	if !p.accept("-") && !p.accept("+") {
		return p.postfix()
	}
	defer p.deeper()()
	x := p.sign()
	if _, lowest := x.Value.(minInt); lowest && t.is("-") {
		return p.grown(&Expr{Kind: Literal, At: t.at, Value: int64(-1 << 63)})
	}
	fits(x)
	return p.grown(&Expr{Kind: Unary, Name: t.text, At: t.at, Args: []*Expr{x}})
}

// fits fails for the integer that only a minus sign makes fit.
func fits(x *Expr) {
	if _, lowest := x.Value.(minInt); lowest {
		panic(syntax(x.At, "IntegerOverflow", "9223372036854775808 is too large: the largest integer is 9223372036854775807"))
	}
}

// postfix reads an atom and its properties, elements and labels.
func (p *parser) postfix() *Expr {
	before := p.at
	x := p.atom()
	if before == 0 || !p.tokens[before-1].is("-") {
		fits(x)
	}
	for {
		switch {
		case p.peek().is(".") && p.ahead(1).isName():
			p.take()
			x = p.grown(&Expr{Kind: Property, At: x.At, Name: p.take().text, Args: []*Expr{x}})
		case p.accept("["):
			x = p.within(x)
		case p.peek().is(":") && p.ahead(1).isName() && x.Kind != HasLabels:
			labels := p.labels()
			x = p.grown(&Expr{Kind: HasLabels, At: x.At, Names: labels, Args: []*Expr{x}})
		default:
			return x
		}
	}
}

// within reads what stands behind a bracket that is open: an index or a range.
func (p *parser) within(x *Expr) *Expr {
	var from, to *Expr
	if !p.peek().is("..") {
		from = p.expr()
		if p.accept("]") {
			return p.grown(&Expr{Kind: Index, At: x.At, Args: []*Expr{x, from}})
		}
	}
	p.expect("..")
	if !p.peek().is("]") {
		to = p.expr()
	}
	p.expect("]")
	return p.grown(&Expr{Kind: Slice, At: x.At, Args: []*Expr{x, from, to}})
}
