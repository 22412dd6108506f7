package rdf

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"cairn/engine/internal/bail"
)

// The grammar is that of N-Triples of RDF 1.2: https://www.w3.org/TR/rdf12-n-triples/#n-triples-grammar.

// LineParser reads lines of N-Triples, which may name a graph after the object as
// those of N-Quads do. The zero value is ready to use.
type LineParser struct {
	// Strict refuses triples inside triples as they were written before RDF 1.2:
	// << … >>.
	Strict bool

	line    []byte
	at      int
	depth   int    // of triples inside triples
	scratch []byte // holds the texts that had escapes
}

// Parse reads one line. ok is false, without an error, for a blank line or a
// comment.
func (p *LineParser) Parse(line []byte) (st Statement, ok bool, err error) {
	defer bail.To(&err)
	p.line, p.at, p.scratch, p.depth = line, 0, p.scratch[:0], 0
	p.space()
	if p.end() || p.version() {
		return st, false, nil
	}
	p.terms(&st)
	if c := p.peek(); c == '<' || c == '_' {
		st.Graph = p.subject()
		p.space()
	}
	if p.peek() != '.' {
		panic(p.fail("a full stop is missing at the end of the statement"))
	}
	p.at++
	p.space()
	if !p.end() {
		panic(p.fail("there is text after the full stop"))
	}
	return st, true, nil
}

// terms reads a subject, a relation and an object, and the space behind them.
func (p *LineParser) terms(st *Statement) {
	st.Subject = p.subject()
	p.space()
	if p.peek() != '<' || bytes.HasPrefix(p.line[p.at:], []byte("<<")) {
		panic(p.fail("the relation must be an IRI in angle brackets"))
	}
	st.Predicate = p.iri()
	p.space()
	st.Object = p.object()
	p.space()
}

func (p *LineParser) fail(what string) bail.Out {
	return bail.Out{Err: &SyntaxError{Column: p.at + 1, What: what, Text: p.line}}
}

// version reads a line that states the version of RDF, which changes nothing.
func (p *LineParser) version() bool {
	rest, ok := bytes.CutPrefix(p.line[p.at:], []byte("VERSION"))
	rest = bytes.TrimSpace(rest)
	return ok && len(rest) > 2 && (rest[0] == '"' || rest[0] == '\'') && bytes.IndexByte(rest[1:], rest[0]) > 0
}

// peek returns the next byte, 0 at the end.
func (p *LineParser) peek() byte {
	if p.at < len(p.line) {
		return p.line[p.at]
	}
	return 0
}

func (p *LineParser) space() {
	for p.at < len(p.line) && (p.line[p.at] == ' ' || p.line[p.at] == '\t') {
		p.at++
	}
}

// end reports whether nothing but a comment is left.
func (p *LineParser) end() bool { return p.at == len(p.line) || p.line[p.at] == '#' }

func (p *LineParser) subject() Term {
	switch p.peek() {
	case '<':
		if bytes.HasPrefix(p.line[p.at:], []byte("<<")) {
			if p.Strict || bytes.HasPrefix(p.line[p.at:], []byte("<<(")) {
				panic(p.fail("a triple inside a triple must be an object, written <<( … )>>"))
			}
			return p.triple()
		}
		return p.iri()
	case '_':
		return p.blank()
	default:
		panic(p.fail("a statement must begin with an IRI in angle brackets or a blank node _:name"))
	}
}

func (p *LineParser) object() Term {
	if p.peek() == '"' {
		return p.literal()
	}
	if bytes.HasPrefix(p.line[p.at:], []byte("<<(")) {
		return p.triple()
	}
	if c := p.peek(); c != '<' && c != '_' {
		panic(p.fail("the object must be an IRI in angle brackets, a blank node or a text in double quotes"))
	}
	return p.subject()
}

// triple reads a triple term, written <<( … )>> since RDF 1.2, or << … >> before.
func (p *LineParser) triple() (t Term) {
	if p.depth++; p.depth > maxDepth {
		panic(p.fail(tooDeep))
	}
	end := ">>"
	p.at += len(end)
	if p.peek() == '(' {
		end = ")>>"
		p.at++
	}
	st := &Statement{}
	p.space()
	p.terms(st)
	if !bytes.HasPrefix(p.line[p.at:], []byte(end)) {
		panic(p.fail("the triple inside a triple is not closed by " + end))
	}
	p.at += len(end)
	p.depth--
	return Term{Kind: Triple, Triple: st}
}

