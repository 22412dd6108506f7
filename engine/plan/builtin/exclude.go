package builtin

import (
	"slices"

	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/plan"
	"cairn/internal/wording"
)

// exclusions are the words by which a question leaves something out. A pattern
// cannot say that yet, and to answer the rest would be to answer the opposite.
var exclusions = lexicon.Words("exclusions")

// excludes returns the word by which a question leaves something out, or "".
// Claims may be denied; there the word is understood.
//
// Every mention counts here, also those too weak to be read as names: No is a
// name where it is written so, and so is any name that holds more than the word.
func (r *reader) excludes(mentions []link.Mention) string {
	if r.claim {
		return ""
	}
	for i, w := range r.Words {
		named := slices.ContainsFunc(mentions, func(m link.Mention) bool {
			return m.Start <= w.Start && w.End <= m.End && (w.Capital || m.End-m.Start > w.End-w.Start)
		})
		if (exclusions[w.Lower] || r.IsContractedNot(i)) && !named {
			return w.Text
		}
	}
	return ""
}

// refuseExclusion makes the plan of a question that leaves something out.
func refuseExclusion(out *plan.Plan, word string) *plan.Plan {
	out.Doubt = plan.NotSupported
	out.Reason = "Questions that leave something out, here by " + wording.Quote(word) + ", are not understood yet: ask for what it is, and compare."
	return out
}
