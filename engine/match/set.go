package match

import (
	"math/bits"
	"slices"

	"cairn/engine/kg"
)

type set struct {
	all bool
	ids []kg.EntityID // ascending, where all is false
	// asked counts the look-ups, until they are worth a bitmap.
	asked int
	bits  marks
}

// size is the number of entities in a set of those of g.
func (s *set) size(g *kg.Graph) int {
	if s.all {
		return g.Entities()
	}
	return len(s.ids)
}

// has reports whether e, an entity of g, is in the set.
func (s *set) has(e kg.EntityID, g *kg.Graph) bool {
	if s.all {
		return true
	}
	if s.bits != nil {
		return s.bits.has(e)
	}
	// A bit each costs the bitmap to be cleared and filled; a search some 16 steps.
	const steps = 16
	if s.asked++; len(s.ids) > few && s.asked*steps > len(s.ids)+g.Entities()/64 {
		s.bits = make(marks, g.Entities()/64+1)
		for _, x := range s.ids {
			s.bits.add(x)
		}
	}
	return kg.Holds(s.ids, e)
}

// disjoint reports whether two lists, both ascending, have nothing in common.
func disjoint(a, b []kg.EntityID) bool {
	for len(a) > 0 && len(b) > 0 {
		if a[0] == b[0] {
			return false
		}
		if a = leapIDs(a, b[0]); len(a) > 0 {
			b = leapIDs(b, a[0])
		}
	}
	return true
}

// marks is a bit for every entity.
type marks []uint64

func (m marks) has(e kg.EntityID) bool { return m[e/64]>>(e%64)&1 != 0 }

func (m marks) add(e kg.EntityID) { m[e/64] |= 1 << (e % 64) }

// addAll marks ids and drops those that are marked already.
func (m marks) addAll(ids []kg.EntityID) []kg.EntityID {
	kept := ids[:0]
	for _, e := range ids {
		if !m.has(e) {
			m.add(e)
			kept = append(kept, e)
		}
	}
	return kept
}

// drain clears the marks, which are those of ids, and sorts these.
func (m marks) drain(ids []kg.EntityID) []kg.EntityID {
	if len(ids) < len(m)/few {
		for _, e := range ids {
			m[e/64] = 0
		}
		slices.Sort(ids)
		return ids
	}
	ids = ids[:0]
	for i, word := range m {
		for ; word != 0; word &= word - 1 {
			ids = append(ids, kg.EntityID(i*64+bits.TrailingZeros64(word)))
		}
		m[i] = 0
	}
	return ids
}
