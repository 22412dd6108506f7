package schema

import (
	"cmp"
	"slices"

	"cairn/engine/kg"
)

// maxCounted is how many triples are looked at, about, to see which relations are
// frequent. A sample of a large graph shows that well enough.
const maxCounted = 1_000_000

// Frequent returns the relations that occur in a graph, the most frequent first, a
// triple of each by relation, and the types, the largest first.
func Frequent(g *kg.Graph) (relations []kg.RelationID, example []kg.TripleID, types []kg.TypeID) {
	count := make([]int, g.Relations())
	example = make([]kg.TripleID, g.Relations())
	stride := max(1, g.Triples()/maxCounted)
	for i := 0; i < g.Triples(); i += stride {
		r := g.Triple(kg.TripleID(i)).Relation
		if count[r] == 0 {
			example[r] = kg.TripleID(i)
			relations = append(relations, r)
		}
		count[r]++
	}
	slices.SortFunc(relations, func(a, b kg.RelationID) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	types = make([]kg.TypeID, g.NumTypes())
	for t := range types {
		types[t] = kg.TypeID(t)
	}
	slices.SortStableFunc(types, func(a, b kg.TypeID) int { return cmp.Compare(len(g.OfType(b)), len(g.OfType(a))) })
	return relations, example, types
}
