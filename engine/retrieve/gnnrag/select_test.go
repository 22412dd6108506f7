package gnnrag

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cairn/engine/evidence"
	"cairn/engine/kg"
)

func scoredAs(ps ...float64) []scored {
	var out []scored
	for i, p := range ps {
		out = append(out, scored{Entity: kg.EntityID(i), Probability: p})
	}
	return out
}

func even(n int) []float64 {
	ps := make([]float64, n)
	for i := range ps {
		ps[i] = 1 / float64(n)
	}
	return ps
}

func TestSelectAnswers(t *testing.T) {
	for _, tt := range []struct {
		name string
		ps   []float64
		o    selection
		want []kg.EntityID
	}{
		{"nothing", nil, selection{mass: 0.95}, nil},
		{"the one that passes the mass is in", []float64{0.6, 0.3, 0.08, 0.02}, selection{mass: 0.95}, []kg.EntityID{0, 1, 2}},
		{"the mass is to be passed, not met", []float64{0.5, 0.25, 0.25}, selection{mass: 0.75}, []kg.EntityID{0, 1, 2}},
		{"sorted, ties by id", []float64{0.1, 0.4, 0.1, 0.4}, selection{}, []kg.EntityID{1, 3, 0, 2}},
		{"seeds hold the rest of the mass", []float64{0.3, 0.2}, selection{mass: 0.95}, []kg.EntityID{0, 1}},
		{"below the floor of 0.05/10", []float64{0.3, 0.2, 0.0049, 0.0051}, selection{mass: 0.95, nodes: 10}, []kg.EntityID{0, 1, 3}},
		{"never none", []float64{0.001}, selection{mass: 0.95, relative: 0.3}, []kg.EntityID{0}},
		{"probability 0 is no answer", []float64{0.5, 0}, selection{}, []kg.EntityID{0}},
		{"relative cut", []float64{0.5, 0.16, 0.15, 0.14}, selection{relative: 0.3}, []kg.EntityID{0, 1, 2}},
		{"both cuts", []float64{0.5, 0.3, 0.16, 0.04}, selection{mass: 0.75, relative: 0.3}, []kg.EntityID{0, 1}},
		{"as probable as the last", []float64{0.5, 0.3, 0.16, 0.04}, selection{mass: 0.75, even: 0.5}, []kg.EntityID{0, 1, 2}},
		{"at most two", []float64{0.25, 0.25, 0.25, 0.25}, selection{limit: 2}, []kg.EntityID{0, 1}},
	} {
		var got []kg.EntityID
		for _, s := range selectAnswers(scoredAs(tt.ps...), tt.o) {
			got = append(got, s.Entity)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: selectAnswers(%v, %+v) = %v, want %v", tt.name, tt.ps, tt.o, got, tt.want)
		}
	}
}

// TestTheMassRuleDropsEvenAnswers shows the trap, and the way out of it.
func TestTheMassRuleDropsEvenAnswers(t *testing.T) {
	scores := scoredAs(even(200)...)
	if got := len(selectAnswers(scores, selection{mass: 0.95})); got < 190 || got > 191 {
		t.Errorf("the mass rule takes %d of 200 equally probable answers, want 190 or 191", got)
	}
	if got := len(selectAnswers(scores, selection{mass: 0.95, even: 0.5})); got != 200 {
		t.Errorf("with those that are as probable it takes %d of 200, want all", got)
	}
}

func TestSelectAnswersLeavesItsInputAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	scores := scoredAs(r.Float64(), r.Float64(), r.Float64(), r.Float64())
	before := slices.Clone(scores)
	selectAnswers(scores, selection{mass: 0.5})
	if !slices.Equal(scores, before) {
		t.Errorf("the scores are %v after selectAnswers, want %v", scores, before)
	}
}

// Among many relations each has little probability to begin with.
func TestDoubt(t *testing.T) {
	for _, tt := range []struct {
		probability float64
		relations   int
		shown       bool
		note        string
	}{
		{0.9, 10, true, ""},
		{0.2, 10, true, "Low confidence"},
		{0.0005, 10, false, "The answers are too unlikely"},
		{0.0005, 1000, true, "Low confidence"},
		{0.00001, 1000, false, "The answers are too unlikely"},
	} {
		f := evidence.Found{Answers: shown([]scored{{Entity: 1, Probability: tt.probability}})}
		doubt(&f, tt.relations)
		if got := len(f.Answers) > 0; got != tt.shown || !strings.HasPrefix(strings.Join(f.Notes, " "), tt.note) || (tt.note == "") != (len(f.Notes) == 0) {
			t.Errorf("doubt(%v of %d relations): shown %v, %q; want %v, %q", tt.probability, tt.relations, got, f.Notes, tt.shown, tt.note)
		}
	}
}
