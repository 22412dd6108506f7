package gnnrag

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/nn"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/learn"
	"cairn/internal/testing/gradcheck"
	"cairn/internal/testing/retrievetest"
	"cairn/internal/testing/testkg"
)

// flowOf makes a flow over a graph, with an encoder that has seen the questions.
func flowOf(t *testing.T, g *kg.Graph, width, steps int, asked ...questions.Example) (*flow, []*example) {
	t.Helper()
	p := nn.NewParams(3)
	o := Options{Width: width, Layers: steps}
	e, err := newEncoder(t.Context(), p, tokensEncoder, learn.NewVocabulary(slices.Concat(asked, asked), g), retrieve.World{Graph: g}, o)
	if err != nil {
		t.Fatal(err)
	}
	m, ok := newFlow(p, e, g, o).(*flow)
	if !ok {
		t.Fatal("newFlow is no flow")
	}
	var xs []*example
	for _, q := range asked {
		xs = append(xs, read(t, e, q))
	}
	return m, xs
}

func read(t *testing.T, e encoder, q questions.Example) *example {
	t.Helper()
	w, err := e.words(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return &example{words: w, seeds: q.Topics, answers: q.Answers}
}

// ask returns the answers that the flow has, most probable first.
func (m *flow) ask(x *example) []string {
	tape := nn.NewTape(m.weights)
	tape.Begin(false, 0)
	var out []string
	for _, a := range selectAnswers(m.scores(tape, x), selection{}) {
		out = append(out, m.graph.Label(a.Entity))
	}
	return out
}

func TestFlowGradients(t *testing.T) {
	g := films()
	for _, text := range []string{
		"who directed [Alien]",
		"films by [Ridley Scott] with [Russell Crowe]", // two flows
	} {
		m, xs := flowOf(t, g, 4, 2, retrievetest.Asked(t, g, text, "Gladiator", "Michael Mann", "Sigourney Weaver"))
		gradcheck.CheckGradients(t, m.weights, func(tape *nn.Tape) *nn.Tensor { return m.loss(tape, xs[0]) })
	}
}

// filmQuestions are questions of one and two hops, and with two conditions.
func filmQuestions(t *testing.T, g *kg.Graph) []questions.Example {
	t.Helper()
	return []questions.Example{
		retrievetest.Asked(t, g, "who directed [Alien]", "Ridley Scott"),
		retrievetest.Asked(t, g, "who directed [Heat]", "Michael Mann"),
		retrievetest.Asked(t, g, "who acted in [Alien]", "Sigourney Weaver"),
		retrievetest.Asked(t, g, "who acted in [Heat]", "Al Pacino"),
		retrievetest.Asked(t, g, "who acted in films by the director of [Alien]", "Russell Crowe"),
		retrievetest.Asked(t, g, "who acted in films by the director of [The Insider]", "Al Pacino"),
		retrievetest.Asked(t, g, "films by [Ridley Scott] with [Russell Crowe]", "Gladiator"),
		retrievetest.Asked(t, g, "films by [Michael Mann] with [Al Pacino]", "Heat"),
	}
}

func TestFlowLearnsASmallWorld(t *testing.T) {
	g := films()
	qs := filmQuestions(t, g)
	m, xs := flowOf(t, g, 20, 3, qs...)
	start := time.Now()
	loss := train(t, m, xs, 150, 5e-3)
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("training took %v", took)
	}
	t.Logf("loss %.4f after %v", loss, time.Since(start))
	for _, test := range []struct {
		text string
		want []string
	}{
		{"who directed [Gladiator]", []string{"Ridley Scott"}},
		{"who acted in [The Insider]", []string{"Russell Crowe"}},
		{"who acted in films by the director of [Gladiator]", []string{"Sigourney Weaver"}},
		{"films by [Ridley Scott] with [Sigourney Weaver]", []string{"Alien"}},
		{"films by [Michael Mann] with [Russell Crowe]", []string{"The Insider"}},
		{"who was it that directed [Gladiator], pray", []string{"Ridley Scott"}}, // unseen words
	} {
		x := read(t, m.encoder, retrievetest.Asked(t, g, test.text))
		if got := m.ask(x); !slices.Equal(got, test.want) {
			t.Errorf("%q: answers %v, want %v", test.text, got, test.want)
		}
	}
	tape := nn.NewTape(m.weights)
	tape.Begin(false, 0)
	x := read(t, m.encoder, retrievetest.Asked(t, g, "who acted in films by the director of [Alien]"))
	if s := m.explain(tape, x, nil, 4).steps; len(s) != 3 || s[0][:11] != "directed by" || s[1][:22] != "directed by, backwards" {
		t.Errorf("steps = %q, want directed by, directed by backwards, …", s)
	}
	ps := m.explain(tape, x, m.scores(tape, x), 4).paths
	want := []evidence.Candidate{evidence.Path(
		[]kg.EntityID{retrievetest.Entity(t, g, "Alien"), retrievetest.Entity(t, g, "Ridley Scott"), retrievetest.Entity(t, g, "Gladiator"), retrievetest.Entity(t, g, "Russell Crowe")},
		[][]kg.TripleID{{0}, {2}, {3}}, flowSource,
	)}
	if diff := cmp.Diff(want, ps); diff != "" {
		t.Errorf("paths: (-want +got)\n%s", diff)
	}
}

