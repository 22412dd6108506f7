package retrievetest

import (
	"slices"
	"strings"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/questions"
)

// Asked is a question about topics, whose labels are marked by brackets.
func Asked(tb testing.TB, g *kg.Graph, text string, answers ...string) questions.Example {
	tb.Helper()
	var q questions.Example
	for {
		before, rest, ok := strings.Cut(text, "[")
		q.Text += before
		if !ok {
			break
		}
		name, after, _ := strings.Cut(rest, "]")
		q.Spans = append(q.Spans, questions.Span{Start: len(q.Text), End: len(q.Text) + len(name)})
		q.Text += name
		q.Topics = append(q.Topics, Entity(tb, g, name))
		text = after
	}
	for _, a := range answers {
		q.Answers = append(q.Answers, Entity(tb, g, a))
	}
	slices.Sort(q.Answers)
	return q
}

// Entity is that with a label.
func Entity(tb testing.TB, g *kg.Graph, label string) kg.EntityID {
	tb.Helper()
	for e := range kg.EntityID(g.Entities()) {
		if g.Label(e) == label {
			return e
		}
	}
	tb.Fatalf("there is no entity %q", label)
	return 0
}
