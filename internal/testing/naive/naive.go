// Package naive finds what a query of package match asks for without any shortcut: what
// the engines are compared with.
package naive

import (
	"context"

	"cairn/engine/kg"
	"cairn/engine/match"
)

// Engine is the engine that the others are compared with: it tries every entity for
// every node, in order.
type Engine struct{ Graph *kg.Graph }

// Each implements match.Engine.
func (n Engine) Each(ctx context.Context, q *match.Query, yield func(match.Binding) bool) (s match.Stats, err error) {
	b := match.Binding{Nodes: make([]kg.EntityID, len(q.Nodes)), Edges: make([]kg.TripleID, len(q.Edges))}
	var bind func(i int) bool
	bind = func(i int) bool {
		if i == len(q.Nodes) {
			if !assign(n.Graph, q, &b) {
				return true
			}
			s.Found++
			return yield(b)
		}
		try := func(e kg.EntityID) bool {
			s.Considered++
			if ctx.Err() != nil {
				return false
			}
			b.Nodes[i] = e
			return !n.fits(q, b, i) || bind(i+1)
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

// fits reports whether node i, bound last, agrees with those before it, and whether there
// is a triple for every edge that it closes.
func (n Engine) fits(q *match.Query, b match.Binding, i int) bool {
	if keep := q.Nodes[i].Keep; keep != nil && !keep(b.Nodes[i]) {
		return false
	}
	for j := range i {
		if q.Nodes[i].Distinct>>j&1 != 0 && b.Nodes[i] == b.Nodes[j] {
			return false
		}
	}
	for _, e := range q.Edges {
		if max(e.From, e.To) == i && len(between(n.Graph, &e, b.Nodes[e.From], b.Nodes[e.To])) == 0 {
			return false
		}
	}
	return true
}
