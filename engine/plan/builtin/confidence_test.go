package builtin_test

import (
	"strings"
	"testing"

	"cairn/engine/plan"
)

// TestConfidence has what speaks against a reading lower its chance, be said in words, and
// cost it the green.
func TestConfidence(t *testing.T) {
	_, p := newSamplePlanner()
	plans := map[string]*plan.Plan{}
	ask := func(question string) *plan.Plan {
		t.Helper()
		got, err := p.Plan(t.Context(), question, nil)
		if err != nil || len(got.Readings) == 0 {
			t.Fatalf("%s: %v, %d readings", question, err, len(got.Readings))
		}
		plans[question] = got
		return got
	}
	plain := ask("What is the capital of Austria?")
	if plain.Doubt != plan.Sure || plain.Barred || plain.Confidence < 0.85 || plain.Confidence >= 1 {
		t.Errorf("a plain question: %s, barred %t, confidence %.2f", plain.Doubt, plain.Barred, plain.Confidence)
	}
	odd := ask("What is the mayor of the capital of Austria called?")
	if odd.Doubt == plan.Sure || odd.Confidence >= plain.Confidence {
		t.Errorf("a word that the graph lacks: %s, confidence %.2f, the plain question %.2f", odd.Doubt, odd.Confidence, plain.Confidence)
	}
	for question, got := range plans {
		cost := 0.0
		for i, s := range got.Signs {
			if s.Much <= 0 || s.Cost < 0 || s.Message == "" || i > 0 && s.Cost > got.Signs[i-1].Cost {
				t.Errorf("%s: sign %d is %+v", question, i, s)
			}
			cost += s.Cost
		}
		if cost == 0 && got.Confidence < plain.Confidence {
			t.Errorf("%s: a confidence of %.2f and no sign against it", question, got.Confidence)
		}
	}
}

// TestBar has a question whose reading has too much against it lose its green, with the
// gravest sign for a reason: a birthplace is a city.
func TestBar(t *testing.T) {
	_, p := newSamplePlanner()
	got, err := p.Plan(t.Context(), "Marie Curie's country of birth", nil)
	if err != nil {
		t.Fatal(err)
	}
	if !got.Barred || got.Doubt != plan.Unsure || !strings.Contains(got.Reason, got.Signs[0].Message) {
		t.Errorf("%s, barred %t, confidence %.2f, %q, signs %+v", got.Doubt, got.Barred, got.Confidence, got.Reason, got.Signs)
	}
}
