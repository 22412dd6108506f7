package gnnrag

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"cairn/engine/embed"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/nn"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/learn"
)

// filmWorld is a graph of films with directors, years and actors, and questions of
// one and two hops about it.
func filmWorld(films int) (retrieve.World, []questions.Example) {
	rng := rand.New(rand.NewPCG(1, 1))
	b := &kg.Builder{}
	for i := range films {
		film := fmt.Sprintf("film %d", i)
		b.Add(film, "directed_by", fmt.Sprintf("director %d", rng.IntN(films/3+1)))
		b.Add(film, "release_year", fmt.Sprintf("year %d", rng.IntN(20)))
		for range 2 {
			b.Add(film, "starred_actors", fmt.Sprintf("actor %d", rng.IntN(films/2+1)))
		}
	}
	g := b.Graph()
	var qs []questions.Example
	ask := func(text string, topic kg.EntityID, answers []kg.EntityID) {
		slices.Sort(answers)
		answers = slices.DeleteFunc(slices.Compact(answers), func(e kg.EntityID) bool { return e == topic })
		if len(answers) == 0 {
			return
		}
		name := g.Label(topic)
		text = fmt.Sprintf(text, name)
		at := bytes.Index([]byte(text), []byte(name))
		qs = append(qs, questions.Example{Text: text, Topics: []kg.EntityID{topic}, Spans: []questions.Span{{Start: at, End: at + len(name)}}, Answers: answers})
	}
	others := func(es []kg.Edge) (out []kg.EntityID) {
		for _, e := range es {
			out = append(out, e.Entity)
		}
		return out
	}
	for e := range kg.EntityID(g.Entities()) {
		directed, year, stars := kg.RelationID(0), kg.RelationID(1), kg.RelationID(2)
		if len(g.Out(e)) > 0 {
			ask("who directed %s", e, others(g.OutBy(e, directed)))
			ask("when did %s come out", e, others(g.OutBy(e, year)))
			ask("who plays in %s", e, others(g.OutBy(e, stars)))
		}
		var years []kg.EntityID
		for _, f := range others(g.InBy(e, directed)) {
			years = append(years, others(g.OutBy(f, year))...)
		}
		ask("when did the films directed by %s come out", e, years)
	}
	rng.Shuffle(len(qs), func(i, j int) { qs[i], qs[j] = qs[j], qs[i] })
	labels := func(yield func(string) bool) {
		for e := range kg.EntityID(g.Entities()) {
			if !yield(g.Label(e)) {
				return
			}
		}
	}
	lexical := embed.NewLexical(labels, lexicon.Builtin())
	return retrieve.World{Graph: g, Embed: func(context.Context, string) (embed.Embedder, error) { return lexical, nil }}, qs
}

func TestTrain(t *testing.T) {
	t.Parallel()
	w, qs := filmWorld(60)
	train, held := qs[:len(qs)*4/5], qs[len(qs)*4/5:]
	for _, kind := range kinds {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			m, err := Train(t.Context(), w, train, held, Options{Kind: kind, Epochs: 12, Width: 20, Seed: 1}, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			least := map[Kind]float64{Flow: 0.95, ReaRev: 0.9}[kind]
			if m.About.Dev.H1 < least {
				t.Errorf("Train(%s).About.Dev = %+v, want H@1 of at least %v", kind, m.About.Dev, least)
			}
			b, err := m.Encode()
			if err != nil {
				t.Fatal(err)
			}
			again, err := Decode(b)
			if err != nil {
				t.Fatal(err)
			}
			for _, model := range []*Model{m, again} {
				r, err := model.on(t.Context(), w)
				if err != nil {
					t.Fatal(err)
				}
				res, err := r.rank(t.Context(), held[0], retrieve.Limits{})
				if err != nil || len(res.Answers) == 0 || len(res.Candidates) == 0 {
					t.Errorf("rank(%q) = %+v, %v, want answers with paths", held[0].Text, res, err)
				}
			}
		})
	}
}

// weightsOf trains and returns the model's bytes, but for when it was made.
func weightsOf(ctx context.Context, t *testing.T, w retrieve.World, train, held []questions.Example, o Options, state []byte, ev *retrieve.TrainingEvents) [][]byte {
	t.Helper()
	m, err := Train(ctx, w, train, held, o, state, ev)
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	var out [][]byte
	for _, n := range m.networks {
		out = append(out, n.Weights)
	}
	return out
}

