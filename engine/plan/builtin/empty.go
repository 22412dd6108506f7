package builtin

import (
	"context"
	"fmt"
	"slices"

	"cairn/engine/link"
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
	longer bool    // it is of a name that the other takes a part of
	other  bool    // it is of one step that a word asks for, and the other of another
	skips  bool    // it has the last step of the other alone, which goes the only way there
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
	score := func(q *question, s shape) proposal {
		n := r.proposal(q, s)
		n.score -= r.unusedMentions(&n)
		return n
	}
	again := score(pr.q, *s)
	r.takeMisread(&again)
	least := again.score + emptyMargin
	try := func(q *question, s shape) {
		n := score(q, s)
		if n.score <= least || n.verdict.bare > pr.verdict.bare || len(n.verdict.unused) > len(pr.verdict.unused) {
			return
		}
		if r.takeMisread(&n); n.score > least && !r.p.realise(ctx, &n) {
			least, found = n.score, empty{
				better: n.score - again.score,
				direct: n.shape.size() < pr.shape.size() && pr.verdict.bare > 0,
				longer: q != pr.q,
				other:  n.isOther(pr),
				skips:  slices.Equal(n.shape.lastSteps(), pr.shape.lastSteps()) && pr.goesOnlyWay(),
				reason: r.emptyReason(pr, &n),
			}
		}
	}
	steps := slices.DeleteFunc(slices.Clone(pr.q.cuedSteps()), func(st schema.Step) bool {
		return r.p.schema.IsMediator(st.From()) || r.p.schema.IsMediator(st.To())
	})
	neglected := wording.Each(steps, pr.neglects)
	for leg := range s.legs {
		r.longerNames(pr, leg, try)
		for at := range len(s.legs[leg].steps) + 1 {
			for i, st := range steps {
				for instead := range len(s.legs[leg].steps) - at + 1 {
					w := swap{leg, at, instead, st}
					if (instead > 1 || neglected[i] || r.repeats(s, w)) && r.joins(pr, w) {
						try(pr.q, s.with(w))
					}
				}
			}
		}
	}
	return found
}

// isOther reports whether a reading is of one step that a word asks for, and another of one of another name, which
// the noun for what is asked is not for. What a verb asks for may be the way back.
func (pr *proposal) isOther(than *proposal) bool {
	own, its, q := pr.shape.hops(), than.shape.hops(), than.q
	if len(own) != 1 || len(its) != 1 || pr.verdict.uncued > 0 || slices.Equal(q.p.names[own[0].step.Relation()].words, q.p.names[its[0].step.Relation()].words) {
		return false
	}
	if q.SaysName(pr.verdict.cue[0], own[0].step.Relation()) == 0 {
		return false // what the lexicon alone asks for may be meant otherwise
	}
	isNoun := pr.asking(0).Names[own[0].step]
	comesBack := len(q.p.schema.Edges(pr.shape.legs[0].entity, q.p.schema.Back(own[0].step))) > 0
	return (isNoun || !comesBack) && (q.asked < 0 || !q.Words[q.asked].Names[its[0].step])
}

// swap puts a step in place of so many of a leg's from a place on.
type swap struct {
	leg, at, instead int
	step             schema.Step
}

// with is a shape after a swap.
func (s shape) with(w swap) shape {
	s.legs = slices.Clone(s.legs)
	l := &s.legs[w.leg]
	l.steps = slices.Concat(l.steps[:w.at], []schema.Step{w.step}, l.steps[w.at+w.instead:])
	s.within = nil
	return s
}

// repeats reports whether a swap takes the step before it once more: the parent of a parent.
func (r *reader) repeats(s *shape, w swap) bool {
	return w.at > 0 && w.instead == 0 && w.step == s.legs[w.leg].steps[w.at-1] && r.p.schema.JoinsSame(w.step.Relation())
}

