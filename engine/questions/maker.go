package questions

import (
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/schema"
)

// Planner is what making questions needs of the planner that will read them.
type Planner interface {
	plan.Planner
	// Schema is what the planner knows of its graph, and Lexicon what of words.
	Schema() *schema.Schema
	Lexicon() *lexicon.Lexicon
	// Meaning returns the concepts of the lexicon that a relation means, and the
	// words besides theirs that ask for it.
	Meaning(r kg.RelationID) (concepts, words []string)
	// Edge writes a step between two nodes of a pattern.
	Edge(from, to int, st schema.Step) pattern.Edge
	// NamesKind reports whether a word names a kind of thing in the graph.
	NamesKind(word string) bool
	// IsAnswer reports whether what is in a slot is a kind of answer.
	IsAnswer(at schema.Slot, a lexicon.Answer) bool
}

// Maker makes questions out of a graph. It is safe for concurrent use.
type Maker struct {
	p      Planner
	g      *kg.Graph
	schema *schema.Schema
	lex    *lexicon.Lexicon
}

// NewMaker makes questions in the words of a planner, out of its graph.
func NewMaker(p Planner) *Maker {
	return &Maker{p: p, g: p.Schema().Graph(), schema: p.Schema(), lex: p.Lexicon()}
}
