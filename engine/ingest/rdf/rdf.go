// Package rdf reads the syntaxes of RDF as streams of statements; it knows no graph.
//
//	LineParser  N-Triples and N-Quads, a line at a time
//	Turtle      Turtle and TriG
//	XML         RDF/XML
//	JSONLD      JSON-LD, whose contexts are never fetched
//
// All of them read RDF 1.1 and what RDF 1.2 adds: triple terms, reifiers and
// annotations, directions of texts. Memory is bounded by the longest term and the
// deepest nesting, both of which have limits; JSON-LD alone is read whole. A faulty
// statement is told with its place, and where the caller goes on, so does reading, at
// the next statement.
package rdf

import (
	"fmt"
	"strconv"
)

// Kind tells the kinds of RDF term apart.
type Kind byte

// The kinds of term.
const (
	// None is no term, such as the graph of a statement that names none.
	None Kind = iota
	IRI
	Blank
	Literal
	Triple
)

// Term is one subject, predicate, object or name of a graph. Its bytes are valid until
// the parser goes on.
type Term struct {
	Kind     Kind
	Value    []byte     // IRI, label of the blank node, or the literal's text; unescaped
	Datatype []byte     // IRI; empty for a plain literal
	Language []byte     // as written, with a direction as in "ar--rtl"; empty for none
	Triple   *Statement // of a triple term, without a graph
}

// Statement is a triple, and the graph that holds it.
type Statement struct {
	Subject, Predicate, Object Term
	Graph                      Term // None for the default graph
	Line                       int64
}

// SyntaxError says what is wrong with a document and where.
type SyntaxError struct {
	Line   int64 // from 1; 0 from a LineParser, whose caller knows it
	Column int   // in bytes, from 1
	What   string
	Text   []byte // the beginning of the faulty statement; valid until the parser goes on
}

// Error tells the column; whoever reports it tells the line.
func (e *SyntaxError) Error() string {
	return "column " + strconv.Itoa(e.Column) + ": " + e.What
}

// Handler takes what a parser reads. An error of Statement or Reject ends reading and is
// returned.
type Handler struct {
	Statement func(*Statement) error
	// Reject is told of a statement that cannot be read; parts of it may have been told
	// to Statement. Where it is nil, the first such ends reading.
	Reject func(*SyntaxError) error
}

// Options are the choices of a parser; the zero value is the default.
type Options struct {
	// Base is the IRI against which relative ones are resolved until the document
	// states one.
	//
	// The default value, empty, makes them errors.
	Base string
	// MaxTerm is the longest IRI or literal, in bytes.
	//
	// The default value is 1 MiB.
	MaxTerm int
}

func (o *Options) setDefaults() {
	if o.MaxTerm <= 0 {
		o.MaxTerm = 1 << 20
	}
}

// maxDepth is how deep brackets, lists and triple terms may lie in each other.
const maxDepth = 500

const tooDeep = "brackets are nested more than 500 deep"

// The words of RDF's own vocabulary that syntaxes write by signs.
const (
	Namespace    = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	Type         = Namespace + "type"
	First        = Namespace + "first"
	Rest         = Namespace + "rest"
	Nil          = Namespace + "nil"
	Reifies      = Namespace + "reifies"
	langString   = Namespace + "langString"
	dirLang      = Namespace + "dirLangString"
	xmlLiteral   = Namespace + "XMLLiteral"
	xsd          = "http://www.w3.org/2001/XMLSchema#"
	xsdString    = xsd + "string"
	relativeIRI  = "the IRI is relative, but the document has no base: begin it with @base <https://…> . or give one for the import"
	taggedAsType = "a text with a language must be written \"text\"@en, without a datatype"
)

func iri(value string) Term { return Term{Kind: IRI, Value: []byte(value)} }

// quoteByte shows a character for people.
func quoteByte(c byte) string {
	if c <= ' ' || c >= 0x7f {
		return fmt.Sprintf("0x%02X", c)
	}
	return string(rune(c))
}
