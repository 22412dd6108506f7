package kg

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Yearly is a month of any year, or a day of it: May, 5 May. The zero value is none.
type Yearly struct {
	Month time.Month `json:"month"`
	Day   int        `json:"day,omitempty"` // 0 for all of the month
}

// ParseYearly reads "May", "5 May", "May 5", also with the first letters of the month alone. There
// must be such a day in some year.
func ParseYearly(text string) (y Yearly, ok bool) {
	const leap = " 2000"
	isMonth := func(w string) bool { return len(w) >= 3 && strings.Contains(months, strings.ToLower(w[:3])) }
	if !slices.ContainsFunc(strings.Fields(text), isMonth) {
		return y, false
	}
	for _, layout := range []string{"January 2006", "Jan 2006", "2 January 2006", "2 Jan 2006", "January 2 2006", "Jan 2 2006"} {
		if t, err := time.Parse(layout, strings.TrimSpace(text)+leap); err == nil {
			if y.Month = t.Month(); strings.Contains(layout, "2 ") {
				y.Day = t.Day()
			}
			return y, true
		}
	}
	return y, false
}

// months are the first letters of their names.
const months = "jan feb mar apr may jun jul aug sep oct nov dec"

// String writes it as ParseYearly reads it.
func (y Yearly) String() string {
	if y.Day == 0 {
		return y.Month.String()
	}
	return strconv.Itoa(y.Day) + " " + y.Month.String()
}

// Has reports whether a date is in that month, or on that day, of its year. What says a year alone
// is not.
func (y Yearly) Has(v Value) bool {
	if v.Kind != DateValue {
		return false
	}
	t := dayOfYear(v.Number)
	return t.Month() == y.Month && (y.Day == 0 || t.Day() == y.Day)
}

// dayOfYear returns the day of a date that is a year with its fraction.
func dayOfYear(number float64) time.Time {
	year := math.Floor(number)
	begin := time.Date(int(year), 1, 1, 0, 0, 0, 0, time.UTC)
	length := begin.AddDate(1, 0, 0).Sub(begin)
	// Half a minute makes up for the rounding of fractions.
	return begin.Add(time.Duration((number-year)*float64(length)) + time.Minute/2)
}

// YearsBetween returns how many whole years lie between the dates that two labels say, negative where the
// second is the earlier one, and whether that is rough: a year or a month alone may hide one year less. It is
// not ok where they are no such dates.
func (g *Graph) YearsBetween(from, to EntityID) (n float64, rough, ok bool) {
	a, isFrom := g.Value(from)
	b, isTo := g.Value(to)
	if !isFrom || !isTo || a.Unit != "" || b.Unit != "" {
		return 0, false, false
	}
	covers := func(v Value, e EntityID) float64 { return max(length(v, g.Label(e)), float64(1-v.Kind)) } // a number is a year
	most := max(covers(a, from), covers(b, to))
	n = math.Floor(b.Number) - math.Floor(a.Number)
	begun, then := dayOfYear(a.Number), dayOfYear(b.Number)
	const month, year = 0.05, 0.9
	if most < year && (then.Month() < begun.Month() || then.Month() == begun.Month() && then.Day() < begun.Day()) {
		n--
	}
	return n, most > year || most > month && then.Month() == begun.Month(), true
}
