package kg

import (
	"slices"
	"testing"
)

// checkHaving compares the lists of every relation with what the rows say.
func checkHaving(t *testing.T, g *Graph) {
	t.Helper()
	for r := range RelationID(g.Relations() + 1) { // and of one that is not there
		for name, list := range map[string]struct {
			got   []EntityID
			edges func(EntityID) []Edge
		}{
			"heads":  {g.Heads(r), func(e EntityID) []Edge { return g.OutBy(e, r) }},
			"tails":  {g.Tails(r), func(e EntityID) []Edge { return g.InBy(e, r) }},
			"along":  {g.Having(r, false), func(e EntityID) []Edge { return g.Along(e, r, false) }},
			"inward": {g.Having(r, true), func(e EntityID) []Edge { return g.Along(e, r, true) }},
		} {
			var want []EntityID
			for e := range EntityID(g.Entities()) {
				if len(list.edges(e)) > 0 {
					want = append(want, e)
				}
			}
			if !slices.Equal(list.got, want) {
				t.Errorf("%s of relation %d: %v, want %v", name, r, list.got, want)
			}
		}
	}
}

// TestHaving looks at a relation without triples, at one with a single one, at one that
// holds both ways, and at all after triples were taken out. Layers see TestLayersAgainstModel.
func TestHaving(t *testing.T) {
	var b Builder
	none := b.Relation("of none")
	b.Add("a", "once", "a")
	b.Add("b", "both", "c")
	b.Add("c", "both", "d")
	b.Add("a", "r", "b")
	b.Relation("last of none")
	small := b.Graph()
	small.setSymmetric(small.triples[1].Relation)
	for _, g := range []*Graph{small, hubGraph(300, 6000, 9, 1), hubGraph(50, 255, 3, 2), hubGraph(1, 0, 1, 3)} {
		checkHaving(t, g)
		left := g
		for every := 5; every > 0; every -= 2 {
			var gone []TripleID
			for id := 0; id < g.Triples(); id += every {
				gone = append(gone, TripleID(id))
			}
			left = left.Without(gone...)
			checkHaving(t, left)
		}
		checkHaving(t, g)
	}
	if both := small.triples[1].Relation; len(small.Having(both, true)) != 3 || len(small.Heads(both)) != 2 || len(small.Heads(none)) != 0 {
		t.Errorf("a relation that holds both ways joins %v", small.Having(both, true))
	}
}
