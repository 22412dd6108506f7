package gnnrag

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/nn"
	"cairn/engine/questions"
	"cairn/internal/testing/testkg"
)

// tableEncoder gives every word and every relation a vector of its own.
type tableEncoder struct {
	table            *nn.Param
	forward, inverse *nn.Param
}

func newTableEncoder(p *nn.Params, words, relations, d int) *tableEncoder {
	return &tableEncoder{
		table:   p.Table("words", words, d, 0.5),
		forward: p.Normal("forward", relations, d, 0.5), inverse: p.Normal("inverse", relations, d, 0.5),
	}
}

func (e *tableEncoder) words(context.Context, questions.Example) (*words, error) { panic("not needed") }

func (e *tableEncoder) question(t *nn.Tape, w *words) (states, whole *nn.Tensor) {
	mean := make([]nn.Term, w.n)
	for i := range mean {
		mean[i] = nn.Term{From: int32(i), Weight: 1 / float32(w.n)}
	}
	states = t.Combine(t.Param(e.table), w.n, w.terms)
	return states, t.Combine(states, 1, mean)
}

func (e *tableEncoder) relations(t *nn.Tape, ids []kg.RelationID) (forward, inverse *nn.Tensor) {
	terms := make([]nn.Term, len(ids))
	for i, r := range ids {
		terms[i] = nn.Term{To: int32(i), From: int32(r), Weight: 1}
	}
	return t.Combine(t.Param(e.forward), len(ids), terms), t.Combine(t.Param(e.inverse), len(ids), terms)
}

// around is the region of seeds that is the whole graph.
func around(g *kg.Graph, seeds ...kg.EntityID) *Region {
	r := &Region{Entities: slices.Clone(seeds), Seeds: len(seeds)}
	for e := range g.Entities() {
		if !slices.Contains(seeds, kg.EntityID(e)) {
			r.Entities = append(r.Entities, kg.EntityID(e))
		}
	}
	for i := range g.Triples() {
		x := g.Triple(kg.TripleID(i))
		r.Facts = append(r.Facts, Fact{
			Head: int32(slices.Index(r.Entities, x.Head)), Tail: int32(slices.Index(r.Entities, x.Tail)),
			Relation: x.Relation, Triple: kg.TripleID(i),
		})
	}
	return r
}

// world is a graph of five relations with all its questions of two hops: "the
// sisters of X's boss", say, where the first hop is walked forwards and the second
// backwards.
type world struct {
	g         *kg.Graph
	questions []*example
}

const worldWords = 10 // five relations for the first hop, and five for the second

func newWorld() world {
	const entities, facts, relations = 40, 180, 5
	rng := rand.New(rand.NewPCG(4, 4))
	var lines []string
	for range facts {
		lines = append(lines, fmt.Sprintf("e%d|r%d|e%d", rng.IntN(entities), rng.IntN(relations), rng.IntN(entities)))
	}
	w := world{g: testkg.Build(lines...)}
	for e := range w.g.Entities() {
		for a := range relations {
			for b := range relations {
				if x := w.ask(kg.EntityID(e), kg.RelationID(a), kg.RelationID(b)); len(x.gold) > 0 {
					w.questions = append(w.questions, x)
				}
			}
		}
	}
	rng.Shuffle(len(w.questions), func(i, j int) {
		w.questions[i], w.questions[j] = w.questions[j], w.questions[i]
	})
	return w
}

// ask is the question for what leads through b to what e leads to through a.
func (w world) ask(e kg.EntityID, a, b kg.RelationID) *example {
	x := &example{seeds: []kg.EntityID{e}, region: around(w.g, e)}
	for _, first := range w.g.OutBy(e, a) {
		for _, second := range w.g.InBy(first.Entity, b) {
			i := int32(slices.Index(x.region.Entities, second.Entity))
			if second.Entity != e && !slices.Contains(x.gold, i) {
				x.gold = append(x.gold, i)
				x.answers = append(x.answers, second.Entity)
			}
		}
	}
	slices.Sort(x.gold)
	slices.Sort(x.answers)
	x.words = &words{n: 2, terms: []nn.Term{{To: 0, From: int32(a), Weight: 1}, {To: 1, From: int32(b) + 5, Weight: 1}}}
	return x
}

