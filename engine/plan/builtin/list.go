package builtin

import (
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/pattern"
	"cairn/engine/plan/words"
)

// ofLists returns the proposal that grammar makes of names in a list, as in "borders
// Austria and Portugal": the word before the list asks the same of each of them. It is
// followed even where the graph has no answer to it, for then that is the answer; a
// reading that asks of Portugal what no word says has answers only by chance. It returns
// nil where it has answers, or another reading scores better.
func (r *reader) ofLists(proposals []proposal, realised []*proposal) *proposal {
	for i := range proposals[:min(len(proposals), realiseMost)] {
		pr := &proposals[i]
		if !r.sharesLists(pr) {
			continue
		}
		// The hops of the names that follow lack a word only because they share one.
		score := pr.score + r.p.weights.Uncued*float64(pr.verdict.uncued)
		if len(pr.answers) > 0 || score < proposals[0].score || len(realised) > 0 && score < realised[0].score {
			return nil
		}
		pr.score, pr.reuse, pr.answers = score, pattern.ReuseVariables, []kg.EntityID{}
		return pr
	}
	return nil
}

// sharesLists reports whether a proposal asks the same of all names of each list, has
// such a list, and a word for everything else.
func (r *reader) sharesLists(pr *proposal) bool {
	v, follow := &pr.verdict, 0
	for _, b := range pr.shape.legs {
		for _, a := range pr.shape.legs {
			if !r.isListed(pr.q.Mentions[a.mention], pr.q.Mentions[b.mention]) {
				continue
			}
			if !slices.Equal(a.steps, b.steps) {
				return false
			}
			follow += len(b.steps)
		}
	}
	return follow > 0 && v.uncued <= follow && v.bare == 0 && v.faint == 0 && len(v.unused) == 0
}

// isListed reports whether nothing but a comma and "and" stands between two names.
func (r *reader) isListed(a, b words.Span) bool {
	if a.To > b.From || b.From > a.To+1 || !a.IsSure() || !b.IsSure() {
		return false
	}
	if b.From == a.To+1 {
		return r.Words[a.To].Lower == "and"
	}
	between := r.Source[r.Words[a.To-1].End:r.Words[b.From].Start]
	return strings.TrimSpace(between) == ","
}
