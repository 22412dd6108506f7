package builtin_test

import (
	"slices"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/builtin"
)

func TestQuestionsThatLeaveOut(t *testing.T) {
	var b kg.Builder
	b.Add("Anora", "directed_by", "Sean Baker")
	b.Add("No Country", "directed_by", "Joel Coen")
	b.Add("Don't Look Now", "directed_by", "Nicolas Roeg")
	g := b.Graph()
	lex := lexicon.Builtin()
	p := builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{})
	for _, tt := range []struct {
		question string
		leaves   bool
	}{
		{"Which films were not directed by Sean Baker?", true},
		{"Which films weren't directed by Sean Baker?", true},
		{"Which films were directed by Sean Baker?", false},
		{"Sean Baker did not direct No Country.", false}, // a claim that denies
		{"Who directed No Country?", false},              // a name with the word in it
		{"Who directed Don't Look Now?", false},
	} {
		got, err := p.Plan(t.Context(), tt.question, nil)
		if err != nil {
			t.Fatal(err)
		}
		leaves := len(got.Readings) > 0 && slices.ContainsFunc(got.Readings[0].Pattern.Branches, func(b pattern.Branch) bool { return b.Kind == pattern.Without })
		if leaves != tt.leaves {
			t.Errorf("Plan(%q): %v (%s), want something left out = %v", tt.question, got.Readings, got.Reason, tt.leaves)
		}
	}
}

func TestClaimsThatCompareThingsAreRefused(t *testing.T) {
	_, p := newSamplePlanner()
	for _, tt := range []struct {
		claim   string
		refused bool
	}{
		{"Is France larger than Spain?", true}, // that they border says nothing
		{"The Nile is longer than the Danube.", true},
		{"France has more people than Spain.", true},
		{"Germany has more than 80 million people.", false},
		{"France borders Spain.", false},
	} {
		got, err := p.Plan(t.Context(), tt.claim, nil)
		if err != nil {
			t.Fatal(err)
		}
		if refused := got.Doubt == plan.NotSupported && len(got.Readings) == 0; refused != tt.refused {
			t.Errorf("Plan(%q): doubt %v (%s), want refused = %v", tt.claim, got.Doubt, got.Reason, tt.refused)
		}
	}
}
