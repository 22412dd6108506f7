package builtin

import (
	"slices"
	"strings"

	"cairn/engine/link"
	"cairn/engine/plan"
)

// exclusions are the words by which a question leaves something out. A pattern
// cannot say that yet, and to answer the rest would be to answer the opposite.
var exclusions = map[string]bool{
	"not": true, "never": true, "without": true, "except": true, "excluding": true, "neither": true, "nor": true, "no": true,
}

// excludes returns the word by which a question leaves something out, or "".
// Claims may be denied; there the word is understood.
//
// Every mention counts here, also those too weak to be read as names: No is a
// name where it is written so, and so is any name that holds more than the word.
func (r *reader) excludes(mentions []link.Mention) string {
	if r.claim {
		return ""
	}
	for i, w := range r.words {
		named := slices.ContainsFunc(mentions, func(m link.Mention) bool {
			return m.Start <= w.Start && w.End <= m.End && (w.Capital || m.End-m.Start > w.End-w.Start)
		})
		if (exclusions[w.Lower] || r.isContractedNot(i)) && !named {
			return w.Text
		}
	}
	return ""
}

// isContractedNot reports whether word i is the "isn" of "isn't".
func (r *reader) isContractedNot(i int) bool {
	if i+1 == len(r.words) {
		return false
	}
	w, next := r.words[i], r.words[i+1]
	return strings.HasSuffix(w.Lower, "n") && next.Lower == "t" && strings.Trim(r.text[w.End:next.Start], "'’") == ""
}

// refuseExclusion makes the plan of a question that leaves something out.
func refuseExclusion(out *plan.Plan, word string) *plan.Plan {
	out.Doubt = plan.NotSupported
	out.Reason = "Questions that leave something out, here by " + quote(word) + ", are not understood yet: ask for what it is, and compare."
	return out
}
