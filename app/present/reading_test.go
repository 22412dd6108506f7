package present

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/report"
	"cairn/internal/testing/retrievetest"
)

// read is the run of a network that read the question by itself, as one of two chains.
func read(tb testing.TB) (*kg.Graph, *engine.Run) {
	tb.Helper()
	g, run := ranked(tb, 2)
	_, matched := films(tb, 2)
	likely := func(p float64, message string, children ...evidence.Explanation) evidence.Explanation {
		return evidence.Explanation{Value: p, Message: message, Children: children}
	}
	other := *matched.Pattern()
	other.Edges, other.Asked = other.Edges[:1], 1
	run.Method, run.Reading, run.Notes, run.Region = retrievetest.Relations{}.Info(), 0, nil, evidence.Region{}
	run.Plan.Readings = []plan.Reading{
		{
			Pattern: matched.Pattern(), Text: "Anthony Mann → directed by, backwards → release year", Score: 0.62,
			Explanation: likely(0.62, "the product of its steps",
				likely(0.99, "directed by, backwards", likely(0.01, "written by, backwards")),
				likely(0.63, "release year", likely(0.3, "the end"), likely(0.07, "genre"))),
		},
		{Pattern: &other, Text: "Anthony Mann → directed by, backwards", Score: 0.31},
	}
	run.Plan.Doubt, run.Plan.Reason = plan.Ambiguous, "It could also mean “Anthony Mann → directed by, backwards” (probability 0.31)."
	return g, run
}

func TestReadingsOfANetworkHaveProbabilities(t *testing.T) {
	g, run := read(t)
	var got []string
	for _, r := range Readings(g, run) {
		got = append(got, fmt.Sprintf("%d %t %s", r.Index, r.Chosen, r.Line()))
	}
	want := []string{
		"0 true Anthony Mann → directed by, backwards → release year (probability 0.62)",
		"1 false Anthony Mann → directed by, backwards (probability 0.31)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Readings (-want +got):\n%s", diff)
	}
	facts := method(g, run)
	for _, want := range []report.Fact{
		{Name: "Reading used", Value: "Anthony Mann → directed by, backwards → release year (probability 0.62)"},
		{Name: "Other reading", Value: "Anthony Mann → directed by, backwards (probability 0.31)"},
	} {
		if !strings.Contains(fmt.Sprint(facts), fmt.Sprint(want)) {
			t.Errorf("the page's method %v lacks %v", facts, want)
		}
	}
}

func TestStepsOfANetworksReading(t *testing.T) {
	g, run := read(t)
	step := Ended(g, run, engine.StageRecord{Stage: engine.StagePlan})
	if want := "Anthony Mann → directed by, backwards → release year (0.62)"; step.Summary != want || step.State != Done {
		t.Errorf("the step says %q, %v, want %q", step.Summary, step.State, want)
	}
	hesitated := "release year (0.63): uncertain here, it might also be the end (0.30) or genre (0.07)"
	want := []string{
		"The follower of relations reads the question itself, as steps from the entities it names.",
		"It could also mean “Anthony Mann → directed by, backwards” (probability 0.31).",
		"Reading used: Anthony Mann → directed by, backwards → release year (probability 0.62)",
		"      1. directed by, backwards (0.99)",
		"      2. " + hesitated,
		"Other reading: Anthony Mann → directed by, backwards (probability 0.31)",
	}
	if diff := cmp.Diff(want, step.Details); diff != "" {
		t.Errorf("details (-want +got):\n%s", diff)
	}
	if lines := Network(g, run).Lines; lines[len(lines)-1] != "• "+hesitated {
		t.Errorf("how it was found says %q, want the same steps", lines)
	}
	found := Ended(g, run, engine.StageRecord{Stage: engine.StageRetrieve})
	if text := strings.Join(found.Details, "\n"); strings.Contains(text, "directed by") || !strings.Contains(found.Summary, "2 paths") {
		t.Errorf("the retrieval says %q:\n%s", found.Summary, text)
	}
	// One that is sure of every step hesitated at none.
	run.Plan.Readings[0].Explanation.Children[1].Value = 0.97
	if text := strings.Join(stepsRead(run), "; "); text != "directed by, backwards (0.99); release year (0.97)" {
		t.Errorf("sure of both steps: %q", text)
	}
	// A record may lack what the steps come from.
	run.Plan.Readings[0].Explanation = evidence.Explanation{}
	if diff := cmp.Diff(run.Steps, stepsRead(run)); diff != "" {
		t.Errorf("without an explanation (-want +got):\n%s", diff)
	}
}

// TestReadingIsShownAsARanking: whatever reading was followed, the answers are those of a
// ranking, with paths, and doubtful ones where the reading is.
func TestReadingIsShownAsARanking(t *testing.T) {
	g, run := read(t)
	_, plain := ranked(t, 2)
	for _, c := range []struct {
		doubt plan.Doubt
		tone  Tone
	}{{plan.Sure, Plain}, {plan.Ambiguous, Doubtful}, {plan.Unsure, Doubtful}} {
		run.Plan.Doubt = c.doubt
		if text, tone := Glance(run); text != "Most likely: 1940 (0.90) and 1 more" || tone != c.tone || ToneOf(run) != c.tone || CanvasModel(g, run).Doubtful != (c.tone == Doubtful) {
			t.Errorf("%v: Glance = %q, %v, want tone %v", c.doubt, text, tone, c.tone)
		}
	}
	got, want := CanvasModel(g, run), CanvasModel(g, plain)
	if diff := cmp.Diff(want.Nodes, got.Nodes); diff != "" {
		t.Errorf("nodes (-ranking +reading):\n%s", diff)
	}
	if diff := cmp.Diff(EvidenceRows(g, plain), EvidenceRows(g, run)); diff != "" {
		t.Errorf("evidence (-ranking +reading):\n%s", diff)
	}
	if c, ok := CandidateOf(run, run.Answers[0].Entity); !ok || len(c.Edges) != 2 || !CanExplain(run) || PicturesPattern(run) {
		t.Errorf("CandidateOf = %+v, %t, CanExplain %t", c, ok, CanExplain(run))
	}
	// Nothing found: what was looked for is drawn.
	run.Found, run.Answer = evidence.Found{}, &answer.Answer{Refusal: &answer.Refusal{Reason: "it leads to nothing"}}
	if m := CanvasModel(g, run); !PicturesPattern(run) || len(m.Nodes) != len(run.Pattern().Nodes) {
		t.Errorf("a reading that leads to nothing is drawn as %+v", m)
	}
	if run.Pattern().Task = pattern.Count; isCount(run) {
		t.Error("a reading is taken for a count")
	}
	_ = Steps(g, run)
}
