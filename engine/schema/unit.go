package schema

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"cairn/engine/kg"
)

// Measure says in which unit the values of a relation are.
type Measure struct {
	// Unit is the symbol of the unit that most have, as their labels say, or else the name of
	// the relation; empty where neither does.
	Unit string
	// Labelled says that the labels say it, and Mixed that some of those looked at are in
	// another unit, or say none.
	Labelled, Mixed bool
}

// Measured returns how the values at the end of a relation are measured.
func (s *Schema) Measured(r kg.RelationID) (m Measure) {
	units := s.units[Forward(r).To()]
	if most := slices.MaxFunc(append(slices.Sorted(maps.Keys(units)), ""), func(a, b string) int { return cmp.Compare(units[a], units[b]) }); most != "" {
		return Measure{Unit: most, Labelled: true, Mixed: len(units) > 1}
	}
	return Measure{Unit: unitInName(s.g.RelationText(r)), Mixed: len(units) > 1}
}

// unitInName returns the unit that the name of a relation ends with: "length (km)", "length
// in metres", "length km".
func unitInName(name string) string {
	words := strings.Fields(name)
	if open := strings.LastIndexAny(name, "(["); open > 0 {
		for _, u := range kg.UnitsOf(strings.TrimRight(name[open+1:], ")] ")) {
			return u.Symbol
		}
	}
	const shortest = 2 // letters of a symbol that is no abbreviation of anything
	if n := len(words); n > 1 && (len(words[n-1]) >= shortest || words[n-2] == "in") {
		for _, u := range kg.UnitsOf(words[n-1]) {
			return u.Symbol
		}
	}
	return ""
}
