package builtin_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/plan/builtin"
	"cairn/engine/questions"
	"cairn/internal/testing/testkg"
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
	// leastFactor and mostFactor bound the weights, in those set by hand.
	leastFactor, mostFactor = 0.4, 2.5
	// fitSteps is how many steps a fit takes down the slope.
	fitSteps = 400
)

// pulls are how strongly weights are held to those set by hand: the loss where
// all are half or half as much again, in questions of 1000.
var pulls = []float64{10, 100, 1000}

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
			train: questions.NewMaker(p).Teach(t.Context(), fitQuestions, fitSeed),
			test:  questions.NewMaker(p).Teach(t.Context(), heldOutQuestions, heldOutSeed),
		}
		worlds[i].contests = worlds[i].compete(t, p)
	}
	t.Logf("Generated questions, right answers of 100: hand weights; fitted on the other graphs, with pulls of %v", pulls)
	for i := range worlds {
		row := fmt.Sprintf("%6.2f", worlds[i].accuracy(t, hand))
		for _, pull := range pulls {
			others := slices.Delete(slices.Clone(worlds), i, i+1)
			row += fmt.Sprintf(" %6.2f", worlds[i].accuracy(t, fit(hand, others, pull)))
		}
		t.Logf("  %-22s %s  of %d", worlds[i].name, row, len(worlds[i].test))
	}
	fitted := [][]float64{hand}
	for _, pull := range pulls {
		fitted = append(fitted, fit(hand, worlds, pull))
	}
	t.Logf("Published questions, Hits@1 of 100: hand weights; fitted on all graphs, with pulls of %v", pulls)
	for _, set := range dataSets {
		t.Logf("  %-22s %s", set.name, realHits(t, set, fitted))
	}
	t.Log("Weights, in the same order")
	for i, name := range builtin.WeightNames() {
		row := ""
		for _, w := range fitted {
			row += fmt.Sprintf(" %6.2f", w[i])
		}
		t.Logf("  %-22s%s", name, row)
	}
}

// fitData is a graph with questions generated from it.
type fitData struct {
	name        string
	g           *kg.Graph
	train, test []questions.Generated
	contests    []builtin.Contest
}

// compete returns the contests of the training questions.
func (d *fitData) compete(t *testing.T, p *builtin.Planner) []builtin.Contest {
	t.Helper()
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
		got, err := p.Plan(t.Context(), q.Text, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Readings) == 0 || got.Readings[0].Pattern.Task != q.Pattern.Task {
			continue
		}
		answers := testkg.Execute(d.g, got.Readings[0].Pattern)
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
func fit(hand []float64, worlds []fitData, pull float64) []float64 {
	x := make([]float64, len(hand)) // weights as factors of those set by hand
	for i := range x {
		x[i] = 1
	}
	w := slices.Clone(hand)
	for step := range fitSteps {
		slope := slopeOf(worlds, w, hand)
		rate := 2 / math.Sqrt(1+float64(step)/20)
		for i := range x {
			slope[i] += pull / 1000 * 8 * (x[i] - 1) / float64(len(x))
			x[i] = min(mostFactor, max(leastFactor, x[i]-rate*slope[i]))
			w[i] = hand[i] * x[i]
		}
	}
	return w
}

// slopeOf returns the slope of the mean loss by the factors.
func slopeOf(worlds []fitData, w, hand []float64) []float64 {
	slope := make([]float64, len(w))
	for i := range worlds {
		for _, c := range worlds[i].contests {
			share := 1 / float64(len(worlds)*len(worlds[i].contests)*len(c.Wrong))
			for _, wrong := range c.Wrong {
				last := len(w)
				lead := c.Right[last] - wrong[last]
				for i := range w {
					lead += w[i] * (c.Right[i] - wrong[i])
				}
				const scale = 0.5 // points of the score by which a lead is clear
				pushed := share / scale / (1 + math.Exp(lead/scale))
				for i := range w {
					slope[i] -= pushed * hand[i] * (c.Right[i] - wrong[i])
				}
			}
		}
	}
	return slope
}

// realHits is the Hits@1 of a sample of a published set, in percent, under each
// of the weights.
func realHits(t *testing.T, set dataSet, fitted [][]float64) string {
	t.Helper()
	g := readGraph(t, set.graph, set.separator)
	all := set.questions(t)
	stride := max(1, len(all)/realQuestions)
	row := ""
	for _, w := range fitted {
		weights := builtin.FromVector(w)
		p := planner(g, &weights)
		c := tally{errors: map[string]int{}, example: map[string]string{}}
		for i := 0; i < len(all); i += stride {
			got, err := p.Plan(t.Context(), all[i].text, nil)
			if err != nil {
				t.Fatal(fmt.Errorf("plan %q: %w", all[i].text, err))
			}
			c.count(g, all[i], got)
		}
		row += fmt.Sprintf(" %6.2f", 100*float64(c.hit)/float64(max(1, c.n)))
	}
	return row
}
