package simgrag

import (
	"cmp"
	"slices"

	"cairn/engine/kg"
)

// tail looks ahead: from an entity bound to one node, how much more than the
// least must it cost to bind a neighbouring node, and what hangs on that one?
//
//	root ── … ── parent ──edge── child ── its tails
//
// The answer is a lower bound, exact but for entities that a match may not use
// twice. It is found from the parent's side, by walking over the neighbours of
// one entity, and remembered; or, once that was much work, from the child's
// side for all entities at once, by walking over the neighbours of the child's
// candidates. That is the semi-join that hubs need: a hub has more neighbours
// than all candidates of a name have together.
type tail struct {
	parent, child int // nodes
	edge          *queryEdge
	tails         []*tail // of the child

	// known holds what was found, by the entity of the parent.
	known table
	// pushed says that known came from the child's side: what is in neither known
	// nor long costs absent or more.
	pushed bool
	absent cost
	long   []longRun

	spent int  // work done from the parent's side
	now   cost // of the entity that is bound to the parent
	runs  []run
}

// longRun is a run from a candidate of the child to many entities, at their
// price: they are searched, not put into the table.
type longRun struct {
	run
	price cost
}

// tailsOf gives steps their tails. Nodes without a back bond get none: each of
// their entities is met once, and walked over at once.
func (q *query) tailsOf(steps []step) {
	at := make([]int, len(q.nodes))
	for i := range steps {
		at[steps[i].node] = i
	}
	for i := len(steps) - 1; i > 0; i-- {
		st := &steps[i]
		n := &q.nodes[st.node]
		parent, bond := len(steps), -1
		for _, bi := range st.back {
			if p := at[q.bonds[bi].other(st.node)]; p < parent && len(steps[p].back) > 0 {
				parent, bond = p, bi
			}
		}
		if bond < 0 {
			continue
		}
		e := &q.edges[q.bonds[bond].edges[0]]
		if e.costs == nil && len(n.entities) == 0 && len(st.tails) == 0 {
			continue // it costs nothing whatever it is
		}
		t := &tail{parent: steps[parent].node, child: st.node, edge: e, tails: st.tails}
		steps[parent].tails = append(steps[parent].tails, t)
		st.closes = t
	}
}

// peek returns what is known of x without work.
func (t *tail) peek(x kg.EntityID) cost {
	c, ok := t.known.get(x)
	if !t.pushed {
		return c
	}
	if !ok {
		c = t.absent
	}
	for _, r := range t.long {
		if r.price >= c {
			break
		}
		if _, ok := r.in(x); ok {
			return r.price
		}
	}
	return c
}

// excess returns a lower bound on what the tail costs above its least where the
// parent is x; never where it cannot be bound. More than room may be any number
// more than room.
func (t *tail) excess(s *search, x kg.EntityID, room cost) cost {
	// A remembered entity takes some 32 bytes.
	const remember = 1 << 20
	if t.pushed {
		return t.peek(x)
	}
	if c, ok := t.known.get(x); ok {
		return c
	}
	c := t.pull(s, x, room)
	if t.known.n < remember {
		t.known.lower(x, c)
	}
	if n := &s.q.nodes[t.child]; len(n.entities) > 0 {
		// A candidate takes some 16 times the work of an edge: it has several, and
		// they lie elsewhere.
		const dear = 16
		if all := s.room(s.steps[0].rest); t.spent > dear*n.within(n.least()+all) {
			t.push(s, all)
		}
	}
	return c
}

// pull finds the excess of x from its neighbours.
func (t *tail) pull(s *search, x kg.EntityID, room cost) cost {
	n, e := &s.q.nodes[t.child], t.edge
	runs, left := s.q.gather(t.runs[:0], e, t.parent, x, e.least+room)
	t.runs = runs
	t.spent += few + len(runs)
	best := above(left, e.least)
	if n.free && len(t.tails) == 0 {
		for _, r := range runs {
			best = min(best, r.cost-e.least)
		}
		return best
	}
	if e.costs != nil && len(runs) > 1 {
		slices.SortFunc(runs, compareRuns)
	}
	// What hangs on the child is looked into for some of the neighbours only.
	looks := 256
	for _, r := range runs {
		over := r.cost - e.least
		if over >= best {
			break
		}
		t.spent += len(r.edges)
		if !s.m.work(len(r.edges)) {
			return over
		}
		for _, y := range r.edges {
			c, ok := n.allows(s.q.g, y.Entity)
			if !ok {
				continue
			}
			c += over - n.least()
			for _, ahead := range t.tails {
				if c >= best || c > room {
					break
				}
				if looks--; looks < 0 {
					return min(best, over)
				}
				c += ahead.excess(s, y.Entity, room-c)
			}
			if best = min(best, c); best == over {
				return best
			}
		}
	}
	return best
}

// push finds the excess of all entities from the child's candidates, as far as
// it is room or less.
func (t *tail) push(s *search, room cost) {
	// So many edges are searched rather than copied, in so many runs.
	const (
		long  = 512
		longs = 32
	)
	n, e := &s.q.nodes[t.child], t.edge
	t.known, t.long, t.absent = table{}, nil, never
	count := n.within(n.least() + room)
	if count < len(n.entities) {
		t.absent = n.at(count) - n.least()
	}
	for i, b := range n.entities[:count] {
		over := n.at(i) - n.least()
		runs, left := s.q.gather(t.runs[:0], e, t.child, b, e.least+room-over)
		t.runs = runs
		t.absent = min(t.absent, over+above(left, e.least))
		for _, r := range runs {
			price := over + r.cost - e.least
			if len(r.edges) > long {
				t.long = append(t.long, longRun{r, price})
				continue
			}
			if !t.copy(s, r, price) {
				return
			}
		}
	}
	slices.SortFunc(t.long, func(a, b longRun) int { return cmp.Compare(len(b.edges), len(a.edges)) })
	for _, r := range t.long[min(longs, len(t.long)):] {
		if !t.copy(s, r.run, r.price) {
			return
		}
	}
	t.long = t.long[:min(longs, len(t.long))]
	slices.SortFunc(t.long, func(a, b longRun) int { return cmp.Compare(a.price, b.price) })
	t.pushed = true
}

// copy puts the entities of a run into the table. It reports whether the search
// may go on.
func (t *tail) copy(s *search, r run, price cost) bool {
	for _, x := range r.edges {
		t.known.lower(x.Entity, price)
	}
	return s.m.work(few + len(r.edges))
}

// above is how far a cost lies above the least; what never is stays never.
func above(c, least cost) cost {
	if c >= never {
		return never
	}
	return c - least
}
