package builtin_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/plan/builtin"
)

const (
	// fitQuestions is how many questions each graph gives to fit by, and
	// heldOutQuestions how many, others, to measure by.
	fitQuestions     = 250
	heldOutQuestions = 300
	fitSeed          = 11
	heldOutSeed      = 23
	// realQuestions is how many questions of each published set are asked.
	realQuestions = 300
	// pull is how strongly weights are held to those set by hand: the loss of a
	// weight that is half or half as much again, in questions of 1000.
	pull = 10
	// leastFactor and mostFactor bound the weights, in those set by hand.
	leastFactor, mostFactor = 0.4, 2.5
	// fitRounds is how often the readings are looked for again with the weights
	// found, and fitSteps how many steps are taken each time.
	fitRounds, fitSteps = 2, 400
)

// TestFit fits the weights by ranking on questions that are generated from
// graphs: the right reading should come before the others. Each graph is held
// out once; then all are fitted together and measured on the published sets,
// whose questions no fit sees. It prints tables and asserts nothing: whether
// fitted weights are worth having is for people to judge. It runs where
// CAIRN_EVAL is set:
//
//	CAIRN_EVAL=1 go test -run TestFit -v -timeout 60m ./engine/plan/builtin
func TestFit(t *testing.T) {
	if os.Getenv("CAIRN_EVAL") == "" {
		t.Skip("set CAIRN_EVAL to fit the weights")
	}
	hand := builtin.Vector(builtin.DefaultWeights())
	worlds := make([]fitData, len(fitWorlds))
	for i, w := range fitWorlds {
		g := w.load(t)
		p := planner(g, nil)
		worlds[i] = fitData{
			name: w.name, g: g,
			train: p.Generate(t.Context(), fitQuestions, fitSeed),
			test:  p.Generate(t.Context(), heldOutQuestions, heldOutSeed),
		}
		worlds[i].first = worlds[i].contests(t, hand)
	}
	t.Log("Generated questions, right answers of 100: hand weights, fitted on the other graphs")
	for i := range worlds {
		others := slices.Delete(slices.Clone(worlds), i, i+1)
		fitted := fit(t, hand, others)
		t.Logf("  %-14s %6.2f %6.2f  of %d", worlds[i].name, worlds[i].accuracy(t, hand), worlds[i].accuracy(t, fitted), len(worlds[i].test))
	}
	fitted := fit(t, hand, worlds)
	t.Log("Published questions, Hits@1 of 100: hand weights, fitted on all graphs")
	for _, set := range dataSets {
		t.Logf("  %-22s %6.2f %6.2f", set.name, realHits(t, set, hand), realHits(t, set, fitted))
	}
	t.Log("Weights: by hand, fitted")
	for i, name := range builtin.WeightNames() {
		t.Logf("  %-14s %5.2f %5.2f", name, hand[i], fitted[i])
	}
}

// fitData is a graph with questions generated from it.
type fitData struct {
	name        string
	g           *kg.Graph
	train, test []builtin.Generated
	first       []builtin.Contest // under the weights set by hand
}

// contests returns the contests of the training questions under weights. The
// right reading and the others are those that these weights bring up.
func (d *fitData) contests(t *testing.T, w []float64) []builtin.Contest {
	t.Helper()
	weights := builtin.FromVector(w)
	p := planner(d.g, &weights)
	var out []builtin.Contest
	for i := range d.train {
		if c, ok := p.Compete(t.Context(), &d.train[i]); ok {
			out = append(out, c)
		}
	}
	return out
}

// accuracy is the share of the held-out questions whose first reading has the
// right answers, in percent.
func (d *fitData) accuracy(t *testing.T, w []float64) float64 {
	t.Helper()
	weights := builtin.FromVector(w)
	p := planner(d.g, &weights)
	right := 0
	for _, q := range d.test {
		got, err := p.Plan(t.Context(), q.Text)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Readings) == 0 || got.Readings[0].Pattern.Task != q.Pattern.Task {
			continue
		}
		answers := execute(d.g, got.Readings[0].Pattern)
		slices.Sort(answers)
		if slices.Equal(answers, q.Answers) {
			right++
		}
	}
	return 100 * float64(right) / float64(max(1, len(d.test)))
}

// fit minimises the logistic loss of every right reading against every other,
// each question and each graph weighing the same, with a pull to the weights to
// begin with.
func fit(t *testing.T, hand []float64, worlds []fitData) []float64 {
	t.Helper()
	x := make([]float64, len(hand)) // weights as factors of those set by hand
	for i := range x {
		x[i] = 1
	}
	weights := func() []float64 {
		out := slices.Clone(hand)
		for i := range out {
			out[i] *= x[i]
		}
		return out
	}
	var before, after float64
	for round := range fitRounds {
		contests := make([][]builtin.Contest, len(worlds))
		for i := range worlds {
			if round == 0 {
				contests[i] = worlds[i].first
			} else {
				contests[i] = worlds[i].contests(t, weights())
			}
		}
		for step := range fitSteps {
			loss, slope := lossOf(contests, weights(), hand)
			for i := range x {
				d := x[i] - 1
				loss += pull / 1000.0 * 4 * d * d / float64(len(x))
				slope[i] += pull / 1000.0 * 8 * d / float64(len(x))
			}
			if step == 0 && round == 0 {
				before = loss
			}
			after = loss
			rate := 2 / math.Sqrt(1+float64(step)/20)
			for i := range x {
				x[i] = min(mostFactor, max(leastFactor, x[i]-rate*slope[i]))
			}
		}
	}
	var names []string
	for i := range worlds {
		names = append(names, worlds[i].name)
	}
	t.Logf("  fitted on %s: loss %.4f before, %.4f after", strings.Join(names, ", "), before, after)
	return weights()
}

// lossOf returns the mean loss and its slope by the factors.
func lossOf(contests [][]builtin.Contest, w, hand []float64) (float64, []float64) {
	loss, slope := 0.0, make([]float64, len(w))
	for _, cs := range contests {
		for _, c := range cs {
			share := 1 / float64(len(contests)*len(cs)*len(c.Wrong))
			for _, wrong := range c.Wrong {
				last := len(w)
				lead := c.Right[last] - wrong[last]
				for i := range w {
					lead += w[i] * (c.Right[i] - wrong[i])
				}
				const scale = 0.5 // points of the score by which a lead is clear
				loss += share * math.Log1p(math.Exp(-lead/scale))
				pushed := share / scale / (1 + math.Exp(lead/scale))
				for i := range w {
					slope[i] -= pushed * hand[i] * (c.Right[i] - wrong[i])
				}
			}
		}
	}
	return loss, slope
}

// realHits is the Hits@1 of a sample of a published set, in percent.
func realHits(t *testing.T, set dataSet, w []float64) float64 {
	t.Helper()
	weights := builtin.FromVector(w)
	g := readGraph(t, set.graph, set.separator)
	p := planner(g, &weights)
	all := set.questions(t)
	stride := max(1, len(all)/realQuestions)
	c := tally{errors: map[string]int{}, example: map[string]string{}}
	for i := 0; i < len(all); i += stride {
		got, err := p.Plan(t.Context(), all[i].text)
		if err != nil {
			t.Fatal(fmt.Errorf("plan %q: %w", all[i].text, err))
		}
		c.count(g, all[i], got)
	}
	return 100 * float64(c.hit) / float64(max(1, c.n))
}
