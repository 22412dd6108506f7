package query

import (
	"maps"
	"slices"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/match"
	"cairn/engine/pattern"
	"cairn/internal/wording"
)

// Numbers of what one edge leads to are read off the graph's rows: what it joins is not
// listed, but for the evidence.

// spokes are the bindings of a part of one edge, seen from one of its nodes.
type spokes struct {
	*evaluation

	edge      *match.Edge
	at        int // the hub's node
	hub, leaf *match.Node
	list      []kg.EntityID // see hubs
	forward   bool          // the edge leads from the hub
	apart     bool
	found     []kg.EntityID
}

// spokesOf sees a part from a node of the pattern. It is nil and false where the part is
// more than one edge.
func (x *evaluation) spokesOf(p *part, hub int) (*spokes, bool) {
	at := p.local(hub)
	if at < 0 || len(p.nodes) != 2 || len(p.query.Edges) != 1 || len(p.closures)+len(p.thans) > 0 || p.query.Edges[0].Relations == nil || p.query.Edges[0].From == p.query.Edges[0].To {
		return nil, false
	}
	e := &p.query.Edges[0]
	return &spokes{evaluation: x, edge: e, at: at, hub: &p.query.Nodes[at], leaf: &p.query.Nodes[1-at], forward: e.From == at, apart: p.query.Nodes[at].Distinct != 0}, true
}

// hubs are what the hub may be, as far as its list and the edge's relations tell.
func (s *spokes) hubs() []kg.EntityID {
	if s.list == nil {
		if s.list = s.hub.In; s.list == nil {
			s.list = s.edge.Having(s.g, s.at)
		}
	}
	return s.list
}

// fewer reports whether there is less to look at from the hub than from the other end.
func (s *spokes) fewer() bool {
	return s.leaf.Keep == nil && (s.leaf.In == nil || len(s.leaf.In) >= len(s.hubs()))
}

// count is how many things are joined to an entity; none where the hub may not be that.
func (s *spokes) count(hub kg.EntityID) int {
	if !allows(s.hub, hub) {
		return 0
	}
	return len(s.leaves(hub, every))
}

// each yields what the hub may be, ascending, with how many things are joined to it.
func (s *spokes) each(yield func(t tally)) {
	for _, e := range s.hubs() {
		s.work(1)
		if s.hub.Keep != nil && !s.hub.Keep(e) {
			continue
		}
		if n := len(s.leaves(e, every)); n > 0 {
			yield(tally{e, uint32(n)}) //nolint:gosec // an id has 32 bits
		}
	}
}

// joined yields what the hub may be, ascending, that has something joined to it. Where the
// edge has all that it may join, rows are looked at only of what is at both of its ends.
func (s *spokes) joined(yield func(hub kg.EntityID) bool) {
	var both []kg.EntityID
	sure := s.hub.In == nil && s.leaf.In == nil && s.edge.Keep == nil
	if sure && s.apart {
		both = s.edge.Having(s.g, s.edge.From+s.edge.To-s.at)
	}
	for _, e := range s.hubs() {
		s.work(1)
		for len(both) > 0 && both[0] < e {
			both = both[1:]
		}
		loops := len(both) > 0 && both[0] == e
		if (s.hub.Keep == nil || s.hub.Keep(e)) && (sure && !loops || len(s.leaves(e, 1)) > 0) && !yield(e) {
			return
		}
	}
}

// leaves are the first things that are joined to a hub, ascending. They are good until the
// next ones.
func (s *spokes) leaves(hub kg.EntityID, first int) []kg.EntityID {
	s.found = s.found[:0]
	several := s.edge.Either || len(s.edge.Relations) != 1
	add := func(run []kg.Edge) {
		s.work(len(run))
		for _, t := range run {
			switch n := len(s.found); {
			case !several && n == first:
				return
			case n > 0 && s.found[n-1] == t.Entity, s.apart && t.Entity == hub:
				continue
			}
			if s.leaf.In != nil {
				if !kg.Holds(s.leaf.In, t.Entity) {
					continue
				}
			}
			if (s.edge.Keep == nil || s.edge.Keep(t.Triple)) && (s.leaf.Keep == nil || s.leaf.Keep(t.Entity)) {
				s.found = append(s.found, t.Entity)
			}
		}
	}
	for _, r := range s.edge.Relations {
		if s.forward || s.edge.Either {
			add(s.g.OutBy(hub, r))
		}
		if !s.forward || s.edge.Either {
			add(s.g.InBy(hub, r))
		}
	}
	if several {
		s.found = kg.Distinct(s.found)
	}
	return s.found[:min(first, len(s.found))]
}

