package match

import (
	"slices"

	"cairn/engine/kg"
)

// Assign fills the triples of a binding whose nodes are bound, the lowest that fit as
// Binding says, and reports whether there are any for every edge.
func Assign(g *kg.Graph, q *Query, b *Binding) bool {
	for k := range q.Edges {
		if !closed(g, q, b, k) {
			return false
		}
	}
	return true
}

// closed finds triples for edge k and for those beside it that join the same nodes, by
// trying the triples of each in ascending order.
func closed(g *kg.Graph, q *Query, b *Binding, k int) bool {
	var taken []kg.TripleID
	var edges []int
	for j, e := range q.Edges[:k+1] {
		if same(e, q.Edges[k]) {
			edges = append(edges, j)
		}
	}
	var assign func(at int) bool
	assign = func(at int) bool {
		if at == len(edges) {
			return true
		}
		x := &q.Edges[edges[at]]
		for _, t := range x.Between(g, b.Nodes[x.From], b.Nodes[x.To]) {
			if !q.SharedTriples && slices.Contains(taken, t) {
				continue
			}
			b.Edges[edges[at]] = t
			taken = append(taken, t)
			if assign(at + 1) {
				return true
			}
			taken = taken[:len(taken)-1]
		}
		return false
	}
	return assign(0)
}

// same reports whether two edges join the same two nodes.
func same(a, b Edge) bool {
	return a.From == b.From && a.To == b.To || a.From == b.To && a.To == b.From
}

// Between are the triples that an edge may take between two entities, ascending.
func (e *Edge) Between(g *kg.Graph, from, to kg.EntityID) (ts []kg.TripleID) {
	add := func(head, tail kg.EntityID) {
		row, end := g.Out(head), tail
		if in := g.In(tail); len(in) < len(row) {
			row, end = in, head
		}
		for _, o := range row {
			if o.Entity == end && (e.Relations == nil || slices.Contains(e.Relations, o.Relation)) && (e.Keep == nil || e.Keep(o.Triple)) {
				ts = append(ts, o.Triple)
			}
		}
	}
	add(from, to)
	if e.Either && from != to {
		add(to, from)
	}
	slices.Sort(ts)
	return ts
}
