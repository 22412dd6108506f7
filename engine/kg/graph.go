package kg

import (
	"iter"
	"slices"
	"sort"
)

// Graph is an immutable snapshot of a knowledge graph: compressed sparse rows
// in both directions, sorted by (relation, neighbour, triple), with the labels,
// aliases and types that matching and display need.
type Graph struct {
	triples []Triple // indexed by TripleID

	out, in adjacency // by head, and by tail

	keys    texts  // indexed by EntityID; the id in the source, or the label
	labels  texts  // indexed by EntityID
	literal []byte // indexed by EntityID; 1 for a literal value

	// aliases[aliasAt[e]:aliasAt[e+1]] are the other names of e.
	aliasAt []uint32
	aliases texts

	relationKeys  []string // indexed by RelationID; the id in the source
	relationTexts []string // indexed by RelationID; for people
	relationNames []string // indexed by RelationID; see RelationName

	// types[typeAt[e]:typeAt[e+1]] are the types of e; ofType[ofTypeAt[t]:ofTypeAt[t+1]]
	// the entities of t. Both are ascending.
	typeLabels       []string // indexed by TypeID
	typeAt, ofTypeAt []uint32
	types            []TypeID
	ofType           []EntityID

	// Bit t of extracted says that only a model vouches for triple t; nil where
	// that is so of none.
	extracted []uint64

	// Bit t of off says that no layer that is on says triple t, bit e of gone the same of
	// entity e; nil where all layers are on.
	off, gone []uint64

	symmetric []byte // indexed by RelationID; 1 for one that holds both ways; nil where none does

	said statements

	version string // that its mapped file was made from; empty where it lies in memory
}

// Entities returns the number of entities; ids run from 0 to Entities()-1.
func (g *Graph) Entities() int { return g.labels.size() }

// Relations returns the number of relations.
func (g *Graph) Relations() int { return len(g.relationKeys) }

// Triples returns the number of triples.
func (g *Graph) Triples() int { return len(g.triples) }

// NumTypes returns the number of entity types.
func (g *Graph) NumTypes() int { return len(g.typeLabels) }

// Triple returns the triple with the given id.
func (g *Graph) Triple(t TripleID) Triple { return g.triples[t] }

// Out returns the edges that leave e, sorted by (relation, neighbour).
func (g *Graph) Out(e EntityID) []Edge { return g.out.row(e) }

// In returns the edges that enter e, sorted by (relation, neighbour).
func (g *Graph) In(e EntityID) []Edge { return g.in.row(e) }

// OutBy returns the edges that leave e through r, sorted by neighbour.
func (g *Graph) OutBy(e EntityID, r RelationID) []Edge { return g.out.by(e, r) }

// InBy returns the edges that enter e through r, sorted by neighbour.
func (g *Graph) InBy(e EntityID, r RelationID) []Edge { return g.in.by(e, r) }

// RelationsOut walks the relations of the edges that leave e, ascending, each
// with its edges, sorted by neighbour. It takes time in the number of relations
// rather than of edges, however many edges e has.
func (g *Graph) RelationsOut(e EntityID) iter.Seq2[RelationID, []Edge] { return g.out.relations(e) }

// RelationsIn walks the relations of the edges that enter e, as RelationsOut does.
func (g *Graph) RelationsIn(e EntityID) iter.Seq2[RelationID, []Edge] { return g.in.relations(e) }

// Heads returns the entities that an edge of r leaves, ascending.
func (g *Graph) Heads(r RelationID) []EntityID { return g.out.of(r) }

// Tails returns the entities that an edge of r enters, ascending.
func (g *Graph) Tails(r RelationID) []EntityID { return g.in.of(r) }

// Degree returns the number of triples that e takes part in; a self-loop
// counts twice.
func (g *Graph) Degree(e EntityID) int { return len(g.Out(e)) + len(g.In(e)) }

