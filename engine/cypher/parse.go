package cypher

import (
	"slices"
	"strings"
)

// Parse reads a query. It fails with an *Error that says where and why.
func Parse(text string) (*Query, error) {
	tokens, err := lex(text)
	if err != nil {
		return nil, place(err, text)
	}
	p := &parser{text: text, tokens: tokens}
	q, err := p.query()
	if err == nil {
		p.accept(";")
		err = p.finish()
	}
	if err != nil {
		return nil, place(err, text)
	}
	return q, nil
}

// maxDepth is how deep expressions, patterns and queries may lie within each other.
const maxDepth = 200

// parser reads tokens by recursive descent.
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

func (p *parser) expect(text string) error {
	if !p.accept(text) {
		return p.unexpected(text)
	}
	return nil
}

// unexpected is the error that something else was wanted here.
func (p *parser) unexpected(wanted string) error {
	return syntax(p.peek().at, "UnexpectedSyntax", "expected %s, found %s", wanted, p.peek())
}

// finish fails where anything is left.
func (p *parser) finish() error {
	if p.peek().kind != end {
		return p.unexpected("the end of the query")
	}
	return nil
}

// name takes a name, in backticks or not.
func (p *parser) name(what string) (string, error) {
	if t := p.peek(); t.kind != word && t.kind != quotedWord {
		return "", p.unexpected(what)
	}
	return p.take().text, nil
}

// deeper fails where the text is nested too deep; done undoes it.
func (p *parser) deeper() (done func(), err error) {
	if p.depth++; p.depth > maxDepth {
		return nil, syntax(p.peek().at, "UnexpectedSyntax", "this is nested more than %d levels deep", maxDepth)
	}
	return func() { p.depth-- }, nil
}

// query reads parts joined by UNION.
func (p *parser) query() (*Query, error) {
	q := &Query{Text: p.text}
	for {
		part, err := p.part()
		if err != nil {
			return nil, err
		}
		q.Parts = append(q.Parts, part)
		at := p.peek().at
		if !p.accept("UNION") {
			return q, nil
		}
		all := p.accept("ALL")
		if len(q.Parts) > 1 && all != q.All {
			return nil, syntax(at, "InvalidClauseComposition", "UNION and UNION ALL cannot be mixed in one query")
		}
		q.All = all
	}
}

// part reads clauses up to RETURN.
func (p *parser) part() (Part, error) {
	var part Part
	for {
		c, err := p.clause()
		if err != nil {
			return Part{}, err
		}
		if last := len(part.Clauses) - 1; c.Kind == Match && !c.Optional && last >= 0 && part.Clauses[last].Optional {
			return Part{}, syntax(c.At, "InvalidClauseComposition", "MATCH cannot follow OPTIONAL MATCH; put WITH * between them")
		}
		part.Clauses = append(part.Clauses, c)
		if c.Kind == Return {
			return part, nil
		}
		if t := p.peek(); t.kind == end || t.is(";") || t.is("}") || t.is("UNION") {
			return Part{}, syntax(t.at, "InvalidClauseComposition", "a query ends with RETURN; found %s", t)
		}
	}
}

// writes are clauses that change a graph, or reach beyond it.
var writes = []string{"CREATE", "MERGE", "SET", "DELETE", "DETACH", "REMOVE", "FOREACH", "LOAD", "DROP", "CALL", "USE"}

// clause reads one clause.
func (p *parser) clause() (c Clause, err error) {
	t := p.peek()
	c.At = t.at
	switch {
	case p.accept("OPTIONAL", "MATCH"), p.accept("MATCH"):
		c.Kind, c.Optional = Match, t.is("OPTIONAL")
		if c.Paths, err = p.paths(); err != nil {
			return c, err
		}
		c.Where, err = p.where()
		return c, err
	case p.accept("UNWIND"):
		c.Kind = Unwind
		if c.List, err = p.expr(); err == nil {
			if err = p.expect("AS"); err == nil {
				c.Name, err = p.name("a name for the elements")
			}
		}
		return c, err
	case p.accept("WITH"):
		c.Kind = With
		if err = p.projection(&c); err != nil {
			return c, err
		}
		c.Where, err = p.where()
		return c, err
	case p.accept("RETURN"):
		c.Kind = Return
		return c, p.projection(&c)
	}
	for _, w := range writes {
		if t.kind == word && t.is(w) {
			return c, syntax(t.at, "InvalidClauseComposition", "%s is not run here: queries only read. Use MATCH, OPTIONAL MATCH, UNWIND, WITH and RETURN", strings.ToUpper(t.text))
		}
	}
	return c, p.unexpected("MATCH, OPTIONAL MATCH, UNWIND, WITH or RETURN")
}

