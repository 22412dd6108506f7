package exact

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/match"
	"cairn/engine/pattern"
)

// compile makes the query of the pattern, but for its filters, which are conditions of
// their own. What the graph does not have is left open: see impossible. The nodes of soft
// conditions may share an entity with any other.
func (x *question) compile() error {
	p := *x.p.Pattern
	p.Nodes, p.Edges, p.Filters = slices.Clone(p.Nodes[:x.nodes]), slices.Clone(p.Edges[:x.edges]), nil
	for i := range p.Nodes {
		n := &p.Nodes[i]
		n.Distances = nil
		if x.p.noName[i] {
			n.Variable, n.Within = true, []kg.EntityID{}
		}
	}
	for i := range p.Edges {
		if x.p.noRelation[i] {
			p.Edges[i].Relation = ""
		}
	}
	q, err := match.Compile(x.graph, &p)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrPattern, err)
	}
	x.whole = *q
	for _, n := range x.p.Nodes[x.nodes:] {
		x.whole.Nodes = append(x.whole.Nodes, match.Node{In: slices.Compact(slices.Sorted(slices.Values(n.Entities)))})
	}
	for _, e := range x.p.Edges[x.edges:] {
		x.whole.Edges = append(x.whole.Edges, match.Edge{From: e.From, To: e.To, Either: true})
	}
	return nil
}

// part is a part of the whole query: the asked node, and what some conditions take.
type part struct {
	match.Query
	nodes, edges []int // nodes[i] is the node of the whole that is node i here
	asked        int   // in Query.Nodes
}

// part returns the part that conditions take; all of the reading takes its nodes that
// no condition is about as well. Where the asked node is to be one entity, at is that.
func (x *question) part(of mask, at kg.EntityID) *part {
	p := &part{asked: -1}
	place := slices.Repeat([]int{-1}, len(x.whole.Nodes))
	node := func(n int) int {
		if place[n] < 0 {
			place[n] = len(p.nodes)
			p.nodes = append(p.nodes, n)
			p.Nodes = append(p.Nodes, x.whole.Nodes[n])
		}
		return place[n]
	}
	if a := x.p.Asked; a >= 0 {
		p.asked = node(a)
		if at != kg.NoEntity {
			p.Nodes[p.asked].In = []kg.EntityID{at}
		}
	}
	if of == x.hard {
		for n := range x.nodes {
			node(n)
		}
	}
	taken := make([]bool, len(x.whole.Edges))
	for c := range of.all() {
		for _, e := range x.conditions[c].edges {
			taken[e] = true
		}
	}
	for e, ok := range taken {
		if ok {
			edge := x.whole.Edges[e]
			edge.From, edge.To = node(edge.From), node(edge.To)
			p.Edges, p.edges = append(p.Edges, edge), append(p.edges, e)
		}
	}
	p.SharedTriples = x.whole.SharedTriples
	for c := range of.all() {
		for _, f := range x.conditions[c].filters {
			x.filter(p, node(x.p.Filters[f].Node), x.p.Filters[f])
		}
	}
	for i := range p.Nodes {
		distinct := p.Nodes[i].Distinct
		p.Nodes[i].Distinct = 0
		for ; distinct != 0; distinct &= distinct - 1 {
			if j := place[bits.TrailingZeros64(distinct)]; j >= 0 {
				p.Nodes[i].Distinct |= 1 << j
			}
		}
	}
	return p
}

// filter makes a node of the part keep those entities alone that a filter does.
func (x *question) filter(p *part, n int, f pattern.Filter) {
	before := p.Nodes[n].Keep
	p.Nodes[n].Keep = func(e kg.EntityID) bool {
		return pattern.Passes(x.graph, e, []pattern.Filter{f}) && (before == nil || before(e))
	}
}

// apart makes the asked node of a part bind to nothing that the question names.
func (x *question) apart(p *part) {
	before := p.Nodes[p.asked].Keep
	p.Nodes[p.asked].Keep = func(e kg.EntityID) bool { return !x.isNamed(e) && (before == nil || before(e)) }
}

// isNamed reports whether the question names an entity, which is then no answer to it.
func (x *question) isNamed(e kg.EntityID) bool {
	return x.p.Reuse != pattern.ReuseAll && slices.ContainsFunc(x.p.Nodes, func(n pattern.Node) bool {
		return !n.Variable && slices.Contains(n.Entities, e)
	})
}

// binding is one solution, written for the whole pattern: kg.NoEntity and kg.NoTriple
// where a part does not reach.
type binding struct {
	nodes    []kg.EntityID
	edges    []kg.TripleID
	distance float64
}

// of writes a solution of a part for the whole pattern.
func (x *question) of(p *part, b match.Binding) binding {
	w := binding{
		nodes: slices.Repeat([]kg.EntityID{kg.NoEntity}, len(x.whole.Nodes)),
		edges: slices.Repeat([]kg.TripleID{kg.NoTriple}, len(x.whole.Edges)),
	}
	for i, n := range p.nodes {
		w.nodes[n] = b.Nodes[i]
	}
	for i, e := range p.edges {
		w.edges[e] = b.Edges[i]
	}
	_, _, w.distance = x.p.distances(x.graph, w.nodes, w.edges)
	return w
}

// each yields the solutions of a part until yield says no.
func (x *question) each(ctx context.Context, p *part, yield func(match.Binding) bool) error {
	if x.impossible(p) {
		return ctx.Err()
	}
	s, err := x.engine(&p.Query).Each(ctx, &p.Query, yield)
	x.count(s)
	return err
}

// impossible reports whether a part has what the graph does not.
func (x *question) impossible(p *part) bool {
	return slices.ContainsFunc(p.nodes, func(n int) bool { return x.p.noName[n] }) ||
		slices.ContainsFunc(p.edges, func(e int) bool { return x.p.noRelation[e] })
}

// best returns the nearest solution of a part, the first of those; ok is false where it
// has none.
func (x *question) best(ctx context.Context, p *part) (w binding, ok bool, err error) {
	left := 1
	if x.p.hasAlternatives() {
		left = 1000
	}
	err = x.each(ctx, p, func(b match.Binding) bool {
		if found := x.of(p, b); !ok || found.distance < w.distance {
			w, ok = found, true
		}
		left--
		return left > 0 && w.distance > 0
	})
	return w, ok, err
}

// answersOf returns the entities that the asked node of a part is bound to, ascending.
func (x *question) answersOf(ctx context.Context, p *part) (out []kg.EntityID, err error) {
	if x.impossible(p) {
		return nil, ctx.Err()
	}
	if e, ok := x.engine(&p.Query).(answerer); ok {
		out, s, err := e.Answers(ctx, &p.Query, p.asked, 0)
		x.count(s)
		return out, err
	}
	seen := map[kg.EntityID]bool{}
	err = x.each(ctx, p, func(b match.Binding) bool {
		if e := b.Nodes[p.asked]; !seen[e] {
			seen[e] = true
			out = append(out, e)
		}
		return true
	})
	slices.Sort(out)
	return out, err
}

// answerer is an engine that finds what a node is bound to without every binding.
type answerer interface {
	Answers(ctx context.Context, q *match.Query, node, limit int) ([]kg.EntityID, match.Stats, error)
}

func (x *question) count(s match.Stats) {
	x.found.Stats.Considered += s.Considered
	x.found.Stats.Found += s.Found
}
