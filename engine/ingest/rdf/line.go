package rdf

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"cairn/engine/internal/bail"
)

// The grammar is that of N-Triples of RDF 1.2: https://www.w3.org/TR/rdf12-n-triples/#n-triples-grammar.
// Its terms are those of Turtle, less the short ways to write them.

// LineParser reads lines of N-Triples, which may name a graph after the object as
// those of N-Quads do. The zero value is ready to use.
type LineParser struct {
	// Strict refuses triples inside triples as they were written before RDF 1.2:
	// << … >>.
	Strict bool

	turtle
}

// Parse reads one line. ok is false, without an error, for a blank line or a
// comment.
func (p *LineParser) Parse(line []byte) (st Statement, ok bool, err error) {
	defer bail.To(&err)
	p.input, p.arena, p.depth = input{buf: line, eof: true}, p.arena[:0], 0
	p.o.MaxTerm, p.lines = math.MaxInt, true
	p.space()
	if p.at == len(line) {
		return st, false, nil
	}
	isVersion := p.starts("VERSION")
	if isVersion {
		p.at += len("VERSION")
		p.directive("version")
	} else {
		p.terms(&st)
		if c := p.peek(); c == '<' || c == '_' {
			st.Graph = p.subject()
		}
		p.expect(".", noStop)
	}
	if p.space(); p.at < len(line) {
		panic(p.fail("there is text after the end of the statement"))
	}
	return st, !isVersion, nil
}

// terms reads a subject, a relation and an object, and the space behind them.
func (p *LineParser) terms(st *Statement) {
	st.Subject = p.subject()
	p.space()
	if p.peek() != '<' || p.starts("<<") {
		panic(p.fail("the relation must be an IRI in angle brackets"))
	}
	st.Predicate = p.iriRef()
	p.space()
	st.Object = p.object()
	p.space()
}

func (p *LineParser) subject() Term {
	switch c := p.peek(); {
	case c == '_':
		return p.blank()
	case c != '<':
		panic(p.fail("a statement must begin with an IRI in angle brackets or a blank node _:name"))
	case !p.starts("<<"):
		return p.iriRef()
	case p.Strict || p.starts("<<("):
		panic(p.fail("a triple inside a triple must be an object, written <<( … )>>"))
	}
	return p.triple()
}

func (p *LineParser) object() Term {
	switch c := p.peek(); {
	case c == '"':
		return p.literal()
	case c != '<' && c != '_':
		panic(p.fail("the object must be an IRI in angle brackets, a blank node or a text in double quotes"))
	case p.starts("<<("):
		return p.triple()
	}
	return p.subject()
}

// triple reads a triple term, written <<( … )>> since RDF 1.2, or << … >> before.
func (p *LineParser) triple() (t Term) {
	p.deeper()
	end := ">>"
	p.at += len(end)
	if p.peek() == '(' {
		end = ")>>"
		p.at++
	}
	st := &Statement{}
	p.space()
	p.terms(st)
	p.expect(end, "the triple inside a triple is not closed by "+end)
	p.depth--
	return Term{Kind: Triple, Triple: st}
}

// notableInIRI tells the bytes that IRIREF excludes; > ends it and \ begins an
// escape.
var notableInIRI = func() (is [256]bool) {
	for c := range utf8.RuneSelf {
		is[c] = badInIRI(rune(c))
	}
	return is
}()

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
