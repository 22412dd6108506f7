package present

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"cairn/engine"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
)

// epochs are those of one part and try, from one to another, of 20, each of 2 s.
func epochs(from, to int) []retrieve.Epoch {
	var es []retrieve.Epoch
	for i := from; i <= to; i++ {
		es = append(es, retrieve.Epoch{
			Part: 1, Parts: 1, Try: 1, Epoch: i, Epochs: 20, Loss: 1 / float64(i), Seconds: 2 * float64(i),
			Dev: &retrieve.Metrics{H1: float64(i) / 20}, Best: true,
		})
	}
	return es
}

func TestTrainingInWords(t *testing.T) {
	two := epochs(1, 3)
	for i := range two {
		two[i].Parts, two[i].Part, two[i].Try = 2, 2, 3
	}
	for name, c := range map[string]struct {
		work  Training
		state string
		share float64
	}{
		"not begun":    {Training{}, "Prepare the questions …", -1},
		"preparing":    {Training{Task: "make questions", Done: 5, Total: 20}, "Make questions: 5 of 20 (25%)", 0.25},
		"under way":    {Training{Epochs: epochs(1, 5)}, "Epoch 5 of at most 20 · at most about 30 s left", 0.25},
		"gone on with": {Training{Epochs: epochs(11, 15)}, "Epoch 15 of at most 20 · at most about 10 s left", 0.75},
		"the last":     {Training{Epochs: epochs(1, 20)}, "Epoch 20 of at most 20", 1},
		"of two":       {Training{Epochs: two}, "Part 2 of 2 · attempt 3 · epoch 3 of at most 20 · at most about 30 s left", 0.575},
	} {
		if got := c.work.State(); got != c.state {
			t.Errorf("%s: State = %q, want %q", name, got, c.state)
		}
		share, ok := c.work.Share()
		if !ok {
			share = -1
		}
		if math.Abs(share-c.share) > 1e-9 {
			t.Errorf("%s: Share = %v, want %v", name, share, c.share)
		}
	}
}

func TestTrainingResult(t *testing.T) {
	work := Training{Epochs: epochs(1, 3), Data: &engine.TrainingData{Held: 200}}
	work.Epochs[2].Best = false
	if got, want := work.Result(), "Best so far: the first answer was right for 20 of 200 held-back questions (H@1 0.10)."; got != want {
		t.Errorf("Result = %q, want %q", got, want)
	}
	second := epochs(1, 2)
	for i := range second {
		second[i].Part, second[i].Parts = 2, 2
	}
	work.Epochs = append(epochs(1, 9), second...)
	if got, want := work.Result(), "Best so far of part 2: the first answer was right for 20 of 200"; !strings.HasPrefix(got, want) {
		t.Errorf("Result = %q, want %q", got, want)
	}
	for _, c := range []struct {
		h1   float64
		held int
		made bool
		want string
	}{
		{0.9999, 2000, false, "right for 99% of the held-back questions"},
		{1, 2000, false, "right for 100% of the held-back questions"},
		{0.5, 1, false, "right for 1 of 1 held-back questions"},
		{1, 0, false, "trained on. None were held back"},
		{0.97, 100, true, "97 of 100 held-back questions (H@1 0.97). Cairn made these questions from this graph, so this does not say how well it answers yours."},
	} {
		if got := Measured(retrieve.About{Dev: retrieve.Metrics{H1: c.h1}, Held: c.held, HeldMade: c.made}); !strings.Contains(got, c.want) {
			t.Errorf("Measured(%v, %d, %v) = %q, want %q in it", c.h1, c.held, c.made, got, c.want)
		}
	}
	if got := (&Training{}).Result(); got != "" {
		t.Errorf("Result of nothing = %q", got)
	}
}

func TestProblemLinesGroupReasons(t *testing.T) {
	var ps []questions.Problem
	for line := range 9 {
		ps = append(ps, questions.Problem{Line: line + 2, Why: "its topic is not in this graph"})
	}
	ps = append(ps, questions.Problem{Line: 20, Why: "it has no answer"}, questions.Problem{Why: "made, and odd"})
	want := []string{
		"12 questions cannot be used. Of the first 11:",
		"• Its topic is not in this graph (9; lines 2, 3, 4, 5, 6 …)",
		"• It has no answer (line 20)",
		"• Made, and odd",
	}
	if diff := cmp.Diff(want, ProblemLines(ps, 12)); diff != "" {
		t.Error(diff)
	}
	if got := ProblemLines(nil, 0); got != nil {
		t.Errorf("ProblemLines of none = %q", got)
	}
}

func TestRestartsAreSaidInWords(t *testing.T) {
	work := Training{Epochs: epochs(1, 3)}
	work.Epochs[2].Stalled = true
	next := epochs(1, 1)[0]
	next.Try = 2
	work.Epochs = append(work.Epochs, next)
	want := []string{"Training stalled on attempt 1, after 3 epochs. It was restarted with another seed, which is normal."}
	if diff := cmp.Diff(want, work.Restarts()); diff != "" {
		t.Error(diff)
	}
	curves, most := work.Curves()
	if len(curves) != 2 || !curves[0].Stalled || curves[1].Stalled || curves[0].Name != "attempt 1" || curves[1].Points[0].At != 4 || most != 23 {
		t.Errorf("Curves = %+v, %d", curves, most)
	}
}