// Joining returns the triples that join two entities, ascending. It looks at those of the entity that has
// fewer, or for each relation in both directions where that is less.
func (g *Graph) Joining(a, b EntityID) (ts []TripleID) {
	if g.Degree(a) > g.Degree(b) {
		a, b = b, a
	}
	if searches := 2 * g.Relations(); g.Degree(a) > 16*searches {
		for r := range RelationID(g.Relations()) {
			for _, t := range [...]Triple{{Head: a, Relation: r, Tail: b}, {Head: b, Relation: r, Tail: a}} {
				if id, ok := g.Find(t); ok {
					ts = append(ts, id)
				}
			}
		}
		return Distinct(ts)
	}
	for _, edges := range [...][]Edge{g.Out(a), g.In(a)} {
		for _, x := range edges {
			if x.Entity == b {
				ts = append(ts, x.Triple)
			}
		}
	}
	return Distinct(ts)
}

// Find returns the id of a triple, and whether the graph holds it.
func (g *Graph) Find(t Triple) (TripleID, bool) {
	es, other := g.OutBy(t.Head, t.Relation), t.Tail
	if len(es) > findTurns {
		if in := g.InBy(t.Tail, t.Relation); len(in) < len(es) {
			es, other = in, t.Head
		}
	}
	i := sort.Search(len(es), func(i int) bool { return es[i].Entity >= other })
	if i < len(es) && es[i].Entity == other {
		return es[i].Triple, true
	}
	return NoTriple, false
}

// findTurns is how many edges Find searches without asking whether there are
// fewer at the other end.
const findTurns = 64

// Label returns the name of e for people.
func (g *Graph) Label(e EntityID) string { return g.labels.get(int(e)) }

// Key returns the identifier of e in its source: an IRI, a CURIE, or the label.
func (g *Graph) Key(e EntityID) string { return g.keys.get(int(e)) }

// IsLiteral reports whether e stands for a literal value, such as a date.
func (g *Graph) IsLiteral(e EntityID) bool { return g.literal[e] != 0 }

// Aliases returns the other names of e, in the order in which they were given.
func (g *Graph) Aliases(e EntityID) []string {
	lo, hi := g.aliasAt[e], g.aliasAt[e+1]
	if lo == hi {
		return nil
	}
	names := make([]string, 0, hi-lo)
	for i := lo; i < hi; i++ {
		names = append(names, g.aliases.get(int(i)))
	}
	return names
}

// RelationKey returns the identifier of r in its source.
func (g *Graph) RelationKey(r RelationID) string { return g.relationKeys[r] }

// RelationName returns what the words of r are read from: the name that the source gives it, or else
// its key, which may say more than RelationText: "people.person.place_of_birth".
func (g *Graph) RelationName(r RelationID) string { return g.relationNames[r] }

// nameRelation notes the name of the next relation, of a key and what it is called for people.
func (g *Graph) nameRelation(key, text string) {
	name := key
	if text != key && text != RelationText(key) {
		name = text
	}
	g.relationNames = append(g.relationNames, name)
}

// RelationText returns the name of r for people: "directed by" for directed_by.
func (g *Graph) RelationText(r RelationID) string { return g.relationTexts[r] }

// Types returns the types of e, ascending; nil where the graph says nothing.
func (g *Graph) Types(e EntityID) []TypeID {
	if lo, hi := g.typeAt[e], g.typeAt[e+1]; lo < hi {
		return g.types[lo:hi:hi]
	}
	return nil
}

// ShareType reports whether a and b have a type in common.
func (g *Graph) ShareType(a, b EntityID) bool {
	types := g.Types(b)
	return slices.ContainsFunc(g.Types(a), func(t TypeID) bool { return slices.Contains(types, t) })
}

// TypeLabel returns the name of a type.
func (g *Graph) TypeLabel(t TypeID) string { return g.typeLabels[t] }

// OfType returns the entities of a type, ascending.
func (g *Graph) OfType(t TypeID) []EntityID {
	lo, hi := g.ofTypeAt[t], g.ofTypeAt[t+1]
	return g.ofType[lo:hi:hi]
}
