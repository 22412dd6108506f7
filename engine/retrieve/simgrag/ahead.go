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
	// nor long costs absent or more. later[i] is the least price of what the child's
	// ith candidate leads to that is not there yet.
	pushed bool
	absent cost
	long   []longRun
	far    []uint64 // bit x is set where long leads to entity x
	later  []cost

	spent int  // work done from the parent's side
	now   cost // of the entity that is bound to the parent
	runs  []run
}

// tailKey says which tail is which, for the next pass.
type tailKey struct{ parent, bond int }

// longRun is a run from a candidate of the child to many entities, at their
// price: they are searched, not put into the table.
type longRun struct {
	run
	price cost
}

// tailsOf gives steps their tails. Nodes without a back bond get none: each of
// their entities is met once, and walked over at once.
func (s *search) tailsOf(steps []step) {
	if len(steps) < 3 {
		return
	}
	q := s.q
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
		key := tailKey{steps[parent].node, bond}
		if s.tails == nil {
			s.tails = map[tailKey]*tail{}
		}
		t := s.tails[key]
		if t == nil || !slices.Equal(t.tails, st.tails) {
			t = &tail{parent: key.parent, child: st.node, edge: e, tails: st.tails}
			s.tails[key] = t
		}
		if t.pushed {
			t.push(s, s.room(steps[0].rest))
		}
		steps[parent].tails = append(steps[parent].tails, t)
		st.closes = t
	}
}

// peek returns the excess of x where all entities are known, without work. More
// than room may be any number more than room.
func (t *tail) peek(x kg.EntityID, room cost) cost {
	c := t.absent
	if k := t.known.get(x); k != nil {
		c = k.cost
	}
	if t.far == nil || t.far[x/64]&(1<<(x%64)) == 0 {
		return c
	}
	for _, r := range t.long {
		if r.price >= c {
			break
		}
		if r.price > room {
			return r.price
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
		return t.peek(x, room)
	}
	if k := t.known.get(x); k != nil && (k.cost > room || !k.rough) {
		return k.cost
	}
	c, rough := t.pull(s, x, room)
	if t.known.n < remember {
		t.known.put(x, c, rough)
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

// pull finds the excess of x from its neighbours. A rough one is more than room
// and comes of a relation or a candidate that was left out for it.
func (t *tail) pull(s *search, x kg.EntityID, room cost) (best cost, rough bool) {
	n, e := &s.q.nodes[t.child], t.edge
	runs, left := s.q.gather(t.runs[:0], e, t.parent, x, e.least+room)
	t.runs = runs
	t.spent += few + len(runs)
	best, rough = above(left, e.least), left < never
	if n.free && len(t.tails) == 0 {
		for _, r := range runs {
			if c := r.cost - e.least; c < best {
				best, rough = c, false
			}
		}
		return best, rough
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
			return over, true
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
					return min(best, over), false
				}
				c += ahead.excess(s, y.Entity, room-c)
			}
			if c < best {
				best, rough = c, c > room
			}
			if best == over {
				return best, rough
			}
		}
	}
	return best, rough
}

// push finds the excess of all entities from the child's candidates, as far as
// it is room or less, and adds it to what was found with less room.
func (t *tail) push(s *search, room cost) {
	// So many edges are searched rather than copied.
	const long = 1024
	n, e := &s.q.nodes[t.child], t.edge
	if !t.pushed {
		t.known, t.pushed = table{}, true
	}
	t.absent = never
	count := n.within(n.least() + room)
	if count < len(n.entities) {
		t.absent = n.at(count) - n.least()
	}
	for len(t.later) < count {
		t.later = append(t.later, n.at(len(t.later))-n.least())
	}
	for i, from := range t.later[:count] {
		if i%warmed == 0 {
			s.warm(n.entities[i:min(i+warmed, count)])
		}
		if from > room {
			t.absent = min(t.absent, from)
			continue
		}
		over := n.at(i) - n.least()
		runs, left := s.q.gather(t.runs[:0], e, t.child, n.entities[i], e.least+room-over)
		t.runs = runs
		t.later[i] = over + above(left, e.least)
		t.absent = min(t.absent, t.later[i])
		for _, r := range runs {
			price := over + r.cost - e.least
			switch {
			case price < from: // it is there
			case len(r.edges) > long:
				t.long = append(t.long, longRun{r, price})
				t.mark(r, s.q.g.Entities())
				if !s.m.work(len(r.edges)) {
					return
				}
			default:
				for _, x := range r.edges {
					t.known.lower(x.Entity, price)
				}
			}
		}
		if !s.m.work(few + len(runs)) {
			return
		}
	}
	slices.SortFunc(t.long, func(a, b longRun) int { return cmp.Compare(a.price, b.price) })
}

// mark notes where a run of a graph of n entities leads to.
func (t *tail) mark(r run, n int) {
	if t.far == nil {
		t.far = make([]uint64, n/64+1)
	}
	for _, x := range r.edges {
		t.far[x.Entity/64] |= 1 << (x.Entity % 64)
	}
}

// above is how far a cost lies above the least; what never is stays never.
func above(c, least cost) cost {
	if c >= never {
		return never
	}
	return c - least
}
