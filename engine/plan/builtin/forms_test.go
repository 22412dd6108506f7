package builtin_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestForms asks the sample graph questions of every form.
func TestForms(t *testing.T) {
	g, p := newSamplePlanner()
	for _, test := range []struct {
		text string
		want []string
	}{
		{"How many countries border Austria?", []string{"8"}},
		{"Is Paris the capital of France?", []string{"yes"}},
		{"Is Lyon the capital of France?", []string{"no"}},
		{"Does Austria border Hungary and Slovakia?", []string{"yes"}},
		{"Austria does not border Portugal.", []string{"yes"}},
		{"Canberra isn't the capital of Australia.", []string{"no"}},
		{"Which country borders France, Germany and Belgium?", []string{"Luxembourg"}},
		{"What is the most populous country in Africa?", []string{"Nigeria"}},
		{"What is the capital of the most populous country in Africa?", []string{"Abuja"}},
		{"Which country in South America has the smallest population?", []string{"Suriname"}},
		{"What is the longest river?", []string{"Nile"}},
		{"Which mountains in Africa are higher than 5,800 m?", []string{"Kilimanjaro"}},
		{"Which rivers in Africa are longer than the Congo?", []string{"Nile"}},
		{"Which elements were discovered after 2003?", nil},
		{"Which French cities are there?", nil},
	} {
		t.Run(test.text, func(t *testing.T) {
			got, err := p.Plan(t.Context(), test.text, nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Readings) == 0 {
				t.Fatalf("no reading: %s", got.Reason)
			}
			answers := answersOf(g, got.Readings[0].Pattern)
			slices.Sort(test.want)
			if test.want == nil {
				t.Log(got.Readings[0].Text, answers)
				return
			}
			if diff := cmp.Diff(test.want, answers); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", got.Readings[0].Text, diff)
				for _, r := range got.Readings {
					t.Logf("  %.2f %s", r.Score, r.Text)
				}
			}
		})
	}
}
