// Package canvas shows a small graph and lets the user work with it: zoom, pan,
// drag, pin, select, undo, export. It draws everything itself on one raster
// layer and knows nothing of the engine: package app maps engine values onto a
// Model.
package canvas

// Role says what a node is in the picture. Roles differ in shape and outline as
// well as in colour.
type Role int

// The roles.
const (
	Plain    Role = iota // context
	Known                // named in the question
	Variable             // bound on the way to the answer
	Answer               // answers the question
	Rest                 // stands for what is left out of the picture
)

// Node is one node of the picture.
type Node struct {
	ID    string // unique within the model
	Label string
	Type  string // shown small below the label; may be empty
	Role  Role
	// Hue picks the colour of the type, from 1; 0 is for no type. The same number is
	// the same colour in every picture.
	Hue int
	// Mark is a number of the node, as text: "0.93". Level is the same in [0, 1],
	// and fills a bar at the foot of the node. What they measure stands in
	// Model.Level; a node without a Mark has no bar.
	Mark  string
	Level float64
}

// Edge is one directed edge of the picture.
type Edge struct {
	ID    string // unique within the model
	From  int    // index into Nodes
	To    int    // index into Nodes
	Label string
	Tag   string // a short mark beside the label, such as "T1"; may be empty
	// Dashed draws the edge dashed: it stands on less than the others. What that
	// is stands in Model.Dashed.
	Dashed bool
}

// Model is what a View shows. It is a value: a View never changes it.
type Model struct {
	Nodes []Node
	Edges []Edge
	// Layered asks for cards in reasoning order, known nodes left and answers right,
	// which suits up to a hundred or so. Off, nodes are discs placed by forces.
	Layered bool
	// Doubtful says that the answers may be wrong: they have another colour, and a
	// question mark in place of the tick.
	Doubtful bool
	// Title and Note are printed on exports: the question, and the graph's name.
	Title, Note string
	// Tags says in a few words what the tags of edges are: "cited triple".
	Tags string
	// Dashed says in a few words what a dashed edge is: "read by a model".
	Dashed string
	// Level says in a few words what the marks of nodes measure, with its scale:
	// "probability, 0 to 1".
	Level string
}
