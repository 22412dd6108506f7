package engine

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"cairn/engine/check"
	"cairn/engine/evidence"
	"cairn/engine/link"
	"cairn/engine/plan/builtin"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/simgrag"
	"cairn/internal/testing/retrievetest"
)

// TestAnotherMethod asks a method of which nothing here knows: it goes through the
// same stages, is kept, and says what it cannot do.
func TestAnotherMethod(t *testing.T) {
	e, err := OnGraph(t.Context(), retrievetest.Graph(), Options{Methods: []retrieve.Method{simgrag.Method{}, retrievetest.Neighbours{}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	run, err := e.Ask(t.Context(), "who directed Alien?", AskOptions{Retriever: "neighbours"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := trainedSaid(run); len(run.Stages) != len(Stages) || strings.Join(got, ", ") != "1979, Ridley Scott" {
		t.Errorf("answers %q in %d stages, want the neighbours of Alien in %d", got, len(run.Stages), len(Stages))
	}
	for _, s := range run.Answer.Sentences {
		if !s.Note && s.Check != check.Covered {
			t.Errorf("%q is %s", s.Text, s.Check)
		}
	}
	record, err := json.Marshal(run)
	if err != nil || !strings.Contains(string(record), `"retriever":"neighbours"`) {
		t.Errorf("the record %s, %v", record, err)
	}
	claim, err := e.Ask(t.Context(), "Alien was directed by Ridley Scott.", AskOptions{Retriever: "neighbours"}, nil)
	if err != nil || claim.Answer.Refusal == nil || !strings.Contains(claim.Plan.Reason, "check claims with pattern matching") {
		t.Errorf("a claim: %v, %+v, want a refusal that says who checks claims", err, claim)
	}
	if _, err := e.Ask(t.Context(), "who directed Alien?", AskOptions{Retriever: "gnn"}, nil); err == nil || !strings.Contains(err.Error(), "pattern, neighbours") {
		t.Errorf("a method that is not there: %v, want the list of those that are", err)
	}
	if _, err := e.Ask(t.Context(), "who directed Alien?", AskOptions{}, nil); errors.Is(err, ErrUntrained) || err != nil {
		t.Errorf("the default method: %v", err)
	}
	if run.Answers[0].Score.Scale != evidence.NoScale {
		t.Errorf("scores %+v, want none", run.Answers)
	}
}

// TestMentionsOfAQuestionWithSpaces gives the names of a question that has spaces around
// it: they are told as places in the question that is asked, which has none.
func TestMentionsOfAQuestionWithSpaces(t *testing.T) {
	g := retrievetest.Graph()
	e, err := OnGraph(t.Context(), g, Options{Methods: []retrieve.Method{simgrag.Method{}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	const question = "  who directed Alien "
	found, err := e.Ask(t.Context(), question, AskOptions{}, nil)
	if err != nil || len(found.Mentions) != 1 {
		t.Fatalf("%+v, %v: want one name", found.Mentions, err)
	}
	given, beyond := found.Mentions[0], found.Mentions[0]
	given.Start, given.End = given.Start+2, given.End+2
	beyond.Start, beyond.End = len(question)-1, len(question)
	run, err := e.Ask(t.Context(), question, AskOptions{Mentions: []link.Mention{given, beyond}}, nil)
	if err != nil || len(run.Mentions) != 1 {
		t.Fatalf("%+v, %v: want one name", run.Mentions, err)
	}
	if m := run.Mentions[0]; run.Question[m.Start:m.End] != "Alien" {
		t.Errorf("the name is %q, want Alien", run.Question[m.Start:m.End])
	}
}

// TestValueAnswer asks a method whose answer is a number that no entity is.
func TestValueAnswer(t *testing.T) {
	e, err := OnGraph(t.Context(), retrievetest.Graph(), Options{Methods: []retrieve.Method{retrievetest.Degree{}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	run, err := e.Ask(t.Context(), "what is next to Alien?", AskOptions{}, nil)
	if err != nil || len(run.Answer.Items) != 1 || run.Answer.Items[0].Label != "2" || run.Answer.Items[0].Key(e.Graph()) != "" {
		t.Fatalf("Ask = %+v, %v, want the number 2", run, err)
	}
	var said []string
	for _, s := range run.Answer.Sentences {
		said = append(said, s.Text)
	}
	want := []string{
		"Found by the list of neighbours: 2 (1 condition met) [T1][T2].",
		"Alien was directed by Ridley Scott [T1]; the release year of Alien is 1979 [T2].",
	}
	if !slices.Equal(said, want) {
		t.Errorf("%q, want %q", said, want)
	}
}

// countingLinker counts how often names are looked for.
type countingLinker struct {
	builtin.Linker
	calls int
}

func (l *countingLinker) Link(ctx context.Context, text string) ([]link.Mention, error) {
	l.calls++
	return l.Linker.Link(ctx, text)
}

// TestNamesAreLookedForOnce: the planner reads the names that the link stage found.
func TestNamesAreLookedForOnce(t *testing.T) {
	e := films(t)
	s := *e.now()
	counted := &countingLinker{Linker: s.linker}
	s.builtin = builtin.New(s.graph, counted, s.lexicon, s.opts.Planner)
	s.planner = s.builtin
	e.state = &s
	run, err := e.Ask(t.Context(), "who directed Anora?", AskOptions{}, nil)
	if err != nil || len(run.Answer.Items) != 1 || len(run.Plan.Mentions) == 0 {
		t.Fatalf("Ask = %+v, %v", run, err)
	}
	if counted.calls != 0 {
		t.Errorf("the planner looked for names %d times of its own", counted.calls)
	}
}
