package bench

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/embed"
	"cairn/engine/kg"
	"cairn/engine/lab/synth"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/internal/testing/testkg"
)

// world opens a graph in memory.
func world(tb testing.TB, g *kg.Graph) *World {
	tb.Helper()
	labels := func(yield func(string) bool) {
		for e := range kg.EntityID(g.Entities()) {
			if !yield(g.Label(e)) {
				return
			}
		}
	}
	v, err := link.NewVocabulary(tb.Context(), g, embed.NewLexical(labels, lexicon.Builtin()), nil)
	if err != nil {
		tb.Fatalf("NewVocabulary: %v", err)
	}
	byKey := map[string]kg.EntityID{}
	for e := range kg.EntityID(g.Entities()) {
		byKey[g.Key(e)] = e
	}
	return &World{Graph: g, Vocabulary: v, Embedder: v.Embedder(), Entity: func(_ context.Context, key string) (kg.EntityID, bool, error) {
		e, ok := byKey[key]
		return e, ok, nil
	}}
}

// filmQueries are queries of testkg.Films, one a line.
const filmQueries = `{"id":1,"shape":"chain","hops":1,"nodes":[{"text":"Harvy","key":"Harvey","label":"Harvey"},{"type":"person","key":"Henry Koster","label":"Henry Koster"}],"edges":[{"from":0,"to":1,"text":"was directed by","relation":"directed_by"}]}

{"id":2,"shape":"chain","hops":2,"nodes":[{"text":"Harvey","key":"Harvey","label":"Harvey"},{"key":"James Stewart","label":"James Stewart"},{"text":"Winchester 73","key":"Winchester '73","label":"Winchester '73"}],"edges":[{"from":0,"to":1,"text":"actor","relation":"starred_actors"},{"from":2,"to":1,"text":"starred","relation":"starred_actors"}]}
{"id":3,"shape":"star","hops":2,"nodes":[{"key":"The Far Country","label":"The Far Country"},{"text":"James Stewart","key":"James Stewart","label":"James Stewart"},{"text":"1954","key":"1954","label":"1954"}],"edges":[{"from":0,"to":1,"text":"starred actors","relation":"starred_actors"},{"from":0,"to":2,"text":"release year","relation":"release_year"}]}
{"id":4,"shape":"chain","hops":1,"nodes":[{"key":"Winchester '73","label":"Winchester '73"},{"text":"Anthony Mann","key":"Anthony Mann","label":"Anthony Mann"}],"edges":[{"from":0,"to":1,"text":"directed by","relation":"directed_by"}]}
{"id":5,"shape":"chain","hops":1,"nodes":[{"type":"film","key":"The Far Country","label":"The Far Country"},{"text":"Anthony Mann","key":"Anthony Mann","label":"Anthony Mann"}],"edges":[{"from":0,"to":1,"text":"directed by","relation":"directed_by"}]}
{"id":6,"shape":"chain","hops":1,"nodes":[{"type":"person","key":"The Far Country","label":"The Far Country"},{"text":"1954","key":"1954","label":"1954"}],"edges":[{"from":0,"to":1,"text":"release year","relation":"release_year"}]}
`

func filmCases(tb testing.TB) []synth.Query {
	tb.Helper()
	qs, err := ReadQueries(strings.NewReader(filmQueries), "films.jsonl")
	if err != nil {
		tb.Fatalf("ReadQueries: %v", err)
	}
	return qs
}

