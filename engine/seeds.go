package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/qa"
)

const (
	// maxTopics is how many names of a question a retrieval starts from.
	maxTopics = 4
	// leastName is the strength from which the strongest name counts: a function word
	// in another case, the "is" that may mean Iceland, stays below it.
	leastName = 0.15
	// sureName is the strength from which a further name counts, and likelyName that
	// in a question without capitals.
	sureName, likelyName = 0.8, 0.6
	// maxSameName is how many entities of one name are started from.
	maxSameName = 20
)

// Seeds finds what a question to ByGNN starts from: the entities that it names,
// and where. Topics are nil where it names none.
func (e *Engine) Seeds(ctx context.Context, question string) (qa.Example, error) {
	s, err := e.whole(ctx, nil)
	if err != nil {
		return qa.Example{Text: question}, err
	}
	ms, err := s.linker.Link(ctx, question)
	if err != nil {
		return qa.Example{Text: question}, err
	}
	x, _ := s.seeds(question, ms)
	return x, nil
}

// seeds returns what a retrieval starts from, and the mentions that it is taken
// from, as they stand in the question: the strongest ones that do not overlap, and
// of each the entities that it means most surely, all of them where several have
// that name.
func (s *state) seeds(question string, ms []link.Mention) (x qa.Example, used []link.Mention) {
	x.Text = question
	further := sureName
	if !hasCapitals(question) {
		further = likelyName
	}
	for _, m := range ms { // the strongest first
		overlaps := slices.ContainsFunc(used, func(u link.Mention) bool { return u.Start < m.End && m.Start < u.End })
		if overlaps || len(m.Candidates) == 0 || m.Strength < leastName || len(used) > 0 && m.Strength < further {
			continue
		}
		if used = append(used, m); len(used) == maxTopics {
			break
		}
	}
	slices.SortFunc(used, func(a, b link.Mention) int { return cmp.Compare(a.Start, b.Start) })
	for _, m := range used {
		x.Spans = append(x.Spans, qa.Span{Start: m.Start, End: m.End})
		for _, e := range s.meant(m) {
			if !slices.Contains(x.Topics, e) {
				x.Topics = append(x.Topics, e)
			}
		}
	}
	return x, used
}

// hasCapitals reports whether a word after the first begins with a capital: who
// writes so writes names so.
func hasCapitals(question string) bool {
	_, rest, _ := strings.Cut(strings.TrimSpace(question), " ")
	for w := range strings.FieldsSeq(rest) {
		if first, _ := utf8.DecodeRuneInString(w); unicode.IsUpper(first) {
			return true
		}
	}
	return false
}

// meant returns the entities that a mention means most surely: those that are
// called so letter by letter, or else all at the least distance.
func (s *state) meant(m link.Mention) []kg.EntityID {
	best := m.Candidates[0]
	var same, exact []kg.EntityID
	name := strings.TrimSpace(m.Text)
	for _, c := range s.linker.ByProminence(m.Candidates) {
		if c.Distance > best.Distance || c.Method > best.Method {
			continue
		}
		same = append(same, c.Entity)
		if s.graph.Label(c.Entity) == name || slices.Contains(s.graph.Aliases(c.Entity), name) {
			exact = append(exact, c.Entity)
		}
	}
	if len(exact) > 0 {
		same = exact
	}
	return same[:min(len(same), maxSameName)]
}
