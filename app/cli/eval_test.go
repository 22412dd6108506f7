package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/app/cli/command"
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
	golden(t, "eval.txt", b.String())

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
