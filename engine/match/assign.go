package match

import "cairn/engine/kg"

// Assign fills the triples of a binding whose nodes are bound, the lowest that fit as
// Binding says, and reports whether there are any for every edge.
func Assign(g *kg.Graph, q *Query, b *Binding) bool {
	for k := range q.Edges {
		if !(Naive{g}).close(q, b, k) {
			return false
		}
	}
	return true
}
