package bench

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/kg"
	"cairn/engine/match"
	"cairn/internal/testing/naive"
	"cairn/internal/testing/testkg"
)

func TestDrawQueries(t *testing.T) {
	g := dense()
	var b kg.Builder
	for _, a := range []string{"A", "B", "C", "D"} {
		for _, z := range []string{"A", "B", "C", "D"} {
			b.Add(a, "knows", z) // loops and both directions
		}
	}
	for name, tt := range map[string]struct {
		g       *kg.Graph
		missing []Shape
	}{
		"films": {g, []Shape{Cliques}}, "clique": {b.Graph(), []Shape{Stars}},
		"one": {testkg.Build("A|r|B"), []Shape{Chains, Stars, Cycles, Cliques}}, "loop": {testkg.Build("A|r|A"), []Shape{Chains, Stars, Cycles, Cliques}},
	} {
		qs, missing, err := drawQueries(t.Context(), tt.g, 5, 1)
		if err != nil || cmp.Diff(tt.missing, missing) != "" {
			t.Errorf("%s: no %v, %v; want %v", name, missing, err, tt.missing)
		}
		again, _, err := drawQueries(t.Context(), tt.g, 5, 1)
		if err != nil || len(again) != len(qs) || len(qs) != 5*(4-len(missing)) {
			t.Errorf("%s: %d queries, then %d, %v", name, len(qs), len(again), err)
		}
		for i, q := range qs {
			if !cmp.Equal(q.query, again[i].query) {
				t.Errorf("%s: query %d is another one the second time", name, i)
			}
			if want := map[Shape]int{Chains: 3, Stars: 4, Cycles: 4, Cliques: 6}[q.shape]; len(q.query.Edges) != want {
				t.Errorf("%s: a %s has %d edges", name, q.shape, len(q.query.Edges))
			}
			if _, ok, err := match.First(t.Context(), naive.Engine{Graph: tt.g}, q.query); err != nil || !ok {
				t.Errorf("%s: a %s is not in the graph that it was drawn from: %v", name, q.shape, err)
			}
		}
	}
	if _, _, err := drawQueries(t.Context(), testkg.Build(), 1, 1); err == nil {
		t.Error("queries are drawn from an empty graph")
	}
}

func TestExactGraph(t *testing.T) {
	s, err := ExactGraph(t.Context(), "films", dense(), ExactOptions{Queries: 4, Limit: 1 << 40})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Engines) != len(ExactEngines()) || s.Engines[0].Name != "anchored" {
		t.Fatalf("engines: %+v", s.Engines)
	}
	for _, e := range s.Engines {
		for i, r := range e.Rows {
			if r.Wrong+r.RanOut+r.Unknown+r.Failed > 0 || r.Bindings == 0 || r.Bindings != s.Engines[0].Rows[i].Bindings || r.Queries != 4 {
				t.Errorf("%s: %+v", e.Name, r)
			}
		}
	}
	var text, table bytes.Buffer
	r := NewExactReport([]ExactSet{*s}, 0)
	if err := errors.Join(r.WriteText(&text), r.WriteCSV(&table), r.WriteJSON(&bytes.Buffer{})); err != nil || !strings.Contains(text.String(), "no clique of 4 was found") {
		t.Errorf("%v\n%s", err, text.String())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ExactGraph(ctx, "films", dense(), ExactOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	s, err = ExactGraph(t.Context(), "films", dense(), ExactOptions{Queries: 2, Limit: 1, Kuzu: filepath.Join(t.TempDir(), "none")})
	if err != nil || s.Engines[0].Rows[0].RanOut == 0 || s.Engines[len(s.Engines)-1].Failed == "" {
		t.Errorf("a limit of a nanosecond, no Python: %v, %+v", err, s)
	}
}

// writeHPRD writes a triangle with a tail, and a query for its edges, in the protein
// graph's form.
func writeHPRD(t *testing.T, expected string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"data_graph/HPRD.graph": "t 4 4\nv 0 7 2\nv 1 8 2\nv 2 8 3\nv 3 8 1\ne 0 1\ne 0 2\ne 1 2\ne 2 3\n",
		"query_graph/q.graph":   "t 2 1\nv 0 8 1\nv 1 8 1\ne 0 1\n",
		"expected_output.res":   expected,
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestExactHPRD(t *testing.T) {
	for expected, wrong := range map[string]int{"q:4\n": 0, "q:3\n": 1} {
		s, err := ExactHPRD(t.Context(), writeHPRD(t, expected), ExactOptions{Limit: 1 << 40})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range s.Engines {
			if e.Rows[0].Wrong != wrong || e.Rows[0].Bindings != 4 {
				t.Errorf("expected %q, %s: %+v", expected, e.Name, e.Rows[0])
			}
		}
	}
	for _, expected := range []string{"q four\n", "none:4\n"} {
		if _, err := ExactHPRD(t.Context(), writeHPRD(t, expected), ExactOptions{}); !errors.As(err, new(*FileError)) {
			t.Errorf("expected %q: %v, want a FileError", expected, err)
		}
	}
}

// TestCypher writes queries for kuzu, and reads its replies.
func TestCypher(t *testing.T) {
	b := &exactBench{g: testkg.Build("A|r|B"), set: &ExactSet{}}
	q := &match.Query{
		Nodes: []match.Node{{In: []kg.EntityID{1}, Distinct: 2}, {Distinct: 1}},
		Edges: []match.Edge{{From: 1, To: 0, Relations: []kg.RelationID{3}}},
	}
	if got, want := b.cypher(q), "MATCH (n1:N)-[:R3]->(n0:N) WHERE n0.id = 1 AND id(n0) <> id(n1) RETURN count(*)"; got != want {
		t.Errorf("cypher = %s, want %s", got, want)
	}
	b.labels = []int{4, 5}
	q.Edges[0].Either, q.Nodes[1].In = true, []kg.EntityID{0}
	if got, want := b.cypher(q), "MATCH (n1:N)-[:R3]-(n0:N) WHERE n0.label = 5 AND n1.label = 4 RETURN count(*)"; got != want {
		t.Errorf("cypher = %s, want %s", got, want)
	}
	b.queries = slices.Repeat([]exactQuery{{Chains, q, 2}}, 3)
	r := countReply{Version: "1"}
	e := ExactEngine{}
	if err := b.ofKuzu(&e, &r); err == nil {
		t.Error("a reply without answers is read")
	}
	type answer = struct {
		Count       float64 `json:"count"`
		Nanoseconds int64   `json:"nanoseconds"`
		Error       string  `json:"error"`
	}
	r.Answers = append(r.Answers, answer{2, 5, ""}, answer{0, 9, "Interrupted."}, answer{0, 0, "not asked"})
	if err := b.ofKuzu(&e, &r); err != nil || e.Rows[0].RanOut != 1 || e.Rows[0].Failed != 1 || e.Rows[0].Wrong != 0 || e.Rows[0].Bindings != 2 {
		t.Errorf("%v, %+v", err, e)
	}
}
