package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/app/cli/command"
	"cairn/internal/testing/golden"
)

// TestEvalOfOnesOwnQuestions measures a file of a user's own: what is right, wrong,
// wrong without a doubt, and refused, as the window would answer.
func TestEvalOfOnesOwnQuestions(t *testing.T) {
	dir := home(t)
	small := smallGraph(t, dir)
	file := filepath.Join(dir, "own.csv")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("question,answers\n" +
		"What is the capital of Austria?,VIENNA\n" + // whatever the case
		"Vienna is the capital of Austria.,yes\n" +
		"What is the capital of Hungary?,Vienna\n" + // the file is mistaken
		"What is the capital of Huxgary?,Vienna\n" + // and here Cairn says what it took the name for
		"Which countries border Austria?,Hungary\n" + // there are more
		"Who directed Atlantis?,nobody\n" +
		"A question without an answer,\n")
	var b strings.Builder
	b.WriteString(cairn(t, dir, "eval", small, file))
	b.WriteString(cairn(t, dir, "eval", small, file, "--retriever", "gnn"))
	b.WriteString(cairn(t, dir, "eval", small, filepath.Join(dir, "none.csv")))
	b.WriteString(cairn(t, dir, "eval", small, file, "--format", "prose"))
	b.WriteString(cairn(t, dir, "eval", filepath.Join(dir, "none.cairn"), file))
	golden.Compare(t, "testdata/eval.txt", b.String())

	code, out, errs := start(t.Context(), "--json", "eval", small, file)
	var got evaluation
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != command.ExitDone {
		t.Fatalf("eval --json: exit code %d, %v\n%s%s", code, err, out, errs)
	}
	if got.Questions != 6 || got.Right+got.Wrong+got.Refused != 6 || len(got.Results) != 6 {
		t.Errorf("eval --json: %+v", got)
	}
	if r := got.Results[3]; r.Sure || r.Outcome != "wrong" {
		t.Errorf("a name that was not taken literally: %+v", r)
	}

	write("question,answers\n" + strings.Repeat("Who directed Atlantis?,nobody\n", shownResults+1))
	if _, out, _ := start(t.Context(), "eval", small, file); strings.Count(out, "\nline ") != shownResults || !strings.Contains(out, "--all") {
		t.Errorf("a long list:\n%s", out)
	}
	if _, out, _ := start(t.Context(), "eval", small, file, "--all"); strings.Count(out, "\nline ") != shownResults+1 {
		t.Errorf("with --all:\n%s", out)
	}
}

// TestEvalTeachesTheAutomaticChoice: what each retriever said of a file's questions is kept
// with the graph, and the reason for the next answer is that.
func TestEvalTeachesTheAutomaticChoice(t *testing.T) {
	dir := home(t)
	write := func(name, line string, n int) string {
		t.Helper()
		var text strings.Builder
		if strings.HasSuffix(name, ".csv") {
			text.WriteString("question,topic,answers\n")
		}
		for i := range n {
			fmt.Fprintf(&text, line, i, i%7)
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	graph := filepath.Join(dir, "films.cairn")
	// Of so many relations without words none is asked for by a word that asks for nothing else.
	films, learned, own := write("films.txt", "Film %d|P57|Zorrin %d\nFilm %[1]d|P58|A %[2]d\nFilm %[1]d|P161|B %[2]d\nFilm %[1]d|P162|C %[2]d\nFilm %[1]d|P344|D %[2]d\n", 40), write("qa.csv", "who made Film %d,Film %[1]d,Zorrin %[2]d\n", 30), write("own.csv", "who was it that made Film %d,Film %[1]d,Zorrin %[2]d\n", 40)
	for _, args := range [][]string{{"import", films, "--into", graph}, {"train", "templates", graph, "--questions", learned}} {
		if code, _, errs := start(t.Context(), args...); code != command.ExitDone {
			t.Fatalf("%q: exit code %d\n%s", args, code, errs)
		}
	}
	if _, out, _ := start(t.Context(), "eval", graph, own); !strings.Contains(out, "in 40 cases of doubt is saved with the graph") {
		t.Errorf("eval says\n%s", out)
	}
	if _, out, _ := start(t.Context(), "ask", graph, "who was it that made Film 3"); !strings.Contains(out, "On this graph, the template reader was right in ") || !strings.Contains(out, "Zorrin 3") {
		t.Errorf("ask says\n%s", out)
	}
	if err := os.Chmod(graph, 0o400); err != nil {
		t.Fatal(err)
	}
	if _, out, errs := start(t.Context(), "eval", graph, learned); strings.Contains(out, "kept") || !strings.Contains(out, "30 questions") {
		t.Errorf("eval of what was learned says\n%s%s", out, errs)
	}
}
