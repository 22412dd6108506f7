package evidence

import (
	"slices"

	"cairn/engine/kg"
	"cairn/internal/token"
)

// Condition is one thing that a question asks of its answer: a relation to something
// that it names, a value within bounds, a kind.
type Condition struct {
	// Text says it in words: "participating countries: Russia".
	Text string `json:"text"`
}

// Status is how an answer stands to a condition.
type Status int

// The ways to stand to a condition.
const (
	Met     Status = iota // triples say so
	Unmet                 // the graph speaks of such things, and not of this one
	Unknown               // the graph has nothing that could say so
)

var statuses = token.Names{"met", "unmet", "unknown"}

// String returns the status as a token.
func (s Status) String() string { return statuses.Of(int(s)) }

// Words says the status in words.
func (s Status) Words() string {
	return token.Names{"met", "not met", "unknown to this graph"}.Of(int(s))
}

// MarshalText writes the token, for kept runs.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a token.
func (s *Status) UnmarshalText(text []byte) error { return token.Read(statuses, "status", text, s) }

// Outcome is how one answer stands to one condition.
type Outcome struct {
	Status Status `json:"status"`
	// Triples say so where it is met.
	Triples []kg.TripleID `json:"triples,omitempty"`
}

// CountMet counts the conditions that an answer meets.
func (a Answer) CountMet() (n int) {
	for _, o := range a.Outcomes {
		if o.Status == Met {
			n++
		}
	}
	return n
}

// Partial reports whether an answer leaves a condition open. Such answers are the closest
// that there are, or fit what was read of the question alone: they are never sure.
func (f *Found) Partial() bool {
	return slices.ContainsFunc(f.Answers, func(a Answer) bool { return a.CountMet() < len(a.Outcomes) })
}
