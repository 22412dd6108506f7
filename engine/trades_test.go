package engine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/engine/answer"
	"cairn/engine/plan"
	"cairn/internal/testing/shared"
)

// TestTrades asks what people of several trades would, of a small graph of each: bridges, a library,
// holdings, films, ships. In the file, = is answered so and sure, ~ so with or without a doubt, and
// nothing that begins with ! is sure.
func TestTrades(t *testing.T) {
	shared.Sequential(t)
	text, err := os.ReadFile("testdata/trades/questions.txt")
	if err != nil {
		t.Fatal(err)
	}
	var e *Engine
	for line := range strings.Lines(string(text)) {
		mark, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		question, want, _ := strings.Cut(rest, " | ")
		switch mark {
		case "", "#":
			continue
		case "@":
			var files []string
			for f := range strings.FieldsSeq(rest) {
				files = append(files, filepath.Join("testdata", "trades", f))
			}
			e = importFiles(t, files...)
			continue
		}
		run, err := e.Ask(t.Context(), question, AskOptions{NoModel: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, sure := saidBy(run)
		switch {
		case mark == "!" && sure, mark != "!" && got != want, mark == "=" && !sure:
			t.Errorf("%s\n\tgot  %s, sure %v: %s\n\twant %s", question, got, sure, run.Plan.Reason, want)
		}
	}
}

// saidBy is what a run answers, in the order of the alphabet, and whether it is sure.
func saidBy(run *Run) (text string, sure bool) {
	if run.Plan.Claim {
		return map[answer.Verdict]string{answer.Supported: "yes", answer.Likely: "yes", answer.Refuted: "no"}[run.Answer.Verdict], run.Answer.Verdict != answer.NotFound && run.Plan.Doubt == plan.Sure
	}
	var labels []string
	for _, x := range run.Answer.Items {
		labels = append(labels, x.Label)
	}
	slices.Sort(labels)
	return strings.Join(labels, "; "), run.Plan.Doubt == plan.Sure && len(labels) > 0
}
