package builtin

import (
	"fmt"
	"slices"

	"cairn/engine/plan/words"
	"cairn/internal/wording"
)

// byMeaning says which words a proposal takes for relations by their meaning alone:
// "“wed” for “spouse”".
func (pr *proposal) byMeaning() []string {
	var out []string
	for h, hp := range pr.shape.hops() {
		if h >= len(pr.verdict.cue) || pr.verdict.cue[h] < 0 {
			continue
		}
		w := &pr.q.Words[pr.verdict.cue[h]]
		if _, ok := w.MeansOnly(pr.q.p.Vocabulary, hp.step.Relation()); !ok {
			continue
		}
		said := fmt.Sprintf("%s for %s", wording.Quote(w.Text), wording.Quote(pr.q.p.g.RelationText(hp.step.Relation())))
		if !slices.Contains(out, said) {
			out = append(out, said)
		}
	}
	return out
}

// hasUse reports whether a word asks for something, and where it does so by its meaning
// alone, for something that the proposal has: other words by meaning may mean nothing here.
func (pr *proposal) hasUse(w *words.Word) bool {
	if !w.ByMeaning || pr == nil {
		return w.IsCue()
	}
	return slices.ContainsFunc(pr.shape.hops(), func(h hop) bool { return w.Weight[h.step] > 0 })
}