// train trains a network on the questions and returns the last mean loss.
func train(t *testing.T, net network, xs []*example, epochs int, rate float64) float64 {
	t.Helper()
	const batch = 8
	adam := &nn.Adam{Rate: rate, Clip: 1}
	trainer := nn.NewTrainer(net.params(), adam)
	var loss float64
	for epoch := range epochs {
		loss = 0
		for at := 0; at < len(xs); at += batch {
			adam.Rate = rate * (1 - 0.9*float64(epoch)/float64(epochs))
			step := xs[at:min(at+batch, len(xs))]
			l, err := trainer.Step(len(step), uint64(epoch*len(xs)+at), func(tape *nn.Tape, i int) *nn.Tensor {
				return net.loss(tape, step[i])
			})
			if err != nil {
				t.Fatal(err)
			}
			loss += l * float64(len(step)) / float64(len(xs))
		}
	}
	return loss
}

// firstRight is the share of questions whose most probable entity is an answer.
func firstRight(net network, xs []*example) float64 {
	tape := nn.NewTape(net.params())
	right := 0
	for _, x := range xs {
		tape.Begin(false, 0)
		best := slices.MaxFunc(net.scores(tape, x), func(a, b scored) int {
			if a.Probability < b.Probability {
				return -1
			}
			return 1
		})
		if slices.Contains(x.answers, best.Entity) {
			right++
		}
	}
	return float64(right) / float64(len(xs))
}

var makeReaRev = made(newReaRev)

func made(build func(*nn.Params, encoder, Options) network) func(seed uint64, o Options) network {
	return func(seed uint64, o Options) network {
		p := nn.NewParams(seed)
		return build(p, newTableEncoder(p, worldWords, 5, o.Width), o)
	}
}

var small = Options{Width: 20, Instructions: 2, Layers: 2, Stages: 1}

func TestReaRevLearnsTwoHopQuestions(t *testing.T) {
	w := newWorld()
	cut := len(w.questions) / 4
	for _, stages := range []int{1, 2} {
		for seed := range uint64(3) {
			o := small
			o.Stages = stages
			net := makeReaRev(seed, o)
			loss := train(t, net, w.questions[cut:], 15, 0.005)
			got := firstRight(net, w.questions[:cut])
			t.Logf("%d stages, seed %d: loss %.3f, first answer right %.3f of %d", stages, seed, loss, got, cut)
			if got < 0.9 {
				t.Errorf("first answer right = %.3f with %d stages and seed %d, want 0.9 at least", got, stages, seed)
			}
		}
	}
}

func TestReaRevSameSeedSameWeights(t *testing.T) {
	w := newWorld()
	a, b := makeReaRev(7, small), makeReaRev(7, small)
	train(t, a, w.questions[:40], 2, 0.005)
	train(t, b, w.questions[:40], 2, 0.005)
	for i, x := range a.params().All() {
		if y := b.params().All()[i]; !slices.Equal(x.Data, y.Data) {
			t.Errorf("weights %s differ between two trainings with the same seed", x.Name)
		}
	}
}

