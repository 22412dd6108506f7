package model

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/plan"
)

// TestDirections reads replies whose triples lie in all ways.
func TestDirections(t *testing.T) {
	w := alone(t)
	for _, test := range []struct {
		name, question string
		triples        [][3]string
		asked          string
		want           []string
	}{
		{
			"as the graph has it", "Who directed Heat?",
			[][3]string{{"Heat", "directed by", "UNKNOWN person 1"}},
			"UNKNOWN person 1",
			[]string{"Michael Mann"},
		},
		{
			"turned, where kinds tell", "Who directed Heat?",
			[][3]string{{"UNKNOWN person 1", "directed by", "Heat"}},
			"UNKNOWN person 1",
			[]string{"Michael Mann"},
		},
		{
			"as written, where kinds do not tell", "Who is the child of Al Pacino?",
			[][3]string{{"Al Pacino", "child", "UNKNOWN person 1"}},
			"UNKNOWN person 1",
			[]string{"Julie Pacino"},
		},
		{
			"of whom he is the child", "Al Pacino is the child of whom?",
			[][3]string{{"UNKNOWN person 1", "child", "Al Pacino"}},
			"UNKNOWN person 1",
			[]string{"Sal Pacino"},
		},
		{
			// Turned round she would be a child of her own child's.
			"never turned, where kinds do not tell", "Who is the child of Julie Pacino?",
			[][3]string{{"Julie Pacino", "child", "UNKNOWN person 1"}},
			"UNKNOWN person 1", nil,
		},
		{
			"either way, where both say the same", "Who are the siblings of Al Pacino?",
			[][3]string{{"Al Pacino", "sibling", "UNKNOWN person 1"}},
			"UNKNOWN person 1",
			[]string{"Josette Pacino", "Roberta Pacino"},
		},
		{
			"another name of a relation lies either way", "Heat has which director?",
			[][3]string{{"UNKNOWN person 1", "director", "Heat"}},
			"UNKNOWN person 1",
			[]string{"Michael Mann"},
		},
		{
			// MetaQA's convention: the film itself is no answer.
			"what is shared", "Which films share an actor with Heat?",
			[][3]string{{"Heat", "starred actors", "UNKNOWN actor 1"}, {"UNKNOWN film 1", "starred actors", "UNKNOWN actor 1"}},
			"UNKNOWN film 1",
			[]string{"A Bronx Tale", "Casino", "Scarface"},
		},
		{
			// The director may be one of the actors.
			"unknown things may be the same", "Who acted in films whose directors directed A Bronx Tale?",
			[][3]string{
				{"A Bronx Tale", "directed by", "UNKNOWN person 1"},
				{"UNKNOWN film 1", "starred actors", "UNKNOWN person 1"},
				{"UNKNOWN film 1", "starred actors", "UNKNOWN person 2"},
			},
			"UNKNOWN person 2",
			[]string{"Al Pacino", "Robert De Niro"},
		},
		{
			// The only film that he directed is the one that is named.
			"the named thing, where there is nothing else", "Which films did the director of A Bronx Tale direct?",
			[][3]string{{"A Bronx Tale", "directed by", "UNKNOWN person 1"}, {"UNKNOWN film 1", "directed by", "UNKNOWN person 1"}},
			"UNKNOWN film 1",
			[]string{"A Bronx Tale"},
		},
		{
			"not the named thing, where another is asked for", "Which other films did the director of A Bronx Tale direct?",
			[][3]string{{"A Bronx Tale", "directed by", "UNKNOWN person 1"}, {"UNKNOWN film 1", "directed by", "UNKNOWN person 1"}},
			"UNKNOWN film 1", nil,
		},
		{
			"any relation", "What has Casino to do with Martin Scorsese?",
			[][3]string{{"Casino", "UNKNOWN relation 1", "Martin Scorsese"}, {"Casino", "UNKNOWN relation 2", "UNKNOWN thing 1"}},
			"UNKNOWN thing 1",
			[]string{"1995", "Robert De Niro"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := planned(t, w, replies(find(test.asked, test.triples...)), Options{}, test.question)
			names := answers(t, w, got)
			slices.Sort(names)
			if diff := cmp.Diff(test.want, names); diff != "" {
				t.Errorf("answers of %s (-want +got):\n%s", got.Readings[0].Text, diff)
			}
		})
	}
}