// where reads WHERE and its condition, if there is one.
func (p *parser) where() (*Expr, error) {
	if !p.accept("WHERE") {
		return nil, nil
	}
	return p.expr()
}

// projection reads what stands behind WITH or RETURN.
func (p *parser) projection(c *Clause) (err error) {
	c.Distinct = p.accept("DISTINCT")
	if c.Star = p.accept("*"); !c.Star || p.accept(",") {
		if c.Items, err = p.items(); err != nil {
			return err
		}
	}
	if p.accept("ORDER", "BY") {
		for {
			e, err := p.expr()
			if err != nil {
				return err
			}
			down := p.accept("DESC") || p.accept("DESCENDING")
			if !down && !p.accept("ASC") {
				p.accept("ASCENDING")
			}
			c.Order = append(c.Order, Key{e, down})
			if !p.accept(",") {
				break
			}
		}
	}
	if p.accept("SKIP") || p.accept("OFFSET") {
		if c.Skip, err = p.expr(); err != nil {
			return err
		}
	}
	if p.accept("LIMIT") {
		c.Limit, err = p.expr()
	}
	return err
}

func (p *parser) items() (items []Item, err error) {
	for {
		e, err := p.expr()
		if err != nil {
			return nil, err
		}
		i := Item{Expr: e, Name: p.text[e.At:e.End]}
		if p.accept("AS") {
			i.Named = true
			if i.Name, err = p.name("a name for the column"); err != nil {
				return nil, err
			}
		} else if e.Kind == Variable {
			i.Name = e.Name
		}
		items = append(items, i)
		if !p.accept(",") {
			return items, nil
		}
	}
}

// paths reads path patterns divided by commas.
func (p *parser) paths() (paths []Path, err error) {
	for {
		path, err := p.path()
		if err != nil {
			return nil, err
		}
		paths = append(paths, path)
		if !p.accept(",") {
			return paths, nil
		}
	}
}

// path reads one path pattern, with its name and how short it should be.
func (p *parser) path() (path Path, err error) {
	at := p.peek().at
	var name string
	if p.ahead(1).is("=") {
		if name, err = p.name("a name for the path"); err != nil {
			return path, err
		}
		p.take()
	}
	shortest, all := p.peek().is("shortestPath"), p.peek().is("allShortestPaths")
	if (shortest || all) && p.ahead(1).is("(") {
		p.at += 2
		if path, err = p.element(); err != nil {
			return path, err
		}
		if len(path.Edges) != 1 {
			return path, syntax(at, "UnexpectedSyntax", "a shortest path has one relationship, such as (a)-[*]-(b)")
		}
		err = p.expect(")")
	} else {
		shortest, all = false, false
		path, err = p.element()
	}
	path.Name, path.Shortest, path.All, path.At = name, shortest || all, all, at
	return path, err
}

// element reads nodes and relationships that alternate.
func (p *parser) element() (path Path, err error) {
	done, err := p.deeper()
	if err != nil {
		return path, err
	}
	defer done()
	if p.peek().is("(") && p.ahead(1).is("(") {
		p.take()
		if path, err = p.element(); err != nil {
			return path, err
		}
		return path, p.expect(")")
	}
	path.At = p.peek().at
	n, err := p.node()
	if err != nil {
		return path, err
	}
	path.Nodes = append(path.Nodes, n)
	for p.peek().is("-") || p.peek().is("<") {
		e, err := p.edge()
		if err != nil {
			return path, err
		}
		if n, err = p.node(); err != nil {
			return path, err
		}
		path.Edges, path.Nodes = append(path.Edges, e), append(path.Nodes, n)
	}
	return path, nil
}

func (p *parser) node() (n NodePattern, err error) {
	n.At = p.peek().at
	if err = p.expect("("); err != nil {
		return n, err
	}
	if t := p.peek(); t.kind == word || t.kind == quotedWord {
		n.Name = p.take().text
	}
	if n.Labels, err = p.labels(); err != nil {
		return n, err
	}
	if n.Properties, err = p.properties(); err != nil {
		return n, err
	}
	return n, p.expect(")")
}

// labels reads :A:B.
func (p *parser) labels() (labels []string, err error) {
	for p.accept(":") {
		l, err := p.name("a label")
		if err != nil {
			return nil, err
		}
		labels = append(labels, l)
	}
	return labels, nil
}

// properties reads a map or a parameter, if there is one.
func (p *parser) properties() (*Expr, error) {
	switch t := p.peek(); {
	case t.is("{"):
		return p.mapping()
	case t.kind == param:
		p.take()
		return &Expr{Kind: Param, At: t.at, End: t.end, Name: t.text}, nil
	}
	return nil, nil
}

