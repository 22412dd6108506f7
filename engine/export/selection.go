package export

import (
	"iter"
	"math/bits"

	"cairn/engine/kg"
)

// Selection is a part of a graph: triples, and entities.
type Selection struct{ triples, entities set }

// Triples selects triples, and the entities that they join.
func Triples(g *kg.Graph, ts []kg.TripleID) *Selection {
	s := empty(g)
	for _, t := range ts {
		s.add(g, t)
	}
	return s
}

// Around selects entities, and what is at most hops triples away from one of them.
func Around(g *kg.Graph, entities []kg.EntityID, hops int) *Selection {
	s := empty(g)
	for _, e := range entities {
		s.entities.put(uint32(e))
	}
	edge := entities
	for range hops {
		var next []kg.EntityID
		for _, e := range edge {
			for _, edges := range [][]kg.Edge{g.Out(e), g.In(e)} {
				for _, x := range edges {
					s.triples.put(uint32(x.Triple))
					if !s.entities.has(uint32(x.Entity)) {
						s.entities.put(uint32(x.Entity))
						next = append(next, x.Entity)
					}
				}
			}
		}
		edge = next
	}
	return s
}

func empty(g *kg.Graph) *Selection { return &Selection{newSet(g.Triples()), newSet(g.Entities())} }

func (s *Selection) add(g *kg.Graph, t kg.TripleID) {
	x := g.Triple(t)
	s.triples.put(uint32(t))
	s.entities.put(uint32(x.Head))
	s.entities.put(uint32(x.Tail))
}

// set is a set of ids, a bit each.
type set []uint64

func newSet(n int) set { return make(set, (n+63)/64) }

func (s set) put(i uint32)      { s[i/64] |= 1 << (i % 64) }
func (s set) has(i uint32) bool { return s[i/64]>>(i%64)&1 != 0 }

// all walks the ids, ascending.
func (s set) all() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for i, word := range s {
			for ; word != 0; word &= word - 1 {
				if !yield(uint32(i*64 + bits.TrailingZeros64(word))) {
					return
				}
			}
		}
	}
}
