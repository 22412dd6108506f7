package kg_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"cairn/engine/kg"
)

// TestWithout leaves random triples out of a graph with hubs, twice, and looks at every edge.
func TestWithout(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var b kg.Builder
	for i := range 3000 {
		b.Add(fmt.Sprintf("e%d", rng.IntN(5)*rng.IntN(200)), fmt.Sprintf("r%d", rng.IntN(4)), fmt.Sprintf("e%d", i%700))
	}
	whole := b.Graph()
	gone := map[kg.TripleID]bool{}
	left := whole
	for range 2 {
		var out []kg.TripleID
		for range 400 {
			id := kg.TripleID(rng.IntN(whole.Triples()))
			out, gone[id] = append(out, id), true
		}
		left = left.Without(out...)
	}
	if _, n := left.Count(); n != whole.Triples()-len(gone) {
		t.Errorf("%d triples are left, want %d", n, whole.Triples()-len(gone))
	}
	if _, n := whole.Count(); n != whole.Triples() {
		t.Errorf("the whole graph has %d of its %d triples", n, whole.Triples())
	}
	without := func(es []kg.Edge) []kg.Edge {
		return slices.DeleteFunc(slices.Clone(es), func(x kg.Edge) bool { return gone[x.Triple] })
	}
	for e := range kg.EntityID(whole.Entities()) {
		if !slices.Equal(left.Out(e), without(whole.Out(e))) || !slices.Equal(left.In(e), without(whole.In(e))) {
			t.Fatalf("the edges of %s are %v and %v", whole.Label(e), left.Out(e), left.In(e))
		}
		for r := range kg.RelationID(whole.Relations()) {
			if !slices.Equal(left.OutBy(e, r), without(whole.OutBy(e, r))) || !slices.Equal(left.InBy(e, r), without(whole.InBy(e, r))) {
				t.Fatalf("the edges of %s by relation %d are %v and %v", whole.Label(e), r, left.OutBy(e, r), left.InBy(e, r))
			}
		}
	}
	for id := range kg.TripleID(whole.Triples()) {
		if _, ok := left.Find(whole.Triple(id)); ok == gone[id] || left.Off(id) != gone[id] {
			t.Errorf("triple %d, left out %v: found %v", id, gone[id], ok)
		}
	}
}
