package schema

import (
	"slices"
	"testing"
)

// TestPairs: the slots that share something come in the same order, however they are kept.
func TestPairs(t *testing.T) {
	met := [][2]Slot{{0, 3}, {1, 2}, {1, 3}}
	for name, o := range map[string]overlaps{"dense": newOverlaps(4), "sparse": newOverlaps(denseSlots + 1)} {
		for _, p := range [][2]Slot{{1, 3}, {0, 3}, {1, 2}, {1, 3}} {
			o.add(p[0], p[1])
		}
		var got [][2]Slot
		for a, b := range o.pairs() {
			got = append(got, [2]Slot{a, b})
		}
		if !slices.Equal(got, met) || o.count(3, 1) != 2 {
			t.Errorf("%s: pairs %v, want %v; 1 and 3 share %d, want 2", name, got, met, o.count(3, 1))
		}
	}
}
