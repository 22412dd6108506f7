package engine

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/evidence"
	"cairn/engine/ingest"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/exact"
	"cairn/engine/retrieve/simgrag"
	"cairn/internal/testing/retrievetest"
	"cairn/internal/testing/testkg"
)

// reads is an engine over a graph that is asked by a method which reads questions.
func reads(t *testing.T, g *kg.Graph, m retrieve.Method) *Engine {
	t.Helper()
	e, err := OnGraph(t.Context(), g, Options{Methods: []retrieve.Method{m, simgrag.Method{}, exact.Method{}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func askFor(t *testing.T, e *Engine, question string, o AskOptions) *Run {
	t.Helper()
	run, err := e.Ask(t.Context(), question, o, nil)
	if err != nil {
		t.Fatalf("Ask(%q): %v", question, err)
	}
	return run
}

// TestReader asks a method that reads questions by itself: its readings are the plan's,
// and the one that is chosen is followed, along paths.
func TestReader(t *testing.T) {
	e := reads(t, retrievetest.Graph(), retrievetest.Relations{})
	for i, want := range []struct{ text, said string }{{"Alien → directed by", "Ridley Scott"}, {"Alien → release year", "1979"}} {
		run := askFor(t, e, "who directed Alien?", AskOptions{Reading: i, Chosen: true})
		if len(run.Plan.Readings) != 2 || run.Reading != i || run.Plan.Readings[i].Text != want.text {
			t.Fatalf("reading %d of %+v was followed, want %d", run.Reading, run.Plan.Readings, i)
		}
		if got := trainedSaid(run); !slices.Equal(got, []string{want.said}) || run.Answers[0].Score.Value != run.Plan.Readings[i].Score {
			t.Errorf("%q gives %q, %+v, want %s", want.text, got, run.Answers, want.said)
		}
		if run.Pattern() == nil || run.Matched() != nil || len(run.Plan.Seeds) != 1 || run.Candidates[0].Hops == nil {
			t.Errorf("%q was matched, want paths: %+v", want.text, run.Candidates)
		}
	}
	counted := askFor(t, e, "how many films did Ridley Scott direct?", AskOptions{})
	if counted.Task != pattern.Count || !slices.ContainsFunc(counted.Notes, func(n string) bool { return strings.Contains(n, "does not count") }) {
		t.Errorf("asked for a number: task %v, notes %q", counted.Task, counted.Notes)
	}
	claim := askFor(t, e, "Alien was directed by Ridley Scott.", AskOptions{})
	if claim.Plan.Doubt != plan.NotSupported || claim.Answer.Refusal == nil || len(claim.Plan.Readings) > 0 {
		t.Errorf("a claim is read as %+v", claim.Plan)
	}
	if none := askFor(t, e, "who directed Casablanca?", AskOptions{}); none.Plan.Doubt != plan.NoMention || len(none.Plan.Readings) > 0 {
		t.Errorf("a question that names nothing is read as %+v", none.Plan)
	}
	const refused = "“island → remake of” leads to nothing"
	if run := askFor(t, e, "what is the island a remake of?", AskOptions{}); run.Answer.Refusal == nil || !strings.Contains(run.Answer.Refusal.Reason, refused) {
		t.Errorf("a reading that leads to nothing: %+v, want %q", run.Answer, refused)
	}
}

// TestDoubtsOfReader: a reading is in doubt that is unlikely, or has a rival which leads
// elsewhere.
func TestDoubtsOfReader(t *testing.T) {
	other, same := retrievetest.Graph(), testkg.Build("Alien|directed_by|Ridley Scott", "Alien|written_by|Ridley Scott")
	for _, c := range []struct {
		graph  *kg.Graph
		odds   [3]float64
		chosen int
		doubt  plan.Doubt
		reason string
	}{
		{other, [3]float64{0.7, 0.2}, 0, plan.Sure, ""},
		{other, [3]float64{0.31, 0.1}, 0, plan.Unsure, "Cairn is not sure it read the question correctly (probability 0.31)."},
		{other, [3]float64{0.5, 0.3}, 0, plan.Ambiguous, "It could also mean “Alien → release year” (probability 0.30)."},
		{other, [3]float64{0.4, 0.3}, 0, plan.Ambiguous, "Cairn is not sure it read the question correctly (probability 0.40). It could also mean “Alien → release year” (probability 0.30)."},
		{other, [3]float64{0.7, 0.2}, 1, plan.Ambiguous, "Cairn is not sure it read the question correctly (probability 0.20). It could also mean “Alien → directed by” (probability 0.70)."},
		{same, [3]float64{0.5, 0.4}, 0, plan.Sure, ""},
	} {
		run := askFor(t, reads(t, c.graph, retrievetest.Relations{Odds: c.odds}), "who made Alien?", AskOptions{Reading: c.chosen})
		if run.Plan.Doubt != c.doubt || run.Plan.Reason != c.reason {
			t.Errorf("odds %v, reading %d: %v, %q, want %v, %q", c.odds, c.chosen, run.Plan.Doubt, run.Plan.Reason, c.doubt, c.reason)
		}
	}
}

// TestWhyOfReader tells what makes something an answer to the reading that was followed.
func TestWhyOfReader(t *testing.T) {
	e := reads(t, retrievetest.Graph(), retrievetest.Relations{})
	run := askFor(t, e, "what did Ridley Scott direct?", AskOptions{})
	find := func(name string) kg.EntityID { return testkg.Find(e.Graph(), name) }
	why, err := e.Why(t.Context(), run, find("Alien"))
	if err != nil || len(why.Sets) != 1 || !slices.Equal(why.Sets[0], run.Candidates[0].Triples()) {
		t.Errorf("Why(Alien) = %+v, %v, want the triple of its path %+v", why, err, run.Candidates)
	}
	not, err := e.WhyNot(t.Context(), run, find("Anora"))
	if err != nil || not.Place != 0 || len(not.Missing) != 1 || not.Missing[0].TailText != "Ridley Scott" {
		t.Errorf("WhyNot(Anora) = %+v, %v, want what is missing", not, err)
	}
}

// TestHistoryOfReader keeps the readings and the paths, also for a program that does not
// know the method any more.
func TestHistoryOfReader(t *testing.T) {
	methods := []retrieve.Method{retrievetest.Relations{}, simgrag.Method{}}
	e, err := Open(t.Context(), filepath.Join(t.TempDir(), "g.cairn"), Options{Methods: methods}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	file := filepath.Join(t.TempDir(), "films.tsv")
	if err := os.WriteFile(file, []byte("Alien\tdirected_by\tRidley Scott\nAlien\trelease_year\t1979\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Import(t.Context(), []string{file}, ingest.Options{AcceptGuess: true}, nil); err != nil {
		t.Fatal(err)
	}
	run := askFor(t, e, "who directed Alien?", AskOptions{Reading: 1, Save: true})
	past, err := e.History(t.Context(), 1)
	if err != nil || len(past) != 1 {
		t.Fatalf("History = %+v, %v", past, err)
	}
	kept, err := e.PastRun(t.Context(), past[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(run.Plan, kept.Plan); diff != "" || kept.Reading != 1 || !kept.Method.Reads || kept.Matched() != nil {
		t.Errorf("kept with reading %d of %+v (-asked +kept):\n%s", kept.Reading, kept.Method, diff)
	}
	record, err := writeRecord(run)
	if err != nil {
		t.Fatal(err)
	}
	if kept, err = ReadRun(record, e.Graph(), nil); err != nil || !kept.Method.Seeded || !kept.Method.Reads || len(kept.Plan.Readings) != 2 {
		t.Errorf("by a program without the method: %+v, %v", kept, err)
	}
	// Paths of a plan with seeds are no matches, whatever its readings.
	run.Candidates[0].Hops = nil
	if record, err = json.Marshal(run); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadRun(record, e.Graph(), e.Methods()); !errors.Is(err, errRecord) {
		t.Errorf("a record with a match where a path is due: %v, want ErrRecord", err)
	}
}

// opens is a method that reads, and notes how often it is opened, or fails at it.
type opens struct {
	retrievetest.Relations

	fail  error
	count *int
}

func (m opens) Open(ctx context.Context, w retrieve.World) (retrieve.Retriever, error) {
	*m.count++
	if m.fail != nil {
		return nil, m.fail
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return m.Relations.Open(ctx, w)
}

// TestReaderIsOpenedToPlan: what a method says on opening comes from the plan stage.
func TestReaderIsOpenedToPlan(t *testing.T) {
	var count int
	e := reads(t, retrievetest.Graph(), opens{count: &count})
	askFor(t, e, "who directed Alien?", AskOptions{})
	if askFor(t, e, "who directed Anora?", AskOptions{}); count != 1 {
		t.Errorf("it was opened %d times for two questions, want once", count)
	}
	e = reads(t, retrievetest.Graph(), opens{count: &count, fail: retrieve.ErrModel})
	var ended []StageRecord
	ev := &Events{StageEnd: func(_ *Run, r StageRecord) { ended = append(ended, r) }}
	_, err := e.Ask(t.Context(), "who directed Alien?", AskOptions{}, ev)
	if !errors.Is(err, retrieve.ErrModel) || !strings.Contains(err.Error(), "make the follower of relations ready") || ended[len(ended)-1].Stage != StagePlan || ended[len(ended)-1].Err == "" {
		t.Errorf("a method that cannot be opened: %v in %+v", err, ended)
	}
	ctx, cancel := context.WithCancel(t.Context())
	e = reads(t, retrievetest.Graph(), opens{count: &count})
	ev = &Events{StageBegin: func(s Stage) {
		if s == StagePlan {
			cancel()
		}
	}}
	if _, err := e.Ask(ctx, "who directed Alien?", AskOptions{}, ev); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled while it is made ready: %v", err)
	}
	if run := askFor(t, e, "who directed Alien?", AskOptions{}); run.Answers[0].Score.Scale != evidence.Probability {
		t.Errorf("asked again: %+v", run.Answers)
	}
}
