package engine_test

import (
	"testing"

	"cairn/engine"
	"cairn/engine/kg"
	"cairn/engine/plan"
)

func TestExamples(t *testing.T) {
	var b kg.Builder
	for _, f := range [][3]string{
		{"Kismet", "directed_by", "William Dieterle"},
		{"Gigi", "directed_by", "Vincente Minnelli"},
		{"Kismet", "release_year", "1944"},
		{"Gigi", "release_year", "1958"},
		{"Gigi", "has_genre", "Musical"},
	} {
		b.Add(f[0], f[1], f[2])
	}
	e, err := engine.OnGraph(t.Context(), b.Graph(), engine.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	questions := e.Examples(t.Context(), 3)
	if len(questions) != 3 {
		t.Fatalf("Examples = %q, want 3", questions)
	}
	for _, q := range questions {
		run, err := e.Ask(t.Context(), q, engine.AskOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if run.Plan.Doubt != plan.Sure || len(run.Candidates) == 0 {
			t.Errorf("%q: doubt %d, %d matches", q, run.Plan.Doubt, len(run.Candidates))
		}
	}
}
