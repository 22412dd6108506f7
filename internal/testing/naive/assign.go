package naive

import (
	"slices"

	"cairn/engine/kg"
	"cairn/engine/match"
)

// assign fills the triples of a binding whose nodes are bound, the lowest that fit as
// match.Binding says, and reports whether there are any for every edge.
func assign(g *kg.Graph, q *match.Query, b *match.Binding) bool {
	for k := range q.Edges {
		if !closed(g, q, b, k) {
			return false
		}
	}
	return true
}

// closed finds triples for edge k and for those beside it that join the same nodes, by
// trying the triples of each in ascending order.
func closed(g *kg.Graph, q *match.Query, b *match.Binding, k int) bool {
	var taken []kg.TripleID
	var edges []int
	for j, e := range q.Edges[:k+1] {
		if same(e, q.Edges[k]) {
			edges = append(edges, j)
		}
	}
	var try func(at int) bool
	try = func(at int) bool {
		if at == len(edges) {
			return true
		}
		x := &q.Edges[edges[at]]
		for _, t := range between(g, x, b.Nodes[x.From], b.Nodes[x.To]) {
			if !q.SharedTriples && slices.Contains(taken, t) {
				continue
			}
			b.Edges[edges[at]] = t
			taken = append(taken, t)
			if try(at + 1) {
				return true
			}
			taken = taken[:len(taken)-1]
		}
		return false
	}
	return try(0)
}

// same reports whether two edges join the same two nodes.
func same(a, b match.Edge) bool {
	return a.From == b.From && a.To == b.To || a.From == b.To && a.To == b.From
}

// between are the triples that an edge may take between two entities, ascending.
func between(g *kg.Graph, e *match.Edge, from, to kg.EntityID) (ts []kg.TripleID) {
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
