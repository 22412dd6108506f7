package builtin_test

import (
	"slices"
	"strings"
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

// TestClaimsThatCompareThings reads them as comparisons of two values or counts, and
// refuses what has none: that the two border says nothing.
func TestClaimsThatCompareThings(t *testing.T) {
	_, p := newSamplePlanner()
	for _, tt := range []struct{ claim, want string }{ // an empty want is a refusal
		{"Is France larger than Spain?", "verify | ?value > ?value2"},
		{"The Nile is longer than the Danube.", "verify | ?value > ?value2"},
		{"France has more people than Spain.", "verify | ?value > ?value2"},
		{"Does France border more countries than Spain?", "more than (Spain) ?countries: (France) -borders- (?countries"},
		{"Is France longer than Spain?", ""},
		{"Is France not larger than Spain?", "verify | ?value <= ?value2"},
		{"Does France border as many countries as Germany?", "exactly (Germany) ?countries"},
		{"Is the Nile longer than 4000 miles?", "> 6437.376"},
		{"Is the Nile longer than 4000 kg?", ""},
		{"Germany has more than 80 million people.", "(Germany)"},
		{"France borders Spain.", "-borders-"},
	} {
		got, err := p.Plan(t.Context(), tt.claim, nil)
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		if len(got.Readings) > 0 {
			text = pattern.Format(got.Readings[0].Pattern)
		}
		if tt.want == "" && (text != "" || got.Doubt != plan.NotSupported) || !strings.Contains(text, tt.want) {
			t.Errorf("Plan(%q): %s, doubt %v (%s), want %s", tt.claim, text, got.Doubt, got.Reason, tt.want)
		}
	}
}
