package ingest

import (
	"strconv"
	"strings"

	"cairn/engine/ingest/propgraph"
)

// Kind is what a file holds.
type Kind string

// The kinds of file.
const (
	// Auto looks at the content.
	Auto Kind = ""
	// Delimited is a file of rows: head, relation, tail.
	Delimited Kind = "delimited"
	// OBO is the flat file of ontologies, in version 1.2 or 1.4.
	OBO Kind = "obo"
	// NTriples is RDF, one statement a line: N-Triples, and N-Quads too.
	NTriples Kind = "n-triples"
	// Turtle is RDF in Turtle or TriG.
	Turtle Kind = "turtle"
	// RDFXML is RDF in XML, as most OWL ontologies are.
	RDFXML Kind = "rdf-xml"
	// JSONLD is RDF in JSON.
	JSONLD Kind = "json-ld"
	// Labels is a file of rows: key, name. It names what the graph has already.
	Labels Kind = "labels"
	// GraphTable is a file of rows, each a node or an edge, with a header as Neo4j,
	// Neptune, KGX or Gephi write it.
	GraphTable Kind = "graph-table"
	// GraphML, GEXF, GML, SIF, Vertices, JSONGraph and JSONLines are property graphs: nodes and
	// edges that have properties.
	GraphML   Kind = "graphml"
	GEXF      Kind = "gexf"
	GML       Kind = "gml"
	SIF       Kind = "sif"
	Vertices  Kind = "vertices"
	JSONGraph Kind = "json-graph"
	JSONLines Kind = "json-lines"
	// JSONRecords are objects of JSON, in lists and in each other.
	JSONRecords Kind = "json-records"
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

var roleNames = [numRoles]Role{AsHead, AsRelation, AsTail, AsHeadID, AsTailID, AsHeadType, AsTailType, AsSource}

// Format is what a file was found to be.
type Format struct {
	File     string `json:"-"` // or the part of one
	Kind     Kind   `json:"kind"`
	Packed   string `json:"packed,omitempty"` // by what: gzip, bzip2, zstd
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
	// Preview are the first rows as they stand there, with the header.
	Preview [][]string `json:"-"`
	// Says is what the first row says by that.
	Says []Said `json:"says,omitempty"`
	// Example is the first triple, or the first key and name, as they will be read.
	Example []string `json:"example,omitempty"`
	// Notes are sentences about what was guessed.
	Notes []string `json:"notes,omitempty"`

	format  *format          // that reads it
	graph   *propgraph.Table // of a GraphTable
	columns [numRoles]int    // from 0; -1 for none
	// What compile makes of the other columns: those of properties, of values, of
	// names and descriptions, of a matrix, and what each column's relation, property or
	// entity is called.
	properties, values, names, matrix []int
	says                              []string
	valueNames                        map[int]int         // the column that names the things of a value
	sampled                           [][][]byte          // the rows that were looked at, until tables are joined
	refers                            []bool              // the columns that hold ids of a table
	ids                               []map[string]string // by column: those of the names of another table
	idsNamed                          bool                // a relation called “label” may name its head
	shared                            bool                // several keys, which are no ids, have one name, as what has a county has
	sep                               bool                // the first line is sep=; as Excel writes it
	top                               int                 // rows above the header, or above the first row
	joined                            bool                // the last of these is the upper row of the header
	lineEnd                           byte
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
	if f.Packed != "" {
		b.WriteString(", " + f.Packed)
	}
	if f.Quads {
		b.WriteString(" with graphs")
	}
	if f.Delimiter == "" {
		return b.String()
	}
	b.WriteString(", divided by " + delimiterName(f.Delimiter[0]))
	if f.Header {
		b.WriteString(", with a header")
	}
	if f.joined {
		b.WriteString(" of two rows")
	}
	for i, c := range f.Columns {
		b.WriteString(", " + strconv.Itoa(i+1) + "=" + string(c.Role))
		for _, detail := range []string{c.Says, string(c.Holds), c.Unit, string(c.Order), c.Split, c.Language, c.Of, c.Prefix} {
			if detail != "" {
				b.WriteString(":" + detail)
			}
		}
		if c.DecimalComma {
			b.WriteString(":comma")
		}
		if c.Signs {
			b.WriteString(":signs")
		}
	}
	if f.Relation != "" {
		b.WriteString(", relation " + f.Relation)
	}
	if f.HeadType != "" {
		b.WriteString(", head type " + f.HeadType)
	}
	if f.Sections != "" {
		b.WriteString(", sections " + f.Sections)
	}
	return b.String()
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
