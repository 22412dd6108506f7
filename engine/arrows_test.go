package engine

import (
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestArrows holds three lists to each other: what docs/architecture.md says each
// package of the engine may import of the others, what the linter allows it, and what
// it does import.
func TestArrows(t *testing.T) {
	drawn, imported := drawnArrows(t), importedArrows(t)
	if diff := cmp.Diff(drawn, linterArrows(t)); diff != "" {
		t.Errorf("the linter's arrows (-docs/architecture.md +.golangci.yml):\n%s", diff)
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(drawn)), slices.Sorted(maps.Keys(imported))); diff != "" {
		t.Errorf("the packages (-docs/architecture.md +engine/):\n%s", diff)
	}
	for from, all := range imported {
		for _, to := range all {
			if !slices.Contains(drawn[from], to) {
				t.Errorf("engine/%s imports engine/%s, and docs/architecture.md has no such arrow", from, to)
			}
		}
		for _, to := range drawn[from] {
			if !slices.Contains(all, to) && !sharesLine(drawn, from) {
				t.Errorf("docs/architecture.md draws engine/%s → engine/%s, which is not imported", from, to)
			}
		}
	}
}

// sharesLine reports whether another package has the same arrows as one: a line of the
// list may be of several, not all of which need them.
func sharesLine(drawn map[string][]string, from string) bool {
	for other, to := range drawn {
		if other != from && slices.Equal(to, drawn[from]) {
			return true
		}
	}
	return false
}

// drawnArrows reads the lines "from from → to to" of the page.
func drawnArrows(t *testing.T) map[string][]string {
	t.Helper()
	arrows := map[string][]string{}
	_, list, _ := strings.Cut(read(t, "../docs/architecture.md"), "`engine/internal` is for all of them:\n\n```\n")
	list, _, _ = strings.Cut(list, "```")
	for line := range strings.Lines(list) {
		from, to, _ := strings.Cut(line, "→")
		for f := range strings.FieldsSeq(from) {
			arrows[f] = slices.Sorted(slices.Values(strings.Fields(to)))
		}
	}
	return arrows
}

// linterArrows reads the rules whose names begin with arrows-of.
func linterArrows(t *testing.T) map[string][]string {
	t.Helper()
	arrows := map[string][]string{}
	rule := regexp.MustCompile(`arrows-of-\S+:\n +files: \[(.*), "!\$test"\]\n +list-mode: lax.*\n +allow: \[cairn/engine/internal(.*)\]\n +deny: \[{ pkg: cairn/engine,`)
	from, to := regexp.MustCompile(`\*\*/engine/([a-z/]+)/\*\.go`), regexp.MustCompile(`cairn/engine/([a-z/]+)\$`)
	for _, r := range rule.FindAllStringSubmatch(read(t, "../.golangci.yml"), -1) {
		var all []string
		for _, m := range to.FindAllStringSubmatch(r[2], -1) {
			all = append(all, m[1])
		}
		for _, m := range from.FindAllStringSubmatch(r[1], -1) {
			arrows[m[1]] = slices.Sorted(slices.Values(all))
		}
	}
	return arrows
}

// importedArrows reads the packages below the façade.
func importedArrows(t *testing.T) map[string][]string {
	t.Helper()
	arrows := map[string][]string{}
	for _, pattern := range []string{"*/*.go", "*/*/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			from := filepath.ToSlash(filepath.Dir(file))
			top, _, _ := strings.Cut(from, "/")
			if strings.HasSuffix(file, "_test.go") || slices.Contains([]string{"internal", "lab", "selftest", "testdata"}, top) {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			arrows[from] = append(arrows[from], []string{}...)
			for _, i := range parsed.Imports {
				path, err := strconv.Unquote(i.Path.Value)
				if err != nil {
					t.Fatal(err)
				}
				if to, ok := strings.CutPrefix(path, "cairn/engine/"); ok && !strings.HasPrefix(to, "internal/") && !slices.Contains(arrows[from], to) {
					arrows[from] = append(arrows[from], to)
				}
			}
		}
	}
	return arrows
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
