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
	"cairn/engine/retrieve/gnnrag"
)

// turns are epochs of one network and try, from one to another, of 20, each of 2 s.
func turns(from, to int) []gnnrag.Epoch {
	var es []gnnrag.Epoch
	for i := from; i <= to; i++ {
		es = append(es, gnnrag.Epoch{
			Network: 1, Networks: 1, Try: 1, Epoch: i, Epochs: 20, Loss: 1 / float64(i), Seconds: 2 * float64(i),
			Dev: &gnnrag.Metrics{H1: float64(i) / 20}, Best: true,
		})
	}
	return es
}

func TestTrainingInWords(t *testing.T) {
	two := turns(1, 3)
	for i := range two {
		two[i].Networks, two[i].Network, two[i].Try = 2, 2, 3
	}
	for name, c := range map[string]struct {
		work  Training
		state string
		share float64
	}{
		"not begun":    {Training{}, "Prepare the questions …", -1},
		"preparing":    {Training{Task: "make questions", Done: 5, Total: 20}, "Make questions: 5 of 20 (25 %)", 0.25},
		"under way":    {Training{Epochs: turns(1, 5)}, "Pass 5 of at most 20 through the questions · at most about 30 s left", 0.25},
		"gone on with": {Training{Epochs: turns(11, 15)}, "Pass 15 of at most 20 through the questions · at most about 10 s left", 0.75},
		"the last":     {Training{Epochs: turns(1, 20)}, "Pass 20 of at most 20 through the questions", 1},
		"of two":       {Training{Epochs: two}, "Network 2 of 2 · try 3 · pass 3 of at most 20 through the questions · at most about 30 s left", 0.575},
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
	work := Training{Epochs: turns(1, 3), Data: &engine.TrainingData{Held: 200}}
	work.Epochs[2].Best = false
	if got, want := work.Result(), "Best so far: the first answer is right for 20 of 200 questions held back (0.10 H@1; 1 is all)"; got != want {
		t.Errorf("Result = %q, want %q", got, want)
	}
	second := turns(1, 2)
	for i := range second {
		second[i].Network, second[i].Networks = 2, 2
	}
	work.Epochs = append(turns(1, 9), second...)
	if got, want := work.Result(), "Best so far of network 2: the first answer is right for 20 of 200"; !strings.HasPrefix(got, want) {
		t.Errorf("Result = %q, want %q", got, want)
	}
	for _, c := range []struct {
		h1   float64
		held int
		made bool
		want string
	}{
		{0.9999, 2000, false, "right for 99 of 100 questions held back"},
		{1, 2000, false, "right for 100 of 100 questions held back"},
		{0.5, 1, false, "right for 1 of 1 question held back"},
		{1, 0, false, "learnt from (none were held back"},
		{0.97, 100, true, "97 of 100 questions held back (0.97 H@1; 1 is all); Cairn made these questions from this graph itself, so that this does not say how well it answers yours"},
	} {
		if got := Measured(c.h1, c.held, c.made); !strings.Contains(got, c.want) {
			t.Errorf("Measured(%v, %d, %v) = %q, want %q in it", c.h1, c.held, c.made, got, c.want)
		}
	}
	if got := (&Training{}).Result(); got != "" {
		t.Errorf("Result of nothing = %q", got)
	}
}

func TestCoverageText(t *testing.T) {
	if got := CoverageText(gnnrag.Coverage{}); got != "" {
		t.Errorf("coverage of the whole graph = %q", got)
	}
	good := CoverageText(gnnrag.Coverage{Share: 0.98, Entities: 489.2, Facts: 758})
	if want := "98 of 100 right answers lie within the region that the network looks at (on average 489 entities and 758 triples)."; good != want {
		t.Errorf("CoverageText = %q, want %q", good, want)
	}
	if got := CoverageText(gnnrag.Coverage{Share: 0.6, Entities: 10}); !strings.Contains(got, "raise the limit of hubs") {
		t.Errorf("poor coverage says %q, want what to do", got)
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
	work := Training{Epochs: turns(1, 3)}
	work.Epochs[2].Stalled = true
	next := turns(1, 1)[0]
	next.Try = 2
	work.Epochs = append(work.Epochs, next)
	want := []string{"The training stalled on attempt 1 (after 3 passes). It was restarted with other random numbers, which is normal."}
	if diff := cmp.Diff(want, work.Restarts()); diff != "" {
		t.Error(diff)
	}
	curves, epochs := work.Curves()
	if len(curves) != 2 || !curves[0].Stalled || curves[1].Stalled || curves[0].Name != "try 1" || curves[1].Points[0].At != 4 || epochs != 23 {
		t.Errorf("Curves = %+v, %d", curves, epochs)
	}
}

func TestCurvesOfATrainingThatWasGoneOnWith(t *testing.T) {
	work := Training{Epochs: turns(4, 5)}
	work.Epochs[0].Dev = nil
	got, epochs := work.Curves()
	want := []Curve{{Network: 1, Try: 1, Points: []CurvePoint{{At: 4, Loss: 0.25, H1: math.NaN()}, {At: 5, Loss: 0.2, H1: 0.25, Best: true}}}}
	if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); diff != "" || epochs != 20 {
		t.Errorf("Curves: %d epochs, want 20; (-want +got):\n%s", epochs, diff)
	}
	var long []gnnrag.Epoch
	for i := range 5000 {
		long = append(long, gnnrag.Epoch{Network: 1, Networks: 1, Try: 1, Epoch: i + 1, Epochs: 5000, Loss: 1})
	}
	got, _ = (&Training{Epochs: long}).Curves()
	if n := len(got[0].Points); n > maxCurvePoints+1 || got[0].Points[n-1].At != 5000 {
		t.Errorf("a long training is drawn with %d points, the last at %d", n, got[0].Points[n-1].At)
	}
}

func TestTrainEstimate(t *testing.T) {
	known := []engine.TrainedModel{{Name: "before", About: gnnrag.About{Options: gnnrag.Options{Kind: gnnrag.ReaRev}, Questions: 1000, Seconds: 60}}}
	for _, c := range []struct {
		o     gnnrag.Options
		asked int
		want  string
	}{
		{gnnrag.Options{}, 2000, "Usually seconds on a small graph, minutes on a large one;"},
		{gnnrag.Options{Kind: gnnrag.ReaRev}, 2000, "About 2 min, going by “Before”."},
		{gnnrag.Options{Kind: gnnrag.ReaRev, Encoders: []string{"a", "b"}}, 2000, "About 4 min, going by “Before”."},
		{gnnrag.Options{Kind: gnnrag.ReaRev}, 0, "Usually some minutes;"},
		{gnnrag.Options{Kind: gnnrag.NSM}, 10, "Usually some minutes;"},
	} {
		if got := TrainEstimate(c.o, c.asked, known); !strings.HasPrefix(got, c.want) {
			t.Errorf("TrainEstimate(%+v, %d) = %q, want %q", c.o, c.asked, got, c.want)
		}
	}
}

func TestTrainedRows(t *testing.T) {
	made := time.Date(2026, 11, 22, 4, 0, 0, 0, time.Local)
	rows := TrainedRows([]engine.TrainedModel{
		{
			ID: 7, Name: "ReaRev on 90 questions", InUse: true, Bytes: 1_000_000, Stale: "the graph has changed since",
			About: gnnrag.About{
				Options: gnnrag.Options{Kind: gnnrag.ReaRev, Encoders: []string{"tokens", "lexical"}}, Data: "90 questions", Questions: 90, Held: 10,
				Dev: gnnrag.Metrics{H1: 0.8}, Coverage: gnnrag.Coverage{Share: 0.94}, Made: made, Seconds: 61,
			},
		},
		{Name: "", Problem: "it cannot be read"},
	})
	want := []TrainedRow{
		{
			ID: 7, Name: "ReaRev on 90 questions", InUse: true, Usable: true, Warning: "The graph has changed since.",
			Lines: []string{
				"The first answer is right for 8 of 10 questions held back (0.80 H@1; 1 is all)",
				"94 of 100 right answers lie within the region that it looks at",
				"ReaRev, 2 networks together · made 22 November 2026, 04:00, which took about a minute · 1.0 MB",
			},
		},
		{Name: "Relation flow", Warning: "It cannot be read.", Lines: []string{"Relation flow"}},
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Error(diff)
	}
	if _, ok := InUse([]engine.TrainedModel{{InUse: true, Problem: "broken"}}); ok {
		t.Error("a retriever that cannot be used is in use")
	}
}

func TestQuestionFile(t *testing.T) {
	got := QuestionFile([]questions.Question{{Text: "who  directed X?", Answers: []string{"A", "B"}}}, []questions.Problem{{Line: 4, Why: "no answer"}})
	want := []string{"1 question with answers.", "The first: “who directed X?” → A, B", "1 question cannot be used:", "• No answer (line 4)"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
