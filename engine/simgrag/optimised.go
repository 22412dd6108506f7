package simgrag

import (
	"cmp"
	"math"
	"slices"

	"cairn/engine/kg"
)

// sink takes the matches that a search finds.
type sink interface {
	// offer takes a full binding of the nodes at its cost. It must not keep the
	// slice.
	offer(nodes []kg.EntityID, c cost)
	// hopeless reports whether no completion of a partial binding whose cost is
	// at least bound can be kept. Unbound nodes are kg.NoEntity.
	hopeless(nodes []kg.EntityID, bound cost) bool
}

// step binds one node of the pattern.
type step struct {
	node  int
	back  []int // bonds to nodes that earlier steps bind
	loops []int // bonds of the node to itself
	flat  bool  // every way to bind the node costs the same
	// rest is a lower bound on the cost of this and all later steps: X + Y of
	// Equations (9) and (10), every node counted where it is bound.
	rest cost
}

// search is the optimised algorithm (§5.2) on one component of the pattern,
// binding a node at a time.
type search struct {
	q     *query
	m     *meter
	out   sink
	steps []step
	bound []kg.EntityID // as the pattern's nodes
	lists [][]choice    // lists[i] is the buffer of step i
}

// choice is one way to bind the node of a step.
type choice struct {
	entity kg.EntityID
	cost   cost
}

// optimised enumerates the matches of the component in the order that promises
// most, leaving out those that the sink has no use for.
func optimised(q *query, component []int, m *meter, out sink) {
	s := &search{q: q, m: m, out: out, steps: q.plan(component), bound: unbound(len(q.nodes))}
	s.lists = make([][]choice, len(s.steps))
	s.expand(0, 0)
}

func unbound(n int) []kg.EntityID {
	nodes := make([]kg.EntityID, n)
	for i := range nodes {
		nodes[i] = kg.NoEntity
	}
	return nodes
}

// plan orders the nodes of a component: those with one candidate first, for
// they cost nothing; then, again and again, the node with the fewest ways to be
// reached from the nodes before it. This is line 1 of Algorithm 1 carried on to
// every step.
func (q *query) plan(component []int) []step {
	done := make([]bool, len(q.nodes))
	steps := make([]step, 0, len(component))
	take := func(n int) {
		steps = append(steps, q.step(n, done))
		done[n] = true
	}
	for _, n := range component {
		if len(q.nodes[n].entities) == 1 && !q.nodes[n].free {
			take(n)
		}
	}
	for len(steps) < len(component) {
		next, least := -1, math.Inf(1)
		for _, n := range component {
			if done[n] {
				continue
			}
			if ways := q.ways(n, done, len(steps) > 0); next < 0 || ways < least {
				next, least = n, ways
			}
		}
		take(next)
	}
	for i := len(steps) - 1; i >= 0; i-- {
		if i+1 < len(steps) {
			steps[i].rest += steps[i+1].rest
		}
	}
	return steps
}

// step makes the step that binds n after the nodes in done; its rest is of this
// step alone.
func (q *query) step(n int, done []bool) step {
	st := step{node: n, rest: q.nodes[n].least, flat: q.nodes[n].costs == nil}
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
		st.rest += b.least
		for _, e := range b.edges {
			st.flat = st.flat && q.edges[e].costs == nil
		}
	}
	return st
}

// ways estimates how many entities n will be tried with after the nodes in done.
func (q *query) ways(n int, done []bool, started bool) float64 {
	const (
		// hop stands for the neighbours of an entity that is not known yet.
		hop = 8
		// sieve is how many candidates survive one more condition.
		sieve = 0.25
		// far puts off nodes that nothing leads to.
		far = 1e12
	)
	ways, leads := float64(q.nodes[n].size(q.g)), 0
	for _, bi := range q.nodes[n].bonds {
		b := &q.bonds[bi]
		o := b.other(n)
		if o == n || !done[o] {
			continue
		}
		leads++
		reach := float64(hop)
		if only := &q.nodes[o]; !only.free && len(only.entities) == 1 {
			reach = float64(q.reach(b, o, only.entities[0]))
		}
		ways = min(ways, reach)
	}
	if leads == 0 {
		if started {
			ways += far
		}
		return ways
	}
	return ways * math.Pow(sieve, float64(leads-1))
}

// reach counts the triples that lead from entity a, bound to node n, over the
// bond's most selective edge.
func (q *query) reach(b *bond, n int, a kg.EntityID) int {
	_, size := q.narrowest(b, n, a)
	return size
}