// tally is how many things there are of one group.
type tally struct {
	per kg.EntityID
	n   uint32
}

// every is more things than there are.
const every = 1 << 32

// tallySpokes counts what is asked for where that is what one edge leads to. It reports
// whether it is; x.rows are then for the evidence alone, and made with the answers.
func (x *evaluation) tallySpokes() bool {
	m, o := x.p.Measure, x.p.Order
	if m == nil || m.Func != pattern.CountOf || m.Property != "" || m.Per < 0 || m.Per == m.Node || len(x.groups) > 0 || o != nil && o.Node != pattern.Measured {
		return false
	}
	if x.p.Asked != m.Per || len(x.nodes) != 2 || x.column(m.Per) < 0 || x.column(m.Node) < 0 || slices.ContainsFunc(x.main.nodes, func(n int) bool { return !x.p.Nodes[n].Variable }) {
		return false
	}
	s, ok := x.spokesOf(x.main, m.Per)
	if !ok || !s.fewer() {
		return false
	}
	x.spokes, x.rows = s, rows{width: len(x.nodes)}
	rows := 0
	defer func() { x.step("%s outside branches", wording.Count(rows, "row", "rows")) }()
	s.each(func(t tally) {
		rows += int(t.n)
		x.tallied = append(x.tallied, t)
	})
	return true
}

// spokeRows makes rows of the first answers.
func (x *evaluation) spokeRows() {
	hub := x.column(x.p.Measure.Per)
	for _, a := range x.found.Answers[:min(len(x.found.Answers), x.limits.Shown)] {
		for _, e := range x.spokes.leaves(a.Entity, x.limits.Shown) {
			row := [2]kg.EntityID{e, e}
			row[hub] = a.Entity
			x.rows.ids = append(x.rows.ids, row[:]...)
		}
	}
	x.rows.compact()
}

// tallies counts by group what x.rows have of what is counted.
func (x *evaluation) tallies() (all []tally) {
	if x.spokes != nil {
		return x.tallied
	}
	pairs := x.columns(x.p.Measure.Per, x.p.Measure.Node)
	x.work(pairs.len())
	return pairs.tallies()
}

// tallies counts the rows, which are sorted, by their first column.
func (r *rows) tallies() (all []tally) {
	for i := range r.len() {
		if e := r.at(i)[0]; len(all) == 0 || all[len(all)-1].per != e {
			all = append(all, tally{per: e})
		}
		all[len(all)-1].n++
	}
	return all
}

// counts are the numbers of groups: where the first ranks are asked for, of those alone.
func (x *evaluation) counts(all []tally) (out []amount) {
	m, o := x.p.Measure, x.p.Order
	if m.Per < 0 && len(all) == 0 {
		all = []tally{{kg.NoEntity, 0}}
	}
	of := map[uint32]int{}
	for _, t := range all {
		of[t.n]++
	}
	if o != nil && o.Node == pattern.Measured && !m.Every && m.Fold == nil {
		numbers := slices.Sorted(maps.Keys(of))
		if o.Descending {
			slices.Reverse(numbers)
		}
		groups, ranks := 0, 0
		for _, n := range numbers {
			if ranks++; ranks > o.Skip {
				if groups += of[n]; groups >= o.Limit {
					break
				}
			}
		}
		for _, n := range numbers[ranks:] {
			delete(of, n)
		}
	}
	for _, t := range all {
		if of[t.n] > 0 {
			n := float64(t.n)
			out = append(out, amount{per: t.per, n: int(t.n), Amount: evidence.Amount{Value: n, Text: wording.Amount(n, "")}})
		}
	}
	return out
}
