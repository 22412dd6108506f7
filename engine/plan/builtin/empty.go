package builtin

import (
	"context"
	"fmt"
	"slices"

	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// A reading that the graph can follow is proposed alone; what the question asks for may be
// another one, of which the graph knows nothing. "Who directed X" is no question for X's
// writer where no director of X is known. So the best reading is compared with those
// beside it that follow other words, whether or not anything meets them:
//
//	best ─one hop for another, one more, a longer name─▶ shapes ─score─▶ the empty one

// By how much better than the best a reading that nothing meets must fit the words, for the
// best to be in doubt, and to be no answer at all.
const (
	emptyMargin = 0.1
	emptyClear  = 1
)

// empty is a reading that nothing in the graph meets.
type empty struct {
	better float64 // by how much it fits the words better than another; 0 for none
	direct bool    // it has fewer steps than the other, which goes a long way round without words
	reason string  // says what the question asks for
}

// findEmpty returns the reading beside the best that fits the words best, where it fits them
// better and nothing in the graph meets it. Readings that compare, list or set conditions
// are not looked at.
func (r *reader) findEmpty(ctx context.Context, pr *proposal) (found empty) {
	s := &pr.shape
	if len(s.legs) == 0 || len(s.values) > 0 || len(s.said) > 0 || pr.unmet != nil || pr.isJoint() {
		return found
	}
	score := func(n *proposal) float64 {
		n.score -= r.unusedMentions(n)
		if r.misread(n) != "" {
			n.score -= r.p.weights.Misread
		}
		return n.score
	}
	again := r.proposal(pr.q, *s)
	was := score(&again)
	least := was + emptyMargin
	try := func(q *question, s shape) {
		n := r.proposal(q, s)
		if score(&n) > least && n.verdict.bare <= pr.verdict.bare && len(n.verdict.unused) <= len(pr.verdict.unused) && !r.p.realise(ctx, &n) {
			least, found = n.score, empty{n.score - was, n.shape.size() < pr.shape.size() && pr.verdict.bare > 0, r.emptyReason(pr, &n)}
		}
	}
	for i := range s.legs {
		r.longerNames(pr, i, try)
		for at := range len(s.legs[i].steps) + 1 {
			for _, st := range pr.q.cuedSteps() {
				for instead := range len(s.legs[i].steps) - at + 1 {
					r.tryHop(pr, i, at, instead, st, try)
				}
			}
		}
	}
	return found
}

// tryHop tries a proposal with a step in place of so many of a leg's from a place on, where
// what it joins is of the kinds that are there.
func (r *reader) tryHop(pr *proposal, leg, at, instead int, st schema.Step, try func(*question, shape)) {
	l, sch := pr.shape.legs[leg], r.p.schema
	if sch.IsMediator(st.From()) || sch.IsMediator(st.To()) || instead > 0 && sch.IsMediator(l.steps[at+instead-1].To()) {
		return
	}
	from := pr.q.topic(l.entity).slots
	if at > 0 {
		from = []schema.Slot{l.steps[at-1].To()}
	}
	again := at > 0 && instead == 0 && st == l.steps[at-1] && sch.JoinsSame(st.Relation()) // the parent of a parent
	if !again && !slices.ContainsFunc(from, func(o schema.Slot) bool { return !sch.IsMediator(o) && r.usual(o, st.From()) }) {
		return
	}
	rest := l.steps[at+instead:]
	if len(rest) == 0 {
		rest = pr.shape.tail
	}
	if len(rest) > 0 && !r.usual(st.To(), rest[0].From()) ||
		at > 0 && st == sch.Back(l.steps[at-1]) || len(rest) > 0 && rest[0] == sch.Back(st) ||
		instead == 1 && st.Relation() == l.steps[at].Relation() || instead < 2 && !again && !pr.neglects(st) {
		return
	}
	for i, o := range pr.shape.legs { // all legs meet
		if i != leg && len(rest) == 0 && !r.usual(st.To(), o.steps[len(o.steps)-1].To()) {
			return
		}
	}
	n := pr.shape
	n.legs = slices.Clone(n.legs)
	n.legs[leg].steps = slices.Concat(l.steps[:at], []schema.Step{st}, l.steps[at+instead:])
	n.within = nil
	try(pr.q, n)
}

// usual reports whether what is in one slot is often enough in another for its absence to
// tell something.
func (r *reader) usual(at, also schema.Slot) bool {
	sch := r.p.schema
	return at == also || float64(sch.Shared(at, also)) >= usualShare*float64(sch.Size(at))
}

// usualShare is the share of things that have what is then missed of another one.
const usualShare = 0.1

// neglects reports whether a word of the question asks for a step, and for none of a reading
// as strongly, nor for the kind of a thing in it.
func (pr *proposal) neglects(st schema.Step) bool {
	hops := pr.shape.hops()
	return slices.ContainsFunc(pr.q.Words, func(w words.Word) bool {
		return !w.Stop && w.Weight[st] > 0 && !slices.ContainsFunc(hops, func(h hop) bool {
			return w.Weight[h.step] >= w.Weight[st] || len(w.Types) > 0 && (pr.q.NamesSlot(&w, h.step.To()) || pr.q.NamesSlot(&w, h.step.From()))
		})
	})
}

// longerNames tries a proposal with the longer names that the name of a leg is a part of.
func (r *reader) longerNames(pr *proposal, i int, try func(*question, shape)) {
	m := pr.q.Mentions[pr.shape.legs[i].mention]
	for _, o := range r.All {
		if !o.Overlaps(m) || o.To-o.From <= m.To-m.From || !o.IsSure() {
			continue
		}
		mentions := slices.Clone(pr.q.Mentions)
		mentions[pr.shape.legs[i].mention] = o
		if slices.ContainsFunc(pr.shape.legs, func(l leg) bool { return l.mention != pr.shape.legs[i].mention && pr.q.Mentions[l.mention].Overlaps(o) }) {
			continue
		}
		q := r.p.newQuestion(r.Words, mentions)
		for _, e := range r.p.candidates(o) {
			n := pr.shape
			n.legs = slices.Clone(n.legs)
			n.legs[i].entity, n.legs[i].rank, n.within = e, 0, nil
			try(q, n)
		}
	}
}

// emptied is findEmpty, looked for once.
func (r *reader) emptied(ctx context.Context, best *proposal) empty {
	if r.empty == nil {
		found := r.findEmpty(ctx, best)
		r.empty = &found
	}
	return *r.empty
}

// emptyReason says what the question asks for instead of a reading.
func (r *reader) emptyReason(pr, empty *proposal) string {
	asked := r.p.write(empty).Text
	for i, l := range empty.shape.legs {
		if was := pr.shape.legs[i]; l.entity != was.entity {
			return fmt.Sprintf("The question may mean %s, of which the graph does not say this.", wording.Quote(r.p.g.Label(l.entity)))
		}
	}
	return fmt.Sprintf("The question seems to ask for “%s”, of which this graph says nothing.", asked)
}
