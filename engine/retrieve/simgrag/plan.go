package simgrag

import (
	"math"

	"cairn/engine/kg"
)

// step binds one node of the pattern.
type step struct {
	node  int
	back  []int // bonds to nodes that earlier steps bind
	loops []int // bonds of the node to itself
	flat  bool  // every way to bind the node costs the same
	own   cost  // the least that the step can cost
	// rest is a lower bound on the cost of this and all later steps: X + Y of
	// Equations (9) and (10), every node counted where it is bound.
	rest cost
	// tails look ahead from the node; closes is the one that looked here.
	tails  []*tail
	closes *tail
}

// plan orders the nodes of a component: those with one candidate first, for
// they cost nothing; then, again and again, the node with the fewest ways to be
// reached from the nodes before it. This is line 1 of Algorithm 1 carried on to
// every step. room is what a match may cost above the least.
func (q *query) plan(component []int, room cost) []step {
	done := make([]bool, len(q.nodes))
	steps := make([]step, 0, len(component))
	take := func(n int) {
		steps = append(steps, q.step(n, done))
		done[n] = true
	}
	for _, n := range component {
		if q.nodes[n].only() {
			take(n)
		}
	}
	for len(steps) < len(component) {
		next, least := -1, math.Inf(1)
		for _, n := range component {
			if done[n] {
				continue
			}
			if ways := q.ways(n, done, len(steps) > 0, room); next < 0 || ways < least {
				next, least = n, ways
			}
		}
		take(next)
	}
	for i := len(steps) - 1; i >= 0; i-- {
		steps[i].rest = steps[i].own
		if i+1 < len(steps) {
			steps[i].rest += steps[i+1].rest
		}
	}
	return steps
}

// only reports whether the node has one candidate.
func (n *queryNode) only() bool { return !n.free && n.kinds == nil && len(n.entities) == 1 }

// step makes the step that binds n after the nodes in done.
func (q *query) step(n int, done []bool) step {
	st := step{node: n, own: q.nodes[n].least(), flat: q.nodes[n].costs == nil}
	for _, bi := range q.nodes[n].bonds {
		b := &q.bonds[bi]
		switch {
		case b.u == b.w:
			st.loops = append(st.loops, bi)
		case done[b.other(n)]:
			st.back = append(st.back, bi)
		default:
			continue
		}
		st.own += b.least
		for _, e := range b.edges {
			st.flat = st.flat && q.edges[e].costs == nil
		}
	}
	return st
}

// ways estimates how many entities n will be bound to after the nodes in done.
func (q *query) ways(n int, done []bool, started bool, room cost) float64 {
	const (
		// hop stands for the neighbours of an entity that is not known yet.
		hop = 8
		// sieve is how many candidates survive one more condition.
		sieve = 0.25
		// far puts off nodes that nothing leads to.
		far = 1e12
		// kin says how much likelier than chance a neighbour is a candidate.
		kin = 32
		// most is the share of neighbours that are candidates of a node that is
		// known at all: one that may be anything comes after it.
		most = 0.5
	)
	ways, leads := float64(q.nodes[n].size(q.g)), 0
	share := 1.0 // of the neighbours that are candidates
	if node := &q.nodes[n]; !node.free {
		if node.costs != nil {
			ways = float64(node.within(node.least() + room))
		}
		share = min(most, kin*ways/float64(q.g.Entities()))
	}
	for _, bi := range q.nodes[n].bonds {
		b := &q.bonds[bi]
		o := b.other(n)
		if o == n || !done[o] {
			continue
		}
		leads++
		reach := float64(hop)
		if only := &q.nodes[o]; only.only() {
			_, size := q.narrowest(b, o, only.entities[0])
			reach = float64(size)
		}
		ways = min(ways, reach*share)
	}
	if leads == 0 {
		if started {
			ways += far
		}
		return ways * q.breadth(n, int(ways))
	}
	return ways * math.Pow(sieve, float64(leads-1))
}

// breadth is how many neighbours the first count candidates of node n have on
// average, by a sample of them; 1 where they are not listed.
func (q *query) breadth(n, count int) float64 {
	const sample = 64
	es := q.nodes[n].entities
	if count = min(count, len(es)); count <= few {
		return 1
	}
	sum, step := 0, max(1, count/sample)
	for i := 0; i < count; i += step {
		sum += q.g.Degree(es[i])
	}
	return 1 + float64(sum)/float64((count+step-1)/step)
}

// narrowest returns the bond's edge with the fewest triples at a, which is
// bound to node n, and their number or a little more.
func (q *query) narrowest(b *bond, n int, a kg.EntityID) (edge, size int) {
	edge, size = -1, 0
	for _, e := range b.edges {
		if s := q.reach(&q.edges[e], n, a); edge < 0 || s < size {
			edge, size = e, s
		}
	}
	return edge, size
}

// reach counts the triples that lead from a, bound to node n, over edge e, or
// with many relations all triples on that side.
func (q *query) reach(e *queryEdge, n int, a kg.EntityID) (size int) {
	count := func(all []kg.Edge) {
		if e.any || e.byID != nil {
			size += len(all)
			return
		}
		for _, r := range e.relations {
			size += len(kg.RelationRun(all, r))
		}
	}
	if !e.forward() || e.From == n {
		count(q.g.Out(a))
	}
	if !e.forward() || e.To == n {
		count(q.g.In(a))
	}
	return size
}