// TestRetrievalFinds checks what counts as found: a match that is the true
// subgraph, one that is only as near as it, and none.
func TestRetrievalFinds(t *testing.T) {
	w := world(t, testkg.Films())
	r, err := w.SimGRAG(t.Context(), filmCases(t), SimGRAGOptions{Deadline: time.Minute, Grid: GridOptions{Queries: -1}})
	if err != nil {
		t.Fatalf("SimGRAG: %v", err)
	}
	type found struct {
		Kind           string
		K, N           int
		First, In      float64
		Same, At       float64
		Reach          float64
		TimedOut, Left int
	}
	var got []found
	for _, x := range r.Retrieval {
		n := float64(x.Queries)
		count := func(share float64) float64 { return math.Round(share*n*1e6) / 1e6 }
		got = append(got, found{x.Kind, x.K, x.Queries, count(x.Found.Hits1), count(x.Found.Within), count(x.Found.Same), count(x.Found.Best), count(x.Reach), x.TimedOut, x.Cut + x.GivenUp})
		if x.Unbounded != x.Found {
			t.Errorf("%s, k = %d: unbounded %+v, want %+v, as nothing was cut off", x.Kind, x.K, x.Unbounded, x.Found)
		}
	}
	// Queries 4 and 5 have two best matches each, one of which comes first: either is
	// an answer. Query 6 asks for a person, who is a film, and finds something else.
	want := []found{
		{"all", 1, 6, 5, 5, 4, 5, 5, 0, 0},
		{"chain, 1 hop", 1, 4, 3, 3, 2, 3, 3, 0, 0},
		{"chain, 2 hops", 1, 1, 1, 1, 1, 1, 1, 0, 0},
		{"star, 2 edges", 1, 1, 1, 1, 1, 1, 1, 0, 0},
		{"all", 3, 6, 5, 5, 4, 5, 5, 0, 0},
		{"chain, 1 hop", 3, 4, 3, 3, 2, 3, 3, 0, 0},
		{"chain, 2 hops", 3, 1, 1, 1, 1, 1, 1, 0, 0},
		{"star, 2 edges", 3, 1, 1, 1, 1, 1, 1, 0, 0},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("retrieval (-want +got):\n%s", diff)
	}
}

// TestCutOffGoesOn checks that a search that meets its deadline is repeated
// without one.
func TestCutOffGoesOn(t *testing.T) {
	w := world(t, fan(3000))
	q := synth.Query{
		ID: 1, Shape: synth.Star, Hops: 2,
		Nodes: []synth.QueryNode{{Key: "hub", Label: "hub"}, {Text: "leaf 2999", Key: "leaf 2999"}, {Text: "leaf 2998", Key: "leaf 2998"}},
		Edges: []synth.QueryEdge{{From: 0, To: 1, Text: "r", Relation: "r"}, {From: 0, To: 2, Text: "r", Relation: "r"}},
	}
	// The clock is looked at now and then, so that few matches are found in no time.
	o := SimGRAGOptions{Deadline: 1, K: []int{2000}, Grid: GridOptions{Queries: -1}}
	for _, test := range []struct {
		unbounded time.Duration
		want      float64
	}{{time.Minute, 1}, {-1, 0}} {
		o.Unbounded = test.unbounded
		r, err := w.SimGRAG(t.Context(), []synth.Query{q}, o)
		if err != nil {
			t.Fatalf("SimGRAG: %v", err)
		}
		if x := r.Retrieval[0]; x.TimedOut != 1 || x.Unbounded.Best < test.want || x.Unbounded.Best < x.Found.Best {
			t.Errorf("unbounded %v: %+v, want one search that timed out and %v at the best distance", test.unbounded, x, test.want)
		}
	}
}

// fan is a hub with n leaves that are all joined to it twice.
func fan(n int) *kg.Graph {
	var b kg.Builder
	for i := range n {
		leaf := "leaf " + thousands(i)
		if i >= 2998 {
			leaf = strings.ReplaceAll(leaf, ",", "")
		}
		b.Add("hub", "r", leaf)
		b.Add(leaf, "s", "hub")
	}
	return b.Graph()
}

