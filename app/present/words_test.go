package present

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/check"
	"cairn/engine/evidence"
	"cairn/engine/ingest"
	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/llm"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/report"
	"cairn/engine/retrieve"
)

func TestNumbers(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Count(0), "0"},
		{Count(999), "999"},
		{Count(1000), "1,000"},
		{Count(133582), "133,582"},
		{Count(-1234567), "-1,234,567"},
		{Plural(1, "triple", "triples"), "1 triple"},
		{Plural(2730, "triple", "triples"), "2,730 triples"},
		{Bytes(512), "512 B"},
		{Bytes(4_200_000), "4.2 MB"},
		{Bytes(999_950), "1.0 MB"},
		{Bytes(42_000_000_000), "42 GB"},
		{Elapsed(0), "0 ms"},
		{Elapsed(400 * time.Microsecond), "0.4 ms"},
		{Elapsed(38 * time.Millisecond), "38 ms"},
		{Elapsed(1600 * time.Millisecond), "1.6 s"},
		{Elapsed(125 * time.Second), "2 min 5 s"},
		{Distance(0), "exact"},
		{Distance(0.314), "0.31"},
		{Percent(1, 3), "33%"},
		{Percent(1, 0), ""},
		{Shorten("Østerreich", 5), "Øste…"},
		{Tail("one two three", 20), "one two three"},
		{Tail("one two three", 9), "…three"},
		{Tail("Østerreich", 5), "…eich"},
		{Sentence("the file is empty"), "The file is empty."},
		{Sentence("kb.txt:3 has no tail"), "kb.txt:3 has no tail."},
		{List([]string{"a", "b", "c"}), "a, b and c"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

type remedied struct{}

func (remedied) Error() string  { return "read kb.txt: line 3 has two columns" }
func (remedied) Remedy() string { return "choose the delimiter by hand" }

func TestExplain(t *testing.T) {
	for _, c := range []struct {
		name             string
		err              error
		sentence, remedy string // parts of them
	}{
		{"nil", nil, "", ""},
		{"cancelled", fmt.Errorf("import: %w", context.Canceled), "Stopped.", ""},
		{"disk full", &fs.PathError{Op: "write", Path: "/data/a.cairn", Err: syscall.ENOSPC}, "disk is full", "Free some space"},
		{"not there", &fs.PathError{Op: "open", Path: "/data/a.cairn", Err: fs.ErrNotExist}, "/data/a.cairn does not exist", "Choose it again"},
		{"own remedy", fmt.Errorf("import: %w", remedied{}), "line 3 has two columns", "Choose the delimiter by hand."},
		{"no Ollama", fmt.Errorf("ask: %w", syscall.ECONNREFUSED), "does not respond", "works without it"},
		{"plain", errors.New("open “a”: it is empty; choose another file"), "Open “a”: it is empty.", "Choose another file."},
		{"damaged", fmt.Errorf("open: %w", &kg.FileError{Doing: "open", Path: "/data/a.cairn", What: "the file is damaged", Remedy: "restore it", Cause: errors.New("SQLITE_CORRUPT")}), "Could not open /data/a.cairn: the file is damaged.", "Restore it."},
		{"import", &kg.FileError{Doing: "import", Path: "/data/kb.txt", Line: 1200, What: "it ends in the middle", Remedy: "download it again", Cause: errors.New("errno 5")}, "Could not import /data/kb.txt, line 1200: it ends in the middle.", "Download it again."},
		{"model", &llm.Error{Kind: llm.ErrNotRunning, Detail: "at 127.0.0.1", Remedy: "start it"}, "No Ollama server responds at 127.0.0.1.", "Start it."},
		{"inner", errors.New("runtime error: index out of range [3] with length 2"), "inside Cairn", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			sentence, remedy := Explain(c.err)
			if !strings.Contains(sentence, c.sentence) || !strings.Contains(remedy, c.remedy) {
				t.Errorf("Explain(%v) = %q, %q, want %q, %q", c.err, sentence, remedy, c.sentence, c.remedy)
			}
			for _, raw := range []string{"runtime error", "syscall", "0x", "goroutine", "errno", "SQLITE"} {
				if strings.Contains(sentence, raw) {
					t.Errorf("Explain(%v) = %q shows %q", c.err, sentence, raw)
				}
			}
		})
	}
}

