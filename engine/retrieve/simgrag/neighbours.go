package simgrag

import (
	"cmp"
	"slices"

	"cairn/engine/kg"
	"cairn/internal/wording"
)

// block is how many neighbours are listed before the first of them is bound.
const block = 4096

// neighbours binds the node of step i to where runs of edge e lead, which come
// by cost: block by block, so that the dear runs of a hub are not touched where
// the cheap ones bring enough.
func (s *search) neighbours(i int, runs []run, e *queryEdge, done int, sum, ahead cost) {
	st := &s.steps[i]
	n := &s.q.nodes[st.node]
	base := sum + ahead + st.rest
	for from := 0; from < len(runs); {
		if s.over(base + runs[from].cost - e.least) {
			return
		}
		now, earlier := runs[from:], runs[:from]
		to, size := nextBlock(now)
		now = now[:to]
		from += to
		if size > block && (n.free || n.kinds != nil) && !slices.ContainsFunc(st.tails, func(t *tail) bool { return t.pushed }) {
			if !s.stream(i, now, earlier, done, sum, ahead) {
				return
			}
			continue
		}
		list := s.list(i, now, earlier, e, done, sum, ahead)
		if s.m.halted {
			return
		}
		if s.visitAll(i, list, sum, ahead); s.m.halted {
			return
		}
	}
}

// nextBlock returns the end of the first block of runs, and its size: all runs of
// one cost, and more while they are small.
func nextBlock(runs []run) (to, size int) {
	for to < len(runs) {
		end, more := to, 0
		for ; end < len(runs) && runs[end].cost == runs[to].cost; end++ {
			more += len(runs[end].edges)
		}
		if to > 0 && size+more > block {
			break
		}
		to, size = end, size+more
	}
	return to, size
}

// list lists the ways to bind the node of step i to where runs lead, each entity
// once at its cheapest. Those that earlier runs lead to have been there before.
func (s *search) list(i int, runs, earlier []run, e *queryEdge, done int, sum, ahead cost) []choice {
	st := &s.steps[i]
	n := &s.q.nodes[st.node]
	base := sum + ahead + st.rest - e.least - n.least()
	room := s.room(base)
	list := s.bufs[i].list[:0]
	for _, r := range runs {
		if !s.m.work(len(r.edges)) {
			return nil
		}
		for _, x := range r.edges {
			c, ok := n.allows(s.q.g, x.Entity)
			if c += r.cost; !ok || c > room && s.over(base+c) {
				continue
			}
			if ahead := s.pushed(st, x.Entity, room-c); c+ahead > room && s.over(base+c+ahead) {
				continue
			}
			list = append(list, choice{entity: x.Entity, cost: c})
		}
	}
	if len(runs) > 1 {
		slices.SortFunc(list, compareSame)
		list = slices.CompactFunc(list, func(a, b choice) bool { return a.entity == b.entity })
	}
	kept := list[:0]
	for _, c := range list {
		if met(earlier, c.entity) {
			continue
		}
		if done < 0 {
			c.cost, _ = n.allows(s.q.g, c.entity)
		}
		if x, ok := s.complete(i, c, done, sum+ahead); ok {
			kept = append(kept, x)
		}
		if s.m.halted {
			return nil
		}
	}
	s.bufs[i].list = kept
	return kept
}

// compareSame puts the choices of an entity side by side, the cheapest first.
func compareSame(a, b choice) int {
	return cmp.Or(cmp.Compare(a.entity, b.entity), cmp.Compare(a.cost, b.cost))
}

// pushed is what the tails that know all entities know of one.
func (s *search) pushed(st *step, e kg.EntityID, room cost) (c cost) {
	for _, t := range st.tails {
		if t.pushed && c <= room {
			c += t.peek(e, room-c)
		}
	}
	return c
}

// met reports whether one of the runs leads to e.
func met(runs []run, e kg.EntityID) bool {
	return slices.ContainsFunc(runs, func(r run) bool {
		_, ok := r.in(e)
		return ok
	})
}

// stream binds the node of step i to where many edges of one cost lead, as they
// come, by id: the first few may be all that is wanted. It reports whether
// dearer runs are worth a look.
func (s *search) stream(i int, runs, earlier []run, done int, sum, ahead cost) bool {
	st := &s.steps[i]
	// Where nothing but the run decides the cost, those of higher ids come later
	// in the result.
	n := &s.q.nodes[st.node]
	alike := done >= 0 && len(st.back) == 1 && len(st.loops) == 0 && len(st.tails) == 0
	more := true
	merge(runs, func(e kg.EntityID) bool {
		if !s.m.work(1) {
			return false
		}
		if _, ok := n.allows(s.q.g, e); !ok || met(earlier, e) {
			return true
		}
		c := choice{entity: e}
		if done >= 0 {
			c.cost = runs[0].cost
		}
		c, ok := s.complete(i, c, done, sum+ahead)
		if !ok {
			return !s.m.halted
		}
		hopeless := s.visit(i, c, sum, ahead)
		more = !hopeless || !alike
		return more && !s.m.halted
	})
	return more && !s.m.halted
}

// merge calls f with the entities that runs lead to, ascending, each once, as
// long as f says so.
func merge(runs []run, f func(kg.EntityID) bool) {
	rows := wording.Each(runs, func(r run) []kg.Edge { return r.edges })
	var all kg.Union
	all.Start(rows)
	for e, ok := all.Seek(0); ok && f(e); {
		e, ok = all.Seek(e + 1)
	}
}
