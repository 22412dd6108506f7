package simgrag

import (
	"context"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/retrieve"
)

// Method matches the pattern that a question is read as.
type Method struct{}

// Info describes the method.
func (Method) Info() retrieve.Info {
	return retrieve.Info{
		ID: "pattern", Title: "Pattern matching", Help: "matches the pattern that the question is read as",
		Who: "pattern matching", Plan: "read the question", Retrieve: "match the graph",
		Basis: "the entities bound to the pattern", Claims: true, Counts: true,
	}
}

// Open makes the method ready; there is nothing to prepare.
func (Method) Open(_ context.Context, w retrieve.World) (retrieve.Retriever, error) {
	return matcher{w.Graph, w.Names}, nil
}

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
	if err != nil {
		return found, err
	}
	if len(found.Candidates) > 0 {
		m.support(&found, p)
		return found, nil
	}
	relaxed, err := Relax(ctx, m.graph, p, m.names, o)
	found.Closest = relaxed.Candidates
	return found, err
}

// support tells for each answer which matches support it, and explains the first ones.
func (m matcher) support(f *evidence.Found, p *pattern.Pattern) {
	if len(f.Answers) == 0 {
		return
	}
	f.Support(func(c evidence.Candidate) kg.EntityID { return c.Nodes[p.Asked] })
	for i := range f.Answers[:min(len(f.Answers), evidence.Explained)] {
		if a := &f.Answers[i]; len(a.Supports) > 0 {
			a.Explanation = explain(m.graph, p, f.Candidates[a.Supports[0]])
		}
	}
}
