// Package sample reads the questions that come with the sample graph.
package sample

import (
	"strings"

	"cairn/assets"
)

// Question is one question to the sample graph with what it should find.
type Question struct {
	// Kind says what the question shows, in words for people: "two hops",
	// "superlative", "false claim", "ambiguous name", "no answer" and so on.
	Kind string
	Text string
	// Answers are the labels or values expected, in no order; a claim has "yes" or
	// "no", a count its number, a question without an answer none.
	Answers []string
	// Pattern is what finds the answers, in the notation of the package's test.
	Pattern string
}

// Questions returns the sample questions, the simplest first.
func Questions() []Question {
	var qs []Question
	for i, line := range strings.Split(strings.TrimSpace(assets.SampleQuestions), "\n") {
		cells := strings.Split(strings.TrimSuffix(line, "\r"), "\t")
		if i == 0 || len(cells) != 4 {
			continue // the header; the test sees to it that every row has four cells
		}
		q := Question{Kind: cells[0], Text: cells[1], Pattern: cells[3]}
		if cells[2] != "" {
			q.Answers = strings.Split(cells[2], "; ")
		}
		qs = append(qs, q)
	}
	return qs
}
