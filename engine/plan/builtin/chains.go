package builtin

import (
	"context"
	"slices"

	"cairn/engine/kg"
)

const (
	// maxHops is the longest chain from a mention to the answer.
	maxHops = 3
	// frontier is how many entities a chain is followed to at each step: enough
	// to see which steps can go on, without walking a hub's every neighbour.
	frontier = 60
	// stepBudget is how many edges one enumeration may look at.
	stepBudget = 200_000
)

// chainSearch enumerates the chains of steps that the graph can realise from
// one entity.
type chainSearch struct {
	q      *question
	maxLen int
	cued   []step // that some word asks for, ascending
	budget int
	out    [][]step
}

// chains returns every chain of at most maxLen steps from e that the graph
// realises, in a fixed order. A step that no word asks for is allowed once a
// chain; going back along the hop before needs a word, or a word such as
// "share".
func (q *question) chains(ctx context.Context, e kg.EntityID, maxLen int) [][]step {
	return q.chainsFrom(ctx, []kg.EntityID{e}, maxLen)
}

// chainsFrom is chains from any of several entities.
func (q *question) chainsFrom(ctx context.Context, from []kg.EntityID, maxLen int) [][]step {
	c := chainSearch{q: q, maxLen: maxLen, budget: stepBudget}
	for _, i := range q.cues {
		for s := range q.words[i].weight {
			c.cued = append(c.cued, s)
		}
	}
	slices.Sort(c.cued)
	c.cued = slices.Compact(c.cued)
	c.extend(ctx, from, nil, 0)
	return c.out
}

// extend appends all chains that go on from prefix, whose sampled ends are at.
func (c *chainSearch) extend(ctx context.Context, at []kg.EntityID, prefix []step, uncued int) {
	if ctx.Err() != nil {
		return
	}
	for _, s := range c.candidates(at, prefix, uncued) {
		cued := c.isCued(s)
		back := len(prefix) > 0 && s == c.q.p.schema.back(prefix[len(prefix)-1])
		if back && !cued && len(c.q.shared) == 0 {
			continue
		}
		more := uncued
		if !cued && !back {
			more++
		}
		if more > 1 {
			continue
		}
		last := len(prefix)+1 == c.maxLen
		next := c.follow(at, s, last)
		if len(next) == 0 {
			continue
		}
		chain := append(slices.Clone(prefix), s)
		c.out = append(c.out, chain)
		if !last {
			c.extend(ctx, next, chain, more)
		}
	}
}

func (c *chainSearch) isCued(s step) bool {
	_, ok := slices.BinarySearch(c.cued, s)
	return ok
}

// candidates returns the steps worth trying from the entities, ascending: once
// a chain has its uncued step, only those that words ask for.
func (c *chainSearch) candidates(at []kg.EntityID, prefix []step, uncued int) []step {
	if uncued > 0 {
		out := c.cued
		if len(prefix) == 0 {
			return out
		}
		if back := c.q.p.schema.back(prefix[len(prefix)-1]); !c.isCued(back) {
			out = append(slices.Clone(out), back)
			slices.Sort(out)
		}
		return out
	}
	var out []step
	schema := c.q.p.schema
	for _, e := range at {
		for r := range relationsOf(c.q.p.g.Out(e)) {
			out = append(out, schema.canonical[forward(r)])
		}
		for r := range relationsOf(c.q.p.g.In(e)) {
			out = append(out, schema.canonical[forward(r).back()])
		}
		if len(out) > 4*len(schema.canonical) {
			slices.Sort(out)
			out = slices.Compact(out)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// follow returns up to frontier entities that a step leads to from the given
// ones, spread evenly over their neighbours; at the last hop one is enough.
func (c *chainSearch) follow(at []kg.EntityID, s step, last bool) []kg.EntityID {
	limit := frontier
	if last {
		limit = 1
	}
	var next []kg.EntityID
	for i, e := range at {
		if c.budget <= 0 {
			break
		}
		es := c.q.p.schema.edges(e, s)
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
	slices.Sort(next)
	return slices.Compact(next)
}
