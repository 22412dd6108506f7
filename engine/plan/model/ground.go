package model

import (
	"context"
	"fmt"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/pattern"
)

// A model says little of how its triples lie, and what it says is often the
// wrong way round (SimGRAG matches either way for that reason, §4.2). Where that
// is right and where it is not:
//
//   - A relation that the graph does not have by that name lies either way: which
//     of its relations is meant is still open.
//   - A relation that says the same in both directions lies either way.
//   - A relation of the graph's own that joins things of one kind, such as a
//     person and their parent, lies as written: read either way, "the parent of
//     Ann" would be her children too. The prompt shows how such relations lie.
//   - Any other relation of the graph's own lies as written where a best match
//     lies so, and is turned round where none does: a film and its director can
//     be told apart whichever comes first, unless they have the same name.
//
// Unknown nodes may be the same entity, since an actor may be the director too,
// but not one that the question names: what shares an actor with a film is
// another film (MetaQA's convention). Only where that finds nothing may they, and
// not where the question asks for another thing by a word such as "other".

// settle decides how the edges of a pattern lie and which of its nodes may be the
// same, and returns what it then finds.
func (p *Planner) settle(ctx context.Context, q *question, pat *pattern.Pattern) (Grounding, error) {
	var open []int // edges that may lie either way, though not in the last resort
	for i := range pat.Edges {
		e := &pat.Edges[i]
		switch {
		case len(e.Fixed) == 0 || slices.ContainsFunc(e.Fixed, p.w.Schema.Symmetric):
			e.Direction = pattern.Either
		case slices.ContainsFunc(e.Fixed, p.w.Schema.JoinsSame):
			e.Direction = pattern.Forward
		default:
			open = append(open, i)
		}
	}
	return q.reuse(pat, func() (Grounding, error) { return p.lay(ctx, pat, open) })
}

// reuse looks for a pattern, and where that finds nothing once more with unknown
// nodes that may be what the question names.
func (q *question) reuse(pat *pattern.Pattern, look func() (Grounding, error)) (Grounding, error) {
	pat.Reuse = pattern.ReuseVariables
	g, err := look()
	if err != nil || g.Found || q.shares() {
		return g, err
	}
	pat.Reuse = pattern.ReuseAll
	if again, err := look(); err != nil || again.Found {
		return again, err
	}
	pat.Reuse = pattern.ReuseVariables
	return g, nil
}

// lay lays the open edges as written, as far as the best match lies so.
func (p *Planner) lay(ctx context.Context, pat *pattern.Pattern, open []int) (Grounding, error) {
	set := func(edges []int, d pattern.Direction) {
		for _, i := range edges {
			pat.Edges[i].Direction = d
		}
	}
	set(open, pattern.Either)
	best, err := p.ground(ctx, pat)
	if err != nil || !best.Found || len(open) == 0 {
		return best, err
	}
	asGood := func(g Grounding) bool { return g.Found && g.Best.Distance <= best.Best.Distance+noise }
	set(open, pattern.Forward)
	if g, err := p.ground(ctx, pat); err != nil || asGood(g) {
		return g, err
	}
	// One after the other, so that one that is turned leaves the rest as written.
	// What does not lie as written in any best match is turned in all of them.
	set(open, pattern.Either)
	for _, i := range open {
		e := &pat.Edges[i]
		e.Direction = pattern.Forward
		g, err := p.ground(ctx, pat)
		if err != nil {
			return g, err
		}
		if asGood(g) {
			best = g
		} else {
			e.From, e.To = e.To, e.From
		}
	}
	return best, nil
}

// ground looks for the best match of a pattern. The matcher takes the nearest
// names there are, however far. A match that takes one for another with which it
// has nothing in common is none, and what was not found is kept.
func (p *Planner) ground(ctx context.Context, pat *pattern.Pattern) (Grounding, error) {
	g, err := p.w.Grounder.Ground(ctx, pat)
	if err != nil {
		return Grounding{}, fmt.Errorf("look for its pattern in the graph: %w", err)
	}
	if !g.Found {
		return g, nil
	}
	for i, d := range g.Best.NodeDistance {
		if d >= unlike {
			return Grounding{Floor: g.Best.Distance, far: pat.Nodes[i].Text}, nil
		}
	}
	for i, d := range g.Best.EdgeDistance {
		if d >= unlike {
			return Grounding{Floor: g.Best.Distance, far: pat.Edges[i].Relation}, nil
		}
	}
	return g, nil
}

// sameAnswers reports whether two readings have the same answers, and have them
// all within the budget: whatever they say, they agree.
func (p *Planner) sameAnswers(ctx context.Context, a, b *reading) (bool, error) {
	if a.isClaim() || b.isClaim() || a.Task != b.Task || !a.grounding.Found || !b.grounding.Found {
		return false, nil
	}
	var answers [2][]kg.EntityID
	for i, r := range []*reading{a, b} {
		es, whole, err := p.w.Grounder.Answers(ctx, r.Pattern)
		if err != nil {
			return false, fmt.Errorf("look for the answers of a reading: %w", err)
		}
		if !whole {
			return false, nil
		}
		slices.Sort(es)
		answers[i] = es
	}
	return slices.Equal(answers[0], answers[1]), nil
}
