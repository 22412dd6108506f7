package testkg

import (
	"cmp"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/pattern"
)

// Execute matches a tree-shaped pattern of fixed, directed edges and returns
// what binds the asked node: most matches first, then by id. It is the naive
// twin of the retriever, and finds nothing of a pattern with operators.
func Execute(g *kg.Graph, p *pattern.Pattern) []kg.EntityID {
	if !p.IsPlain() {
		return nil
	}
	x := executor{g: g, p: p, known: map[kg.EntityID]bool{}}
	for _, n := range p.Nodes {
		if !n.Variable && p.Reuse != pattern.ReuseAll {
			for _, e := range n.Entities {
				x.known[e] = true
			}
		}
	}
	root := max(p.Asked, 0)
	if p.Order != nil {
		if at := x.holder(p.Order.Node); at != root {
			// The largest value belongs to another node: find that node first.
			inner := *p
			inner.Asked = at
			best := Execute(g, &inner)
			slices.Sort(best)
			outer := *p
			outer.Order, outer.Nodes = nil, slices.Clone(p.Nodes)
			outer.Nodes[at].Within = best
			return Execute(g, &outer)
		}
	}
	counts := x.bind(root, -1)
	for e := range counts {
		if !x.passes(e, root) {
			delete(counts, e)
		}
	}
	if p.Order != nil {
		x.keepBest(counts, root)
	}
	var out []kg.EntityID
	for e := range counts {
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b kg.EntityID) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	return out
}

// holder returns the node that a value node hangs on.
func (x *executor) holder(value int) int {
	for _, e := range x.p.Edges {
		if other, ok := neighbour(e, value); ok {
			return other
		}
	}
	return value
}

type executor struct {
	g     *kg.Graph
	p     *pattern.Pattern
	known map[kg.EntityID]bool
}

// bind returns how many ways there are to match the part of the tree at node n,
// seen from node from, for every entity that may bind n; nil for an unbounded
// variable leaf.
func (x *executor) bind(n, from int) map[kg.EntityID]int {
	node := x.p.Nodes[n]
	counts := map[kg.EntityID]int{}
	bounded := false
	switch {
	case !node.Variable:
		bounded = true
		for _, e := range node.Entities {
			counts[e] = 1
		}
	case node.Within != nil:
		bounded = true
		for _, e := range node.Within {
			if !x.known[e] {
				counts[e] = 1
			}
		}
	}
	// Bounded neighbours first: they say where to look.
	var loose []int
	for i, e := range x.p.Edges {
		other, ok := neighbour(e, n)
		if !ok || other == from {
			continue
		}
		below := x.bind(other, n)
		if below == nil {
			loose = append(loose, i)
			continue
		}
		counts = x.join(counts, bounded, x.along(e, n, below), node.Variable)
		bounded = true
	}
	if !bounded {
		return nil
	}
	for _, i := range loose {
		for e := range counts {
			if len(x.edges(x.p.Edges[i], n, e)) == 0 {
				delete(counts, e)
			}
		}
	}
	return counts
}

func neighbour(e pattern.Edge, n int) (int, bool) {
	switch n {
	case e.From:
		return e.To, true
	case e.To:
		return e.From, true
	}
	return 0, false
}

// edges returns what the edge leads to from entity e bound to node n.
func (x *executor) edges(edge pattern.Edge, n int, e kg.EntityID) []kg.EntityID {
	var out []kg.EntityID
	said := pattern.NewTest(x.g, edge.Conditions)
	for _, r := range edge.Fixed {
		if n == edge.From || edge.Direction == pattern.Either {
			for _, t := range x.g.OutBy(e, r) {
				if said.Holds(t.Triple) {
					out = append(out, t.Entity)
				}
			}
		}
		if n == edge.To || edge.Direction == pattern.Either {
			for _, t := range x.g.InBy(e, r) {
				if said.Holds(t.Triple) {
					out = append(out, t.Entity)
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// along carries counts from the other end of an edge to node n.
func (x *executor) along(edge pattern.Edge, n int, below map[kg.EntityID]int) map[kg.EntityID]int {
	other, _ := neighbour(edge, n)
	out := map[kg.EntityID]int{}
	for e, c := range below {
		for _, t := range x.edges(edge, other, e) {
			out[t] += c
		}
	}
	return out
}

func (x *executor) join(counts map[kg.EntityID]int, bounded bool, more map[kg.EntityID]int, variable bool) map[kg.EntityID]int {
	out := map[kg.EntityID]int{}
	for e, c := range more {
		switch {
		case variable && x.known[e]:
		case !bounded:
			out[e] = c
		case counts[e] > 0:
			out[e] = c * counts[e]
		}
	}
	return out
}

// passes reports whether the values next to e meet the filters.
func (x *executor) passes(e kg.EntityID, n int) bool {
	for _, f := range x.p.Filters {
		if !slices.ContainsFunc(x.values(e, n, f.Node), func(v float64) bool { return holds(v, f) }) {
			return false
		}
	}
	return true
}

func holds(v float64, f pattern.Filter) bool {
	switch f.Op {
	case pattern.Less:
		return v < f.Value
	case pattern.AtMost:
		return v <= f.Value
	case pattern.Equal:
		return v == f.Value
	case pattern.AtLeast:
		return v >= f.Value
	case pattern.Greater:
		return v > f.Value
	case pattern.Unequal:
		return v != f.Value
	}
	return false
}

// values returns the values of node v, which is n or next to it.
func (x *executor) values(e kg.EntityID, n, v int) []float64 {
	at := []kg.EntityID{e}
	if v != n {
		at = nil
		for _, edge := range x.p.Edges {
			if other, ok := neighbour(edge, n); ok && other == v {
				at = append(at, x.edges(edge, n, e)...)
			}
		}
	}
	var out []float64
	for _, e := range at {
		if val, ok := kg.ParseValue(x.g.Label(e)); ok {
			out = append(out, val.Number)
		}
	}
	return out
}

func (x *executor) keepBest(counts map[kg.EntityID]int, n int) {
	best := map[kg.EntityID]float64{}
	var all []float64
	for e := range counts {
		vs := x.values(e, n, x.p.Order.Node)
		if len(vs) == 0 {
			delete(counts, e)
			continue
		}
		v := slices.Max(vs)
		if !x.p.Order.Descending {
			v = -slices.Min(vs)
		}
		best[e] = v
		all = append(all, v)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	for e, v := range best {
		if v < all[max(0, len(all)-x.p.Order.Limit)] {
			delete(counts, e)
		}
	}
}
