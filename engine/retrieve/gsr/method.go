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
		ID: "gsr", Title: "Relation chains", Help: "follows the relations that a small network trained on this graph predicts",
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
		r.notes = append(r.notes, fmt.Sprintf("%s added after the training, such as “%s”; these are known only by name.", wording.Count(n, "relation was", "relations were"), unseen[0]))
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
		{Name: "steps", Title: "Steps", Help: "The maximum number of relations in a chain.", Default: "3", Min: 1, Max: longestChain},
		{Name: "beam", Title: "Readings", Help: "The maximum number of chains read from a question.", Default: "5", Min: 1, Max: 50},
		{Name: "start", Title: "Start", Help: "What the network knows before it learns from this graph.", Default: string(automatic), Choices: []retrieve.Choice{
			{Value: string(automatic), Title: "Depends on the questions", Help: "Knowledge from other graphs for up to 250 questions; nothing for more."},
			{Value: string(fromNothing), Title: "Nothing"},
			{Value: string(fromBase), Title: "Knowledge from other graphs", Help: "Learned from questions about other graphs; it knows relations by their names."},
			{Value: string(baseAlone), Title: "Only other graphs", Help: "The same, but nothing is learned from this graph; ready in a second."},
		}},
		{Name: "made", Title: "Generated questions", Help: "How many questions generated from the graph to use in addition to those in a file.", Default: "for what the others leave out, at most 3,000", Max: 100_000},
		{Name: "epochs", Title: "Epochs", Help: "The number of passes through the questions. The best weights of all passes are kept.", Default: "by network and data", Min: 1, Max: 10_000},
		{Name: "rate", Title: "Learning rate", Help: "Adam's initial learning rate.", Default: "0.002", Min: 0.0001, Max: 1, Real: true},
		{Name: "width", Title: "Width", Help: "The size of the network's state vectors.", Default: "128", Min: 2 * heads, Max: 1024, Of: 2 * heads},
		{Name: "chains", Title: "Chains", Help: "Which chains to learn from.", Default: string(learn.Selected), Hidden: true, Choices: choices(
			string(learn.Selected), "Those that lead to the answers alone", string(learn.Filtered), "The shortest in one direction", string(learn.Raw), "The shortest")},
		{Name: "index", Title: "Pseudo-questions", Help: "How many to generate from each relation's name.", Default: "by the schema", Hidden: true, Max: 1000},
		{Name: "decoding", Title: "Decoding", Help: "Which chains can be generated.", Default: "constrained", Hidden: true, Choices: choices(
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
