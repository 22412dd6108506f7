package match

import (
	"context"

	"cairn/engine/kg"
)

// Pinned is a query that is asked again and again with some of its nodes bound: what a
// search needs is made once. It is asked once at a time.
type Pinned struct {
	s    *search
	base []node
	pins []kg.EntityID
}

// Pin makes a query ready. It fails as Each does.
func (a Anchored) Pin(ctx context.Context, q *Query) (*Pinned, error) {
	s, err := a.search(ctx, q)
	if err != nil {
		return nil, err
	}
	return &Pinned{s: s, base: append([]node(nil), s.nodes...), pins: make([]kg.EntityID, len(q.Nodes))}, nil
}

// Each is Anchored.Each where node i is bound to pins[i], an entity that it may be bound
// to, but where that is kg.NoEntity.
func (p *Pinned) Each(pins []kg.EntityID, budget int, yield func(Binding) bool) (Stats, error) {
	s := p.s
	copy(p.pins, pins)
	copy(s.nodes, p.base)
	for i, e := range p.pins {
		if e != kg.NoEntity {
			s.nodes[i].set, s.nodes[i].keep = set{ids: p.pins[i : i+1]}, nil
		}
	}
	for i := range s.bonds {
		s.bonds[i].agrees = [2]int{}
	}
	s.single, s.bound, s.filled, s.stats, s.halted, s.err = 0, 0, 0, Stats{}, false, nil
	s.budget, s.spent = budget, 0
	return s.bindings(yield)
}

// Fill returns the binding of nodes that are all bound as they may be, and whether there are
// triples for every edge between them.
func (p *Pinned) Fill(nodes []kg.EntityID) (b Binding, ok bool) {
	copy(p.s.binding.Nodes, nodes)
	return p.s.binding, p.s.joined()
}

// bindings yields all that the search finds.
func (s *search) bindings(yield func(Binding) bool) (Stats, error) {
	if s.fixed() {
		if s.work(len(s.nodes)); s.stands() {
			s.stats.Found++
			yield(s.binding)
		}
		return s.end()
	}
	s.found = func() bool {
		if !s.q.Unfilled {
			s.fill()
		}
		return yield(s.binding)
	}
	if s.narrow(-1, s.cheap()) && s.realisable() {
		s.extend(0)
	}
	return s.end()
}

// fixed reports whether every node has one candidate.
func (s *search) fixed() bool {
	for i := range s.nodes {
		if s.nodes[i].all || len(s.nodes[i].ids) != 1 {
			return false
		}
	}
	return true
}

// stands reports whether the one candidate of each node makes a binding, and makes it.
func (s *search) stands() bool {
	s.stats.Considered++
	s.single = 1<<len(s.nodes) - 1
	for i := range s.nodes {
		s.binding.Nodes[i] = s.nodes[i].ids[0]
	}
	for i := range s.nodes {
		if !s.allows(i, s.binding.Nodes[i]) {
			return false
		}
	}
	return s.joined()
}

// joined gives the edges triples between the bound nodes, and reports whether there are any
// for each.
func (s *search) joined() bool {
	for i := range s.bonds {
		if b := &s.bonds[i]; !s.joins(b, s.binding.Nodes[b.u], s.binding.Nodes[b.w]) {
			return false
		}
	}
	return true
}
