package builtin

import (
	"slices"

	"cairn/engine/lexicon"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// rankCues keeps the cues that fit some hop, charges for those that fit none,
// and ranks the rest by where they stand to each leg's mention.
func (sc *scorer) rankCues() {
	for _, c := range sc.q.Cues {
		fits := slices.ContainsFunc(sc.hops, func(h hop) bool { return sc.q.Words[c].Weight[h.step] > 0 })
		if fits {
			if sc.isWhatAllIs(c) {
				continue // "any component" asks for no parts of it
			}
			sc.cues = append(sc.cues, c)
		} else if cost := sc.unusedCost(c); cost > 0 {
			sc.add(wording.Quote(sc.q.Words[c].Text)+" is ignored", -cost)
		}
	}
	if root := sc.shape.root; root != nil {
		sc.rank = append(sc.rank, sc.q.ranks(words.Span{From: root.word, To: root.word + 1}))
	}
	for _, l := range sc.shape.legs {
		sc.rank = append(sc.rank, sc.q.ranks(sc.q.Mentions[l.mention]))
	}
}

// rank says how far from a mention a word is in the order of hops: what
// follows a possessive or the name itself comes first, then the words before
// the name, right to left, then the rest.
func (q *question) rank(i int, m words.Span) float64 {
	if i < m.From {
		content := 0
		for _, w := range q.Words[i+1 : m.From] {
			if !w.Stop {
				content++
			}
		}
		return 100 + float64(content) + 0.01*float64(m.From-i)
	}
	d := float64(i - m.To)
	possessive := m.To < len(q.Words) && q.Words[m.To].Lower == "'s"
	if possessive || d == 0 {
		return d
	}
	return 200 + d
}

// isWhatAllIs reports whether a word says what all that is asked for is: the kind that a shape
// begins at, or the role that it must have.
func (sc *scorer) isWhatAllIs(c int) bool {
	root := sc.shape.root
	return root != nil && c == root.word && (c == sc.q.asked || len(sc.q.Words[c].Types) > 0) || c == sc.q.asked && len(sc.shape.role) > 0
}

// unusedCost is what a cue word costs that no hop takes.
func (sc *scorer) unusedCost(c int) float64 {
	w := &sc.q.Words[c]
	switch {
	case sc.isWhatAllIs(c):
		return 0
	case w.ByMeaning && c == sc.q.asked:
		return 0 // see byMeaningShare
	case w.ByMeaning && !sc.soft && w.IsCue():
		return sc.w.Unused * w.Weight[w.Meant[0].Step] // the nearest
	case w.Weak || sc.soft:
		return 0
	case !sc.isOnPath(w):
		return sc.w.Unused
	case c == sc.q.asked && slices.ContainsFunc(sc.last, func(s schema.Step) bool { return sc.q.NamesSlot(w, s.To()) }):
		return sc.w.UnusedAsked
	}
	return sc.w.UnusedKind
}

// isEcho reports whether the word for hop h asks as much for another hop of the
// same leg, whose word is another one: in "the language that they speak" both
// words ask for one hop. Two nouns ask for two: "the father of the mother".
func (sc *scorer) isEcho(h int, best []int) bool {
	weight := &sc.assignment.weight
	w := &sc.q.Words[best[h]]
	for o := range sc.hops {
		if o == h || sc.hops[o].leg != sc.hops[h].leg || weight[o] == 0 {
			continue
		}
		other := &sc.q.Words[best[o]]
		if sc.hops[o].step == sc.hops[h].step && best[h] == best[o]+1 {
			return true // "sister ship" is one noun
		}
		if w.Stem == other.Stem || w.Names[sc.hops[h].step] && other.Names[sc.hops[o].step] {
			continue
		}
		if !w.Names[sc.hops[h].step] && w.Weight[sc.hops[o].step] >= min(words.StrongCue, weight[o]) ||
			o < h && w.Weight[sc.hops[o].step] >= words.StrongCue && other.Weight[sc.hops[h].step] >= weight[h] && !other.Names[sc.hops[o].step] {
			return true
		}
	}
	return false
}

// isFaint reports whether a word is one that most questions have, such as
// "where" or "did": it may speak for the only hop, and adds none to others. At
// the end of the question, in "die from" and "what does she do", and of a phrase, "flow into", it is more.
func (sc *scorer) isFaint(c int, weight float64) bool {
	w := &sc.q.Words[c]
	return w.Stop && !sc.isPhrase(c) && (c < len(sc.q.Words)-1 || weight <= 1 && w.Lower != "do")
}

// isPhrase reports whether a word in a clause ends the name of a relation on the way, said of something else than what the question
// begins with: "dams on rivers that flow into X".
func (sc *scorer) isPhrase(c int) bool {
	ws := sc.q.Words
	if c == 0 || !ws[c-1].Silent || !slices.ContainsFunc(upTo(2, c), func(i int) bool { return sc.q.has(i, i+1, "that") }) {
		return false
	}
	first := slices.IndexFunc(ws, func(w words.Word) bool { return w.Mention < 0 && w.IsKind() })
	return (first < 0 || !sc.q.has(first+1, min(first+2, len(ws)), relatives...)) && slices.ContainsFunc(sc.hops, func(h hop) bool {
		return ws[c].Weight[h.step] >= words.StrongCue && slices.Contains(lexicon.Stems(sc.q.p.g.RelationText(h.step.Relation())), ws[c-1].Stem)
	})
}

// keep records the best way so far.
func (sc *scorer) keep(v verdict) {
	v.unused, v.cue, v.steps = sc.best.unused[:0], sc.best.cue[:0], sc.best.steps
	sc.best = v
	for range sc.hops {
		sc.best.cue = append(sc.best.cue, -1)
	}
	for x, h := range sc.assignment.of[:len(sc.cues)] {
		c := sc.cues[x]
		if h >= 0 {
			if old := sc.best.cue[h]; old < 0 || sc.q.Words[c].Weight[sc.hops[h].step] > sc.q.Words[old].Weight[sc.hops[h].step] {
				sc.best.cue[h] = c
			}
			continue
		}
		if sc.unusedCost(c) >= sc.w.UnusedKind {
			sc.best.unused = append(sc.best.unused, c)
		}
	}
	for _, c := range sc.q.Cues {
		if !slices.Contains(sc.cues, c) && sc.unusedCost(c) >= sc.w.UnusedKind {
			sc.best.unused = append(sc.best.unused, c)
		}
	}
}
