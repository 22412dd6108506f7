package propgraph

import (
	"io"
	"regexp"
	"strings"
)

// verticesBegin is how a list of vertices and edges begins: a graph, its first vertex.
var verticesBegin = regexp.MustCompile(`\A\s*t[ \t]+(#[ \t]*\d+|\d+[ \t]+\d+)[ \t]*\r?\n\s*v[ \t]+\d+([ \t]+\S+){0,2}[ \t]*\r?\n`)

// readVertices reads vertices and edges as programs that mine graphs and match subgraphs
// write them: "t # number" or "t vertices edges" begins a graph, "v id label degree" is a
// vertex and "e from to label" an edge without direction; labels and degree may lack.
func readVertices(r io.Reader, sink out) {
	space := "" // which of several graphs
	eachLine(r, sink, func(text []byte, number int64) {
		fields := strings.Fields(string(text))
		at := func(i int) string {
			if i < len(fields) {
				return fields[i]
			}
			return ""
		}
		switch n := len(fields); {
		case n == 0:
		case at(0) == "t" && n > 2 && at(1) == "#":
			space = at(2)
		case at(0) == "t" && n > 2:
		case at(0) == "v" && (n >= 2 && n <= 4):
			// Its name tells it from a label or a degree of the same number.
			v := Node{Ref: Ref{space, at(1)}, Name: "vertex " + at(1), Kinds: []string{"vertex"}, Line: number}
			v.Properties = addTo(addTo(nil, "label", at(2), ""), "degree", at(3), Integer)
			sink.node(v)
		case at(0) == "e" && (n == 3 || n == 4):
			sink.edge(Edge{From: Ref{space, at(1)}, To: Ref{space, at(2)}, Type: at(3), Line: number, Undirected: true})
		default:
			sink.reject(&Error{Line: number, What: "a line must begin with t, v or e: a graph, a vertex with its label, or an edge with two vertices", Text: string(text)})
		}
	})
}
