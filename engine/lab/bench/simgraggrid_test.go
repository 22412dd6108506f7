package bench

import (
	"testing"
	"time"

	"cairn/engine/retrieve/simgrag"
	"cairn/internal/testing/testkg"
)

// TestGridAgreesWithSingleSearches checks every cell of the grid against searches
// that look everything up themselves.
func TestGridAgreesWithSingleSearches(t *testing.T) {
	w := world(t, testkg.Films())
	o := SimGRAGOptions{Deadline: time.Minute, Grid: GridOptions{
		Nodes: []int{1, 2, 4, 64}, Relations: []int{1, 3}, Types: []int{1, 2}, Limit: time.Minute,
	}}
	r, err := w.SimGRAG(t.Context(), filmCases(t), o)
	if err != nil {
		t.Fatalf("SimGRAG: %v", err)
	}
	g := r.Grid
	if len(g.Cells) != 2*4*2*2 || g.Queries != 6 || g.Different != 0 || len(g.Vectors) != 4 {
		t.Fatalf("%d cells of %d queries, %d different, %d times of vectors; want 32, 6, 0 and 4", len(g.Cells), g.Queries, g.Different, len(g.Vectors))
	}
	for _, c := range g.Cells {
		hits := 0.0
		for _, q := range filmCases(t) {
			x, err := NewCase(t.Context(), w.Graph, q, w.Entity)
			if err != nil {
				t.Fatalf("NewCase: %v", err)
			}
			m, err := simgrag.Search(t.Context(), w.Graph, &x.Pattern, w.Vocabulary, simgrag.Options{
				K: 1, NodeCandidates: c.Nodes, RelationCandidates: c.Relations, TypeCandidates: c.Types,
			})
			if err != nil {
				t.Fatalf("Search: %v", err)
			}
			if x.found(w.Graph, m, 0).first {
				hits++
			}
		}
		if c.Hits1 != hits/6 || c.Queries != 6 || c.RanOut != 0 {
			t.Errorf("cell %+v: Hits@1 of %v, want %v of 6", c, c.Hits1*6, hits)
		}
	}
	if len(g.Fronts) != 4 || len(g.Fronts[0].Points) == 0 {
		t.Errorf("fronts = %+v, want four", g.Fronts)
	}
}

// TestGridTriesNothingTwice checks that a query that meets the limit with few
// candidates is not tried with more.
func TestGridTriesNothingTwice(t *testing.T) {
	w := world(t, fan(3000))
	c := filmCases(t)[0]
	c.Nodes[0].Key, c.Nodes[1].Key, c.Edges[0].Relation = "hub", "leaf 2999", "r"
	c.Nodes[0].Text, c.Nodes[1].Type, c.Edges[0].Text = "hub", "leaf", "r"
	x, err := NewCase(t.Context(), w.Graph, c, w.Entity)
	if err != nil {
		t.Fatalf("NewCase: %v", err)
	}
	o := SimGRAGOptions{Grid: GridOptions{Nodes: []int{1, 2000, 3000}, Relations: []int{1, 2}, Types: []int{1, 2}, Limit: 1}}
	o.SetDefaults()
	g, err := runGrid(t.Context(), w, []*Case{x}, o)
	if err != nil {
		t.Fatalf("runGrid: %v", err)
	}
	for i, c := range g.Cells {
		if want := c.RanOut; i >= len(g.Cells)/2 && c.NotTried != 0 || c.NotTried > want {
			t.Errorf("cell %+v: searches of the optimised algorithm, and those that did not run out, are all tried", c)
		}
	}
	plain := g.Cells[:len(g.Cells)/2]
	if last := plain[len(plain)-1]; last.RanOut != 1 || last.NotTried != 1 || last.Matching < o.Grid.Limit {
		t.Errorf("the largest plain cell %+v, want that it ran out and was not tried", last)
	}
}

// TestGridEndsInTime checks that the grid begins no query when its time is over,
// and never none at all.
func TestGridEndsInTime(t *testing.T) {
	w := world(t, testkg.Films())
	r, err := w.SimGRAG(t.Context(), filmCases(t), SimGRAGOptions{Grid: GridOptions{Time: 1, Nodes: []int{4}}})
	if err != nil {
		t.Fatalf("SimGRAG: %v", err)
	}
	if r.Grid.Queries != 1 {
		t.Errorf("%d queries, want 1", r.Grid.Queries)
	}
}
