package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cairn/internal/testing/golden"
)

var importedAt = regexp.MustCompile(`\d+ \p{L}+ \d{4}, \d\d:\d\d`)

// TestLayers switches a layer off and on, replaces it by a new version of its file, and
// removes it; questions and citations follow.
func TestLayers(t *testing.T) {
	dir := home(t)
	graph, more := filepath.Join(dir, "g.cairn"), filepath.Join(dir, "more.tsv")
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const header = "head\trelation\ttail\n"
	first := write("first.tsv", header+"Vienna\tcapital of\tAustria\nAustria\tborders\tItaly\n")
	write("more.tsv", header+"Austria\tborders\tHungary\nAustria\tborders\tBavaria\n")
	var b strings.Builder
	do := func(args ...string) {
		b.WriteString(importedAt.ReplaceAllString(cairn(t, dir, args...), "TODAY") + "\n")
	}
	const question = "Which countries does Austria border?"
	do("import", first, "--into", graph)
	do("import", more, "--into", graph)
	do("layers", graph, "--off", "1")
	do("ask", graph, question)
	do("layers", graph, "--on", "1")
	write("more.tsv", header+"Austria\tborders\tHungary\nAustria\tborders\tSlovenia\n")
	do("ask", graph, question)
	do("import", more, "--into", graph, "--replace")
	do("import", more, "--into", graph, "--replace", "--yes")
	do("ask", graph, question)
	do("export", graph, filepath.Join(dir, "out.nq"), "--layer", "0")
	do("layers", graph, "--remove", "3")
	do("ask", graph, question)
	do("layers", graph, "--remove", "7")
	do("layers", graph, "--on", "0", "--off", "0")
	do("check", graph)
	golden.Compare(t, "testdata/layers.txt", b.String())
	exported, err := os.ReadFile(filepath.Join(dir, "out.nq"))
	if err != nil {
		t.Fatal(err)
	}
	if s := string(exported); !strings.Contains(s, "Italy") || strings.Contains(s, "Slovenia") {
		t.Errorf("exported: %s, want what the first layer says and no more", s)
	}
}
