package schema

import (
	"context"

	"cairn/engine/kg"
)

// reachMost is how many entities a walk keeps at each hop, and reachBudget how
// many edges it looks at: enough to know whether a reading has an answer.
const (
	reachMost   = 20_000
	reachBudget = 400_000
)

// Reach returns the entities that steps lead to, ascending.
func (s *Schema) Reach(ctx context.Context, at []kg.EntityID, steps []Step) []kg.EntityID {
	budget := reachBudget
	for _, st := range steps {
		var next []kg.EntityID
		for _, e := range at {
			if budget < 0 || ctx.Err() != nil {
				break
			}
			es := s.Edges(e, st)
			budget -= 1 + len(es)
			for _, edge := range es {
				next = append(next, edge.Entity)
			}
		}
		at = kg.Distinct(next)
		at = at[:min(len(at), reachMost)]
	}
	return at
}

// Common returns what two ascending lists share.
func Common(a, b []kg.EntityID) []kg.EntityID {
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
