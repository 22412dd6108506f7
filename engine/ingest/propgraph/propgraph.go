// Package propgraph reads property graphs: nodes and edges that carry properties, as
// programs for graphs write them. It knows no knowledge graph.
//
//	Detect  tells the format of a text by its content
//	Read    reads GraphML, GEXF, GML, SIF, lists of vertices and edges, and graphs in JSON
//	Records reads other JSON, lists of objects, as tables of rows
//	Table   reads rows below the headers of Neo4j, Neptune, Bloom, KGX and Gephi
//	Naming  finds which property names the nodes and which says what they are
//
// Reading is streaming: a reader keeps one node or edge, and what the file declares
// about properties. What is too large or nested too deeply is refused by line and
// column; nothing outside the text is ever fetched, and no entity of a DOCTYPE is
// expanded.
package propgraph

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"cairn/engine/internal/bail"
	"cairn/internal/wording"
)

// Limits of what a reader takes.
const (
	maxRecord = 16 << 20 // bytes of one node or edge, and of one value
	maxDepth  = 200      // levels of nesting
)

// The datatypes that a Property may have: IRIs of XML Schema.
const (
	Integer  = "http://www.w3.org/2001/XMLSchema#integer"
	Double   = "http://www.w3.org/2001/XMLSchema#double"
	Boolean  = "http://www.w3.org/2001/XMLSchema#boolean"
	Date     = "http://www.w3.org/2001/XMLSchema#date"
	DateTime = "http://www.w3.org/2001/XMLSchema#dateTime"
	Duration = "http://www.w3.org/2001/XMLSchema#duration"
)

// Property is one value that a node or an edge has. An array is several of one name.
type Property struct {
	Name     string
	Value    string
	Datatype string // one of the above; empty for text
}

// Ref is what an edge calls a node.
type Ref struct {
	Space string // in which the ID is unique; empty where the file knows only one
	ID    string
}

// Node is a thing.
type Node struct {
	Ref
	Kinds       []string // what the file says that it is: labels, categories
	Name        string   // by which the file shows it; empty where it does not say
	Aliases     []string
	Description string
	Properties  []Property
	Line        int64
}

// Edge joins two nodes.
type Edge struct {
	From, To   Ref
	Type       string // empty where the file does not say
	Source     string // that the edge itself names as where it is from
	Undirected bool
	Properties []Property
	Line       int64
}

// Sink takes what a reader finds, in the order of the file. What it is given is its
// own. An error ends the reading.
type Sink interface {
	Node(Node) error
	Edge(Edge) error
	// Reject is told of a record that cannot be read, where the next one can.
	Reject(*Error) error
	// LeaveOut is told of a part of the file that says nothing of nodes and edges,
	// such as colours.
	LeaveOut(what string)
}

// Error says what is wrong with a file, and where.
type Error struct {
	Line, Column int64 // from 1; the column is 0 where none is meant, and counts bytes
	What         string
	Text         string // what stands there; may be empty
}

// Error returns the column and what is wrong; whoever shows it names the file and
// the line.
func (e *Error) Error() string {
	if e.Column > 0 {
		return "column " + strconv.FormatInt(e.Column, 10) + ": " + e.What
	}
	return e.What
}

// Format is a format that Read reads.
type Format string

// The formats.
const (
	GraphML  Format = "GraphML"
	GEXF     Format = "GEXF"
	GML      Format = "GML"
	SIF      Format = "SIF"
	Vertices Format = "Vertices"   // a list of vertices and edges
	JSON     Format = "JSON"       // one document: node-link, CX2, Cytoscape, APOC
	Lines    Format = "JSON Lines" // one node or edge a line: APOC, KGX
	Lists    Format = "JSON lists" // of Records, which Read does not read
)

