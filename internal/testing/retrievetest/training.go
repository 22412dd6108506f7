package retrievetest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/internal/testing/shared"
)

// lessons ask, for each triple of a graph, what its relation leads to from its head.
func lessons(g *kg.Graph, settings json.RawMessage) retrieve.Training {
	var xs []questions.Example
	for i := range g.Triples() {
		x := g.Triple(kg.TripleID(i))
		name := g.Label(x.Head)
		xs = append(xs, questions.Example{
			Text: name + " " + g.RelationText(x.Relation), Topics: []kg.EntityID{x.Head},
			Spans: []questions.Span{{End: len(name)}}, Answers: []kg.EntityID{x.Tail},
		})
	}
	return retrieve.Training{World: World(g), Settings: settings, Seed: 1, Train: xs, Held: xs[:4], Data: "films", HeldMade: true}
}

// trainContract is a method that can be trained, under test.
type trainContract struct {
	contract

	method  retrieve.Trainable
	asked   retrieve.Training
	weights []byte // of the whole training
}

func (c trainContract) train(t *testing.T, asked retrieve.Training) []byte {
	t.Helper()
	weights, err := c.method.Train(t.Context(), asked)
	if err != nil {
		t.Fatalf("Train: %v", err)
	}
	return weights
}

func (c trainContract) run(t *testing.T) {
	t.Helper()
	t.Run("options are described and checked", c.options)
	t.Run("weights say what they are", c.about)
	t.Run("same seed, same answers", func(t *testing.T) { c.same(t, c.train(t, c.asked)) })
	t.Run("stopped and resumed, same answers", c.resumed)
	t.Run("cancelled at once, nothing is left", c.stopped)
	t.Run("nothing to learn", func(t *testing.T) {
		asked := c.asked
		asked.Train = nil
		if weights, err := c.method.Train(t.Context(), asked); !errors.Is(err, retrieve.ErrNothingToLearn) || weights != nil {
			t.Errorf("Train on no questions = %d bytes, %v, want ErrNothingToLearn", len(weights), err)
		}
	})
	t.Run("damaged weights are refused", c.damaged)
	t.Run("weights of another graph are refused", func(t *testing.T) {
		var b kg.Builder
		b.Add("Vienna", "lies on", "Danube")
		if _, err := c.method.Open(t.Context(), withWeights(b.Graph(), c.weights)); !errors.Is(err, retrieve.ErrModel) {
			t.Errorf("Open on another graph = %v, want ErrModel", err)
		}
	})
}

func (c trainContract) options(t *testing.T) {
	options := c.method.Options()
	seen := map[string]bool{}
	name := func(o retrieve.Option) string { return o.Name }
	for _, o := range options {
		if o.Name == "" || o.Title == "" || o.Help == "" || o.Default == "" || seen[o.Name] {
			t.Errorf("option %+v lacks a word, or its name is taken", o)
		}
		seen[o.Name] = true
		for _, x := range o.Choices {
			chosen := retrieve.Values{o.Name: x.Value}
			if err := retrieve.CheckValues(options, chosen, name); err != nil || x.Title == "" {
				t.Errorf("choice %+v: %v", x, err)
			}
			if _, err := c.method.Settings(chosen); err != nil {
				t.Errorf("Settings(%v): %v", chosen, err)
			}
		}
		for _, bad := range []string{"no such value", "NaN", "-1", "1e300", ""} {
			if err := retrieve.CheckValues(options, retrieve.Values{o.Name: bad}, name); err == nil {
				t.Errorf("%s is allowed to be %q", o.Name, bad)
			}
		}
	}
	if err := retrieve.CheckValues(options, retrieve.Values{"no such option": "1"}, name); err == nil {
		t.Error("an unknown option is allowed")
	}
	if s, err := c.method.Settings(nil); err != nil || !json.Valid(s) {
		t.Errorf("Settings of nothing = %s, %v", s, err)
	}
}

func (c trainContract) about(t *testing.T) {
	a, err := c.method.About(c.weights)
	if err != nil || a.Title == "" || a.Data != "films" || !a.HeldMade || a.Questions == 0 || a.Held != len(c.asked.Held) || a.Epochs == 0 || a.Made.IsZero() {
		t.Errorf("About = %+v, %v", a, err)
	}
}

