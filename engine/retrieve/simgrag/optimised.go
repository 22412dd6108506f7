package simgrag

import (
	"cmp"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/pattern"
)

// sink takes the matches that a search finds.
type sink interface {
	// offer takes a full binding of the nodes at its cost. It must not keep the
	// slice.
	offer(nodes []kg.EntityID, c cost)
	// ceiling is the largest cost that a match may have to be kept; never where
	// there is none yet.
	ceiling() cost
	// hopeless reports whether no completion of a partial binding whose cost is
	// at least bound, which is not over the ceiling, can be kept. Unbound nodes are
	// kg.NoEntity.
	hopeless(nodes []kg.EntityID, bound cost) bool
	// enough reports whether there are as many matches as are asked for.
	enough() bool
}

// search is the optimised algorithm (§5.2) on one component of the pattern,
// binding a node at a time, the cheapest first.
type search struct {
	q     *query
	m     *meter
	out   sink
	steps []step
	bound []kg.EntityID // as the pattern's nodes
	bufs  []buffer      // by step

	// limit is the cost that matches are looked for up to; those up to offered
	// have been found before. next is the least bound over the limit.
	limit, offered, next cost
	left                 bool // something was over the ceiling

	// later[n][i] is the least bound over the limit that was met with node n, where
	// the search starts, bound to its ith candidate: up to there it has nothing new.
	later map[int][]cost
	tails map[tailKey]*tail   // of all passes
	hubs  map[hubKey]*hubList // of this pass
	kept  int                 // choices in hubs

	touched kg.RelationID // see warm
}

// buffer is the memory of one step, used again.
type buffer struct {
	list []choice
	runs []run
}

// choice is one way to bind the node of a step.
type choice struct {
	entity kg.EntityID
	cost   cost
	ahead  cost // what its tails cost above their least, as far as is known at once
}

func unbound(n int) []kg.EntityID {
	nodes := make([]kg.EntityID, n)
	for i := range nodes {
		nodes[i] = kg.NoEntity
	}
	return nodes
}

// optimised finds the matches of the component that the sink has a use for. It
// reports whether it left any out.
//
// It looks for the matches up to some cost first, and for dearer ones only where
// those are too few (iterative deepening, as in Korf's IDA*): so that what is
// dear is not touched before there is something to measure it by. A pass costs
// several times the one before, so that the last one counts.
func optimised(q *query, component []int, m *meter, out sink) (left bool) {
	const (
		first  = costUnit / 8 // above the least
		growth = 1.6
	)
	s := &search{q: q, m: m, out: out, bound: unbound(len(q.nodes)), offered: -1}
	s.bufs = make([]buffer, len(component))
	room := cost(first)
	if !q.graded(component) {
		room = never
	}
	for {
		s.steps = q.plan(component, room)
		s.limit, s.next = min(s.steps[0].rest+room, never), never
		s.hubs, s.kept = nil, 0
		s.tailsOf(s.steps)
		if s.expand(0, 0, 0); m.halted || s.next >= never {
			return s.left
		}
		if out.enough() {
			return true
		}
		s.offered = s.limit
		room = max(cost(float64(room)*growth), s.next-s.steps[0].rest)
	}
}

// graded reports whether matches of the component differ in cost and are found
// from candidates, so that the cheap ones can be looked for first.
func (q *query) graded(component []int) bool {
	start, costs := false, false
	for _, n := range component {
		start = start || len(q.nodes[n].entities) > 0
		costs = costs || q.nodes[n].costs != nil
		for _, b := range q.nodes[n].bonds {
			for _, e := range q.bonds[b].edges {
				costs = costs || q.edges[e].costs != nil
			}
		}
	}
	return start && costs
}

// room is what may still be spent above a bound.
func (s *search) room(bound cost) cost { return min(s.limit, s.out.ceiling()) - bound }

// over reports whether a bound is too high, for now or for good.
func (s *search) over(bound cost) bool {
	switch {
	case bound >= never:
	case bound > s.out.ceiling():
		s.m.pruned++
		s.left = true
	case bound > s.limit:
		s.next = min(s.next, bound)
	default:
		return false
	}
	return true
}

// expand binds the nodes of step i and later. sum is the cost of what is bound
// and ahead what the tails that hang on it cost above their least.
func (s *search) expand(i int, sum, ahead cost) {
	if i == len(s.steps) {
		if sum > s.offered {
			s.out.offer(s.bound, sum)
		}
		return
	}
	st := &s.steps[i]
	if st.closes != nil {
		ahead -= st.closes.now
	}
	switch base := sum + ahead + st.rest; {
	case len(st.back) == 0:
		s.start(i, sum, ahead)
	case !s.over(base):
		s.follow(i, sum, ahead)
	}
	s.bound[st.node] = kg.NoEntity
}

