package match

import (
	"slices"

	"cairn/engine/kg"
)

// set is a set of entities.
type set struct {
	all bool
	ids []kg.EntityID // ascending, where all is false
	// asked counts the look-ups, until they are worth a bitmap.
	asked int
	bits  []uint64
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
		return s.bits[e/64]>>(e%64)&1 != 0
	}
	// A bit each costs the bitmap to be cleared and filled; a search some 16 steps.
	const steps = 16
	if s.asked++; len(s.ids) > few && s.asked*steps > len(s.ids)+g.Entities()/64 {
		s.bits = make([]uint64, g.Entities()/64+1)
		for _, x := range s.ids {
			s.bits[x/64] |= 1 << (x % 64)
		}
	}
	_, ok := slices.BinarySearch(s.ids, e)
	return ok
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