func TestTrainIsDeterministic(t *testing.T) {
	w, qs := filmWorld(40)
	o := Options{Kind: ReaRev, Epochs: 2, Width: 10, Seed: 7}
	want := weightsOf(t.Context(), t, w, qs[:60], qs[60:80], o, nil, nil)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(5))
	if got := weightsOf(t.Context(), t, w, qs[:60], qs[60:80], o, nil, nil); !slices.EqualFunc(got, want, bytes.Equal) {
		t.Error("the weights of the same seed differ with the number of cores")
	}
	o.Seed = 8
	if got := weightsOf(t.Context(), t, w, qs[:60], qs[60:80], o, nil, nil); slices.EqualFunc(got, want, bytes.Equal) {
		t.Error("the weights of two seeds are the same")
	}
}

func TestATrainingGoesOnWhereItWasStopped(t *testing.T) {
	w, qs := filmWorld(40)
	o := Options{Encoders: []string{"tokens", "lexical"}, Epochs: 3, Width: 10, Seed: 3}
	want := weightsOf(t.Context(), t, w, qs[:60], qs[60:80], o, nil, nil)
	for stopAfter := 1; stopAfter <= 5; stopAfter++ {
		ctx, cancel := context.WithCancel(t.Context())
		var state []byte
		epochs := 0
		_, err := Train(ctx, w, qs[:60], qs[60:80], o, nil, &retrieve.TrainingEvents{
			Epoch: func(retrieve.Epoch) {
				if epochs++; epochs == stopAfter {
					cancel()
				}
			},
			Checkpoint: func(s []byte) error { state = slices.Clone(s); return nil },
		})
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("Train() stopped after %d epochs = %v, want %v", stopAfter, err, context.Canceled)
		}
		if got := weightsOf(t.Context(), t, w, qs[:60], qs[60:80], o, state, nil); !slices.EqualFunc(got, want, bytes.Equal) {
			t.Errorf("the weights differ from those of a training that was not stopped after %d epochs", stopAfter)
		}
		o2 := o
		o2.Seed++
		if _, err := Train(t.Context(), w, qs[:60], qs[60:80], o2, state, nil); !errors.Is(err, retrieve.ErrResume) {
			t.Errorf("Train() with the state of another seed = %v, want %v", err, retrieve.ErrResume)
		}
	}
}

func TestACancelledTrainingKeepsTheBest(t *testing.T) {
	w, qs := filmWorld(40)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	m, err := Train(ctx, w, qs[:60], qs[60:80], Options{Epochs: 50, Width: 10}, nil, &retrieve.TrainingEvents{Epoch: func(e retrieve.Epoch) {
		if e.Epoch == 2 {
			cancel()
		}
	}})
	if m == nil || !errors.Is(err, context.Canceled) || m.About.Epochs != 2 {
		t.Errorf("Train() cancelled after 2 epochs = %+v, %v, want a model of 2 epochs and %v", m, err, context.Canceled)
	}
}

func TestTrainRefusals(t *testing.T) {
	w, qs := filmWorld(40)
	lonely := qs[0]
	lonely.Topics = nil
	near := RegionOptions{Hops: 1}
	for _, c := range []struct {
		name  string
		train []questions.Example
		o     Options
		want  error
	}{
		{"no questions", nil, Options{}, retrieve.ErrNothingToLearn},
		{"no topic", []questions.Example{lonely}, Options{}, retrieve.ErrNothingToLearn},
		{"unknown network", qs, Options{Kind: "transformer"}, nil},
		{"odd width", qs, Options{Width: 25}, nil},
		{"answers outside the regions", []questions.Example{outside(t, w, qs[0], near)}, Options{Kind: ReaRev, Region: near}, retrieve.ErrNothingToLearn},
		{"rate below zero", qs, Options{Rate: -1}, nil},
		{"rate that is no number", qs, Options{Rate: math.NaN()}, nil},
		{"regions of less than nothing", qs, Options{Kind: ReaRev, Region: RegionOptions{Entities: -1}}, nil},
	} {
		m, err := Train(t.Context(), w, c.train, nil, c.o, nil, nil)
		if err == nil || m != nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: Train() = %v, %v, want the error %v", c.name, m, err, c.want)
		}
	}
}

