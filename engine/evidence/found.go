package evidence

import (
	"cmp"
	"strconv"

	"cairn/engine/kg"
	"cairn/internal/token"
)

// Scale says what a score measures, and so which of two scores is the better one.
type Scale int

// The scales.
const (
	NoScale     Scale = iota // the answers are not told apart
	Distance                 // from what is asked: 0 is exact, lower is closer
	Probability              // between 0 and 1, higher is likelier
	Conditions               // of the question that are met: higher is better
)

var scales = token.Names{"none", "distance", "probability", "conditions"}

// String returns the scale as a token.
func (s Scale) String() string { return scales.Of(int(s)) }

// MarshalText writes the token, for kept runs.
func (s Scale) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a token.
func (s *Scale) UnmarshalText(text []byte) error { return token.Read(scales, "scale", text, s) }

// Score is how well something answers the question, on its scale.
type Score struct {
	Value float64 `json:"value"`
	Scale Scale   `json:"scale"`
}

// Answer is what a retriever proposes: an entity of the graph, or a value that is
// none, such as a sum.
type Answer struct {
	Entity kg.EntityID `json:"entity"`          // kg.NoEntity for a value
	Value  string      `json:"value,omitempty"` // as it is shown; empty for an entity
	// Text is the description that a source gives of an entity that is described.
	Text  string `json:"text,omitempty"`
	Score Score  `json:"score"`
	// Amount is the number that was measured for the answer, or that it is ranked by; nil
	// for none.
	Amount *Amount `json:"amount,omitempty"`
	// Supports are the candidates that support the answer, best first, as indices of
	// Found.Candidates. One without any has none in the graph, or none that was found
	// before the search was cut.
	Supports []int `json:"supports,omitempty"`
	// Matches is the number of bindings of the whole pattern that have it, where a
	// pattern was matched; there are more of them than Supports.
	Matches int `json:"matches,omitempty"`
	// Outcomes[i] is how the answer stands to Found.Conditions[i]; nil where the method
	// does not tell conditions apart.
	Outcomes []Outcome `json:"outcomes,omitempty"`
	// Explanation says where the score comes from; its Value is the score's. The first
	// answers have one.
	Explanation Explanation `json:"explanation,omitzero"`
}

// Amount is a number with its unit.
type Amount struct {
	Value float64 `json:"value"` // a date is a year with its fraction
	Unit  string  `json:"unit,omitempty"`
	Text  string  `json:"text"` // as it is shown: "6,650 km", "1999-12-31"
}

// Exclusion is an entity that is no answer because of what triples say.
type Exclusion struct {
	Entity  kg.EntityID   `json:"entity"`
	Why     string        `json:"why"` // the clause of the pattern: "without (?film) -genre-> (Horror)"
	Triples []kg.TripleID `json:"triples"`
}

// Side says whose facts a Group has, where two things are compared.
type Side int

// The sides.
const (
	BothSides  Side = iota // what both have; also what one has that is described
	FirstOnly              // what the first has alone
	SecondOnly             // what the second has alone
)

var sides = token.Names{"both", "first", "second"}

// String returns the side as a token.
func (s Side) String() string { return sides.Of(int(s)) }

// MarshalText writes the token, for kept runs.
func (s Side) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a token.
func (s *Side) UnmarshalText(text []byte) error { return token.Read(sides, "side", text, s) }

// Group is what a graph says of an entity by one relation, in one direction.
type Group struct {
	Entity   kg.EntityID   `json:"entity"` // that it says it of
	Relation kg.RelationID `json:"relation"`
	// Inward says that the triples lead to the entity.
	Inward bool `json:"inward,omitempty"`
	Side   Side `json:"side,omitempty"`
	// Count is how many triples there are; Triples are the first.
	Count   int           `json:"count"`
	Triples []kg.TripleID `json:"triples"`
	// With[i] says of the second of two things what Triples[i] says of the first.
	With []kg.TripleID `json:"with,omitempty"`
}

// Explained is how many answers, the first ones, come with an Explanation.
const Explained = 5

// Label names the answer as the graph does.
func (a Answer) Label(g *kg.Graph) string {
	if a.Entity == kg.NoEntity {
		return a.Value
	}
	return g.Label(a.Entity)
}

// Key returns the identifier of the answer's entity; a value has none.
func (a Answer) Key(g *kg.Graph) string {
	if a.Entity == kg.NoEntity {
		return ""
	}
	return g.Key(a.Entity)
}