// edge reads -[…]->, <-[…]- or -[…]-, the brackets being optional.
func (p *parser) edge() (e EdgePattern, err error) {
	e.At = p.peek().at
	e.In = p.accept("<")
	if err = p.expect("-"); err != nil {
		return e, err
	}
	e.Least, e.Most = 1, 1
	if p.accept("[") {
		if t := p.peek(); t.kind == word || t.kind == quotedWord {
			e.Name = p.take().text
		}
		if p.accept(":") {
			for {
				name, err := p.name("a relationship type")
				if err != nil {
					return e, err
				}
				e.Types = append(e.Types, name)
				if !p.accept("|") {
					break
				}
				p.accept(":")
			}
		}
		if p.accept("*") {
			if err = p.length(&e); err != nil {
				return e, err
			}
		}
		if e.Properties, err = p.properties(); err != nil {
			return e, err
		}
		if p.peek().is("..") || p.peek().kind == number {
			return e, syntax(p.peek().at, "InvalidRelationshipPattern", "write * before a length, as in -[*1..3]-")
		}
		if err = p.expect("]"); err != nil {
			return e, err
		}
	}
	if err = p.expect("-"); err != nil {
		return e, err
	}
	e.Out = p.accept(">")
	if !e.In && !e.Out {
		e.In, e.Out = true, true
	}
	return e, nil
}

// length reads what may stand behind *: nothing, 2, 1..3, 1.., ..3.
func (p *parser) length(e *EdgePattern) error {
	e.Many, e.Most = true, -1
	bound := func(into *int) error {
		if p.peek().is("-") {
			return syntax(p.peek().at, "InvalidRelationshipPattern", "a path cannot have a negative length")
		}
		if p.peek().kind != number {
			return nil
		}
		t := p.take()
		n, ok := t.value.(int64)
		if !ok || n > 1<<30 {
			return syntax(t.at, "InvalidRelationshipPattern", "%s is not a length", t)
		}
		*into = int(n)
		return nil
	}
	given := p.peek().kind == number
	if err := bound(&e.Least); err != nil {
		return err
	}
	if p.accept("..") {
		return bound(&e.Most)
	}
	if given {
		e.Most = e.Least
	}
	return nil
}

// expr reads an expression.
func (p *parser) expr() (*Expr, error) {
	done, err := p.deeper()
	if err != nil {
		return nil, err
	}
	defer done()
	return p.binary(0)
}

// levels are the binary operators that bind the weakest first; comparisons and what
// binds stronger than products have functions of their own.
var levels = [][]string{{"OR"}, {"XOR"}, {"AND"}}

// sums are the operators between comparisons and signs, the weakest first.
var sums = [][]string{{"+", "-", "||"}, {"*", "/", "%"}, {"^"}}

func (p *parser) binary(level int) (*Expr, error) {
	if level == len(levels) {
		return p.not()
	}
	return p.joined(levels[level], func() (*Expr, error) { return p.binary(level + 1) })
}

// joined reads operands between operators of one level, which bind to the left.
func (p *parser) joined(operators []string, operand func() (*Expr, error)) (*Expr, error) {
	left, err := operand()
	for err == nil {
		i := slices.IndexFunc(operators, func(o string) bool { return p.peek().is(o) })
		if i < 0 {
			return left, nil
		}
		p.take()
		var right *Expr
		if right, err = operand(); err == nil {
			left = p.grown(&Expr{Kind: Binary, Name: operators[i], Args: []*Expr{left, right}})
		}
	}
	return nil, err
}

// grown gives an expression the place of its arguments, up to the token just taken.
func (p *parser) grown(e *Expr) *Expr {
	if e.At == 0 && len(e.Args) > 0 && e.Args[0] != nil {
		e.At = e.Args[0].At
	}
	e.End = p.tokens[p.at-1].end
	return e
}

func (p *parser) not() (*Expr, error) {
	at := p.peek().at
	if !p.accept("NOT") {
		return p.comparison()
	}
	done, err := p.deeper()
	if err != nil {
		return nil, err
	}
	defer done()
	x, err := p.not()
	if err != nil {
		return nil, err
	}
	return p.grown(&Expr{Kind: Unary, Name: "NOT", At: at, Args: []*Expr{x}}), nil
}

var comparisons = []string{"=", "<>", "<=", ">=", "<", ">", "!="}

