package simgrag

import (
	"math"

	"cairn/engine/kg"
	"cairn/engine/pattern"
)

// passes reports whether the value of e meets every filter; an entity that is
// no value meets none.
func passes(g *kg.Graph, e kg.EntityID, filters []pattern.Filter) bool {
	number, date, ok := valueOf(g, e)
	if !ok {
		return len(filters) == 0
	}
	for _, f := range filters {
		if !holds(f, number, date) {
			return false
		}
	}
	return true
}

// holds compares a value with a filter. A date is compared with a whole number
// by its year: "after 1999" is not met by December 1999, "by 1999" is.
func holds(f pattern.Filter, number float64, date bool) bool {
	if date && f.Value == math.Trunc(f.Value) {
		number = math.Floor(number)
	}
	// Values come from decimal text, so equal ones differ by rounding at most.
	const relative = 1e-9
	equal := math.Abs(number-f.Value) <= relative*max(1, math.Abs(number), math.Abs(f.Value))
	switch f.Op {
	case pattern.Less:
		return number < f.Value && !equal
	case pattern.AtMost:
		return number <= f.Value || equal
	case pattern.Equal:
		return equal
	case pattern.AtLeast:
		return number >= f.Value || equal
	case pattern.Greater:
		return number > f.Value && !equal
	}
	return false
}

// valueOf reads the label of e as a number or a date.
func valueOf(g *kg.Graph, e kg.EntityID) (number float64, date, ok bool) {
	v, ok := kg.ParseValue(g.Label(e))
	return v.Number, v.Kind == kg.DateValue, ok
}
