package builtin_test

import (
	"strings"
	"testing"

	"cairn/engine/plan"
)

// TestUnreadVerb asks for what no relation of the graph says by a verb: to answer with
// whatever is next to the name would answer another question.
func TestUnreadVerb(t *testing.T) {
	_, p := newSamplePlanner()
	for question, verb := range map[string]string{
		"Who invaded Austria?": "invaded", "What was insulted by Mongolia?": "insulted",
	} {
		got, err := p.Plan(t.Context(), question, nil)
		if err != nil || got.Doubt != plan.NoRelation || !strings.Contains(got.Reason, verb) {
			t.Errorf("%s: %s, %q, %v; want a refusal that names %q", question, got.Doubt, got.Reason, err, verb)
		}
	}
	// What follows "known as" says what is asked, and the verb nothing.
	got, err := p.Plan(t.Context(), "what is known as the capital of Austria", nil)
	if err != nil || got.Doubt == plan.NoRelation {
		t.Errorf("known as the capital: %s, %q, %v", got.Doubt, got.Reason, err)
	}
}
