// Package layout places the nodes of a small graph. It is pure: sizes and edges
// in, positions out, the same each time. Lengths are layout units, which a canvas
// shows as pixels at 100 %; y points down.
//
//	Layered  reasoning order: first nodes left, last nodes right, curves between
//	Force    neighbourhoods: linked nodes near each other, the others apart
package layout

// Point is the centre of a node or a bend of an edge.
type Point struct{ X, Y float64 }

// Size is the width and height of a node or a label.
type Size struct{ W, H float64 }

// Edge joins two nodes.
type Edge struct {
	From, To int  // indices into Nodes
	Label    Size // 0 for an edge without one
}

// Graph is what is laid out.
type Graph struct {
	Nodes []Size
	Edges []Edge
}

// Result is a layout.
type Result struct {
	At []Point // At[i] is the centre of Nodes[i]
	// Bends[e] are the points that Edges[e] passes on its way, from its From to
	// its To, two for each layer crossed: where it enters and where it leaves.
	Bends [][]Point
}

// neighbours returns for each node the nodes it has edges with, in edge order.
func (g *Graph) neighbours() [][]int {
	out := make([][]int, len(g.Nodes))
	for _, e := range g.Edges {
		if e.From != e.To {
			out[e.From] = append(out[e.From], e.To)
			out[e.To] = append(out[e.To], e.From)
		}
	}
	return out
}
