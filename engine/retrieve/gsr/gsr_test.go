package gsr

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/nn"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/learn"
	"cairn/engine/schema"
	"cairn/internal/testing/gradcheck"
	"cairn/internal/testing/retrievetest"
	"cairn/internal/testing/testkg"
)

// filmWorld is a graph of films with directors, years and actors, and questions of one
// and two hops about it, each with its topic in brackets.
func filmWorld(tb testing.TB, films int) (*kg.Graph, []questions.Example) {
	tb.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	b := &kg.Builder{}
	for i := range films {
		film := fmt.Sprintf("Film %d", i)
		b.Add(film, "directed_by", fmt.Sprintf("Director %d", rng.IntN(films/3+1)))
		b.Add(film, "release_year", fmt.Sprintf("Year %d", rng.IntN(20)))
		for range 2 {
			b.Add(film, "starred_actors", fmt.Sprintf("Actor %d", rng.IntN(films/2+1)))
		}
	}
	g := b.Graph()
	k := (&learn.Walkers{Graph: g}).Take()
	directed, year, stars := schema.Forward(0), schema.Forward(1), schema.Forward(2)
	var qs []questions.Example
	ask := func(text string, e kg.EntityID, chain ...schema.Step) {
		if set := k.Chain([]kg.EntityID{e}, chain); len(set) > 0 {
			q := retrievetest.Asked(tb, g, fmt.Sprintf(text, g.Label(e)))
			q.Answers = slices.Sorted(slices.Values(set))
			qs = append(qs, q)
		}
	}
	for e := range kg.EntityID(g.Entities()) {
		ask("who directed [%s]", e, directed)
		ask("when did [%s] come out", e, year)
		ask("who plays in [%s]", e, stars)
		ask("when did the films directed by [%s] come out", e, directed.Back(), year)
		ask("who plays in the films of director [%s]", e, directed.Back(), stars)
	}
	rng.Shuffle(len(qs), func(i, j int) { qs[i], qs[j] = qs[j], qs[i] })
	return g, qs
}

// trained is a reader of a small film world, trained once for all tests.
var trained = sync.OnceValues(func() (*kg.Graph, []byte) {
	g, qs := filmWorld(&testing.T{}, 60)
	cut := len(qs) * 4 / 5
	weights, err := Method{}.Train(context.Background(), retrieve.Training{
		World: retrieve.World{Graph: g}, Seed: 1, Train: qs[:cut], Held: qs[cut:], Data: "films", Settings: []byte(`{"width": 64, "epochs": 12}`),
	})
	if err != nil {
		panic(err)
	}
	return g, weights
})

func open(t *testing.T, g *kg.Graph) *retriever {
	t.Helper()
	_, weights := trained()
	r, err := Method{}.Open(t.Context(), retrieve.World{Graph: g, Weights: weights})
	if err != nil {
		t.Fatal(err)
	}
	return r.(*retriever) //nolint:errcheck // Open returns nothing else
}

// query asks a question whose names are in brackets.
func query(t *testing.T, g *kg.Graph, text string) retrieve.Query {
	t.Helper()
	x := retrievetest.Asked(t, g, text)
	q := retrieve.Query{Question: x.Text, Seeds: x.Topics}
	for i, s := range x.Spans {
		q.Mentions = append(q.Mentions, link.Mention{Start: s.Start, End: s.End, Text: x.Text[s.Start:s.End], Candidates: []link.Candidate{{Entity: x.Topics[i]}}})
	}
	return q
}