// start binds the node of a step that nothing leads to to its candidates, one by
// one, for there may be many. Those that a pass before has got everything from
// are passed by.
func (s *search) start(i int, sum, ahead cost) {
	st := &s.steps[i]
	n := &s.q.nodes[st.node]
	base := sum + ahead + st.rest - n.least()
	if later := s.laterOf(i); later != nil {
		s.startAgain(i, later, base, sum, ahead)
		return
	}
	n.each(s.q.g, func(e kg.EntityID, c cost) bool {
		return !s.over(base+c) && s.startAt(i, choice{entity: e, cost: c}, sum, ahead)
	})
}

// startAgain is start with what is known of the candidates from the passes
// before.
func (s *search) startAgain(i int, later []cost, base, sum, ahead cost) {
	n := &s.q.nodes[s.steps[i].node]
	var batch [warmed]kg.EntityID
	for at := 0; at < len(later); {
		from, size := at, 0
		for ; at < len(later) && size < warmed && base+n.at(at) <= s.limit; at++ {
			if later[at] <= s.limit {
				batch[size] = n.entities[at]
				size++
			}
		}
		if s.warm(batch[:size]); from == at {
			s.over(base + n.at(at))
			return
		}
		for ; from < at; from++ {
			if later[from] > s.limit {
				s.next = min(s.next, later[from])
				continue
			}
			c := choice{entity: n.entities[from], cost: n.at(from)}
			if s.over(base + c.cost) {
				return
			}
			before := s.next
			s.next = never
			ok := s.startAt(i, c, sum, ahead)
			later[from] = s.next
			if s.next = min(s.next, before); !ok {
				return
			}
		}
	}
}

// laterOf returns what to keep of the candidates of the node of step i; nil
// where something is bound that may be different the next time.
func (s *search) laterOf(i int) []cost {
	n := s.steps[i].node
	size := len(s.q.nodes[n].entities)
	if s.limit >= never || size <= 1 || i > 0 && !s.q.nodes[s.steps[i-1].node].only() {
		return nil
	}
	if s.later == nil {
		s.later = map[int][]cost{}
	}
	if s.later[n] == nil {
		s.later[n] = make([]cost, size)
	}
	return s.later[n]
}

// startAt binds the node of step i to c. It reports whether other choices are
// worth a look.
func (s *search) startAt(i int, c choice, sum, ahead cost) bool {
	st := &s.steps[i]
	x, ok := s.complete(i, c, -1, sum+ahead)
	if !ok {
		return s.m.tick()
	}
	// Where all cost the same, those of higher ids come later in the result.
	hopeless := s.visit(i, x, sum, ahead)
	return !s.m.halted && (!hopeless || !st.flat)
}

// follow binds the node of step i to what the nodes before it lead to: from the
// side that has less to look at.
func (s *search) follow(i int, sum, ahead cost) {
	st := &s.steps[i]
	n := &s.q.nodes[st.node]
	base := sum + ahead + st.rest
	room := s.room(base)
	bi, e := s.source(st)
	b := &s.q.bonds[bi]
	o := b.other(st.node)
	if h := s.hub(i, bi, s.bound[o]); h != nil {
		s.fromHub(i, h, bi, sum, ahead)
		return
	}
	runs, left := s.q.gather(s.bufs[i].runs[:0], e, o, s.bound[o], e.least+room)
	s.bufs[i].runs = runs
	s.over(base + above(left, e.least))
	size := sizeOf(runs)
	if len(n.entities) > 0 {
		if count := n.within(n.least() + room); count*dear < size {
			if count < len(n.entities) {
				s.over(base + n.at(count) - n.least())
			}
			s.candidates(i, n.entities[:count], sum, ahead)
			return
		}
	}
	for _, t := range st.tails {
		if n.free && t.pushed && len(t.long) == 0 && t.known.n*dear < size {
			s.over(base + t.absent)
			s.candidates(i, t.known.entities(), sum, ahead)
			return
		}
	}
	done := -1
	if len(b.edges) == 1 && e.said == nil { // else the triple itself is looked at
		done = bi
	}
	if e.costs != nil && len(runs) > 1 {
		slices.SortFunc(runs, compareRuns)
	}
	s.neighbours(i, runs, e, done, sum, ahead)
}

