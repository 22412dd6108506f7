package evidence

import (
	"cmp"
	"strconv"

	"cairn/engine/kg"
)

// Scored is an entity with the probability that a retriever gives it.
type Scored struct {
	Entity kg.EntityID `json:"entity"`
	// Probability is in [0, 1], higher is better.
	Probability float64 `json:"probability"`
}

// ByProbability compares scored entities for sorting: the more probable come first,
// ties go by id.
func ByProbability(a, b Scored) int {
	return cmp.Or(cmp.Compare(b.Probability, a.Probability), cmp.Compare(a.Entity, b.Entity))
}

// TotalProbability is what the probabilities of all of them add up to.
func TotalProbability(scores []Scored) float64 {
	var p float64
	for _, s := range scores {
		p += s.Probability
	}
	return p
}

// ProbabilityText writes a probability with two digits, and never as a certainty:
// "0.93", "over 0.99", "under 0.01".
func ProbabilityText(p float64) string {
	switch {
	case p > 0.995:
		return "over 0.99"
	case p < 0.005:
		return "under 0.01"
	}
	return strconv.FormatFloat(p, 'f', 2, 64)
}

// Path leads from an entity of the question to an answer over triples that meet
// end to end, whatever their directions.
type Path struct {
	// Entities are those along the path: the first is named by the question, the
	// last is the answer.
	Entities []kg.EntityID `json:"entities"`
	// Hops[i] holds the triples that join Entities[i] and Entities[i+1], ascending:
	// all of them where several relations do.
	Hops [][]kg.TripleID `json:"hops"`
	// Source says in a word or two what found it: "graph network", say.
	Source string `json:"source"`
}

// Answer is the entity that the path leads to.
func (p Path) Answer() kg.EntityID { return p.Entities[len(p.Entities)-1] }

// Candidate is the path as a match: all triples of its hops, in order.
func (p Path) Candidate(probability float64) Candidate {
	c := Candidate{Nodes: p.Entities, Distance: 1 - probability}
	for _, h := range p.Hops {
		c.Edges = append(c.Edges, h...)
	}
	return c
}

// Ranking is what a retriever that scores entities found, instead of matches of a
// pattern.
type Ranking struct {
	// Retriever names it for people: "GNN-RAG (relation flow)".
	Retriever string `json:"retriever"`
	// Answers are the candidates that were selected, most probable first.
	Answers []Scored `json:"answers"`
	// Paths lead to the answers, those of the first answer first; an answer without
	// one has none in the graph, or none that was found before the search was cut.
	Paths []Path `json:"paths"`
	// Nodes are the entities of the region with the highest probabilities, answers
	// or not, most probable first: what a picture shows.
	Nodes []Scored `json:"nodes,omitempty"`
	// Steps say in words how the retriever read the question, in order, where it can
	// say it: "directed by, backwards (0.99)".
	Steps []string `json:"steps,omitempty"`
	// Notes say in sentences what a reader must know: that the weights are older
	// than the graph, that relations were never seen in training.
	Notes []string `json:"notes,omitempty"`
}
