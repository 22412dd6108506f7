package simgrag

import (
	"cmp"
	"slices"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/internal/wording"
)

// found is a match that is kept.
type found struct {
	cost    cost
	key     float64 // the value that the pattern orders by, negated for descending; else 0
	nodes   []kg.EntityID
	triples []kg.TripleID // distinct, ascending
}

// compareMatches is the order of the result: distance, then the pattern's own
// order, then the entities in the order of the pattern's nodes. Nothing else
// can differ, for the triples follow from the entities.
func compareMatches(a, b *found) int {
	// Not cmp.Or, which would always compare the nodes: this runs for every match.
	if a.cost != b.cost {
		return cmp.Compare(a.cost, b.cost)
	}
	if a.key != b.key {
		return cmp.Compare(a.key, b.key)
	}
	return slices.Compare(a.nodes, b.nodes)
}

// collector keeps the matches that belong in the result whatever order they
// come in: the K best with different triples and, for AllBest, the first at the
// best distance for each binding of the asked node.
type collector struct {
	q     *query
	o     Options
	found int

	top     []*found // the K best, sorted, no two with the same triples
	dropped bool     // a match did not make it into top

	best    cost // the smallest cost seen; valid where answers is not empty
	answers map[kg.EntityID]*answer
	last    *answer // the one met last: runs of matches share their answer
	kept    int     // answers with a match
	limit   *found  // a match at the best distance after this one is not kept
	cut     bool    // matches of a component were left out, and answers with them

	unvalued int // matches without a value to order by
}

// answer is a binding of the asked node at the best distance.
type answer struct {
	entity  kg.EntityID
	matches int // bindings seen
	key     float64
	best    *found // nil where it is over the limit
}

func (c *collector) offer(nodes []kg.EntityID, total cost) {
	c.found++
	m := found{cost: total, nodes: nodes}
	if o := c.q.p.Order; o != nil {
		v, ok := kg.Value{}, false
		if e := nodes[o.Node]; e != kg.NoEntity {
			v, ok = c.q.g.Value(e)
		}
		if !ok {
			c.unvalued++
			return
		}
		m.key = v.Rank()
		if o.Descending {
			m.key = -m.key
		}
	}
	if c.o.AllBest {
		c.offerBest(&m)
	}
	c.offerTop(&m)
}

// ceiling is the largest distance in the queue, once it is full.
func (c *collector) ceiling() cost {
	if len(c.top) < c.o.K {
		return never
	}
	return c.top[len(c.top)-1].cost
}

// hopeless is the pruning rule of §5.2: the bound against the largest distance
// in the queue. At equal distance a match is beaten by entities of lower id.
func (c *collector) hopeless(nodes []kg.EntityID, bound cost) bool {
	if len(c.top) < c.o.K || c.o.AllBest && bound <= c.best {
		return false
	}
	worst := c.top[len(c.top)-1]
	if bound != worst.cost || c.q.p.Order != nil {
		return bound > worst.cost
	}
	return after(nodes, worst.nodes)
}

// enough reports whether the queue is full.
func (c *collector) enough() bool { return len(c.top) == c.o.K }

// after reports whether every completion of the partial binding nodes comes
// after limit.
func after(nodes, limit []kg.EntityID) bool {
	for i, e := range nodes {
		switch e {
		case limit[i]:
		case kg.NoEntity:
			return false
		default:
			return e > limit[i]
		}
	}
	return true
}

// own returns a copy of m that may be kept, with its triples.
func (c *collector) own(m *found) *found {
	b, ok := c.q.bind(m.nodes)
	if !ok {
		panic("simgrag: a match does not bind")
	}
	return &found{
		cost: m.cost, key: m.key, nodes: slices.Clone(m.nodes),
		triples: evidence.Candidate{Edges: b.edges}.Triples(),
	}
}

func (c *collector) offerTop(m *found) {
	full := len(c.top) == c.o.K
	if full && compareMatches(m, c.top[len(c.top)-1]) >= 0 {
		c.dropped = true
		return
	}
	m = c.own(m)
	if i := slices.IndexFunc(c.top, func(o *found) bool { return slices.Equal(m.triples, o.triples) }); i >= 0 {
		if compareMatches(c.top[i], m) <= 0 {
			return
		}
		c.top = slices.Delete(c.top, i, i+1)
	}
	i, _ := slices.BinarySearchFunc(c.top, m, compareMatches)
	c.top = slices.Insert(c.top, i, m)
	if len(c.top) > c.o.K {
		c.top, c.dropped = c.top[:c.o.K], true
	}
}

