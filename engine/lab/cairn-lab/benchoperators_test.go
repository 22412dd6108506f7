package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cairn/app/cli/command"
)

func TestBenchOperators(t *testing.T) {
	dir := home(t)
	graph := starGraph(t, dir)
	code, text, errs := start(t.Context(), "bench", "operators", graph, "--queries", "2", "--limit", "1m")
	if code != 0 || !strings.Contains(text, "| one hop |") || regexp.MustCompile(`\d wrong`).MatchString(text) {
		t.Fatalf("bench operators: exit code %d\n%s%s", code, text, errs)
	}
	for want, tt := range map[string]struct {
		code int
		args []string
	}{
		"1 at least":       {command.ExitUsage, []string{graph, "--queries", "0"}},
		"no such file":     {command.ExitInput, []string{filepath.Join(dir, "none.cairn")}},
		"--oxigraph DIR":   {command.ExitInput, []string{graph, "--oxigraph", filepath.Join(dir, "none")}},
		"pip install kuzu": {command.ExitInput, []string{graph, "--kuzu", filepath.Join(dir, "none")}},
	} {
		code, _, errs := start(t.Context(), append([]string{"bench", "operators"}, tt.args...)...)
		if code != tt.code || !strings.Contains(errs, want) {
			t.Errorf("bench operators %q: exit code %d, want %d and %q\n%s", tt.args, code, tt.code, want, errs)
		}
	}
}
