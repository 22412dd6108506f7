package cypher

// The tests make graphs of CREATE, which the product does not have.

// Parser reads what tests read beside queries.
type Parser = parser

// NewParser reads a text.
func NewParser(text string) (*Parser, error) {
	tokens, err := lex(text)
	return &parser{text: text, tokens: tokens}, err
}

// Accept takes words if they come next.
func (p *Parser) Accept(words ...string) bool { return p.accept(words...) }

// Patterns reads path patterns.
func (p *Parser) Patterns() ([]Path, error) { return p.paths() }

// Expr reads an expression.
func (p *Parser) Expr() (*Expr, error) { return p.expr() }

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
	c := &compiler{g: g}
	f, _, err := c.expr(e, s)
	if err != nil {
		return nil, err
	}
	o := Options{}
	o.setDefaults()
	r := make(row, *s.size)
	copy(r[1:], values)
	return f(&exec{ctx: nil, g: g, o: &o}, r)
}
