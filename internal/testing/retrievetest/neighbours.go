package retrievetest

import (
	"context"
	"slices"
	"strconv"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/retrieve"
)

// Neighbours answers with what is next to the entities that a question names.
type Neighbours struct{}

// Info describes the method.
func (Neighbours) Info() retrieve.Info {
	return retrieve.Info{
		ID: "neighbours", Title: "Neighbours", Help: "what is next to the named entities is listed", Who: "the list of neighbours",
		Plan: "where to look", Retrieve: "list the neighbours", Basis: "the neighbours", Seeded: true,
	}
}

// Open makes the method ready.
func (Neighbours) Open(_ context.Context, w retrieve.World) (retrieve.Retriever, error) {
	return lister{w.Graph}, nil
}

type lister struct{ g *kg.Graph }

// Retrieve lists the neighbours by their ids, each with a path.
func (l lister) Retrieve(ctx context.Context, q retrieve.Query) (evidence.Found, error) {
	return listed(ctx, q, func(e kg.EntityID) []kg.Edge { return slices.Concat(l.g.Out(e), l.g.In(e)) })
}

// listed answers with what edges lead to from the seeds.
func listed(ctx context.Context, q retrieve.Query, edges func(kg.EntityID) []kg.Edge) (evidence.Found, error) {
	var f evidence.Found
	for _, seed := range q.Seeds {
		next := map[kg.EntityID][]kg.TripleID{}
		for _, e := range edges(seed) {
			if e.Entity != seed && !slices.Contains(q.Seeds, e.Entity) {
				next[e.Entity] = append(next[e.Entity], e.Triple)
			}
		}
		for e, hop := range next {
			slices.Sort(hop)
			f.Answers = append(f.Answers, evidence.Answer{Entity: e})
			f.Candidates = append(f.Candidates, evidence.Path([]kg.EntityID{seed, e}, [][]kg.TripleID{hop}, "neighbours"))
		}
	}
	slices.SortFunc(f.Answers, evidence.ByScore)
	slices.SortFunc(f.Candidates, func(a, b evidence.Candidate) int { return slices.Compare(a.Edges, b.Edges) })
	f.Answers = slices.CompactFunc(f.Answers, func(a, b evidence.Answer) bool { return a.Entity == b.Entity })
	f.Support(evidence.Candidate.End)
	for i := range f.Answers[:min(len(f.Answers), evidence.Explained)] {
		f.Answers[i].Explanation.Message = "all neighbours are alike"
	}
	f.Stats.Considered, f.Stats.Found = len(f.Candidates), len(f.Answers)
	if n := q.Limits.Answers; n > 0 && n < len(f.Answers) {
		f.Answers, f.Completeness = f.Answers[:n], evidence.CutByK
	}
	return f, ctx.Err()
}

// Degree answers with a value that is no entity: how many neighbours the entities
// have that a question names.
type Degree struct{ Neighbours }

// Info describes the method.
func (Degree) Info() retrieve.Info {
	i := Neighbours{}.Info()
	i.ID, i.Title, i.Help = "degree", "Degree", "the neighbours of the named entities are counted"
	return i
}

// Open makes the method ready.
func (Degree) Open(_ context.Context, w retrieve.World) (retrieve.Retriever, error) {
	return counter{lister{w.Graph}}, nil
}

type counter struct{ lister }

// Retrieve counts the neighbours; the paths to all of them support the number.
func (c counter) Retrieve(ctx context.Context, q retrieve.Query) (evidence.Found, error) {
	q.Limits.Answers = 0
	f, err := c.lister.Retrieve(ctx, q)
	if err != nil || len(f.Answers) == 0 {
		return f, err
	}
	met := evidence.Score{Value: 1, Scale: evidence.Conditions}
	number := evidence.Answer{
		Entity: kg.NoEntity, Value: strconv.Itoa(len(f.Answers)), Score: met,
		Explanation: evidence.Explanation{Value: 1, Message: "the one condition, to be a neighbour, is met"},
	}
	for i := range f.Candidates {
		number.Supports = append(number.Supports, i)
	}
	f.Answers = []evidence.Answer{number}
	return f, nil
}
