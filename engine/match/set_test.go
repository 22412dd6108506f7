package match

import (
	"math/rand/v2"
	"slices"
	"testing"

	"cairn/engine/kg"
)

// TestMarks drains few marks and many, of ids that come twice.
func TestMarks(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 14))
	const entities = 10_000
	m := make(marks, entities/64+1)
	for _, n := range []int{0, 1, 10, 100, 5000} {
		var ids []kg.EntityID
		for range n {
			ids = append(ids, kg.EntityID(r.IntN(entities)), kg.EntityID(r.IntN(entities)))
		}
		want := slices.Compact(slices.Sorted(slices.Values(ids)))
		if got := m.drain(m.addAll(ids)); !slices.Equal(got, want) {
			t.Errorf("%d ids became %d, want %d", n, len(got), len(want))
		}
		if slices.ContainsFunc(m, func(word uint64) bool { return word != 0 }) {
			t.Fatalf("marks of %d ids are left", n)
		}
	}
}

// TestLeaps compares with a walk from the beginning.
func TestLeaps(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 14))
	for _, n := range []int{0, 1, 2, 3, 7, 8, 9, 100} {
		var ids []kg.EntityID
		var run []kg.Edge
		for e := range kg.EntityID(3 * n) {
			for range r.IntN(3) {
				run = append(run, kg.Edge{Entity: e})
			}
			if r.IntN(2) == 0 {
				ids = append(ids, e)
			}
		}
		for e := range kg.EntityID(3*n + 2) {
			want := slices.DeleteFunc(slices.Clone(ids), func(x kg.EntityID) bool { return x < e })
			if got := leapIDs(ids, e); !slices.Equal(got, want) {
				t.Fatalf("leapIDs(%v, %d) = %v", ids, e, got)
			}
			edges := slices.DeleteFunc(slices.Clone(run), func(x kg.Edge) bool { return x.Entity < e })
			if got := kg.Leap(run, e); !slices.Equal(got, edges) {
				t.Fatalf("Leap(%v, %d) = %v", run, e, got)
			}
		}
	}
}
