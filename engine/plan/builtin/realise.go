package builtin

import (
	"context"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/pattern"
)

// reachMost is how many entities a walk keeps at each hop, and reachBudget how
// many edges it looks at: enough to know whether a reading has an answer.
const (
	reachMost   = 20_000
	reachBudget = 400_000
)

// realise reports whether a proposal has an answer in the graph, and notes in
// which reuse mode.
func (p *Planner) realise(ctx context.Context, pr *proposal) bool {
	modes := []pattern.Reuse{pattern.ReuseVariables, pattern.ReuseAll}
	if p.opts.KeepTopic {
		modes = modes[1:]
	}
	for _, mode := range modes {
		pr.reuse = mode
		if pr.answers = p.answers(ctx, &pr.shape, mode); len(pr.answers) > 0 {
			return true
		}
	}
	return false
}

// answers walks a shape and returns what binds its asked node, ascending.
func (p *Planner) answers(ctx context.Context, s *shape, mode pattern.Reuse) []kg.EntityID {
	var known []kg.EntityID
	if mode != pattern.ReuseAll {
		for _, l := range s.legs {
			known = append(known, l.entity)
		}
		slices.Sort(known)
	}
	var meet []kg.EntityID
	for i, l := range s.legs {
		to := p.reach(ctx, []kg.EntityID{l.entity}, l.steps, known)
		if i == 0 {
			meet = to
		} else {
			meet = intersect(meet, to)
		}
	}
	return p.reach(ctx, meet, s.tail, known)
}

// reach returns the entities that steps lead to, ascending, without those in
// known, which is ascending.
func (p *Planner) reach(ctx context.Context, at []kg.EntityID, steps []step, known []kg.EntityID) []kg.EntityID {
	budget := reachBudget
	for _, s := range steps {
		var next []kg.EntityID
		for _, e := range at {
			if budget < 0 || ctx.Err() != nil {
				break
			}
			es := p.schema.edges(e, s)
			budget -= 1 + len(es)
			for _, edge := range es {
				if _, isKnown := slices.BinarySearch(known, edge.Entity); !isKnown {
					next = append(next, edge.Entity)
				}
			}
		}
		slices.Sort(next)
		at = slices.Compact(next)
		at = at[:min(len(at), reachMost)]
	}
	return at
}

// intersect returns what two ascending lists share.
func intersect(a, b []kg.EntityID) []kg.EntityID {
	var out []kg.EntityID
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			out = append(out, a[0])
			a, b = a[1:], b[1:]
		}
	}
	return out
}
