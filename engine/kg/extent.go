package kg

import (
	"math"
	"strings"
	"time"
)

// Extent is what a value covers: a number itself, a date its day, month or year, an
// interval all from its beginning to its end.
type Extent struct {
	Value         // its beginning
	Until float64 // its end, which numbers reach and dates do not
}

// ParseExtent reads a text as ParseValue does, or as an interval of two such values:
// "1914/1934", "1914–1934", "1914-1934", "5–10 km".
func ParseExtent(text string) (Extent, bool) {
	if v, ok := ParseValue(text); ok {
		return Extent{v, v.Number + length(v, text)}, true
	}
	for _, divider := range []string{"/", "–", "—", "-", ".."} {
		first, last, ok := strings.Cut(strings.TrimSpace(text), divider)
		if !ok || strings.Contains(last, divider) {
			continue
		}
		a, isFirst := ParseExtent(first)
		b, isLast := ParseExtent(last)
		if !isFirst || !isLast || a.Unit != "" && a.Unit != b.Unit {
			continue
		}
		if a.Kind != b.Kind {
			a, b = a.Dates(), b.Dates()
		}
		if a.Number <= b.Until {
			a.Unit, a.Until = b.Unit, b.Until
			return a, true
		}
	}
	return Extent{}, false
}

// length is how long a date lasts, in years; 0 for a number.
func length(v Value, text string) float64 {
	const day = 1.0 / 366
	s := strings.TrimSpace(text)
	if _, covers := roughYear(s); covers > 0 && v.Kind == DateValue {
		return float64(covers)
	}
	switch {
	case v.Kind == NumberValue:
		return 0
	case v.Number == math.Trunc(v.Number) && !strings.Contains(strings.TrimPrefix(s, "-"), "-") && isEra(s):
		return 1
	}
	for _, layout := range []string{"January 2006", "Jan 2006"} {
		if _, err := time.Parse(layout, s); err == nil {
			return monthLength(v.Number)
		}
	}
	if strings.Count(strings.TrimPrefix(s, "-"), "-") == 1 && !strings.ContainsAny(s, " T:") {
		return monthLength(v.Number) // 1999-12
	}
	return day
}

// monthLength is how long the month that begins at a date lasts, in years.
func monthLength(begins float64) float64 {
	t := dayOfYear(begins)
	year := t.Year()
	next := time.Date(year, t.Month()+1, 1, 0, 0, 0, 0, time.UTC)
	if next.Year() > year {
		return float64(year+1) - begins
	}
	return fractionalYear(year, next) - begins
}

// isEra reports whether a date is a year with its era.
func isEra(s string) bool {
	year, _, _ := strings.Cut(s, " ")
	_, more, _ := strings.Cut(s, " ")
	return allDigits(year) && !strings.ContainsAny(more, "0123456789")
}

// Dates is the extent with numbers read as years.
func (x Extent) Dates() Extent {
	if x.Kind == NumberValue {
		x.Kind, x.Until = DateValue, x.Until+1
	}
	return x
}

// Extent reads the value of a property as a number with its unit, a date or an
// interval, and reports whether it is one.
func (p Property) Extent() (Extent, bool) {
	if p.Entity != NoEntity {
		return Extent{}, false
	}
	x, ok := ParseExtent(p.Value)
	if number, unit, cut := strings.Cut(p.Value, " "); !ok && cut { // no name: "400 euro"
		if us := UnitsOf(unit); len(us) > 0 {
			if x, ok = ParseExtent(number); ok {
				x.Unit = us[0].Symbol
			}
		} else if v, counts := ParseCounted(p.Value); counts { // "30 nM"
			x, ok = Extent{v, v.Number}, true
		}
	}
	if ok && x.Kind == NumberValue && x.Unit == "" && p.isUnit() {
		x.Unit = p.Datatype
	}
	if !ok && strings.HasSuffix(p.Datatype, "gYear") { // a year of fewer or more digits than names allow
		x, ok = ParseExtent(strings.TrimLeft(p.Value, "0"))
	}
	return x, ok
}

// isUnit reports whether the datatype is a unit rather than an IRI or a CURIE.
func (p Property) isUnit() bool { return p.Datatype != "" && !strings.Contains(p.Datatype, ":") }
