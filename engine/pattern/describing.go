package pattern

import (
	"cmp"
	"math"
	"slices"

	"cairn/engine/kg"
)

// describing is how many things a pattern names from which on it describes what it asks
// for, rather than what that is one of.
const describing = 3

// Describes returns, for a pattern that describes what it asks for, how unlikely its
// description is to be one of an entity: −log of the chance that who draws as many of the
// entity's triples as there are names draws these. It is least of what has little else
// to say of it, and of what is joined to the names in several ways. It returns nil for a
// pattern that describes nothing.
func (p *Pattern) Describes(g *kg.Graph) func(kg.EntityID) float64 {
	var names [][]kg.EntityID
	for _, n := range p.Nodes {
		if !n.Variable {
			names = append(names, n.Entities)
		}
	}
	if len(names) < describing || p.Asked < 0 {
		return nil
	}
	return func(e kg.EntityID) float64 {
		if e == kg.NoEntity {
			return 0
		}
		sum := float64(len(names)) * math.Log(float64(max(1, g.Degree(e))))
		for _, of := range names {
			n := 0
			for _, name := range of {
				n += joins(g, e, name)
			}
			sum -= math.Log(float64(max(1, n)))
		}
		return sum
	}
}

// joins counts the triples that join two entities.
func joins(g *kg.Graph, a, b kg.EntityID) (n int) {
	if g.Degree(b) < g.Degree(a) {
		a, b = b, a
	}
	count := func(_ kg.RelationID, edges []kg.Edge) bool {
		i, _ := slices.BinarySearchFunc(edges, b, func(x kg.Edge, b kg.EntityID) int { return cmp.Compare(x.Entity, b) })
		for ; i < len(edges) && edges[i].Entity == b; i++ {
			n++
		}
		return true
	}
	g.RelationsOut(a)(count)
	g.RelationsIn(a)(count)
	return n
}
