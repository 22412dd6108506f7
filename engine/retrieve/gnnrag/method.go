package gnnrag

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"cairn/engine/retrieve"
	"cairn/internal/wording"
)

// Method answers with a network that was trained on the graph.
type Method struct{}

var _ retrieve.Trainable = Method{}

// Info describes the method.
func (Method) Info() retrieve.Info {
	return retrieve.Info{
		ID: "gnn", Title: "Trained network", Help: "a network that was trained on this graph scores the entities",
		Who: "the trained network", Plan: "where to look", Retrieve: "weigh the entities",
		Basis: "the network's answers and the paths to them", Seeded: true, Trained: true,
	}
}

// Open makes the trained weights ready for a graph. It fails with ErrModel where they
// cannot be used.
func (Method) Open(ctx context.Context, w retrieve.World) (retrieve.Retriever, error) {
	m, err := Decode(w.Weights)
	if err != nil {
		return nil, err
	}
	return m.on(ctx, w)
}

// The ways to cut out a region.
const (
	byHops     = "hops"
	byPageRank = "pagerank"
)

// Options are the choices of a training.
func (Method) Options() []retrieve.Option {
	regional := []string{string(ReaRev), string(NSM), string(GraftNet)}
	return []retrieve.Option{
		{Name: "network", Title: "Network", Help: "How questions are answered.", Default: string(Flow), Choices: []retrieve.Choice{
			{Value: string(Flow), Title: "Quick: relation flow", Help: "Takes seconds on a small graph, minutes on a large one. It learns which relations to follow from what a question names, one after the other. It searches the whole graph, and shows how it read a question as a short plan. It cannot combine several conditions."},
			{Value: string(ReaRev), Title: "Thorough: ReaRev", Help: "Takes minutes. It scores every entity in a region around what a question names, in several rounds, and can combine several conditions. It shows no plan."},
			{Value: string(NSM), Title: "NSM, for comparison", Help: "An older network. It follows the question word by word."},
			{Value: string(GraftNet), Title: "GraftNet, for comparison", Help: "An older network. It scores neighbours without following steps."},
		}},
		{Name: "encoder", Title: "Word vectors", Help: "How words are read. One network is trained for each choice, and they answer together.", Default: tokensEncoder, Several: true, Embedders: true, Choices: []retrieve.Choice{
			{Value: tokensEncoder, Title: "Learned from the questions"},
			{Value: lexicalEncoder, Title: "Built-in embedder"},
		}},
		{Name: "region", Title: "Region", Help: "How the region around a question is cut out.", Default: byHops, Only: regional, Choices: []retrieve.Choice{
			{Value: byHops, Title: "Everything within some hops"},
			{Value: byPageRank, Title: "PageRank, as published"},
		}},
		{Name: "reach", Title: "Hops", Help: "How many hops a region reaches.", Default: "3", Min: 1, Max: 9, Only: regional},
		{Name: "hub", Title: "Hub limit", Help: "Entities with more triples than this are not expanded.", Default: "derived from the graph", Min: 1, Max: 1e6, Only: regional},
		{Name: "entities", Title: "Region size", Help: "The most entities in a region.", Default: "2000", Min: 1, Max: 1e6, Only: regional},
		{Name: "layers", Title: "Layers", Help: "Layers of the network, or steps of relation flow.", Default: "3", Min: 1, Max: 32},
		{Name: "stages", Title: "Stages", Help: "How many times the network reads the question again.", Default: "1", Min: 1, Max: 32, Only: regional},
		{Name: "epochs", Title: "Epochs", Help: "The most passes through the questions. Training stops early once it no longer improves.", Default: "by network and data", Min: 1, Max: 10_000},
		{Name: "rate", Title: "Learning rate", Help: "Adam's initial learning rate.", Default: "0.002", Min: 0.0001, Max: 1, Real: true},
		{Name: "tries", Title: "Attempts", Help: "The most attempts when a training stalls.", Default: "4", Min: 1, Max: 100},
		{Name: "published", Title: "As published", Help: "ReaRev without our changes.", Default: "no", Hidden: true, Choices: []retrieve.Choice{{Value: "no", Title: "no"}, {Value: "yes", Title: "yes"}}},
	}
}

// Settings returns Options as JSON.
func (Method) Settings(v retrieve.Values) (json.RawMessage, error) {
	o := Options{
		Kind: Kind(v["network"]), Encoders: v.List("encoder"), Layers: v.Int("layers"), Stages: v.Int("stages"), Epochs: v.Int("epochs"),
		Rate: v.Real("rate"), Tries: v.Int("tries"), Published: v["published"] == "yes",
		Region: RegionOptions{PageRank: v["region"] == byPageRank, Hops: v.Int("reach"), Hub: v.Int("hub"), Entities: v.Int("entities")},
	}
	return json.Marshal(o)
}

// Train trains a model and encodes it.
func (Method) Train(ctx context.Context, t retrieve.Training) ([]byte, error) {
	var o Options
	if err := t.Read(&o); err != nil {
		return nil, err
	}
	o.Seed = cmp.Or(t.Seed, o.Seed)
	m, failed := Train(ctx, t.World, t.Train, t.Held, o, t.State, &t.TrainingEvents)
	if m == nil {
		return nil, failed
	}
	m.About.Data, m.About.HeldMade = t.Data, t.HeldMade
	weights, err := m.Encode()
	return weights, errors.Join(failed, err)
}

// About reads what encoded weights say of themselves.
func (Method) About(weights []byte) (retrieve.About, error) {
	m, err := Decode(weights)
	if err != nil {
		return retrieve.About{}, err
	}
	a := m.About.About
	a.Title = m.About.Options.Kind.String()
	if n := len(m.networks); n > 1 {
		a.Title += fmt.Sprintf(", %d networks together", n)
	}
	a.Chosen = retrieve.Values{"network": string(m.About.Options.Kind), "encoder": strings.Join(m.About.Options.Encoders, ",")}
	if c := m.About.Coverage; c.Entities > 0 {
		a.Reach = &retrieve.Reach{Any: c.Any, All: c.All, Share: c.Share}
		a.Notes = append(a.Notes, c.text())
	}
	if again := a.Tries - len(m.networks); again > 0 {
		a.Notes = append(a.Notes, "It was restarted "+wording.Count(again, "time", "times")+" because training stalled.")
	}
	return a, nil
}
