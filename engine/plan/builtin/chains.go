package builtin

import (
	"context"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/schema"
)

const (
	// maxHops is the longest chain from a mention to the answer.
	maxHops = 3
	// frontier is how many entities a chain is followed to at each step: enough
	// to see which steps can go on, without walking a hub's every neighbour.
	frontier = 60
	// stepBudget is how many edges one enumeration may look at.
	stepBudget = 200_000
	// maxChains is how many chains one enumeration finds, the shortest first.
	maxChains = 2_500
)

// chainSearch enumerates the chains of steps that the graph can realise from
// one entity.
type chainSearch struct {
	q      *question
	maxLen int
	cued   []schema.Step // that some word asks for, ascending
	budget int
	queue  []chainEnd // shorter chains first, so that a limit cuts off the long
	out    [][]schema.Step
}

// chains returns every chain of at most maxLen steps from e that the graph
// realises, in a fixed order. A step that no word asks for is allowed once a
// chain; going back along the hop before needs a word, or a word such as
// "share".
func (q *question) chains(ctx context.Context, e kg.EntityID, maxLen int) [][]schema.Step {
	return q.chainsFrom(ctx, []kg.EntityID{e}, maxLen)
}

// chainsFrom is chains from any of several entities.
func (q *question) chainsFrom(ctx context.Context, from []kg.EntityID, maxLen int) [][]schema.Step {
	c := chainSearch{q: q, maxLen: maxLen, budget: stepBudget, cued: q.cuedSteps()}
	c.queue = []chainEnd{{at: from}}
	for len(c.queue) > 0 && len(c.out) < maxChains && c.budget > 0 && ctx.Err() == nil {
		end := c.queue[0]
		c.queue = c.queue[1:]
		c.extend(end.at, end.chain, end.hops, end.uncued)
	}
	return c.out
}

// cuedSteps returns the steps that some word asks for, ascending.
func (q *question) cuedSteps() []schema.Step {
	if q.cued == nil {
		q.cued = []schema.Step{}
		for _, i := range q.Cues {
			for s := range q.Words[i].Weight {
				q.cued = append(q.cued, s)
			}
		}
		q.cued = kg.Distinct(q.cued)
	}
	return q.cued
}

// chainEnd is a chain to be gone on from: the sampled entities that it leads to,
// its number of hops, and how many of them no word asks for.
type chainEnd struct {
	at           []kg.EntityID
	chain        []schema.Step
	hops, uncued int
}

// extend appends the chains that have one hop more than prefix.
func (c *chainSearch) extend(at []kg.EntityID, prefix []schema.Step, hops, uncued int) {
	for _, s := range c.candidates(at, prefix, uncued) {
		if !c.canFollow(prefix, s) || len(prefix) > 0 && s.IsBack() && c.q.p.IsTruth(s.Relation()) {
			continue // that the answer is "yes" for two things joins them by nothing
		}
		cued := c.isCued(s)
		if c.q.p.schema.IsMediator(s.To()) {
			c.mediate(at, append(slices.Clone(prefix), s), hops, uncued)
			continue
		}
		back := len(prefix) > 0 && s == c.q.p.schema.Back(prefix[len(prefix)-1])
		if back && len(c.q.Shared) == 0 && (!cued || c.q.wh == who && c.q.p.schema.Value(s.From()) != schema.NoValue) {
			continue // nobody is found by the year of something else
		}
		more := uncued
		if !cued && !back {
			more++
		}
		c.add(at, append(slices.Clone(prefix), s), hops+1, more)
	}
}

// canFollow reports whether any entity that the chain could lead to has the
// step at all.
func (c *chainSearch) canFollow(prefix []schema.Step, s schema.Step) bool {
	if len(prefix) == 0 {
		return true
	}
	sc := c.q.p.schema
	at := prefix[len(prefix)-1].To()
	if sc.Value(s.From()) != schema.NoValue && s != sc.Back(prefix[len(prefix)-1]) {
		return false
	}
	return at == s.From() || sc.Shared(at, s.From()) > 0
}