func TestSentencesLoseTheirMarks(t *testing.T) {
	a := &answer.Answer{Sentences: []answer.Sentence{
		{Text: "Vienna is the capital of Austria [T1].", Citations: []int{1}, Check: check.Covered},
		{Text: "It borders two [T2, T3] of them [Tx].", Citations: []int{2, 3}, Check: check.Partly, Reason: "“two” is in neither"},
		{Text: "[T9", Citations: nil},
	}}
	want := []report.Sentence{
		{Text: "Vienna is the capital of Austria.", Citations: []int{1}, Check: "supported", Good: true},
		{Text: "It borders two of them [Tx].", Citations: []int{2, 3}, Check: "partly supported", Reason: "“two” is in neither"},
		{Text: "[T9"},
	}
	if diff := cmp.Diff(want, Sentences(a)); diff != "" {
		t.Error(diff)
	}
}

func TestHeadlineNeverSaysFalse(t *testing.T) {
	for _, c := range []struct {
		a    answer.Answer
		want string
	}{
		{answer.Answer{Verdict: answer.Supported}, "Supported by this graph"},
		{answer.Answer{Verdict: answer.NotFound}, "Not found in this graph"},
		{answer.Answer{Refusal: &answer.Refusal{}}, "No answer in this graph"},
		{answer.Answer{Count: 12, Items: make([]answer.Item, 3)}, "12 answers"},
		{answer.Answer{Count: 1, Items: make([]answer.Item, 1)}, "Answer"},
	} {
		if got, _ := headline(&engine.Run{Answer: &c.a}); got != c.want {
			t.Errorf("Headline(%+v) = %q, want %q", c.a, got, c.want)
		}
	}
}

// TestHeadlineOfAlikeNames words what is said of a thing whose name is only like the claim's.
func TestHeadlineOfAlikeNames(t *testing.T) {
	run := &engine.Run{
		Answer: &answer.Answer{Verdict: answer.Supported},
		Plan: &plan.Plan{
			Mentions: []link.Mention{{Text: "Marie Curey", Candidates: []link.Candidate{{Entity: 1, Method: link.Typo}}}},
			Readings: []plan.Reading{{Pattern: &pattern.Pattern{Asked: -1, Task: pattern.Verify, Nodes: []pattern.Node{{Text: "Marie Curey", Entities: []kg.EntityID{1}}}}}},
		},
	}
	if got, tone := headline(run); got != "Likely supported by this graph" || tone != Doubtful {
		t.Errorf("a name that is alike: %q, %d", got, tone)
	}
	run.Plan.Mentions[0].Candidates[0].Method = link.Exact
	if got, tone := headline(run); got != "Supported by this graph" || tone != Good {
		t.Errorf("the very name: %q, %d", got, tone)
	}
}

func TestStepsOfRun(t *testing.T) {
	g, run := films(t, 2)
	steps := Steps(g, run)
	if len(steps) != len(engine.Stages) {
		t.Fatalf("Steps: %d, want %d", len(steps), len(engine.Stages))
	}
	if steps[0].State != Done || steps[0].Time != "0.4 ms" || steps[0].Summary != "Anthony Mann" {
		t.Errorf("link step = %+v", steps[0])
	}
	if steps[3].State != Waiting {
		t.Errorf("answer step = %v, want waiting: it left no record", steps[3].State)
	}
	details := strings.Join(steps[2].Details, "\n")
	for _, want := range []string{"2 matches, complete, distance 0.25", "in total", "0.250"} {
		if !strings.Contains(details, want) {
			t.Errorf("retrieve details lack %q:\n%s", want, details)
		}
	}
	run.Answers = make([]evidence.Answer, 3)
	if got := Steps(g, run)[2].Summary; !strings.HasPrefix(got, "3 answers, complete") {
		t.Errorf("of more answers than matches were kept, the retrieval says %q", got)
	}
}

