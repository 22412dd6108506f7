// Package evidence holds the words that every retriever answers in.
//
//	Found        all that a retriever found: answers with their scores, what
//	             supports them, and how it was looked for
//	Candidate    triples that support an answer, joined as a match of the pattern
//	             or as a path from what the question names
//	Explanation  why a score is what it is, as a tree
//	Completeness whether a search saw everything, and if not, why
//	Pack         the triples that were kept, numbered T1, T2, … for citation
//
// Triple and entity ids belong to one kg.Graph.
package evidence

import (
	"slices"
	"time"

	"cairn/engine/kg"
	"cairn/internal/token"
)

// Explanation says where a number comes from: Value is the sum (or whatever
// Message says) of the Children's values.
type Explanation struct {
	Value    float64       `json:"value"`
	Message  string        `json:"message"`
	Children []Explanation `json:"children,omitempty"`
}

// Candidate is one match of a pattern, or one path from an entity of the question
// to an answer.
type Candidate struct {
	// Nodes[i] is the entity bound to pattern node i, or kg.NoEntity. Those of a path
	// are in its order: the first is named by the question, the last is the answer.
	Nodes []kg.EntityID `json:"nodes"`
	// Edges[i] is the triple bound to pattern edge i, or kg.NoTriple. Behind them stand
	// what chains go on with, and what branches rest on. Those of a path are in its order,
	// the parallel ones of a hop ascending.
	Edges []kg.TripleID `json:"edges"`
	// Hops[i] is how many of a path's Edges join Nodes[i] and Nodes[i+1], in either
	// direction; nil for a match of a pattern.
	Hops []int `json:"hops,omitempty"`
	// Source says in a word or two what found a path: "graph network", say.
	Source string `json:"source,omitempty"`
	// Distance is the graph semantic distance (SimGRAG §4.3): 0 is exact,
	// lower is closer. A path has none.
	Distance float64 `json:"distance"`
	// NodeDistance[i] and EdgeDistance[i] are the parts of Distance, in the
	// order of the pattern's nodes and edges.
	NodeDistance []float64 `json:"node_distance,omitempty"`
	EdgeDistance []float64 `json:"edge_distance,omitempty"`
}

// Triples returns the distinct triples of the candidate, ascending.
func (c Candidate) Triples() []kg.TripleID {
	ts := make([]kg.TripleID, 0, len(c.Edges))
	for _, t := range c.Edges {
		if t != kg.NoTriple {
			ts = append(ts, t)
		}
	}
	return kg.Distinct(ts)
}

// Path makes a candidate of a path: the entities along it, and the triples that join
// each to the next.
func Path(entities []kg.EntityID, hops [][]kg.TripleID, source string) Candidate {
	c := Candidate{Nodes: entities, Edges: slices.Concat(hops...), Hops: make([]int, len(hops)), Source: source}
	for i, hop := range hops {
		c.Hops[i] = len(hop)
	}
	return c
}

// Hop returns the triples that join Nodes[i] and Nodes[i+1] of a path.
func (c Candidate) Hop(i int) []kg.TripleID {
	from := 0
	for _, n := range c.Hops[:i] {
		from += n
	}
	return c.Edges[from : from+c.Hops[i]]
}

// End returns the entity that a path leads to.
func (c Candidate) End() kg.EntityID { return c.Nodes[len(c.Nodes)-1] }

// Completeness says whether a search saw everything that it was asked for.
type Completeness int

// The ways in which a search can end.
const (
	Exhaustive  Completeness = iota // everything within the question's terms
	CutByK                          // only the best k were kept
	CutByBudget                     // a size limit was reached
	TimedOut                        // the soft deadline was reached
	Relaxed                         // conditions were dropped to find anything
	Fallback                        // another method stood in
)

var completenesses = token.Names{"complete", "best_only", "size_limit", "time_limit", "relaxed", "fallback"}

// String returns the completeness as a token.
func (c Completeness) String() string { return completenesses.Of(int(c)) }

// MarshalText writes the token, for kept runs.
func (c Completeness) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads a token.
func (c *Completeness) UnmarshalText(text []byte) error {
	return token.Read(completenesses, "completeness", text, c)
}

// Stats counts the work of one search.
type Stats struct {
	Considered int `json:"considered"` // partial matches looked at
	Pruned     int `json:"pruned"`     // partial matches cut by the bound
	Found      int `json:"found"`      // full matches seen
	// LookUp is the part of Duration that went into looking up names; the rest is
	// matching.
	LookUp   time.Duration `json:"look_up,omitempty"`
	Duration time.Duration `json:"duration"`
}

// Add adds the counts of o.
func (s *Stats) Add(o Stats) {
	s.Considered += o.Considered
	s.Pruned += o.Pruned
	s.Found += o.Found
	s.LookUp += o.LookUp
	s.Duration += o.Duration
}

// Pack is the evidence that an answer may cite: distinct triples in reading
// order, numbered from T1.
type Pack struct {
	Triples []kg.TripleID `json:"triples"` // Triples[0] is T1
}

// Number returns the citation number of a triple (1 is T1), or 0.
func (p Pack) Number(t kg.TripleID) int { return slices.Index(p.Triples, t) + 1 }

// NewPack numbers the triples of candidates in the order in which they are
// first met, at most limit of them (0: no limit), and reports whether any was
// left out.
func NewPack(cs []Candidate, limit int) (p Pack, cut bool) {
	seen := map[kg.TripleID]bool{}
	for _, c := range cs {
		for _, t := range c.Edges {
			if t == kg.NoTriple || seen[t] {
				continue
			}
			if limit > 0 && len(p.Triples) == limit {
				return p, true
			}
			seen[t] = true
			p.Triples = append(p.Triples, t)
		}
	}
	return p, false
}
