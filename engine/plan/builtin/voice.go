package builtin

import (
	"slices"

	"cairn/engine/lexicon"
	"cairn/engine/schema"
)

// scoreVoice reads who does and who is done to from the grammar, for relations
// named in the passive: in "owned by" the head is what is owned. Where both ends
// are things of one kind, nothing else tells the two directions apart.
//
//	companies owned by X, what X owns   X is the owner: back from X
//	who owns X, X is owned by whom      X is what is owned: ahead from X
func (sc *scorer) scoreVoice() {
	if sc.shape.claim {
		return // claims are held against the direction of triples on their own
	}
	for _, h := range sc.hops {
		if h.at > 0 || h.leg >= len(sc.shape.legs) {
			continue
		}
		participle := sc.q.p.participle(h.step)
		if participle == "" {
			continue
		}
		owner, known := sc.q.isDoer(participle, sc.q.mentions[sc.shape.legs[h.leg].mention])
		switch {
		case !known:
		case owner == h.step.IsBack():
			sc.add("the voice of the verb fits", sc.w.Voice)
		default:
			sc.add("the voice of the verb is the other way round", -sc.w.Voice)
		}
	}
}

// participle returns the stem of the verb of a relation that is named in the
// passive, such as "owned by", or "".
func (p *Planner) participle(s schema.Step) string {
	words := lexicon.RelationWords(p.g.RelationKey(s.Relation()))
	if n := len(words); n >= 2 && words[n-1] == "by" {
		return lexicon.Stem(words[n-2])
	}
	return ""
}

// isDoer reports whether a mention does what the verb says, and whether the
// question tells.
func (q *question) isDoer(verb string, m span) (doer, known bool) {
	i := slices.IndexFunc(q.words, func(w word) bool { return w.mention < 0 && w.Stem == verb })
	if i < 0 {
		return false, false
	}
	passive := i+1 < len(q.words) && q.words[i+1].Lower == "by"
	after := i + 1
	if passive {
		after++
	}
	for after < m.from && q.words[after].stop && q.words[after].Lower != "by" {
		after++ // "by the X"
	}
	switch {
	case after == m.from:
		return passive, true
	case m.to == i && !passive:
		return true, true
	case m.to <= i && passive:
		return false, true
	}
	return false, false
}
