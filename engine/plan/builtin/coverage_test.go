package builtin_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/builtin"
	"cairn/internal/testing/testkg"
)

// conditionsGraph has films with what is said of them, and a hub.
func conditionsGraph() *kg.Graph {
	var b kg.Builder
	films := []struct{ name, director, genre, language, studio string }{
		{"Red Harbour", "Ada Stone", "Crime fiction", "Turkish Language", "Paramount Pictures"},
		{"Blue Harbour", "Ada Stone", "Comedy", "Turkish Language", "Paramount Pictures"},
		{"Green Harbour", "Ada Stone", "Crime fiction", "English Language", "Lion Studios"},
		{"Grey Harbour", "Ben Wood", "Crime fiction", "English Language", "Paramount Pictures"},
		{"Pink Harbour", "Cleo Marsh", "Comedy", "Turkish Language", "Lion Studios"},
	}
	for _, f := range films {
		b.Add(f.name, "/film/film/directed_by", f.director)
		b.Add(f.name, "/film/film/genre", f.genre)
		b.Add(f.name, "/film/film/language", f.language)
		b.Add(f.name, "/film/film/distributor", f.studio)
		b.Add(f.name, "/film/film/country", "United States")
	}
	for _, p := range []string{"Ada Stone", "Ben Wood", "Cleo Marsh", "Dan Field"} {
		b.Add(p, "/people/person/nationality", "United States")
		b.Add(p, "/people/person/profession", "Film director")
	}
	b.Add("Ada Stone", "/people/person/place_of_birth", "Oldtown")
	b.Add("Dan Field", "/people/person/place_of_birth", "Oldtown")
	b.Add("Geoffrey Unsworth", "/people/person/place_of_birth", "Newtown")
	return b.Graph()
}

func TestManyConditions(t *testing.T) {
	g, lex := conditionsGraph(), lexicon.Builtin()
	p := builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{})
	for _, test := range []struct {
		name, text string
		want       []string
		unused     []string
		doubt      plan.Doubt
	}{
		{
			"all are met",
			"Which film was directed by Ada Stone, is in the Turkish Language, falls under the genre of Crime fiction, and was distributed by Paramount Pictures?",
			[]string{"Red Harbour"},
			nil, plan.Sure,
		},
		{
			"one is not met",
			"Which film features cinematography by Geoffrey Unsworth, was directed by Ada Stone, is in the Turkish Language, falls under the genre of Crime fiction, and was distributed by Paramount Pictures?",
			[]string{"Red Harbour"},
			[]string{"Geoffrey Unsworth"},
			plan.Unsure,
		},
		{
			"a hub and a profession",
			"Who is the film director from the United States who was born in Oldtown and directed Green Harbour?",
			[]string{"Ada Stone"},
			nil, plan.Sure,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := p.Plan(t.Context(), test.text, nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Readings) == 0 {
				t.Fatalf("no reading: %s", got.Reason)
			}
			first := got.Readings[0]
			var labels []string
			for _, e := range testkg.Execute(g, first.Pattern) {
				labels = append(labels, g.Label(e))
			}
			if diff := cmp.Diff(test.want, labels); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", first.Text, diff)
			}
			for _, name := range test.unused {
				if !slices.Contains(first.Unused, name) {
					t.Errorf("unused are %v, want %s among them", first.Unused, name)
				}
			}
			if got.Doubt != test.doubt {
				t.Errorf("doubt is %v (%s), want %v", got.Doubt, got.Reason, test.doubt)
			}
			for i := 1; i < len(got.Readings); i++ {
				if got.Readings[i].Score > got.Readings[i-1].Score+1e-9 {
					t.Errorf("reading %d scores %v, more than the one before: %v", i, got.Readings[i].Score, got.Readings[i-1].Score)
				}
			}
		})
	}
}

