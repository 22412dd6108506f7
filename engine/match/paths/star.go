package paths

import (
	"cmp"
	"slices"

	"cairn/engine/kg"
)

// Leaf is one thing that a star has, and how often.
type Leaf struct{ Symbol, Count uint32 }

// Symbols of leaves are dense: 0 for a neighbour whatever it is, then two for each
// relation (out, in), one for each triple, then one for each type, one for each
// neighbour of it.
//
// Neighbours are counted once each, however many triples lead there. Of a query only
// that is counted of which it is certain that every binding tells it apart: its leaves
// are a part of those of each entity that its node may bind to.

// OutSymbol is the symbol of triples of a relation that lead out.
func OutSymbol(r kg.RelationID) uint32 { return 1 + 2*uint32(r) }

// InSymbol is the symbol of triples of a relation that lead in.
func InSymbol(r kg.RelationID) uint32 { return 2 + 2*uint32(r) }

// TypeSymbol is the symbol of neighbours of a type.
func TypeSymbol(g *kg.Graph, t kg.TypeID) uint32 {
	return 1 + 2*uint32(g.Relations()) + uint32(t)
}

// Star is the leaves of an entity, ascending by symbol.
func Star(g *kg.Graph, e kg.EntityID) []Leaf {
	var leaves []Leaf
	for r, edges := range g.RelationsOut(e) {
		leaves = append(leaves, Leaf{OutSymbol(r), uint32(len(edges))})
	}
	for r, edges := range g.RelationsIn(e) {
		leaves = append(leaves, Leaf{InSymbol(r), uint32(len(edges))})
	}
	near := Neighbours(g, e)
	leaves = append(leaves, Leaf{0, uint32(len(near))})
	for _, n := range near {
		for _, t := range g.Types(n) {
			leaves = append(leaves, Leaf{TypeSymbol(g, t), 1})
		}
	}
	return Merged(leaves)
}

// Merged sorts leaves and adds up those of one symbol.
func Merged(leaves []Leaf) []Leaf {
	slices.SortFunc(leaves, func(a, b Leaf) int { return cmp.Compare(a.Symbol, b.Symbol) })
	out := leaves[:0]
	for _, l := range leaves {
		if n := len(out); n > 0 && out[n-1].Symbol == l.Symbol {
			out[n-1].Count += l.Count
		} else if l.Count > 0 {
			out = append(out, l)
		}
	}
	return out
}

// Neighbours are the entities one triple away, itself included by a self-loop,
// ascending.
func Neighbours(g *kg.Graph, e kg.EntityID) []kg.EntityID {
	out, in := g.Out(e), g.In(e)
	near := make([]kg.EntityID, 0, len(out)+len(in))
	for _, edges := range [][]kg.Edge{out, in} {
		for _, x := range edges {
			near = append(near, x.Entity)
		}
	}
	return kg.Distinct(near)
}

// star is the leaves that every entity has that node n may bind to.
func (s *search) star(n int) []Leaf {
	var near []int // neighbours of n in the query, each once
	uses := map[uint32][]int{}
	for k, e := range s.q.Edges {
		if e.From != n && e.To != n {
			continue
		}
		if far := e.From + e.To - n; !slices.Contains(near, far) {
			near = append(near, far)
		}
		if len(e.Relations) != 1 || e.Either {
			continue
		}
		if e.From == n {
			uses[OutSymbol(e.Relations[0])] = append(uses[OutSymbol(e.Relations[0])], k)
		}
		if e.To == n {
			uses[InSymbol(e.Relations[0])] = append(uses[InSymbol(e.Relations[0])], k)
		}
	}
	leaves := []Leaf{{0, apart(near, s.differ)}}
	for symbol, edges := range uses {
		leaves = append(leaves, Leaf{symbol, apart(edges, func(j, k int) bool {
			a, b := s.q.Edges[j], s.q.Edges[k]
			far, other := a.From+a.To-n, b.From+b.To-n
			return s.differ(far, other) || far == other && !s.q.SharedTriples
		})})
	}
	typed := map[kg.TypeID][]int{}
	for _, far := range near {
		for _, t := range s.nodes[far].types {
			typed[t] = append(typed[t], far)
		}
	}
	for t, nodes := range typed {
		leaves = append(leaves, Leaf{TypeSymbol(s.x.graph, t), apart(nodes, s.differ)})
	}
	return Merged(leaves)
}

// apart is how many of some things are surely pairwise different, taken greedily.
func apart(of []int, differ func(i, j int) bool) uint32 {
	var kept []int
	for _, i := range of {
		if !slices.ContainsFunc(kept, func(j int) bool { return !differ(i, j) }) {
			kept = append(kept, i)
		}
	}
	return uint32(len(kept))
}

// differ reports whether two nodes of the query surely bind to different entities.
func (s *search) differ(i, j int) bool {
	if i == j {
		return false
	}
	a, b := &s.nodes[i], &s.nodes[j]
	return s.q.Nodes[i].Distinct>>j&1 != 0 || a.known && b.known && (len(a.ranks) == 0 || len(b.ranks) == 0 ||
		a.ranks[0] > b.ranks[len(b.ranks)-1] || b.ranks[0] > a.ranks[len(a.ranks)-1])
}
