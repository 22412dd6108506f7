package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/retrieve"
	"cairn/internal/wording"
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

// named finds what a question begins at for a method that is Seeded: the entities that
// it names, and where. It names none where there are no entities.
func (s *state) named(ctx context.Context, question string) ([]kg.EntityID, []link.Mention, error) {
	ms, err := s.linker.Link(ctx, question)
	seeds, used := s.seeds(question, ms)
	return seeds, used, err
}

// locate is the plan of a method that is Seeded: it settles which entities the
// retrieval starts from. There is no reading: the method reads the question by itself.
func (a *asking) locate() *plan.Plan {
	who := a.method.Info()
	seeds, used := a.seeds(a.run.Question, a.run.Mentions)
	p := &plan.Plan{Question: a.run.Question, Planner: who.Title, Mentions: used}
	p.Unlinked = a.linker.Unlinked(a.run.Question, used)
	// A name that the graph does not have is what is asked about, and not a common
	// word beside it that happens to be a name.
	if len(p.Unlinked) > 0 && !slices.ContainsFunc(used, func(m link.Mention) bool { return m.Strength >= likelyName }) {
		seeds = nil
	}
	if len(seeds) == 0 {
		p.Doubt = plan.NoMention
		p.Reason = "No name in the question is in this graph, so there is nothing to start from."
		return p
	}
	a.run.Task = a.builtin.Task(a.run.Question, a.run.Mentions)
	if a.run.Task == pattern.Verify && !who.Claims {
		p.Doubt = plan.NotSupported
		p.Reason = fmt.Sprintf("This is a claim, and %s only finds answers", who.Who)
		if other := a.engine.able(func(i retrieve.Info) bool { return i.Claims }); other != "" {
			p.Reason += "; check claims with " + other
		}
		p.Reason += "."
		return p
	}
	p.Seeds = seeds
	return p
}

// cautions say what the plan lacks for the answer to be what was asked for, and keep what a
// baseline answers from being sure.
func (a *asking) cautions() []string {
	who := a.method.Info()
	notes := wording.Each(a.run.Plan.Unlinked, func(name string) string {
		return fmt.Sprintf("Nothing in this graph is called “%s”, so this was answered without it.", name)
	})
	if a.run.Task == pattern.Count && !who.Counts {
		note := fmt.Sprintf("The question asks for a number, but %s lists what it finds and does not count", who.Who)
		if other := a.engine.able(func(i retrieve.Info) bool { return i.Counts }); other != "" {
			note += "; " + other + " does"
		}
		notes = append(notes, note+".")
	}
	if who.Baseline {
		notes = append(notes, wording.Capital(who.Who)+" is a baseline for comparison and is never sure.")
	}
	return notes
}

// seeds returns what a retrieval starts from, and the mentions that it is taken
// from, as they stand in the question: the strongest ones that do not overlap, and
// of each the entities that it means most surely, all of them where several have
// that name.
func (s *state) seeds(question string, ms []link.Mention) (seeds []kg.EntityID, used []link.Mention) {
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
		same := s.linker.ByProminence(link.SameName(s.graph, m.Text, m.Candidates))
		for _, c := range same[:min(len(same), maxSameName)] {
			seeds = kg.With(seeds, c.Entity)
		}
	}
	return seeds, used
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
