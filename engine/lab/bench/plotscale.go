package bench

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"
)

// scale turns the values of an axis into places on the picture.
type scale struct {
	Axis
	low, high float64 // values at the ends
	from, to  float64 // places of the ends
	ticks     []tick
}

// tick is a line of the grid; a named one has its value beside it.
type tick struct {
	value float64
	named bool
}

// newScale makes a scale that shows all values between whole ticks.
func newScale(a Axis, values []float64, from, to float64) scale {
	s := scale{Axis: a, from: from, to: to}
	if s.Format == nil {
		s.Format = func(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
	}
	if len(values) == 0 {
		values = []float64{1}
	}
	s.low, s.high = slices.Min(values), slices.Max(values)
	if a.Log {
		s.decades()
	} else {
		s.steps()
	}
	return s
}

// decades puts ticks at 1, 2 and 5 times the powers of ten that enclose the
// values. All are named where there are few decades, the powers alone elsewhere.
func (s *scale) decades() {
	s.low, s.high = round125(s.low, false), round125(s.high, true)
	few := math.Log10(s.high/s.low) <= 2.05
	for e := math.Floor(math.Log10(s.low) - 0.01); e <= math.Ceil(math.Log10(s.high)); e++ {
		for _, m := range []float64{1, 2, 5} {
			// Parsed, so that a tick is the number that it is printed as.
			v, err := strconv.ParseFloat(fmt.Sprintf("%ge%d", m, int(e)), 64)
			if err == nil && v > s.low*0.999 && v < s.high*1.001 {
				s.ticks = append(s.ticks, tick{v, few || m == 1})
			}
		}
	}
}

// round125 rounds v, which is above 0, up or down to 1, 2 or 5 times a power of
// ten; one of these remains, whatever its last bits.
func round125(v float64, up bool) float64 {
	const slack = 1e-9
	power := math.Pow(10, math.Floor(math.Log10(v)))
	below := power
	for _, m := range []float64{1, 2, 5, 10} {
		switch x := m * power; {
		case x <= v*(1+slack):
			below = x
		case up && below < v*(1-slack):
			return x
		}
	}
	return below
}

// steps puts some five ticks at 1, 2 or 5 times a power of ten apart.
func (s *scale) steps() {
	if s.high == s.low {
		s.low, s.high = s.low-0.5, s.high+0.5
	}
	step := round125((s.high-s.low)/5, true)
	first, last := math.Floor(s.low/step+1e-9), math.Ceil(s.high/step-1e-9)
	s.low, s.high = first*step, last*step
	for i := first; i <= last; i++ {
		s.ticks = append(s.ticks, tick{math.Round(i*step*1e9) / 1e9, true})
	}
}

// at is the place of a value.
func (s *scale) at(v float64) float64 {
	low, high := s.low, s.high
	if s.Log {
		v, low, high = math.Log(v), math.Log(low), math.Log(high)
	}
	if low == high {
		return (s.from + s.to) / 2
	}
	return s.from + (v-low)/(high-low)*(s.to-s.from)
}

func (s *scale) format(v float64) string { return s.Format(v) }

// formatTime writes a time, given in seconds, as short as it goes.
func formatTime(seconds float64) string {
	for _, u := range []struct {
		least float64
		name  string
	}{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}} {
		if seconds >= 1000 {
			return strconv.FormatFloat(seconds, 'f', 0, 64) + " s"
		}
		if seconds >= u.least*0.999 {
			return strconv.FormatFloat(seconds/u.least, 'g', 3, 64) + " " + u.name
		}
	}
	return time.Duration(seconds * float64(time.Second)).String()
}

// formatCount writes a number of things as short as it goes.
func formatCount(n float64) string {
	switch {
	case n >= 1e6*0.999:
		return strconv.FormatFloat(n/1e6, 'g', 3, 64) + " M"
	case n >= 1e4*0.999:
		return strconv.FormatFloat(n/1e3, 'g', 3, 64) + " k"
	}
	return strconv.FormatFloat(n, 'g', 4, 64)
}

// formatShare writes a share in per cent.
func formatShare(share float64) string {
	return strconv.FormatFloat(math.Round(share*1000)/10, 'g', 4, 64) + " %"
}

// formatMegabytes writes a size, given in MB of 10⁶ bytes.
func formatMegabytes(mb float64) string {
	if mb >= 1e3*0.999 {
		return strconv.FormatFloat(mb/1e3, 'g', 3, 64) + " GB"
	}
	return strconv.FormatFloat(mb, 'g', 3, 64) + " MB"
}
