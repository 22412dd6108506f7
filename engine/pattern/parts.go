package pattern

import (
	"errors"
	"fmt"
	"slices"

	"github.com/dominikbraun/graph"
)

// Parts returns the nodes of each connected part of the pattern, ascending, in
// the order of their first nodes. More than one part means that nothing in the
// question ties their matches together.
func (p *Pattern) Parts() ([][]int, error) {
	g := graph.New(graph.IntHash)
	for n := range p.Nodes {
		if err := g.AddVertex(n); err != nil {
			return nil, fmt.Errorf("pattern node %d: %w", n, err)
		}
	}
	for i, e := range p.Edges {
		// Parallel edges and edges both ways join the same nodes once.
		if err := g.AddEdge(e.From, e.To); err != nil && !errors.Is(err, graph.ErrEdgeAlreadyExists) {
			return nil, fmt.Errorf("pattern edge %d: %w", i, err)
		}
	}
	seen := make([]bool, len(p.Nodes))
	var parts [][]int
	for n := range p.Nodes {
		if seen[n] {
			continue
		}
		var part []int
		if err := graph.DFS(g, n, func(m int) bool {
			seen[m] = true
			part = append(part, m)
			return false
		}); err != nil {
			return nil, fmt.Errorf("walk the pattern from node %d: %w", n, err)
		}
		slices.Sort(part)
		parts = append(parts, part)
	}
	return parts, nil
}
