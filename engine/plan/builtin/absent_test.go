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

// TestAbsent asks about a name or a fact that the graph does not have: the refusal names it. All things of the
// kind, or what else the graph says of the name, are no answer.
func TestAbsent(t *testing.T) {
	var b kg.Builder
	for i, drug := range []string{"Abrin", "Bexol", "Corl", "Dovane", "Elor"} {
		b.Add(drug, "type", "drug")
		b.Add(drug, "treats", []string{"asthma", "gout"}[i%2])
		b.Add(drug, "made by", []string{"Arden Ltd", "Birch Bank"}[i%2])
		if drug != "Corl" {
			b.Add(drug, "tested on", []string{"mice", "rats"}[i%2])
		}
	}
	g, lex := b.Graph(), lexicon.Builtin()
	p := builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{})
	for question, says := range map[string]string{
		"Which drugs treat asthma?":                 "",
		"Which drugs treat kuru?":                   "kuru",
		"Which drugs treat gout?":                   "",
		"Who audits Arden Ltd?":                     "audits",
		"How many patients were treated with Corl?": "patients",
	} {
		got, err := p.Plan(t.Context(), question, nil)
		switch {
		case err != nil:
			t.Fatal(err)
		case says == "" && got.Doubt != plan.Sure:
			t.Errorf("%s is %s: %s", question, got.Doubt, got.Reason)
		case says != "" && (got.Doubt != plan.NoRelation || !strings.Contains(got.Reason, says)):
			t.Errorf("%s is %s: %q, which does not say %q", question, got.Doubt, got.Reason, says)
		}
	}
}
