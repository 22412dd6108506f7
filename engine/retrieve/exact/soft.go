package exact

import (
	"cmp"
	"slices"
	"strings"

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
