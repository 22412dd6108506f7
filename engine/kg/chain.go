package kg

import "slices"

// Chain returns the triples of a shortest way along edges from an entity to another, over relations
// that it may follow from where it is; nil where none is found among the first most entities.
func (g *Graph) Chain(from EntityID, follows func(at EntityID, r RelationID) bool, is func(EntityID) bool, most int) []TripleID {
	type step struct {
		triple TripleID
		before EntityID
	}
	by := map[EntityID]step{from: {triple: NoTriple}}
	for todo := []EntityID{from}; len(todo) > 0 && len(by) < most; todo = todo[1:] {
		at := todo[0]
		var edges []Edge
		for r := range g.RelationsOut(at) {
			if follows(at, r) {
				edges = append(edges, g.Along(at, r, false)...)
			}
		}
		for r, in := range g.RelationsIn(at) {
			if g.IsSymmetric(r) && follows(at, r) {
				edges = append(edges, in...)
			}
		}
		for _, x := range edges {
			if _, seen := by[x.Entity]; seen {
				continue
			}
			by[x.Entity] = step{x.Triple, at}
			if !is(x.Entity) {
				todo = append(todo, x.Entity)
				continue
			}
			var chain []TripleID
			for e := x.Entity; e != from; e = by[e].before {
				chain = append(chain, by[e].triple)
			}
			slices.Reverse(chain)
			return chain
		}
	}
	return nil
}
