package match

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/internal/wording"
)

// ErrOpen is returned for a pattern that is not fixed (pattern.Pattern.IsFixed): what it
// means is a matter of likeness.
var ErrOpen = errors.New("the pattern has names that are not linked, or relations that are not settled")

// Compile makes the query whose bindings are p's matches at no distance. Nodes and edges
// keep their places; a variable that nothing restricts and nothing asks for stays
// unbound, as kg.NoEntity. Hints of types count as far as the planner resolved them
// (Node.Within). What p orders by must be a value; the order itself is left to the caller.
//
// It fails with ErrOpen, and with ErrQuery where p is malformed.
func Compile(g *kg.Graph, p *pattern.Pattern) (*Query, error) {
	if !p.IsFixed() {
		return nil, ErrOpen
	}
	if len(p.Nodes) > MaxNodes || p.Asked >= len(p.Nodes) {
		return nil, fmt.Errorf("%w: %d nodes, of which node %d is asked", ErrQuery, len(p.Nodes), p.Asked)
	}
	q := &Query{SharedTriples: p.Reuse == pattern.ReuseAll}
	q.Edges = wording.Each(p.Edges, func(e pattern.Edge) Edge { return compileEdge(g, e) })
	free := 0
	for i := range p.Nodes {
		n, idle := compileNode(g, p, i)
		if idle {
			free++
		}
		q.Nodes = append(q.Nodes, n)
	}
	if free == len(p.Nodes) && free > 0 {
		q.Nodes[0].In = []kg.EntityID{} // it says nothing, so that nothing matches it
	}
	if o := p.Order; o != nil && (o.Node < 0 || o.Node >= len(p.Nodes)) {
		return nil, fmt.Errorf("%w: ordered by node %d of %d", ErrQuery, o.Node, len(p.Nodes))
	}
	for i, f := range p.Filters {
		if f.Node < 0 || f.Node >= len(p.Nodes) {
			return nil, fmt.Errorf("%w: filter %d is on node %d of %d", ErrQuery, i, f.Node, len(p.Nodes))
		}
	}
	return q, q.Validate(g)
}

func compileEdge(g *kg.Graph, e pattern.Edge) Edge {
	out := Edge{From: e.From, To: e.To, Either: e.Direction == pattern.Either}
	if len(e.Fixed) > 0 {
		out.Relations = slices.Compact(slices.Sorted(slices.Values(e.Fixed)))
	}
	if len(e.Conditions) > 0 {
		out.Keep = pattern.NewTest(g, e.Conditions).Holds
	}
	return out
}

// compileNode makes node i, and reports whether it is idle: it stays unbound.
func compileNode(g *kg.Graph, p *pattern.Pattern, i int) (n Node, idle bool) {
	in := p.Nodes[i].Entities
	if p.Nodes[i].Variable {
		in = p.Nodes[i].Within
	}
	ordered := p.Order != nil && p.Order.Node == i
	switch {
	case isIdle(p, i) && ordered:
		return Node{In: []kg.EntityID{}}, true // no value to order by
	case isIdle(p, i):
		return Node{In: []kg.EntityID{kg.NoEntity}}, true
	}
	n.In = kg.Ascending(in)
	n.Distinct = p.Apart(i)
	for j := range p.Nodes {
		if isIdle(p, j) {
			n.Distinct &^= 1 << j
		}
	}
	filters := p.FiltersOf(i)
	if ordered {
		filters = append(filters, pattern.Filter{Op: pattern.AtMost, Value: math.Inf(1)}) // any value
	}
	if len(filters) > 0 {
		n.Keep = func(e kg.EntityID) bool { return pattern.Passes(g, e, filters) }
	}
	return n, false
}

// isIdle reports whether nothing restricts node i and nothing asks for it.
func isIdle(p *pattern.Pattern, i int) bool {
	n := p.Nodes[i]
	return n.Variable && n.Within == nil && i != p.Asked &&
		!slices.ContainsFunc(p.Edges, func(e pattern.Edge) bool { return e.From == i || e.To == i })
}
