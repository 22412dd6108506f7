package builtin_test

import (
	"context"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/assets/sample"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/builtin"
	"cairn/engine/query"
	"cairn/internal/testing/testkg"
)

func newSamplePlanner() (*kg.Graph, *builtin.Planner) {
	g := testkg.Sample()
	lex := lexicon.Builtin()
	return g, builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{})
}

// answersOf executes the reading and returns the labels it finds, sorted; a
// claim gives yes or no, a count its number.
func answersOf(g *kg.Graph, p *pattern.Pattern) []string {
	var found []kg.EntityID
	if p.IsPlain() && len(p.Filters) == 0 {
		found = testkg.Execute(g, p)
	} else {
		evaluated, err := query.Evaluate(context.Background(), g, p, query.Limits{})
		if err != nil {
			return []string{err.Error()}
		}
		for _, a := range evaluated.Answers {
			if a.Entity != kg.NoEntity {
				found = append(found, a.Entity)
			}
		}
	}
	switch p.Task {
	case pattern.Verify:
		if len(found) > 0 != p.Negated {
			return []string{"yes"}
		}
		return []string{"no"}
	case pattern.Count:
		return []string{strconv.Itoa(len(found))}
	case pattern.Find, pattern.Connect, pattern.Describe, pattern.Contrast:
	}
	var out []string
	for _, e := range found {
		out = append(out, g.Label(e))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func TestSampleQuestions(t *testing.T) {
	g, p := newSamplePlanner()
	for _, q := range sample.Questions() {
		t.Run(q.Text, func(t *testing.T) {
			got, err := p.Plan(t.Context(), q.Text, nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Readings) == 0 {
				if len(q.Answers) > 0 {
					t.Errorf("no reading: %s", got.Reason)
				}
				return
			}
			if q.Kind == "no answer" {
				if got.Doubt != plan.NoRelation {
					t.Errorf("doubt %d of %s, want %d", got.Doubt, got.Readings[0].Text, plan.NoRelation)
				}
				return
			}
			want := slices.Sorted(slices.Values(q.Answers))
			answers := answersOf(g, got.Readings[0].Pattern)
			if q.Kind == "ambiguous name" && got.Doubt != plan.Ambiguous {
				t.Errorf("doubt %d, want %d", got.Doubt, plan.Ambiguous)
			}
			if diff := cmp.Diff(want, answers); diff != "" {
				t.Errorf("%s (doubt %d: %s): answers (-want +got)\n%s", got.Readings[0].Text, got.Doubt, got.Reason, diff)
				for _, r := range got.Readings {
					t.Logf("  %.2f %s %+v", r.Score, r.Text, r.Explanation.Children)
				}
			}
		})
	}
}
