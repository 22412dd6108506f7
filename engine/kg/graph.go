package kg

import (
	"cmp"
	"slices"
	"sort"
)

// Graph is an immutable snapshot of a knowledge graph: compressed sparse rows
// in both directions, sorted by (relation, neighbour, triple), with the labels,
// aliases and types that matching and display need.
type Graph struct {
	triples []Triple // indexed by TripleID

	// out[outAt[e]:outAt[e+1]] are the edges whose head is e; in likewise by tail.
	outAt, inAt []uint32
	out, in     []Edge

	entityKeys    []string // indexed by EntityID; the id in the source, or the label
	entityLabels  []string // indexed by EntityID
	literal       []bool   // indexed by EntityID
	aliases       map[EntityID][]string
	relationKeys  []string // indexed by RelationID
	relationTexts []string // indexed by RelationID; for people
	typeLabels    []string // indexed by TypeID
	types         map[EntityID][]TypeID
	ofType        [][]EntityID // indexed by TypeID, ascending
}

// Entities returns the number of entities; ids run from 0 to Entities()-1.
func (g *Graph) Entities() int { return len(g.entityLabels) }

// Relations returns the number of relations.
func (g *Graph) Relations() int { return len(g.relationKeys) }

// Triples returns the number of triples.
func (g *Graph) Triples() int { return len(g.triples) }

// NumTypes returns the number of entity types.
func (g *Graph) NumTypes() int { return len(g.typeLabels) }

// Triple returns the triple with the given id.
func (g *Graph) Triple(t TripleID) Triple { return g.triples[t] }

// Out returns the edges that leave e, sorted by (relation, neighbour).
func (g *Graph) Out(e EntityID) []Edge { return g.out[g.outAt[e]:g.outAt[e+1]] }

// In returns the edges that enter e, sorted by (relation, neighbour).
func (g *Graph) In(e EntityID) []Edge { return g.in[g.inAt[e]:g.inAt[e+1]] }

// OutBy returns the edges that leave e through r, sorted by neighbour.
func (g *Graph) OutBy(e EntityID, r RelationID) []Edge { return byRelation(g.Out(e), r) }

// InBy returns the edges that enter e through r, sorted by neighbour.
func (g *Graph) InBy(e EntityID, r RelationID) []Edge { return byRelation(g.In(e), r) }

// Degree returns the number of triples that e takes part in; a self-loop
// counts twice.
func (g *Graph) Degree(e EntityID) int { return len(g.Out(e)) + len(g.In(e)) }

// Find returns the id of a triple, and whether the graph holds it.
func (g *Graph) Find(t Triple) (TripleID, bool) {
	es := g.OutBy(t.Head, t.Relation)
	i := sort.Search(len(es), func(i int) bool { return es[i].Entity >= t.Tail })
	if i < len(es) && es[i].Entity == t.Tail {
		return es[i].Triple, true
	}
	return NoTriple, false
}

// Label returns the name of e for people.
func (g *Graph) Label(e EntityID) string { return g.entityLabels[e] }

// Key returns the identifier of e in its source: an IRI, a CURIE, or the label.
func (g *Graph) Key(e EntityID) string { return g.entityKeys[e] }

// IsLiteral reports whether e stands for a literal value, such as a date.
func (g *Graph) IsLiteral(e EntityID) bool { return g.literal[e] }

// Aliases returns the other names of e.
func (g *Graph) Aliases(e EntityID) []string { return g.aliases[e] }

// RelationKey returns the identifier of r in its source.
func (g *Graph) RelationKey(r RelationID) string { return g.relationKeys[r] }

// RelationText returns the name of r for people: "directed by" for directed_by.
func (g *Graph) RelationText(r RelationID) string { return g.relationTexts[r] }

// Types returns the types of e, ascending; nil where the graph says nothing.
func (g *Graph) Types(e EntityID) []TypeID { return g.types[e] }

// TypeLabel returns the name of a type.
func (g *Graph) TypeLabel(t TypeID) string { return g.typeLabels[t] }

// OfType returns the entities of a type, ascending.
func (g *Graph) OfType(t TypeID) []EntityID { return g.ofType[t] }

// byRelation returns the run of es with relation r. es is sorted by relation.
func byRelation(es []Edge, r RelationID) []Edge {
	lo := sort.Search(len(es), func(i int) bool { return es[i].Relation >= r })
	hi := lo + sort.Search(len(es)-lo, func(i int) bool { return es[lo+i].Relation > r })
	return es[lo:hi]
}

// index fills both directions of the adjacency from g.triples.
func (g *Graph) index() {
	n := g.Entities()
	g.outAt, g.out = rows(n, g.triples, func(t Triple) (EntityID, EntityID) { return t.Head, t.Tail })
	g.inAt, g.in = rows(n, g.triples, func(t Triple) (EntityID, EntityID) { return t.Tail, t.Head })
}

// rows builds one direction of the adjacency by counting sort on the row, then
// by sorting each row.
func rows(n int, triples []Triple, ends func(Triple) (row, neighbour EntityID)) ([]uint32, []Edge) {
	at := make([]uint32, n+1)
	for _, t := range triples {
		row, _ := ends(t)
		at[row+1]++
	}
	for e := range n {
		at[e+1] += at[e]
	}
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
