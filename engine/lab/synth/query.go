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
	// Twins is how many other entities have the very same label as a known one.
	Twins int `json:"twins,omitempty"`
}

// Known reports whether the node's name is given.
func (n *QueryNode) Known() bool { return n.Text != "" }

// Answered reports whether a subgraph that was found in the graph says what the
// query asks, and so is as right as the one that was cut: labels[i] is the label of
// the entity at node i, relations[j] the key of the relation of edge j. Known nodes
// must have the true label, which twins share; unknown ones may be any, as a person
// has several children. It is the measure for Hits@1.
func (q *Query) Answered(labels, relations []string) bool {
	for i := range q.Nodes {
		if n := &q.Nodes[i]; n.Known() && labels[i] != n.Label {
			return false
		}
	}
	for j, e := range q.Edges {
		if relations[j] != e.Relation {
			return false
		}
	}
	return true
}

// QueryEdge is an edge of the pattern. The true triple is (key of From, Relation,
// key of To).
type QueryEdge struct {
	From     int    `json:"from"`
	To       int    `json:"to"`
	Text     string `json:"text"`     // the relation in other words
	Relation string `json:"relation"` // the true relation's key
}
