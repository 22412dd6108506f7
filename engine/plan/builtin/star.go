package builtin

import (
	"cmp"
	"context"
	"slices"

	"cairn/engine/plan/words"
	"cairn/engine/schema"
)

// How many of the best legs of each mention are combined, by the number of
// mentions: the combinations multiply.
var legsKept = map[int]int{2: 25, 3: 10}

// choicesKept is how many choices of mentions are read together.
const choicesKept = 30

// maxLegHops is the longest leg of a star.
const maxLegHops = 2

type scoredLeg struct {
	leg
	score float64
}

// proposeStars reads the question with two and with three mentions, whose legs
// meet in one node.
func (r *reader) proposeStars(ctx context.Context) []proposal {
	var out []proposal
	for _, choice := range r.bestChoices() {
		q := r.p.newQuestion(r.Words, choice)
		legs := make([][]scoredLeg, len(choice))
		for m := range choice {
			legs[m] = r.bestLegs(ctx, q, m, legsKept[len(choice)])
		}
		out = append(out, r.combine(ctx, q, legs)...)
	}
	return out
}

// bestChoices returns the choices whose names are likeliest.
func (r *reader) bestChoices() [][]words.Span {
	all := r.choices()
	if len(all) <= choicesKept {
		return all
	}
	worth := func(choice []words.Span) float64 {
		sum := 0.0
		for _, s := range choice {
			sum += r.p.weights.Mention*s.Strength - r.p.weights.MentionMore
		}
		return sum
	}
	slices.SortStableFunc(all, func(a, b []words.Span) int { return cmp.Compare(worth(b), worth(a)) })
	return all[:choicesKept]
}

// choices returns the sets of two and three mentions that can be read together:
// they do not overlap, each is likely a name, and no longer name covers one
// of them.
func (r *reader) choices() [][]words.Span {
	var out [][]words.Span
	n := len(r.Spans)
	for a := range n {
		if r.Spans[a].Strength < r.Spans[0].Strength-strengthRange {
			break
		}
		for b := a + 1; b < n; b++ {
			out = r.addChoice(out, r.Spans[a], r.Spans[b])
			for c := b + 1; c < n; c++ {
				out = r.addChoice(out, r.Spans[a], r.Spans[b], r.Spans[c])
			}
		}
	}
	return out
}

func (r *reader) addChoice(to [][]words.Span, choice ...words.Span) [][]words.Span {
	from, end := choice[0].From, choice[0].To
	for i, s := range choice {
		if s.Strength < words.LikelyStrength || slices.ContainsFunc(choice[:i], s.Overlaps) {
			return to
		}
		from, end = min(from, s.From), max(end, s.To)
	}
	for _, s := range r.Spans {
		isIn := func(o words.Span) bool { return s.From <= o.From && o.To <= s.To && s.To-s.From > o.To-o.From }
		if s.IsSure() && (s.From <= from && s.To >= end || slices.ContainsFunc(choice, isIn)) {
			return to
		}
	}
	return append(to, slices.Clone(choice))
}

// bestLegs returns the legs of a mention that score best on their own.
func (r *reader) bestLegs(ctx context.Context, q *question, m, keep int) []scoredLeg {
	var out []scoredLeg
	for rank, e := range r.candidates(q.Mentions[m]) {
		for _, steps := range r.chains(ctx, q, e, maxLegHops) {
			if !r.afford(1) {
				break
			}
			l := leg{mention: m, entity: e, rank: rank, steps: steps}
			v := q.score(&shape{legs: []leg{l}}, true)
			out = append(out, scoredLeg{l, v.score - r.p.weights.MentionRank*float64(rank)})
		}
	}
	slices.SortStableFunc(out, func(a, b scoredLeg) int { return cmp.Compare(b.score, a.score) })
	return out[:min(len(out), keep)]
}

// combine joins one leg of every mention, where all meet in things of one kind:
// those first whose legs score best on their own.
func (r *reader) combine(ctx context.Context, q *question, legs [][]scoredLeg) []proposal {
	joint := r.joints(legs)
	var out []proposal
	for i, of := range joint[:min(len(joint), jointsKept)] {
		if ctx.Err() != nil || !r.afford(jointCost) {
			break
		}
		chosen := make([]leg, len(legs))
		for m := range legs {
			chosen[m] = legs[m][of.leg[m]].leg
		}
		out = append(out, r.proposal(q, shape{legs: chosen}))
		if i < tailsTried && r.afford(tailsCost) {
			out = append(out, r.withTails(ctx, q, chosen)...)
		}
	}
	return out
}

// joint is one leg of every mention, by index, and the sum of their scores.
type joint struct {
	leg   [maxMentions]int
	score float64
}

// joints returns the ways to take one leg of every mention, the best first.
func (r *reader) joints(legs [][]scoredLeg) []joint {
	out := []joint{{}}
	for m := range legs {
		var more []joint
		for _, of := range out {
			for i, l := range legs[m] {
				if m > 0 && !r.p.schema.SameKind(end(l.leg), end(legs[0][of.leg[0]].leg)) {
					continue
				}
				next := of
				next.leg[m] = i
				next.score += l.score
				more = append(more, next)
			}
		}
		out = more
	}
	slices.SortStableFunc(out, func(a, b joint) int { return cmp.Compare(b.score, a.score) })
	return out
}

const (
	// jointsKept is how many ways to join the legs of one choice of mentions are
	// scored as a whole.
	jointsKept = 250
	// tailsTried is how many joint proposals are tried for what comes after the
	// meeting: the first, whose legs score best.
	tailsTried = 40
)

// withTails returns the proposals that go one cued hop on from where legs meet.
func (r *reader) withTails(ctx context.Context, q *question, legs []leg) []proposal {
	meet := r.ends(ctx, legs[0])
	for _, l := range legs[1:] {
		meet = schema.Common(meet, r.ends(ctx, l))
	}
	if len(meet) == 0 {
		return nil
	}
	var out []proposal
	for _, tail := range q.chainsFrom(ctx, meet[:min(len(meet), frontier)], 1) {
		isCued := slices.ContainsFunc(q.Cues, func(c int) bool {
			return slices.ContainsFunc(tail, func(s schema.Step) bool { return q.Words[c].Weight[s] > 0 })
		})
		// A relation that a leg has used would only lead back to its name.
		isUsed := slices.ContainsFunc(legs, func(l leg) bool {
			return slices.ContainsFunc(l.steps, func(s schema.Step) bool { return s.Relation() == tail[0].Relation() })
		})
		if isCued && !isUsed {
			out = append(out, r.proposal(q, shape{legs: slices.Clone(legs), tail: tail}))
		}
	}
	return out
}

// end returns the slot that a leg leads to.
func end(l leg) schema.Slot { return l.steps[len(l.steps)-1].To() }
