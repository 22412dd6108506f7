package engine

import (
	"slices"
	"testing"

	"cairn/engine/embed"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/internal/testing/shared"
)

// TestBankReadsBack evaluates the queries that the questions of the bank are read as, once as
// they were planned and once as they are written and read back: both must find the same. What a
// kind is that no type of the graph tells, only the plan knows.
func TestBankReadsBack(t *testing.T) {
	shared.Sequential(t)
	for _, name := range banks {
		g, w, p := bankPlanner(t, name)
		var called []string
		for e := range kg.EntityID(g.Entities()) {
			called = append(called, g.Label(e))
		}
		names, err := link.NewVocabulary(t.Context(), g, embed.NewLexical(slices.Values(called), lexicon.Builtin()), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range readBank(t, name) {
			o := askBank(t, g, w, p, q)
			if len(o.plan.Readings) == 0 || o.plan.Doubt != plan.Sure {
				continue
			}
			text := pattern.Format(o.plan.Readings[0].Pattern)
			back, err := pattern.ParseText(text)
			if err != nil {
				t.Errorf("%s: %v", text, err)
				continue
			}
			back, _, err = ground(t.Context(), g, names, back)
			if err != nil {
				t.Fatal(err)
			}
			if lacks(back) || slices.ContainsFunc(back.Nodes, func(n pattern.Node) bool { return n.Variable && n.Type != "" && n.Within == nil }) {
				t.Logf("not all told: %s", text)
				continue
			}
			again := *o.plan
			again.Readings = []plan.Reading{{Pattern: back}}
			if found := bankAnswers(t, g, &again); !slices.Equal(found, o.found) {
				t.Errorf("%s: %s\n  finds %v, and read back %v", q.Text, text, o.found, found)
			}
		}
	}
}
