package simgrag

import (
	"cmp"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/pattern"
)

// option is a triple that a pattern edge may take between two bound nodes.
type option struct {
	triple kg.TripleID
	cost   cost
}

// cheapest returns the cheapest triple for edge e with its ends bound to from
// and to, ties by id.
func (q *query) cheapest(e *queryEdge, from, to kg.EntityID) (best option, ok bool) {
	q.each(e, from, to, func(o option) {
		if !ok || o.cost < best.cost || (o.cost == best.cost && o.triple < best.triple) {
			best, ok = o, true
		}
	})
	return best, ok
}

// each calls f with every triple that edge e may take between from and to; a
// triple of a loop may come twice.
func (q *query) each(e *queryEdge, from, to kg.EntityID, f func(option)) {
	if all := f; e.said != nil {
		f = func(o option) {
			if e.said.Holds(o.triple) {
				all(o)
			}
		}
	}
	q.directed(e, from, to, f)
	if !e.forward() && from != to {
		q.directed(e, to, from, f)
	}
}

// directed calls f with every triple from head to tail that edge e may take.
func (q *query) directed(e *queryEdge, head, tail kg.EntityID, f func(option)) {
	if !e.any && len(e.relations) <= few {
		for i, r := range e.relations {
			if t, ok := q.g.Find(kg.Triple{Head: head, Relation: r, Tail: tail}); ok {
				f(option{t, e.at(i)})
			}
		}
		return
	}
	edges, end := q.g.Out(head), tail
	if in := q.g.In(tail); len(in) < len(edges) {
		edges, end = in, head
	}
	// Of a long list most is skipped, relation by relation.
	const long = 64
	for len(edges) > long {
		n := kg.RunLength(edges, edges[0].Relation)
		if c, ok := e.costOf(edges[0].Relation); ok {
			if t, ok := (run{edges: edges[:n]}).in(end); ok {
				f(option{t, c})
			}
		}
		edges = edges[n:]
	}
	for _, x := range edges {
		if x.Entity != end {
			continue
		}
		if c, ok := e.costOf(x.Relation); ok {
			f(option{x.Triple, c})
		}
	}
}

// bondCost returns the least cost of matching bond b with its nodes bound to u
// and w, and whether it can be matched.
func (q *query) bondCost(b *bond, u, w kg.EntityID) (cost, bool) {
	if len(b.edges) == 1 {
		best, ok := q.single(b, u, w)
		return best.cost, ok
	}
	_, c, ok := q.assign(b, u, w)
	return c, ok
}

// single returns the cheapest triple for a bond of one edge.
func (q *query) single(b *bond, u, w kg.EntityID) (option, bool) {
	e := &q.edges[b.edges[0]]
	if e.From != b.u {
		u, w = w, u
	}
	return q.cheapest(e, u, w)
}

// assign chooses a triple for each edge of b, all different unless nodes may be
// reused, at the least total cost; ties by the triples' ids in the order of the
// edges.
func (q *query) assign(b *bond, u, w kg.EntityID) (best []option, total cost, ok bool) {
	if len(b.edges) == 1 {
		c, fits := q.single(b, u, w)
		return []option{c}, c.cost, fits
	}
	options := make([][]option, len(b.edges))
	for i, ei := range b.edges {
		e := &q.edges[ei]
		from, to := u, w
		if e.From != b.u {
			from, to = w, u
		}
		q.each(e, from, to, func(o option) { options[i] = append(options[i], o) })
		slices.SortFunc(options[i], compareOptions)
		options[i] = slices.Compact(options[i])
	}
	a := assignment{options: options, share: q.p.Reuse == pattern.ReuseAll, chosen: make([]option, len(b.edges))}
	a.choose(0, 0)
	return a.best, a.total, a.best != nil
}

// assignment is the search of assign. Patterns have two or three edges between
// two nodes at most, so it tries everything.
type assignment struct {
	options [][]option
	share   bool
	chosen  []option
	best    []option
	total   cost
}

func (a *assignment) choose(i int, sum cost) {
	if i == len(a.options) {
		if a.best == nil || sum < a.total || (sum == a.total && slices.CompareFunc(a.chosen, a.best, compareTriples) < 0) {
			a.best, a.total = slices.Clone(a.chosen), sum
		}
		return
	}
	for _, o := range a.options[i] {
		taken := slices.ContainsFunc(a.chosen[:i], func(p option) bool { return p.triple == o.triple })
		if taken && !a.share {
			continue
		}
		a.chosen[i] = o
		a.choose(i+1, sum+o.cost)
	}
}

// binding is a full match with its parts.
type binding struct {
	edges     []kg.TripleID // as the pattern's edges
	nodeCosts []cost        // as the pattern's nodes
	edgeCosts []cost
	total     cost
}

// bind works out the triples and the distance of a binding of the nodes
// (Equation (3)); ok is false where an edge has no triple or a node may not
// bind so.
func (q *query) bind(nodes []kg.EntityID) (x binding, ok bool) {
	x = binding{
		edges:     make([]kg.TripleID, len(q.edges)),
		nodeCosts: make([]cost, len(q.nodes)),
		edgeCosts: make([]cost, len(q.edges)),
	}
	for i := range q.nodes {
		if q.nodes[i].skip {
			continue
		}
		c, fits := q.nodes[i].costOf(q.g, nodes[i])
		if !fits {
			return x, false
		}
		x.nodeCosts[i] = c
		x.total += c
	}
	for i := range q.bonds {
		b := &q.bonds[i]
		options, c, fits := q.assign(b, nodes[b.u], nodes[b.w])
		if !fits {
			return x, false
		}
		x.total += c
		for j, e := range b.edges {
			x.edges[e], x.edgeCosts[e] = options[j].triple, options[j].cost
		}
	}
	return x, true
}

func compareOptions(a, b option) int {
	return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.triple, b.triple))
}

func compareTriples(a, b option) int { return cmp.Compare(a.triple, b.triple) }