// mediate goes on over a nameless entity, such as a marriage: the step to it,
// which ends prefix, and the step from it are one hop, which either's words ask
// for.
func (c *chainSearch) mediate(at []kg.EntityID, prefix []schema.Step, hops, uncued int) {
	in := prefix[len(prefix)-1]
	middle := c.follow(at, in, false)
	if len(middle) == 0 {
		return
	}
	for _, out := range c.present(middle) {
		if out == c.q.p.schema.Back(in) || c.q.p.schema.IsMediator(out.To()) {
			continue
		}
		more := uncued
		if !c.isCued(in) && !c.isCued(out) {
			more++
		}
		if c.leadsBack(middle, out, at) {
			continue
		}
		c.add(middle, append(slices.Clone(prefix), out), hops+1, more)
	}
}

// leadsBack reports whether a step leads from nameless entities only to those
// that the hop came from.
func (c *chainSearch) leadsBack(middle []kg.EntityID, out schema.Step, at []kg.EntityID) bool {
	return !slices.ContainsFunc(c.follow(middle, out, false), func(e kg.EntityID) bool {
		return !slices.Contains(at, e)
	})
}

// add appends a chain whose last step goes from the given entities, if the
// graph realises it, and what goes on from it.
func (c *chainSearch) add(at []kg.EntityID, chain []schema.Step, hops, uncued int) {
	if uncued > 1 {
		return
	}
	last := hops == c.maxLen
	next := c.follow(at, chain[len(chain)-1], last)
	if len(next) == 0 {
		return
	}
	c.out = append(c.out, chain)
	if !last {
		c.queue = append(c.queue, chainEnd{next, chain, hops, uncued})
	}
}

func (c *chainSearch) isCued(s schema.Step) bool {
	return kg.Holds(c.cued, s)
}

// candidates returns the steps worth trying from the entities, ascending: once
// a chain has its uncued step, only those that words ask for or that lead to
// nameless entities.
func (c *chainSearch) candidates(at []kg.EntityID, prefix []schema.Step, uncued int) []schema.Step {
	if uncued == 0 {
		return c.present(at)
	}
	out := slices.Concat(c.cued, c.q.p.schema.Mediated())
	if len(prefix) > 0 {
		out = append(out, c.q.p.schema.Back(prefix[len(prefix)-1]))
	}
	return kg.Distinct(out)
}

// present returns the steps that leave any of the entities, ascending.
func (c *chainSearch) present(at []kg.EntityID) []schema.Step {
	var out []schema.Step
	for _, e := range at {
		for r := range c.q.p.g.RelationsOut(e) {
			out = append(out, c.q.p.schema.Canonical(schema.Forward(r)))
		}
		for r := range c.q.p.g.RelationsIn(e) {
			out = append(out, c.q.p.schema.Canonical(schema.Forward(r).Back()))
		}
		if len(out) > 4*c.q.p.schema.Slots() {
			out = kg.Distinct(out)
		}
	}
	return kg.Distinct(out)
}

// follow returns up to frontier entities that a step leads to from the given
// ones, spread evenly over their neighbours; at the last hop one is enough.
func (c *chainSearch) follow(at []kg.EntityID, s schema.Step, last bool) []kg.EntityID {
	limit := frontier
	if last {
		limit = 1
	}
	var next []kg.EntityID
	for i, e := range at {
		if c.budget <= 0 {
			break
		}
		es := c.q.p.schema.Edges(e, s)
		c.budget -= 1 + min(len(es), limit)
		// An equal share of what is left for every entity that is left.
		share := max(1, (limit-len(next))/(len(at)-i))
		stride := max(1, len(es)/share)
		for j := 0; j < len(es) && len(next) < limit; j += stride {
			next = append(next, es[j].Entity)
		}
		if len(next) == limit {
			break
		}
	}
	return kg.Distinct(next)
}
