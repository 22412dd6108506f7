package simgrag

import (
	"slices"

	"cairn/engine/kg"
)

// A hub is met again and again, with something else bound before it each time,
// and walking over its neighbours takes long. So from the second time on the few
// of them that the next node may be bound to are kept, for one pass.

const (
	// hubDegree is the number of triples that makes a hub.
	hubDegree = 1024
	// hubsKept bounds the choices that are kept of all hubs: 48 MB.
	hubsKept = 1 << 21
	// dear is how many times as long as a neighbour a candidate is looked at:
	// whether it is joined to an entity is found in its own neighbourhood, which
	// lies elsewhere in memory.
	dear = 48
)

// hubKey is a hub that a step starts from.
type hubKey struct {
	step   int
	entity kg.EntityID
}

// hubList are the ways to bind the node of a step next to a hub, as far as the
// hub, the node and the tails that know all entities say: cheapest first.
type hubList struct {
	list []choice
	left cost // the least excess of those left out, or never
	made bool
}

// hub returns what is kept of entity a, where it is a hub that is met again and
// the node of step i takes few of its neighbours; else nil.
func (s *search) hub(i, bond int, a kg.EntityID) *hubList {
	st := &s.steps[i]
	n := &s.q.nodes[st.node]
	edges := s.q.bonds[bond].edges
	if len(edges) > 1 || s.q.edges[edges[0]].said != nil || len(s.q.g.Out(a))+len(s.q.g.In(a)) < hubDegree {
		return nil
	}
	sieved := n.costs != nil || len(n.entities) > 0 && len(n.entities) <= block
	if !sieved && !slices.ContainsFunc(st.tails, func(t *tail) bool { return t.pushed }) {
		return nil
	}
	if s.hubs == nil {
		s.hubs = map[hubKey]*hubList{}
	}
	key := hubKey{i, a}
	h, again := s.hubs[key]
	if !again {
		s.hubs[key] = &hubList{}
		return nil
	}
	if !h.made {
		if s.kept > hubsKept {
			return nil
		}
		s.make(h, i, bond, a)
		s.kept += len(h.list)
	}
	return h
}

// make fills h with what any partial match may need.
func (s *search) make(h *hubList, i, bond int, a kg.EntityID) {
	st := &s.steps[i]
	n := &s.q.nodes[st.node]
	b := &s.q.bonds[bond]
	e := &s.q.edges[b.edges[0]]
	o := b.other(st.node)
	room := s.room(s.steps[0].rest)
	h.made, h.left = true, never
	add := func(x kg.EntityID, c cost) {
		if over := c - e.least - n.least(); over > room {
			h.left = min(h.left, over)
			return
		}
		ahead := s.pushed(st, x, room-(c-e.least-n.least()))
		if over := c - e.least - n.least() + ahead; over > room {
			h.left = min(h.left, over)
			return
		}
		h.list = append(h.list, choice{x, c, ahead})
	}
	runs, left := s.q.gather(nil, e, o, a, e.least+room)
	h.left = above(left, e.least)
	if count := n.within(n.least() + room); len(n.entities) > 0 && count*dear < sizeOf(runs) {
		if count < len(n.entities) {
			h.left = min(h.left, n.at(count)-n.least())
		}
		for k, x := range n.entities[:count] {
			if c, ok := s.join(b, st.node, x); ok {
				add(x, c+n.at(k))
			}
			if !s.m.work(few) {
				return
			}
		}
	} else {
		for _, r := range runs {
			for _, x := range r.edges {
				if c, ok := n.allows(s.q.g, x.Entity); ok {
					add(x.Entity, c+r.cost)
				}
			}
			if !s.m.work(len(r.edges)) {
				return
			}
		}
		slices.SortFunc(h.list, compareSame)
		h.list = slices.CompactFunc(h.list, func(a, b choice) bool { return a.entity == b.entity })
	}
	slices.SortFunc(h.list, compareChoices)
}

// fromHub binds the node of step i to what is kept of a hub over a bond.
func (s *search) fromHub(i int, h *hubList, bond int, sum, ahead cost) {
	st := &s.steps[i]
	n := &s.q.nodes[st.node]
	base := sum + ahead + st.rest
	s.over(base + h.left)
	base -= s.q.edges[s.q.bonds[bond].edges[0]].least + n.least()
	list := s.bufs[i].list[:0]
	for _, c := range h.list {
		if s.over(base + c.cost + c.ahead) {
			break
		}
		c.ahead = 0
		if x, ok := s.complete(i, c, bond, sum+ahead); ok {
			list = append(list, x)
		}
		if !s.m.work(1) {
			return
		}
	}
	s.bufs[i].list = list
	s.visitAll(i, list, sum, ahead)
}

// sizeOf counts the edges of runs.
func sizeOf(runs []run) (size int) {
	for _, r := range runs {
		size += len(r.edges)
	}
	return size
}
