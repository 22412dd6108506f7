package gnnrag

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/nn"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/internal/testing/gradcheck"
	"cairn/internal/testing/retrievetest"
)

// manyRelations is films with so many relations that a question is not read with all.
func manyRelations() *kg.Graph {
	var b kg.Builder
	b.Add("Alien", "directed by", "Ridley Scott")
	b.Add("Gladiator", "directed by", "Ridley Scott")
	b.Add("Gladiator", "starred actors", "Russell Crowe")
	b.Add("Russell Crowe", "was born in the town", "Wellington")
	for i := range 4 * drawnFar {
		b.Add("Heat", fmt.Sprintf("relation number %d of the film", i), "Al Pacino")
	}
	return b.Graph()
}

func TestNearAreTheRelationsWithinSoManySteps(t *testing.T) {
	g := manyRelations()
	m, xs := flowOf(t, g, 4, 3, retrievetest.Asked(t, g, "who directed [Alien]", "Ridley Scott"))
	s := m.streams()
	for steps, want := range []int{0, 1, 1, 2, 3, 3} {
		if got := len(s.near(xs[0].seeds, steps)); got != want {
			t.Errorf("%d relations are near in %d steps, want %d", got, steps, want)
		}
		if len(s.entities) > 0 || s.seen > 0 {
			t.Errorf("near leaves %d entities and %d edges behind", len(s.entities), s.seen)
		}
	}
}

// TestSharesMeanTheSameInTraining compares what shares are divided by. It is the right
// one in the mean, so that one over the share of a relation is too, whichever other
// relations are drawn.
func TestSharesMeanTheSameInTraining(t *testing.T) {
	g := manyRelations()
	m, xs := flowOf(t, g, 4, 2, retrievetest.Asked(t, g, "who directed [Alien]", "Ridley Scott"))
	tape, s := nn.NewTape(m.weights), m.streams()
	asks := func() *nn.Tensor {
		a := tape.New(1, 4)
		copy(a.Data, []float32{0.5, -1, 1, 0.25})
		return a
	}
	tape.Begin(false, 0)
	all := m.toAsk(tape)
	want := 1 / float64(all.pick(tape, asks()).Data[all.rows[0]])

	var sum, read float64
	const times = 400
	for seed := range uint64(times) {
		tape.Begin(true, seed)
		c := m.toLearn(tape, xs[0], s)
		sum += 1 / float64(c.pick(tape, asks()).Data[c.rows[0]])
		read += float64(c.vectors.Rows / 2)
	}
	if got := sum / times; math.Abs(got-want) > 0.02*want {
		t.Errorf("shares are divided by %.1f in the mean of training, and by %.1f in asking", got, want)
	}
	if got := read / times; got < drawnFar || got > drawnFar+4 {
		t.Errorf("a question is read with %.1f relations in the mean, want 1 and %d that are drawn", got, drawnFar)
	}
}

func TestFlowOfManyRelationsLearns(t *testing.T) {
	g := manyRelations()
	asked := retrievetest.Asked(t, g, "who acted in films by the director of [Alien]", "Russell Crowe")
	m, xs := flowOf(t, g, 4, 3, asked)
	gradcheck.CheckGradients(t, m.weights, func(tape *nn.Tape) *nn.Tensor { return m.loss(tape, xs[0]) })

	m, xs = flowOf(t, g, 20, 3, asked)
	if got := m.ask(xs[0]); slices.Equal(got, []string{"Russell Crowe"}) {
		t.Fatalf("untrained it answers %v", got)
	}
	train(t, m, xs, 60, 5e-3)
	if got := m.ask(xs[0]); !slices.Equal(got, []string{"Russell Crowe"}) {
		t.Errorf("answers %v, want Russell Crowe: what was asked for before the training may have been kept", got)
	}
}

func TestKeptVectorsFollowTheWeights(t *testing.T) {
	g := films()
	m, _ := flowOf(t, g, 4, 2)
	tape := nn.NewTape(m.weights)
	tape.Begin(false, 0)
	before := m.toAsk(tape).vectors
	if again := m.toAsk(tape).vectors; &again.Data[0] != &before.Data[0] {
		t.Error("the vectors are made again while the weights stay the same")
	}
	other, _ := flowOf(t, g, 4, 2)
	for _, w := range other.weights.All() {
		for i := range w.Data {
			w.Data[i] *= 2
		}
	}
	if err := m.weights.SetWeights(other.weights.Weights()); err != nil {
		t.Fatal(err)
	}
	if after := m.toAsk(tape).vectors; slices.Equal(after.Data, before.Data) {
		t.Error("the vectors are kept though the weights have changed")
	}
}

func TestRankedIsSorted(t *testing.T) {
	for name, picks := range map[string][]float32{
		"nothing": nil, "zeros": {0, 0}, "ties": {0.2, 0.4, 0.2, 0.2},
		"sizes": {1e-30, 0.5, 0, 1e-3, 0.4, 1e-45, 1e-5, 1e-30, 2e-5, 0.0999},
	} {
		var want, got []int32
		for i, p := range picks {
			if p > 0 {
				want = append(want, int32(i))
			}
		}
		slices.SortStableFunc(want, func(a, b int32) int { return cmp.Compare(picks[b], picks[a]) })
		c := carrier{s: &streams{}, picks: picks}
		for i := range c.ranked() {
			got = append(got, i)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: ranked = %v, want %v", name, got, want)
		}
	}
}

// TestNamesByTheirWords compares the two ways to add up the names of relations.
func TestNamesByTheirWords(t *testing.T) {
	g := manyRelations()
	e, tape := namesOnly(t, g)
	_, all := e.relations(tape, nil)
	for _, r := range []kg.RelationID{0, 2, 77} {
		_, one := e.relations(tape, []kg.RelationID{r})
		for i, want := range one.Row(0) {
			if got := all.Row(int(r))[i]; math.Abs(float64(got-want)) > 1e-5 {
				t.Errorf("number %d of %q is %v among all and %v by itself", i, g.RelationText(r), got, want)
			}
		}
	}
}

// TestDrawnRelationsAreThoseOfTheSeed trains on one core and on several, and with a
// pause in between: which relations are drawn depends on the seed alone.
func TestDrawnRelationsAreThoseOfTheSeed(t *testing.T) {
	g := manyRelations()
	w := retrieve.World{Graph: g}
	qs := slices.Repeat([]questions.Example{
		retrievetest.Asked(t, g, "who directed [Alien]", "Ridley Scott"),
		retrievetest.Asked(t, g, "who acted in films by the director of [Alien]", "Russell Crowe"),
	}, 8)
	o := Options{Epochs: 2, Width: 10, Tries: 1}
	want := weightsOf(t.Context(), t, w, qs, nil, o, nil, nil)

	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(5))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var state []byte
	weightsOf(ctx, t, w, qs, nil, o, nil, &retrieve.TrainingEvents{
		Epoch:      func(retrieve.Epoch) { cancel() },
		Checkpoint: func(s []byte) error { state = slices.Clone(s); return nil },
	})
	if state == nil {
		t.Fatal("there is no state after an epoch")
	}
	if got := weightsOf(t.Context(), t, w, qs, nil, o, state, nil); !slices.EqualFunc(got, want, bytes.Equal) {
		t.Error("the weights are not those of a training in one go on other cores")
	}
	o.Seed++
	if got := weightsOf(t.Context(), t, w, qs, nil, o, nil, nil); slices.EqualFunc(got, want, bytes.Equal) {
		t.Error("the weights of two seeds are the same")
	}
}
