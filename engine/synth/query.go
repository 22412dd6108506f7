package synth

// Shape is the form of a query's pattern.
type Shape string

// The shapes.
const (
	Chain Shape = "chain" // a path of 1 to 3 edges
	Star  Shape = "star"  // 2 or 3 edges at one node
	Cycle Shape = "cycle" // 3 edges that close
)

// Query is a pattern cut from the graph, its names paraphrased, and the subgraph
// that it was cut from. A file of queries has one a line, as JSON.
type Query struct {
	ID    int         `json:"id"`
	Shape Shape       `json:"shape"`
	Hops  int         `json:"hops"` // number of edges
	Nodes []QueryNode `json:"nodes"`
	Edges []QueryEdge `json:"edges"`
}

// QueryNode is a node of the pattern and the entity that it was cut from.
type QueryNode struct {
	// Text is the paraphrased name; empty for an unknown node.
	Text string `json:"text,omitempty"`
	// Type is the type hint of an unknown node, paraphrased; may be empty.
	Type string `json:"type,omitempty"`
	// Key and Label are the true entity's.
	Key   string `json:"key"`
	Label string `json:"label"`
	// Noise names what was done to the name: "dropped", "swapped",
	// "abbreviated", "misspelt"; none for a name as it is.
	Noise []string `json:"noise,omitempty"`
}

// QueryEdge is an edge of the pattern. The true triple is (key of From, Relation,
// key of To).
type QueryEdge struct {
	From     int    `json:"from"`
	To       int    `json:"to"`
	Text     string `json:"text"`     // the relation in other words
	Relation string `json:"relation"` // the true relation's key
}
