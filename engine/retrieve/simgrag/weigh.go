package simgrag

import (
	"context"
	"fmt"

	"cairn/engine/kg"
	"cairn/engine/pattern"
)

// Weigh returns the graph semantic distance (Equation (3)) of one binding of p's
// nodes, as Search counts it. ok is false where the binding is no match: an
// entity is not among the candidates of its node, two nodes share one that may
// not, or an edge has no triple. Entities of nodes that Search leaves unbound are
// not looked at.
//
// It tells whether a subgraph that is known to be right could have been found,
// and how far from the best it is.
func Weigh(ctx context.Context, g *kg.Graph, p *pattern.Pattern, v Vocabulary, o Options, nodes []kg.EntityID) (distance float64, ok bool, err error) {
	o.setDefaults()
	q, err := compile(ctx, g, p, v, o)
	if err != nil {
		return 0, false, fmt.Errorf("weigh a match: %w", err)
	}
	if len(nodes) != len(q.nodes) {
		return 0, false, fmt.Errorf("weigh a match: %w: %d entities for %d nodes", ErrPattern, len(nodes), len(q.nodes))
	}
	var bound []int
	for i, e := range nodes {
		if q.nodes[i].skip {
			continue
		}
		if int(e) >= g.Entities() {
			return 0, false, fmt.Errorf("weigh a match: %w: node %d has entity %d of %d", ErrPattern, i, e, g.Entities())
		}
		bound = append(bound, i)
		for j := range i {
			if nodes[j] == e && q.nodes[i].conflicts&(1<<j) != 0 {
				return 0, false, nil
			}
		}
	}
	c, ok := q.componentCost(bound, nodes)
	return c.distance(), ok, nil
}