// same compares the answers of other weights with those of the whole training.
func (c trainContract) same(t *testing.T, weights []byte) {
	t.Helper()
	ask := func(weights []byte) (list []evidence.Found) {
		r, err := c.method.Open(t.Context(), withWeights(c.graph, weights))
		if err != nil {
			t.Fatalf("Open: %v", err)
		}
		of := contract{method: c.method, graph: c.graph, by: r}
		of.reader, _ = r.(retrieve.Reader)
		for _, q := range of.queries(t) {
			list = append(list, of.ask(t, q))
		}
		return list
	}
	if diff := cmp.Diff(ask(c.weights), ask(weights), apartFromTime); diff != "" {
		t.Errorf("other answers (-want +got):\n%s", diff)
	}
}

// cut trains until some epoch is over, and returns the last checkpoint.
func (c trainContract) cut(t *testing.T, after int) (state []byte, epochs int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	asked := c.asked
	asked.Epoch = func(retrieve.Epoch) {
		if epochs++; epochs == after {
			cancel()
		}
	}
	asked.Checkpoint = func(s []byte) error {
		state = bytes.Clone(s)
		return nil
	}
	weights, err := c.method.Train(ctx, asked)
	if epochs < after {
		t.Skipf("it ended after %d epochs", epochs)
	}
	if !errors.Is(err, context.Canceled) || len(weights) == 0 || len(state) == 0 {
		t.Fatalf("cancelled after epoch %d: %d bytes of weights and %d of a checkpoint, %v, want both and Canceled", after, len(weights), len(state), err)
	}
	if _, err := c.method.About(weights); err != nil {
		t.Errorf("About what is left: %v", err)
	}
	return state, epochs
}

func (c trainContract) resumed(t *testing.T) {
	for after := 1; after <= 2; after++ {
		state, _ := c.cut(t, after)
		asked := c.asked
		asked.State = bytes.Clone(state)
		first := 0
		asked.Epoch = func(e retrieve.Epoch) {
			if first == 0 {
				first = e.Epoch
			}
		}
		c.same(t, c.train(t, asked))
		if first != after+1 {
			t.Errorf("resumed with epoch %d, want %d", first, after+1)
		}
		// The checkpoint of another training, and damaged ones.
		other := asked
		other.Seed++
		c.refused(t, other, "of another seed")
		other = asked
		other.Train = slices.Clone(other.Train)[1:]
		c.refused(t, other, "of other questions")
		places := 50
		if testing.Short() { // reading a checkpoint is one goroutine's work
			places = 3
		}
		for i := 0; i < len(state); i += max(1, len(state)/places) {
			asked.State = bytes.Clone(state)
			asked.State[i] ^= 0x40
			c.refused(t, asked, "with a bit flipped")
			asked.State = state[:i]
			c.refused(t, asked, "cut off")
		}
	}
}

func (c trainContract) refused(t *testing.T, asked retrieve.Training, which string) {
	t.Helper()
	if weights, err := c.method.Train(t.Context(), asked); !errors.Is(err, retrieve.ErrResume) || weights != nil {
		t.Errorf("resumed from a checkpoint %s: %d bytes, %v, want ErrResume", which, len(weights), err)
	}
}

func (c trainContract) stopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if weights, err := c.method.Train(ctx, c.asked); !errors.Is(err, context.Canceled) || weights != nil {
		t.Errorf("Train, cancelled = %d bytes, %v, want none and Canceled", len(weights), err)
	}
}

func (c trainContract) damaged(t *testing.T) {
	shared.Sequential(t)
	refuse := func(weights []byte, which string) {
		if _, err := c.method.About(weights); !errors.Is(err, retrieve.ErrModel) {
			t.Errorf("About weights %s = %v, want ErrModel", which, err)
		}
		if _, err := c.method.Open(t.Context(), withWeights(c.graph, weights)); !errors.Is(err, retrieve.ErrModel) {
			t.Errorf("Open weights %s = %v, want ErrModel", which, err)
		}
	}
	refuse(nil, "that are not there")
	for i := 0; i < len(c.weights); i += max(1, len(c.weights)/100) {
		refuse(c.weights[:i], "cut off")
		flipped := bytes.Clone(c.weights)
		flipped[i] ^= 0x40
		refuse(flipped, "with a bit flipped")
	}
}