// narrowest returns the bond's edge with the fewest triples at a, which is
// bound to node n, and their number.
func (q *query) narrowest(b *bond, n int, a kg.EntityID) (edge, size int) {
	edge, size = -1, 0
	for _, e := range b.edges {
		if s := q.spread(&q.edges[e], n, a); edge < 0 || s < size {
			edge, size = e, s
		}
	}
	return edge, size
}

// spread counts the triples that lead from a, bound to node n, over edge e.
func (q *query) spread(e *queryEdge, n int, a kg.EntityID) (size int) {
	q.runs(e, n, a, func(run []kg.Edge, _ cost, _ bool) { size += len(run) })
	return size
}

// runs calls f with the runs of adjacency that lead from a, bound to node n,
// over edge e: mixed says that a run has several relations, whose costs are
// still to be looked up; otherwise all of it costs c.
func (q *query) runs(e *queryEdge, n int, a kg.EntityID, f func(run []kg.Edge, c cost, mixed bool)) {
	if !e.forward() || e.From == n {
		e.split(q.g.Out(a), f)
	}
	if !e.forward() || e.To == n {
		e.split(q.g.In(a), f)
	}
}

// split calls f with the parts of one adjacency list that the edge may use.
func (e *queryEdge) split(all []kg.Edge, f func(run []kg.Edge, c cost, mixed bool)) {
	// Two binary searches a relation against one look-up an edge.
	const searchCost = 8
	switch {
	case len(all) == 0:
	case e.any:
		f(all, 0, false)
	case len(e.relations)*searchCost > len(all) && len(e.relations) > 1:
		f(all, 0, true)
	default:
		for i, r := range e.relations {
			if run := relationRun(all, r); len(run) > 0 {
				var c cost
				if e.costs != nil {
					c = e.costs[i]
				}
				f(run, c, false)
			}
		}
	}
}

// relationRun returns the run of es, which is sorted by relation, with
// relation r.
func relationRun(es []kg.Edge, r kg.RelationID) []kg.Edge {
	lo, _ := slices.BinarySearchFunc(es, r, func(e kg.Edge, r kg.RelationID) int { return cmp.Compare(e.Relation, r) })
	es = es[lo:]
	// Runs are short beside the list, so the end is looked for in doubling steps.
	hi := 1
	for hi < len(es) && es[hi].Relation == r {
		hi *= 2
	}
	hi = min(hi, len(es))
	n, _ := slices.BinarySearchFunc(es[:hi], r, func(e kg.Edge, r kg.RelationID) int {
		if e.Relation <= r {
			return -1
		}
		return 1
	})
	return es[:n]
}

// expand binds the nodes of step i and later. sum is the cost of what is bound.
// It reports whether the search may go on.
func (s *search) expand(i int, sum cost) bool {
	if i == len(s.steps) {
		s.out.offer(s.bound, sum)
		return true
	}
	st := &s.steps[i]
	defer func() { s.bound[st.node] = kg.NoEntity }()
	if s.q.nodes[st.node].free && len(st.back) == 0 {
		return s.everywhere(i, sum)
	}
	for _, c := range s.choices(i) {
		if !s.visit(i, c, sum) {
			return false
		}
	}
	return true
}

// everywhere expands step i from every entity of the graph, one by one, for a
// list of all of them would be long.
func (s *search) everywhere(i int, sum cost) bool {
	for e := range kg.EntityID(s.q.g.Entities()) {
		one := s.try(s.lists[i][:0], &s.steps[i], -1, e, 0)
		if s.lists[i] = one; len(one) == 0 {
			if !s.m.tick() {
				return false
			}
			continue
		}
		if !s.visit(i, one[0], sum) {
			return false
		}
		s.bound[s.steps[i].node] = kg.NoEntity
	}
	return true
}

// visit binds the node of step i to c and goes on with the next step, unless
// nothing can come of it.
func (s *search) visit(i int, c choice, sum cost) bool {
	if !s.m.tick() {
		return false
	}
	s.bound[s.steps[i].node] = c.entity
	total := sum + c.cost
	bound := total
	if i+1 < len(s.steps) {
		bound += s.steps[i+1].rest
	}
	if s.out.hopeless(s.bound, bound) {
		s.m.pruned++
		return true
	}
	return s.expand(i+1, total)
}

