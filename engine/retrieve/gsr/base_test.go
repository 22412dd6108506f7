package gsr

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"cairn/assets"
	"cairn/engine/kg"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/learn"
	"cairn/internal/testing/retrievetest"
	"cairn/internal/testing/testkg"
)

// smallLessons are two graphs with questions that say their chains, and one whose chain
// leads elsewhere.
func smallLessons() []Lesson {
	var out []Lesson
	for i, g := range []*kg.Graph{
		testkg.Build("Berlin|capital of|Germany", "Paris|capital of|France", "Germany|borders|France", "Paris|lies on|Seine"),
		testkg.Build("Emma|written by|Jane Austen", "Ulysses|written by|James Joyce", "Jane Austen|born in|Steventon", "James Joyce|born in|Dublin"),
	} {
		xs := questions.Frames(g, 4, 1)
		wrong := xs[0]
		wrong.Text, wrong.Answers = "what is wrong", []kg.EntityID{wrong.Topics[0]}
		out = append(out, Lesson{Name: []string{"lands", "books"}[i], Graph: g, Train: append(xs, wrong), Held: xs[:3]})
	}
	return out
}

// smallBase is a base, of two graphs that are not of films.
var smallBase = sync.OnceValues(func() (string, error) {
	b, _, err := Pretrain(context.Background(), smallLessons(), Options{Width: 32, Epochs: 3, Seed: 1}, retrieve.TrainingEvents{})
	return string(b), err
})

func TestContractFromABase(t *testing.T) {
	base, err := smallBase()
	if err != nil {
		t.Fatal(err)
	}
	retrievetest.Run(t, Method{Base: base}, json.RawMessage(`{"start": "base", "epochs": 12}`))
}

func TestBasesAreTheSameAgain(t *testing.T) {
	base, err := smallBase()
	if err != nil {
		t.Fatal(err)
	}
	var epochs int
	again, about, err := Pretrain(t.Context(), smallLessons(), Options{Width: 32, Epochs: 3, Seed: 1}, retrieve.TrainingEvents{
		Epoch: func(retrieve.Epoch) { epochs++ },
	})
	if err != nil || !bytes.Equal(again, []byte(base)) {
		t.Errorf("Pretrain again = %d other bytes, %v", len(again), err)
	}
	if epochs != 3 || about.Epochs != 3 || len(about.Graphs) != 2 || about.Graphs[0].Made-about.Graphs[0].Kept != 1 {
		t.Errorf("%d epochs of %+v, want 3, and one question of each graph left out", epochs, about)
	}
	read, err := ReadBase(base)
	if about.Seconds = 0; err != nil || read.Questions != about.Questions || !slices.Equal(read.Graphs, about.Graphs) {
		t.Errorf("ReadBase = %+v, %v, want %+v", read, err, about)
	}
	b, err := readBase(base)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := b.pack()
	if err != nil || !bytes.Equal(packed, []byte(base)) {
		t.Errorf("read and written again, it has other bytes: %v", err)
	}
	if n := len(b.net.own.Data); n != ownRows*32 {
		t.Errorf("a base has %d numbers for relations of its own", n-ownRows*32)
	}
}

func TestNothingMakesNoBase(t *testing.T) {
	if _, _, err := Pretrain(t.Context(), nil, Options{}, retrieve.TrainingEvents{}); !errors.Is(err, retrieve.ErrNothingToLearn) {
		t.Errorf("Pretrain of nothing = %v, want ErrNothingToLearn", err)
	}
}

// TestTheBeginningIsTheBases compares what is read of a question by a base and by what
// begins with it over another graph.
func TestTheBeginningIsTheBases(t *testing.T) {
	file, err := smallBase()
	if err != nil {
		t.Fatal(err)
	}
	b, err := readBase(file)
	if err != nil {
		t.Fatal(err)
	}
	g := retrievetest.Graph()
	x := retrievetest.Asked(t, g, "who is the writer that [Alien] was directed by", "Ridley Scott")
	v := learn.NewVocabulary([]questions.Example{x, x}, g).Grown(b.vocab)
	grown := newNet(Options{Width: 32}, v, 7)
	grown.begin(b.net)
	speak := func(n *net, v *learn.Vocabulary) []beam {
		s := newSpeaker(n, n.names(g, v), &learn.Walkers{Graph: g}, Options{Steps: 2, Beam: 5})
		tokens, span := learn.TokensOf(x)
		return s.speak(n.words(tokens, span, allSpans, nil), x.Topics)
	}
	want, got := speak(b.net, b.vocab), speak(grown, v)
	if len(want) == 0 || !slices.EqualFunc(want, got, func(a, b beam) bool { return a.logp == b.logp && slices.Equal(a.chain(), b.chain()) }) {
		t.Errorf("it begins with %+v, and the base reads %+v", got, want)
	}
}

