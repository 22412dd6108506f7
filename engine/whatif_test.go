package engine

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/answer"
	"cairn/engine/kg"
	"cairn/engine/plan"
	"cairn/internal/testing/shared"
	"cairn/internal/wording"
)

// TestWithoutATriple asks the sample its questions again without the first triple of each
// answer: all that is said is what an engine says that never had the triple, whoever looks
// for the evidence, and the triple is in none of it. The whole graph is then as it was.
func TestWithoutATriple(t *testing.T) {
	e := openSample(t)
	for question, by := range map[string]string{
		"What is the capital of Mongolia?":                  Auto,
		"Which countries border Austria?":                   "exact",
		"How many countries border Austria?":                Auto,
		"Which countries that border Austria use the euro?": "pattern",
		"Vienna is the capital of Austria.":                 Auto,
	} {
		whole, err := e.Ask(t.Context(), question, AskOptions{Retriever: by}, nil)
		if err != nil || len(whole.Answer.Pack.Triples) == 0 {
			t.Fatalf("%s: %v, %v", question, whole, err)
		}
		gone := whole.Answer.Pack.Triples[0]
		run, err := e.Ask(t.Context(), question, AskOptions{Retriever: by, Without: []kg.TripleID{gone, gone}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		never, err := OnGraph(t.Context(), e.Graph().Without(gone), Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, err := never.Ask(t.Context(), question, AskOptions{Retriever: by}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.Answer, run.Answer); diff != "" || run.Plan.Doubt != want.Plan.Doubt {
			t.Errorf("%s: doubt %v, want %v (-want +got):\n%s", question, run.Plan.Doubt, want.Plan.Doubt, diff)
		}
		if slices.Contains(run.Answer.Pack.Triples, gone) || !slices.Equal(run.Without, []kg.TripleID{gone}) {
			t.Errorf("%s: evidence %v without %v", question, run.Answer.Pack.Triples, run.Without)
		}
		again, err := e.Ask(t.Context(), question, AskOptions{Retriever: by}, nil)
		if diff := cmp.Diff(whole.Answer, again.Answer); diff != "" || err != nil || again.Without != nil {
			t.Errorf("%s: asked again of the whole graph: %v (-want +got):\n%s", question, err, diff)
		}
	}
}

// TestChangesOf: what stays, goes and comes when triples are left out.
func TestChangesOf(t *testing.T) {
	said := func(names ...string) *Run {
		var items []answer.Item
		for _, n := range names {
			items = append(items, answer.Item{Entity: kg.NoEntity, Label: n})
		}
		return &Run{Plan: &plan.Plan{}, Reading: -1, Answer: &answer.Answer{Items: items}}
	}
	labels := func(items []answer.Item) string {
		return strings.Join(wording.Each(items, func(it answer.Item) string { return it.Label }), " ")
	}
	c := ChangesOf(said("a", "b", "c"), said("d", "b", "a"))
	if labels(c.Stay) != "b a" || labels(c.Go) != "c" || labels(c.Come) != "d" || c.Reread {
		t.Errorf("stay %q, go %q, come %q", labels(c.Stay), labels(c.Go), labels(c.Come))
	}
	refused := &Run{Plan: &plan.Plan{}, Reading: -1, Answer: &answer.Answer{Refusal: &answer.Refusal{}}}
	if c := ChangesOf(said("a"), refused); labels(c.Go) != "a" || len(c.Stay)+len(c.Come) > 0 {
		t.Errorf("of a refusal: %+v", c)
	}
}

// TestWhatIfIsNoHistory: a what-if is not kept as an answer of the graph, says itself what
// it is, teaches nothing, and is explained by the graph that it was asked of.
func TestWhatIfIsNoHistory(t *testing.T) {
	shared.Sequential(t)
	e := openSample(t)
	found, _, err := e.TriplesNamed(t.Context(), "Austria", "Borders", "Hungary")
	if err != nil || len(found) != 1 {
		t.Fatalf("TriplesNamed = %v, %v", found, err)
	}
	back, _, err := e.TriplesNamed(t.Context(), "Hungary", "borders", "Austria")
	if err != nil || len(back) != 1 {
		t.Fatalf("TriplesNamed = %v, %v", back, err)
	}
	run, err := e.Ask(t.Context(), "Which countries border Austria?", AskOptions{Save: true, Without: slices.Concat(back, found)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if past, err := e.History(t.Context(), 10); err != nil || len(past) > 0 {
		t.Errorf("the history has %v, %v", past, err)
	}
	record, err := recordOf(run)
	if err != nil {
		t.Fatal(err)
	}
	read, err := ReadRun(record, e.Graph(), e.Methods())
	if err != nil || !slices.Equal(read.Without, run.Without) || len(read.Without) != 2 {
		t.Errorf("the record reads back as without %v, %v", read, err)
	}
	if choice, ok := e.Teaches(run); ok {
		t.Errorf("it teaches %v", choice)
	}
	hungary, _, err := e.Called(t.Context(), "Hungary")
	if err != nil {
		t.Fatal(err)
	}
	if w, err := e.WhyNot(t.Context(), run, hungary[0]); err != nil || w.Meets() {
		t.Errorf("without the triples, Hungary meets the conditions: %+v, %v", w, err)
	}
	if _, err := e.Ask(t.Context(), "Which countries border Austria?", AskOptions{Without: []kg.TripleID{kg.NoTriple}}, nil); err == nil {
		t.Error("a triple that is not there was left out")
	}
}

// TestTriplesNamed: a triple that the graph lacks is answered with the nearest.
func TestTriplesNamed(t *testing.T) {
	e := openSample(t)
	for _, tt := range []struct{ head, relation, tail, near string }{
		{"Austria", "capital", "Viena", "Austria capital Vienna"},
		{"Austria", "chief city", "Vienna", "Austria capital Vienna"},
		{"Austria", "capital", "Nowhere at all", "Austria capital Vienna"},
		{"Vienna", "capital", "Austria", "Austria capital Vienna"},
		{"Austria", "capital", "Oslo", "Austria capital Vienna"},
	} {
		found, near, err := e.TriplesNamed(t.Context(), tt.head, tt.relation, tt.tail)
		if err != nil || len(found) > 0 || len(near) == 0 {
			t.Errorf("%v: found %v, near %v, %v", tt, found, near, err)
			continue
		}
		g := e.Graph()
		x := g.Triple(near[0])
		if got := g.Label(x.Head) + " " + g.RelationText(x.Relation) + " " + g.Label(x.Tail); got != tt.near {
			t.Errorf("%v: the nearest is %q", tt, got)
		}
	}
}
