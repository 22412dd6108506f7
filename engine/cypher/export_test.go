package cypher

// The tests make graphs of CREATE, which the product does not have.

// Parser reads what tests read beside queries.
type Parser = parser

// NewParser reads a text.
func NewParser(text string) (p *Parser, err error) {
	defer caught(&err, text)
	return &parser{text: text, tokens: lex(text)}, nil
}

// Accept takes words if they come next.
func (p *Parser) Accept(words ...string) bool { return p.accept(words...) }

// Patterns reads path patterns.
func (p *Parser) Patterns() (paths []Path, err error) {
	defer caught(&err, p.text)
	return p.paths(), nil
}

// Expr reads an expression.
func (p *Parser) Expr() (e *Expr, err error) {
	defer caught(&err, p.text)
	return p.expr(), nil
}

// Ended reports whether all was read.
func (p *Parser) Ended() bool { return p.accept(";") || p.peek().kind == end }

// At is the byte that comes next.
func (p *Parser) At() int { return p.peek().at }

// Skip takes a token.
func (p *Parser) Skip() { p.take() }

// Compute evaluates an expression over a row whose columns have names.
func Compute(g Graph, e *Expr, names []string, values []any) (any, error) {
	s := newScope()
	for _, n := range names {
		s.add(n, unknown)
	}
	return value(g, e, s, values)
}
