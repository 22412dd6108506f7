package match

import (
	"context"
	"slices"

	"cairn/engine/kg"
)

// Sizes at which ways change.
const (
	Few   = few
	Whole = whole
)

// Narrowed are the bindings where candidates are narrowed from a root as far as a budget goes.
func Narrowed(g *kg.Graph, q *Query, root, budget int) (all []Binding, err error) {
	s, err := Anchored{Graph: g}.search(context.Background(), q)
	if err != nil {
		return nil, err
	}
	s.found = func() bool {
		s.fill()
		all = append(all, Binding{slices.Clone(s.binding.Nodes), slices.Clone(s.binding.Edges)})
		return true
	}
	if s.narrow(root, budget) {
		s.extend(0)
	}
	return all, nil
}
