package learn

import (
	"slices"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/questions"
	"cairn/internal/wording"
)

// TokensOf cuts a question into words. Where a topic's name stands, there is a
// token without text; span[i] is the number of the name that token i stands for, or
// -1. A question without words has one token that stands for the topic.
func TokensOf(q questions.Example) (tokens []lexicon.Token, span []int) {
	next := 0
	for _, t := range lexicon.Tokenize(q.Text) {
		for next < len(q.Spans) && q.Spans[next].End <= t.Start {
			next++
		}
		if next == len(q.Spans) || t.End <= q.Spans[next].Start {
			tokens, span = append(tokens, t), append(span, -1)
			continue
		}
		if len(span) == 0 || span[len(span)-1] != next {
			tokens, span = append(tokens, lexicon.Token{}), append(span, next)
		}
	}
	if len(tokens) == 0 {
		tokens, span = append(tokens, lexicon.Token{}), append(span, 0)
	}
	return tokens, span
}

// Named are topics that go by one name, and which of a question's spans that is:
// -1 for none.
type Named struct {
	Span  int
	Seeds []kg.EntityID
}

// NamesOf sorts the topics of a question by the names that they go by in it: those
// that have the name of a span belong there, others to those with the same label.
// Where there is one span for topics of any names, they all belong to it.
func NamesOf(g *kg.Graph, q questions.Example) []Named {
	bySpan := map[string]int{}
	for i, s := range q.Spans {
		if name := lexicon.Fold(q.Text[s.Start:s.End]); bySpan[name] == 0 {
			bySpan[name] = i + 1
		}
	}
	var out []Named
	var labels []string // by name of out
	for _, e := range q.Topics {
		label := lexicon.Fold(g.Label(e))
		span := -1
		for _, name := range append([]string{label, lexicon.Fold(g.Key(e))}, wording.Each(g.Aliases(e), lexicon.Fold)...) {
			if i := bySpan[name]; i > 0 {
				span = i - 1
				break
			}
		}
		at := slices.IndexFunc(out, func(n Named) bool { return n.Span >= 0 && n.Span == span })
		if at < 0 && span < 0 {
			at = slices.Index(labels, label)
		}
		if at < 0 {
			out, labels, at = append(out, Named{Span: span}), append(labels, label), len(out)
		}
		out[at].Seeds = kg.With(out[at].Seeds, e)
	}
	if len(q.Spans) == 1 && len(out) > 1 {
		return []Named{{Span: 0, Seeds: q.Topics}}
	}
	return out
}
