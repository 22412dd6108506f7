package kg

import (
	"cmp"
	"slices"
	"sync"
)

// naming gives an entity one more name.
type naming struct {
	entity EntityID
	text   string
}

// typing gives an entity a type.
type typing struct {
	entity EntityID
	kind   TypeID
}

// columns are what a Graph is made from.
type columns struct {
	triples       []Triple
	keys, labels  texts
	literal       []byte
	aliases       []naming
	typings       []typing
	relationKeys  []string
	relationTexts []string
	typeLabels    []string
	extracted     []uint64 // a bit for each triple; nil where none is set
}

// graph makes the snapshot: both directions of the adjacency, the aliases and
// the types by row. It sorts the columns in place.
func (c *columns) graph() *Graph {
	n := c.labels.size()
	g := &Graph{
		triples: c.triples, keys: c.keys, labels: c.labels, literal: c.literal,
		relationKeys: c.relationKeys, relationTexts: c.relationTexts, typeLabels: c.typeLabels, extracted: c.extracted,
	}
	var both sync.WaitGroup
	both.Go(func() {
		g.outAt, g.out = rows(n, c.triples, func(t Triple) (EntityID, EntityID) { return t.Head, t.Tail })
	})
	both.Go(func() {
		g.inAt, g.in = rows(n, c.triples, func(t Triple) (EntityID, EntityID) { return t.Tail, t.Head })
	})
	c.nameRows(g)
	c.typeRows(g)
	both.Wait()
	return g
}

// nameRows fills the aliases, each entity's in the order given.
func (c *columns) nameRows(g *Graph) {
	slices.SortStableFunc(c.aliases, func(a, b naming) int { return cmp.Compare(a.entity, b.entity) })
	g.aliasAt = make([]uint32, g.labels.size()+1)
	for _, a := range c.aliases {
		g.aliases.add(a.text)
		g.aliasAt[a.entity+1]++
	}
	addUp(g.aliasAt)
}

// typeRows fills the types in both directions.
func (c *columns) typeRows(g *Graph) {
	slices.SortFunc(c.typings, func(a, b typing) int {
		return cmp.Or(cmp.Compare(a.entity, b.entity), cmp.Compare(a.kind, b.kind))
	})
	c.typings = slices.Compact(c.typings)
	g.typeAt = make([]uint32, g.labels.size()+1)
	g.ofTypeAt = make([]uint32, len(c.typeLabels)+1)
	g.types = make([]TypeID, len(c.typings))
	g.ofType = make([]EntityID, len(c.typings))
	for i, t := range c.typings {
		g.types[i] = t.kind
		g.typeAt[t.entity+1]++
		g.ofTypeAt[t.kind+1]++
	}
	addUp(g.typeAt)
	addUp(g.ofTypeAt)
	next := slices.Clone(g.ofTypeAt)
	for _, t := range c.typings {
		g.ofType[next[t.kind]] = t.entity
		next[t.kind]++
	}
}

// addUp turns counts, each one place to the right, into offsets.
func addUp(at []uint32) {
	for i := 1; i < len(at); i++ {
		at[i] += at[i-1]
	}
}

// rows builds one direction of the adjacency by counting sort on the row, then
// by sorting each row.
func rows(n int, triples []Triple, ends func(Triple) (row, neighbour EntityID)) ([]uint32, []Edge) {
	at := make([]uint32, n+1)
	for _, t := range triples {
		row, _ := ends(t)
		at[row+1]++
	}
	addUp(at)
	next := slices.Clone(at)
	edges := make([]Edge, len(triples))
	for i, t := range triples {
		row, neighbour := ends(t)
		edges[next[row]] = Edge{Relation: t.Relation, Entity: neighbour, Triple: TripleID(i)}
		next[row]++
	}
	for e := range n {
		slices.SortFunc(edges[at[e]:at[e+1]], compareEdges)
	}
	return at, edges
}

func compareEdges(a, b Edge) int {
	return cmp.Or(
		cmp.Compare(a.Relation, b.Relation),
		cmp.Compare(a.Entity, b.Entity),
		cmp.Compare(a.Triple, b.Triple),
	)
}
