package builtin

import (
	"slices"
	"strings"

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
		w := &pr.q.Words[pr.q.asked]
		if len(w.Types) > 0 {
			out = append(out, takenFor(w.Text, pr.q.p.g.TypeLabel(w.Types[0])))
		} else {
			out = append(out, wording.Quote(w.Text)+" to mean the main type of entity in this graph")
		}
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
		if before := cue - 1; pr.q.Words[cue].Stop && cue > 0 && pr.q.Words[before].Mention < 0 && (before != pr.q.asked || !pr.q.Words[before].IsKind()) && !slices.Contains(pr.verdict.cue, before) {
			cue = before // "of" ends "part of"
		}
		w := &pr.q.Words[cue]
		// A whole phrase asks for no other relation that has a part of it for a name: what is "made of" steel has no maker.
		isPhrase := cue < pr.verdict.cue[h] && pr.q.has(cue+1, cue+2, "of") && pr.q.hasPhraseWith(hp.step.Relation(), "of") && (!hp.step.IsBack() || pr.q.asked >= 0 && pr.q.NamesSlot(&pr.q.Words[pr.q.asked], hp.step.To()))
		if _, ok := w.MeantFor(hp.step.Relation()); !ok && (w.Chosen || isPhrase || !pr.q.isNameOfOther(w, hp.step)) {
			continue
		}
		out = kg.With(out, takenFor(w.Text, pr.q.p.g.RelationText(hp.step.Relation())))
	}
	return out
}

// meantFar is the nearness below which a word does not mean a relation where its form speaks against it.
const meantFar = 0.48

// farFetched says in a sentence which word a reading takes for a relation that it is far from in meaning,
// where the word's form is not that of a loose verb: a noun for what is asked, "the salary" for when
// somebody was hired; the verb of "who" for a noun, "who painted" for a material; an adjective of "how",
// "how tall" for a weight; or any beside a noun that the graph does not know. It returns "" for none.
func (l *look) farFetched() string {
	q := l.q
	for h, hp := range l.hops {
		if h >= len(l.verdict.cue) || l.verdict.cue[h] < 1 {
			continue
		}
		cue := l.verdict.cue[h]
		w, name := &q.Words[cue], q.p.names[hp.step.Relation()].words
		if m, ok := w.MeantFor(hp.step.Relation()); !ok || w.Chosen || m.Cosine >= meantFar {
			continue
		}
		isVerb := lexicon.IsPast(w.Lower) || lexicon.IsParticiple(w.Lower) || strings.HasSuffix(w.Lower, "ing")
		isPart := cue+1 < len(q.Words) && slices.Contains(l.verdict.cue, cue+1) // "wind" of "wind farm"
		isNoun := !isVerb && !isPart && !anyKind[w.Lower] && !needless[w.Lower] && (q.has(cue-1, cue, "which", "what", "many", "much") || cue == q.asked && (determiners[q.Words[cue-1].Lower] || q.has(cue+1, min(cue+2, len(q.Words)), "of")))
		isOther := len(q.p.AnswersAt(hp.step.To())) > 0 && !q.fitsWh(hp.step.To()) && !q.mayAskForOrganization(hp.step.To())
		ofWho := q.has(cue-1, cue, "who") && (isOther || !lexicon.IsVerbForm(name[0]) && !lexicon.IsParticiple(name[0]))
		isTime := func(unit string) bool {
			us := kg.UnitsOf(unit)
			return len(us) > 0 && us[0].Dimension == "time"
		}
		isLong := w.Lower == "long" && (isTime(q.p.schema.Measured(hp.step.Relation()).Unit) || slices.ContainsFunc(name, isTime))
		isHow := q.wh == howMuch && q.has(cue-1, cue, "how") && !isLong
		if noun := q.UnknownKind(); noun > 0 && noun != cue && slices.Contains(l.left, q.Words[noun].Text) {
			if near, _ := l.nearness(noun); near < 2*words.NearByChance {
				return noRelation([]string{q.Words[noun].Text})
			}
		}
		if isNoun || ofWho || isHow {
			return noRelation([]string{w.Text})
		}
	}
	return ""
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
	if !slices.ContainsFunc(q.p.Called(q.Words[q.asked].Stem), has) {
		return -1
	}
	return q.asked
}

// isNameOfOther reports whether a word is all of the name of a relation that leads to the like
// of what a step leads to, and in no way that of the step: who preys on something is not who
// eats it where the graph has both, but "founded" may ask for the year in spite of "founded by".
func (q *question) isNameOfOther(w *words.Word, st schema.Step) bool {
	if q.p.IsOwn(st.Relation(), w.Stem) {
		return false
	}
	fits := func(at schema.Slot) bool {
		if q.asked >= 0 && q.NamesSlot(&q.Words[q.asked], st.To()) && !q.NamesSlot(&q.Words[q.asked], at) {
			return false
		}
		return q.wh == noWh || q.wh == howMany || q.fitsWh(at) || q.wh == who && len(q.p.AnswersAt(at)) == 0
	}
	from := q.p.schema.Value(st.From())
	return slices.ContainsFunc(q.p.Called(w.Stem), func(r kg.RelationID) bool {
		other := schema.Forward(r)
		isOther := func(o schema.Step) bool { return fits(o.To()) && q.p.schema.Value(o.From()) == from } // who was "born" in a town is not born in a year
		return q.p.schema.Canonical(other).Relation() != q.p.schema.Canonical(st).Relation() && (isOther(other) || isOther(other.Back()))
	})
}

// hasUse reports whether a word says something of the graph, and where it does so by its
// meaning alone, whether a hop of the proposal rests on it: other such words may mean
// nothing here.
func (pr *proposal) hasUse(w *words.Word) bool {
	if !w.ByMeaning || pr == nil {
		return w.IsCue() || w.IsKind()
	}
	return len(w.Types) > 0 || slices.ContainsFunc(pr.verdict.cue, func(c int) bool { return c >= 0 && &pr.q.Words[c] == w })
}