func TestCurvesOfATrainingThatWasGoneOnWith(t *testing.T) {
	work := Training{Epochs: epochs(4, 5)}
	work.Epochs[0].Dev = nil
	got, most := work.Curves()
	want := []Curve{{Part: 1, Try: 1, Points: []CurvePoint{{At: 4, Loss: 0.25, H1: math.NaN()}, {At: 5, Loss: 0.2, H1: 0.25, Best: true}}}}
	if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); diff != "" || most != 20 {
		t.Errorf("Curves: %d epochs, want 20; (-want +got):\n%s", most, diff)
	}
	var long []retrieve.Epoch
	for i := range 5000 {
		long = append(long, retrieve.Epoch{Part: 1, Parts: 1, Try: 1, Epoch: i + 1, Epochs: 5000, Loss: 1})
	}
	got, _ = (&Training{Epochs: long}).Curves()
	if n := len(got[0].Points); n > maxCurvePoints+1 || got[0].Points[n-1].At != 5000 {
		t.Errorf("a long training is drawn with %d points, the last at %d", n, got[0].Points[n-1].At)
	}
}

// learner is a method that can be trained, with two options.
type learner struct{ retrieve.Trainable }

func (learner) Info() retrieve.Info { return retrieve.Info{ID: "learner", Title: "Learner"} }

func (learner) Options() []retrieve.Option {
	return []retrieve.Option{
		{Name: "kind", Default: "quick", Choices: []retrieve.Choice{{Value: "quick"}, {Value: "slow"}}},
		{Name: "words", Several: true},
	}
}

func TestTrainEstimate(t *testing.T) {
	known := []engine.TrainedModel{
		{Method: "other", About: retrieve.About{Questions: 1, Seconds: 1000}},
		{Name: "before", Method: "learner", About: retrieve.About{Chosen: retrieve.Values{"kind": "slow", "words": "a"}, Questions: 1000, Seconds: 60}},
	}
	for _, c := range []struct {
		chosen retrieve.Values
		asked  int
		want   string
	}{
		{nil, 2000, "The time is estimated once training has started."},
		{retrieve.Values{"kind": "slow"}, 2000, "About 2 min, judging by “Before”."},
		{retrieve.Values{"kind": "slow", "words": "a,b"}, 2000, "About 4 min, judging by “Before”."},
		{retrieve.Values{"kind": "slow"}, 0, "The time is estimated"},
	} {
		if got := TrainEstimate(learner{}, c.chosen, c.asked, known); !strings.HasPrefix(got, c.want) {
			t.Errorf("TrainEstimate(%v, %d) = %q, want %q", c.chosen, c.asked, got, c.want)
		}
	}
}

func TestTrainedRows(t *testing.T) {
	made := time.Date(2026, 11, 22, 4, 0, 0, 0, time.Local)
	rows := TrainedRows([]engine.TrainedModel{
		{
			ID: 7, Name: "ReaRev on 90 questions", InUse: true, Bytes: 1_000_000, Stale: "the graph has changed since",
			About: retrieve.About{
				Title: "ReaRev, 2 networks together", Notes: []string{"It was restarted once."}, Data: "90 questions", Questions: 90, Held: 10,
				Dev: retrieve.Metrics{H1: 0.8}, Made: made, Seconds: 61,
			},
		},
		{ID: 3, Problem: "it cannot be read"},
	})
	want := []TrainedRow{
		{
			ID: 7, Name: "ReaRev on 90 questions", InUse: true, Usable: true, Warning: "The graph has changed since.",
			Lines: []string{
				"The first answer was right for 8 of 10 held-back questions (H@1 0.80).",
				"It was restarted once.",
				"ReaRev, 2 networks together · made 22 November 2026, 04:00 · trained in about a minute · 1.0 MB",
			},
		},
		{ID: 3, Name: "Retriever 3", Warning: "It cannot be read."},
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Error(diff)
	}
	models := []engine.TrainedModel{{Method: "a", InUse: true, Problem: "broken"}, {Method: "b", InUse: true}}
	if _, ok := InUse(models, "a"); ok {
		t.Error("a retriever that cannot be used is in use")
	}
	if _, ok := InUse(models, "b"); !ok {
		t.Error("the retriever of another method is not in use")
	}
}

func TestQuestionFile(t *testing.T) {
	got := QuestionFile([]questions.Question{{Text: "who  directed X?", Answers: []string{"A", "B"}}}, []questions.Problem{{Line: 4, Why: "no answer"}})
	want := []string{"1 question with answers.", "First question: “who directed X?” → A, B", "1 question cannot be used:", "• No answer (line 4)"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
