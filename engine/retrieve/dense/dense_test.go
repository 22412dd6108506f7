package dense

import (
	"strconv"
	"testing"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/retrieve"
	"cairn/internal/testing/retrievetest"
)

func TestContract(t *testing.T) { retrievetest.Run(t, Method{}, nil) }

// ask asks about what is in brackets.
func ask(t *testing.T, g *kg.Graph, question string) evidence.Found {
	t.Helper()
	r, err := Method{}.Open(t.Context(), retrievetest.World(g))
	if err != nil {
		t.Fatal(err)
	}
	x := retrievetest.Asked(t, g, question)
	f, err := r.Retrieve(t.Context(), retrieve.Query{Question: x.Text, Seeds: x.Topics})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestNearestFirst: the triple that says what is asked comes first, also two hops away.
func TestNearestFirst(t *testing.T) {
	g := retrievetest.Graph()
	for question, want := range map[string]string{
		"who directed [Alien]":                      "Ridley Scott",
		"what is the release year of [Alien]":       "1979",
		"[Ridley Scott] release year of Gladiator?": "2000",
	} {
		f := ask(t, g, question)
		if len(f.Answers) == 0 || f.Answers[0].Label(g) != want {
			t.Errorf("%s: %+v, want %s first", question, f.Answers, want)
		}
		if s := f.Answers[0].Score; s.Scale != evidence.Distance || s.Value <= 0 || s.Value >= 1 {
			t.Errorf("%s: the score %+v is no distance", question, s)
		}
	}
}

// TestHub: of an entity with many neighbours a bounded number of triples is compared, ten are
// kept, and the answer says that it was cut.
func TestHub(t *testing.T) {
	var b kg.Builder
	for i := range 20_000 {
		b.Add("film "+strconv.Itoa(i), "release year", "1999")
	}
	f := ask(t, b.Graph(), "what came out in [1999]")
	if f.Region.Triples >= 2000 || len(f.Answers) != kept || f.Completeness != evidence.CutByBudget {
		t.Errorf("%d triples, %d answers, %s", f.Region.Triples, len(f.Answers), f.Completeness)
	}
}