// Read reads a graph in UTF-8. An *Error is of the file; others are of r or sink.
func Read(r io.Reader, f Format, sink Sink) (err error) {
	defer bail.To(&err)
	switch to := (out{sink}); f {
	case GraphML:
		readGraphML(r, to)
	case GEXF:
		readGEXF(r, to)
	case GML:
		readGML(r, to)
	case SIF:
		eachLine(r, to, func(line []byte, number int64) { sifLine(string(line), number, to) })
	case Vertices:
		readVertices(r, to)
	case JSON:
		readJSON(r, to)
	case Lines:
		readLines(r, to)
	default:
		return fmt.Errorf("read a graph: no reader for %q", f)
	}
	return nil
}

// out hands on what a reader finds, and leaves it where the sink returns an error.
type out struct{ Sink }

func (o out) node(n Node)     { bail.If(o.Node(n)) }
func (o out) edge(e Edge)     { bail.If(o.Edge(e)) }
func (o out) reject(e *Error) { bail.If(o.Reject(e)) }

// typed returns the datatype by the name that programs have for it, and whether it
// is the type of an array.
func typed(name string) (datatype string, array bool) {
	name, array = strings.CutSuffix(strings.ToLower(strings.TrimSpace(name)), "[]")
	if strings.HasPrefix(name, "list_of_") || strings.HasPrefix(name, "list") {
		name, array = strings.TrimPrefix(strings.TrimPrefix(name, "list"), "_of_"), true
	}
	switch name, _, _ = strings.Cut(name, "{"); name {
	case "int", "integer", "long", "short", "byte", "biginteger":
		return Integer, array
	case "float", "double", "bigdecimal", "number":
		return Double, array
	case "boolean", "bool":
		return Boolean, array
	case "date":
		return Date, array
	case "datetime", "localdatetime", "date-time":
		return DateTime, array
	case "duration":
		return Duration, array
	}
	return "", array
}

// addTo adds a value where it is one.
func addTo(ps []Property, name, value, datatype string) []Property {
	if value = strings.TrimSpace(value); value == "" {
		return ps
	}
	return append(ps, Property{name, value, datatype})
}

// take removes the first of the named properties that there is and returns its
// values.
func take(ps *[]Property, names ...string) (values []string) {
	for _, want := range names {
		kept := (*ps)[:0]
		for _, p := range *ps {
			if wording.Plain(p.Name) == want {
				values = append(values, p.Value)
			} else {
				kept = append(kept, p)
			}
		}
		if *ps = kept; values != nil {
			return values
		}
	}
	return nil
}

// edgeTypes are the names of properties that say what an edge is, the surest first.
var edgeTypes = []string{
	"predicate", "relation", "relationship", "relationtype", "relationshiptype", "reltype", "edgetype", "edgelabel", "labele",
	"label", "type", "interaction", "verb", "name", "kind",
}

// settleEdge takes the type out of the properties where the format has no place of
// its own for it.
func settleEdge(e *Edge) {
	for _, name := range edgeTypes {
		if e.Type != "" {
			return
		}
		if values := take(&e.Properties, name); values != nil {
			e.Type = values[0]
			for _, more := range values[1:] {
				e.Properties = append(e.Properties, Property{Name: name, Value: more})
			}
		}
	}
}

// settleNode takes out of the properties what says the kind of a node by names that
// only formats use for that, and its other names.
func settleNode(n *Node) {
	for _, kind := range take(&n.Properties, "labelv", "nodelabels", "labels") {
		if strings.Contains(kind, "://") { // one of an array
			n.Kinds = append(n.Kinds, kind)
			continue
		}
		n.Kinds = append(n.Kinds, divide(strings.Trim(kind, "[]"), ":,")...)
	}
	n.Aliases = append(n.Aliases, take(&n.Properties, "synonym", "synonyms")...)
}

// divide divides a text at any of the signs, and drops what is empty.
func divide(s, signs string) []string {
	var out []string
	for one := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune(signs, r) }) {
		if one = strings.Trim(one, " \""); one != "" {
			out = append(out, one)
		}
	}
	return out
}
