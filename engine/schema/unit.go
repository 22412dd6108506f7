package schema

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/internal/wording"
)

// Measure says in which unit the values of a relation are.
type Measure struct {
	// Unit is the symbol of the unit that most have, as their labels say, or else the name of
	// the relation; empty where neither does.
	Unit string
	// Labelled says that the labels say it, and Mixed that some of those looked at are in
	// another unit, or say none.
	Labelled, Mixed bool
	// Unlike says that some cannot be told in that unit: dollars beside euros.
	Unlike bool
}

// Measured returns how the values at the end of a relation are measured.
func (s *Schema) Measured(r kg.RelationID) (m Measure) {
	units := s.units[Forward(r).To()]
	if most := slices.MaxFunc(append(slices.Sorted(maps.Keys(units)), ""), func(a, b string) int { return cmp.Compare(units[a], units[b]) }); most != "" {
		for u := range units {
			_, ok := kg.Value{Unit: u}.In(most)
			m.Unlike = m.Unlike || u != "" && !ok
		}
		m.Unit, m.Labelled, m.Mixed = most, true, len(units) > 1
		return m
	}
	return Measure{Unit: unitInName(s.g.RelationText(r)), Mixed: len(units) > 1}
}

// readStatedUnits notes the units of numbers that only statements say.
func (s *Schema) readStatedUnits() {
	const looked = 10_000 // statements
	all, numbers := map[string]int{}, map[string]int{}
	units := map[string]map[string]bool{}
	for _, said := range s.g.SomeQualified(looked) {
		for _, p := range said {
			x, ok := p.Extent()
			if all[p.Name]++; !ok {
				continue
			}
			if numbers[p.Name]++; x.Unit != "" && len(kg.UnitsOf(x.Unit)) == 0 {
				if units[p.Name] == nil {
					units[p.Name] = map[string]bool{}
				}
				units[p.Name][x.Unit] = true
			}
		}
	}
	for name, us := range units {
		if float64(numbers[name]) >= valueShare*float64(all[name]) {
			maps.Copy(s.own, us)
		}
	}
}

// LeadingUnit is kg.LeadingUnit with the units that only the values of this graph have, and with
// those that a relation's name has for so much of something: "mg/l" is so many milligrams.
func (s *Schema) LeadingUnit(text string) ([]kg.Unit, int) {
	us, n := kg.LeadingUnit(text, s.own)
	if n > 0 {
		return us, n
	}
	from := len(text) - len(strings.TrimLeft(text, " \u00a0\u202f"))
	unit, _, _ := strings.Cut(text[from:], " ")
	unit = strings.TrimRight(unit, ",;:?!.")
	if of, _, ok := strings.Cut(unit, "/"); ok {
		for r := range kg.RelationID(s.g.Relations()) {
			if IsPer(s.g.RelationText(r), unit) {
				return kg.UnitsOf(of), from + len(unit)
			}
		}
	}
	return nil, 0
}

// Scale is kg.Scale, but for a unit in which the graph measures something: 5000 K of a temperature.
func (s *Schema) Scale(word string) float64 {
	if len(kg.UnitsOf(word)) > 0 {
		for r := range kg.RelationID(s.g.Relations()) {
			if s.Measured(r).Unit == word {
				return 0
			}
		}
	}
	return kg.Scale(strings.ToLower(word))
}

// IsPer reports whether the name of a relation says in brackets that it measures in a unit, such as
// "mg/l".
func IsPer(relation, unit string) bool {
	told := inBrackets(relation)
	return told != "" && strings.EqualFold(told, unit)
}

// inBrackets returns what stands in brackets at the end of a relation's name; "" for nothing.
func inBrackets(name string) string {
	open := strings.LastIndexAny(name, "([")
	if open <= 0 {
		return ""
	}
	return strings.TrimRight(name[open+1:], ")] ")
}

// Unmixed says in a sentence that not all values of a relation can be told in one unit.
func (m Measure) Unmixed(relation string) string {
	return fmt.Sprintf("The values of %s are in units of different kinds; only those in %s were used.", wording.Quote(relation), m.Unit)
}

// unitInName returns the unit that the name of a relation ends with: "length (km)", "length
// in metres", "length km", and "weight g" behind the name of a measure; or has before "per", "kcal per portion".
func unitInName(name string) string {
	words := strings.Fields(name)
	if unit := inBrackets(name); unit != "" {
		of, _, _ := strings.Cut(unit, "/") // "g/100 g" is so many grams
		for _, name := range []string{unit, strings.TrimSpace(of)} {
			for _, u := range kg.OfDimension(kg.UnitsOf(name), lexicon.Builtin().DimensionOf(words)) {
				return u.Symbol
			}
		}
	}
	if at := slices.Index(words, "per"); at > 0 { // so much for one of something: "kcal per portion", "price usd per kg"
		for _, unit := range []string{strings.Join(words[at-1:], " "), words[at-1]} {
			for _, u := range kg.OfDimension(kg.UnitsWritten(unit), lexicon.Builtin().DimensionOf(words[:at-1])) {
				return u.Symbol
			}
		}
		return ""
	}
	if us := kg.UnitsOf(name); len(us) == 1 && len(words) == 1 && lexicon.Singular(name) != name { // "minutes"
		return us[0].Symbol
	}
	const shortest = 2 // letters of a symbol that is no abbreviation of anything
	if n := len(words); n > 1 && (len(words[n-1]) >= shortest || words[n-2] == "in" || lexicon.Builtin().IsMeasure(words[:n-1])) {
		for _, u := range kg.OfDimension(kg.UnitsWritten(words[n-1]), lexicon.Builtin().DimensionOf(words[:n-1])) {
			return u.Symbol
		}
	}
	return ""
}