// checkGradients compares the gradients of a loss with finite differences in
// float32, at the numbers with the largest gradient of each weight.
func checkGradients(t *testing.T, net network, x *example) {
	t.Helper()
	const step, floor = 2e-3, 5e-3
	tape := nn.NewTape(net.params())
	value := func() float64 {
		tape.Begin(false, 0)
		return float64(net.loss(tape, x).Data[0])
	}
	tape.Begin(true, 0)
	tape.Backward(net.loss(tape, x), 1)
	wrong, checked := 0, 0
	for _, w := range net.params().All() {
		grad := slices.Clone(tape.Param(w).Grad)
		at := make([]int, len(grad))
		for i := range at {
			at[i] = i
		}
		slices.SortStableFunc(at, func(i, j int) int {
			return int(math.Copysign(1, math.Abs(float64(grad[j]))-math.Abs(float64(grad[i]))))
		})
		for _, i := range at[:min(4, len(at))] {
			was := w.Data[i]
			w.Data[i] = was + step
			up := value()
			w.Data[i] = was - step
			down := value()
			w.Data[i] = was
			got, want := float64(grad[i]), (up-down)/(2*step)
			checked++
			if math.Abs(got-want) > floor+0.05*math.Abs(want) {
				wrong++
				t.Logf("%s[%d]: gradient %.5f, finite difference %.5f", w.Name, i, got, want)
			}
		}
	}
	// A ReLU has a kink, and float32 has noise: a few may differ.
	if wrong > checked/20 {
		t.Errorf("%d of %d gradients are not those of finite differences", wrong, checked)
	}
}

func TestGradients(t *testing.T) {
	w := newWorld()
	for seed := range uint64(3) {
		o := small
		o.Stages = 2
		net := makeReaRev(seed, o)
		undropped(t, net)
		train(t, net, w.questions[:40], 1, 0.002)
		checkGradients(t, net, w.questions[50])
	}
}

// undropped takes out of a network what finite differences do not see: the dropout,
// and the divisor of p, which counts as a constant.
func undropped(t *testing.T, net network) {
	t.Helper()
	w, ok := net.(*reaRev)
	if !ok {
		t.Fatalf("%T is not known here", net)
	}
	w.form.dropout, w.form.spread = 0, false
}

func TestScoresOfOddRegions(t *testing.T) {
	g := testkg.Build("a|r0|b", "b|r1|c", "c|r2|c", "d|r3|e", "e|r4|a")
	seed := testkg.Find(g, "a")
	loop := testkg.Find(g, "c")
	apart := kg.EntityID(3)
	cases := map[string]*Region{
		"only the seed":   {Entities: []kg.EntityID{seed}, Seeds: 1},
		"only seeds":      {Entities: []kg.EntityID{seed, loop}, Seeds: 2},
		"without facts":   {Entities: []kg.EntityID{seed, apart, loop}, Seeds: 1},
		"with loops":      around(g, loop),
		"of several":      around(g, seed, loop),
		"facts of a seed": {Entities: []kg.EntityID{seed, 1}, Seeds: 1, Facts: []Fact{{Head: 0, Tail: 1}, {Head: 0, Tail: 1, Relation: 4}}},
	}
	for name, region := range cases {
		t.Run(name, func(t *testing.T) {
			net := makeReaRev(1, Options{Width: 12, Instructions: 3, Layers: 3, Stages: 2})
			tape := nn.NewTape(net.params())
			tape.Begin(false, 0)
			x := &example{region: region, words: &words{n: 1, terms: []nn.Term{{Weight: 1}}}}
			var sum float64
			seen := map[kg.EntityID]bool{}
			for _, s := range net.scores(tape, x) {
				if slices.Contains(region.Entities[:region.Seeds], s.Entity) || seen[s.Entity] {
					t.Errorf("entity %d is a seed or there twice", s.Entity)
				}
				if !(s.Probability >= 0 && s.Probability <= 1) {
					t.Errorf("probability of %d = %v, want one in [0, 1]", s.Entity, s.Probability)
				}
				seen[s.Entity] = true
				sum += s.Probability
			}
			if want := len(region.Entities) - region.Seeds; len(seen) != want {
				t.Errorf("%d entities have scores, want %d", len(seen), want)
			}
			if len(seen) > 0 && math.Abs(sum-1) > 1e-4 {
				t.Errorf("probabilities add up to %v, want 1", sum)
			}
		})
	}
}

