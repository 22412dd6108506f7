package gsr

import (
	"slices"
	"testing"

	"cairn/engine/retrieve"
)

// TestAllEpochs: held questions that are soon all answered end no training, for they do not
// ask all that it learns.
func TestAllEpochs(t *testing.T) {
	g, qs := filmWorld(t, 10)
	weights, err := Method{}.Train(t.Context(), retrieve.Training{
		World: retrieve.World{Graph: g}, Seed: 1, Train: qs, Held: slices.Repeat(qs[:1], 60), Settings: []byte(`{"width": 16, "epochs": 10, "steps": 2}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	if a, err := (Method{}).About(weights); err != nil || a.Epochs != 10 || a.Dev.H1 < 1 {
		t.Errorf("it learned for %d epochs of 10, and %v of the held questions are answered, %v", a.Epochs, a.Dev.H1, err)
	}
}
