package builtin

import "cairn/engine/plan"

// exclusions are the words by which a question leaves something out. A pattern
// cannot say that yet, and to answer the rest would be to answer the opposite.
var exclusions = map[string]bool{
	"not": true, "never": true, "without": true, "except": true, "excluding": true, "neither": true, "nor": true, "no": true,
}

// excludes returns the word by which a question leaves something out, or "".
// Claims may be denied; there the word is understood.
func (r *reader) excludes() string {
	if r.claim {
		return ""
	}
	for i, w := range r.words {
		if exclusions[w.Lower] && !r.isLinked(i) {
			return w.Text
		}
	}
	if len(r.words) > 0 && r.hasContractedNot() {
		return "n't"
	}
	return ""
}

// refuseExclusion makes the plan of a question that leaves something out.
func refuseExclusion(out *plan.Plan, word string) *plan.Plan {
	out.Doubt = plan.NotSupported
	out.Reason = "Questions that leave something out, here by " + quote(word) + ", are not understood yet: ask for what it is, and compare."
	return out
}