func TestStepsSayOnceWhyAModelFailed(t *testing.T) {
	g, run := films(t, 1)
	run.Plan.StoodIn, run.Plan.Reason, run.Plan.Doubt = "Another planned it.", "A word is left over.", plan.Unsure
	run.Answer.NotWorded = "It was not worded."
	for stage, want := range map[engine.Stage][]string{
		engine.StagePlan:   {"Another planned it.", "A word is left over."},
		engine.StageAnswer: {"It was not worded."},
	} {
		lines := strings.Join(Ended(g, run, engine.StageRecord{Stage: stage}).Details, "\n")
		for _, w := range want {
			if strings.Count(lines, w) != 1 || strings.Contains(lines, "no model was used") {
				t.Errorf("the step %s says:\n%s\nwant %q once", stage, lines, w)
			}
		}
	}
	if got := Doubt(run); got != "A word is left over." {
		t.Errorf("Doubt() = %q", got)
	}
}

func TestImportRowsAddUp(t *testing.T) {
	last := func(rows []CountRow) string { return rows[len(rows)-1].Note }
	rows := ImportRows(ingest.Report{Read: 12, Used: 9, Added: 16, Duplicate: 3, Rejected: 1, Skipped: 2})
	if got := last(rows); got != "used + rejected + skipped" || rows[2].Count != "19" {
		t.Errorf("note = %q", got)
	}
	rows = ImportRows(ingest.Report{Read: 10, Used: 6, Added: 6})
	if got := last(rows); !strings.Contains(got, "unaccounted") {
		t.Errorf("note = %q, want it to say that the counts do not add up", got)
	}
	if got, want := ImportSentence([]string{"/a/kb.txt"}, ingest.Report{Read: 2, Duplicate: 2}), "Everything in kb.txt was already in this graph."; got != want {
		t.Errorf("ImportSentence = %q, want %q", got, want)
	}
}

func TestAnswerTextCites(t *testing.T) {
	g, run := films(t, 1)
	run.Answer.Sentences = []answer.Sentence{{Text: "It was 1940 [T1].", Citations: []int{1}}}
	text := AnswerText(g, run)
	for _, want := range []string{"It was 1940. [T1]", "[T2] Film 0 — release year → 1940"} {
		if !strings.Contains(text, want) {
			t.Errorf("AnswerText lacks %q:\n%s", want, text)
		}
	}
}

func TestReadingsOfTheSameWordsSayWhich(t *testing.T) {
	g, run := films(t, 1)
	again := run.Plan.Readings[0]
	other := *again.Pattern
	other.Nodes = append([]pattern.Node{{Text: "Anthony Mann", Entities: []kg.EntityID{2}}}, other.Nodes[1:]...)
	run.Plan.Readings = append(run.Plan.Readings, again, plan.Reading{Pattern: &other, Text: again.Text})
	run.Reading = 1
	got := Readings(g, run)
	if len(got) != 2 || got[0].Index != 1 || !got[0].Chosen || got[1].Index != 2 {
		t.Fatalf("Readings = %+v, want the chosen one and the one about another entity", got)
	}
}

func TestTakenNamesWhatWasNotLiteral(t *testing.T) {
	g, run := films(t, 1)
	if got := Taken(g, run); len(got) != 0 {
		t.Errorf("Taken = %q for an exact name, want none", got)
	}
	run.Plan.Mentions[0].Text = "Antony Man"
	run.Plan.Mentions[0].Candidates[0].Method = link.Typo
	want := []string{"“Antony Man” was read as “Anthony Mann” (likely misspelling)."}
	if diff := cmp.Diff(want, Taken(g, run)); diff != "" {
		t.Error(diff)
	}
}

func TestGlanceNamesFewAnswers(t *testing.T) {
	for _, c := range []struct {
		a    answer.Answer
		want string
	}{
		{answer.Answer{Count: 1, Items: []answer.Item{{Label: "Islamabad"}}}, "Islamabad"},
		{answer.Answer{Count: 2, Items: []answer.Item{{Label: "Slovakia"}, {Label: "Slovenia"}}}, "Slovakia and Slovenia"},
		{answer.Answer{Count: 9, Items: []answer.Item{{Label: "Slovakia"}, {Label: "Slovenia"}}}, "9 answers"},
		{answer.Answer{Verdict: answer.Supported, Items: []answer.Item{{Label: "x"}}}, "Supported by this graph"},
	} {
		if got, _ := Glance(&engine.Run{Answer: &c.a}); got != c.want {
			t.Errorf("Glance(%+v) = %q, want %q", c.a, got, c.want)
		}
	}
}