func TestABaseAloneAnswers(t *testing.T) {
	base, err := smallBase()
	if err != nil {
		t.Fatal(err)
	}
	g := retrievetest.Graph()
	x := retrievetest.Asked(t, g, "what is [Alien] directed by", "Ridley Scott")
	m := Method{Base: base}
	asked := retrieve.Training{World: retrieve.World{Graph: g}, Settings: json.RawMessage(`{"start": "base-alone"}`), Train: []questions.Example{x}, Data: "films"}
	weights, err := m.Train(t.Context(), asked)
	if err != nil {
		t.Fatal(err)
	}
	about, err := m.About(weights)
	if err != nil || about.Epochs != 0 || len(about.Notes) != 1 || !strings.Contains(about.Notes[0], "2 other graphs") {
		t.Errorf("About = %+v, %v", about, err)
	}
	if _, err := m.Open(t.Context(), retrieve.World{Graph: g, Weights: weights}); err != nil {
		t.Errorf("Open: %v", err)
	}
	asked.State = weights
	if _, err := m.Train(t.Context(), asked); !errors.Is(err, retrieve.ErrResume) {
		t.Errorf("resumed = %v, want ErrResume", err)
	}
}

func TestStartsAreRefusedInWords(t *testing.T) {
	base, err := smallBase()
	if err != nil {
		t.Fatal(err)
	}
	damaged := []byte(base)
	damaged[len(damaged)/2] ^= 0x40
	g := retrievetest.Graph()
	x := retrievetest.Asked(t, g, "what is [Alien] directed by", "Ridley Scott")
	for _, test := range []struct{ name, base, settings, want string }{
		{"no base", "", `{"start": "base"}`, "start from nothing"},
		{"no base alone", "", `{"start": "base-alone"}`, "start from nothing"},
		{"no such start", base, `{"start": "here"}`, "choose nothing, base or base-alone"},
		{"damaged", string(damaged), `{"start": "base"}`, "damaged"},
		{"cut off", base[:1000], `{"start": "base"}`, "cut off"},
		{"something else", "the quick brown fox", `{"start": "base"}`, "something else"},
	} {
		t.Run(test.name, func(t *testing.T) {
			weights, err := Method{Base: test.base}.Train(t.Context(), retrieve.Training{
				World: retrieve.World{Graph: g}, Settings: json.RawMessage(test.settings), Train: []questions.Example{x},
			})
			if weights != nil || err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("Train = %d bytes, %v, want an error that says %q", len(weights), err, test.want)
			}
		})
	}
}

// TestWidthIsTheBases: a width beside a start that has its own is refused before anything
// is read.
func TestWidthIsTheBases(t *testing.T) {
	for start, want := range map[Start]error{fromBase: retrieve.ErrOptions, baseAlone: retrieve.ErrOptions, fromNothing: nil, automatic: nil} {
		if _, err := (Method{}).Settings(retrieve.Values{"start": string(start), "width": "64"}); !errors.Is(err, want) {
			t.Errorf("Settings of a start from %s with a width: %v, want %v", start, err, want)
		}
	}
}

// TestStartsFollowTheQuestions is what a training starts from where nobody says.
func TestStartsFollowTheQuestions(t *testing.T) {
	base, err := smallBase()
	if err != nil {
		t.Fatal(err)
	}
	file := make([]questions.Example, fewForBase+1)
	made := slices.Clone(file)
	for i := range made {
		made[i].Made = true
	}
	for _, test := range []struct {
		name string
		o    Options
		base string
		xs   []questions.Example
		want Start
	}{
		{"many made", Options{}, base, made, fromNothing},
		{"few made", Options{}, base, made[1:], fromBase},
		{"few of a file", Options{Start: automatic}, base, file[1:], fromBase},
		{"many of a file", Options{}, base, file, fromNothing},
		{"many of a file, from a base all the same", Options{Start: fromBase}, base, file, fromBase},
		{"few made, from nothing all the same", Options{Start: fromNothing}, base, made[1:], fromNothing},
		{"a width of their own", Options{Width: 64}, base, made[1:], fromNothing},
		{"no base", Options{}, "", made[1:], fromNothing},
	} {
		b, err := test.o.start(test.base, test.xs)
		if err != nil || test.o.Start != test.want || (b != nil) != (test.want == fromBase) {
			t.Errorf("%s: start = %v, %v, %v, want %s", test.name, test.o.Start, b != nil, err, test.want)
		}
	}
}

// TestTheBaseThatIsShipped reads it, and holds it to its size and to the graphs whose
// licences let it be shipped: see packaging/pretrain.sh.
func TestTheBaseThatIsShipped(t *testing.T) {
	b, err := ReadBase(assets.GSRBase)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(assets.GSRBase); n > 4_000_000 {
		t.Errorf("it has %d bytes, want 4 million at most", n)
	}
	var names []string
	for _, g := range b.Graphs {
		names = append(names, g.Name)
	}
	if want := []string{"sample", "umls", "nations", "codex", "fb15k", "biokg", "airroutes"}; !slices.Equal(names, want) {
		t.Errorf("its graphs are %v, want %v", names, want)
	}
}