// outside returns the question with an answer that its region does not hold.
func outside(t *testing.T, w retrieve.World, q questions.Example, o RegionOptions) questions.Example {
	t.Helper()
	r, err := NewCutter(w.Graph, o).Cut(t.Context(), q.Topics)
	if err != nil {
		t.Fatal(err)
	}
	for e := range kg.EntityID(w.Graph.Entities()) {
		if !slices.Contains(r.Entities, e) {
			q.Answers = []kg.EntityID{e}
			return q
		}
	}
	t.Fatal("the region holds the whole graph")
	return q
}

// TestAnswersOutsideTheRegionTeachNothing: such questions are left out of a training,
// and stay among those that it is measured on.
func TestAnswersOutsideTheRegionTeachNothing(t *testing.T) {
	w, qs := filmWorld(40)
	qs = slices.DeleteFunc(qs, func(q questions.Example) bool { return !strings.HasPrefix(q.Text, "who directed") })
	near := RegionOptions{Hops: 1}
	far := outside(t, w, qs[0], near)
	o := Options{Kind: ReaRev, Region: near, Epochs: 2, Width: 10, Tries: 1}
	m, err := Train(t.Context(), w, []questions.Example{qs[1], far, qs[2]}, []questions.Example{qs[1], far}, o, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a := m.About; a.Questions != 2 || a.Held != 2 || a.Coverage.Any != 0.5 || a.Dev.Hit > 0.5 {
		t.Errorf("Train().About = %+v, want 2 questions learned from, and half of the held ones within reach", a)
	}
}

// TestALossThatIsNoNumberKeepsTheLastWeights goes astray in the second epoch: the
// only step of the first one has a loss, and leads far away.
func TestALossThatIsNoNumberKeepsTheLastWeights(t *testing.T) {
	w, qs := filmWorld(40)
	m, err := Train(t.Context(), w, qs[:8], nil, Options{Epochs: 5, Width: 10, Rate: 1e25, Tries: 1}, nil, nil)
	if !errors.Is(err, nn.ErrNotFinite) || m == nil || m.About.Epochs != 1 {
		t.Fatalf("Train() = %+v, %v, want a model of 1 epoch and %v", m, err, nn.ErrNotFinite)
	}
	r, err := m.on(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range r.members[0].net.params().All() {
		for _, x := range p.Data {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				t.Fatalf("a weight of %s is %v", p.Name, x)
			}
		}
	}
}

// TestANetworkThatFailsLeavesTheOthers: the second of two reads words that are no
// numbers.
func TestANetworkThatFailsLeavesTheOthers(t *testing.T) {
	w, qs := filmWorld(40)
	w.Embed = func(context.Context, string) (embed.Embedder, error) { return noNumbers{}, nil }
	m, err := Train(t.Context(), w, qs[:40], qs[40:60], Options{Encoders: []string{"tokens", "broken"}, Epochs: 2, Width: 10, Tries: 1}, nil, nil)
	if !errors.Is(err, nn.ErrNotFinite) || m == nil || !slices.Equal(m.About.Options.Encoders, []string{"tokens"}) {
		t.Fatalf("Train() = %+v, %v, want a model of the first network and %v", m, err, nn.ErrNotFinite)
	}
	if m.About.Dev == (retrieve.Metrics{}) {
		t.Error("the network that was left is not measured")
	}
}

// noNumbers is an embedder of a broken model.
type noNumbers struct{}

func (noNumbers) ID() string { return "broken" }
func (noNumbers) Dims() int  { return 1 }

func (noNumbers) Embed(_ context.Context, _ embed.Kind, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i := range out {
		out[i] = []float32{float32(math.NaN())}
	}
	return out, nil
}

// TestAModelOfAnotherVersion is refused in words, whichever of its versions differs.
func TestAModelOfAnotherVersion(t *testing.T) {
	w, qs := filmWorld(40)
	m, err := Train(t.Context(), w, qs[:40], nil, Options{Epochs: 1, Width: 10, Tries: 1}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	encoded := func() []byte {
		b, err := m.Encode()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	b := encoded()
	b[len(modelForm)-1]++
	if _, err := Decode(b); !errors.Is(err, retrieve.ErrModel) || !strings.Contains(err.Error(), "another version") {
		t.Errorf("Decode(of another version) = %v, want %v that says so", err, retrieve.ErrModel)
	}
	m.About.Options.Kind = "transformer"
	if _, err := Decode(encoded()); !errors.Is(err, retrieve.ErrModel) {
		t.Errorf("Decode(of an unknown network) = %v, want %v", err, retrieve.ErrModel)
	}
	m.About.Options.Kind, m.About.Options.Width = Flow, 12
	other, err := Decode(encoded())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.on(t.Context(), w); !errors.Is(err, retrieve.ErrModel) || !errors.Is(err, nn.ErrCheckpoint) {
		t.Errorf("On() with weights of another shape = %v, want %v", err, retrieve.ErrModel)
	}
}

// TestHeldIsWhatItIsMeasuredOn: of many held questions only some are asked.
func TestHeldIsWhatItIsMeasuredOn(t *testing.T) {
	w, qs := filmWorld(40)
	many := slices.Repeat(qs[40:60], learn.DevAtMost/20+1)
	m, err := Train(t.Context(), w, qs[:40], many, Options{Epochs: 1, Width: 10, Tries: 1}, nil, nil)
	if err != nil || m.About.Held != learn.DevAtMost {
		t.Errorf("Train(%d held).About.Held = %+v, %v, want %d", len(many), m, err, learn.DevAtMost)
	}
}

func TestOneQuestionIsEnough(t *testing.T) {
	w, qs := filmWorld(40)
	m, err := Train(t.Context(), w, qs[:1], nil, Options{Epochs: 30, Width: 10}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if m.About.Held != 0 || m.About.Dev.H1 != 1 {
		t.Errorf("Train(one question).About = %+v, want it learned, and nothing held", m.About)
	}
}

func TestAModelOfAnotherGraph(t *testing.T) {
	w, qs := filmWorld(40)
	m, err := Train(t.Context(), w, qs[:40], nil, Options{Epochs: 1, Width: 10}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	other := &kg.Builder{}
	other.Add("Vienna", "capital of", "Austria")
	if _, err := m.on(t.Context(), retrieve.World{Graph: other.Graph(), Embed: w.Embed}); !errors.Is(err, retrieve.ErrModel) {
		t.Errorf("On(another graph) = %v, want %v", err, retrieve.ErrModel)
	}
	other.Add("film 1", "directed_by", "director 1")
	r, err := m.on(t.Context(), retrieve.World{Graph: other.Graph(), Embed: w.Embed})
	if err != nil {
		t.Fatal(err)
	}
	res, err := r.rank(t.Context(), questions.Example{Text: "who directed film 1", Topics: []kg.EntityID{2}}, retrieve.Limits{})
	if err != nil || len(res.Notes) == 0 {
		t.Errorf("rank() over a graph that has grown = %+v, %v, want a note on the relation that was never seen", res, err)
	}
}

func TestNetworksTogetherBringThePathsOfAll(t *testing.T) {
	t.Parallel()
	w, qs := filmWorld(40)
	m, err := Train(t.Context(), w, qs[:60], qs[60:100], Options{Encoders: []string{"tokens", "lexical"}, Epochs: 2, Width: 10}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := m.on(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range qs[60:100] {
		res, err := r.rank(t.Context(), q, retrieve.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if p := evidence.TotalProbability(res.Answers); p > 1+1e-9 {
			t.Errorf("rank(%q): the probabilities add up to %v, want 1 at most", q.Text, p)
		}
		for _, a := range res.Answers {
			if !slices.ContainsFunc(res.Candidates, func(p evidence.Candidate) bool { return p.End() == a.Entity }) {
				t.Errorf("rank(%q): answer %d has no path", q.Text, a.Entity)
			}
		}
		place := 0
		for _, p := range res.Candidates {
			at := slices.IndexFunc(res.Answers, func(s evidence.Answer) bool { return s.Entity == p.End() })
			if at < place {
				t.Errorf("rank(%q): a path to answer %d comes after one to answer %d", q.Text, at, place)
			}
			place = max(place, at)
		}
	}
}
