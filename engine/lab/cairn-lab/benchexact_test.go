package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/app/cli/command"
	"cairn/engine/lab/bench"
)

func TestBenchExact(t *testing.T) {
	dir := home(t)
	graph, table := starGraph(t, dir), filepath.Join(dir, "table.csv")
	code, text, errs := start(t.Context(), "--json", "bench", "exact", graph, "--queries", "3", "--limit", "1m", "--csv", table)
	var r bench.ExactReport
	if err := json.Unmarshal([]byte(text), &r); err != nil || code != 0 {
		t.Fatalf("bench exact: exit code %d, %v\n%s%s", code, err, text, errs)
	}
	if len(r.Sets) != 1 || len(r.Sets[0].Engines) != len(bench.ExactEngines()) || r.Version == "" {
		t.Fatalf("bench exact = %+v", r)
	}
	for _, e := range r.Sets[0].Engines {
		for _, row := range e.Rows {
			if row.Wrong+row.RanOut > 0 {
				t.Errorf("%s: %+v", e.Name, row)
			}
		}
	}
	if csv, err := os.ReadFile(table); err != nil || !strings.HasPrefix(string(csv), "graph,entities,shape") {
		t.Errorf("--csv: %v\n%s", err, csv)
	}
	for want, tt := range map[string]struct {
		code int
		args []string
	}{
		"on what":          {command.ExitUsage, nil},
		"1 at least":       {command.ExitUsage, []string{graph, "--queries", "0"}},
		"no engine":        {command.ExitUsage, []string{graph, "--engines", "best"}},
		"no such file":     {command.ExitInput, []string{filepath.Join(dir, "none.cairn")}},
		"pip install kuzu": {command.ExitInput, []string{graph, "--kuzu", filepath.Join(dir, "none")}},
		"HPRD.graph":       {command.ExitInput, []string{"--hprd", dir}},
	} {
		code, _, errs := start(t.Context(), append([]string{"bench", "exact"}, tt.args...)...)
		if code != tt.code || !strings.Contains(errs, want) {
			t.Errorf("bench exact %q: exit code %d, want %d and %q\n%s", tt.args, code, tt.code, want, errs)
		}
	}
}
