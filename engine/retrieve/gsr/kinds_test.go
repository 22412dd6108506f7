package gsr

import (
	"fmt"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/internal/testing/retrievetest"
)

// TestNamesAreReadByTheirTypes: when a person began is another relation than when a firm did,
// where both have both.
func TestNamesAreReadByTheirTypes(t *testing.T) {
	b := &kg.Builder{}
	var names []string
	for i := range 48 {
		kind := []string{"person", "firm"}[i%2]
		name := fmt.Sprintf("Name %d", i)
		e := b.Entity(name)
		b.AddType(e, kind)
		b.Add(name, "day_of_birth", fmt.Sprintf("day %d", i))
		b.Add(name, "day_of_opening", fmt.Sprintf("date %d", i))
		names = append(names, name)
	}
	g := b.Graph()
	var qs []questions.Example
	for i, name := range names {
		right := fmt.Sprintf([]string{"day %d", "date %d"}[i%2], i)
		qs = append(qs, retrievetest.Asked(t, g, "when did ["+name+"] begin", right))
	}
	weights, err := Method{}.Train(t.Context(), retrieve.Training{
		World: retrieve.World{Graph: g}, Seed: 1, Train: qs[:40], Settings: []byte(`{"width": 32, "epochs": 60, "steps": 1, "index": -1}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	opened, err := Method{}.Open(t.Context(), retrieve.World{Graph: g, Weights: weights})
	if err != nil {
		t.Fatal(err)
	}
	r := opened.(*retriever) //nolint:errcheck // Open returns nothing else
	for i, name := range names[40:] {
		readings, err := r.Read(t.Context(), query(t, g, "when did ["+name+"] begin"))
		want := name + []string{" → day of birth", " → day of opening"}[i%2]
		if err != nil || len(readings) == 0 || readings[0].Text != want {
			t.Errorf("it is read as %v, %v, want %s", readings, err, want)
		}
	}
}
