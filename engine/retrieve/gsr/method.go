package gsr

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"cairn/engine/retrieve"
	"cairn/engine/retrieve/learn"
	"cairn/internal/wording"
)

// Method answers with chains of relations that a trained network speaks.
type Method struct {
	// Base is the file of a base that trainings may start from; empty for none.
	Base string
}

var _ retrieve.Trainable = Method{}

// Info describes the method.
func (Method) Info() retrieve.Info {
	return retrieve.Info{
		ID: "gsr", Title: "Relation chains", Help: "a small network that was trained on this graph says which relations to follow",
		Who: "the chain reader", Plan: "which relations to follow", Retrieve: "follow the relations",
		Basis: "what the followed relations lead to", Seeded: true, Trained: true, Reads: true,
	}
}

// Open makes the trained weights ready for a graph. It fails with ErrModel where they
// cannot be used.
func (Method) Open(_ context.Context, w retrieve.World) (retrieve.Retriever, error) {
	m, err := decode(w.Weights)
	if err != nil {
		return nil, err
	}
	known, unseen := m.vocab.Compare(w.Graph)
	if known == 0 {
		return nil, fmt.Errorf("%w: the graph has none of the relations that it was trained with", retrieve.ErrModel)
	}
	r := &retriever{graph: w.Graph}
	if n := len(unseen); n > 0 {
		r.notes = append(r.notes, fmt.Sprintf("%s came after the training, “%s” for one: known by name alone.", wording.Count(n, "relation", "relations"), unseen[0]))
	}
	r.speaker, err = m.speaker(w, &learn.Walkers{Graph: w.Graph, Returns: m.Returns})
	return r, err
}

// Options are the choices of a training.
func (Method) Options() []retrieve.Option {
	choices := func(pairs ...string) (cs []retrieve.Choice) {
		for i := 0; i < len(pairs); i += 2 {
			cs = append(cs, retrieve.Choice{Value: pairs[i], Title: pairs[i+1]})
		}
		return cs
	}
	return []retrieve.Option{
		{Name: "steps", Title: "Steps", Help: "The most relations of a chain.", Default: "3", Min: 1, Max: longestChain},
		{Name: "beam", Title: "Readings", Help: "How many chains are read of a question at most.", Default: "5", Min: 1, Max: 50},
		{Name: "start", Title: "Start", Help: "What the network knows before it learns from this graph.", Default: string(automatic), Choices: []retrieve.Choice{
			{Value: string(automatic), Title: "By the questions", Help: "What other graphs have taught, for up to 100 questions; nothing for more."},
			{Value: string(fromNothing), Title: "Nothing"},
			{Value: string(fromBase), Title: "What other graphs have taught", Help: "Questions made from other graphs, whose relations it knows by their names."},
			{Value: string(baseAlone), Title: "Other graphs alone", Help: "The same, and nothing is learned from this graph: ready in a second."},
		}},
		{Name: "made", Title: "Made questions", Help: "How many questions made from the graph are learned from beside those of a file.", Default: "for what the others leave out, at most 3,000", Max: 100_000},
		{Name: "epochs", Title: "Epochs", Help: "How often the questions are gone through. The best weights of all passes are kept.", Default: "by network and data", Min: 1, Max: 10_000},
		{Name: "rate", Title: "Learning rate", Help: "Adam's initial learning rate.", Default: "0.002", Min: 0.0001, Max: 1, Real: true},
		{Name: "width", Title: "Width", Help: "How many numbers a state of the network has.", Default: "128", Min: 2 * heads, Max: 1024, Of: 2 * heads},
		{Name: "chains", Title: "Chains", Help: "Which chains are learned from.", Default: string(learn.Selected), Hidden: true, Choices: choices(
			string(learn.Selected), "Those that lead to the answers alone", string(learn.Filtered), "The shortest in one direction", string(learn.Raw), "The shortest")},
		{Name: "index", Title: "Pseudo-questions", Help: "How many are made of each relation's name.", Default: "by the schema", Hidden: true, Max: 1000},
		{Name: "decoding", Title: "Decoding", Help: "What chains are spoken.", Default: "constrained", Hidden: true, Choices: choices(
			"constrained", "Those that the graph has", "free", "Any, as published")},
	}
}

// Settings returns Options as JSON.
func (Method) Settings(v retrieve.Values) (json.RawMessage, error) {
	start := Start(v["start"])
	if v["width"] != "" && (start == fromBase || start == baseAlone) {
		return nil, fmt.Errorf("%w: what other graphs have taught has a width of its own; leave the width out, or start from nothing", retrieve.ErrOptions)
	}
	none := func(name string) int {
		if v[name] == "0" {
			return -1
		}
		return v.Int(name)
	}
	return json.Marshal(Options{
		Start: start, Width: v.Int("width"), Steps: v.Int("steps"), Chains: learn.Regime(v["chains"]), Beam: v.Int("beam"), Free: v["decoding"] == "free",
		Made: none("made"), Index: none("index"), Epochs: v.Int("epochs"), Rate: v.Real("rate"),
	})
}

// Train trains a model and encodes it.
func (m Method) Train(ctx context.Context, t retrieve.Training) ([]byte, error) {
	var o Options
	if err := t.Read(&o); err != nil {
		return nil, err
	}
	o.Seed = cmp.Or(t.Seed, o.Seed)
	made, failed := train(ctx, t, o, m.Base)
	if made == nil {
		return nil, failed
	}
	weights, err := modelForm.Pack(modelHeader{made.About, made.Options, made.Warmth, made.Returns, made.vocab, made.taught}, made.weights)
	return weights, errors.Join(failed, err)
}

// About reads what encoded weights say of themselves.
func (Method) About(weights []byte) (retrieve.About, error) {
	m, err := decode(weights)
	if err != nil {
		return retrieve.About{}, err
	}
	return m.About, nil
}