// choices lists the ways to bind the node of step i given what is bound: each
// entity once, cheapest first (the greedy order of §5.2), ties by id.
func (s *search) choices(i int) []choice {
	st := &s.steps[i]
	list := s.lists[i][:0]
	source, size := s.source(st)
	n := &s.q.nodes[st.node]
	// A candidate is checked against a bond by binary search, some four times
	// the work of walking over a neighbour.
	const searchCost = 4
	switch {
	case source >= 0 && (n.free || len(n.entities)*searchCost > size):
		list = s.neighbours(list, st, source)
	case n.nearest != nil:
		for _, k := range n.nearest {
			list = s.try(list, st, -1, n.entities[k], 0)
		}
	default:
		for _, e := range n.entities {
			list = s.try(list, st, -1, e, 0)
		}
	}
	if !st.flat {
		slices.SortFunc(list, compareChoices)
	}
	s.lists[i] = list
	return list
}

func compareChoices(a, b choice) int {
	if a.cost != b.cost {
		return cmp.Compare(a.cost, b.cost)
	}
	return cmp.Compare(a.entity, b.entity)
}

// source returns the back bond with the fewest triples to walk over, or -1.
func (s *search) source(st *step) (bondIndex, size int) {
	bondIndex = -1
	for _, bi := range st.back {
		b := &s.q.bonds[bi]
		o := b.other(st.node)
		if len(st.back) == 1 && s.q.nodes[st.node].free {
			return bi, 0 // there is nothing to choose between
		}
		if n := s.q.reach(b, o, s.bound[o]); bondIndex < 0 || n < size {
			bondIndex, size = bi, n
		}
	}
	return bondIndex, size
}

// neighbours appends the entities that the bond leads to from its bound end.
func (s *search) neighbours(list []choice, st *step, bondIndex int) []choice {
	b := &s.q.bonds[bondIndex]
	o := b.other(st.node)
	a := s.bound[o]
	ei := b.edges[0]
	single := len(b.edges) == 1
	if !single {
		ei, _ = s.q.narrowest(b, o, a)
	}
	e := &s.q.edges[ei]
	start, runs, sorted := len(list), 0, true
	s.q.runs(e, o, a, func(run []kg.Edge, c cost, mixed bool) {
		runs++
		sorted = sorted && !mixed && run[0].Relation == run[len(run)-1].Relation
		for _, x := range run {
			cx, ok := c, true
			if mixed {
				cx, ok = e.costOf(x.Relation)
			}
			if ok {
				list = append(list, choice{x.Entity, cx})
			}
		}
	})
	if runs > 1 || !sorted {
		list = distinct(list, start)
	}
	kept := list[:start]
	for _, c := range list[start:] {
		if single {
			kept = s.try(kept, st, bondIndex, c.entity, c.cost)
		} else {
			kept = s.try(kept, st, -1, c.entity, 0)
		}
	}
	return kept
}

// distinct sorts list[start:] by entity and keeps the cheapest choice of each.
func distinct(list []choice, start int) []choice {
	part := list[start:]
	slices.SortFunc(part, func(a, b choice) int {
		if a.entity != b.entity {
			return cmp.Compare(a.entity, b.entity)
		}
		return cmp.Compare(a.cost, b.cost)
	})
	return list[:start+len(slices.CompactFunc(part, func(a, b choice) bool { return a.entity == b.entity }))]
}

// try appends e where it may be bound at this step. The bond done is matched
// already at cost c; -1 is none.
func (s *search) try(list []choice, st *step, done int, e kg.EntityID, c cost) []choice {
	n := &s.q.nodes[st.node]
	if n.conflicts != 0 && s.clashes(n, e) {
		return list
	}
	if !n.free || len(n.filters) > 0 {
		nc, ok := n.costOf(s.q.g, e)
		if !ok {
			return list
		}
		c += nc
	}
	for _, bi := range st.back {
		if bi == done {
			continue
		}
		b := &s.q.bonds[bi]
		u, w := s.bound[b.u], s.bound[b.w]
		if b.u == st.node {
			u = e
		} else {
			w = e
		}
		bc, ok := s.q.bondCost(b, u, w)
		if !ok {
			return list
		}
		c += bc
	}
	for _, bi := range st.loops {
		bc, ok := s.q.bondCost(&s.q.bonds[bi], e, e)
		if !ok {
			return list
		}
		c += bc
	}
	return append(list, choice{e, c})
}

// clashes reports whether e is bound to a node that n may not share it with.
func (s *search) clashes(n *queryNode, e kg.EntityID) bool {
	for j, b := range s.bound {
		if b == e && n.conflicts&(1<<j) != 0 {
			return true
		}
	}
	return false
}
