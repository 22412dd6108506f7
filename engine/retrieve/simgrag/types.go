package simgrag

import (
	"math/bits"

	"cairn/engine/kg"
)

// kinds are the types that a variable is limited to. Types may have millions of
// entities each, so their union is not made: an entity is asked for its types.
type kinds struct {
	of   []kg.TypeID
	has  []bool // indexed by TypeID
	size int    // entities, those of several types counted for each
}

func (k *kinds) holds(g *kg.Graph, e kg.EntityID) bool {
	for _, t := range g.Types(e) {
		if k.has[t] {
			return true
		}
	}
	return false
}

// each calls f with every entity of the types, ascending, as long as f says so.
func (k *kinds) each(g *kg.Graph, f func(kg.EntityID) bool) {
	member := make([]uint64, g.Entities()/64+1)
	for _, t := range k.of {
		for _, e := range g.OfType(t) {
			member[e/64] |= 1 << (e % 64)
		}
	}
	for i, word := range member {
		for ; word != 0; word &= word - 1 {
			if !f(kg.EntityID(i*64 + bits.TrailingZeros64(word))) {
				return
			}
		}
	}
}

// limit limits a node to the entities of some types.
func (n *queryNode) limit(g *kg.Graph, of []kg.TypeID) {
	// A list can be walked over, so few entities are made one.
	const short = 4096
	size := 0
	for _, t := range of {
		size += len(g.OfType(t))
	}
	switch {
	case len(of) == 1:
		n.entities = g.OfType(of[0])
	case size <= short:
		var all []kg.EntityID
		for _, t := range of {
			all = append(all, g.OfType(t)...)
		}
		n.entities = kg.Distinct(all)
	default:
		n.kinds = &kinds{of: of, has: make([]bool, g.NumTypes()), size: size}
		for _, t := range of {
			n.kinds.has[t] = true
		}
	}
}
