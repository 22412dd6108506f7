package builtin_test

import (
	"strings"
	"testing"

	"cairn/engine/plan"
)

// TestStepsAsAsked: a reading with a step that the question does not ask for loses to the
// one without, or is not sure and says so.
func TestStepsAsAsked(t *testing.T) {
	_, p := newSamplePlanner()
	got, err := p.Plan(t.Context(), "Which rivers flow through the countries that border Austria?", nil)
	if err != nil || len(got.Readings) == 0 {
		t.Fatalf("%v, %v", got, err)
	}
	if text := got.Readings[0].Text; strings.Contains(text, "capital") {
		t.Errorf("it is read as %s, with %s", text, got.Doubt)
	}
	got, err = p.Plan(t.Context(), "element found by Henri Moissan", nil)
	if err != nil || got.Doubt == plan.Sure || !strings.Contains(got.Reason, "“found”") {
		t.Errorf("%s, %q, %v", got.Doubt, got.Reason, err)
	}
}