func TestReadQueriesWrongly(t *testing.T) {
	good, _, _ := strings.Cut(filmQueries, "\n")
	for name, file := range map[string]string{
		"nothing":        "\n\n",
		"not JSON":       good + "\nhello\n",
		"another object": good + "\n{\"question\":\"who?\"}\n",
		"no edges":       `{"id":1,"nodes":[{"text":"a","key":"a","label":"a"}],"edges":[]}`,
		"edge to beyond": `{"id":1,"nodes":[{"text":"a","key":"a","label":"a"}],"edges":[{"from":0,"to":1,"text":"r","relation":"r"}]}`,
		"edge, no text":  `{"id":1,"nodes":[{"text":"a","key":"a","label":"a"}],"edges":[{"from":0,"to":0,"relation":"r"}]}`,
		"node, no key":   `{"id":1,"nodes":[{"text":"a","label":"a"}],"edges":[{"from":0,"to":0,"text":"r","relation":"r"}]}`,
		"all unknown":    `{"id":1,"nodes":[{"key":"a","label":"a"}],"edges":[{"from":0,"to":0,"text":"r","relation":"r"}]}`,
		"endless line":   `{"id":` + strings.Repeat("1", maxQueryLine) + `}`,
	} {
		qs, err := ReadQueries(strings.NewReader(file), "q.jsonl")
		wrong := (*FileError)(nil)
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), "q.jsonl") {
			t.Errorf("%s: ReadQueries = %d queries, %v, want an error that names the file", name, len(qs), err)
		}
		if strings.HasPrefix(file, good) && wrong.Line != 2 {
			t.Errorf("%s: line %d, want 2", name, wrong.Line)
		}
	}
}

func FuzzReadQueries(f *testing.F) {
	f.Add(filmQueries)
	f.Add("{}")
	f.Fuzz(func(t *testing.T, file string) {
		qs, err := ReadQueries(strings.NewReader(file), "q.jsonl")
		if err != nil {
			return
		}
		g := testkg.Films()
		for _, q := range qs {
			// What was read is a pattern, whatever graph it belongs to.
			_, err := NewCase(t.Context(), g, q, func(context.Context, string) (kg.EntityID, bool, error) { return 0, true, nil })
			if other := (*otherGraphError)(nil); err != nil && !errors.As(err, &other) {
				t.Errorf("NewCase(%+v): %v", q, err)
			}
		}
	})
}

func TestCaseOfAnotherGraph(t *testing.T) {
	w := world(t, testkg.Films())
	entity, rel, triple := filmCases(t)[0], filmCases(t)[0], filmCases(t)[0]
	entity.Nodes[0].Key, rel.Edges[0].Relation = "Vertigo", "composed_by"
	triple.Nodes[1].Key = "Anthony Mann"
	for want, q := range map[string]synth.Query{"entity Vertigo": entity, "relation composed_by": rel, "triple Harvey directed_by Anthony Mann": triple} {
		_, err := w.SimGRAG(t.Context(), []synth.Query{q}, SimGRAGOptions{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("SimGRAG = %v, want that the graph lacks %s", err, want)
		}
	}
}

// TestInterrupted checks that what was measured before an interrupt is kept.
func TestInterrupted(t *testing.T) {
	w := world(t, testkg.Films())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := w.SimGRAG(ctx, filmCases(t), SimGRAGOptions{Progress: func(task string, done, _ int64, _ time.Duration) {
		if task == "retrieve" && done == 4 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || r == nil || !r.Interrupted {
		t.Fatalf("SimGRAG = %+v, %v, want what was measured and %v", r, err, context.Canceled)
	}
	if len(r.Retrieval) == 0 || r.Retrieval[0].Queries != 4 || r.Grid != nil {
		t.Errorf("interrupted after 4 queries: %+v", r.Retrieval)
	}
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	r, err = w.SimGRAG(ctx, filmCases(t), SimGRAGOptions{Progress: func(task string, done, _ int64, _ time.Duration) {
		if task == gridTask && done == 2 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || r == nil || r.Grid == nil || r.Grid.Queries != 2 {
		t.Errorf("SimGRAG interrupted in the grid = %+v, %v, want the cells of two queries", r, err)
	}
}

func TestSample(t *testing.T) {
	all := make([]int, 100)
	for i := range all {
		all[i] = i
	}
	a, b, c := sample(all, 10, 1), sample(all, 10, 1), sample(all, 10, 2)
	if !cmp.Equal(a, b) || cmp.Equal(a, c) || len(a) != 10 {
		t.Errorf("sample: seed 1 %v and %v, seed 2 %v", a, b, c)
	}
	for i := range a[1:] {
		if a[i] >= a[i+1] {
			t.Errorf("sample = %v, want them in order", a)
		}
	}
	for _, n := range []int{-1, 0, 100, 101} {
		if got := sample(all, n, 1); len(got) != 100 {
			t.Errorf("sample of %d = %d, want all", n, len(got))
		}
	}
}