func TestFlowKnowsANewRelationByItsName(t *testing.T) {
	g := films()
	m, xs := flowOf(t, g, 20, 2, filmQuestions(t, g)...)
	train(t, m, xs, 100, 5e-3)
	// The same weights over another graph, which calls its relations otherwise.
	other := testkg.Build("Dune|director|Denis Villeneuve", "Dune|starring|Zendaya")
	p := nn.NewParams(3)
	e, err := newEncoder(t.Context(), p, tokensEncoder, learn.NewVocabulary(slices.Concat(filmQuestions(t, g), filmQuestions(t, g)), g), retrieve.World{Graph: other}, Options{Width: 20})
	if err != nil {
		t.Fatal(err)
	}
	n, ok := newFlow(p, e, other, Options{Width: 20, Layers: 2}).(*flow)
	if !ok {
		t.Fatal("newFlow is no flow")
	}
	for i, w := range p.All() {
		copy(w.Data, m.weights.All()[i].Data)
	}
	if got := n.ask(read(t, e, retrievetest.Asked(t, other, "who directed [Dune]"))); len(got) == 0 || got[0] != "Denis Villeneuve" {
		t.Errorf("answers %v, want Denis Villeneuve first", got)
	}
}

func TestFlowWithoutAnything(t *testing.T) {
	g := testkg.Build("Heat|directed by|Michael Mann", "Alien|starred|Sigourney Weaver")
	var b kg.Builder
	b.Add("Heat", "directed by", "Michael Mann")
	lone := b.Entity("Lone")
	alone := b.Graph()
	for name, test := range map[string]struct {
		g *kg.Graph
		q questions.Example
	}{
		"no text":                 {g, questions.Example{Topics: []kg.EntityID{0}, Answers: []kg.EntityID{1}}},
		"no facts of the topic":   {alone, questions.Example{Text: "who", Topics: []kg.EntityID{lone}, Answers: []kg.EntityID{0}}},
		"no topics":               {g, questions.Example{Text: "who", Answers: []kg.EntityID{0}}},
		"no answers":              {g, questions.Example{Text: "who", Topics: []kg.EntityID{0}}},
		"the topic is the answer": {g, questions.Example{Text: "who", Topics: []kg.EntityID{0}, Answers: []kg.EntityID{0}}},
		"answer out of reach":     {g, retrievetest.Asked(t, g, "who directed [Heat]", "Sigourney Weaver")},
		"two topics apart":        {g, retrievetest.Asked(t, g, "who directed [Heat] and [Alien]", "Sigourney Weaver")},
	} {
		m, xs := flowOf(t, test.g, 4, 3, test.q)
		if loss := train(t, m, xs, 2, 1e-3); loss != loss || loss < -1e-3 {
			t.Errorf("%s: loss %v", name, loss)
		}
		for _, e := range m.ask(xs[0]) {
			if slices.ContainsFunc(test.q.Topics, func(s kg.EntityID) bool { return test.g.Label(s) == e }) {
				t.Errorf("%s: the topic %q is an answer", name, e)
			}
		}
	}
}

