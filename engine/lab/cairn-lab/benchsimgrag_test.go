package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/app/cli/command"
	"cairn/engine/lab/bench"
	"cairn/internal/testing/golden"
)

// capitals are queries of small.tsv.
const capitals = `{"id":1,"shape":"chain","hops":1,"nodes":[{"text":"Viena","key":"Vienna","label":"Vienna"},{"key":"Austria","label":"Austria"}],"edges":[{"from":1,"to":0,"text":"capital city","relation":"capital"}]}
`

// queriesBeside writes a queries file where cairn-lab bench simgrag looks for it.
func queriesBeside(t *testing.T, graph, queries string) string {
	t.Helper()
	path := strings.TrimSuffix(graph, ".cairn") + ".queries.jsonl"
	if err := os.WriteFile(path, []byte(queries), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestBenchSimGRAG measures a graph, and puts its results beside those of another
// run.
func TestBenchSimGRAG(t *testing.T) {
	dir := home(t)
	small := smallGraph(t, dir)
	queriesBeside(t, small, capitals)
	out, profile := filepath.Join(dir, "out"), filepath.Join(dir, "cpu.pprof")
	code, text, errs := start(t.Context(), "bench", "simgrag", small, "--out", out, "--profile", profile)
	if code != 0 || !strings.Contains(text, "retrieval time in ms") || !strings.Contains(text, "grid of appendix E: 1 queries") {
		t.Fatalf("bench simgrag: exit code %d\n%s%s", code, text, errs)
	}
	var names []string
	for _, f := range append(must(os.ReadDir(out))(t), must(os.ReadDir(dir))(t)...) {
		if !f.IsDir() && !strings.HasPrefix(f.Name(), "small.") {
			names = append(names, f.Name())
		}
	}
	want := []string{"figure5-small.csv", "figure5-small.svg", "grid-small.csv", "results.json", "retrieval.csv", "cpu.pprof"}
	if !slices.Equal(names, want) {
		t.Errorf("wrote %q, want %q", names, want)
	}
	results := filepath.Join(out, "results.json")
	code, text, errs = start(t.Context(), "--json", "bench", "simgrag", results, small, "--grid", "0", "--k", "1", "--out", out)
	var r bench.SimGRAGReport
	if err := json.Unmarshal([]byte(text), &r); err != nil || code != 0 {
		t.Fatalf("bench simgrag --json: exit code %d, %v\n%s%s", code, err, text, errs)
	}
	if len(r.Graphs) != 2 || len(r.Growth) == 0 || r.Graphs[1].Retrieval[0].Found.Hits1 != 1 || r.Version == "" {
		t.Errorf("results of two runs: %+v", r)
	}
	if _, err := os.Stat(filepath.Join(out, "growth.svg")); err != nil {
		t.Errorf("no plot of the growth: %v", err)
	}
	// What goes wrong later takes nothing of what was measured.
	bad := filepath.Join(dir, "bad.json")
	if err := os.WriteFile(bad, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	code, text, errs = start(t.Context(), "bench", "simgrag", results, bad)
	if code != command.ExitInput || !strings.Contains(text, "retrieval time in ms") || !strings.Contains(errs, "bad.json") {
		t.Errorf("bench simgrag, the second file damaged: exit code %d\n%s%s", code, text, errs)
	}
}

func must[V any](v V, err error) func(t *testing.T) V {
	return func(t *testing.T) V {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// TestBenchSimGRAGWrongly is what is said where nothing can be measured.
func TestBenchSimGRAGWrongly(t *testing.T) {
	dir := home(t)
	small := smallGraph(t, dir)
	var out strings.Builder
	run := func(args ...string) { out.WriteString(lab(t, dir, append([]string{"bench", "simgrag"}, args...)...)) }
	run(filepath.Join(dir, "none.cairn"))
	run(small)
	run(small, "--queries", filepath.Join(dir, "none.jsonl"))
	queries := queriesBeside(t, small, capitals+"{\"id\": 2, \"nodes\": \n")
	run(small)
	queriesBeside(t, small, strings.ReplaceAll(capitals, "Vienna", "Atlantis"))
	run(small)
	queriesBeside(t, small, "")
	run(small)
	queriesBeside(t, small, capitals)
	run(small, "--queries", queries, "--queries", queries)
	run(small, "--kn", "0")
	run(small, "--deadline", "0s")
	run(small, small, "--profile", filepath.Join(dir, "cpu.pprof"))
	results := filepath.Join(dir, "results.json")
	for _, text := range []string{"[]", "{}"} {
		if err := os.WriteFile(results, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		run(results)
	}
	golden.Compare(t, "testdata/bench-simgrag-wrongly.txt", out.String())
}

// TestBenchSimGRAGInterrupted checks that an interrupt says so.
func TestBenchSimGRAGInterrupted(t *testing.T) {
	dir := home(t)
	small := smallGraph(t, dir)
	queriesBeside(t, small, capitals)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if code, out, errs := start(ctx, "bench", "simgrag", small); code != command.ExitInterrupted || out != "" {
		t.Errorf("exit code %d, %q, %q, want %d", code, out, errs, command.ExitInterrupted)
	}
}
