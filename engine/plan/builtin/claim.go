package builtin

import (
	"context"
	"fmt"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/schema"
)

// proposeClaims reads the text as a claim: chains between two names, or from
// one name to two others, or from a single name to anything at all ("X has a
// successor").
func (r *reader) proposeClaims(ctx context.Context) []proposal {
	var out []proposal
	seen := map[string]int{} // the same claim read from either side
	for _, choice := range r.choices() {
		q := r.p.newQuestion(r.words, choice)
		for center := range choice {
			for _, p := range r.claimsFrom(ctx, q, center) {
				key := p.shape.key()
				if i, ok := seen[key]; !ok {
					seen[key] = len(out)
					out = append(out, p)
				} else if p.score > out[i].score {
					out[i] = p
				}
			}
		}
	}
	if len(out) > 0 {
		return out
	}
	for i, s := range r.spans {
		if i > 0 && s.Strength < r.spans[0].Strength-strengthRange {
			break
		}
		q := r.p.newQuestion(r.words, []span{s})
		for rank, e := range r.p.candidates(s) {
			for _, steps := range q.chains(ctx, e, 1) {
				out = append(out, r.proposal(q, shape{claim: true, legs: []leg{{entity: e, rank: rank, steps: steps}}}))
			}
		}
	}
	return out
}

// claimsFrom returns the claims whose legs all start from one mention and end
// in the others.
func (r *reader) claimsFrom(ctx context.Context, q *question, center int) []proposal {
	hops := maxLegHops
	if len(q.mentions) > 2 {
		hops = 1
	}
	var out []proposal
	for rank, e := range r.p.candidates(q.mentions[center]) {
		chains := q.chains(ctx, e, hops)
		shapes := []shape{{claim: true}}
		for m := range q.mentions {
			if m == center {
				continue
			}
			var more []shape
			for _, s := range shapes {
				for _, l := range r.closedLegs(q, chains, m) {
					l.mention, l.entity, l.rank = center, e, rank
					more = append(more, shape{claim: true, legs: append(slices.Clone(s.legs), l)})
				}
			}
			shapes = more
		}
		for _, s := range shapes {
			p := r.proposal(q, s)
			// The mentions that legs end in count like those that they start from;
			// the center counts once.
			for i := 1; i < len(s.legs); i++ {
				p.score -= r.p.weights.Mention * q.mentions[center].Strength
			}
			for _, l := range s.legs {
				p.score += r.p.weights.Mention*q.mentions[l.closing].Strength - r.p.weights.MentionMore
			}
			if r.p.holds(ctx, &s) {
				p.score += claimHolds
			}
			out = append(out, p)
		}
	}
	return out
}

// claimHolds is gained by a reading of a claim that the graph bears out: of two
// readings that fit the words alike, people mean the one that makes sense.
const claimHolds = 0.4

// closedLegs returns the chains that can end in mention m, closed there.
func (r *reader) closedLegs(q *question, chains [][]schema.Step, m int) []leg {
	var out []leg
	for _, e := range r.p.candidates(q.mentions[m])[:1] {
		slots := r.p.slots(e)
		for _, steps := range chains {
			if n := len(steps); n > 1 && steps[n-1] == r.p.schema.Back(steps[n-2]) && len(q.shared) == 0 {
				continue // "have the same …" needs a word
			}
			to := steps[len(steps)-1].To()
			if slices.ContainsFunc(slots, func(at schema.Slot) bool { return at == to || r.p.schema.SameKind(at, to) }) {
				out = append(out, leg{steps: steps, closed: true, end: e, closing: m})
			}
		}
	}
	return out
}

// key names what a claim says, the same from either side.
func (s *shape) key() string {
	var parts []string
	for _, l := range s.legs {
		steps, a, b := l.steps, l.entity, l.end
		if l.closed && a > b {
			a, b = b, a
			steps = slices.Clone(steps)
			slices.Reverse(steps)
			for i := range steps {
				steps[i] = steps[i].Back()
			}
		}
		parts = append(parts, fmt.Sprint(a, steps, b))
	}
	slices.Sort(parts)
	return fmt.Sprint(parts)
}

// holds reports whether the graph bears a claim out.
func (p *Planner) holds(ctx context.Context, s *shape) bool {
	for _, l := range s.legs {
		to := p.schema.Reach(ctx, []kg.EntityID{l.entity}, l.steps, nil)
		if l.closed {
			if _, ok := slices.BinarySearch(to, l.end); !ok {
				return false
			}
		} else if len(to) == 0 {
			return false
		}
	}
	return true
}
