package evidence_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/evidence"
	"cairn/engine/kg"
)

// forked is a graph of paths of two triples from a start, several of which share the
// first, and the paths as matches.
func forked() (g *kg.Graph, start kg.EntityID, matches []evidence.Candidate) {
	var b kg.Builder
	start = b.Entity("start")
	for i := range 3 {
		first := b.Add("start", "r", fmt.Sprint("mid", i))
		for j := range 2 {
			second := b.Add(fmt.Sprint("mid", i), "s", fmt.Sprint("end", i, j))
			matches = append(matches, evidence.Candidate{Edges: []kg.TripleID{second, first}})
		}
	}
	return b.Graph(), start, matches
}

// TestArrange merges paths that part at the last step, and writes each from the start on.
func TestArrange(t *testing.T) {
	g, start, matches := forked()
	matches = append(matches, matches[0]) // found twice
	one := func(kg.TripleID) int { return 1 }
	got, m := evidence.Arranging{}.Arrange(g, []kg.EntityID{start}, matches, one)
	want := []evidence.Subgraph{
		{Triples: []kg.TripleID{0, 1, 2}, Matches: []int{0, 1, 6}},
		{Triples: []kg.TripleID{3, 4, 5}, Matches: []int{2, 3}},
		{Triples: []kg.TripleID{6, 7, 8}, Matches: []int{4, 5}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if before, after := m.Redundant(); m.Before != 12 || m.After != 9 || m.Distinct != 9 || before != 0.25 || after != 0 || m.TokensBefore-m.TokensAfter != 3 {
		t.Errorf("%+v, redundant %v and %v", m, before, after)
	}
	for _, th := range []float64{0.34, 1} { // two paths share a third of what they have
		if got, _ := (evidence.Arranging{Threshold: th}).Arrange(g, nil, matches, nil); len(got) != 6 {
			t.Errorf("from %v alike on %d subgraphs are left, want 6", th, len(got))
		}
	}
	if got, m := (evidence.Arranging{}).Arrange(g, nil, nil, nil); len(got) != 0 || m.Before != 0 {
		t.Errorf("of nothing: %v, %+v", got, m)
	}
}

// TestArrangeKeepsAll holds every choice to what must be so: each triple of the matches
// stands in the subgraph of its match, once.
func TestArrangeKeepsAll(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var b kg.Builder
		n := 1 + rng.IntN(12)
		for range n {
			b.Add(fmt.Sprint(rng.IntN(5)), fmt.Sprint("r", rng.IntN(3)), fmt.Sprint(rng.IntN(5)))
		}
		g := b.Graph()
		matches := make([]evidence.Candidate, rng.IntN(8))
		for i := range matches {
			for range 1 + rng.IntN(3) {
				matches[i].Edges = append(matches[i].Edges, kg.TripleID(rng.IntN(g.Triples())))
			}
		}
		o := evidence.Arranging{Threshold: float64(rng.IntN(5)) / 4, Order: evidence.Orders[rng.IntN(len(evidence.Orders))]}
		got, m := o.Arrange(g, []kg.EntityID{0}, matches, nil)
		if m.Distinct > m.After || m.After > m.Before {
			t.Fatalf("seed %d: %+v", seed, m)
		}
		seen := 0
		for _, s := range got {
			var want []kg.TripleID
			for _, i := range s.Matches {
				want = append(want, matches[i].Triples()...)
				seen++
			}
			slices.Sort(want)
			if diff := cmp.Diff(slices.Compact(want), slices.Sorted(slices.Values(s.Triples))); diff != "" {
				t.Fatalf("seed %d, %+v:\n%s", seed, o, diff)
			}
		}
		if seen != len(matches) {
			t.Fatalf("seed %d: %d of %d matches are in a subgraph", seed, seen, len(matches))
		}
	}
}
