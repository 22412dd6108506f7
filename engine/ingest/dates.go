package ingest

import (
	"regexp"
	"time"
)

// DateOrder says whether the day or the month comes first where dates are written in figures and
// the year comes last.
type DateOrder string

// The orders of dates. Without one, such dates stay text.
const (
	DayFirst   DateOrder = "day-first"
	MonthFirst DateOrder = "month-first"
)

var yearLast = regexp.MustCompile(`^(\d{1,2})([./-])(\d{1,2})[./-]\d{4}$`)

// dateOrder returns the order of the dates of a column that have the year last, and one that may
// be read either way where none tells. Points stand between them only where the day comes first.
func dateOrder(cells map[string]int) (order DateOrder, unclear string) {
	day, month := false, false
	for cell := range cells {
		m := yearLast.FindStringSubmatch(cell)
		if m == nil {
			continue
		}
		_, dayFirst := isoDate(cell, DayFirst)
		_, monthFirst := isoDate(cell, MonthFirst)
		switch {
		case dayFirst && (!monthFirst || m[2] == "."):
			day = true
		case monthFirst && !dayFirst:
			month = true
		case dayFirst && (unclear == "" || cell < unclear) && m[1] != m[3]:
			unclear = cell
		}
	}
	switch {
	case day && !month:
		return DayFirst, ""
	case month && !day:
		return MonthFirst, ""
	}
	return "", unclear
}

// isoDate is a date as XML Schema writes it.
func isoDate(cell string, order DateOrder) (string, bool) {
	layouts := []string{"2006/1/2", "2006.1.2", "2-Jan-2006"}
	switch order {
	case DayFirst:
		layouts = append(layouts, "2.1.2006", "2/1/2006", "2-1-2006")
	case MonthFirst:
		layouts = append(layouts, "1.2.2006", "1/2/2006", "1-2-2006")
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, cell); err == nil {
			return t.Format(time.DateOnly), true
		}
	}
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02 15:04:05"} {
		if t, err := time.Parse(layout, cell); err == nil {
			return t.Format("2006-01-02T15:04:05"), true
		}
	}
	if t, err := time.Parse("1/2006", cell); err == nil {
		return t.Format("2006-01"), true
	}
	return cell, false
}
