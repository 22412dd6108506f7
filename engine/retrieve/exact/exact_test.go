package exact_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/match"
	"cairn/engine/match/paths"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/exact"
	"cairn/engine/retrieve/simgrag"
	"cairn/internal/testing/retrievetest"
	"cairn/internal/testing/testkg"
)

func TestContract(t *testing.T) { retrievetest.Run(t, exact.Method{}, nil) }

// ask asks the method for a pattern over a graph.
func ask(t *testing.T, g *kg.Graph, q retrieve.Query) evidence.Found {
	t.Helper()
	r, err := exact.Method{}.Open(t.Context(), retrieve.World{Graph: g})
	if err != nil {
		t.Fatal(err)
	}
	f, err := r.Retrieve(t.Context(), q)
	if err != nil {
		t.Fatalf("Retrieve: %v", err)
	}
	return f
}

func of(p *pattern.Pattern) retrieve.Query {
	return retrieve.Query{Readings: []plan.Reading{{Pattern: p}}}
}

// TestEqualsTheMatcher compares with simgrag where something meets every condition:
// the answers, and how many matches each has.
func TestEqualsTheMatcher(t *testing.T) {
	answered := 0
	for seed := range uint64(3000) {
		g, p := testkg.Random(seed)
		for i := range p.Nodes {
			if seed%2 == 0 { // else names have alternatives, and the nearest count
				p.Nodes[i].Distances = nil
			}
		}
		for i := range p.Edges {
			if e := &p.Edges[i]; len(e.Fixed) == 0 && e.Relation != "" {
				e.Fixed, _ = testkg.Nearest(g, e.Relation)
				e.Fixed = e.Fixed[:1]
			}
		}
		want, err := simgrag.Search(t.Context(), g, p, nil, simgrag.Options{Algorithm: simgrag.Plain, AllBest: true, MaxComponent: 1 << 20})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		got := ask(t, g, of(p))
		if p.Asked < 0 {
			if (len(got.Candidates) > 0) != (len(want.Candidates) > 0) {
				t.Fatalf("seed %d: %s: the claim holds: %t, want %t", seed, pattern.Format(p), len(got.Candidates) > 0, len(want.Candidates) > 0)
			}
			continue
		}
		if len(want.Answers) == 0 {
			if got.Completeness == evidence.Exhaustive && len(got.Answers) > 0 {
				t.Fatalf("seed %d: %s: answers %v where there are none", seed, pattern.Format(p), got.Answers)
			}
			continue
		}
		answered++
		matches := map[kg.EntityID]int{}
		for _, a := range want.Answers {
			matches[a.Entity] = a.Matches
		}
		for _, a := range got.Answers {
			if matches[a.Entity] != a.Matches {
				t.Errorf("seed %d: %s: %d has %d matches, want %d", seed, pattern.Format(p), a.Entity, a.Matches, matches[a.Entity])
			}
		}
		if len(got.Answers) != len(want.Answers) || got.Completeness != evidence.Exhaustive {
			t.Fatalf("seed %d: %s: answers %v, want %v", seed, pattern.Format(p), got.Answers, want.Answers)
		}
	}
	if answered < 500 {
		t.Errorf("only %d patterns have answers", answered)
	}
}

// TestPathsFindTheSame asks for what is only typed, with an index of paths and without.
func TestPathsFindTheSame(t *testing.T) {
	asked := 0
	for seed := range uint64(400) {
		g, p := testkg.Random(seed)
		for i := range p.Nodes { // everything may be anything
			p.Nodes[i].Variable, p.Nodes[i].Entities, p.Nodes[i].Distances, p.Nodes[i].Within = true, nil, nil, nil
		}
		for i := range p.Edges {
			if e := &p.Edges[i]; len(e.Fixed) == 0 && e.Relation != "" {
				e.Fixed, _ = testkg.Nearest(g, e.Relation)
				e.Fixed = e.Fixed[:1]
			}
		}
		index, err := paths.Build(t.Context(), g, paths.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := exact.Method{}.Open(t.Context(), retrieve.World{Graph: g, Paths: func() match.Engine { return index }})
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.Retrieve(t.Context(), of(p))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		want := ask(t, g, of(p))
		if len(want.Candidates) > 0 {
			asked++
		}
		if p.Task == pattern.Verify || p.Asked < 0 { // any of its bindings shows it
			want.Candidates, got.Candidates = want.Candidates[:min(1, len(want.Candidates))], got.Candidates[:min(1, len(got.Candidates))]
			if len(want.Candidates) != len(got.Candidates) {
				t.Errorf("seed %d: %s: the claim holds: %t with the index", seed, pattern.Format(p), len(got.Candidates) > 0)
			}
			continue
		}
		if diff := cmp.Diff(want.Answers, got.Answers); diff != "" {
			t.Errorf("seed %d: %s (-anchored +paths):\n%s", seed, pattern.Format(p), diff)
		}
	}
	if asked < 100 {
		t.Errorf("only %d patterns have matches", asked)
	}
}
