// Package match evaluates conjunctive queries over a graph exactly: every binding
// that meets every edge, and no other. It is the one join engine of the house.
//
//	pattern.Pattern ─Compile─▶ Query ─Each─▶ Binding, Binding, …
//
//	Query    nodes with the entities that they may bind to, edges with the relations
//	         that they may take
//	Binding  an entity for every node and a triple for every edge
//
// Two engines find the same bindings: the anchored one (Anchored) intersects
// sorted adjacency from the rarest condition; package paths finds whole paths in an index of
// dominance signatures and joins them (SG-RAG §4).
package match

import (
	"context"
	"errors"

	"cairn/engine/kg"
)

// ErrQuery is returned for a query that cannot be evaluated: an index out of range,
// no nodes, too many nodes or edges.
var ErrQuery = errors.New("malformed query")

// MaxNodes is how many nodes a query may have: conflicts are kept as bits of a word.
const MaxNodes = 64

// Query is a conjunctive query.
type Query struct {
	Nodes []Node
	Edges []Edge
	// SharedTriples lets edges that join the same two nodes take the same triple.
	SharedTriples bool
	// Unfilled leaves the triples of bindings out.
	Unfilled bool
}

// Node is a node of a query.
type Node struct {
	// In are the entities that it may bind to, ascending; nil means any.
	In []kg.EntityID
	// Keep refuses entities of In that do not do; nil keeps all.
	Keep func(kg.EntityID) bool
	// Distinct has bit j set where this node and node j must bind to different
	// entities. It is symmetric.
	Distinct uint64
}

// Edge is an edge of a query.
type Edge struct {
	From, To int // indices into Nodes
	// Relations are those that a triple may have, ascending; nil means any.
	Relations []kg.RelationID
	// Either lets the triple point from To to From as well.
	Either bool
	// Keep refuses triples that do not do; nil keeps all.
	Keep func(kg.TripleID) bool
}

// Binding is a solution. Its slices are the engine's own, valid until the next one.
type Binding struct {
	Nodes []kg.EntityID // as Query.Nodes
	// Edges[i] is the triple of Query.Edges[i], the lowest that fits: a solution is a
	// binding of nodes, and parallel triples do not make several of it.
	Edges []kg.TripleID
}

// Stats counts the work of an evaluation.
type Stats struct {
	Considered int // partial bindings looked at
	Found      int // bindings yielded
}

// Engine evaluates queries over one graph.
type Engine interface {
	// Each yields every binding of q, each once, in an order that depends on graph and
	// query alone, until yield returns false. It fails with ErrQuery, and with the
	// context's error as soon as that is cancelled or out of time.
	Each(ctx context.Context, q *Query, yield func(Binding) bool) (Stats, error)
}
