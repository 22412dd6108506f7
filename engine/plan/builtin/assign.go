package builtin

import "slices"

// rankCues keeps the cues that fit some hop, charges for those that fit none,
// and ranks the rest by where they stand to each leg's mention.
func (sc *scorer) rankCues() {
	for _, c := range sc.q.cues {
		fits := slices.ContainsFunc(sc.hops, func(h hop) bool { return sc.q.words[c].weight[h.step] > 0 })
		if fits {
			sc.cues = append(sc.cues, c)
		} else if cost := sc.unusedCost(c); cost > 0 {
			sc.add(quote(sc.q.words[c].Text)+" is left over", -cost)
		}
	}
	if root := sc.shape.root; root != nil {
		sc.rank = append(sc.rank, sc.q.ranks(span{from: root.word, to: root.word + 1}))
	}
	for _, l := range sc.shape.legs {
		sc.rank = append(sc.rank, sc.q.ranks(sc.q.mentions[l.mention]))
	}
}

// rank says how far from a mention a word is in the order of hops: what
// follows a possessive or the name itself comes first, then the words before
// the name, right to left, then the rest.
func (q *question) rank(i int, m span) float64 {
	if i < m.from {
		content := 0
		for _, w := range q.words[i+1 : m.from] {
			if !w.stop {
				content++
			}
		}
		return 100 + float64(content) + 0.01*float64(m.from-i)
	}
	d := float64(i - m.to)
	possessive := m.to < len(q.words) && q.words[m.to].Lower == "'s"
	if possessive || d == 0 {
		return d
	}
	return 200 + d
}

// unusedCost is what a cue word costs that no hop takes.
func (sc *scorer) unusedCost(c int) float64 {
	w := &sc.q.words[c]
	switch {
	case w.weak || sc.soft:
		return 0
	case !sc.isOnPath(w):
		return sc.w.Unused
	case c == sc.q.asked && slices.ContainsFunc(sc.last, func(s step) bool { return sc.q.namesSlot(w, s.to()) }):
		return sc.w.UnusedAsked
	}
	return sc.w.UnusedKind
}

func distance(a, b int) int { return max(a-b, b-a) }

// keep records the best way so far.
func (sc *scorer) keep(score float64, uncued, bare int) {
	sc.best = verdict{score: score, uncued: uncued, bare: bare, unused: sc.best.unused[:0], cue: sc.best.cue[:0]}
	for range sc.hops {
		sc.best.cue = append(sc.best.cue, -1)
	}
	for x, h := range sc.hands.of[:len(sc.cues)] {
		c := sc.cues[x]
		if h >= 0 {
			if old := sc.best.cue[h]; old < 0 || sc.q.words[c].weight[sc.hops[h].step] > sc.q.words[old].weight[sc.hops[h].step] {
				sc.best.cue[h] = c
			}
			continue
		}
		if sc.unusedCost(c) >= sc.w.UnusedKind {
			sc.best.unused = append(sc.best.unused, c)
		}
	}
	for _, c := range sc.q.cues {
		if !slices.Contains(sc.cues, c) && sc.unusedCost(c) >= sc.w.UnusedKind {
			sc.best.unused = append(sc.best.unused, c)
		}
	}
}
