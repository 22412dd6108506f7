// Package scoring answers with the triples that a small network scores highest, each by
// itself (SubgraphRAG, Li, Miao and Li 2025): a baseline, which knows of the structure no
// more than by which ways a triple's ends are reached.
//
//	question ─link─▶ seeds ─gnnrag.Cutter─▶ triples ─network─▶ scores ─top 100─▶ where they lead to
//
// Differs from the paper in four things. Words are read as the other networks here read
// them, with vectors that are learned, in place of a language model's. The distance encoding
// has all ways of up to three steps, mixed directions too, and says of each whether it leads
// there, where the paper has means along one direction. In place of the language model that
// reads the triples, a second score says which of them are the last on a way. And all triples
// of a question are learned from as one choice, in place of one by one.
package scoring

import (
	"context"
	"encoding/json"
	"fmt"

	"cairn/engine/kg"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/gnnrag"
	"cairn/engine/retrieve/learn"
)

// Method scores triples by a network that was trained on the graph.
type Method struct{}

var _ retrieve.Trainable = Method{}

// Info describes the method.
func (Method) Info() retrieve.Info {
	return retrieve.Info{
		ID: "triples", Title: "Baseline: scored triples", Help: "scores triples one by one with a small network trained on this graph, as a baseline for comparison",
		Who: "the triple scorer", Plan: "where to look", Retrieve: "score the triples",
		Basis: "where the triples with the highest scores lead to", Seeded: true, Trained: true, Baseline: true,
	}
}

// Open makes the trained weights ready for a graph. It fails with ErrModel where they
// cannot be used.
func (Method) Open(_ context.Context, w retrieve.World) (retrieve.Retriever, error) {
	m, err := decode(w.Weights)
	if err != nil {
		return nil, err
	}
	return m.on(w.Graph)
}

// options are the choices of a training; what is zero has its default.
type options struct {
	Hops   int     `json:"hops"`
	Epochs int     `json:"epochs"`
	Rate   float64 `json:"rate"`
}

// region is where triples are looked for.
func (o options) region() gnnrag.RegionOptions { return gnnrag.RegionOptions{Hops: o.Hops} }

// Options are the choices of a training.
func (Method) Options() []retrieve.Option {
	return []retrieve.Option{
		{Name: "reach", Title: "Hops", Help: "How many hops from the entities in a question to look for triples.", Default: "3", Min: 1, Max: 9},
		{Name: "epochs", Title: "Epochs", Help: "The maximum number of passes through the questions. Training stops early when it no longer improves.", Default: "by the number of questions", Min: 1, Max: 10_000},
		{Name: "rate", Title: "Learning rate", Help: "Adam's initial learning rate.", Default: "0.002", Min: 0.0001, Max: 1, Real: true},
	}
}

// Settings returns options as JSON.
func (Method) Settings(v retrieve.Values) (json.RawMessage, error) {
	return json.Marshal(options{Hops: v.Int("reach"), Epochs: v.Int("epochs"), Rate: v.Real("rate")})
}

// About reads what weights say of themselves.
func (Method) About(weights []byte) (retrieve.About, error) {
	m, err := decode(weights)
	if err != nil {
		return retrieve.About{}, err
	}
	return m.About, nil
}

// form is that of weights and checkpoints.
const form learn.Form = "cairn-triples\x01"

// model is a trained network.
type model struct {
	About      retrieve.About    `json:"about"`
	Options    options           `json:"options"`
	Vocabulary *learn.Vocabulary `json:"vocabulary"`
	weights    []byte
}

// decode reads what encode wrote, or fails with ErrModel.
func decode(b []byte) (*model, error) {
	m := &model{}
	blobs, err := form.Unpack(b, m)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", retrieve.ErrModel, err)
	}
	if len(blobs) != 1 || m.Vocabulary == nil {
		return nil, fmt.Errorf("%w: its parts do not fit together", retrieve.ErrModel)
	}
	m.weights = blobs[0]
	return m, nil
}

// on makes a model ready for questions over a graph.
func (m *model) on(g *kg.Graph) (*retriever, error) {
	if known, _ := m.Vocabulary.Compare(g); known == 0 {
		return nil, fmt.Errorf("%w: the graph has none of the relations that it was trained with", retrieve.ErrModel)
	}
	r := &retriever{newScorer(g, m.Vocabulary, 0), gnnrag.NewCutter(g, m.Options.region()), m.Options}
	if err := r.params.SetWeights(m.weights); err != nil {
		return nil, fmt.Errorf("%w: %w", retrieve.ErrModel, err)
	}
	return r, nil
}
