// Package kg holds the words of a knowledge graph and the graph itself.
//
//	Entity    a thing or a literal value, known by its dense EntityID
//	Relation  the label of an edge, known by its dense RelationID
//	Triple    one directed fact: head, relation, tail
//	Graph     an immutable snapshot: adjacency both ways, labels, types
//	Store     the SQLite file that the snapshot is made from
//	Document  a text that a model reads into Statements, which wait in the Store
//	          until a person makes triples of them
//
// Ids are dense, start at 0, are stable for the life of one Store and mean
// nothing outside it. Names never serve as ids: two films called Kismet are
// two entities where the source tells them apart.
//
// A Graph is immutable and safe for concurrent use. Slices that it hands out
// alias its memory and must not be modified: that of a large one is a mapped
// file, and a write into it ends the program.
package kg

// EntityID is the dense number of an entity within one Store.
type EntityID uint32

// RelationID is the dense number of a relation within one Store.
type RelationID uint32

// TypeID is the dense number of an entity type within one Store.
type TypeID uint32

// TripleID is the dense number of a triple within one Store.
type TripleID uint32

// NoEntity is the id of no entity: an unbound pattern node, for example.
const NoEntity = ^EntityID(0)

// NoTriple is the id of no triple.
const NoTriple = ^TripleID(0)

// Triple is one directed fact.
type Triple struct {
	Head     EntityID
	Relation RelationID
	Tail     EntityID
}

// Edge is one entry of an adjacency list: the triple that joins an entity to a
// neighbour.
type Edge struct {
	Relation RelationID
	Entity   EntityID // the neighbour
	Triple   TripleID
}
