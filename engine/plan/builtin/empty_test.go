package builtin_test

import (
	"strings"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/plan"
	"cairn/engine/plan/builtin"
)

// TestNothingMeetsIt asks what the graph does not know of a thing, though it knows it of
// others like it: another answer near the words is none.
func TestNothingMeetsIt(t *testing.T) {
	var b kg.Builder
	for i, film := range []string{"Harbor Lights", "Stone River", "The Long Way", "Cold Front", "Small Hours", "Way", "Night Ferry"} {
		b.Add(film, "written_by", []string{"Ann Oak", "Bo Fir", "Cy Elm"}[i%3])
		if film != "Stone River" {
			b.Add(film, "directed_by", []string{"Dee Ash", "Bo Fir"}[i%2])
		}
		if film != "The Long Way" {
			b.Add(film, "release_year", []string{"1990", "1991", "1992"}[i%3])
		}
		b.Add(film, "starred_actors", []string{"Gil Yew", "Ivy Sage", "Ann Oak"}[i%3])
	}
	g, lex := b.Graph(), lexicon.Builtin()
	p := builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{})
	for question, says := range map[string]string{
		"Who directed Harbor Lights?":               "",
		"Who wrote Stone River?":                    "",
		"Who was the director of Stone River?":      "directed by",
		"When was The Long Way released?":           "The Long Way",
		"Who directed the film Stone River?":        "directed by",
		"What year was Night Ferry released in?":    "",
		"Which person directed Night Ferry?":        "",
		"Who are the directors of Stone River?":     "directed by",
		"Who directed the films that Ann Oak wrote": "",
	} {
		got, err := p.Plan(t.Context(), question, nil)
		switch {
		case err != nil:
			t.Fatal(err)
		case says == "" && got.Doubt != plan.Sure:
			t.Errorf("%s is %s: %s", question, got.Doubt, got.Reason)
		case says != "" && (got.Doubt == plan.Sure || !strings.Contains(got.Reason, says)):
			t.Errorf("%s is %s: %q, which does not say %q", question, got.Doubt, got.Reason, says)
		}
	}
}