func (p *parser) comparison() (*Expr, error) {
	first, err := p.predicate()
	if err != nil {
		return nil, err
	}
	e := &Expr{Kind: Compare, At: first.At, Args: []*Expr{first}}
	for {
		i := slices.IndexFunc(comparisons, func(o string) bool { return p.peek().is(o) })
		if i < 0 {
			break
		}
		if t := p.take(); t.is("!=") {
			return nil, syntax(t.at, "UnexpectedSyntax", "Cypher writes <> for unequal")
		}
		next, err := p.predicate()
		if err != nil {
			return nil, err
		}
		e.Names, e.Args = append(e.Names, comparisons[i]), append(e.Args, next)
	}
	if len(e.Names) == 0 {
		return first, nil
	}
	return p.grown(e), nil
}

// predicate reads a sum and what may be asked of it: IN, STARTS WITH, IS NULL and so on.
func (p *parser) predicate() (*Expr, error) {
	x, err := p.sum(0)
	for err == nil {
		var name string
		switch {
		case p.accept("IN"):
			name = "IN"
		case p.accept("STARTS", "WITH"):
			name = "STARTS WITH"
		case p.accept("ENDS", "WITH"):
			name = "ENDS WITH"
		case p.accept("CONTAINS"):
			name = "CONTAINS"
		case p.accept("=~"):
			name = "=~"
		case p.accept("IS", "NOT", "NULL"):
			x = p.grown(&Expr{Kind: Unary, Name: "IS NOT NULL", At: x.At, Args: []*Expr{x}})
			continue
		case p.accept("IS", "NULL"):
			x = p.grown(&Expr{Kind: Unary, Name: "IS NULL", At: x.At, Args: []*Expr{x}})
			continue
		default:
			return x, nil
		}
		var y *Expr
		if y, err = p.sum(0); err == nil {
			x = p.grown(&Expr{Kind: Binary, Name: name, At: x.At, Args: []*Expr{x, y}})
		}
	}
	return nil, err
}

func (p *parser) sum(level int) (*Expr, error) {
	if level == len(sums) {
		return p.sign()
	}
	return p.joined(sums[level], func() (*Expr, error) { return p.sum(level + 1) })
}

func (p *parser) sign() (*Expr, error) {
	t := p.peek()
	if !p.accept("-") && !p.accept("+") {
		return p.postfix()
	}
	done, err := p.deeper()
	if err != nil {
		return nil, err
	}
	defer done()
	x, err := p.sign()
	if err != nil {
		return nil, err
	}
	if _, lowest := x.Value.(minInt); lowest && t.is("-") {
		return p.grown(&Expr{Kind: Literal, At: t.at, Value: int64(-1 << 63)}), nil
	}
	if err := fits(x); err != nil {
		return nil, err
	}
	return p.grown(&Expr{Kind: Unary, Name: t.text, At: t.at, Args: []*Expr{x}}), nil
}

// fits fails for the integer that only a minus sign makes fit.
func fits(x *Expr) error {
	if _, lowest := x.Value.(minInt); lowest {
		return syntax(x.At, "IntegerOverflow", "9223372036854775808 is too large: integers end at 9223372036854775807")
	}
	return nil
}

// postfix reads an atom and its properties, elements and labels.
func (p *parser) postfix() (*Expr, error) {
	before := p.at
	x, err := p.atom()
	if err != nil {
		return nil, err
	}
	if before == 0 || !p.tokens[before-1].is("-") {
		if err := fits(x); err != nil {
			return nil, err
		}
	}
	for {
		switch {
		case p.peek().is(".") && (p.ahead(1).kind == word || p.ahead(1).kind == quotedWord):
			p.take()
			x = p.grown(&Expr{Kind: Property, At: x.At, Name: p.take().text, Args: []*Expr{x}})
		case p.accept("["):
			if x, err = p.within(x); err != nil {
				return nil, err
			}
		case p.peek().is(":") && (p.ahead(1).kind == word || p.ahead(1).kind == quotedWord) && x.Kind != HasLabels:
			labels, err := p.labels()
			if err != nil {
				return nil, err
			}
			x = p.grown(&Expr{Kind: HasLabels, At: x.At, Names: labels, Args: []*Expr{x}})
		default:
			return x, nil
		}
	}
}

// within reads what stands behind a bracket that is open: an index or a range.
func (p *parser) within(x *Expr) (*Expr, error) {
	var from, to *Expr
	var err error
	if !p.peek().is("..") {
		if from, err = p.expr(); err != nil {
			return nil, err
		}
		if p.accept("]") {
			return p.grown(&Expr{Kind: Index, At: x.At, Args: []*Expr{x, from}}), nil
		}
	}
	if err = p.expect(".."); err != nil {
		return nil, err
	}
	if !p.peek().is("]") {
		if to, err = p.expr(); err != nil {
			return nil, err
		}
	}
	if err = p.expect("]"); err != nil {
		return nil, err
	}
	return p.grown(&Expr{Kind: Slice, At: x.At, Args: []*Expr{x, from, to}}), nil
}
