package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/app/cli/command"
	"cairn/engine"
	"cairn/engine/ingest"
	"cairn/engine/lab/bench"
)

// starGraph imports a graph of films that have much in common.
func starGraph(t *testing.T, dir string) string {
	t.Helper()
	var lines strings.Builder
	for f := range 40 {
		for k, r := range []string{"has_genre", "directed_by", "starred_actors", "in_language", "written_by"} {
			fmt.Fprintf(&lines, "Film %c%c\t%s\t%s %c\n", 'A'+f/26, 'a'+f%26, r, strings.ReplaceAll(r, "_", " "), 'A'+(f*(k+3)+k)%17)
		}
	}
	file, path := filepath.Join(dir, "films.tsv"), filepath.Join(dir, "films.cairn")
	if err := os.WriteFile(file, []byte(lines.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(t.Context(), path, engine.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Import(t.Context(), []string{file}, ingest.Options{}, nil); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestBenchERQA(t *testing.T) {
	dir := home(t)
	graph, table := starGraph(t, dir), filepath.Join(dir, "table.csv")
	args := []string{"--json", "bench", "erqa", graph, "--questions", "4", "--conditions", "4", "--edits", "0,1", "--retriever", "exact", "--csv", table}
	code, text, errs := start(t.Context(), args...)
	var r bench.ERQAReport
	if err := json.Unmarshal([]byte(text), &r); err != nil || code != 0 {
		t.Fatalf("bench erqa: exit code %d, %v\n%s%s", code, err, text, errs)
	}
	if len(r.Rows) != 8 || r.Graph != "films.cairn" || r.Version == "" || len(r.Examples) == 0 {
		t.Errorf("bench erqa = %+v", r)
	}
	if csv, err := os.ReadFile(table); err != nil || strings.Count(string(csv), "\n") != 9 {
		t.Errorf("--csv: %v\n%s", err, csv)
	}
	for want, tt := range map[string]struct {
		code int
		args []string
	}{
		"expected":       {command.ExitUsage, nil},
		"1 at least":     {command.ExitUsage, []string{graph, "--questions", "0"}},
		"2 to 12":        {command.ExitUsage, []string{graph, "--conditions", "1"}},
		"fewer than":     {command.ExitUsage, []string{graph, "--edits", "4"}},
		"no such file":   {command.ExitInput, []string{filepath.Join(dir, "none.cairn")}},
		"joined to 12":   {command.ExitInput, []string{graph, "--conditions", "12"}},
		"none has a nam": {command.ExitInput, []string{emptyGraph(t, dir)}},
	} {
		code, _, errs := start(t.Context(), append([]string{"bench", "erqa"}, tt.args...)...)
		if code != tt.code || !strings.Contains(strings.ToLower(errs), strings.ToLower(want)) {
			t.Errorf("bench erqa %q: exit code %d, want %d and %q\n%s", tt.args, code, tt.code, want, errs)
		}
	}
}

func emptyGraph(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "empty.cairn")
	e, err := engine.Open(t.Context(), path, engine.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}
