package ingest

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The grammar is that of RDF 1.1 N-Triples, W3C Recommendation of 25 February
// 2014, section 7: https://www.w3.org/TR/n-triples/#n-triples-grammar.

// termKind tells the three kinds of RDF term apart.
type termKind byte

const (
	iriTerm termKind = iota
	blankTerm
	literalTerm
)

// term is one subject, predicate or object. Its bytes are valid until the parser
// reads the next line.
type term struct {
	kind     termKind
	value    []byte // IRI, label of the blank node, or the literal's text; unescaped
	datatype []byte // IRI; empty for a plain literal
	language []byte // as written; empty for none
}

// statement is one line of N-Triples, or of N-Quads.
type statement struct {
	subject, predicate, object term
	graph                      term // its value is empty where there is none
}

// syntaxError says what is wrong with a line and where.
type syntaxError struct {
	column int // in bytes, from 1
	what   string
}

func (e *syntaxError) Error() string {
	return "column " + itoa(int64(e.column)) + ": " + e.what
}

// ntParser reads lines of N-Triples, which may name a graph after the object as
// those of N-Quads do. The zero value is ready to use.
type ntParser struct {
	line    []byte
	at      int
	scratch []byte // holds the texts that had escapes
}

// parse reads one line. ok is false, without an error, for a blank line or a
// comment.
func (p *ntParser) parse(line []byte) (st statement, ok bool, err error) {
	p.line, p.at, p.scratch = line, 0, p.scratch[:0]
	p.space()
	if p.end() {
		return st, false, nil
	}
	if st.subject, err = p.subject(); err != nil {
		return st, false, err
	}
	p.space()
	if p.peek() != '<' {
		return st, false, p.fail("the relation must be an IRI in angle brackets")
	}
	if st.predicate, err = p.iri(); err != nil {
		return st, false, err
	}
	p.space()
	if st.object, err = p.object(); err != nil {
		return st, false, err
	}
	p.space()
	if c := p.peek(); c == '<' || c == '_' {
		if st.graph, err = p.subject(); err != nil {
			return st, false, err
		}
		p.space()
	}
	if p.peek() != '.' {
		return st, false, p.fail("a full stop is missing at the end of the statement")
	}
	p.at++
	p.space()
	if !p.end() {
		return st, false, p.fail("there is text after the full stop")
	}
	return st, true, nil
}

func (p *ntParser) fail(what string) error { return &syntaxError{p.at + 1, what} }

// peek returns the next byte, 0 at the end.
func (p *ntParser) peek() byte {
	if p.at < len(p.line) {
		return p.line[p.at]
	}
	return 0
}

func (p *ntParser) space() {
	for p.at < len(p.line) && (p.line[p.at] == ' ' || p.line[p.at] == '\t') {
		p.at++
	}
}

// end reports whether nothing but a comment is left.
func (p *ntParser) end() bool { return p.at == len(p.line) || p.line[p.at] == '#' }

func (p *ntParser) subject() (term, error) {
	switch p.peek() {
	case '<':
		if bytes.HasPrefix(p.line[p.at:], []byte("<<")) {
			return term{}, p.fail("triples inside triples (RDF 1.2) are not read")
		}
		return p.iri()
	case '_':
		return p.blank()
	default:
		return term{}, p.fail("a statement begins with an IRI in angle brackets or a blank node _:name")
	}
}

func (p *ntParser) object() (term, error) {
	if p.peek() == '"' {
		return p.literal()
	}
	if c := p.peek(); c != '<' && c != '_' {
		return term{}, p.fail("the object must be an IRI in angle brackets, a blank node or a text in double quotes")
	}
	return p.subject()
}

// iri reads IRIREF. The IRI must be absolute.
func (p *ntParser) iri() (term, error) {
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
		return term{}, p.fail("an IRI may not hold the character " + quoteByte(c))
	}
	return term{}, p.fail("the angle bracket of the IRI is not closed")
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
func (p *ntParser) escapedIRI(begin, i int) (term, error) {
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
				return term{}, p.fail("an IRI may only hold escapes such as \\u00E9, of characters that IRIs may hold")
			}
			p.scratch = utf8.AppendRune(p.scratch, r)
			i += n
		case badInIRI(rune(c)):
			p.at = i
			return term{}, p.fail("an IRI may not hold the character " + quoteByte(c))
		default:
			p.scratch = append(p.scratch, c)
			i++
		}
	}
	return term{}, p.fail("the angle bracket of the IRI is not closed")
}

