package present

import (
	"fmt"
	"slices"

	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/kg"
	"cairn/internal/wording"
)

// WhatIf is what leaving triples out of the graph does to an answer.
type WhatIf struct {
	LeftOut []string `json:"left_out"` // the triples
	// Before is the answer on the whole graph, After the one without the triples.
	Before WhatIfAnswer  `json:"before"`
	After  WhatIfAnswer  `json:"after"`
	Stay   []NamedAnswer `json:"stay"`
	Go     []NamedAnswer `json:"go"`
	Come   []NamedAnswer `json:"come"`
	// Reading is how the question is read without them, where that is otherwise.
	Reading string `json:"reading,omitempty"`
}

// WhatIfAnswer is an answer at a glance, and its Confidence.
type WhatIfAnswer struct {
	Answer     string `json:"answer"`
	Confidence string `json:"confidence"`
}

// NamedAnswer is an answer by its name and key; the key of a value is empty.
type NamedAnswer struct {
	Label string `json:"label"`
	Key   string `json:"key,omitempty"`
}

// WhatIfOf puts what the triples do that a run was asked without into words; whole is the
// run on the whole graph.
func WhatIfOf(g *kg.Graph, whole, without *engine.Run) *WhatIf {
	c := engine.ChangesOf(whole, without)
	names := func(items []answer.Item) []NamedAnswer {
		return wording.Each(items, func(it answer.Item) NamedAnswer { return NamedAnswer{OneLine(it.Label), it.Key(g)} })
	}
	plain := *without
	plain.Without = nil // Glance says it otherwise
	w := &WhatIf{
		LeftOut: tripleTexts(g, knownTriples(g, without.Without)), Before: whatIfAnswer(whole), After: whatIfAnswer(&plain),
		Stay: names(c.Stay), Go: names(c.Go), Come: names(c.Come),
	}
	if c.Reread && without.Pattern() != nil {
		w.Reading = OneLine(without.Plan.Readings[without.Reading].Text)
	}
	return w
}

func whatIfAnswer(run *engine.Run) WhatIfAnswer {
	text, _ := Glance(run)
	return WhatIfAnswer{text, Confidence(run)}
}

// knownTriples are those of triples that a graph has: a record may name others.
func knownTriples(g *kg.Graph, ts []kg.TripleID) []kg.TripleID {
	return slices.DeleteFunc(slices.Clone(ts), func(t kg.TripleID) bool { return int(t) >= g.Triples() })
}

// WhatIfHelp says what the ticks beside the triples of the evidence do.
const WhatIfHelp = "Untick a triple to ask again without it"

// PutBack is what puts back that which a run left out.
func PutBack(run *engine.Run) string {
	if len(run.Without) == 1 {
		return "Put it back"
	}
	return "Put them back"
}

// WhatIfTitle says that a run left triples out; "" of one on the whole graph.
func WhatIfTitle(run *engine.Run) string {
	if run == nil || len(run.Without) == 0 {
		return ""
	}
	return "What if: " + Plural(len(run.Without), "triple", "triples") + " left out"
}

// WhatIfLines say that a run left triples out, and which; nil of one on the whole graph.
func WhatIfLines(g *kg.Graph, run *engine.Run) []string {
	if title := WhatIfTitle(run); title != "" {
		return append([]string{title}, tripleTexts(g, knownTriples(g, run.Without))...)
	}
	return nil
}

// Lines say what changed.
func (w *WhatIf) Lines() []string {
	lines := []string{fmt.Sprintf("Before: %s (%s). Now: %s (%s).", w.Before.Answer, w.Before.Confidence, w.After.Answer, w.After.Confidence)}
	if w.Reading != "" {
		lines = append(lines, fmt.Sprintf("The question is now read differently: %s.", w.Reading))
	}
	if len(w.Go)+len(w.Come) == 0 && w.Before == w.After {
		return append(lines, "Nothing changes: the answer does not need it.")
	}
	for _, part := range []struct {
		title string
		rows  []NamedAnswer
	}{{"No longer an answer", w.Go}, {"New", w.Come}, {"Still an answer", w.Stay}} {
		if n := len(part.rows); n > 0 {
			lines = append(lines, fmt.Sprintf("%s (%s): %s", part.title, Count(n), wording.Few(wording.Each(part.rows, func(r NamedAnswer) string { return Shorten(r.Label, 80) }), 12)))
		}
	}
	return lines
}
