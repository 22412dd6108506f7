package builtin

import (
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/plan/words"
	"cairn/internal/wording"
)

// relationName is what the name of a relation says: its verb, "" for none, and whether
// its tail is who does what the verb says.
type relationName struct {
	words  []string
	verb   string
	byTail bool
}

// readNames returns the names of all relations, by id.
func readNames(g *kg.Graph) []relationName {
	out := make([]relationName, g.Relations())
	for r := range out {
		n := &out[r]
		n.words = lexicon.RelationWords(g.RelationKey(kg.RelationID(r)))
		n.verb, n.byTail = lexicon.VerbOf(n.words)
	}
	return out
}

// scoreVoice reads who does and who is done to from the grammar, for relations whose
// names hold a verb: in "owned by" the head is what is owned, in "owns" it is the owner.
// It weighs most where both ends are things of one kind, for there nothing else tells
// the two directions apart, and least in a chain, for there the verb next to the name
// may be that of the whole phrase: "the films directed by the director of X".
//
//	companies owned by X, what X owns   X is the owner
//	who owns X, X is owned by whom      X is what is owned
//	who owns a company in X             the answer is the owner
func (sc *scorer) scoreVoice() {
	if noun := sc.q.missesOf(sc.shape); noun != "" {
		sc.add("another hop comes before "+wording.Quote(noun), -sc.w.OutOfOrder)
	}
	for i, h := range sc.hops {
		r := h.step.Relation()
		if sc.q.p.Symmetric(r) {
			continue
		}
		sc.scorePlace(h)
		name, verb, byTail := sc.q.p.names[r].words, sc.q.p.names[r].verb, sc.q.p.names[r].byTail
		if verb == "" {
			sc.scoreOf(h, name)
			continue
		}
		if i == len(sc.hops)-1 && h.at > 0 && h.step.IsBack() == byTail && sc.q.isOneWord(name) && sc.q.asksForDoer(verb) {
			sc.add("what is asked does what the verb says", -sc.w.VoiceSame)
		}
		if h.at > 0 || h.leg >= len(sc.shape.legs) {
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

// scorePlace reads what lies where, whichever verb the relation's name has for it:
//
//	which continent does X lie in, where is X situated   X is what lies there
//	what lies in X                                       X is where it lies
func (sc *scorer) scorePlace(h hop) {
	if h.at > 0 || h.leg >= len(sc.shape.legs) || !slices.ContainsFunc(sc.q.p.names[h.step.Relation()].words, lexicon.IsLocative) {
		return
	}
	if lies, known := sc.q.liesThere(sc.q.Mentions[sc.shape.legs[h.leg].mention]); known && lies == h.step.IsBack() {
		sc.add("what lies where is the other way round", -sc.w.VoiceSame)
	}
}

// liesThere reports whether a mention is what lies somewhere, and whether the question
// tells.
func (q *question) liesThere(m words.Span) (lies, known bool) {
	for i, w := range q.Words {
		if w.Mention >= 0 || !lexicon.IsLocative(w.Lower) {
			continue
		}
		switch {
		case m.To == i, i+1 == m.From && q.has(0, 1, "in", "on", "at", "where"):
			return true, true
		case i < m.From && q.onlyStops(i+1, m.From) && q.has(i+1, m.From, "in", "on", "at", "within"):
			return false, true
		}
	}
	return false, false
}

// scoreOf reads which end of a relation such as "part of" or "route to" a name is, where the
// question has the relation's own words.
//
//	the parts of X, what is part of X, has a route to X     X is the tail
//	what is X part of, has X as a part, has a route from X  X is the head
func (sc *scorer) scoreOf(h hop, name []string) {
	to := len(name) > 1 && name[len(name)-1] == "to"
	if h.at > 0 || h.leg >= len(sc.shape.legs) || !lexicon.NamesHead(name) && !to {
		return
	}
	isTail := sc.q.isTailOf
	if to {
		isTail = sc.q.isTailTo
	}
	tail, known := isTail(lexicon.Stems(strings.Join(name[:len(name)-1], " ")), sc.q.Mentions[sc.shape.legs[h.leg].mention])
	weight := sc.w.Voice
	if sc.q.p.schema.JoinsSame(h.step.Relation()) {
		weight = sc.w.VoiceSame
	}
	switch {
	case !known:
	case tail != h.step.IsBack():
		sc.add("the other end of the relation is asked for", -weight)
	case sc.length[h.leg] == 1:
		sc.add("the end of the relation fits", weight)
	}
}

// isTailTo is isTailOf for a noun with "to" behind it, and "from" before the other end.
func (q *question) isTailTo(noun []string, m words.Span) (tail, known bool) {
	for i := range q.Words {
		end := i
		for end < len(q.Words) && end-i < len(noun) && q.Words[end].Mention < 0 && q.Words[end].Stem == noun[end-i] {
			end++
		}
		if end-i < len(noun) || end == len(q.Words) {
			continue
		}
		to, from := q.Words[end].Lower == "to", q.Words[end].Lower == "from"
		switch {
		case (to || from) && end < m.From && q.onlyStops(end+1, m.From):
			return to, true
		case m.To <= i && to && end+1 == len(q.Words): // what X has a route to
			return false, true
		}
	}
	return false, false
}

// isTailOf reports whether a mention is the tail of the relation of which a noun names
// the head, and whether the question tells.
func (q *question) isTailOf(noun []string, m words.Span) (tail, known bool) {
	for i := range q.Words {
		end := i
		switch {
		case q.Words[i].Mention >= 0:
			continue
		case q.Words[i].Stem == strings.Join(noun, ""): // "subclass"
			end++
		default:
			for end < len(q.Words) && end-i < len(noun) && q.Words[end].Mention < 0 && q.Words[end].Stem == noun[end-i] {
				end++
			}
			if end-i < len(noun) {
				continue
			}
		}
		of := q.has(end, min(end+1, len(q.Words)), "of")
		switch {
		case of && q.ofBefore(m) == end, m.To < i && q.has(m.To, m.To+1, lexicon.Possessive):
			return true, true
		case m.To <= i && (of && end+1 == len(q.Words) || q.has(m.To, i, "as")):
			return false, true
		}
	}
	return false, false
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
		// "What does the mentor of X own?" asks what the mentor owns.
		of := q.ofBefore(m)
		return true, of < 1 || q.Words[of-1].Stop
	case m.To <= i && passive:
		return false, true
	}
	return false, false
}

// asksForDoer reports whether what is asked does what a verb says: the verb follows
// the question word or its noun at once, "who owns", "which person works".
func (q *question) asksForDoer(verb string) bool {
	i := slices.IndexFunc(q.Words, func(w words.Word) bool { return w.Mention < 0 && w.Stem == verb })
	if i < 1 || i+1 < len(q.Words) && q.Words[i+1].Lower == "by" || q.Words[i].Stem != q.Words[i].Lower && q.Words[i].IsPast() && i+1 < len(q.Words) && q.Words[i+1].Stop {
		return false
	}
	return i == q.asked+1 && q.asked >= 0 || i == 1 && q.has(0, 1, "who", "what", "which")
}

// isOneWord reports whether the name of a relation is a verb and nothing else that
// tells. In "starred actors" the noun says who the tail is, whatever the verb.
func (q *question) isOneWord(name []string) bool {
	n := 0
	for _, w := range name {
		if !q.p.lex.IsStop(w) {
			n++
		}
	}
	return n == 1
}

// onlyStops reports whether words [from, to) are all stop words.
func (q *question) onlyStops(from, to int) bool {
	return !slices.ContainsFunc(q.Words[from:to], func(w words.Word) bool { return !w.Stop })
}

// has reports whether one of some words is among words [from, to).
func (q *question) has(from, to int, some ...string) bool {
	return slices.ContainsFunc(q.Words[from:to], func(w words.Word) bool { return slices.Contains(some, w.Lower) })
}