// iri reads IRIREF. The IRI must be absolute.
func (p *LineParser) iri() Term {
	if p.peek() != '<' {
		panic(p.fail("an IRI in angle brackets is missing"))
	}
	begin := p.at + 1
	for i := begin; i < len(p.line); i++ {
		c := p.line[i]
		if !notableInIRI[c] {
			continue
		}
		switch c {
		case '>':
			return p.iriValue(p.line[begin:i], begin, i)
		case '\\':
			return p.escapedIRI(begin, i)
		}
		p.at = i
		panic(p.fail("an IRI cannot contain the character " + quoteByte(c)))
	}
	panic(p.fail("the angle bracket of the IRI is not closed"))
}

// notableInIRI tells the bytes that IRIREF excludes; > ends it and \ begins an
// escape.
var notableInIRI = func() (is [256]bool) {
	for c := range utf8.RuneSelf {
		is[c] = badInIRI(rune(c))
	}
	return is
}()

// escapedIRI reads an IRI from its first escape on.
func (p *LineParser) escapedIRI(begin, i int) Term {
	from := len(p.scratch)
	p.scratch = append(p.scratch, p.line[begin:i]...)
	for i < len(p.line) {
		c := p.line[i]
		switch {
		case c == '>':
			return p.iriValue(p.scratch[from:], begin, i)
		case c == '\\':
			r, n := codePoint(p.line[i:])
			if n == 0 || badInIRI(r) {
				p.at = i
				panic(p.fail("an IRI can contain only escapes such as \\u00E9, of characters allowed in IRIs"))
			}
			p.scratch = utf8.AppendRune(p.scratch, r)
			i += n
		case badInIRI(rune(c)):
			p.at = i
			panic(p.fail("an IRI cannot contain the character " + quoteByte(c)))
		default:
			p.scratch = append(p.scratch, c)
			i++
		}
	}
	panic(p.fail("the angle bracket of the IRI is not closed"))
}

// iriValue checks that an IRI has a scheme and goes on after it.
func (p *LineParser) iriValue(value []byte, begin, end int) Term {
	colon := bytes.IndexByte(value, ':')
	if colon <= 0 || !isScheme(value[:colon]) {
		p.at = begin
		panic(p.fail("the IRI is relative: it must begin with a scheme such as https:"))
	}
	p.at = end + 1
	return Term{Kind: IRI, Value: value}
}

// badInIRI reports whether IRIREF excludes a character.
func badInIRI(r rune) bool {
	switch r {
	case '<', '>', '"', '{', '}', '|', '^', '`', '\\':
		return true
	}
	return r <= ' '
}

// isScheme reports whether b is the scheme of an IRI (RFC 3986, 3.1).
func isScheme(b []byte) bool {
	for i, c := range b {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (i == 0 || (c < '0' || c > '9') && c != '+' && c != '-' && c != '.') {
			return false
		}
	}
	return len(b) > 0
}

// blank reads BLANK_NODE_LABEL.
func (p *LineParser) blank() Term {
	if !bytes.HasPrefix(p.line[p.at:], []byte("_:")) {
		panic(p.fail("a blank node must be written _:name"))
	}
	begin := p.at + 2
	i := begin
	for i < len(p.line) {
		r, n := utf8.DecodeRune(p.line[i:])
		first := i == begin
		if r == utf8.RuneError && n == 1 || !nameStart(r) && (r < '0' || r > '9') && (first || r != '.' && !nameRest(r)) {
			break
		}
		i += n
	}
	for i > begin && p.line[i-1] == '.' { // a full stop ends the statement, not the name
		i--
	}
	if i == begin {
		panic(p.fail("the blank node has no name"))
	}
	p.at = i
	return Term{Kind: Blank, Value: p.line[begin:i]}
}

// nameStart is PN_CHARS_U of the grammar, without the colon that its errata take
// out.
func nameStart(r rune) bool {
	switch {
	case r == '_', r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z':
		return true
	case r < 0xC0:
		return false
	}
	return r != 0xD7 && r != 0xF7 && r <= 0x2FF || r >= 0x370 && r <= 0x1FFF && r != 0x37E ||
		r == 0x200C || r == 0x200D || r >= 0x2070 && r <= 0x218F || r >= 0x2C00 && r <= 0x2FEF ||
		r >= 0x3001 && r <= 0xD7FF || r >= 0xF900 && r <= 0xFDCF || r >= 0xFDF0 && r <= 0xFFFD || r >= 0x10000 && r <= 0xEFFFF
}

// nameRest is what PN_CHARS adds to nameStart, but for the digits.
func nameRest(r rune) bool {
	return r == '-' || r == 0xB7 || r >= 0x300 && r <= 0x36F || r == 0x203F || r == 0x2040
}

