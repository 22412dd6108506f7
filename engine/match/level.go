package match

import (
	"math"

	"cairn/engine/kg"
)

// level binds one node: it walks over what the shortest of its sources offers, and
// leaps in the others.
type level struct {
	node    int
	at      uint64 // the least entity still to come; beyond the largest at the end
	sources []source
	used    int
	driver  int           // the source that is walked over; -1: ids; -2: all entities
	ids     []kg.EntityID // candidates from at on, where they are walked over
}

// source is what one edge from a bound neighbour offers a node.
type source struct {
	kg.Union
	// far says that it is dearer to leap in its many runs than to look whether two
	// entities are joined.
	far  bool
	fan  *fan
	edge int
	from int // the neighbour
}

const (
	walkIDs = -1
	walkAll = -2
	// few runs are leapt in one by one.
	few = 8
)

// open makes ready to bind node n.
func (s *search) open(l *level, n int) {
	x := &s.nodes[n]
	l.node, l.at, l.used = n, 0, 0
	l.ids, l.driver = x.ids, walkIDs
	if x.all {
		l.driver = walkAll
	}
	least := x.size(s.g)
	for _, bi := range x.bonds {
		b := &s.bonds[bi]
		from := b.other(n)
		if s.bound>>from&1 == 0 {
			continue
		}
		for j := range b.edges {
			f := &b.fans[j]
			if l.used == len(l.sources) {
				l.sources = append(l.sources, source{})
			}
			src := &l.sources[l.used]
			src.fan, src.edge, src.from, src.far = f, b.edges[j], from, len(f.runs) > few
			if f.size < least {
				l.driver, least = l.used, f.size
			}
			l.used++
			if !src.far {
				src.Start(f.runs)
			}
		}
	}
	if l.driver >= 0 && l.sources[l.driver].far {
		l.sources[l.driver].Start(l.sources[l.driver].fan.runs)
	}
}

// advance returns the next entity that the node of l may be bound to.
func (s *search) advance(l *level) (kg.EntityID, bool) {
	n := &s.nodes[l.node]
	for l.at <= math.MaxUint32 && s.work(1) {
		e, ok := s.step(l)
		if !ok {
			return 0, false
		}
		s.stats.Considered++
		l.at = uint64(e) + 1
		leap, ok := s.meet(l, e)
		if !ok {
			return 0, false
		}
		if leap != e {
			l.at = uint64(leap)
			continue
		}
		if l.driver != walkIDs && !n.has(e, s.g) || s.clashes(n, e) || n.keep != nil && !n.keep(e) || !s.closes(l, e) {
			continue
		}
		return e, true
	}
	return 0, false
}

// step returns the next entity of what is walked over.
func (s *search) step(l *level) (kg.EntityID, bool) {
	at := kg.EntityID(l.at)
	switch {
	case l.driver >= 0:
		return l.sources[l.driver].Seek(at)
	case l.driver == walkAll:
		return at, int(at) < s.g.Entities()
	}
	l.ids = leapIDs(l.ids, at)
	if len(l.ids) == 0 {
		return 0, false
	}
	return l.ids[0], true
}

// meet looks for e in the other sources. It returns the next entity that can be in all
// of them, which is e where e is, and false where there is none.
func (s *search) meet(l *level, e kg.EntityID) (kg.EntityID, bool) {
	for i := range l.sources[:l.used] {
		src := &l.sources[i]
		if i == l.driver || src.far {
			continue
		}
		if x, ok := src.Seek(e); !ok || x != e {
			return x, ok
		}
	}
	for i := range l.sources[:l.used] {
		if src := &l.sources[i]; src.far && i != l.driver && !s.edgeJoins(l.node, src, e) {
			return e + 1, true // e is an entity of the graph, so there is no overflow
		}
	}
	return e, true
}

// edgeJoins reports whether a triple of the source's edge joins e, for node n, to what
// the source's own node is bound to.
func (s *search) edgeJoins(n int, src *source, e kg.EntityID) bool {
	edge := &s.q.Edges[src.edge]
	from, to := e, s.binding.Nodes[src.from]
	if edge.From != n {
		from, to = to, from
	}
	return s.lowest(edge, from, to) != kg.NoTriple
}

// closes reports whether the bonds that binding the node of l to e closes have triples,
// where its neighbours alone do not tell.
func (s *search) closes(l *level, e kg.EntityID) bool {
	n := &s.nodes[l.node]
	if n.loop >= 0 && !s.joins(&s.bonds[n.loop], e, e) {
		return false
	}
	for _, bi := range n.bonds {
		b := &s.bonds[bi]
		if o := b.other(l.node); b.hard && s.bound>>o&1 != 0 && !s.pair(b, l.node, e, s.binding.Nodes[o]) {
			return false
		}
	}
	return true
}
