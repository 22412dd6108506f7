package query

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	gocmp "github.com/google/go-cmp/cmp"

	"cairn/engine/kg"
	"cairn/engine/pattern"
)

// TestCountsOfOneEdgeEqualNaive counts what one edge joins, per end, over all and at least,
// also where triples were taken out of the graph, and beside the same with a condition that
// keeps everything, which is listed and not read off rows.
func TestCountsOfOneEdgeEqualNaive(t *testing.T) {
	direct := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 21))
		var b kg.Builder
		n, relations := 2+r.IntN(5), 1+r.IntN(3)
		for e := range n {
			b.Entity(fmt.Sprint("e", e))
		}
		for i := range relations {
			b.Relation(fmt.Sprint("r", i))
		}
		for range r.IntN(4 * n) {
			b.Add(fmt.Sprint("e", r.IntN(n)), fmt.Sprint("r", r.IntN(relations)), fmt.Sprint("e", r.IntN(n)))
		}
		g := b.Graph()
		if r.IntN(2) == 0 {
			var gone []kg.TripleID
			for id := range kg.TripleID(g.Triples()) {
				if r.IntN(3) == 0 {
					gone = append(gone, id)
				}
			}
			g = g.Without(gone...)
		}
		p := &pattern.Pattern{Reuse: pattern.Reuse(r.IntN(3)), Nodes: []pattern.Node{{Text: "?x", Variable: true}, {Text: "?y", Variable: true}}}
		for i := range p.Nodes {
			if r.IntN(4) == 0 {
				p.Nodes[i].Within = []kg.EntityID{0, kg.EntityID(n - 1)}
			}
		}
		edge := pattern.Edge{From: r.IntN(2), Direction: pattern.Direction(r.IntN(2))}
		edge.To = 1 - edge.From
		for x := range kg.RelationID(relations) {
			if r.IntN(2) == 0 || len(edge.Fixed) == 0 {
				edge.Fixed = append(edge.Fixed, x)
			}
		}
		if r.IntN(3) == 0 {
			p.Branches = []pattern.Branch{{Kind: pattern.Quantity, Edges: []pattern.Edge{edge}, Node: 1, Op: pattern.Op(r.IntN(5)), N: r.IntN(3)}}
		} else {
			p.Edges = []pattern.Edge{edge}
			p.Measure = &pattern.Measure{Func: pattern.CountOf, Node: 1, Of: -1, Per: 0, Every: r.IntN(4) == 0}
			if r.IntN(3) > 0 {
				p.Order = &pattern.Order{Node: pattern.Measured, Descending: r.IntN(2) == 0, Limit: 1 + r.IntN(3), Skip: r.IntN(3)}
			}
		}
		found := evaluated(t, g, p)
		want := (&naive{g: g, p: p}).answers()
		if diff := gocmp.Diff(want, foundAnswers(p, found)); diff != "" {
			t.Fatalf("seed %d: %s (-naive +Evaluate):\n%s", seed, pattern.Format(p), diff)
		}
		listed := *p
		listed.Filters = []pattern.Filter{{Node: 1, Op: pattern.Unequal, Than: new(int)}}
		x := &evaluation{ctx: t.Context(), g: g, p: p, limits: Limits{Shown: 40}, left: 1 << 20}
		if len(p.Branches) > 0 || p.Reuse != pattern.ReuseNone {
			continue // another entity is asked for only where two must be
		}
		if diff := gocmp.Diff(evaluated(t, g, &listed), found, cmpopts.IgnoreFields(found, "Stats")); diff != "" {
			t.Fatalf("seed %d: %s (-listed +read off rows):\n%s", seed, pattern.Format(p), diff)
		}
		x.split()
		if x.tallySpokes() {
			direct++
		}
	}
	if direct < 300 {
		t.Errorf("%d counts were read off rows", direct)
	}
}

// TestLongCountsAreNotCut counts more than may be held as rows.
func TestLongCountsAreNotCut(t *testing.T) {
	var b kg.Builder
	for i := range 50 {
		b.Add(fmt.Sprint("e", i), "r", fmt.Sprint("t", i%2))
	}
	g := b.Graph()
	for text, want := range map[string][]float64{
		"(?x) -r-> (?y) | count ?x per ?y | largest count 1":  {25, 25},
		"(?x) -r-> (?y) | count ?y per ?x | largest count 1":  slices.Repeat([]float64{1}, 50),
		"(?x) -r-> (?y) | count ?x per ?y | smallest count 1": {25, 25},
	} {
		found, err := Evaluate(t.Context(), g, linked(t, g, text), Limits{Rows: 10})
		if err != nil {
			t.Fatal(err)
		}
		var got []float64
		for _, a := range found.Answers {
			if a.Amount == nil {
				t.Fatalf("%s: %+v", text, found)
			}
			got = append(got, a.Amount.Value)
		}
		if !slices.Equal(got, want) || found.Completeness != 0 {
			t.Errorf("%s: %v, %v, want %v", text, got, found.Completeness, want)
		}
	}
}
