package kg

import (
	"math"
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
