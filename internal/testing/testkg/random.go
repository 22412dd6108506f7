package testkg

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"cairn/engine/kg"
	"cairn/engine/pattern"
)

// Random makes a small graph and a pattern from a seed: cycles, self-loops,
// parallel edges, disconnected parts, typed and filtered variables, known nodes
// with several candidates at different distances, fixed, unknown and named
// relations, statements with properties and conditions on them, and every reuse mode.
// The same seed gives the same.
//
// Relations that are named are to be looked up; Nearest does it.
func Random(seed uint64) (*kg.Graph, *pattern.Pattern) {
	r := rand.New(rand.NewPCG(seed, 1))
	g := randomGraph(r)
	return g, randomPattern(r, g)
}

func randomGraph(r *rand.Rand) *kg.Graph {
	var b kg.Builder
	n, relations := 3+r.IntN(7), 1+r.IntN(4)
	for e := range n {
		// Numbers as names, so that filters and orders have something to read.
		b.Entity(fmt.Sprint(e * 10))
		if r.IntN(3) == 0 {
			b.AddType(kg.EntityID(e), fmt.Sprintf("type %d", r.IntN(2)))
		}
	}
	for i := range relations {
		b.Relation(fmt.Sprintf("r%d", i))
	}
	for range n + r.IntN(3*n) {
		h, t := r.IntN(n), r.IntN(n)
		var said []kg.Property
		if r.IntN(3) > 0 {
			said = []kg.Property{{Name: "year", Value: fmt.Sprint(2000 + r.IntN(4)), Entity: kg.NoEntity}}
		}
		b.AddStatement(fmt.Sprint(h*10), fmt.Sprintf("r%d", r.IntN(relations)), fmt.Sprint(t*10), said...)
	}
	return b.Graph()
}

func randomPattern(r *rand.Rand, g *kg.Graph) *pattern.Pattern {
	n := 1 + r.IntN(4)
	p := &pattern.Pattern{Reuse: pattern.Reuse(r.IntN(3)), Asked: r.IntN(n+1) - 1}
	for i := range n {
		p.Nodes = append(p.Nodes, randomNode(r, g, i))
	}
	edges := r.IntN(2)
	for i := 1; i < n; i++ {
		if r.IntN(8) > 0 {
			p.Edges = append(p.Edges, randomEdge(r, g, r.IntN(i), i))
		}
	}
	for range edges + r.IntN(2) {
		p.Edges = append(p.Edges, randomEdge(r, g, r.IntN(n), r.IntN(n)))
	}
	if r.IntN(6) == 0 {
		p.Filters = append(p.Filters, pattern.Filter{
			Node: r.IntN(n), Op: pattern.Op(r.IntN(5)), Value: float64(r.IntN(g.Entities()) * 10),
		})
	}
	if r.IntN(6) == 0 {
		p.Order = &pattern.Order{Node: r.IntN(n), Descending: r.IntN(2) == 0, Limit: r.IntN(3)}
	}
	return p
}

func randomNode(r *rand.Rand, g *kg.Graph, i int) pattern.Node {
	if r.IntN(5) < 3 {
		v := pattern.Node{Text: fmt.Sprintf("?%d", i), Variable: true}
		if r.IntN(3) == 0 {
			v.Within = []kg.EntityID{}
			for e := range g.Entities() {
				if r.IntN(2) == 0 {
					v.Within = append(v.Within, kg.EntityID(e))
				}
			}
		}
		return v
	}
	k := pattern.Node{Text: fmt.Sprintf("known %d", i)}
	for range 1 + r.IntN(3) {
		k.Entities = append(k.Entities, kg.EntityID(r.IntN(g.Entities())))
	}
	if r.IntN(2) == 0 {
		for range k.Entities {
			k.Distances = append(k.Distances, randomDistance(r))
		}
	}
	return k
}

func randomEdge(r *rand.Rand, g *kg.Graph, from, to int) pattern.Edge {
	e := pattern.Edge{From: from, To: to, Direction: pattern.Direction(r.IntN(2))}
	if r.IntN(4) == 0 {
		e.Conditions = []pattern.Condition{{Property: "year", Op: pattern.Op(r.IntN(5)), Value: fmt.Sprint(2000 + r.IntN(4))}}
	}
	switch r.IntN(4) {
	case 0:
	case 1:
		e.Relation = fmt.Sprintf("named %d", r.IntN(100))
	default:
		for range 1 + r.IntN(2) {
			e.Fixed = append(e.Fixed, kg.RelationID(r.IntN(g.Relations())))
		}
	}
	return e
}

// randomDistance takes few values, so that ties are common.
func randomDistance(r *rand.Rand) float64 { return float64(r.IntN(5)) / 10 }

// Nearest gives every relation of g a distance to text, which depends on
// nothing but the text: a stand-in for a vocabulary. The ids are sorted by
// distance, ties by id.
func Nearest(g *kg.Graph, text string) (ids []kg.RelationID, distances []float64) {
	var seed uint64
	for _, b := range []byte(text) {
		seed = seed*31 + uint64(b)
	}
	r := rand.New(rand.NewPCG(seed, 2))
	at := make([]float64, g.Relations())
	for i := range at {
		ids = append(ids, kg.RelationID(i))
		at[i] = randomDistance(r)
	}
	slices.SortStableFunc(ids, func(a, b kg.RelationID) int {
		switch {
		case at[a] < at[b]:
			return -1
		case at[a] > at[b]:
			return 1
		}
		return 0
	})
	for _, id := range ids {
		distances = append(distances, at[id])
	}
	return ids, distances
}

// Number reads the name of an entity of a random graph.
func Number(label string) (float64, bool) {
	n, err := strconv.ParseFloat(label, 64)
	return n, err == nil
}
