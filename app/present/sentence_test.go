package present

import (
	"strings"
	"testing"

	"cairn/engine/answer"
	"cairn/engine/check"
	"cairn/engine/report"
)

func TestCheckSummary(t *testing.T) {
	good := report.Sentence{Text: "a", Citations: []int{1}, Check: "supported", Good: true}
	partly := report.Sentence{Text: "b", Citations: []int{1}, Check: "partly supported"}
	struck := report.Sentence{Text: "c", Citations: []int{2}, Check: "not in the evidence", Struck: true}
	note := report.Sentence{Text: "d", Note: true}
	unchecked := report.Sentence{Text: "e", Citations: []int{1}}
	for _, c := range []struct {
		name string
		rows []report.Sentence
		want string
	}{
		{"nothing", nil, ""},
		{"a note alone", []report.Sentence{note}, ""},
		{"unchecked", []report.Sentence{unchecked}, "Not checked against the triples."},
		{"one good", []report.Sentence{good}, "✓ Checked: the sentence is supported by the triples it cites."},
		{"all good", []report.Sentence{good, good}, "✓ Checked: all 2 sentences are supported by the triples they cite."},
		{"good and a note", []report.Sentence{good, note}, "✓ Checked: every sentence with a citation is supported by it."},
		{"one struck of one", []report.Sentence{struck}, "The sentence is not supported by the triples it cites; unsupported text is struck out."},
		{"one struck of two", []report.Sentence{good, struck}, "1 of 2 sentences is not supported by the triples it cites; unsupported text is struck out."},
		{"two of five", []report.Sentence{good, struck, good, partly, good, note}, "2 of 5 sentences are not supported by the triples they cite; 1 of them is unsupported and struck out."},
		{"partly alone", []report.Sentence{good, partly, good}, "1 of 3 sentences is not supported by the triples it cites; the problems are listed below."},
		{"none", []report.Sentence{struck, struck}, "None of the 2 sentences is supported by the triples it cites; unsupported text is struck out."},
		{"the model's alone", []report.Sentence{good, note, ofModel(struck), ofModel(good)}, "1 of 2 sentences by the model is not supported by the triples it cites; unsupported text is struck out."},
		{"nothing by the model's", []report.Sentence{good, note, ofModel(struck)}, ""},
	} {
		if got := CheckSummary(c.rows); got != c.want {
			t.Errorf("%s: CheckSummary() = %q, want %q", c.name, got, c.want)
		}
	}
}

// ofModel is a sentence that a model wrote.
func ofModel(r report.Sentence) report.Sentence {
	r.Model = true
	return r
}

func TestStruckSentencesKeepTheirMarkAsText(t *testing.T) {
	rows := Sentences(&answer.Answer{Model: "m", Sentences: []answer.Sentence{
		{Text: "Vienna lies in Japan [T1].", Citations: []int{1}, Check: check.NotInEvidence, Reason: "T1 does not name “Japan”."},
		{Text: "The search was complete.", Note: true},
	}})
	if got, want := rows[0].Copied(), "~~Vienna lies in Japan.~~ [T1] (not in the evidence: T1 does not name “Japan”)"; got != want {
		t.Errorf("Copied() = %q, want %q", got, want)
	}
	if got := rows[1].Copied(); got != "The search was complete." {
		t.Errorf("Copied() = %q, want the note as it is", got)
	}
	g, run := films(t, 1)
	run.Answer.Model = "m"
	run.Answer.Sentences = []answer.Sentence{{Text: "In 1987 [T1].", Citations: []int{1}, Check: check.NotInEvidence}}
	if got := AnswerText(g, run); !strings.Contains(got, "~~In 1987.~~ [T1] (not in the evidence)") {
		t.Errorf("AnswerText() = %q loses the mark", got)
	}
}
