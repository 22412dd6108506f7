package builtin

import (
	"slices"

	"cairn/engine/plan/words"
)

const (
	// maxHopsAll is the most hops of one shape: each may go over a nameless
	// entity. One is to spare, for what comes after the last.
	maxHopsAll = 2*maxHops*maxMentions + 1
	// assignmentBudget is how many partial ways to assign cues to hops are looked at
	// for one shape. The way that a single pass finds comes first, so that the
	// limit, which hardly any question meets, costs little.
	assignmentBudget = 2000
)

// assignment searches the ways to assign the cue words of a question to the hops of a
// shape: depth first, with a bound on what the words still to be assigned can
// add.
type assignment struct {
	of     [maxCues]int // the hop that takes sc.cues[x], or -1
	fit    [maxCues][maxHopsAll]float64
	cost   [maxCues]float64                 // of leaving a word out
	bare   [maxHopsAll]float64              // the most that a hop is worth without words
	most   [maxCues + 1][maxHopsAll]float64 // the best weight among the cues from x on
	named  [maxHopsAll]bool                 // see question.isNamed
	weight [maxHopsAll]float64              // of the words assigned so far
	words  [maxHopsAll]int
	paid   float64 // what they cost so far
	steps  int
	floor  float64 // what the best way is worth at least
}

// assign finds the best way to assign the cues to hops, or to none.
func (sc *scorer) assign() {
	h := &sc.assignment
	sc.prepareAssignment()
	sc.best.score = -1e9
	sc.assignGreedily()
	h.steps = assignmentBudget
	sc.search(0)
	sc.best.steps = assignmentBudget - h.steps
}

// isForAnswer reports whether a word is kept for the answer and so asks for no
// hop on the way: the asked word, where it is one of the graph's own types.
// "Which cities are capitals of countries in Europe" asks for no hop to where
// something is located, though "city" may ask for that. Nor does it ask for a hop on from where
// the answer is already.
func (sc *scorer) isForAnswer(c, hop int) bool {
	h := sc.hops[hop]
	return c == sc.q.asked && len(sc.q.Words[c].Types) > 0 && !h.half && (!slices.Contains(sc.last, h.step) || sc.leavesAnswer(h))
}

// leavesAnswer reports whether a hop goes on from what is of the type that is asked for to what
// is not: where "a language intelligible with X" is spoken is no language.
func (sc *scorer) leavesAnswer(h hop) bool {
	w := &sc.q.Words[sc.q.asked]
	return h.at > 0 && len(w.Types) > 0 && sc.q.NamesSlot(w, h.step.From()) && !sc.q.NamesSlot(w, h.step.To())
}

// prepareAssignment fills what does not change in the search.
func (sc *scorer) prepareAssignment() {
	h := &sc.assignment
	for x, c := range sc.cues {
		w := &sc.q.Words[c]
		h.cost[x] = sc.unusedCost(c)
		for i := range sc.hops {
			if !sc.isForAnswer(c, i) {
				h.fit[x][i] = w.Weight[sc.hops[i].step]
			} else {
				h.fit[x][i] = 0
			}
		}
	}
	for x := len(sc.cues) - 1; x >= 0; x-- {
		for i := range sc.hops {
			h.most[x][i] = max(h.most[x+1][i], h.fit[x][i])
		}
	}
	for i := range sc.hops {
		// A way without it leads to what the noun is for: the detour there and back needs a word of its own.
		h.named[i] = sc.q.isNamed(sc.hops[i].step) && (!sc.back[i] || i+1 < len(sc.hops) || len(sc.shape.legs) == 0) || sc.isAgain(i)
		switch {
		case sc.hops[i].half, i > 0 && sc.hops[i-1].half:
			h.bare[i] = 0
		case sc.back[i] && len(sc.q.Shared) > 0:
			h.bare[i] = sc.w.Shared
		case sc.back[i] && sc.q.mayShare():
			h.bare[i] = -sc.w.UncuedBack
		case h.named[i]:
			h.bare[i] = -sc.w.UncuedNamed
		default:
			h.bare[i] = -sc.w.Uncued
		}
	}
}

// isAgain reports whether a hop goes from another name over the same steps as one from a name before: "with both X and
// Y" needs the word for them once.
func (sc *scorer) isAgain(i int) bool {
	l := sc.hops[i].leg
	return l > 0 && l < len(sc.shape.legs) && len(sc.shape.legs[l].steps) > 1 && slices.ContainsFunc(sc.shape.legs[:l], func(o leg) bool { return slices.Equal(o.steps, sc.shape.legs[l].steps) })
}

// assignGreedily gives every cue to the hop that it fits best, the emptiest of
// several, for a first figure that others must beat.
func (sc *scorer) assignGreedily() {
	h := &sc.assignment
	for x := range sc.cues {
		to := -1
		for i := range sc.hops {
			fit := h.fit[x][i]
			if fit > 0 && (to < 0 || fit > h.fit[x][to] || fit == h.fit[x][to] && h.words[i] < h.words[to]) {
				to = i
			}
		}
		h.give(x, to)
	}
	h.floor = sc.judge().score
	h.weight, h.words, h.paid = [maxHopsAll]float64{}, [maxHopsAll]int{}, 0
}

