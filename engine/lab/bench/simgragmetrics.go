package bench

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Times sums up durations.
type Times struct {
	Mean   time.Duration `json:"mean"`
	Median time.Duration `json:"median"`
	P99    time.Duration `json:"p99"`
	Max    time.Duration `json:"max"`
}

// timesOf sums up ds, which it sorts.
func timesOf(ds []time.Duration) Times {
	if len(ds) == 0 {
		return Times{}
	}
	slices.Sort(ds)
	var sum time.Duration
	for _, d := range ds {
		sum += d
	}
	return Times{
		Mean: sum / time.Duration(len(ds)), Median: quantile(ds, 0.5), P99: quantile(ds, 0.99), Max: ds[len(ds)-1],
	}
}

// quantile is the smallest of the sorted ds that at least the share q of them do
// not exceed (the nearest rank).
func quantile(ds []time.Duration, q float64) time.Duration {
	rank := int(math.Ceil(q * float64(len(ds))))
	return ds[min(max(rank, 1), len(ds))-1]
}

// Point is what a choice of parameters costs and how good it is.
type Point struct {
	Time  time.Duration `json:"time"` // the mean of a query
	Hits1 float64       `json:"hits1"`
	// AtLeast says that searches ran out of time, so that Time is a lower bound.
	AtLeast bool `json:"at_least,omitempty"`
	Cell    int  `json:"cell"` // index into the cells
}

// Front returns the points that no other beats, being as good in both time and
// Hits@1 and better in one, fastest first. Of equal points the first remains.
func Front(points []Point) []Point {
	sorted := slices.Clone(points)
	slices.SortStableFunc(sorted, func(a, b Point) int {
		return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(b.Hits1, a.Hits1))
	})
	var front []Point
	for _, p := range sorted {
		if len(front) == 0 || p.Hits1 > front[len(front)-1].Hits1 {
			front = append(front, p)
		}
	}
	return front
}

// slope fits y = a·x^b by least squares on the logarithms and returns b, the
// slope of the line on two logarithmic axes. ok is false where fewer than two
// different x are given; pairs with a value that has no logarithm are left out.
//
//	b = Σ (log xᵢ − x̄)(log yᵢ − ȳ) / Σ (log xᵢ − x̄)²
func slope(x, y []float64) (b float64, ok bool) {
	var lx, ly []float64
	for i := range x {
		if x[i] > 0 && y[i] > 0 {
			lx, ly = append(lx, math.Log(x[i])), append(ly, math.Log(y[i]))
		}
	}
	var mx, my, sxy, sxx float64
	for i := range lx {
		mx += lx[i] / float64(len(lx))
		my += ly[i] / float64(len(lx))
	}
	for i := range lx {
		sxy += (lx[i] - mx) * (ly[i] - my)
		sxx += (lx[i] - mx) * (lx[i] - mx)
	}
	if sxx == 0 {
		return 0, false
	}
	return sxy / sxx, true
}
