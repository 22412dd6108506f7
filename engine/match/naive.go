package match

import (
	"context"
	"slices"

	"cairn/engine/kg"
)

// Naive is the engine that the others are compared with: it tries every entity for
// every node, in order.
type Naive struct{ Graph *kg.Graph }

// Each implements Engine.
func (n Naive) Each(ctx context.Context, q *Query, yield func(Binding) bool) (s Stats, err error) {
	b := Binding{Nodes: make([]kg.EntityID, len(q.Nodes)), Edges: make([]kg.TripleID, len(q.Edges))}
	var bind func(i int) bool
	bind = func(i int) bool {
		if i == len(q.Nodes) {
			s.Found++
			return yield(b)
		}
		try := func(e kg.EntityID) bool {
			s.Considered++
			if ctx.Err() != nil {
				return false
			}
			b.Nodes[i] = e
			return !n.fits(q, &b, i) || bind(i+1)
		}
		if q.Nodes[i].In != nil {
			for _, e := range q.Nodes[i].In {
				if !try(e) {
					return false
				}
			}
			return true
		}
		for e := range kg.EntityID(n.Graph.Entities()) {
			if !try(e) {
				return false
			}
		}
		return true
	}
	bind(0)
	return s, ctx.Err()
}

// fits reports whether node i, bound last, agrees with those before it, and fills the
// edges that it closes.
func (n Naive) fits(q *Query, b *Binding, i int) bool {
	if keep := q.Nodes[i].Keep; keep != nil && !keep(b.Nodes[i]) {
		return false
	}
	for j := range i {
		if q.Nodes[i].Distinct>>j&1 != 0 && b.Nodes[i] == b.Nodes[j] {
			return false
		}
	}
	for k, e := range q.Edges {
		if max(e.From, e.To) == i && !n.close(q, b, k) {
			return false
		}
	}
	return true
}

// close finds triples for edge k and for those beside it that join the same nodes, by
// trying the triples of each in ascending order.
func (n Naive) close(q *Query, b *Binding, k int) bool {
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
		for _, t := range x.Between(n.Graph, b.Nodes[x.From], b.Nodes[x.To]) {
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
