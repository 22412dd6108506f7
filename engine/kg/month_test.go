package kg

import (
	"fmt"
	"math"
	"testing"
	"time"
)

// TestMonthsLastToTheNext: every month of a common and of a leap year ends where the next begins.
func TestMonthsLastToTheNext(t *testing.T) {
	for _, year := range []int{1900, 1951, 2012, 2020, 2023, 2024} {
		for month := time.January; month <= time.December; month++ {
			begin := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
			next := begin.AddDate(0, 1, 0)
			want := fractionalYear(next.Year(), next)
			for _, text := range []string{begin.Format("January 2006"), begin.Format("2006-01")} {
				x, ok := ParseExtent(text)
				if !ok || x.Kind != DateValue || math.Abs(x.Until-want) > 1e-9 {
					t.Errorf("%s lasts from %v to %v, want %v", text, x.Number, x.Until, fmt.Sprint(want))
				}
			}
		}
	}
}
