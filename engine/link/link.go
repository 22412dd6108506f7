// Package link finds the entities that a question mentions, and the names that
// are nearest to a text.
//
//	Mention    a span of the question and the entities that it may mean
//	Linker     question → mentions
//	Vocabulary text → nearest entities, relations and types by embedding
package link

import (
	"cairn/engine/kg"
	"cairn/internal/token"
)

// Method says how a candidate was found.
type Method int

// The methods, surest first.
const (
	Exact  Method = iota // the label, letter by letter
	Alias                // another name of the entity
	Folded               // equal but for case, accents and punctuation
	Typo                 // a small edit distance away
	Near                 // near by embedding
)

var methods = token.Names{"exact", "alias", "folded", "typo", "near"}

// String returns the method as a token.
func (m Method) String() string { return methods.Of(int(m)) }

// MarshalText writes the token, for kept runs.
func (m Method) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads a token.
func (m *Method) UnmarshalText(text []byte) error { return token.Read(methods, "method", text, m) }

var methodWords = token.Names{"exact name", "alias", "same except for case, accents or punctuation", "likely misspelling", "similar name"}

// Words says in words how the candidate was found.
func (m Method) Words() string { return methodWords.Of(int(m)) }

// Candidate is an entity that a text may mean.
type Candidate struct {
	Entity kg.EntityID `json:"entity"`
	// Distance is 0 for an exact name; lower is closer.
	Distance float64 `json:"distance"`
	Method   Method  `json:"method"`
}

// Mention is a span of a question that may name entities.
type Mention struct {
	Start int    `json:"start"` // byte offset of the first byte
	End   int    `json:"end"`   // byte offset after the last byte
	Text  string `json:"text"`
	// Candidates are the entities meant, best first; same-name entities are
	// kept apart and share a distance.
	Candidates []Candidate `json:"candidates"`
	// Strength says how sure it is that the span is a name at all; higher is
	// surer (planner.md, "Linking").
	Strength float64 `json:"strength"`
}

// Neighbour is a name near to a text.
type Neighbour[ID any] struct {
	ID       ID
	Distance float64 // L2 between unit vectors: 0 the same, 2 opposite
}