func (c *collector) offerBest(m *found) {
	if len(c.answers) > 0 && m.cost > c.best {
		return
	}
	if len(c.answers) > 0 && m.cost < c.best {
		clear(c.answers)
		c.last, c.kept, c.limit = nil, 0, nil
	}
	c.best = m.cost
	a := c.answer(m)
	a.matches++
	a.key = min(a.key, m.key)
	if a.best != nil && compareMatches(m, a.best) >= 0 {
		return
	}
	if c.limit != nil && compareMatches(m, c.limit) > 0 {
		return
	}
	if a.best == nil {
		c.kept++
	}
	a.best = c.own(m)
	// Cutting back costs a sort, so it waits until there is twice too much.
	if c.kept > 2*c.o.MaxBest+checkEvery {
		c.shrink()
	}
}

// answer returns the answer that m binds the asked node to.
func (c *collector) answer(m *found) *answer {
	e := kg.NoEntity
	if asked := c.q.p.Asked; asked >= 0 {
		e = m.nodes[asked]
	}
	if c.last != nil && c.last.entity == e {
		return c.last
	}
	a := c.answers[e]
	if a == nil {
		a = &answer{entity: e, key: m.key}
		c.answers[e] = a
	}
	c.last = a
	return a
}

// shrink drops all but the first MaxBest of the matches at the best distance.
func (c *collector) shrink() {
	all := c.gather()
	if len(all) <= c.o.MaxBest {
		return
	}
	c.limit, c.kept = all[c.o.MaxBest-1], c.o.MaxBest
	for _, a := range c.answers {
		if a.best != nil && compareMatches(a.best, c.limit) > 0 {
			a.best = nil
		}
	}
}

// gather returns the matches at the best distance, sorted.
func (c *collector) gather() []*found {
	all := make([]*found, 0, c.kept)
	for _, a := range c.answers {
		if a.best != nil {
			all = append(all, a.best)
		}
	}
	slices.SortFunc(all, compareMatches)
	return all
}

func (c *collector) result(m *meter) evidence.Found {
	var r evidence.Found
	kept := c.top
	if c.o.AllBest {
		c.shrink()
		kept = c.gather()
		for _, t := range c.top {
			if t.cost > c.best {
				kept = append(kept, t)
			}
		}
		r.Answers = c.bindings()
	}
	if o := c.q.p.Order; o != nil {
		kept, r.Answers = c.extremes(kept, r.Answers, o.Limit)
		if c.unvalued > 0 {
			r.Steps = append(r.Steps, "Matches without a number or date to compare were left out.")
		}
	}
	for _, k := range kept {
		r.Candidates = append(r.Candidates, c.q.candidate(k.nodes))
	}
	switch {
	case m.timedOut:
		r.Completeness = evidence.TimedOut
	case m.spent || c.cut:
		r.Completeness = evidence.CutByBudget
	case !c.o.AllBest && (c.dropped || m.pruned > 0):
		r.Completeness = evidence.CutByK
	}
	return r
}

// bindings lists what the asked node is bound to at the best distance, by id.
func (c *collector) bindings() []evidence.Answer {
	if c.q.p.Asked < 0 {
		return nil
	}
	out := make([]evidence.Answer, 0, len(c.answers))
	for e, a := range c.answers {
		out = append(out, evidence.Answer{Entity: e, Score: evidence.Score{Value: c.best.distance(), Scale: evidence.Distance}, Matches: a.matches})
	}
	slices.SortFunc(out, func(a, b evidence.Answer) int { return cmp.Compare(a.Entity, b.Entity) })
	return out
}

// extremes keeps the first bindings by their values, as many as limit says and those that tie
// with the last, and the matches at the best distance that have such a value.
func (c *collector) extremes(ms []*found, bs []evidence.Answer, limit int) ([]*found, []evidence.Answer) {
	if limit <= 0 || len(ms) == 0 {
		return ms, bs
	}
	isBest := func(m *found) bool { return m.cost == ms[0].cost }
	keys := wording.Each(bs, func(b evidence.Answer) float64 { return c.answers[b.Entity].key })
	if len(bs) == 0 {
		for _, m := range ms {
			if isBest(m) {
				keys = append(keys, m.key)
			}
		}
	}
	slices.Sort(keys)
	last := keys[min(limit, len(keys))-1]
	bs = slices.DeleteFunc(bs, func(b evidence.Answer) bool { return c.answers[b.Entity].key > last })
	n := slices.IndexFunc(ms, func(m *found) bool { return !isBest(m) || m.key > last })
	if n < 0 {
		n = len(ms)
	}
	return ms[:n], bs
}

// candidate is a binding with its triples and the parts of its distance.
func (q *query) candidate(nodes []kg.EntityID) evidence.Candidate {
	b, ok := q.bind(nodes)
	if !ok {
		panic("simgrag: a match does not bind")
	}
	c := evidence.Candidate{
		Nodes: nodes, Edges: b.edges, Distance: b.total.distance(),
		NodeDistance: make([]float64, len(b.nodeCosts)),
		EdgeDistance: make([]float64, len(b.edgeCosts)),
	}
	for i, d := range b.nodeCosts {
		c.NodeDistance[i] = d.distance()
	}
	for i, d := range b.edgeCosts {
		c.EdgeDistance[i] = d.distance()
	}
	return c
}
