package simgrag_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/retrieve/simgrag"
	"cairn/internal/testing/testkg"
)

var algorithms = []simgrag.Algorithm{simgrag.Optimised, simgrag.Plain}

func TestTruthTable(t *testing.T) {
	for _, w := range testkg.Worlds() {
		for _, c := range w.Cases {
			for _, a := range algorithms {
				t.Run(fmt.Sprintf("%s/%s/%s", w.Name, c.Name, a), func(t *testing.T) {
					r, err := simgrag.Search(t.Context(), w.Graph, c.Pattern, nil, simgrag.Options{Algorithm: a, AllBest: true})
					if err != nil {
						t.Fatalf("Search: %v", err)
					}
					all, err := simgrag.Search(t.Context(), w.Graph, c.Pattern, nil, simgrag.Options{Algorithm: a, K: 1000})
					if err != nil {
						t.Fatalf("Search: %v", err)
					}
					got := testkg.Bindings(w.Graph, all.Candidates)
					for _, b := range got {
						if !slices.Contains(c.Want, b) {
							t.Errorf("found %q, which is not a match", b)
						}
					}
					sets := map[string]bool{}
					for _, x := range all.Candidates {
						sets[fmt.Sprint(x.Triples())] = true
						if x.Distance != 0 {
							t.Errorf("distance = %v, want 0", x.Distance)
						}
					}
					if len(sets) != c.Triples {
						t.Errorf("found %d sets of triples, want %d:\n%v", len(sets), c.Triples, cmp.Diff(c.Want, got))
					}
					matches := 0
					for _, b := range r.Answers {
						matches += b.Matches
					}
					if c.Pattern.Asked >= 0 && matches != len(c.Want) {
						t.Errorf("bindings count %d matches, want %d", matches, len(c.Want))
					}
					if r.Completeness != evidence.Exhaustive {
						t.Errorf("completeness = %v, want complete", r.Completeness)
					}
				})
			}
		}
	}
}

func TestTruthTableOfBruteForce(t *testing.T) {
	for _, w := range testkg.Worlds() {
		for _, c := range w.Cases {
			b := &brute{g: w.Graph, p: c.Pattern}
			if w.Name == "values" {
				continue // brute reads the values of random graphs only
			}
			b.run()
			var cs []evidence.Candidate
			for _, m := range b.all {
				cs = append(cs, evidence.Candidate{Nodes: m.nodes})
			}
			if diff := cmp.Diff(c.Want, testkg.Bindings(w.Graph, cs), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s/%s (-want +got):\n%s", w.Name, c.Name, diff)
			}
		}
	}
}

