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
	var starts []span
	if root := sc.shape.root; root != nil {
		starts = append(starts, span{from: root.word, to: root.word + 1})
	}
	for _, l := range sc.shape.legs {
		starts = append(starts, sc.q.mentions[l.mention])
	}
	sc.rank = make([][]float64, len(starts))
	for i, start := range starts {
		sc.rank[i] = make([]float64, len(sc.cues))
		for x, c := range sc.cues {
			sc.rank[i][x] = sc.q.rank(c, start)
		}
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

// assign tries every hop, and none, for the cues from the x-th on.
func (sc *scorer) assign(x int) {
	if x == len(sc.cues) {
		sc.judge()
		return
	}
	sc.hand = append(sc.hand, -1)
	sc.assign(x + 1)
	for h := range sc.hops {
		if sc.q.words[sc.cues[x]].weight[sc.hops[h].step] > 0 {
			sc.hand[x] = h
			sc.assign(x + 1)
		}
	}
	sc.hand = sc.hand[:x]
}

// judge scores one way to hand the cues to hops.
func (sc *scorer) judge() {
	var weight [2 * maxHops * maxMentions]float64
	var words [2 * maxHops * maxMentions]int
	score := sc.base
	for x, h := range sc.hand {
		if h < 0 {
			score -= sc.unusedCost(sc.cues[x])
			continue
		}
		words[h]++
		weight[h] = max(weight[h], sc.q.words[sc.cues[x]].weight[sc.hops[h].step])
		if len(sc.shape.legs) > 1 {
			m := sc.q.mentions[sc.shape.legs[sc.hops[h].leg].mention]
			score -= sc.w.CueFar * float64(distance(sc.cues[x], m.from))
		}
	}
	uncued, bare := 0, 0
	sharing := len(sc.q.shared) > 0
	for h := range sc.hops {
		second := h > 0 && sc.hops[h-1].half
		switch {
		case sc.hops[h].half && weight[h+1] >= weight[h]: // its other half speaks for both
			if weight[h] > 0 {
				score += sc.w.CueMore
			}
		case second && weight[h-1] > weight[h]:
			if weight[h] > 0 {
				score += sc.w.CueMore
			} else if !sc.isNamed(sc.hops[h].step) {
				score -= sc.w.UncuedHalf
			}
		case weight[h] > 0:
			gain := sc.w.Cue
			if sc.repeats[h] {
				gain = sc.w.CueRepeated
			}
			score += gain*weight[h] + sc.w.CueMore*float64(words[h]-1)
		case sc.back[h] && sharing:
			sharing = false
			score += sc.w.Shared - sc.w.BackLate*float64(h) - sc.w.SharedFar*float64(min(10, sc.sharedDistance(h-1)))
		case sc.back[h]:
			uncued++
			score -= sc.w.UncuedBack + sc.w.BackLate*float64(h)
		default:
			uncued++
			if sc.isNamed(sc.hops[h].step) {
				score -= sc.w.UncuedNamed
			} else {
				bare++
				score -= sc.w.Uncued
			}
		}
	}
	score -= sc.w.OutOfOrder * float64(sc.inversions())
	if score > sc.best.score {
		sc.keep(score, uncued, bare)
	}
}

func distance(a, b int) int { return max(a-b, b-a) }

// sharedDistance is how far the words of a hop are from a sharing word.
func (sc *scorer) sharedDistance(h int) int {
	nearest := 20
	for x, to := range sc.hand {
		if to == h {
			for _, s := range sc.q.shared {
				nearest = min(nearest, distance(sc.cues[x], s))
			}
		}
	}
	return nearest
}

// isNamed reports whether a word names the kind of thing that a step leads to.
func (sc *scorer) isNamed(s step) bool {
	for i := range sc.q.words {
		if w := &sc.q.words[i]; w.isKind() && sc.q.namesSlot(w, s.to()) {
			return true
		}
	}
	return false
}

// inversions counts the pairs of cues of one leg whose order in the question is
// not that of their hops.
func (sc *scorer) inversions() int {
	n := 0
	for x, a := range sc.hand {
		for y, b := range sc.hand {
			if a >= 0 && b > a && sc.hops[a].leg == sc.hops[b].leg && sc.rank[sc.hops[a].leg][x] > sc.rank[sc.hops[a].leg][y] {
				n++
			}
		}
	}
	return n
}

// keep records the best way so far.
func (sc *scorer) keep(score float64, uncued, bare int) {
	sc.best = verdict{score: score, uncued: uncued, bare: bare, unused: sc.best.unused[:0], cue: sc.best.cue[:0]}
	for range sc.hops {
		sc.best.cue = append(sc.best.cue, -1)
	}
	for x, h := range sc.hand {
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
