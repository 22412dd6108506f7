package builtin

import (
	"slices"

	"cairn/engine/lexicon"
	"cairn/engine/plan/words"
)

// scoreVoice reads who does and who is done to from the grammar, for relations whose
// names hold a verb: in "owned by" the head is what is owned, in "owns" it is the owner.
// It weighs most where both ends are things of one kind, for there nothing else tells
// the two directions apart, and least in a chain, for there the verb next to the name
// may be that of the whole phrase: "the films directed by the director of X".
//
//	companies owned by X, what X owns   X is the owner
//	who owns X, X is owned by whom      X is what is owned
func (sc *scorer) scoreVoice() {
	for _, h := range sc.hops {
		r := h.step.Relation()
		if h.at > 0 || h.leg >= len(sc.shape.legs) || sc.q.p.Symmetric(r) {
			continue
		}
		name := lexicon.RelationWords(sc.q.p.g.RelationKey(r))
		verb, byTail := lexicon.VerbOf(name)
		if verb == "" {
			continue
		}
		doer, known := sc.q.isDoer(verb, name, sc.q.Mentions[sc.shape.legs[h.leg].mention])
		alone := sc.length[h.leg] == 1
		switch {
		case !known:
		case doer == (h.step.IsBack() == byTail):
			if alone {
				sc.add("the voice of the verb fits", sc.w.Voice)
			}
		case alone && sc.q.p.schema.JoinsSame(r):
			sc.add("the voice of the verb is the other way round", -sc.w.VoiceSame)
		default:
			sc.add("the voice of the verb is the other way round", -sc.w.Voice)
		}
	}
}

// isDoer reports whether a mention does what the verb says, and whether the question
// tells: by the verb itself, or by the noun for who does it.
func (q *question) isDoer(verb string, name []string, m words.Span) (doer, known bool) {
	if i := slices.IndexFunc(q.Words, func(w words.Word) bool { return w.Mention < 0 && w.Stem == verb }); i >= 0 {
		return q.isSubject(i, name, m)
	}
	i := slices.IndexFunc(q.Words, func(w words.Word) bool { return w.Mention < 0 && lexicon.Agent(w.Lower) == verb })
	switch {
	case i < 0:
		return false, false
	case m.To <= i && q.onlyStops(m.To, i) && q.has(m.To, i, "is", "was", "are", "were"):
		return true, true // "X is the owner of"
	case m.To <= i && q.onlyStops(m.To, i), i < m.From && q.onlyStops(i+1, m.From) && q.has(i+1, m.From, "of"):
		return false, true // "X's owner", "the owner of X"
	}
	return false, false
}

// isSubject is isDoer for the verb at word i. Between it and its object stand articles
// and what the relation's name has, "works for"; before anything else, "members of" or
// "languages in", it is a noun.
func (q *question) isSubject(i int, name []string, m words.Span) (doer, known bool) {
	passive := i+1 < len(q.Words) && q.Words[i+1].Lower == "by"
	after := i + 1
	if passive {
		after++
	}
	for after < m.From && (q.has(after, after+1, "a", "an", "the") || q.has(after, after+1, name...)) {
		after++
	}
	switch {
	case after == m.From:
		return passive, true
	case m.To == i && q.Words[0].Lower == "by": // "by whom is X owned"
		return false, true
	case m.To == i && !passive:
		return true, true
	case m.To <= i && passive:
		return false, true
	}
	return false, false
}

// onlyStops reports whether words [from, to) are all stop words.
func (q *question) onlyStops(from, to int) bool {
	return !slices.ContainsFunc(q.Words[from:to], func(w words.Word) bool { return !w.Stop })
}

// has reports whether one of some words is among words [from, to).
func (q *question) has(from, to int, some ...string) bool {
	return slices.ContainsFunc(q.Words[from:to], func(w words.Word) bool { return slices.Contains(some, w.Lower) })
}