// iriValue checks that an IRI has a scheme and goes on after it.
func (p *ntParser) iriValue(value []byte, begin, end int) (term, error) {
	colon := bytes.IndexByte(value, ':')
	if colon <= 0 || !isScheme(value[:colon]) {
		p.at = begin
		return term{}, p.fail("the IRI is relative: it must begin with a scheme such as https:")
	}
	p.at = end + 1
	return term{kind: iriTerm, value: value}, nil
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
func (p *ntParser) blank() (term, error) {
	if !bytes.HasPrefix(p.line[p.at:], []byte("_:")) {
		return term{}, p.fail("a blank node is written _:name")
	}
	begin := p.at + 2
	i := begin
	for i < len(p.line) {
		r, n := utf8.DecodeRune(p.line[i:])
		first := i == begin
		if !nameStart(r) && (r < '0' || r > '9') && (first || r != '.' && !nameRest(r)) {
			break
		}
		i += n
	}
	for i > begin && p.line[i-1] == '.' { // a full stop ends the statement, not the name
		i--
	}
	if i == begin {
		return term{}, p.fail("the blank node has no name")
	}
	p.at = i
	return term{kind: blankTerm, value: p.line[begin:i]}, nil
}

// nameStart is PN_CHARS_U of the grammar, without the colon that its errata take
// out.
func nameStart(r rune) bool {
	switch {
	case r == '_', r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z':
		return true
	case r < 0xC0 || r == utf8.RuneError:
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
func (p *ntParser) literal() (term, error) {
	t := term{kind: literalTerm}
	var err error
	if t.value, err = p.quoted(); err != nil {
		return t, err
	}
	switch p.peek() {
	case '@':
		t.language, err = p.languageTag()
		return t, err
	case '^':
		if !bytes.HasPrefix(p.line[p.at:], []byte("^^<")) {
			return t, p.fail("a datatype is written ^^<IRI>")
		}
		p.at += 2
		var datatype term
		datatype, err = p.iri()
		if string(datatype.value) != xsdString {
			t.datatype = datatype.value
		}
	}
	return t, err
}

// quoted reads STRING_LITERAL_QUOTE.
func (p *ntParser) quoted() ([]byte, error) {
	begin := p.at + 1
	rest := p.line[begin:]
	i := bytes.IndexAny(rest, "\"\\\r\n")
	if i >= 0 && rest[i] == '"' {
		p.at = begin + i + 1
		return rest[:i], nil
	}
	from := len(p.scratch)
	for i = begin; i < len(p.line); {
		c := p.line[i]
		switch c {
		case '"':
			p.at = i + 1
			return p.scratch[from:], nil
		case '\r', '\n':
			p.at = i
			return nil, p.fail("a text may not hold the end of a line: write \\n")
		case '\\':
			r, n := escape(p.line[i:])
			if n == 0 {
				p.at = i
				return nil, p.fail("the escape is not known: \\t \\b \\n \\r \\f \\\" \\' \\\\ \\uXXXX and \\UXXXXXXXX are")
			}
			p.scratch = utf8.AppendRune(p.scratch, r)
			i += n
		default:
			p.scratch = append(p.scratch, c)
			i++
		}
	}
	return nil, p.fail("the quotation mark of the text is not closed")
}

// languageTag reads LANGTAG.
func (p *ntParser) languageTag() ([]byte, error) {
	begin := p.at + 1
	i := begin
	for part := begin; i < len(p.line); i++ {
		c := p.line[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if c == '-' && i > part {
			part = i + 1
			continue
		}
		if !letter && (c < '0' || c > '9' || bytes.IndexByte(p.line[begin:i], '-') < 0) {
			break
		}
	}
	tag := p.line[begin:i]
	if len(tag) == 0 || tag[len(tag)-1] == '-' {
		return nil, p.fail("the language is not written as @en or @en-GB")
	}
	p.at = i
	return tag, nil
}

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

// quoteByte shows a character for people.
func quoteByte(c byte) string {
	if c <= ' ' || c >= 0x7f {
		return fmt.Sprintf("0x%02X", c)
	}
	return string(rune(c))
}