func TestBothAlgorithmsEqualBruteForce(t *testing.T) {
	seeds := uint64(800)
	if testing.Short() {
		seeds = 200
	}
	matched := 0
	for seed := range seeds {
		g, p := testkg.Random(seed)
		b := &brute{g: g, p: p}
		b.run()
		matched += min(1, len(b.all))
		for _, a := range algorithms {
			for _, k := range []int{1, 3, 1000} {
				name := fmt.Sprintf("seed %d, %s, k = %d", seed, a, k)
				r := search(t, g, p, simgrag.Options{Algorithm: a, K: k})
				compare(t, name, b.top(k), r)
				r = search(t, g, p, simgrag.Options{Algorithm: a, K: k, AllBest: true})
				want, counts := b.best(k)
				compare(t, name+", all best", want, r)
				compareBindings(t, name, counts, r.Answers)
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d: pattern %+v", seed, p)
		}
	}
	if matched < int(seeds)/4 {
		t.Errorf("only %d of %d random patterns have a match", matched, seeds)
	}
	t.Logf("%d of %d random patterns have a match", matched, seeds)
}

func search(tb testing.TB, g *kg.Graph, p *pattern.Pattern, o simgrag.Options) evidence.Found {
	tb.Helper()
	r, err := simgrag.Search(tb.Context(), g, p, nearest{g}, o)
	if err != nil {
		tb.Fatalf("Search: %v", err)
	}
	return r
}

func compare(t *testing.T, name string, want []bruteMatch, r evidence.Found) {
	t.Helper()
	line := func(d float64, nodes []kg.EntityID, edges []kg.TripleID) string {
		return fmt.Sprintf("%.9f nodes %v triples %v", d, nodes, edges)
	}
	var w, got []string
	for _, m := range want {
		w = append(w, line(float64(m.distance)/1e9, m.nodes, m.edges))
	}
	for _, c := range r.Candidates {
		got = append(got, line(c.Distance, c.Nodes, c.Edges))
		sum := 0.0
		for _, d := range slices.Concat(c.NodeDistance, c.EdgeDistance) {
			sum += d
		}
		if math.Abs(sum-c.Distance) > 1e-6 {
			t.Errorf("%s: the parts sum to %v, the distance is %v", name, sum, c.Distance)
		}
	}
	if diff := cmp.Diff(w, got); diff != "" {
		t.Errorf("%s (-brute force +search):\n%s", name, diff)
	}
}

func compareBindings(t *testing.T, name string, want map[kg.EntityID]int, got []evidence.Answer) {
	t.Helper()
	delete(want, kg.NoEntity)
	have := map[kg.EntityID]int{}
	for _, b := range got {
		have[b.Entity] = b.Matches
	}
	if diff := cmp.Diff(want, have, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s: bindings (-brute force +search):\n%s", name, diff)
	}
}

func TestSameResultWhateverTheOrderOfTheInput(t *testing.T) {
	for seed := range uint64(100) {
		g, p := testkg.Random(seed)
		first := search(t, g, p, simgrag.Options{AllBest: true})
		second := search(t, g, p, simgrag.Options{AllBest: true})
		ignore := cmpopts.IgnoreFields(evidence.Stats{}, "Duration", "LookUp")
		if diff := cmp.Diff(first, second, ignore); diff != "" {
			t.Fatalf("seed %d: two runs differ:\n%s", seed, diff)
		}
	}
}

func TestMaxBestKeepsTheFirst(t *testing.T) {
	g := testkg.Build(fan(5000)...)
	p := testkg.Pattern(g, "hub|r|?x")
	for _, a := range algorithms {
		r := search(t, g, p, simgrag.Options{Algorithm: a, AllBest: true, MaxBest: 10})
		if len(r.Candidates) != 10 || r.Candidates[9].Nodes[1] != 10 {
			t.Errorf("%s: %d candidates, the last is %v, want 10 and entity 10", a, len(r.Candidates), r.Candidates[len(r.Candidates)-1].Nodes)
		}
		if len(r.Answers) != 5000 {
			t.Errorf("%s: %d bindings, want all 5000", a, len(r.Answers))
		}
		if r.Completeness != evidence.Exhaustive {
			t.Errorf("%s: completeness = %v, want exhaustive: all answers are there", a, r.Completeness)
		}
	}
}

// fan is a hub with n neighbours, in the order of their ids.
func fan(n int) []string {
	var lines []string
	for i := range n {
		lines = append(lines, fmt.Sprintf("hub|r|e%d", i))
	}
	return lines
}

func TestPruningSkipsTiesThatCannotWin(t *testing.T) {
	g := testkg.Build(fan(5000)...)
	r := search(t, g, testkg.Pattern(g, "hub|r|?x"), simgrag.Options{K: 3})
	if r.Stats.Found > 3 {
		t.Errorf("%d matches completed, want 3", r.Stats.Found)
	}
	if r.Completeness != evidence.CutByK {
		t.Errorf("completeness = %v, want cut by k", r.Completeness)
	}
}

func TestStopsInTime(t *testing.T) {
	g := testkg.Build(dense(60)...)
	p := testkg.Pattern(g, "?a|r|?b", "?b|r|?c", "?c|r|?d", "?d|r|?e", "?e|r|?f")
	for _, a := range algorithms {
		r, err := simgrag.Search(t.Context(), g, p, nil, simgrag.Options{Algorithm: a, AllBest: true, MaxWallTime: 20 * time.Millisecond})
		if err != nil {
			t.Fatalf("Search: %v", err)
		}
		if r.Completeness != evidence.TimedOut || r.Stats.Duration > 2*time.Second {
			t.Errorf("%s: %v after %v, want cut off by a time limit after 20ms", a, r.Completeness, r.Stats.Duration)
		}
		r, err = simgrag.Search(t.Context(), g, p, nil, simgrag.Options{Algorithm: a, AllBest: true, Budget: 5000})
		if err != nil {
			t.Fatalf("Search: %v", err)
		}
		if r.Completeness != evidence.CutByBudget || r.Stats.Considered > 5000 || len(r.Candidates) == 0 {
			t.Errorf("%s: %v after %d partial matches with %d candidates, want cut by budget", a, r.Completeness, r.Stats.Considered, len(r.Candidates))
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		if _, err = simgrag.Search(ctx, g, p, nil, simgrag.Options{Algorithm: a, AllBest: true}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: cancelled search: %v, want the context's error", a, err)
		}
		cancel()
	}
}

// dense is a graph in which everything is joined to everything.
func dense(n int) []string {
	var lines []string
	for i := range n {
		for j := range i {
			lines = append(lines, fmt.Sprintf("e%d|r|e%d", j, i))
		}
	}
	return lines
}

func TestMalformedPatterns(t *testing.T) {
	g := testkg.Films()
	node := pattern.Node{Text: "?x", Variable: true}
	for name, p := range map[string]*pattern.Pattern{
		"no nodes":       {Asked: -1},
		"asked":          {Nodes: []pattern.Node{node}, Asked: 1},
		"edge":           {Nodes: []pattern.Node{node}, Edges: []pattern.Edge{{From: 0, To: 2}}},
		"relation":       {Nodes: []pattern.Node{node}, Edges: []pattern.Edge{{Fixed: []kg.RelationID{99}}}},
		"entity":         {Nodes: []pattern.Node{{Text: "x", Entities: []kg.EntityID{999}}}},
		"distances":      {Nodes: []pattern.Node{{Text: "x", Entities: []kg.EntityID{1}, Distances: []float64{0, 0}}}},
		"not a number":   {Nodes: []pattern.Node{{Text: "x", Entities: []kg.EntityID{1}, Distances: []float64{math.NaN()}}}},
		"filter":         {Nodes: []pattern.Node{node}, Filters: []pattern.Filter{{Node: 5}}},
		"order":          {Nodes: []pattern.Node{node}, Order: &pattern.Order{Node: -1}},
		"too many nodes": {Nodes: slices.Repeat([]pattern.Node{node}, 65)},
	} {
		if _, err := simgrag.Search(t.Context(), g, p, nil, simgrag.Options{}); !errors.Is(err, simgrag.ErrPattern) {
			t.Errorf("%s: Search = %v, want ErrPattern", name, err)
		}
	}
	unlinked := &pattern.Pattern{Nodes: []pattern.Node{{Text: "x"}}}
	if _, err := simgrag.Search(t.Context(), g, unlinked, nil, simgrag.Options{}); !errors.Is(err, simgrag.ErrNoVocabulary) {
		t.Errorf("unlinked node: Search = %v, want ErrNoVocabulary", err)
	}
}

func TestNamesAreLookedUp(t *testing.T) {
	g := testkg.Films()
	p := &pattern.Pattern{
		Nodes: []pattern.Node{{Text: "James Stewart"}, {Text: "?film", Variable: true, Type: "film"}},
		Edges: []pattern.Edge{{From: 1, To: 0}},
		Asked: 1,
	}
	r := search(t, g, p, simgrag.Options{K: 5, NodeCandidates: 3})
	want := []string{"James Stewart · Harvey", "James Stewart · The Far Country", "James Stewart · Winchester '73"}
	if diff := cmp.Diff(want, testkg.Bindings(g, r.Candidates[:3])); diff != "" {
		t.Errorf("the three best (-want +got):\n%s", diff)
	}
	if len(r.Candidates) < 4 || r.Candidates[3].Distance != 1 {
		t.Errorf("the fourth match is not another name: %+v", r.Candidates)
	}
	if len(r.Steps) != 1 {
		t.Errorf("notes = %q, want one on the type", r.Steps)
	}
}

// FuzzSearch looks for a seed whose random graph and pattern the algorithms
// match differently from brute force.
func FuzzSearch(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, 3)
	}
	f.Fuzz(func(t *testing.T, seed uint64, k int) {
		if k < 1 {
			t.Skip()
		}
		g, p := testkg.Random(seed)
		b := &brute{g: g, p: p}
		b.run()
		for _, a := range algorithms {
			name := fmt.Sprintf("seed %d, %s, k = %d", seed, a, k)
			compare(t, name, b.top(k), search(t, g, p, simgrag.Options{Algorithm: a, K: k}))
			want, _ := b.best(k)
			compare(t, name, want, search(t, g, p, simgrag.Options{Algorithm: a, K: k, AllBest: true}))
		}
	})
}