func TestFlowThatIsTooLargeIsCut(t *testing.T) {
	var b kg.Builder
	for i := range 100 {
		b.Add(string(rune(0x4e00+i)), "in", "English")
	}
	g := b.Graph()
	m, xs := flowOf(t, g, 4, 1, questions.Example{Text: "in", Topics: []kg.EntityID{retrievetest.Entity(t, g, "English")}, Answers: []kg.EntityID{0}})
	for _, test := range []struct {
		edges int
		cut   bool
		found int
	}{{99, true, 0}, {100, false, 100}} {
		m.edges, m.pool = test.edges, sync.Pool{}
		tape := nn.NewTape(m.weights)
		tape.Begin(false, 0)
		if got := m.explain(tape, xs[0], nil, 1).cut; got != test.cut {
			t.Errorf("%d edges: cut = %v, want %v", test.edges, got, test.cut)
		}
		if got := len(m.scores(tape, xs[0])); got != test.found {
			t.Errorf("%d edges: %d entities are scored, want %d", test.edges, got, test.found)
		}
		tape.Begin(true, 0)
		m.loss(tape, xs[0])
	}
}

// TestCountsWeighWhatIsThere reads a question for two steps, the second of which
// would have to take what was hardly picked, and for one, of which most is there.
func TestCountsWeighWhatIsThere(t *testing.T) {
	step := func(shares ...float32) []flowPick {
		var picks []flowPick
		for _, s := range shares {
			picks = append(picks, flowPick{share: s})
		}
		return picks
	}
	reached := [][]int32{{0}, {1}, {2}}
	for _, test := range []struct {
		name  string
		flow  stream
		count []float32
		want  int
	}{
		{"both are there", stream{picked: [][]flowPick{step(0.9), step(0.6, 0.3)}, reached: reached}, []float32{0.4, 0.6}, 2},
		{"hardly any of the second is there", stream{picked: [][]flowPick{step(0.9), step(0.01)}, reached: reached}, []float32{0.4, 0.6}, 1},
		{"nothing is reached by the second", stream{picked: [][]flowPick{step(0.01), nil}, reached: [][]int32{{0}, {1}, nil}}, []float32{0.01, 0.99}, 1},
	} {
		s := streams{flows: []stream{test.flow}, used: 1}
		r := reading{count: &nn.Tensor{Rows: 2, Cols: 1, Data: test.count}}
		if got, _ := s.counts([]reading{r}); got[0] != test.want {
			t.Errorf("%s: counts = %d, want %d", test.name, got[0], test.want)
		}
	}
}

// TestFlowThatRunsDryHasGradients is about relations that are picked next to never:
// the shares of what they carry are quotients of two tiny numbers.
func TestFlowThatRunsDryHasGradients(t *testing.T) {
	g := films()
	m, xs := flowOf(t, g, 4, 3, retrievetest.Asked(t, g, "films by [Ridley Scott] with [Russell Crowe]", "Gladiator"))
	for _, w := range m.weights.All() {
		for i := range w.Data {
			w.Data[i] *= 8
		}
	}
	tape := nn.NewTape(m.weights)
	for seed := range uint64(20) {
		tape.Begin(true, seed)
		tape.Backward(m.loss(tape, xs[0]), 1)
	}
	for _, w := range m.weights.All() {
		for _, d := range tape.Gradient(w) {
			if d != d || d > 1e6 || d < -1e6 {
				t.Fatalf("a gradient of %s is %v", w.Name, d)
			}
		}
	}
}

func TestRetrieveSaysThatAFlowWasCut(t *testing.T) {
	w, qs := filmWorld(20)
	m, err := Train(t.Context(), w, qs, nil, Options{Epochs: 1, Width: 4, Tries: 1}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := m.on(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	f, ok := r.members[0].net.(*flow)
	if !ok {
		t.Fatalf("the network is a %T, want a flow", r.members[0].net)
	}
	for _, test := range []struct {
		edges int
		want  evidence.Completeness
	}{{edgesAtMost, evidence.Exhaustive}, {0, evidence.CutByBudget}} {
		f.edges, f.pool = test.edges, sync.Pool{}
		res, err := r.rank(t.Context(), qs[0], retrieve.Limits{})
		if err != nil || res.Completeness != test.want {
			t.Errorf("%d edges: Retrieve is %v, %v, want %v", test.edges, res.Completeness, err, test.want)
		}
	}
}