func TestExplainTraining(t *testing.T) {
	for _, c := range []struct {
		err              error
		sentence, remedy string
	}{
		{engine.ErrUntrained, "No retriever of this kind is trained on this graph yet.", "Train one"},
		{fmt.Errorf("train: %w", retrieve.ErrNothingToLearn), "no question has an answer that can be reached", "let Cairn generate questions"},
		{fmt.Errorf("train: %w: it needs two questions at least", retrieve.ErrNothingToLearn), "There is nothing to learn from: it needs two questions at least.", "Choose other questions"},
		{fmt.Errorf("x: %w", retrieve.ErrModel), "damaged", "train a new one"},
		{fmt.Errorf("x: %w", retrieve.ErrResume), "cannot be resumed", "Start a new one"},
		{fmt.Errorf("x: %w", retrieve.ErrDiverged), "the best weights so far are kept", "another seed"},
	} {
		sentence, remedy := Explain(c.err)
		if !strings.Contains(sentence, c.sentence) || !strings.Contains(remedy, c.remedy) {
			t.Errorf("Explain(%v) = %q, %q, want %q, %q", c.err, sentence, remedy, c.sentence, c.remedy)
		}
	}
}

// TestStepSaysWhatIsKnown: whose words an answer shows is for the check to find out, so
// the step before it does not say.
func TestStepSaysWhatIsKnown(t *testing.T) {
	g, run := films(t, 1)
	run.Answer.Model = "qwen3:4b"
	run.Answer.Sentences = []answer.Sentence{{Text: "It was 1987.", Check: check.NotInGraph, Model: true}, {Text: "It was 1940.", Check: check.Covered}}
	for stage, want := range map[engine.Stage][2]string{
		engine.StageLink:     {"Anthony Mann", "1 name"},
		engine.StageRetrieve: {"1 match, complete, distance 0.25 (0 is exact, lower is closer)", "1 match"},
		engine.StageAnswer:   {"1940, 1 sentence by qwen3:4b to check", "1 answer"},
		engine.StageCheck:    {"0 of 1 sentence supported", "0 of 1 hold"},
	} {
		st := Ended(g, run, engine.StageRecord{Stage: stage})
		if got := [2]string{st.Summary, st.Short}; got != want {
			t.Errorf("the step %s says %q, want %q", stage, got, want)
		}
	}
}

// TestAnswerWithoutItems: paths and a comparison are no number of answers.
func TestAnswerWithoutItems(t *testing.T) {
	g, run := films(t, 2)
	run.Answer.Items = nil
	for task, want := range map[pattern.Task]string{pattern.Connect: "2 paths", pattern.Contrast: "compared", pattern.Count: "2"} {
		run.Task = task
		if step := Ended(g, run, engine.StageRecord{Stage: engine.StageAnswer}); step.Summary != want || step.Short != want {
			t.Errorf("%v: the answer says %q, in short %q, want %q", task, step.Summary, step.Short, want)
		}
	}
}

// TestMoreAnswers: a list that is cut says where the rest is, and how much of it.
func TestMoreAnswers(t *testing.T) {
	run := &engine.Run{Answer: &answer.Answer{Items: make([]answer.Item, 2000), Count: 2000}}
	if got, want := MoreAnswers(run, 60), "and 1,940 more answers; Copy includes them all"; got != want {
		t.Errorf("MoreAnswers = %q, want %q", got, want)
	}
	run.Answer.Count = 10_000
	g, _ := films(t, 1)
	run.Answer.Items[1999].Label = "the last"
	if text := AnswerText(g, run); !strings.Contains(text, "\nthe last\nand 8,000 more answers\n") {
		t.Errorf("what is copied does not list the answers: %q", Tail(text, 200))
	}
	if got, want := MoreAnswers(run, 60), "and 9,940 more answers; Copy includes the first 2,000"; got != want {
		t.Errorf("MoreAnswers = %q, want %q", got, want)
	}
}
