// Package plan holds what planners propose: readings of a question as patterns.
//
//	question ─Planner─▶ Plan{Mentions, Readings} ─retriever─▶ evidence
//
// Planners live in the packages below this one: builtin needs no model, model
// asks a language model.
package plan

import (
	"cmp"
	"context"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/internal/token"
)

// Planner turns a question or claim into a plan.
type Planner interface {
	// Name is the planner's name for people, such as "built-in".
	Name() string
	// Plan never fails on what the user wrote: a question that it cannot read
	// gets a Plan with no Readings and the reason.
	// The mentions are the names in the question, where they are found already; nil to
	// find them.
	Plan(ctx context.Context, question string, mentions []link.Mention) (*Plan, error)
}

// ByHand is the name of the planner of a pattern that the user wrote or edited:
// the pattern, and not the words of a question, is then what is asked.
const ByHand = "your pattern"

// Reading is one way to understand the question.
type Reading struct {
	Pattern *pattern.Pattern `json:"pattern"`
	// Score ranks the readings of one plan, higher is better. A planner's means nothing
	// across questions; that of a method which reads by itself is a probability.
	Score       float64              `json:"score"`
	Explanation evidence.Explanation `json:"explanation"`
	// Text says the reading in words: "films directed by Anthony Mann → year".
	Text string `json:"text"`
	// Unused are the content words of the question that the reading ignores.
	Unused []string `json:"unused,omitempty"`
	// Lacking are the relations that the question seems to ask for and that what the reading
	// has reached there does not have.
	Lacking []string `json:"lacking,omitempty"`
	// Words are the words of the question with their roles; nil where nobody marked them.
	Words []Word `json:"words,omitempty"`
	// Worded says of a claim that its words ask for all that the reading has.
	Worded bool `json:"worded,omitempty"`
	// Whole says that the reading also has all that the claim's words ask for.
	Whole bool `json:"whole,omitempty"`
	// Plain says that the claim has no other word than what says that one thing is another or in it, and
	// that only this relation can be meant.
	Plain bool `json:"plain,omitempty"`
	// Ended says that the claim is in the present, without a word such as "still", and the graph says until when it was so.
	Ended bool `json:"ended,omitempty"`
}

// Doubt is why a planner is not sure.
type Doubt int

// The doubts.
const (
	Sure         Doubt = iota
	Ambiguous          // two readings are about as good; the user may choose
	Unsure             // a hop has no word behind it, or a strong word is unused
	NoMention          // nothing in the question names an entity of the graph
	NoRelation         // nothing in the question or schema says what to look for
	NotSupported       // the question's form is not handled
)

var doubts = token.Names{"sure", "ambiguous", "unsure", "no_mention", "no_relation", "not_supported"}

// String returns the doubt as a token.
func (d Doubt) String() string { return doubts.Of(int(d)) }

// MarshalText writes the token, for kept runs.
func (d Doubt) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads a token.
func (d *Doubt) UnmarshalText(text []byte) error { return token.Read(doubts, "doubt", text, d) }

// Sign is something that speaks against a reading.
type Sign struct {
	Name    string  `json:"name"`
	Much    float64 `json:"much"` // of it
	Cost    float64 `json:"cost"` // what it takes from the log-odds of the reading
	Message string  `json:"message"`
}

// Compare puts the sign that costs the most first.
func (s Sign) Compare(o Sign) int { return cmp.Compare(o.Cost, s.Cost) }

// Plan is what a planner, or a method that reads by itself, makes of a question.
type Plan struct {
	Question string `json:"question"`
	Planner  string `json:"planner"`
	// StoodIn says in a sentence why it was not the planner that was asked which
	// made the plan; empty where it was.
	StoodIn string `json:"stood_in,omitempty"`
	// Claim says that the text is to be checked: its outcome is a verdict, also where
	// it could not be read.
	Claim    bool           `json:"claim,omitempty"`
	Mentions []link.Mention `json:"mentions"`
	// Claimed is a claim without the words that became conditions on its statements,
	// which are tested, and not compared with triples; empty where it has none.
	Claimed string `json:"claimed,omitempty"`
	// AskedAs is the question for one of its names that a claim was read as, which that name
	// answers for sure: the claim holds then, even if no triple says its very words.
	AskedAs string `json:"asked_as,omitempty"`
	// Readings are the ways to understand the question, best first; empty when
	// the planner gives up.
	Readings []Reading `json:"readings"`
	Doubt    Doubt     `json:"doubt"`
	// Reason says the doubt in a sentence for people; empty when Sure.
	Reason string `json:"reason,omitempty"`
	// Confidence is the chance, between 0 and 1, that the first reading is right, as far as
	// Signs tell; 0 from planners that do not say.
	Confidence float64 `json:"confidence,omitempty"`
	// Signs are what speaks against the first reading, the gravest first.
	Signs []Sign `json:"signs,omitempty"`
	// Barred says that the confidence alone is why the plan is not sure.
	Barred bool `json:"barred,omitempty"`
	// Open says that the doubt is which reading is meant and nothing else: every word is
	// read, and all that is asked for is in the graph. A method that reads questions in
	// another way and finds the same settles it.
	Open bool `json:"open,omitempty"`
	// Unlinked are phrases that look like names but match no entity.
	Unlinked []string `json:"unlinked,omitempty"`
	// Seeds are the entities that a retrieval begins at which matches no pattern; nil
	// for a plan whose readings are matched.
	Seeds []kg.EntityID `json:"seeds,omitempty"`
}

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

// AsksFirmly reports whether the word asks for a relation that is called so.
func (w Word) AsksFirmly() bool { return w.Role == Related && w.For != "" && !w.Loose }
