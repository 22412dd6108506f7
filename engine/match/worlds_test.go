package match_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/evidence"
	"cairn/engine/match"
	"cairn/internal/testing/naive"
	"cairn/internal/testing/testkg"
)

// TestTruthTable matches every pattern of the small worlds with both engines.
func TestTruthTable(t *testing.T) {
	cases := 0
	for _, w := range testkg.Worlds() {
		for name, engine := range map[string]match.Engine{"anchored": match.Anchored{Graph: w.Graph}, "naive": naive.Engine{Graph: w.Graph}} {
			for _, c := range w.Cases {
				t.Run(w.Name+"/"+c.Name+"/"+name, func(t *testing.T) {
					if !c.Pattern.IsFixed() {
						t.Skip("the pattern leaves something to likeness")
					}
					q, err := match.Compile(w.Graph, c.Pattern)
					if err != nil {
						t.Fatalf("Compile: %v", err)
					}
					var found []evidence.Candidate
					if _, err := engine.Each(context.Background(), q, func(b match.Binding) bool {
						found = append(found, evidence.Candidate{Nodes: slices.Clone(b.Nodes), Edges: slices.Clone(b.Edges)})
						return true
					}); err != nil {
						t.Fatalf("Each: %v", err)
					}
					got := testkg.Bindings(w.Graph, found)
					if c.Pattern.Order != nil { // which of them come first is for the caller to tell
						got = slices.DeleteFunc(got, func(b string) bool { return !slices.Contains(c.Want, b) })
					}
					if diff := cmp.Diff(c.Want, got); diff != "" {
						t.Errorf("matches (-want +got):\n%s", diff)
					}
					cases++
				})
			}
		}
	}
	if cases < 20 {
		t.Errorf("%d cases were matched, which is too few", cases)
	}
}