// TestDescription: a question that says three things of what it asks for is its
// description, whatever else is joined to the same names.
func TestDescription(t *testing.T) {
	var b kg.Builder
	for _, f := range []string{"Red Harbour", "Blue Harbour"} {
		b.Add(f, "/film/film/release_region", "Finland")
		b.Add(f, "/film/film/release_region", "Peru")
		b.Add(f, "/film/film/crew_role", "Sound Editor-GB")
	}
	b.Add("Red Harbour", "/film/film/genre", "Spy film")
	b.Add("Finland", "/location/country/friend", "Chad")
	for i := range 400 { // a hub that is joined to everything
		b.Add("Chad", "/location/location/joined", fmt.Sprint("Thing ", i))
	}
	for _, e := range []string{"Peru", "Sound", "Sound Editor-GB", "Spy film"} {
		b.Add("Chad", "/location/location/joined", e)
	}
	b.Add("Blue Harbour", "/film/film/subject", "Sound")
	g, lex := b.Graph(), lexicon.Builtin()
	p := builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{})
	for _, test := range []struct {
		text    string
		want    []string
		without string
	}{
		{"Which film was released in Finland and Peru and had a Sound Editor on its crew?", []string{"Red Harbour", "Blue Harbour"}, "Sound"},
		{"Which film was released in Finland and Peru, falls under Spy film, and had a Sound Editor on its crew?", []string{"Red Harbour"}, "Sound"},
	} {
		got, err := p.Plan(t.Context(), test.text, nil)
		if err != nil || len(got.Readings) == 0 {
			t.Fatalf("%s: no reading, %v", test.text, err)
		}
		first := got.Readings[0]
		var labels []string
		for _, e := range testkg.Execute(g, first.Pattern) {
			labels = append(labels, g.Label(e))
		}
		slices.Sort(labels)
		slices.Sort(test.want)
		if diff := cmp.Diff(test.want, labels); diff != "" {
			t.Errorf("%s: %s: (-want +got)\n%s", test.text, first.Text, diff)
		}
		if slices.ContainsFunc(first.Pattern.Nodes, func(n pattern.Node) bool { return n.Text == test.without }) {
			t.Errorf("%s: %q inside a name is a condition", test.text, test.without)
		}
	}
}

// peopleGraph has people with professions, which are written small in a question.
func peopleGraph() *kg.Graph {
	var b kg.Builder
	people := []struct {
		name     string
		does     []string
		born     string
		speaks   string
		nominees []string
	}{
		{"Ada Stone", []string{"Screenwriter", "Film director"}, "England", "English Language", []string{"Grand Award for Best Actor - Drama Series"}},
		{"Ben Wood", []string{"Screenwriter", "Film director"}, "Oldtown", "English Language", []string{"Grand Award for Best Actor - Comedy Series", "Grand Award for Best Writer - Drama Series"}},
		{"Cleo Marsh", []string{"Screenwriter"}, "England", "Spanish Language", nil},
		{"Dan Field", []string{"Film director"}, "Oldtown", "Spanish Language", []string{"Grand Award for Best Writer - Drama Series", "Grand Award for Best Actor - Comedy Series"}},
	}
	for _, p := range people {
		for _, does := range p.does {
			b.Add(p.name, "/people/person/profession", does)
		}
		for _, a := range p.nominees {
			b.Add(p.name, "/award/nomination/award", a)
		}
		b.Add(p.name, "/people/person/place_of_birth", p.born)
		b.Add(p.name, "/people/person/languages", p.speaks)
		b.Add(p.name, "/people/person/gender", map[bool]string{true: "Female", false: "Male"}[p.name == "Ada Stone" || p.name == "Cleo Marsh"])
	}
	b.Add("England", "/location/location/contains", "Oldtown")
	for i := range 40 {
		b.Add(fmt.Sprint("Extra ", i), "/people/person/gender", "Male")
		b.Add(fmt.Sprint("Extra ", i), "/people/person/place_of_birth", "Oldtown")
	}
	return b.Graph()
}

// TestNounsDescribe: nouns of what is asked for are conditions, the parts of one name are one,
// and a language is meant where one stands.
func TestNounsDescribe(t *testing.T) {
	g, lex := peopleGraph(), lexicon.Builtin()
	p := builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{})
	for _, test := range []struct {
		text, with, without string
		want                []string
	}{
		{"Who is the male screenwriter and film director who was born in Oldtown?", "Film director", "", []string{"Ben Wood"}},
		{
			"Who is the screenwriter who was nominated for the Grand Award for Best Actor in a Drama Series?",
			"Grand Award for Best Actor - Drama Series", "Grand Award for Best Writer - Drama Series",
			[]string{"Ada Stone"},
		},
		{"Who is the female screenwriter whose books are in English?", "English Language", "England", []string{"Ada Stone"}},
		{"Who is the male film director who speaks Spanish?", "Spanish Language", "", []string{"Dan Field"}},
	} {
		t.Run(test.text, func(t *testing.T) {
			got, err := p.Plan(t.Context(), test.text, nil)
			if err != nil || len(got.Readings) == 0 {
				t.Fatalf("no reading: %v", err)
			}
			first := got.Readings[0]
			var labels, named []string
			for _, e := range testkg.Execute(g, first.Pattern) {
				labels = append(labels, g.Label(e))
			}
			for _, e := range first.Pattern.Named() {
				named = append(named, g.Label(e))
			}
			if diff := cmp.Diff(test.want, labels); diff != "" {
				t.Errorf("%s (-want +got):\n%s", first.Text, diff)
			}
			if !slices.Contains(named, test.with) || slices.Contains(named, test.without) {
				t.Errorf("%s names %q, want %q among them and not %q", first.Text, named, test.with, test.without)
			}
		})
	}
}
