package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/pattern"
	bymodel "cairn/engine/plan/model"
	"cairn/engine/query"
	"cairn/engine/retrieve/simgrag"
)

// grounder tells the planner by model what a pattern finds.
type grounder struct {
	graph *kg.Graph
	vocab *link.Vocabulary
}

// search are the options of one look at the graph. The budget comes before the
// deadline, so that what is found does not depend on the machine but where it is
// very slow.
func (grounder) search() simgrag.Options {
	return simgrag.Options{K: 1, Budget: 500_000, MaxWallTime: 2 * time.Second}
}

// Ground returns the best match of a pattern.
func (w grounder) Ground(ctx context.Context, p *pattern.Pattern) (bymodel.Grounding, error) {
	if !p.IsPlain() {
		found, err := w.evaluate(ctx, p)
		g := bymodel.Grounding{Cut: found.Completeness != evidence.Exhaustive}
		if g.Found = len(found.Candidates) > 0; g.Found {
			g.Best = found.Candidates[0]
		}
		return g, err
	}
	r, err := simgrag.Search(ctx, w.graph, p, w.vocab, w.search())
	if errors.Is(err, simgrag.ErrPattern) {
		return bymodel.Grounding{}, nil // it matches nothing
	}
	if err != nil {
		return bymodel.Grounding{}, err
	}
	g := bymodel.Grounding{Cut: r.Completeness == evidence.TimedOut || r.Completeness == evidence.CutByBudget}
	if g.Found = len(r.Candidates) > 0; g.Found {
		g.Best = r.Candidates[0]
		return g, nil
	}
	g.Floor, err = w.floor(ctx, p)
	return g, err
}

// floor returns the least distance that a match of p could have.
func (w grounder) floor(ctx context.Context, p *pattern.Pattern) (float64, error) {
	sum := 0.0
	for _, n := range p.Nodes {
		switch {
		case n.Variable:
		case len(n.Distances) > 0:
			sum += slices.Min(n.Distances)
		case len(n.Entities) == 0:
			near, err := w.vocab.Entities(ctx, n.Text, 1)
			if err != nil {
				return 0, err
			}
			if len(near) > 0 {
				sum += near[0].Distance
			}
		}
	}
	for _, e := range p.Edges {
		if len(e.Fixed) > 0 || e.Relation == "" {
			continue
		}
		near, err := w.vocab.Relations(ctx, e.Relation, 1)
		if err != nil {
			return 0, err
		}
		if len(near) > 0 {
			sum += near[0].Distance
		}
	}
	return sum, nil
}

// evaluate finds what a pattern asks for that is not plain; nothing for one that makes no
// sense.
func (w grounder) evaluate(ctx context.Context, p *pattern.Pattern) (evidence.Found, error) {
	p, _, err := ground(ctx, w.graph, w.vocab, p)
	if err != nil || lacks(p) {
		return evidence.Found{}, err
	}
	found, err := query.Evaluate(ctx, w.graph, p, query.Limits{WallTime: w.search().MaxWallTime})
	if errors.Is(err, query.ErrPattern) {
		err = nil
	}
	return found, err
}

// mostAnswers is how many answers are compared, one match for each.
const mostAnswers = 20_000

// Answers returns what the asked node is bound to at the best distance.
func (w grounder) Answers(ctx context.Context, p *pattern.Pattern) (answers []kg.EntityID, whole bool, err error) {
	if !p.IsPlain() {
		found, err := w.evaluate(ctx, p)
		for _, a := range found.Answers[:min(len(found.Answers), mostAnswers)] {
			answers = append(answers, a.Entity)
		}
		return answers, found.Completeness == evidence.Exhaustive, err
	}
	o := w.search()
	o.AllBest, o.MaxBest = true, mostAnswers
	r, err := simgrag.Search(ctx, w.graph, p, w.vocab, o)
	if err != nil {
		return nil, false, err
	}
	for _, b := range r.Answers {
		answers = append(answers, b.Entity)
	}
	return answers, r.Completeness == evidence.Exhaustive, nil
}
