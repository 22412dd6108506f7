package gnnrag

import (
	"context"

	"cairn/engine/retrieve"
)

// Method answers with a network that was trained on the graph.
type Method struct{}

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
	return m.On(ctx, w)
}
