package simgrag

import (
	"slices"

	"cairn/engine/kg"
	"cairn/engine/pattern"
)

// passes reports whether the value of e meets every filter; an entity that is
// no value meets none.
func passes(g *kg.Graph, e kg.EntityID, filters []pattern.Filter) bool {
	if len(filters) == 0 {
		return true
	}
	v, ok := kg.ParseValue(g.Label(e))
	return ok && !slices.ContainsFunc(filters, func(f pattern.Filter) bool { return !f.Holds(v) })
}