// source returns the back bond with the fewest triples to walk over, and which
// of its edges has them.
func (s *search) source(st *step) (bond int, e *queryEdge) {
	bond = st.back[0]
	if es := s.q.bonds[bond].edges; len(st.back) == 1 && len(es) == 1 {
		return bond, &s.q.edges[es[0]]
	}
	least, edge := -1, 0
	for _, bi := range st.back {
		b := &s.q.bonds[bi]
		o := b.other(st.node)
		if x, n := s.q.narrowest(b, o, s.bound[o]); least < 0 || n < least {
			bond, edge, least = bi, x, n
		}
	}
	return bond, &s.q.edges[edge]
}

// candidates binds the node of step i to those of some entities that fit.
func (s *search) candidates(i int, entities []kg.EntityID, sum, ahead cost) {
	n := &s.q.nodes[s.steps[i].node]
	list := s.bufs[i].list[:0]
	for _, e := range entities {
		if !s.m.work(few) {
			return
		}
		if c, ok := n.allows(s.q.g, e); ok {
			if x, ok := s.complete(i, choice{entity: e, cost: c}, -1, sum+ahead); ok {
				list = append(list, x)
			}
		}
	}
	s.bufs[i].list = list
	s.visitAll(i, list, sum, ahead)
}

// visitAll binds the node of step i to each of the choices, the most promising
// first: the greedy order of §5.2.
func (s *search) visitAll(i int, list []choice, sum, ahead cost) {
	slices.SortFunc(list, compareChoices)
	for k, c := range list {
		if k%warmed == 0 && i+1 < len(s.steps) && len(list) > 1 {
			s.warmChoices(list[k:min(k+warmed, len(list))])
		}
		if s.visit(i, c, sum, ahead); s.m.halted {
			return
		}
	}
}

func compareChoices(a, b choice) int {
	if x, y := a.cost+a.ahead, b.cost+b.ahead; x != y {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(a.entity, b.entity)
}

// visit binds the node of step i to c and goes on with the next step, unless
// nothing can come of it.
func (s *search) visit(i int, c choice, sum, ahead cost) (hopeless bool) {
	if !s.m.tick() {
		return true
	}
	st := &s.steps[i]
	s.bound[st.node] = c.entity
	sum += c.cost
	bound := sum + ahead
	if i+1 < len(s.steps) {
		bound += s.steps[i+1].rest
	}
	if s.over(bound) {
		return true
	}
	for _, t := range st.tails {
		t.now = t.excess(s, c.entity, s.room(bound))
		ahead += t.now
		if bound += t.now; s.over(bound) {
			return true
		}
	}
	if s.out.hopeless(s.bound, bound) {
		s.m.pruned++
		return true
	}
	s.expand(i+1, sum, ahead)
	return false
}

// complete adds to c, which holds the cost of the node itself and of the bond
// done (-1: none), what else the step costs. It reports whether the node of step
// i may be bound so.
func (s *search) complete(i int, c choice, done int, before cost) (choice, bool) {
	st := &s.steps[i]
	n := &s.q.nodes[st.node]
	if n.conflicts != 0 && n.clashes(c.entity, s.bound) || !pattern.Passes(s.q.g, c.entity, n.filters) {
		return c, false
	}
	// after is the least that all but this step costs.
	after := before + st.rest - n.least()
	if done >= 0 {
		after -= s.q.bonds[done].least
	}
	for _, bonds := range [2][]int{st.back, st.loops} {
		for _, bi := range bonds {
			if bi == done {
				continue
			}
			b := &s.q.bonds[bi]
			x, ok := s.join(b, st.node, c.entity)
			if !ok {
				return c, false
			}
			c.cost += x
			if after -= b.least; s.over(after + c.cost) {
				return c, false
			}
		}
	}
	if c.ahead = s.pushed(st, c.entity, s.room(after+c.cost)); c.ahead > 0 && s.over(after+c.cost+c.ahead) {
		return c, false
	}
	return c, true
}

// join returns the cost of bond b with node n bound to e, and whether it can be
// matched.
func (s *search) join(b *bond, n int, e kg.EntityID) (cost, bool) {
	u, w := s.bound[b.u], s.bound[b.w]
	if b.u == n {
		u = e
	}
	if b.w == n {
		w = e
	}
	return s.q.bondCost(b, u, w)
}

// clashes reports whether e is bound to a node that n may not share it with.
func (n *queryNode) clashes(e kg.EntityID, bound []kg.EntityID) bool {
	for j, b := range bound {
		if b == e && n.conflicts&(1<<j) != 0 {
			return true
		}
	}
	return false
}
