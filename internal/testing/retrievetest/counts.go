package retrievetest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
)

// Counts is a method that learns: it counts how often each relation leads from what a
// question names to its answers, and follows the relations that did.
type Counts struct{}

var _ retrieve.Trainable = Counts{}

// Info describes the method.
func (Counts) Info() retrieve.Info {
	return retrieve.Info{
		ID: "counts", Title: "Counted relations", Help: "the relations that led to answers in training are followed", Who: "the counted relations",
		Plan: "where to look", Retrieve: "follow the relations", Basis: "where the relations lead", Seeded: true, Trained: true,
	}
}

// Options are the choices of a training.
func (Counts) Options() []retrieve.Option {
	return []retrieve.Option{
		{Name: "direction", Title: "Direction", Help: "Which way relations are followed.", Default: "both", Choices: []retrieve.Choice{
			{Value: "both", Title: "Both ways"}, {Value: "forwards", Title: "From head to tail"},
		}},
		{Name: "passes", Title: "Passes", Help: "How many times the questions are counted.", Default: "3", Min: 1, Max: 100},
	}
}

// counted are the weights, and between passes the checkpoint.
type counted struct {
	Questions string         `json:"questions"` // a print of what is counted
	Relations map[string]int `json:"relations"` // how often each led to an answer, by its key
	Forwards  bool           `json:"forwards"`
	Pass      int            `json:"pass"`
	About     retrieve.About `json:"about"`
}

// encode writes a checksum before the counts.
func (c counted) encode() ([]byte, error) {
	b, err := json.Marshal(c)
	sum := sha256.Sum256(b)
	return append(sum[:], b...), err
}

func decode(b []byte) (c counted, ok bool) {
	if len(b) < sha256.Size {
		return c, false
	}
	sum := sha256.Sum256(b[sha256.Size:])
	return c, bytes.Equal(sum[:], b[:sha256.Size]) && json.Unmarshal(b[sha256.Size:], &c) == nil
}

type settings struct {
	Forwards bool `json:"forwards"`
	Passes   int  `json:"passes"`
}

// Settings returns the values as JSON.
func (Counts) Settings(v retrieve.Values) (json.RawMessage, error) {
	return json.Marshal(settings{Forwards: v["direction"] == "forwards", Passes: v.Int("passes")})
}

// Train counts.
func (Counts) Train(ctx context.Context, t retrieve.Training) ([]byte, error) {
	var s settings
	if len(t.Settings) > 0 {
		if err := json.Unmarshal(t.Settings, &s); err != nil {
			return nil, err
		}
	}
	if s.Passes == 0 {
		s.Passes = 3
	}
	if !slices.ContainsFunc(t.Train, func(x questions.Example) bool { return len(x.Topics) > 0 && len(x.Answers) > 0 }) {
		return nil, retrieve.ErrNothingToLearn
	}
	sum := fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, s, t.Seed, t.Train, t.Held)))
	c := counted{Questions: sum, Relations: map[string]int{}, Forwards: s.Forwards}
	if t.State != nil {
		from, ok := decode(t.State)
		if !ok || from.Questions != sum {
			return nil, fmt.Errorf("%w: its checkpoint is of something else", retrieve.ErrResume)
		}
		c = from
	}
	var failed error
	for c.Pass < s.Passes && failed == nil {
		if failed = ctx.Err(); failed != nil {
			break
		}
		for _, x := range t.Train {
			c.count(t.World.Graph, x)
		}
		c.Pass++
		if t.Epoch != nil {
			t.Epoch(retrieve.Epoch{Part: 1, Parts: 1, Try: 1, Epoch: c.Pass, Epochs: s.Passes, Best: true})
		}
		state, err := c.encode()
		if err != nil {
			return nil, err
		}
		if t.Checkpoint != nil {
			failed = t.Checkpoint(state)
		}
	}
	if c.Pass == 0 {
		return nil, failed
	}
	c.About = retrieve.About{
		Title: "Counted relations", Data: t.Data, HeldMade: t.HeldMade, Questions: len(t.Train), Held: len(t.Held),
		Weights: len(c.Relations), Made: time.Now().UTC().Truncate(time.Millisecond), Epochs: c.Pass, Tries: 1,
	}
	weights, err := c.encode()
	if err != nil {
		return nil, err
	}
	return weights, failed
}

// count counts the relations of one question.
func (c counted) count(g *kg.Graph, x questions.Example) {
	for _, topic := range x.Topics {
		for _, e := range c.edges(g, topic) {
			if slices.Contains(x.Answers, e.Entity) {
				c.Relations[g.RelationKey(e.Relation)]++
			}
		}
	}
}

// edges are those that may be followed.
func (c counted) edges(g *kg.Graph, e kg.EntityID) []kg.Edge {
	if c.Forwards {
		return g.Out(e)
	}
	return slices.Concat(g.Out(e), g.In(e))
}

// About reads what weights say of themselves.
func (Counts) About(weights []byte) (retrieve.About, error) {
	c, ok := decode(weights)
	if !ok {
		return retrieve.About{}, retrieve.ErrModel
	}
	return c.About, nil
}

// Open makes counts ready for a graph that has one of their relations.
func (Counts) Open(_ context.Context, w retrieve.World) (retrieve.Retriever, error) {
	c, ok := decode(w.Weights)
	if !ok {
		return nil, retrieve.ErrModel
	}
	for r := range kg.RelationID(w.Graph.Relations()) {
		if c.Relations[w.Graph.RelationKey(r)] > 0 {
			return follower{w.Graph, c}, nil
		}
	}
	return nil, fmt.Errorf("%w: the graph has none of its relations", retrieve.ErrModel)
}

type follower struct {
	g *kg.Graph
	c counted
}

// Retrieve follows the relations that were counted.
func (f follower) Retrieve(ctx context.Context, q retrieve.Query) (evidence.Found, error) {
	return listed(ctx, q, func(e kg.EntityID) []kg.Edge {
		return slices.DeleteFunc(slices.Clone(f.c.edges(f.g, e)), func(x kg.Edge) bool { return f.c.Relations[f.g.RelationKey(x.Relation)] == 0 })
	})
}
