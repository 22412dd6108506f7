package builtin

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/testing/testkg"
)

// bestByTrial tries every way to assign the cues to hops.
func bestByTrial(sc *scorer, x int) float64 {
	if x == len(sc.cues) {
		return sc.judge().score
	}
	h := &sc.assignment
	best := math.Inf(-1)
	for to := -1; to < len(sc.hops); to++ {
		if to >= 0 && h.fit[x][to] == 0 {
			continue
		}
		was := *h
		h.give(x, to)
		best = max(best, bestByTrial(sc, x+1))
		*h = was
	}
	return best
}

func TestAssignmentIsTheBest(t *testing.T) {
	weights := DefaultWeights()
	s, err := schema.Read(t.Context(), testkg.SaidTwice())
	if err != nil {
		t.Fatal(err)
	}
	v := words.New(s, lexicon.Builtin(), words.Own{}, nil)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		q := &question{Question: v.Read(make([]words.Word, 9), nil), p: &Planner{Vocabulary: v, weights: weights, schema: s}, memo: newMemo(), asked: -1, anchor: -1}
		q.Mentions = []words.Span{{From: 4, To: 5}, {From: 8, To: 9}}
		steps := []schema.Step{0, 1, 2, 3}
		shape := &shape{}
		for m := range 1 + rng.IntN(2) {
			l := leg{mention: m}
			for range 1 + rng.IntN(3) {
				l.steps = append(l.steps, steps[rng.IntN(len(steps))])
			}
			shape.legs = append(shape.legs, l)
		}
		for c := range 4 {
			q.Cues = append(q.Cues, c)
			q.Words[c].Weight = map[schema.Step]float64{}
			for _, st := range steps {
				if rng.IntN(2) == 0 {
					q.Words[c].Weight[st] = float64(1+rng.IntN(10)) / 8
				}
			}
		}
		sc := scorer{q: q, w: &weights, shape: shape, hops: shape.hops(), last: shape.lastSteps()}
		for i := range sc.hops {
			sc.hops[i].half = i+1 < len(sc.hops) && sc.hops[i+1].leg == sc.hops[i].leg && rng.IntN(4) == 0
		}
		sc.findNodes()
		sc.findRepeats()
		sc.length = []int{2, 2}
		sc.rankCues()
		sc.assign()
		got := sc.best.score
		sc.prepareAssignment()
		sc.assignment.weight, sc.assignment.words, sc.assignment.paid = [maxHopsAll]float64{}, [maxHopsAll]int{}, 0
		if want := bestByTrial(&sc, 0); math.Abs(got-want) > scoreNoise {
			t.Fatalf("best way is worth %v, want %v: %+v", got, want, shape)
		}
	}
}

// denseGraph joins a few hundred entities by many relations.
func denseGraph() *kg.Graph {
	var b kg.Builder
	rng := rand.New(rand.NewPCG(3, 4))
	for range 60_000 {
		b.Add(fmt.Sprintf("Thing %d", rng.IntN(300)), fmt.Sprintf("has part %d", rng.IntN(120)), fmt.Sprintf("Thing %d", rng.IntN(300)))
	}
	return b.Graph()
}

// TestDenseGraph asks for a dozen hubs at once: the plan is made within a bound
// and is given up at once when it is cancelled.
func TestDenseGraph(t *testing.T) {
	g, lex := denseGraph(), lexicon.Builtin()
	p := New(g, link.NewLinker(g, nil, lex), lex, Options{})
	text := "Which part has parts 1 2 3 and parts of Thing 1, Thing 2, Thing 3, Thing 4, Thing 5, Thing 6, Thing 7, Thing 8, Thing 9 and Thing 10?"
	start := time.Now()
	if _, err := p.Plan(t.Context(), text, nil); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("Plan took %v", took)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	start = time.Now()
	if _, err := p.Plan(ctx, text, nil); err == nil {
		t.Error("Plan with a cancelled context succeeded")
	}
	if took := time.Since(start); took > time.Second {
		t.Errorf("Plan took %v to be cancelled", took)
	}
}
