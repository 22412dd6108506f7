// Package answer makes answers out of evidence, and checks them.
//
// A direct answer is made from the bindings alone and always exists; a model
// may phrase one, and every sentence of it is checked against the triples that
// it cites.
package answer

import (
	"cairn/engine/check"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/internal/token"
)

// Verdict is what the evidence says of a claim.
type Verdict int

// The verdicts.
const (
	NoVerdict Verdict = iota // not a claim
	Supported
	Refuted
	NotFound // not found in this KG; never "false"
	Likely   // a match fits it, but triples do not say all of its words
)

var verdicts = token.Names{"", "supported", "refuted", "not_found", "likely"}

// String returns the verdict as a token.
func (v Verdict) String() string { return verdicts.Of(int(v)) }

// MarshalText writes the token, for kept runs.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads a token.
func (v *Verdict) UnmarshalText(text []byte) error { return token.Read(verdicts, "verdict", text, v) }

// Words says the verdict in words.
func (v Verdict) Words() string {
	switch v {
	case NotFound:
		return "not found in this graph"
	case Likely:
		return "likely supported"
	case NoVerdict, Supported, Refuted:
	}
	return v.String()
}

// Sentence is one sentence of an answer.
type Sentence struct {
	Text string `json:"text"`
	// Citations are numbers into the pack: 1 is T1.
	Citations []int        `json:"citations"`
	Check     check.Result `json:"check"`
	// Note says that the sentence is about the search, not about the world: it
	// cites nothing and needs no check.
	Note bool `json:"note,omitempty"`
	// Model says that a model wrote it, and not Cairn.
	Model  bool   `json:"model,omitempty"`
	Reason string `json:"reason,omitempty"` // why it is not covered
}

// Item is one answer to the question: an entity, or a value.
type Item struct {
	Entity kg.EntityID `json:"entity"` // kg.NoEntity for a value
	Label  string      `json:"label"`
	// Citations are the triples of its best match, as numbers into the pack.
	Citations []int   `json:"citations"`
	Distance  float64 `json:"distance"` // of its best match; 0 is exact
	// Matches counts the matches that bind it, or the paths that lead to it.
	Matches int `json:"matches"`
	// Probability is what a retriever gives it that scores entities, in [0, 1],
	// higher is better; 0 where there was none. Distance is then 1 less this.
	Probability float64 `json:"probability,omitempty"`
	// Amount is what was measured for it, or what it is ranked by; nil for none.
	Amount *evidence.Amount `json:"amount,omitempty"`
}

// Key returns the identifier of the item's entity; a value has none.
func (i Item) Key(g *kg.Graph) string { return evidence.Answer{Entity: i.Entity}.Key(g) }

// Missing is one thing that stood between the question and an answer.
type Missing struct {
	What    string `json:"what"`    // "mention", "relation" or "match"
	Text    string `json:"text"`    // the name that was not found, or in words what was not
	Closest string `json:"closest"` // the nearest thing that the graph has, or empty
}

// Refusal says why there is no answer.
type Refusal struct {
	Reason  string    `json:"reason"` // one sentence for people
	Missing []Missing `json:"missing,omitempty"`
	// Closest are candidates that meet part of the pattern, best first.
	Closest []evidence.Candidate `json:"closest,omitempty"`
}

// Answer is what is said in reply, with the evidence that it rests on.
type Answer struct {
	Verdict   Verdict       `json:"verdict,omitempty"`
	Items     []Item        `json:"items,omitempty"`
	Count     int           `json:"count"` // distinct items, also where Items was cut
	Sentences []Sentence    `json:"sentences"`
	Pack      evidence.Pack `json:"pack"`
	Refusal   *Refusal      `json:"refusal,omitempty"`
	// Model names the model that wrote sentences; empty for a direct answer.
	Model string `json:"model,omitempty"`
	// NotWorded says in a sentence why a model that was asked to word the answer
	// did not; empty where it did, or where none was asked.
	NotWorded string `json:"not_worded,omitempty"`
	// Direct are the sentences of the direct answer, where a model wrote others:
	// they hold whatever the model says.
	Direct []Sentence `json:"direct,omitempty"`
}
