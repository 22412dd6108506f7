package plan

import "cairn/internal/token"

// Role is what a word of a question stands for in a reading.
type Role int

// The roles.
const (
	Filler   Role = iota // says nothing that a graph could answer: "what", "the"
	Named                // part of a name
	Related              // asks for a relation
	Kind                 // says what kind of thing is meant
	Valued               // a number, a date or a unit
	Operator             // compares, counts, excludes, orders
	Unread               // says something that the reading leaves out
)

var roles = token.Names{"filler", "name", "relation", "kind", "value", "operator", "unread"}

// String returns the role as a token.
func (r Role) String() string { return roles.Of(int(r)) }

// MarshalText writes the token, for kept runs.
func (r Role) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads a token.
func (r *Role) UnmarshalText(text []byte) error { return token.Read(roles, "role", text, r) }

// Word is a word of a question with its role in one reading.
type Word struct {
	Start int  `json:"start"` // bytes of the question
	End   int  `json:"end"`
	Role  Role `json:"role"`
	// For is the relation or the name that the word stands for, for people; empty for others.
	For string `json:"for,omitempty"`
	// Loose says that it stands for that by its meaning alone, which is no proof.
	Loose bool `json:"loose,omitempty"`
}
