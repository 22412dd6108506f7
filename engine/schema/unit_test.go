package schema_test

import (
	"testing"

	"cairn/engine/kg"
	"cairn/engine/schema"
	"cairn/internal/testing/testkg"
)

func TestMeasured(t *testing.T) {
	g := testkg.Build(
		"Nile|length|6650 km", "Rhine|length|1230 km", "Hudson|length|315 mi", // several units
		"Nile|depth|11 m", "Rhine|depth|25 m",
		"Nile|basin (km²)|3254555", "Rhine|basin (km²)|185000",
		"Nile|width in metres|2800", "Rhine|flow m/s|2", "Rhine|bridges|75", "Rhine|salt (mg/100 ml)|5", "Rhine|heat (K)|280", "Rhine|weight (pounds)|9", "Rhine|damage (pounds)|9", "Rhine|damage pounds|8", "Rhine|top speed kmh|9", "Rhine|water usd per l|3", "Rhine|kg per month|8", "Rhine|price per kg|8", "Rhine|beats per hour|8", "Rhine|speed miles per hour|8", "Rhine|flows into|North Sea",
	)
	s, err := schema.Read(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]schema.Measure{
		"length": {Unit: "km", Labelled: true, Mixed: true}, "depth": {Unit: "m", Labelled: true}, "basin (km²)": {Unit: "km²"},
		"width in metres": {Unit: "m"}, "flow m/s": {Unit: "m/s"}, "bridges": {}, "salt (mg/100 ml)": {Unit: "mg"}, "flows into": {},
		"heat (K)": {Unit: "K"}, "weight (pounds)": {Unit: "lb"}, "damage (pounds)": {}, "damage pounds": {}, "top speed kmh": {Unit: "km/h"},
		"water usd per l": {Unit: "$"}, "kg per month": {Unit: "kg"}, "price per kg": {}, "beats per hour": {}, "speed miles per hour": {Unit: "mph"},
	} {
		for r := range kg.RelationID(g.Relations()) {
			if g.RelationText(r) == name && s.Measured(r) != want {
				t.Errorf("%s is measured as %+v, want %+v", name, s.Measured(r), want)
			}
		}
	}
	for word, want := range map[string]float64{"K": 0, "k": 1000, "million": 1e6} {
		if got := s.Scale(word); got != want {
			t.Errorf("%s multiplies by %v, want %v", word, got, want)
		}
	}
}