// TestUnknownRelations: a relation that the model does not know costs nothing, and
// is no text to look for.
func TestUnknownRelations(t *testing.T) {
	for _, text := range []string{"UNKNOWN relation 1", "UNKNOWN", "unkown relation", "?r"} {
		p, err := parsePattern(find("UNKNOWN x 1", [3]string{"Heat", text, "UNKNOWN x 1"}))
		if err != nil || p.Edges[0].Relation != "" {
			t.Errorf("%s: pattern %+v, %v; want an edge of any relation", text, p, err)
		}
	}
}

// TestNamesToTheLetter: of two names that differ in a mark only, the one that is
// written is meant.
func TestNamesToTheLetter(t *testing.T) {
	var b kg.Builder
	b.Add("Moulin Rouge", "directed_by", "John Huston")
	b.Add("Moulin Rouge!", "directed_by", "Baz Luhrmann")
	w := around(t, b.Graph())
	w.Fallback = silent
	for film, want := range map[string]string{"Moulin Rouge!": "Baz Luhrmann", "Moulin Rouge": "John Huston"} {
		got := planned(t, w, replies(find("UNKNOWN x 1", [3]string{film, "directed by", "UNKNOWN x 1"})), Options{}, "Who directed "+film)
		if diff := cmp.Diff([]string{want}, answers(t, w, got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", film, diff)
		}
	}
}

func TestCanonical(t *testing.T) {
	w := alone(t)
	p := New(replies("-"), w, Options{})
	read := func(text string) string {
		t.Helper()
		pat, err := pattern.ParseText(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.link(t.Context(), p.newQuestion("q", &plan.Plan{}), pat)
		if err != nil {
			t.Fatal(err)
		}
		return pattern.Canonical(got.Pattern)
	}
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"(Heat) -directed by- (?x)", "(?y) -directed_by- (Heat)", true},
		{"(Heat) -directed by-> (?x)", "(?y) <-directed_by- (Heat)", true},
		{"(Heat) -directed by-> (?x)", "(?y) -directed_by- (Heat)", false},
		{"(Al Pacino) -child-> (?x)", "(Al Pacino) <-child- (?x)", false},
		{"(Al Pacino) -child-> (?x)", "(Al Pacino) -child- (?x)", false},
		{"(Heat) -directed by- (?x)", "(Heat) -starred actors- (?x)", false},
		{"(Heat) -directed by- (?x)", "(Casino) -directed by- (?x)", false},
		{"(Heat) -directed by- (?x)", "(Heat) -directed by- (?x) | count ?x", false},
		{"(Heat) -directed by- (?x); (?f) -directed by- (?x) | find ?f", "(?b) -directed by- (?a); (Heat) -directed by- (?a) | find ?b", true},
		{"(Heat) -directed by- (?x); (?f) -directed by- (?x) | find ?f", "(?b) -directed by- (?a); (Heat) -directed by- (?a) | find ?a", false},
		{"(Heat) -directed by- (?x); (Heat) -starred actors- (?y) | find ?x", "(Heat) -starred actors- (?z); (Heat) -directed by- (?y) | find ?y", true},
		{"(Heat) -directed by- (?x); (Heat) -starred actors- (?y) | find ?x", "(Heat) -starred actors- (?z); (Heat) -directed by- (?y) | find ?z", false},
	} {
		if a, b := read(test.a), read(test.b); (a == b) != test.same {
			t.Errorf("%s and %s are the same: %v, want %v\n%s\n%s", test.a, test.b, a == b, test.same, a, b)
		}
	}
}
