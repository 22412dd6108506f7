package simgrag_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/retrieve/simgrag"
	"cairn/internal/testing/testkg"
)

func TestRelax(t *testing.T) {
	g := testkg.Films()
	late := testkg.Pattern(g, "Anthony Mann|directed_by|?film", "?film|release_year|?year")
	late.Filters = []pattern.Filter{{Node: 2, Op: pattern.Greater, Value: 1960}}
	for _, tt := range []struct {
		name  string
		p     *pattern.Pattern
		want  []string // bindings, unordered
		first []int    // edges that the best candidate does not meet
	}{
		{
			"a condition too many", testkg.Pattern(g, "?film|directed_by|Henry Koster", "?film|release_year|1954"),
			[]string{"Harvey · Henry Koster · 1950", "The Far Country · Anthony Mann · 1954"},
			nil,
		},
		{"a value that fails", late, []string{"Anthony Mann · The Far Country · 1954", "Anthony Mann · Winchester '73 · 1950"}, nil},
		{
			"a chain that ends early", testkg.Pattern(g, "Harvey|directed_by|?x", "?x|starred_actors|?y"),
			[]string{"Harvey · Henry Koster · -"},
			[]int{1},
		},
		{"a claim", testkg.Pattern(g, "Harvey|directed_by|Anthony Mann"), []string{
			"Harvey · Henry Koster", "The Far Country · Anthony Mann", "Winchester '73 · Anthony Mann",
		}, nil},
		{"nothing at all", testkg.Pattern(g, "1950|directed_by|?x"), nil, nil},
	} {
		r, err := simgrag.Relax(t.Context(), g, tt.p, nil, simgrag.Options{})
		if err != nil {
			t.Fatalf("%s: Relax: %v", tt.name, err)
		}
		if r.Completeness != evidence.Relaxed {
			t.Errorf("%s: completeness = %v, want relaxed", tt.name, r.Completeness)
		}
		if diff := cmp.Diff(tt.want, testkg.Bindings(g, r.Candidates)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		for _, i := range tt.first {
			if r.Candidates[0].Edges[i] != kg.NoTriple {
				t.Errorf("%s: edge %d is met, want it dropped", tt.name, i)
			}
		}
	}
}

func TestExplainSumsUp(t *testing.T) {
	for seed := range uint64(300) {
		g, p := testkg.Random(seed)
		for _, c := range search(t, g, p, simgrag.Options{}).Candidates {
			x := simgrag.Explain(g, p, c)
			if len(x.Children) != 2 || len(x.Children[0].Children) != len(p.Nodes) || len(x.Children[1].Children) != len(p.Edges) {
				t.Fatalf("seed %d: not one part for each node and edge: %+v", seed, x)
			}
			sum := 0.0
			for _, group := range x.Children {
				for _, part := range group.Children {
					sum += part.Value
				}
			}
			const tolerance = 1e-6
			if d := sum - c.Distance; d > tolerance || d < -tolerance {
				t.Errorf("seed %d: the parts sum to %v, the distance is %v", seed, sum, c.Distance)
			}
			if d := x.Value - c.Distance; d > tolerance || d < -tolerance {
				t.Errorf("seed %d: Explain = %v, want %v", seed, x.Value, c.Distance)
			}
		}
	}
}

func TestExplainInWords(t *testing.T) {
	g := testkg.Films()
	p := testkg.Pattern(g, "Harvey|*|?x")
	p.Nodes = append(p.Nodes, pattern.Node{Text: "?y", Variable: true})
	p.Nodes[0].Text = "Harvy"
	p.Nodes[0].Distances = []float64{0.25}
	p.Edges[0].Relation = "year"
	c := evidence.Candidate{
		Nodes: []kg.EntityID{testkg.Find(g, "Harvey"), testkg.Find(g, "1950"), kg.NoEntity},
		Edges: []kg.TripleID{5}, Distance: 0.75,
		NodeDistance: []float64{0.25, 0, 0}, EdgeDistance: []float64{0.5},
	}
	want := evidence.Explanation{
		Value: 0.75, Message: "graph semantic distance 0.750: the sum of its parts; 0 is exact, lower is closer",
		Children: []evidence.Explanation{
			{Value: 0.25, Message: "nodes", Children: []evidence.Explanation{
				{Value: 0.25, Message: `"Harvy" is "Harvey"`},
				{Message: `"?x", which is asked for, is "1950"; an unknown node costs nothing`},
				{Message: `"?y" is not bound`},
			}},
			{Value: 0.5, Message: "relations", Children: []evidence.Explanation{
				{Value: 0.5, Message: `"Harvy" — "?x": "year" is read as "release year"`},
			}},
		},
	}
	if diff := cmp.Diff(want, simgrag.Explain(g, p, c)); diff != "" {
		t.Errorf("Explain (-want +got):\n%s", diff)
	}
}
