// Package questions holds questions with their answers: what retrievers are trained on
// and measured with, and what is suggested to begin with.
//
//	Question   a question of a file, in names
//	Grounder   finds the entities of a graph that names mean
//	Example    a question over one graph, in ids
//	Maker      makes questions out of a graph, to learn from and to suggest
//	Generated  a question that it made, with the pattern that it means
package questions

import (
	"slices"

	"cairn/engine/kg"
	"cairn/engine/schema"
)

// Question is a question with its answers, in names.
type Question struct {
	Text    string   `json:"text"`   // without marks around the topic
	Topics  []string `json:"topics"` // the entities that it names, by label or key; nil where the file does not say
	Answers []string `json:"answers"`
	Line    int      `json:"line"` // in its file, from 1
}

// Example is a question over one graph.
type Example struct {
	Text string
	// Topics are the entities that the question names.
	Topics []kg.EntityID
	// Spans are the byte ranges of the topics' names in Text, ascending and
	// apart; a topic that is not found there has none.
	Spans []Span
	// Answers are distinct, ascending.
	Answers []kg.EntityID
	// Legs say how the answers follow from the topics, where that is known: they are
	// what all of these lead to.
	Legs []Leg `json:",omitempty"`
	// Made says that it was made out of the graph.
	Made bool `json:",omitempty"`
}

// Leg is a chain of steps from an entity to what is asked for.
type Leg struct {
	Entity kg.EntityID
	Steps  []schema.Step
}

// Spread returns at most n of some things, evenly from all over.
func Spread[T any](xs []T, n int) []T {
	if len(xs) <= n {
		return xs
	}
	out := make([]T, n)
	for i := range out {
		out[i] = xs[i*len(xs)/n]
	}
	return out
}

// Span is a byte range [Start, End) of a text.
type Span struct{ Start, End int }

// Problem is a question that cannot be used.
type Problem struct {
	Line int    `json:"line,omitempty"` // in its file; 0 for a question that was made out of the graph
	Why  string `json:"why"`            // a sentence
}

// Right reports whether answers are all that the question should be answered with, and
// nothing else. Each answer is given by the names it may go by; case is folded.
func (q Question) Right(answers [][]string) bool {
	is := func(answer []string, wanted string) bool {
		return slices.ContainsFunc(answer, func(name string) bool { return folded(name) == folded(wanted) })
	}
	return !slices.ContainsFunc(q.Answers, func(wanted string) bool {
		return !slices.ContainsFunc(answers, func(a []string) bool { return is(a, wanted) })
	}) && !slices.ContainsFunc(answers, func(a []string) bool {
		return !slices.ContainsFunc(q.Answers, func(wanted string) bool { return is(a, wanted) })
	})
}