func retrieved(t *testing.T, r *retriever, q retrieve.Query) evidence.Found {
	t.Helper()
	f, err := r.Retrieve(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestTrain(t *testing.T) {
	g, weights := trained()
	a, err := Method{}.About(weights)
	if err != nil || a.Dev.H1 < 0.97 || a.Dev.F1 < 0.97 {
		t.Fatalf("About = %+v, %v, want all but all held questions answered", a, err)
	}
	r := open(t, g)
	readings, err := r.Read(t.Context(), query(t, g, "when did the films directed by [Director 3] come out"))
	if err != nil || readings[0].Text != "Director 3 → directed by, backwards → release year" || readings[0].Score < 0.5 {
		t.Fatalf("Read = %+v, %v", readings, err)
	}
	steps := readings[0].Explanation.Children
	if len(steps) != 3 || len(steps[1].Children) == 0 || steps[2].Message != "the end" {
		t.Errorf("the reading is explained by %+v, want two steps and the end, with alternatives", steps)
	}
}

// TestAnotherReadingIsFollowed: what is followed is the first reading of the query.
func TestAnotherReadingIsFollowed(t *testing.T) {
	g, _ := trained()
	r := open(t, g)
	q := query(t, g, "who directed [Film 7]")
	readings, err := r.Read(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	other := -1
	for i, x := range readings {
		if x.Text == "Film 7 → starred actors" {
			other = i
		}
	}
	if other < 0 {
		t.Skipf("the actors are not among the readings: %v", readings)
	}
	q.Readings = slices.Concat(readings[other:other+1], readings[:other], readings[other+1:])
	f := retrieved(t, r, q)
	for _, a := range f.Answers {
		if !strings.HasPrefix(g.Label(a.Entity), "Actor") {
			t.Errorf("following the actors leads to %s", g.Label(a.Entity))
		}
	}
	if len(f.Weighed) <= len(f.Answers) {
		t.Errorf("weighed are %v, without the director", f.Weighed)
	}
}

func TestChainsThatAreLearned(t *testing.T) {
	g := testkg.Build("Alien|directed by|Scott", "Gladiator|directed by|Scott", "Alien|writer|Scott", "Gladiator|year|2000", "Alien|year|1979", "Heat|year|1979")
	id := func(label string) []kg.EntityID { return []kg.EntityID{retrievetest.Entity(t, g, label)} }
	directed, writer, year := schema.Forward(0), schema.Forward(1), schema.Forward(2)
	for _, test := range []struct {
		name            string
		topics, answers []kg.EntityID
		regime          learn.Regime
		returns         bool
		want            [][]schema.Step
	}{
		{"equally good ones", id("Alien"), id("Scott"), learn.Selected, false, [][]schema.Step{{directed}, {writer}}},
		{"the one that leads to nothing else", id("Scott"), id("Alien"), learn.Selected, false, [][]schema.Step{{writer.Back()}}},
		{"the shortest, whatever else they lead to", id("Scott"), id("Alien"), learn.Raw, false, [][]schema.Step{{directed.Back()}, {writer.Back()}}},
		{"over two steps", id("Scott"), id("2000"), learn.Raw, false, [][]schema.Step{{directed.Back(), year}}},
		{"in one direction", id("Scott"), id("2000"), learn.Filtered, false, nil},
		{"not back to the topic", id("Alien"), id("Alien"), learn.Selected, false, nil},
		{"back to the topic, where questions do", id("Alien"), id("Alien"), learn.Selected, true, [][]schema.Step{{writer, writer.Back()}}},
		{"nothing leads there", id("Heat"), nil, learn.Selected, false, nil},
	} {
		k := (&learn.Walkers{Graph: g, Returns: test.returns}).Take()
		got := k.Chains(test.topics, test.answers, 3, test.regime)
		if test.returns { // directed, then back as a writer, leads there too
			got = slices.DeleteFunc(got, func(c []schema.Step) bool { return c[0] != writer || c[1] != writer.Back() })
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", test.name, diff)
		}
	}
}

// TestMadeQuestionsFillUp: a made question is left out where labelled ones often take all
// of its steps, at the same place of a chain as long, from as many names; but for some
// wordings of every single step.
func TestMadeQuestionsFillUp(t *testing.T) {
	a, b, c := schema.Forward(0), schema.Forward(1), schema.Forward(2)
	of := func(n, span int, chains ...[]schema.Step) (out []item) {
		for range n {
			out = append(out, item{span: span, chains: chains})
		}
		return out
	}
	tr := &training{items: slices.Concat(
		of(saidOften, allSpans, []schema.Step{a}), of(saidOften-1, allSpans, []schema.Step{c}),
		of(saidOften, allSpans, []schema.Step{a, b}, []schema.Step{b, a}), // two chains as good
	)}
	leftOut := tr.filling()
	made := func(chains ...[]schema.Step) (x questions.Example) {
		for _, c := range chains {
			x.Legs = append(x.Legs, questions.Leg{Steps: c})
		}
		return x
	}
	for range rewordings {
		if leftOut(made([]schema.Step{a})) || leftOut(made([]schema.Step{c})) {
			t.Fatal("other wordings of single steps are left out")
		}
	}
	for _, test := range []struct {
		name string
		x    questions.Example
		want bool
	}{
		{"often asked", made([]schema.Step{a}), true},
		{"not often enough", made([]schema.Step{c}), false},
		{"often enough with that one", made([]schema.Step{c}), true},
		{"in longer chains alone", made([]schema.Step{b}), false},
		{"its steps in other chains", made([]schema.Step{a, a}), true},
		{"a step that nobody takes there", made([]schema.Step{a, c}), false},
		{"from two names", made([]schema.Step{a}, []schema.Step{a}), false},
	} {
		if got := leftOut(test.x); got != test.want {
			t.Errorf("%s: left out = %v, want %v", test.name, got, test.want)
		}
	}
}

func TestGradients(t *testing.T) {
	g := testkg.Build("Alien|directed by|Scott", "Alien|year|1979")
	x := retrievetest.Asked(t, g, "who directed [Alien]")
	v := learn.NewVocabulary([]questions.Example{x, x}, g)
	n := newNet(Options{Width: 8}, v, 1)
	tokens, span := learn.TokensOf(x)
	steps := []schema.Step{0, 1, 2, 3}
	gradcheck.CheckGradients(t, n.p, func(tape *nn.Tape) *nn.Tensor {
		return n.loss(tape, n.words(tokens, span, allSpans, nil), n.names(g, v), steps, []int{0, 1}, true, nil)
	})
}

// TestSeveralNames: what the chains from all of them lead to, or else from one.
func TestSeveralNames(t *testing.T) {
	g := testkg.Build("Heat|starred_actors|Actor 1", "Heat|directed_by|Director 1", "Alien|directed_by|Director 1", "Alien|release_year|1979", "Dune|release_year|2021")
	r := open(t, g)
	named := func(text string) []string {
		var out []string
		f := retrieved(t, r, query(t, g, text))
		for _, a := range f.Answers {
			out = append(out, g.Label(a.Entity))
			if len(f.SupportsOf(a)) < 1 {
				t.Errorf("%s: nothing supports %s", text, g.Label(a.Entity))
			}
		}
		return out
	}
	if got := named("who directed [Heat] and directed [Alien]"); !slices.Equal(got, []string{"Director 1"}) {
		t.Errorf("the director of both is %v", got)
	}
	readings, err := r.Read(t.Context(), query(t, g, "who directed [Heat] and [Dune]"))
	if err != nil || len(readings) == 0 || len(readings[0].Unused) != 1 || readings[0].Score > 0.5 {
		t.Errorf("nothing is in common, and it is read as %+v, %v, want one name alone, and the other unused", readings, err)
	}
}

func TestOddQuestions(t *testing.T) {
	g, _ := trained()
	r := open(t, g)
	q := query(t, g, "who directed [Film 1]")
	sure, err := r.Read(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := r.Read(t.Context(), query(t, g, "Nani kuongoza sinema hii ya [Film 1]"))
	if err != nil || len(foreign) > 0 && foreign[0].Score > sure[0].Score/2 {
		t.Errorf("in words that it never saw it is as sure as %+v, %v", foreign[0], err)
	}
	var ten strings.Builder
	for i := range 10 {
		fmt.Fprintf(&ten, "who plays in [Film %d] and ", i)
	}
	for _, text := range []string{ten.String(), "[Film 1]", "[Film 1] [Film 1]", strings.Repeat("very ", 400) + "[Film 1]", "who directed [Film 1] \x00 ÿ 🂡"} {
		if _, err := r.Retrieve(t.Context(), query(t, g, text)); err != nil {
			t.Errorf("%.40q: %v", text, err)
		}
	}
	if f := retrieved(t, r, retrieve.Query{Question: "who directed it"}); len(f.Answers) > 0 {
		t.Errorf("without a name it answers %v", f.Answers)
	}
	if f := retrieved(t, r, query(t, g, "who directed [Film 1] before 1999")); len(f.Notes) == 0 || !strings.Contains(f.Notes[0], "“1999”") {
		t.Errorf("notes %q do not say that 1999 was left out", f.Notes)
	}
}

// TestRelationThatCameLater can be spoken by its name, and is told of.
func TestRelationThatCameLater(t *testing.T) {
	g := testkg.Build("Film 1|starred_actors|Actor 1", "Film 1|director|Scott", "Film 1|qqqq|Zed")
	r := open(t, g)
	f := retrieved(t, r, query(t, g, "who directed [Film 1]"))
	if len(f.Answers) != 1 || g.Label(f.Answers[0].Entity) != "Scott" {
		t.Errorf("who directed Film 1 = %v, want Scott, by the name of the new relation", f.Answers)
	}
	if len(f.Notes) == 0 || !strings.Contains(f.Notes[0], "2 relations") {
		t.Errorf("notes %q do not tell of the new relations", f.Notes)
	}
	_, weights := trained()
	if _, err := (Method{}).Open(t.Context(), retrieve.World{Graph: testkg.Build("Vienna|lies on|Danube"), Weights: weights}); !errors.Is(err, retrieve.ErrModel) {
		t.Errorf("Open on a graph without its relations = %v, want ErrModel", err)
	}
}

// TestSameAnswersAreOneReading: chains that lead to the same are no rivals.
func TestSameAnswersAreOneReading(t *testing.T) {
	a, b, c := reading{p: 0.4, set: []kg.EntityID{1, 2}}, reading{p: 0.35, set: []kg.EntityID{3}}, reading{p: 0.2, set: []kg.EntityID{2, 1}}
	got := merged([]reading{b, a, c})
	if len(got) != 2 || math.Abs(got[0].p-0.6) > 1e-9 || len(got[0].also) != 1 || got[1].p != 0.35 {
		t.Errorf("merged = %+v, want 0.6 for what two chains lead to, then 0.35", got)
	}
}

// TestCalibrate: probabilities that say too much are brought down to how often they are
// right.
// TestChainsGoOnFromTheNameless: where things have names, a chain does not end at what has
// an id instead, unless nothing leads on.
func TestChainsGoOnFromTheNameless(t *testing.T) {
	film, made := "Film 1", "m.0abc1"
	for _, test := range []struct {
		name, from, other string
		want              []string
	}{
		{"a node between", film, "Ada", []string{"Film 1 → directed by → starred actors"}},
		{"nothing leads on", film, "", []string{"Film 1 → directed by"}},
		{"only ids", "m.0abc0", "m.0abc2", []string{"m.0abc0 → directed by"}},
	} {
		b := &kg.Builder{}
		b.Add(test.from, "directed_by", made)
		if test.other != "" {
			b.Add(made, "starred_actors", test.other)
		}
		g := b.Graph()
		rs, err := open(t, g).Read(t.Context(), query(t, g, "who directed ["+test.from+"]"))
		var got []string
		for _, r := range rs {
			got = append(got, r.Text)
		}
		if slices.Sort(got); err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, %v, want %q", test.name, got, err, test.want)
		}
	}
}

func TestCalibrate(t *testing.T) {
	var outs []outcome
	for i := range 100 {
		o := outcome{ps: []float64{0.98, 0.005}}
		if i < 60 {
			o.right = 1
		}
		outs = append(outs, o)
	}
	warmth := calibrate(outs)
	s := &speaker{warmth: warmth}
	rs := s.calibrated([]reading{{p: math.Log(0.98)}, {p: math.Log(0.005)}})
	if rs[0].p < 0.5 || rs[0].p > 0.8 || rs[0].p+rs[1].p > 1+1e-9 {
		t.Errorf("right in 60 of 100 cases, with warmth %v it says %v", warmth, rs[0].p)
	}
}
