package app

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"cairn/app/present"
	"cairn/canvas"
	"cairn/engine"
	"cairn/engine/evidence"
	"cairn/engine/kg"
)

// Called finds the entities whose label is the name, or else offers the first.
func (f *fakeGraph) Called(_ context.Context, name string) (es []kg.EntityID, named bool, err error) {
	for e := range kg.EntityID(f.graph.Entities()) {
		if f.graph.Label(e) == name {
			return []kg.EntityID{e}, true, nil
		}
	}
	return []kg.EntityID{0}, false, f.fail
}

// WhyNot says that an entity fails the question's one condition, but for Vienna.
func (f *fakeGraph) WhyNot(_ context.Context, run *engine.Run, e kg.EntityID) (*engine.WhyNot, error) {
	w := &engine.WhyNot{Answers: len(run.Answers), Standing: evidence.Standing{
		Entity:     e,
		Conditions: []evidence.Condition{{Text: "capital of: Austria"}},
		Outcomes:   []evidence.Outcome{{Status: evidence.Unmet}},
		Missing:    []evidence.Missing{{HeadText: f.graph.Label(e), Relation: "capital of", TailText: "Austria"}},
	}}
	if f.graph.Label(e) == "Vienna" {
		w.Outcomes, w.Missing, w.Place = []evidence.Outcome{{Triples: []kg.TripleID{0}}}, nil, 1
	}
	return w, nil
}

// Why says that an entity is an answer by the first triple.
func (f *fakeGraph) Why(_ context.Context, _ *engine.Run, e kg.EntityID) (*evidence.Why, error) {
	return &evidence.Why{Entity: e, Sets: [][]kg.TripleID{{0}}, Shared: []kg.TripleID{0}}, nil
}

func TestWhyAndWhyNotAreShownBelowTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.opener.make = func(path string) *fakeGraph {
			g := newFakeGraph(path)
			g.edit = func(run *engine.Run) { run.Answers = []evidence.Answer{{Entity: 0}} }
			return g
		}
		r.ui(r.openSample)
		synctest.Wait()
		r.ui(func() { r.question.put("What is the capital of Austria?") })
		synctest.Wait()
		ask := func(name string) string {
			r.ui(func() { r.answer.do.explain(name) })
			synctest.Wait()
			return texts(r.answer.reasons)
		}
		for name, wants := range map[string][]string{
			"Hungary": {"Hungary is not an answer", "✗", "capital of: Austria", "What would make it an answer", "Hungary — capital of → Austria"},
			"Vienna":  {"Vienna is an answer", "✓", "Supported by these triples", "Vienna — capital of → Austria"},
			"Wien":    {"Nothing in this graph is called “Wien”", "Vienna"},
		} {
			got := ask(name)
			for _, want := range wants {
				if !strings.Contains(got, want) {
					t.Errorf("asked why of %s, the pane lacks %q:\n%s", name, want, got)
				}
			}
		}
		if got := ask(""); !strings.Contains(got, "answer") && !strings.Contains(got, "Nothing") {
			t.Errorf("an empty name changed what was shown to:\n%s", got)
		}
		r.close()
	})
}

func TestAnswersInPartShowWhatTheyMeet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.opener.make = func(path string) *fakeGraph {
			g := newFakeGraph(path)
			g.edit = func(run *engine.Run) {
				run.Conditions = []evidence.Condition{{Text: "capital of: Austria"}, {Text: "borders: Hungary"}}
				run.Answers = []evidence.Answer{{
					Entity: 0, Score: evidence.Score{Value: 1, Scale: evidence.Conditions}, Supports: []int{0},
					Outcomes: []evidence.Outcome{{Triples: []kg.TripleID{0}}, {Status: evidence.Unmet}},
				}}
			}
			return g
		}
		r.ui(r.openSample)
		synctest.Wait()
		r.ui(func() { r.question.put("What is the capital of Austria?") })
		synctest.Wait()
		got := texts(r.answer.box)
		for _, want := range []string{"✓ capital of: Austria (met)", "✗ borders: Hungary (not met)"} {
			if !strings.Contains(got, want) {
				t.Errorf("the answer lacks %q:\n%s", want, got)
			}
		}
		if !r.fig.model.Doubtful || r.fig.model.Level == "" {
			t.Errorf("the picture is not doubtful (%v), or does not say what its marks measure (%q)", r.fig.model.Doubtful, r.fig.model.Level)
		}
		for _, n := range r.fig.model.Nodes {
			if n.Role == canvas.Answer && n.Mark != "1 of 2" {
				t.Errorf("the answer's mark is %q, want 1 of 2", n.Mark)
			}
		}
		r.ui(func() { r.answer.do.edges([]string{present.EdgeID(0)}) })
		if !slices.Equal(r.fig.highlighted, []string{present.EdgeID(0)}) {
			t.Errorf("a tick lights %q", r.fig.highlighted)
		}
		r.close()
	})
}
