package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/query"
	"cairn/engine/retrieve"
	"cairn/internal/wording"
)

// evaluator describes what looks for the evidence of patterns that are not plain,
// whichever method was chosen.
var evaluator = retrieve.Info{
	ID: "query", Title: "Query evaluation", Help: "computes exactly what a query counts, compares, excludes or joins", Who: "the query evaluator",
	Plan: "read the question", Retrieve: "evaluate the query", Basis: "the result of the query", Claims: true, Counts: true,
}

// readsOperators reports whether the built-in planner reads a question as a pattern that
// only the evaluator answers: a method that begins at names would not see it. A baseline
// is not helped so.
func (a *asking) readsOperators(ctx context.Context) (bool, error) {
	if a.method.Info().Baseline {
		return false, nil
	}
	p, err := a.builtin.Plan(ctx, a.run.Question, a.run.Mentions)
	if err != nil || len(p.Readings) == 0 || p.Readings[0].Pattern.IsPlain() || p.Doubt > plan.Unsure {
		return false, err
	}
	a.run.Plan = p
	a.choose()
	return true, nil
}

// evaluate finds what a pattern asks for that is not plain.
func (a *asking) evaluate(ctx context.Context) error {
	run := a.run
	p, notes, err := ground(ctx, a.graph, a.vocab, run.Pattern())
	if err != nil {
		return err
	}
	grounded := *run.Plan
	grounded.Readings = slices.Clone(run.Plan.Readings)
	grounded.Readings[run.Reading].Pattern = p
	run.Plan, run.Method = &grounded, evaluator
	if lacks(p) { // what lacks a name would be met by everything, were it asked not to be so
		run.Found = evidence.Found{Notes: notes}
		return nil
	}
	run.Found, err = query.Evaluate(ctx, a.graph, p, query.Limits{WallTime: a.opts.MaxWallTime})
	if errors.Is(err, query.ErrPattern) {
		run.Found.Notes, err = []string{wording.Capital(err.Error()) + "."}, nil
	}
	if err != nil {
		return fmt.Errorf("evaluate the query: %w", err)
	}
	run.Found.Notes = slices.Concat(notes, run.Found.Notes)
	if p.Task == pattern.Describe && a.engine.store != nil {
		for i := range run.Answers {
			x := &run.Answers[i]
			known, err := a.engine.store.Entities(ctx, x.Entity, x.Entity+1)
			if err != nil {
				return fmt.Errorf("read a description: %w", err)
			}
			for _, k := range known {
				x.Text = k.Description
			}
		}
	}
	a.record.Details = run.Found.Steps
	return nil
}

// lacks reports whether a pattern has a name or a relation that the graph does not.
func lacks(p *pattern.Pattern) bool {
	return slices.ContainsFunc(p.Nodes, func(n pattern.Node) bool { return !n.Variable && len(n.Entities) == 0 }) ||
		slices.ContainsFunc(p.AllEdges(), func(e pattern.Edge) bool { return e.Relation != "" && len(e.Fixed) == 0 })
}

// What counts as the name of something; distances are those of link.Neighbour.
const (
	nearName, nearRelation, nearKind = 0.5, 0.9, 0.6
	lookedAt                         = 16
)

// nearest returns those of the neighbours that are nearest, if they are near enough.
func nearest[ID comparable](near []link.Neighbour[ID], limit float64) (ids []ID, distance float64) {
	for _, n := range near {
		if n.Distance <= limit && n.Distance <= near[0].Distance+1e-9 && !slices.Contains(ids, n.ID) {
			ids = append(ids, n.ID)
		}
	}
	if len(ids) > 0 {
		distance = near[0].Distance
	}
	return ids, distance
}

// ground returns a pattern with its names linked, its relations settled and its kinds
// resolved to what is nearest in the graph, and says what was taken for something else.
func ground(ctx context.Context, g *kg.Graph, names *link.Vocabulary, p *pattern.Pattern) (*pattern.Pattern, []string, error) {
	own := *p
	own.Nodes, own.Edges, own.Branches = slices.Clone(p.Nodes), slices.Clone(p.Edges), slices.Clone(p.Branches)
	var notes []string
	taken := func(text, name string) {
		notes = append(notes, fmt.Sprintf("%s was read as %s.", wording.Quote(text), wording.Quote(wording.OneLine(name))))
	}
	var texts []string
	var at []int
	for i, n := range own.Nodes {
		if !n.Variable && len(n.Entities) == 0 {
			texts, at = append(texts, n.Text), append(at, i)
		}
	}
	near, err := names.EntitiesAll(ctx, texts, lookedAt)
	if err != nil {
		return nil, nil, fmt.Errorf("look up names: %w", err)
	}
	for j, i := range at {
		var distance float64
		if own.Nodes[i].Entities, distance = nearest(near[j], nearName); distance > 0 {
			taken(own.Nodes[i].Text, g.Label(own.Nodes[i].Entities[0]))
		}
	}
	for i := range own.Nodes {
		if err := groundKind(ctx, g, names, &own.Nodes[i]); err != nil {
			return nil, nil, err
		}
	}
	lists := [][]pattern.Edge{own.Edges}
	for i := range own.Branches {
		own.Branches[i].Edges = slices.Clone(own.Branches[i].Edges)
		lists = append(lists, own.Branches[i].Edges)
	}
	for _, edges := range lists {
		for i := range edges {
			e := &edges[i]
			if len(e.Fixed) > 0 || e.Relation == "" {
				continue
			}
			near, err := names.Relations(ctx, e.Relation, lookedAt)
			if err != nil {
				return nil, nil, fmt.Errorf("look up relation %q: %w", e.Relation, err)
			}
			var distance float64
			if e.Fixed, distance = nearest(near, nearRelation); distance > 0 {
				taken(e.Relation, g.RelationText(e.Fixed[0]))
			}
		}
	}
	return &own, slices.Compact(notes), nil
}

// groundKind restricts a variable to the kinds that its hint means.
func groundKind(ctx context.Context, g *kg.Graph, names *link.Vocabulary, n *pattern.Node) error {
	if !n.Variable || n.Within != nil || n.Type == "" || g.NumTypes() == 0 {
		return nil
	}
	near, err := names.Types(ctx, n.Type, lookedAt)
	if err != nil {
		return fmt.Errorf("look up kind %q: %w", n.Type, err)
	}
	kinds, _ := nearest(near, nearKind)
	for _, t := range kinds {
		n.Within = append(n.Within, g.OfType(t)...)
	}
	slices.Sort(n.Within)
	n.Within = slices.Compact(n.Within)
	return nil
}
