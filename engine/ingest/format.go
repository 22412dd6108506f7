package ingest

import (
	"strconv"
	"strings"
)

// Kind is what a file holds.
type Kind string

// The kinds of file.
const (
	// Auto looks at the content.
	Auto Kind = ""
	// Delimited is a file of rows: head, relation, tail.
	Delimited Kind = "delimited"
	// NTriples is RDF, one statement a line: N-Triples, and N-Quads too.
	NTriples Kind = "n-triples"
	// Labels is a file of rows: key, name. It names what the graph has already.
	Labels Kind = "labels"
)

// role is what a column of a delimited file says.
type role int

const (
	headRole role = iota
	relationRole
	tailRole
	headIDRole
	tailIDRole
	headTypeRole
	tailTypeRole
	sourceRole
	numRoles
)

var roleNames = [numRoles]string{"head", "relation", "tail", "head_id", "tail_id", "head_type", "tail_type", "source"}

// Format is what a file was found to be.
type Format struct {
	Kind     Kind   `json:"kind"`
	Gzip     bool   `json:"gzip,omitempty"`
	Encoding string `json:"encoding,omitempty"`

	// Quads is set for N-Quads: N-Triples whose statements may name a graph, which
	// then is their source.
	Quads bool `json:"quads,omitempty"`

	// The rest is about delimited files.

	Delimiter string `json:"delimiter,omitempty"`
	// Header is set where the first row names the columns, which are Names.
	Header bool     `json:"header,omitempty"`
	Names  []string `json:"names,omitempty"`
	// Width is the number of columns.
	Width int `json:"width,omitempty"`
	Mapping
	// Example is the first triple, or the first key and name, as they will be read.
	Example []string `json:"example,omitempty"`
	// Notes are sentences about what was guessed.
	Notes []string `json:"notes,omitempty"`

	columns  [numRoles]int // from 0; -1 for none
	constant string        // the relation of every row; empty where a column holds it
	idsNamed bool          // a relation called “label” may name its head
	sep      bool          // the first line is sep=; as Excel writes it
	lineEnd  byte
}

// delimiterNames are the delimiters that are looked for, the likeliest first,
// and their names for people.
var delimiterNames = []struct {
	delimiter byte
	name      string
}{{'\t', "tab"}, {'|', "|"}, {';', ";"}, {',', "comma"}}

func delimiterName(d byte) string {
	for _, x := range delimiterNames {
		if x.delimiter == d {
			return x.name
		}
	}
	return string(rune(d))
}

// String describes the format in one line; the same text means the same reading.
func (f Format) String() string {
	var b strings.Builder
	b.WriteString(string(f.Kind))
	if f.Encoding != "" && f.Encoding != "utf-8" {
		b.WriteString(", " + f.Encoding)
	}
	if f.Gzip {
		b.WriteString(", gzip")
	}
	if f.Quads {
		b.WriteString(" with graphs")
	}
	if f.Kind == NTriples || f.Delimiter == "" {
		return b.String()
	}
	b.WriteString(", divided by " + delimiterName(f.Delimiter[0]))
	if f.Header {
		b.WriteString(", with a header")
	}
	for r, at := range f.columns {
		if at >= 0 && (f.Kind == Delimited || r == 0 || r == int(tailRole)) {
			b.WriteString(", " + roleNames[r] + "=" + strconv.Itoa(at+1))
		}
	}
	if f.constant != "" {
		b.WriteString(", relation " + f.constant)
	}
	return b.String()
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
