package bench

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTimesOf(t *testing.T) {
	for n, want := range map[int]Times{
		0:   {},
		1:   {Mean: 1, Median: 1, P99: 1, Max: 1},
		2:   {Mean: 1, Median: 1, P99: 2, Max: 2}, // the mean is 1.5 ns
		3:   {Mean: 2, Median: 2, P99: 3, Max: 3},
		100: {Mean: 50, Median: 50, P99: 99, Max: 100},
		101: {Mean: 51, Median: 51, P99: 100, Max: 101},
		200: {Mean: 100, Median: 100, P99: 198, Max: 200},
	} {
		ds := make([]time.Duration, n)
		for i := range ds {
			ds[i] = time.Duration(n - i)
		}
		if got := timesOf(ds); got != want {
			t.Errorf("timesOf(1 … %d) = %+v, want %+v", n, got, want)
		}
	}
}

// TestFrontIsNotBeaten compares fronts of random points with the definition.
func TestFrontIsNotBeaten(t *testing.T) {
	beats := func(a, b Point) bool {
		return a.Time <= b.Time && a.Hits1 >= b.Hits1 && (a.Time < b.Time || a.Hits1 > b.Hits1)
	}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		points := make([]Point, r.IntN(30))
		for i := range points {
			points[i] = Point{Time: time.Duration(r.IntN(12)), Hits1: float64(r.IntN(8)) / 8, Cell: i}
		}
		var want []Point
		for i, p := range points {
			beaten := slices.ContainsFunc(points, func(q Point) bool { return beats(q, p) })
			same := slices.ContainsFunc(points[:i], func(q Point) bool { return q.Time == p.Time && q.Hits1 == p.Hits1 })
			if !beaten && !same {
				want = append(want, p)
			}
		}
		slices.SortFunc(want, func(a, b Point) int { return int(a.Time - b.Time) })
		if diff := cmp.Diff(want, Front(points)); diff != "" {
			t.Fatalf("seed %d: Front(%v) (-want +got):\n%s", seed, points, diff)
		}
	}
}

func TestSlope(t *testing.T) {
	x := []float64{43e3, 1e6, 10e6}
	for _, b := range []float64{-1, 0, 0.5, 1, 2} {
		y := make([]float64, len(x))
		for i := range x {
			y[i] = 7 * math.Pow(x[i], b)
		}
		if got, ok := slope(x, y); !ok || math.Abs(got-b) > 1e-12 {
			t.Errorf("slope of 7·x^%v = %v, %v", b, got, ok)
		}
	}
	// By hand: logarithms (0, 1, 2) and (0, 2, 1) have the slope 1/2.
	if got, ok := slope([]float64{1, math.E, math.E * math.E}, []float64{1, math.E * math.E, math.E}); !ok || math.Abs(got-0.5) > 1e-12 {
		t.Errorf("slope = %v, %v, want 0.5", got, ok)
	}
	for _, c := range [][2][]float64{{nil, nil}, {{5}, {7}}, {{5, 5}, {7, 8}}, {{1, 2}, {0, 7}}} {
		if got, ok := slope(c[0], c[1]); ok {
			t.Errorf("slope(%v, %v) = %v, want none", c[0], c[1], got)
		}
	}
}