// give assigns cue x to a hop, or to none.
func (h *assignment) give(x, to int) {
	h.of[x] = to
	if to < 0 {
		h.paid += h.cost[x]
		return
	}
	h.words[to]++
	h.weight[to] = max(h.weight[to], h.fit[x][to])
}

// search tries every hop, and none, for the cues from the x-th on.
func (sc *scorer) search(x int) {
	h := &sc.assignment
	if h.steps--; h.steps < 0 && sc.best.score >= h.floor {
		return
	}
	if x == len(sc.cues) {
		if v := sc.judge(); v.score > sc.best.score {
			sc.keep(v)
		}
		return
	}
	if bound := sc.bound(x); bound < h.floor-scoreNoise || bound <= sc.best.score+scoreNoise {
		return
	}
	paid := h.paid
	h.give(x, -1)
	sc.search(x + 1)
	h.paid = paid
	for i := range sc.hops {
		if h.fit[x][i] > 0 {
			weight := h.weight[i]
			h.give(x, i)
			sc.search(x + 1)
			h.weight[i], h.paid = weight, paid
			h.words[i]--
		}
	}
}

// bound returns what the ways to go on from cue x are worth at most.
func (sc *scorer) bound(x int) float64 {
	h := &sc.assignment
	most := sc.base - h.paid + sc.w.CueMore*float64(len(sc.cues)-x)
	for i := range sc.hops {
		value := h.bare[i]
		if weight := max(h.weight[i], h.most[x][i]); weight > 0 {
			gain := sc.w.Cue
			if sc.repeats[i] {
				gain = sc.w.CueRepeated
			}
			value = max(value, sc.w.CueMore, gain*weight+sc.w.CueMore*float64(max(0, h.words[i]-1)))
		}
		most += value
	}
	return most - sc.w.OutOfOrder*float64(sc.inversions(x))
}

// judge scores one way to assign the cues to hops, and counts the hops without
// words, those of them that nothing else speaks for either, and those whose word
// says little.
func (sc *scorer) judge() verdict {
	h := &sc.assignment
	var v verdict
	score := sc.base - h.paid
	best := sc.bestWords()
	sharing := len(sc.q.Shared) > 0
	for i := range sc.hops {
		weight := h.weight[i]
		second := i > 0 && sc.hops[i-1].half
		switch {
		case sc.hops[i].half && h.weight[i+1] >= weight, second && h.weight[i-1] > weight: // its other half speaks for both
			if weight > 0 {
				score += sc.w.CueMore
			}
		case weight > 0:
			gain := sc.w.Cue
			switch {
			case sc.repeats[i]:
				gain = sc.w.CueRepeated
			case sc.isEcho(i, best[:]), sc.length[sc.hops[i].leg] > 1 && sc.isFaint(best[i], weight):
				v.faint++
				gain = 0
			}
			score += gain*weight + sc.w.CueMore*float64(h.words[i]-1)
		case sc.back[i] && sharing:
			sharing = false
			score += sc.w.Shared - sc.w.SharedFar*float64(min(10, sc.sharedDistance(i-1)))
		case sc.back[i] && sc.q.mayShare():
			v.uncued++
			score -= sc.w.UncuedBack
		case h.named[i]:
			v.uncued++
			score -= sc.w.UncuedNamed
		default:
			v.uncued++
			v.bare++
			score -= sc.w.Uncued
		}
	}
	v.score = score - sc.w.OutOfOrder*float64(sc.inversions(len(sc.cues)))
	return v
}

// bestWords returns the best word of every hop that has one: of equals, one that
// says more.
func (sc *scorer) bestWords() (best [maxHopsAll]int) {
	var weight [maxHopsAll]float64
	for x, c := range sc.cues {
		to := sc.assignment.of[x]
		if to < 0 {
			continue
		}
		if fit := sc.assignment.fit[x][to]; fit > weight[to] || fit == weight[to] && sc.isFaint(best[to], fit) {
			weight[to], best[to] = fit, c
		}
	}
	return best
}

// sharedDistance is how far the words of a hop are from a sharing word.
func (sc *scorer) sharedDistance(hop int) int {
	nearest := 20
	for x, c := range sc.cues {
		if sc.assignment.of[x] == hop {
			for _, s := range sc.q.Shared {
				nearest = min(nearest, words.Distance(c, s))
			}
		}
	}
	return nearest
}

// inversions counts, among the first n cues, the pairs of one leg whose order in
// the question is not that of their hops.
func (sc *scorer) inversions(n int) int {
	count := 0
	of := sc.assignment.of[:n]
	for x, a := range of {
		if a < 0 {
			continue
		}
		rank := sc.rank[sc.hops[a].leg]
		for y, b := range of {
			if b > a && sc.hops[a].leg == sc.hops[b].leg && rank[sc.cues[x]] > rank[sc.cues[y]] {
				count++
			}
		}
	}
	return count
}
