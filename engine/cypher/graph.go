package cypher

import "iter"

// Node is a node of a Graph.
type Node uint64

// Rel is a relationship of a Graph.
type Rel uint64

// LabelID is what the name of a label means in a Graph.
type LabelID uint32

// TypeID is what the name of a type of relationships means in a Graph.
type TypeID uint32

// Graph is what a query is run over. It is safe for concurrent use.
type Graph interface {
	// Label and Types find what a name means; a name may mean several types of
	// relationships, and none that is not there.
	Label(name string) (LabelID, bool)
	Types(name string) []TypeID
	// HasProperty reports whether anything has a property, and else whether relationships
	// of that name lead to nodes. Names lists what there is, for suggestions where a query
	// names what is not.
	HasProperty(name string) (has, leads bool)
	Names() (labels, types, properties []string)

	// Nodes walks all nodes, NodesOf those with a label, and NodesWith those of which a
	// property has a value, where there is an index of that: ok is false where there is
	// none. Size is about how many nodes have a label.
	Nodes() iter.Seq[Node]
	NodesOf(l LabelID) iter.Seq[Node]
	NodesWith(property string, value any) (nodes iter.Seq[Node], ok bool)
	Size(l LabelID) int

	// Labels returns the names of a node's labels, HasLabel whether one is among them.
	Labels(n Node) []string
	HasLabel(n Node, l LabelID) bool

	// Of returns a property of a node, nil for none, and the relationships that say so,
	// where relationships do. Keys lists the names of its properties.
	Of(n Node, property string) (any, []Rel)
	Keys(n Node) []string

	// Ends returns where a relationship begins and where it ends, Type its type's name,
	// OfRel one of its properties, nil for none, and RelKeys their names.
	Ends(r Rel) (from, to Node)
	Type(r Rel) string
	OfRel(r Rel, property string) any
	RelKeys(r Rel) []string

	// Expand appends the relationships that leave a node, or enter it, with their other
	// ends; of some types, or of all where types is nil.
	Expand(steps []Step, n Node, out bool, types []TypeID) []Step
}

// Valued is a Graph in which nodes may be values, such as the year that a relationship leads to.
type Valued interface {
	// Value returns the value that a node is; false for other nodes.
	Value(n Node) (any, bool)
}

// Step is a relationship at a node, with the node at its other end.
type Step struct {
	Rel Rel
	To  Node
}
