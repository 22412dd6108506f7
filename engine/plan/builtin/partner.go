package builtin

import (
	"slices"
	"strings"

	"cairn/engine/lexicon"
	"cairn/engine/plan/words"
)

// A graph may tell fathers from mothers where a question does not: "the parents of X", "the children
// of X".

// joinPartners puts a reading of both before one that tells fathers from mothers where the question
// does not, in the place of all that do.
func (p *Planner) joinPartners(shown []*proposal) []*proposal {
	if len(shown) == 0 {
		return shown
	}
	best, found := shown[0], false
	for _, h := range best.shape.hops() {
		ok := len(p.Partner(h.step.Relation())) > 0
		if ok && slices.ContainsFunc(best.q.Words, func(w words.Word) bool {
			return w.Mention < 0 && (p.IsOwn(h.step.Relation(), w.Stem) || lexicon.IsGendered(w.Lower) || lexicon.IsGendered(strings.ToLower(w.Text)))
		}) {
			return shown
		}
		found = found || ok
	}
	if !found {
		return shown
	}
	all := *best
	all.shape.partners = true
	rest := slices.DeleteFunc(slices.Clone(shown[1:]), func(other *proposal) bool {
		is := p.differsInPartners(best, other)
		if is {
			all.answers = append(slices.Clone(all.answers), other.answers...)
		}
		return is
	})
	slices.Sort(all.answers)
	all.answers = slices.Compact(all.answers)
	return append([]*proposal{&all}, rest...)
}

// differsInPartners reports whether two proposals say the same but for fathers and mothers.
func (p *Planner) differsInPartners(a, b *proposal) bool {
	x, y := a.shape.hops(), b.shape.hops()
	if len(x) != len(y) || len(a.shape.legs) != len(b.shape.legs) || a.shape.count != b.shape.count {
		return false
	}
	for i := range a.shape.legs {
		if a.shape.legs[i].entity != b.shape.legs[i].entity || a.shape.legs[i].mention != b.shape.legs[i].mention {
			return false
		}
	}
	for i := range x {
		isPartner := slices.Contains(p.Partner(x[i].step.Relation()), y[i].step.Relation()) && x[i].step.IsBack() == y[i].step.IsBack()
		if x[i].leg != y[i].leg || x[i].step != y[i].step && !isPartner {
			return false
		}
	}
	return true
}
