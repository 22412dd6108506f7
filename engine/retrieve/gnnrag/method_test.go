package gnnrag

import (
	"encoding/json"
	"testing"

	"cairn/internal/testing/retrievetest"
)

// TestContract holds networks that look at the whole graph, and those that look at a
// region, to what every method keeps.
func TestContract(t *testing.T) {
	t.Parallel()
	for _, kind := range []Kind{Flow, ReaRev} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			settings, err := json.Marshal(Options{Kind: kind, Epochs: 12, Width: 10, Layers: 1, Tries: 1})
			if err != nil {
				t.Fatal(err)
			}
			retrievetest.Run(t, Method{}, settings)
		})
	}
}
