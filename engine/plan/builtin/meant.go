package builtin

import (
	"slices"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// byMeaning says which words a proposal takes for relations, or for the kind of thing that
// is asked for, by their meaning alone, "“wed” for “spouse”", or though another relation has
// them for its name.
func (pr *proposal) byMeaning() []string {
	var out []string
	if pr.q.asked >= 0 && pr.q.Words[pr.q.asked].ByMeaning && pr.q.Words[pr.q.asked].IsKind() {
		out = append(out, wording.Quote(pr.q.Words[pr.q.asked].Text)+" for the kind of thing that much of this graph is about")
	}
	for h, hp := range pr.shape.hops() {
		if h >= len(pr.verdict.cue) {
			continue
		}
		cue := pr.verdict.cue[h]
		if cue < 0 {
			cue = pr.kindThatAsks(hp)
		}
		if cue < 0 || pr.q.p.schema.IsMediator(hp.step.To()) {
			continue
		}
		w := &pr.q.Words[cue]
		if _, ok := w.MeantFor(hp.step.Relation()); !ok && (w.Chosen || !pr.q.p.isNameOfOther(w.Stem, hp.step)) {
			continue
		}
		said := takenFor(w.Text, pr.q.p.g.RelationText(hp.step.Relation()))
		if !slices.Contains(out, said) {
			out = append(out, said)
		}
	}
	return out
}

// kindThatAsks returns the noun that is asked for where no word asks for a hop that is the only
// one, and what the question names has a relation of that name: "the competitor of X" is not what X is
// a partner of, though competitors are what it is among. It is −1 for none.
func (pr *proposal) kindThatAsks(h hop) int {
	q := pr.q
	if pr.shape.size() > 1 || q.asked < 0 || h.leg >= len(pr.shape.legs) || len(q.Words[q.asked].Types) > 0 {
		return -1
	}
	e := pr.shape.legs[h.leg].entity
	has := func(r kg.RelationID) bool { return len(q.p.g.OutBy(e, r))+len(q.p.g.InBy(e, r)) > 0 }
	if !slices.ContainsFunc(q.p.called[q.Words[q.asked].Stem], has) {
		return -1
	}
	return q.asked
}

// isNameOfOther reports whether a stem is all of the name of a relation, and in no way that
// of a step.
func (p *Planner) isNameOfOther(stem string, st schema.Step) bool {
	if slices.Contains(lexicon.Stems(p.g.RelationText(st.Relation())), stem) {
		return false
	}
	of := p.called[stem]
	return len(of) > 0 && !slices.ContainsFunc(of, func(r kg.RelationID) bool {
		return p.schema.Canonical(schema.Forward(r)).Relation() == p.schema.Canonical(st).Relation()
	})
}

// hasUse reports whether a word says something of the graph, and where it does so by its
// meaning alone, whether a hop of the proposal rests on it: other such words may mean
// nothing here.
func (pr *proposal) hasUse(w *words.Word) bool {
	if !w.ByMeaning || pr == nil {
		return w.IsCue() || w.IsKind()
	}
	return slices.ContainsFunc(pr.verdict.cue, func(c int) bool { return c >= 0 && &pr.q.Words[c] == w })
}
