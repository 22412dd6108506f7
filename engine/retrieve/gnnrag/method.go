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
		ID: "gnn", Title: "Trained network", Help: "scores entities with a network trained on this graph",
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
	regional := []string{string(ReaRev)}
	return []retrieve.Option{
		{Name: "network", Title: "Network", Help: "How the network answers questions.", Default: string(Flow), Choices: []retrieve.Choice{
			{Value: string(Flow), Title: "Quick: relation flow", Help: "Takes seconds on a small graph, minutes on a large one. Learns which relations to follow, step by step, from the entities in a question. Searches the whole graph and shows its reading of a question as a short plan. Cannot combine several conditions."},
			{Value: string(ReaRev), Title: "Thorough: ReaRev", Help: "Takes minutes. Scores every entity in a region around the entities in a question, in several rounds, and can combine several conditions. Shows no plan."},
		}},
		{Name: "encoder", Title: "Word vectors", Help: "How words become vectors. One network is trained for each choice, and they answer together.", Default: tokensEncoder, Several: true, Embedders: true, Choices: []retrieve.Choice{
			{Value: tokensEncoder, Title: "Learned from the questions"},
			{Value: lexicalEncoder, Title: "Built-in embedder"},
		}},
		{Name: "region", Title: "Region", Help: "How the region around a question is selected.", Default: byHops, Only: regional, Choices: []retrieve.Choice{
			{Value: byHops, Title: "Everything within a number of hops"},
			{Value: byPageRank, Title: "PageRank, as published"},
		}},
		{Name: "reach", Title: "Hops", Help: "How many hops a region extends.", Default: "3", Min: 1, Max: 9, Only: regional},
		{Name: "hub", Title: "Hub limit", Help: "Entities with more triples than this are not expanded.", Default: "derived from the graph", Min: 1, Max: 1e6, Only: regional},
		{Name: "entities", Title: "Region size", Help: "The largest number of entities in a region.", Default: "2000", Min: 1, Max: 1e6, Only: regional},
		{Name: "layers", Title: "Layers", Help: "The number of layers of the network, or of steps in relation flow.", Default: "3", Min: 1, Max: 32},
		{Name: "stages", Title: "Stages", Help: "How many times the network rereads the question.", Default: "1", Min: 1, Max: 32, Only: regional},
		{Name: "epochs", Title: "Epochs", Help: "The maximum number of passes through the questions. Training stops early when it no longer improves.", Default: "by network and data", Min: 1, Max: 10_000},
		{Name: "rate", Title: "Learning rate", Help: "Adam's initial learning rate.", Default: "0.002", Min: 0.0001, Max: 1, Real: true},
		{Name: "tries", Title: "Attempts", Help: "The maximum number of attempts if training stalls.", Default: "4", Min: 1, Max: 100},
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