// ByScore compares answers for sorting: the better come first, ties go by id.
func ByScore(a, b Answer) int {
	better := cmp.Compare(a.Score.Value, b.Score.Value)
	if s := a.Score.Scale; s == Probability || s == Conditions { // higher is better
		better = -better
	}
	return cmp.Or(better, cmp.Compare(a.Entity, b.Entity), cmp.Compare(a.Value, b.Value))
}

// TotalProbability is what the probabilities of all of them add up to.
func TotalProbability(answers []Answer) float64 {
	var p float64
	for _, a := range answers {
		p += a.Score.Value
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

// Region is the part of the graph that was looked through around the entities that
// a question names (GNN-RAG §4.1: the dense subgraph); zero where there is none.
type Region struct {
	Entities int `json:"entities"`
	Triples  int `json:"triples"`
	// Method says in words how it was cut out: "3 hops, not past entities of more
	// than 100 triples".
	Method string `json:"method"`
	// Completeness says whether all within the method's terms is in it.
	Completeness Completeness `json:"completeness"`
}

// Found is what a retriever found: answers, and what in the graph supports them.
type Found struct {
	// By names the retriever for people, where its method's title does not say it
	// all: "GNN-RAG (relation flow)".
	By string `json:"by,omitempty"`
	// Answers are what the question asks for, best first. They are whole where
	// Candidates are cut. A claim has none.
	Answers []Answer `json:"answers,omitempty"`
	// Candidates support the answers, best first: matches of a pattern, or paths.
	Candidates []Candidate `json:"candidates"`
	// Closest are what comes closest where nothing was found: what claims are refuted
	// by and refusals show.
	Closest []Candidate `json:"closest,omitempty"`
	// Conditions are what the question asks of an answer, where the method tells its
	// conditions apart.
	Conditions []Condition `json:"conditions,omitempty"`
	// Weighed are the entities with the best scores, answers or not, best first: what
	// a picture shows, and the runners-up.
	Weighed []Answer `json:"weighed,omitempty"`
	// Excluded are entities that are no answers because of what triples say, some of
	// ExcludedCount.
	Excluded      []Exclusion `json:"excluded,omitempty"`
	ExcludedCount int         `json:"excluded_count,omitempty"`
	// Groups are what is said of what is described or compared, outward relations first.
	Groups       []Group      `json:"groups,omitempty"`
	Region       Region       `json:"region,omitzero"`
	Completeness Completeness `json:"completeness"`
	Stats        Stats        `json:"stats"`
	// Steps say in words how the retriever read the question, in order, where it can
	// say it: "directed by, backwards (0.99)".
	Steps []string `json:"steps,omitempty"`
	// Notes say in sentences what a reader of the answer must know: that the weights
	// are older than the graph, that relations were never seen in training.
	Notes []string `json:"notes,omitempty"`
}

// Best returns the score of the best answer, or else of the best candidate; false
// where nothing was found.
func (f *Found) Best() (Score, bool) {
	switch {
	case len(f.Answers) > 0:
		return f.Answers[0].Score, true
	case len(f.Candidates) > 0:
		return Score{f.Candidates[0].Distance, Distance}, true
	}
	return Score{}, false
}

// Support fills the Supports of the answers that are entities; of says which answer
// a candidate leads to. A candidate that is farther away than the answer is another
// reading of the question, and supports nothing. Runs that were kept before answers
// had Supports get them so, too.
func (f *Found) Support(of func(Candidate) kg.EntityID) {
	at := make(map[kg.EntityID]int, len(f.Answers))
	for i := range f.Answers {
		at[f.Answers[i].Entity] = i
		f.Answers[i].Supports = nil
	}
	for i, c := range f.Candidates {
		if n, ok := at[of(c)]; ok && (f.Answers[n].Score.Scale != Distance || c.Distance <= f.Answers[n].Score.Value) {
			f.Answers[n].Supports = append(f.Answers[n].Supports, i)
		}
	}
}

// SupportsOf returns the candidates that support an answer, best first: those that
// are there, for a run may be kept without its last ones.
func (f *Found) SupportsOf(a Answer) []Candidate {
	var cs []Candidate
	for _, s := range a.Supports {
		if s >= 0 && s < len(f.Candidates) {
			cs = append(cs, f.Candidates[s])
		}
	}
	return cs
}
