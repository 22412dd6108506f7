package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/app/cli/command"
	"cairn/engine/lab/bench"
	"cairn/internal/testing/fakeollama"
)

func TestBenchLinking(t *testing.T) {
	dir := home(t)
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	names := write("names.txt", "Vienna\nAustria\nNew Zealand\n")
	pairs := write("pairs.tsv", "the country Austria\tAustria\n")
	fake := fakeollama.New(t)
	fake.Model("near:latest", fakeollama.Script{Embeds: true})
	code, text, errs := start(t.Context(), "--json", "bench", "linking", names, "--pairs", pairs, "--queries", "2", "--embedder", "near", "--host", fake.URL)
	var sets []bench.LinkingSet
	if err := json.Unmarshal([]byte(text), &sets); err != nil || code != 0 {
		t.Fatalf("bench linking: exit code %d, %v\n%s%s", code, err, text, errs)
	}
	if len(sets) != 2 || sets[0].Names != 3 || len(sets[0].Rows) != 3 || sets[0].Rows[2].First != 1 || sets[1].Embedder != "near" {
		t.Errorf("bench linking = %+v", sets)
	}
	for want, args := range map[string][]string{
		"1 at least":             {names, "--queries", "0"},
		"no such file":           {filepath.Join(dir, "none")},
		"name 1 has no tab":      {names, "--pairs", names},
		"is not among the names": {names, "--pairs", write("other.tsv", "Wien\tWien\n")},
	} {
		if code, _, errs := start(t.Context(), append([]string{"bench", "linking"}, args...)...); code == command.ExitDone || !strings.Contains(errs, want) {
			t.Errorf("bench linking %q: exit code %d, %s; want %q", args, code, errs, want)
		}
	}
}
