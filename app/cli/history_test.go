package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cairn/engine"
)

// TestHistoryShowsAnAnswerAsItWas asks with the engine, as the window does, and reads
// the answer back by the command: listed, printed, and as a page.
func TestHistoryShowsAnAnswerAsItWas(t *testing.T) {
	dir := t.TempDir()
	triples, graph, page := filepath.Join(dir, "kb.txt"), filepath.Join(dir, "kb.cairn"), filepath.Join(dir, "page.html")
	if err := os.WriteFile(triples, []byte("Tangerine|directed_by|Sean Baker\nAnora|directed_by|Sean Baker\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	do := func(want int, args ...string) string {
		t.Helper()
		var out bytes.Buffer
		if code := (Program{Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out}).Run(t.Context()); code != want {
			t.Errorf("cairn %s ends with %d, want %d:\n%s", strings.Join(args, " "), code, want, out.String())
		}
		return out.String()
	}
	do(0, "import", triples, "--into", graph)
	if got := do(0, "history", graph); !strings.Contains(got, "No questions have been asked") {
		t.Errorf("the history of a new graph: %q", got)
	}
	e, err := engine.Open(t.Context(), graph, engine.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Ask(t.Context(), "who directed Tangerine?", engine.AskOptions{Save: true}, nil); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	asked := do(0, "ask", graph, "who directed Tangerine?")
	if got := do(0, "history", graph); !regexp.MustCompile(`(?m)^1 .*who directed Tangerine\?$`).MatchString(got) {
		t.Errorf("the history lists %q", got)
	}
	got := do(0, "history", graph, "1", "--html", page)
	for line := range strings.Lines(asked) { // but for the time that it took
		if !strings.Contains(line, " ms") && !strings.Contains(got, line) {
			t.Errorf("the answer of the history lacks %q:\n%s", line, got)
		}
	}
	html, err := os.ReadFile(page)
	if err != nil || !strings.Contains(got, "This is the answer given then.") || !strings.Contains(string(html), "This is the answer given then.") || !strings.Contains(string(html), "kb.txt:1") {
		t.Errorf("the page of an answer of the history: %v\n%s", err, got)
	}
	if got := do(7, "history", graph, "7"); !strings.Contains(got, "no such question") {
		t.Errorf("a question that does not exist: %q", got)
	}
}
