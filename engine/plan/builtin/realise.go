package builtin

import (
	"context"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/match"
	"cairn/engine/pattern"
)

// realiseBudget is how many entities and triples are looked at for the answers of one
// proposal, and again for the first of them where that is not enough.
const realiseBudget = 400_000

// realise reports whether a proposal has an answer in the graph, and notes in
// which reuse mode.
func (p *Planner) realise(ctx context.Context, pr *proposal) bool {
	p.restrict(pr)
	modes := []pattern.Reuse{pattern.ReuseVariables, pattern.ReuseAll}
	if pr.sharesOnTheWay() {
		modes = []pattern.Reuse{pattern.ReuseNone} // nothing shares with itself alone
	}
	for _, pr.reuse = range modes {
		if pr.answers = p.answers(ctx, pr); len(pr.answers) > 0 {
			p.includeName(ctx, pr)
			return true
		}
	}
	// Nothing says so; but where the graph has what would say it, the question is
	// understood, and that nothing does is the answer.
	plain := *pr
	plain.shape.said = nil
	if pr.verdict.uncued == 0 {
		plain.shape.values = slices.DeleteFunc(slices.Clone(pr.shape.values), func(v valueLeg) bool { return !v.comparison.superlative && !v.loose })
	}
	if len(pr.shape.said) == 0 && len(plain.shape.values) == len(pr.shape.values) {
		return false
	}
	pr.reuse, plain.reuse = pattern.ReuseVariables, pattern.ReuseVariables
	return len(p.answers(ctx, &plain)) > 0
}

// sharesOnTheWay reports whether a proposal asks what shares something with what it only passes, or begins at
// all of a kind: who is in the same country as a company is not the client that has its name.
func (pr *proposal) sharesOnTheWay() bool {
	if len(pr.q.Shared) == 0 {
		return false
	}
	hops := pr.shape.hops()
	return slices.ContainsFunc(upTo(1, len(hops)), func(i int) bool {
		return pr.q.p.goesBack(hops, i) && (hops[i].at > 1 || pr.shape.root != nil)
	})
}

// answers returns what binds the asked node of a proposal's pattern, ascending; of more
// than can be looked at, one.
func (p *Planner) answers(ctx context.Context, pr *proposal) []kg.EntityID {
	return match.Anchored{Graph: p.g, Budget: realiseBudget}.Leads(ctx, p.written(pr).pat)
}

// includeName adds to the answers what the question names, where it is of the type that is asked
// for and a way along two relations leads back to it: the councillor X may have voted for what X
// moved. Along one relation it leads to something else, "who acted with X".
func (p *Planner) includeName(ctx context.Context, pr *proposal) {
	q, hops := pr.q, pr.shape.hops()
	if q.asked < 0 || len(q.Words[q.asked].Types) == 0 || pr.reuse != pattern.ReuseVariables || len(q.Shared) > 0 || len(pr.shape.legs) != 1 || len(hops) < 2 || pr.verdict.uncued+pr.verdict.faint > 0 {
		return
	}
	for i, h := range hops {
		if j := slices.IndexFunc(hops[:i], func(o hop) bool { return o.step.Relation() == h.step.Relation() }); j >= 0 && pr.verdict.cue[i] == pr.verdict.cue[j] {
			return
		}
	}
	all := *pr
	all.reuse = pattern.ReuseAll
	if all.answers = p.answers(ctx, &all); slices.Contains(all.answers, pr.shape.legs[0].entity) {
		*pr = all
	}
}