// joins reports whether the step of a swap is another one than there was, does not go back
// along those next to it, and joins what is of the kinds that are there.
func (r *reader) joins(pr *proposal, w swap) bool {
	sch, l := r.p.schema, pr.shape.legs[w.leg]
	before, out, after := l.steps[:w.at], l.steps[w.at:w.at+w.instead], l.steps[w.at+w.instead:]
	if len(after) == 0 {
		after = pr.shape.tail
	}
	from := pr.q.topic(l.entity).slots
	if w.at > 0 {
		from = []schema.Slot{before[w.at-1].To()}
	}
	var to []schema.Slot // where it must lead
	switch {
	case len(after) > 0:
		to = []schema.Slot{after[0].From()}
	default:
		for i, o := range pr.shape.legs { // all legs meet
			if i != w.leg {
				to = append(to, o.steps[len(o.steps)-1].To())
			}
		}
	}
	switch {
	case w.instead > 0 && sch.IsMediator(out[w.instead-1].To()), // half of a step
		w.instead == 1 && w.step.Relation() == out[0].Relation(),
		w.at > 0 && w.step == sch.Back(before[w.at-1]), len(after) > 0 && after[0] == sch.Back(w.step):
		return false
	}
	types, m := r.p.g.Types(l.entity), pr.q.Mentions[l.mention]
	mayHave := w.at > 0 || pr.q.UnknownKind() > 0 || pr.q.isNounOf(w.step, m) || slices.ContainsFunc(from, func(o schema.Slot) bool { return r.p.hasValue(o, types, w.step) }) // no lighthouse has the keeper of a posting
	comes := r.repeats(&pr.shape, w) || mayHave && slices.ContainsFunc(from, func(o schema.Slot) bool { return !sch.IsMediator(o) && r.p.usual(o, w.step.From()) })
	return comes && !slices.ContainsFunc(to, func(o schema.Slot) bool { return !r.p.usual(w.step.To(), o) })
}

// isNounOf reports whether a noun for a step is said of a name: "the volume of X", "X's volume".
func (q *question) isNounOf(st schema.Step, m words.Span) bool {
	return slices.ContainsFunc(q.Words, func(w words.Word) bool {
		of, known := q.isTailOf([]string{w.Stem}, m)
		return w.Mention < 0 && (w.Names[st] || w.Weight[st] >= words.StrongCue) && of && known
	})
}

// usual reports whether what is in one slot is often enough in another for its absence to
// tell something.
func (p *Planner) usual(at, also schema.Slot) bool {
	sch := p.schema
	return at == also || float64(sch.Shared(at, also)) >= usualShare*float64(sch.Size(at))
}

// usualShare is the share of things that have what is then missed of another one.
const usualShare = 0.1

// neglects reports whether a word of the question asks for a step, and for none of a reading
// as strongly, nor for the kind of a thing in it.
func (pr *proposal) neglects(st schema.Step) bool {
	hops := pr.shape.hops()
	return slices.ContainsFunc(pr.q.Cues, func(i int) bool {
		w := &pr.q.Words[i]
		return !w.Stop && w.Weight[st] > 0 && !slices.ContainsFunc(hops, func(h hop) bool {
			return w.Weight[h.step] >= w.Weight[st] || len(w.Types) > 0 && (pr.q.NamesSlot(w, h.step.To()) || pr.q.NamesSlot(w, h.step.From()))
		})
	})
}

// longerNames tries a proposal with the longer names that the name of a leg is a part of.
func (r *reader) longerNames(pr *proposal, i int, try func(*question, shape)) {
	at := pr.shape.legs[i].mention
	for _, o := range r.All {
		taken := slices.ContainsFunc(pr.shape.legs, func(l leg) bool { return l.mention != at && pr.q.Mentions[l.mention].Overlaps(o) })
		m := pr.q.Mentions[at]
		little := func(w words.Word) bool { return w.Stop }
		written := o.IsSure() || o.From <= m.From && m.To <= o.To && o.Candidates[0].Method <= link.Folded && // but for its case: "in Bruges" is no film
			!slices.ContainsFunc(slices.Concat(r.Words[o.From:m.From], r.Words[m.To:o.To]), little)
		if taken || !o.Overlaps(m) || o.To-o.From <= m.To-m.From || !written {
			continue
		}
		mentions := slices.Clone(pr.q.Mentions)
		mentions[at] = o
		q := r.p.newQuestion(r.Words, mentions)
		for _, e := range r.p.candidates(o) {
			n := pr.shape
			n.legs = slices.Clone(n.legs)
			n.legs[i].entity, n.legs[i].rank, n.within = e, 0, nil
			try(q, n)
		}
	}
}

// emptyReason says what the question asks for instead of a reading.
func (r *reader) emptyReason(pr, instead *proposal) string {
	for i, l := range instead.shape.legs {
		if l.entity != pr.shape.legs[i].entity {
			return fmt.Sprintf("The graph has %s, but does not say this about it.", wording.Quote(r.p.g.Label(l.entity)))
		}
	}
	return fmt.Sprintf("The question seems to ask for %s, but this graph says nothing about that.", wording.Quote(r.p.write(instead).Text))
}
