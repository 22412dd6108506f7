package builtin_test

import (
	"slices"
	"testing"

	"cairn/engine/pattern"
	"cairn/engine/plan"
)

// A list of names takes one relation, also where nothing in the graph has it to all of
// them: then nothing is the answer.
func TestNamesInOneListAreAskedTheSame(t *testing.T) {
	g, p := newSamplePlanner()
	for question, want := range map[string][]string{
		"Which country borders Austria and Portugal?":                   nil,
		"Which country borders Austria, Hungary and Portugal?":          nil,
		"Which country borders Austria and Portugal and uses the euro?": nil,
		"Which country borders Austria and Hungary?":                    {"Slovakia", "Slovenia"},
		"Which country borders Austria and Hungary and uses the euro?":  {"Slovakia", "Slovenia"},
		"Which country borders Hungary, Austria, and Croatia?":          {"Slovenia"},
		"Which country borders Liechtenstein and uses the Swiss franc?": {"Switzerland"},
	} {
		made, err := p.Plan(t.Context(), question, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(made.Readings) == 0 {
			t.Errorf("%s: no reading (%s)", question, made.Reason)
			continue
		}
		got := answersOf(g, made.Readings[0].Pattern)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v (read as %s, %v)", question, got, want, pattern.Format(made.Readings[0].Pattern), made.Doubt)
		}
		if want == nil && made.Doubt == plan.NoRelation {
			t.Errorf("%s: doubt %v, though every word was read", question, made.Doubt)
		}
	}
}
