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
		more, err := unknown(ctx, a.graph, a.vocab, p)
		run.Found = evidence.Found{Notes: append(notes, more...)}
		return err
	}
	run.Found, err = query.Evaluate(ctx, a.graph, p, query.Limits{WallTime: a.opts.MaxWallTime})
	if errors.Is(err, query.ErrPattern) {
		run.Found.Notes, err = []string{wording.Capital(err.Error()) + "."}, nil
	}
	if err != nil {
		return fmt.Errorf("evaluate the query: %w", err)
	}
	more, err := unknown(ctx, a.graph, a.vocab, p)
	if err != nil {
		return err
	}
	run.Found.Notes = slices.Concat(notes, more, run.Found.Notes)
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

// unknown says what is nearest to the names, relations and kinds of a grounded pattern that the graph
// does not have.
func unknown(ctx context.Context, g *kg.Graph, names *link.Vocabulary, p *pattern.Pattern) (notes []string, err error) {
	say := func(text string, near []string) {
		if near = slices.Compact(near); len(near) > 0 {
			notes = append(notes, fmt.Sprintf("Nearest to %s in this graph: %s.", wording.Quote(text), wording.Quotes(near[:min(len(near), suggested)])))
		}
	}
	for _, n := range p.Nodes {
		switch {
		case !n.Variable && len(n.Entities) == 0:
			near, err := names.Entities(ctx, n.Text, lookedAt)
			if err != nil {
				return nil, fmt.Errorf("look up %q: %w", n.Text, err)
			}
			say(n.Text, labels(near, g.Label))
		case n.Variable && n.Type != "" && n.Within == nil && g.NumTypes() > 0:
			near, err := names.Types(ctx, n.Type, lookedAt)
			if err != nil {
				return nil, fmt.Errorf("look up kind %q: %w", n.Type, err)
			}
			notes = append(notes, fmt.Sprintf("No kind of thing in this graph is called %s, so it restricts nothing.", wording.Quote(n.Type)))
			say(n.Type, labels(near, g.TypeLabel))
		}
	}
	for _, e := range p.AllEdges() {
		if e.Relation != "" && len(e.Fixed) == 0 {
			near, err := names.Relations(ctx, e.Relation, lookedAt)
			if err != nil {
				return nil, fmt.Errorf("look up relation %q: %w", e.Relation, err)
			}
			say(e.Relation, labels(near, g.RelationText))
		}
	}
	return slices.Compact(notes), nil
}

// suggested is how many names are suggested for one that is not there.
const suggested = 3

// labels are what neighbours that are near at all are called.
func labels[ID comparable](near []link.Neighbour[ID], label func(ID) string) (list []string) {
	const far = 1.1 // beside this there is always something
	for _, n := range near {
		if n.Distance < far {
			list = append(list, wording.OneLine(label(n.ID)))
		}
	}
	return list
}

// groundKind restricts a variable to the kinds that its hint means.
func groundKind(ctx context.Context, g *kg.Graph, names *link.Vocabulary, n *pattern.Node) error {
	if !n.Variable || n.Within != nil || n.Type == "" || g.NumTypes() == 0 {
		return nil
	}
	of := func(kinds ...string) (es []kg.EntityID, exact bool, err error) {
		for _, kind := range kinds {
			near, err := names.Types(ctx, kind, lookedAt)
			if err != nil {
				return nil, false, fmt.Errorf("look up kind %q: %w", kind, err)
			}
			types, distance := nearest(near, nearKind)
			exact = len(types) > 0 && distance == 0
			for _, t := range types {
				es = append(es, g.OfType(t)...)
			}
		}
		return kg.Distinct(es), exact, nil
	}
	kinds := pattern.ReadKinds(n.Type)
	all, exact, err := of(n.Type)
	if err != nil || exact || kinds.IsOne() {
		n.Within = all
		return err
	}
	var parts [3][]kg.EntityID
	for i, list := range [][]string{kinds.Any, kinds.Also, kinds.No} {
		if parts[i], _, err = of(list...); err != nil {
			return err
		}
	}
	if len(parts[0]) == 0 {
		return nil
	}
	is := func(part int) func(kg.EntityID) bool {
		return func(e kg.EntityID) bool { return kg.Holds(parts[part], e) }
	}
	n.Within = slices.DeleteFunc(parts[0], is(2))
	if also := is(1); len(kinds.Also) > 0 {
		n.Within = slices.DeleteFunc(n.Within, func(e kg.EntityID) bool { return !also(e) })
	}
	if n.Within == nil {
		n.Within = []kg.EntityID{}
	}
	return nil
}
