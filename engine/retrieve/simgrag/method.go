package simgrag

import (
	"context"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/retrieve"
)

// Method matches the pattern that a question is read as.
type Method struct{}

// Info describes the method.
func (Method) Info() retrieve.Info {
	return retrieve.Info{
		ID: "pattern", Title: "Pattern matching", Help: "the pattern that the question is read as is matched",
		Who: "pattern matching", Plan: "read the question", Retrieve: "match the graph",
		Basis: "what the pattern's nodes are bound to", Claims: true, Counts: true,
	}
}

// Open makes the method ready; there is nothing to prepare.
func (Method) Open(_ context.Context, w retrieve.World) (retrieve.Retriever, error) {
	return matcher{w.Graph, w.Names}, nil
}

// matcher matches patterns in one graph.
type matcher struct {
	graph *kg.Graph
	names retrieve.Names
}

// Retrieve returns the best matches of the query's pattern, one for each answer, or
// else what comes closest.
func (m matcher) Retrieve(ctx context.Context, q retrieve.Query) (evidence.Found, error) {
	p := q.Pattern()
	if err := ctx.Err(); err != nil || p == nil {
		return evidence.Found{}, err
	}
	o := Options{K: q.Limits.K, AllBest: true, MaxBest: q.Limits.Answers, MaxWallTime: q.Limits.WallTime}
	if q.Limits.Plain {
		o.Algorithm = Plain
	}
	found, err := Search(ctx, m.graph, p, m.names, o)
	if err != nil || len(found.Candidates) > 0 {
		return found, err
	}
	relaxed, err := Relax(ctx, m.graph, p, m.names, o)
	found.Closest = relaxed.Candidates
	return found, err
}
