package builtin

import (
	"slices"

	"cairn/engine/lexicon"
	"cairn/engine/plan/words"
)

// scoreVoice reads who does and who is done to from the grammar, for relations whose
// names hold a verb: in "owned by" the head is what is owned, in "owns" it is the owner.
// Where both ends are things of one kind, nothing else tells the two directions apart.
//
//	companies owned by X, what X owns   X is the owner
//	who owns X, X is owned by whom      X is what is owned
func (sc *scorer) scoreVoice() {
	for _, h := range sc.hops {
		if h.at > 0 || h.leg >= len(sc.shape.legs) || sc.q.p.Symmetric(h.step.Relation()) {
			continue
		}
		verb, byTail := lexicon.VerbOf(lexicon.RelationWords(sc.q.p.g.RelationKey(h.step.Relation())))
		if verb == "" {
			continue
		}
		doer, known := sc.q.isDoer(verb, sc.q.Mentions[sc.shape.legs[h.leg].mention])
		switch {
		case !known:
		case doer == (h.step.IsBack() == byTail):
			// In a chain the verb next to the name may be that of the whole phrase: "the
			// films directed by the director of X starred who".
			if sc.length[h.leg] == 1 {
				sc.add("the voice of the verb fits", sc.w.Voice)
			}
		default:
			sc.add("the voice of the verb is the other way round", -sc.w.Voice)
		}
	}
}

// isDoer reports whether a mention does what the verb says, and whether the
// question tells.
func (q *question) isDoer(verb string, m words.Span) (doer, known bool) {
	i := slices.IndexFunc(q.Words, func(w words.Word) bool { return w.Mention < 0 && w.Stem == verb })
	if i < 0 {
		return false, false
	}
	passive := i+1 < len(q.Words) && q.Words[i+1].Lower == "by"
	after := i + 1
	if passive {
		after++
	}
	for after < m.From && q.Words[after].Stop && q.Words[after].Lower != "by" {
		after++ // "by the X"
	}
	switch {
	case after == m.From:
		return passive, true
	case m.To == i && !passive:
		return true, true
	case m.To <= i && passive:
		return false, true
	}
	return false, false
}
