package eval

import (
	"strings"
	"testing"

	"cairn/internal/testing/golden"
)

// TestField asks graphs what people who saw no rule of the planner asked. The record says
// what becomes of each question; docs/benchmarks.md says how they fared when first asked, as rules
// were made from the faults found since. After a change of the planner
//
//	go test -tags ci ./engine/lab/eval -run TestField -update
//
// writes the record again.
func TestField(t *testing.T) {
	const folder = "../../testdata/field"
	report, err := Field(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := report.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, folder+"/outcomes.golden", b.String())
}
