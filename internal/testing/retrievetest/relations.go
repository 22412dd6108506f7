package retrievetest

import (
	"context"
	"slices"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/retrieve"
)

// Relations reads a question as one relation next to what it names, whatever its words:
// the first of the graph for the likeliest.
type Relations struct {
	// Odds are the probabilities of the readings, of which there are no more. The default
	// value is 0.7, 0.2 and 0.05.
	Odds [3]float64
}

// Info describes the method.
func (Relations) Info() retrieve.Info {
	return retrieve.Info{
		ID: "relations", Title: "Relations", Help: "one relation next to the named entities is followed", Who: "the follower of relations",
		Plan: "choose a relation", Retrieve: "follow the relation", Basis: "where the relation leads", Seeded: true, Reads: true,
	}
}

// Open makes the method ready.
func (m Relations) Open(_ context.Context, w retrieve.World) (retrieve.Retriever, error) {
	if m.Odds == [3]float64{} {
		m.Odds = [3]float64{0.7, 0.2, 0.05}
	}
	return relations{w.Graph, m.Odds}, nil
}

type relations struct {
	g    *kg.Graph
	odds [3]float64
}

// Read lists the relations next to the first seed, those from it before those to it.
func (r relations) Read(ctx context.Context, q retrieve.Query) ([]plan.Reading, error) {
	var rs []plan.Reading
	var steps []evidence.Explanation
	add := func(to pattern.Edge, step string) {
		if n := len(rs); n < len(r.odds) && !slices.ContainsFunc(steps, func(x evidence.Explanation) bool { return x.Message == step }) {
			name := r.g.Label(q.Seeds[0])
			rs = append(rs, plan.Reading{Score: r.odds[n], Text: name + " → " + step, Pattern: &pattern.Pattern{
				Nodes: []pattern.Node{{Text: name, Entities: q.Seeds[:1:1]}, {Text: "?answer", Variable: true}},
				Edges: []pattern.Edge{to}, Asked: 1,
			}})
			steps = append(steps, evidence.Explanation{Value: r.odds[n], Message: step})
		}
	}
	for _, seed := range q.Seeds[:min(len(q.Seeds), 1)] {
		edge := func(x kg.Edge, from, to int) pattern.Edge {
			return pattern.Edge{From: from, To: to, Relation: r.g.RelationText(x.Relation), Fixed: []kg.RelationID{x.Relation}, Direction: pattern.Forward}
		}
		for _, x := range r.g.Out(seed) {
			add(edge(x, 0, 1), r.g.RelationText(x.Relation))
		}
		for _, x := range r.g.In(seed) {
			add(edge(x, 1, 0), r.g.RelationText(x.Relation)+", backwards")
		}
	}
	for i, step := range steps {
		step.Children = slices.Concat(steps[:i], steps[i+1:])
		rs[i].Explanation = evidence.Explanation{Value: step.Value, Message: "the probability of its one step", Children: []evidence.Explanation{step}}
	}
	return rs, ctx.Err()
}

// Retrieve follows the first reading.
func (r relations) Retrieve(ctx context.Context, q retrieve.Query) (evidence.Found, error) {
	if q.Readings == nil {
		var err error
		if q.Readings, err = r.Read(ctx, q); err != nil {
			return evidence.Found{}, err
		}
	}
	if len(q.Readings) == 0 {
		return evidence.Found{}, ctx.Err()
	}
	first := q.Readings[0]
	q.Seeds = first.Pattern.Named()
	f, err := listed(ctx, q, func(e kg.EntityID) []kg.Edge {
		to := first.Pattern.Edges[0]
		if to.From == 0 {
			return r.g.OutBy(e, to.Fixed[0])
		}
		return r.g.InBy(e, to.Fixed[0])
	})
	for i := range f.Answers {
		f.Answers[i].Score = evidence.Score{Value: first.Score, Scale: evidence.Probability}
	}
	for i := range f.Answers[:min(len(f.Answers), evidence.Explained)] {
		f.Answers[i].Explanation = evidence.Explanation{Value: first.Score, Message: "the probability of the reading that leads to it"}
	}
	return f, err
}
