// Package confidence fits what speaks against a reading, and measures what is gained by
// it on graphs that the fit has not seen.
//
//	Example  what spoke against the reading of one question, and whether it was right
//	Fit      examples → Model, a logistic whose signs may only lower the chance
//	Bar      the chance below which a reading is not shown as sure
//	Report   the same for every graph left out, as tables
package confidence

import (
	"cmp"
	"math"
	"slices"

	"cairn/engine/lab/eval"
)

// Model is a logistic: the log-odds that a reading is right are Certainty less what its
// signs cost.
type Model struct {
	Certainty float64
	Costs     map[string]float64 // of one unit of a sign; never below 0
}

// Odds are the log-odds that the reading of an example is right.
func (m *Model) Odds(x *eval.Example) float64 {
	odds := m.Certainty
	for name, much := range x.Signs {
		odds -= m.Costs[name] * much
	}
	return odds
}

// passes reports whether a reading stays sure with a bar.
func (m *Model) passes(x *eval.Example, bar float64) bool {
	return x.Sure && (x.Confidence == 0 || m.Odds(x) >= bar)
}

const (
	// ridge keeps costs small that few examples speak for.
	ridge = 0.0005
	// sureWeight is how many examples one counts for whose reading is sure without the
	// confidence: only they are told apart by it.
	sureWeight = 5
	rounds     = 60
)

// Fit returns the model under which the examples are the likeliest, each graph as heavy as
// the next. A cost below 0 is no cost: a sign that the reading is wrong may be worth
// nothing, but what speaks against a reading on one graph never speaks for it on another.
func Fit(xs []*eval.Example) Model {
	xs = slices.DeleteFunc(slices.Clone(xs), func(x *eval.Example) bool { return x.Confidence == 0 })
	names := signs(xs)
	columns, weights := matrix(xs, names)
	m := Model{Costs: map[string]float64{}}
	odds := make([]float64, len(xs))
	// descend moves the odds along a direction, as far as a bound on the curvature allows.
	// It returns how far.
	descend := func(along []float64, at, ridge, least float64) float64 {
		slope, curve := -ridge*at, ridge
		for i, v := range along {
			if v != 0 {
				miss := -1 / (1 + math.Exp(-odds[i]))
				if xs[i].Right {
					miss++
				}
				slope += weights[i] * miss * v
				curve += weights[i] * v * v / 4
			}
		}
		step := max(least-at, slope/max(curve, 1e-12))
		for i, v := range along {
			odds[i] += step * v
		}
		return step
	}
	ones := slices.Repeat([]float64{1}, len(xs))
	for range rounds {
		m.Certainty += descend(ones, m.Certainty, 0, math.Inf(-1))
		for j, name := range names {
			m.Costs[name] += descend(columns[j], m.Costs[name], ridge, 0)
		}
	}
	return m
}

// signs are the names of all signs, sorted.
func signs(xs []*eval.Example) []string {
	var names []string
	for _, x := range xs {
		for name := range x.Signs {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// matrix returns how much there is of each sign, by sign and example and below 0, for it
// lowers the odds; and what each example weighs. All together weigh 1.
func matrix(xs []*eval.Example, names []string) (columns [][]float64, weights []float64) {
	size := map[string]float64{}
	weigh := func(x *eval.Example) float64 {
		if x.Sure {
			return sureWeight
		}
		return 1
	}
	for _, x := range xs {
		size[x.Graph] += weigh(x)
	}
	for _, x := range xs {
		weights = append(weights, weigh(x)/size[x.Graph]/float64(len(size)))
	}
	for _, name := range names {
		column := make([]float64, len(xs))
		for i, x := range xs {
			column[i] = -x.Signs[name]
		}
		columns = append(columns, column)
	}
	return columns, weights
}

// target is the share of sure readings that are to be right.
const target = 0.95

// judged are the graphs that the bar is set on. Those left out cannot be held against a
// reading: the gold of Freebase's questions is incomplete, and of the questions made out of
// UMLS and nations half are worded as nobody would.
var judged = []string{"films", "people", "football", "air routes"}

// fewest is how many sure readings of a graph tell a share.
const fewest = 30

// Bar returns the lowest log-odds from which on the forgetful copies of every judged graph
// are right often enough: that of the worst of them.
func Bar(m *Model, xs []*eval.Example) float64 {
	bar := math.Inf(-1)
	for _, g := range judged {
		var sure []*eval.Example
		for _, x := range xs {
			if x.Graph == g && x.Forget > 0 && x.Sure && x.Confidence > 0 {
				sure = append(sure, x)
			}
		}
		slices.SortStableFunc(sure, func(a, b *eval.Example) int { return cmp.Compare(m.Odds(b), m.Odds(a)) })
		right, at := 0, math.Inf(1)
		for i, x := range sure {
			if x.Right {
				right++
			}
			whole := i+1 == len(sure) || m.Odds(sure[i+1]) < m.Odds(x) // no bar parts equals
			if whole && i+1 >= fewest && float64(right) >= target*float64(i+1) {
				at = m.Odds(x)
			}
		}
		if len(sure) >= fewest {
			bar = max(bar, at)
		}
	}
	return bar
}