func TestScoresStayNumbersWithHugeWeights(t *testing.T) {
	w := newWorld()
	net := makeReaRev(1, small)
	for _, p := range net.params().All() {
		for i := range p.Data {
			p.Data[i] *= 100
		}
	}
	tape := nn.NewTape(net.params())
	tape.Begin(false, 0)
	for _, s := range net.scores(tape, w.questions[0]) {
		if math.IsNaN(s.Probability) {
			t.Errorf("probability of %d is no number", s.Entity)
		}
	}
}

func TestRoutes(t *testing.T) {
	g := testkg.Build("a|r0|b", "a|r0|c", "c|r1|a", "b|r0|c")
	r := around(g, testkg.Find(g, "a"))
	w := r.routes()
	want := []nn.Message{
		{From: 0, To: 1, Vector: 0},
		{From: 1, To: 0, Vector: 3},
		{From: 0, To: 2, Vector: 0},
		{From: 2, To: 0, Vector: 3},
		{From: 2, To: 0, Vector: 1},
		{From: 0, To: 2, Vector: 4},
		{From: 1, To: 2, Vector: 0},
		{From: 2, To: 1, Vector: 3},
		{From: 0, To: 0, Vector: 2},
		{From: 1, To: 1, Vector: 2},
		{From: 2, To: 2, Vector: 2},
	}
	if !slices.Equal(w.messages, want) {
		t.Errorf("messages = %v, want %v", w.messages, want)
	}
	incident := []nn.Term{
		{To: 0, From: 1, Weight: 1},
		{To: 0, From: 3, Weight: 2},
		{To: 1, From: 0, Weight: 1},
		{To: 1, From: 3, Weight: 1},
		{To: 2, From: 0, Weight: 2},
		{To: 2, From: 4, Weight: 1},
	}
	if !slices.Equal(w.incident, incident) {
		t.Errorf("incident = %v, want %v", w.incident, incident)
	}
}

func TestBeyond(t *testing.T) {
	g := testkg.Build("a|r0|b", "c|r1|b", "c|r0|d", "e|r0|e")
	r := around(g, testkg.Find(g, "a")) // local ids 0 a, 1 b, 2 c, 3 d, 4 e
	want := [][]int32{{0, 2, 3, 4}, {0, 3, 4}, {0, 4}}
	if got := r.routes().beyond; !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("beyond = %v, want %v", got, want)
	}
	alone := &Region{Entities: []kg.EntityID{0, 1}, Seeds: 1}
	if got := alone.routes().beyond; !slices.EqualFunc(got, [][]int32{{0, 1}}, slices.Equal) {
		t.Errorf("beyond without facts = %v, want [[0 1]]", got)
	}
}

// BenchmarkReaRev answers, and learns from, a question over a region of the size
// that MetaQA's have: 500 entities and 750 facts of 9 relations.
func BenchmarkReaRev(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	region := &Region{Seeds: 1}
	for e := range 500 {
		region.Entities = append(region.Entities, kg.EntityID(e))
	}
	for range 750 {
		region.Facts = append(region.Facts, Fact{
			Head: int32(rng.IntN(500)), Tail: int32(rng.IntN(500)), Relation: kg.RelationID(rng.IntN(9)),
		})
	}
	x := &example{region: region, gold: []int32{7}, words: &words{n: 12}}
	for i := range x.words.n {
		x.words.terms = append(x.words.terms, nn.Term{To: int32(i), From: int32(rng.IntN(worldWords)), Weight: 1})
	}
	o := Options{Width: 50, Instructions: 3, Layers: 3, Stages: 1}
	p := nn.NewParams(1)
	net := newReaRev(p, newTableEncoder(p, worldWords, 9, o.Width), o)
	tape := nn.NewTape(p)
	b.Run("answer", func(b *testing.B) {
		for b.Loop() {
			tape.Begin(false, 0)
			net.scores(tape, x)
		}
	})
	b.Run("learn", func(b *testing.B) {
		for b.Loop() {
			tape.Begin(true, 1)
			tape.Backward(net.loss(tape, x), 1)
		}
	})
}
