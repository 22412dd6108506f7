package engine

import (
	"context"
	"slices"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/llm"
	"cairn/engine/pattern"
	"cairn/internal/testing/testkg"
)

// parrot is a model with one reply.
type parrot string

func (parrot) Name() string { return "parrot" }

func (p parrot) Ask(context.Context, llm.Request) (llm.Reply, error) {
	return llm.Reply{Text: string(p)}, nil
}

// TestModelAndBuiltinAgree: two patterns that are written otherwise and have the
// same answers agree.
func TestModelAndBuiltinAgree(t *testing.T) {
	e, err := OnGraph(t.Context(), testkg.Films(), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	e.SetModel(parrot(`{"triples": [["Harvey", "starred actors", "UNKNOWN actor 1"], ["UNKNOWN film 1", "starred actors", "UNKNOWN actor 1"]], "asked": "UNKNOWN film 1", "task": "find"}`))
	run, err := e.Ask(t.Context(), "In which other films did the actors of Harvey play?", AskOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"The Far Country", "Winchester '73"}; !slices.Equal(said(run), want) || run.Plan.Planner != "model parrot" || run.Plan.Reason != "" {
		t.Errorf("answers %q by %s (%s), want %q by the model", said(run), run.Plan.Planner, run.Plan.Reason, want)
	}
}

func TestGround(t *testing.T) {
	e := films(t)
	w := grounder{e.now().graph, e.now().vocab}
	for _, test := range []struct {
		text    string
		found   bool
		least   float64
		answers []string
	}{
		{"(Tangerine) -directed by- (?x)", true, 0, nil},
		{"(Tangerin) -directed by- (?x)", true, 0.01, nil},
		{"(Tangerine) -director- (?x)", true, 0.01, nil},
		{"(?x) -directed by- (Sean Baker)", true, 0, []string{"Anora", "Tangerine"}},
		{"(Anora) -starred actors- (?x)", false, 0, nil},
		{"(?x) -directed by- (Sean Baker) | without (?x) -starred actors- (?y)", true, 0, []string{"Anora"}},
		{"(Anora) -starred actors- (?x) -director- (Sean Baker)", false, 0.01, nil},
	} {
		p, err := pattern.ParseText(test.text)
		if err != nil {
			t.Fatal(err)
		}
		for i := range p.Nodes {
			if cs, err := e.now().linker.Lookup(t.Context(), p.Nodes[i].Text, 1); err == nil && len(cs) > 0 && cs[0].Distance == 0 && !p.Nodes[i].Variable {
				p.Nodes[i].Entities = []kg.EntityID{cs[0].Entity}
			}
		}
		for i, edge := range p.Edges {
			for r := range kg.RelationID(e.Graph().Relations()) {
				if e.Graph().RelationText(r) == edge.Relation {
					p.Edges[i].Fixed = []kg.RelationID{r}
				}
			}
		}
		g, err := w.Ground(t.Context(), p)
		if err != nil || g.Found != test.found || g.Distance() < test.least || test.least == 0 && g.Distance() != 0 || g.Cut {
			t.Errorf("Ground(%s) = %+v, %v; want found %v, at %g or more", test.text, g, err, test.found, test.least)
		}
		es, whole, err := w.Answers(t.Context(), p)
		var names []string
		for _, x := range es {
			names = append(names, e.Graph().Label(x))
		}
		slices.Sort(names)
		if err != nil || !whole || test.answers != nil && !slices.Equal(names, test.answers) {
			t.Errorf("Answers(%s) = %q, %v, %v; want %q, all of them", test.text, names, whole, err, test.answers)
		}
	}
	if g, err := w.Ground(t.Context(), &pattern.Pattern{}); err != nil || g.Found {
		t.Errorf("Ground of an empty pattern = %+v, %v; want nothing", g, err)
	}
}
