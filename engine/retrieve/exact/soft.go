package exact

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/retrieve"
)

// unread returns the mentions of a question whose words its reading leaves out and whose
// entities it does not have, in their order, no two of the same words.
func unread(q retrieve.Query) []link.Mention {
	r := q.Readings[0]
	named := r.Pattern.Named()
	means := func(m link.Mention) bool {
		return slices.ContainsFunc(m.Candidates, func(c link.Candidate) bool { return slices.Contains(named, c.Entity) })
	}
	var left []link.Mention
	for _, m := range q.Mentions {
		if len(m.Candidates) > 0 && !means(m) && leavesOut(r.Unused, m.Text) {
			left = append(left, m)
		}
	}
	// Of those that overlap the surest stands.
	slices.SortStableFunc(left, func(a, b link.Mention) int {
		return cmp.Or(cmp.Compare(b.Strength, a.Strength), cmp.Compare(len(b.Text), len(a.Text)), cmp.Compare(a.Start, b.Start))
	})
	var kept []link.Mention
	seen := map[kg.EntityID]bool{}
	for _, m := range left {
		over := slices.ContainsFunc(kept, func(o link.Mention) bool { return m.Start < o.End && o.Start < m.End })
		if first := m.Candidates[0].Entity; !over && !seen[first] && len(kept) < maxSoft {
			kept, seen[first] = append(kept, m), true
		}
	}
	slices.SortStableFunc(kept, func(a, b link.Mention) int { return cmp.Compare(a.Start, b.Start) })
	return kept
}

// leavesOut reports whether a word of a name is among those that a reading leaves out.
func leavesOut(unused []string, name string) bool {
	words := strings.Fields(strings.ToLower(name))
	return slices.ContainsFunc(unused, func(u string) bool {
		return slices.ContainsFunc(strings.Fields(strings.ToLower(u)), func(w string) bool { return slices.Contains(words, w) })
	})
}

// unlinked returns the names of a question that its reading leaves out and that mean nothing
// in the graph, in their order: runs of words with a capital, but for the first word, of a
// question that is not written in capitals throughout.
func unlinked(q retrieve.Query) (names []string) {
	const marks = ",.;:?!\"“”()"
	var run []string
	words, capitals, from := strings.Fields(q.Question), 0, 0
	end := func() {
		if len(run) > 0 {
			names = append(names, strings.Join(run, " "))
		}
		run = nil
	}
	for i, w := range words {
		from += strings.Index(q.Question[from:], w)
		to := from + len(w)
		word := strings.Trim(w, marks)
		first, _ := utf8.DecodeRuneInString(word)
		if unicode.IsUpper(first) {
			capitals++
		}
		linked := slices.ContainsFunc(q.Mentions, func(m link.Mention) bool { return len(m.Candidates) > 0 && m.Start < to && from < m.End })
		if from = to; i == 0 || !unicode.IsUpper(first) || linked || !leavesOut(q.Readings[0].Unused, word) {
			end()
			continue
		}
		if run = append(run, word); strings.ContainsAny(w[len(w)-1:], marks) {
			end()
		}
	}
	if end(); 2*capitals > len(words) {
		return nil
	}
	return names
}