// literal reads a text with its datatype or language.
func (p *LineParser) literal() Term {
	t := Term{Kind: Literal, Value: p.quoted()}
	p.space()
	switch p.peek() {
	case '@':
		t.Language = p.languageTag()
	case '^':
		if !bytes.HasPrefix(p.line[p.at:], []byte("^^")) {
			panic(p.fail("a datatype must be written ^^<IRI>"))
		}
		p.at += 2
		p.space()
		if !t.setDatatype(p.iri().Value) {
			panic(p.fail(taggedAsType))
		}
	}
	return t
}

// setDatatype gives a text its datatype, and reports whether it may have it.
func (t *Term) setDatatype(datatype []byte) bool {
	switch string(datatype) {
	case xsdString:
	case langString, dirLang:
		return false
	default:
		t.Datatype = datatype
	}
	return true
}

// quoted reads STRING_LITERAL_QUOTE.
func (p *LineParser) quoted() []byte {
	begin := p.at + 1
	rest := p.line[begin:]
	i := bytes.IndexByte(rest, '"')
	if i >= 0 && bytes.IndexByte(rest[:i], '\\') < 0 && bytes.IndexByte(rest[:i], '\r') < 0 && bytes.IndexByte(rest[:i], '\n') < 0 {
		p.at = begin + i + 1
		return rest[:i]
	}
	from := len(p.scratch)
	for i = begin; i < len(p.line); {
		c := p.line[i]
		switch c {
		case '"':
			p.at = i + 1
			return p.scratch[from:]
		case '\r', '\n':
			p.at = i
			panic(p.fail("a text cannot contain a line break: write \\n"))
		case '\\':
			r, n := escape(p.line[i:])
			if n == 0 {
				p.at = i
				panic(p.fail("unknown escape: use \\t \\b \\n \\r \\f \\\" \\' \\\\ \\uXXXX or \\UXXXXXXXX"))
			}
			p.scratch = utf8.AppendRune(p.scratch, r)
			i += n
		default:
			p.scratch = append(p.scratch, c)
			i++
		}
	}
	panic(p.fail("the quotation mark of the text is not closed"))
}

// languageTag reads the tag after an @.
func (p *LineParser) languageTag() []byte {
	n := languageTag(p.line[p.at+1:])
	if n == 0 {
		panic(p.fail(badLanguage))
	}
	tag := p.line[p.at+1 : p.at+1+n]
	p.at += 1 + n
	return tag
}

const badLanguage = "a language must be written like @en, @en-GB or @ar--rtl"

// maxSubtag is how long the parts of a language may be, in bytes (BCP 47).
const maxSubtag = 8

// languageTag returns the length of the language, and of the direction after it, at
// the beginning of b; 0 where there is none or it is faulty.
func languageTag(b []byte) int {
	i, part := 0, 0
	for ; i < len(b); i++ {
		c := b[i]
		if letter := c|0x20 >= 'a' && c|0x20 <= 'z'; letter || c >= '0' && c <= '9' && part > 0 {
			if i-part == maxSubtag {
				return 0
			}
			continue
		}
		if c != '-' || i == part {
			break
		}
		part = i + 1
	}
	if i > part {
		return i
	}
	if part == 0 || i == len(b) || b[i] != '-' {
		return 0
	}
	for _, direction := range []string{"-ltr", "-rtl"} { // the second - of two
		if after := i + len(direction); bytes.HasPrefix(b[i:], []byte(direction)) && (after == len(b) || !isAlphanumeric(b[after])) {
			return after
		}
	}
	return 0
}

func isAlphanumeric(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' }

// escape reads an escape at the beginning of b and returns its length, 0 where
// there is none.
func escape(b []byte) (rune, int) {
	if len(b) < 2 {
		return 0, 0
	}
	const letters, means = "tbnrf\"'\\", "\t\b\n\r\f\"'\\"
	if i := strings.IndexByte(letters, b[1]); i >= 0 {
		return rune(means[i]), 2
	}
	return codePoint(b)
}

// codePoint reads \uXXXX or \UXXXXXXXX at the beginning of b.
func codePoint(b []byte) (rune, int) {
	if len(b) < 2 || b[1] != 'u' && b[1] != 'U' {
		return 0, 0
	}
	n := 6
	if b[1] == 'U' {
		n = 10
	}
	if len(b) < n {
		return 0, 0
	}
	r, err := strconv.ParseUint(string(b[2:n]), 16, 32)
	if err != nil || r > utf8.MaxRune || !utf8.ValidRune(rune(r)) {
		return 0, 0
	}
	return rune(r), n
}
