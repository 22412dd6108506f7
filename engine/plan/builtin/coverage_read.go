package builtin

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"cairn/engine/evidence"
	"cairn/engine/plan"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// moreConditions is how much more the conditions that a cover meets must be
// worth than those of another reading, to be put before it.
const moreConditions = 0.3

// apart is how much of what one cover has above another speaks for its reading: some of it is
// of the candidates alone, of which one reading may have both.
const apart = 0.6

// unmet is what a reading of many conditions leaves out.
type unmet struct {
	names []string  // of sure conditions
	of    int       // how many conditions there are, these and those met
	gains []float64 // of the conditions that are met, by leg
}

// addCovers adds the readings of many conditions, if there are any.
func (p *Planner) addCovers(ctx context.Context, r *reader, out *plan.Plan, shown []*proposal) []*proposal {
	type pair struct {
		pr *proposal
		rd plan.Reading
	}
	var all []pair
	covers := r.proposeCovers(ctx, shown)
	for i := range covers {
		if p.realise(ctx, &covers[i]) {
			all = append(all, pair{&covers[i], p.write(&covers[i])})
		}
	}
	if len(all) == 0 {
		return shown
	}
	for i := range shown {
		all = append(all, pair{shown[i], out.Readings[i]})
	}
	slices.SortStableFunc(all, func(a, b pair) int { return cmp.Compare(b.pr.score, a.pr.score) })
	shown, out.Readings = nil, nil
	for _, one := range all[:min(len(all), readingsMost)] {
		shown, out.Readings = append(shown, one.pr), append(out.Readings, one.rd)
	}
	return shown
}

// proposeCovers reads the question as many conditions on one thing. It returns
// nothing where the best of the other readings meets them as well, and leads to what is asked.
func (r *reader) proposeCovers(ctx context.Context, shown []*proposal) []proposal {
	if len(r.compare) > 0 {
		return nil
	}
	if len(shown) > 0 && !shown[0].missesQuestion() && shown[0].meetsAll(r.conditions()) {
		return nil
	}
	r.findCovers(ctx)
	cs, q, covers := r.wanted, r.naming, r.covered
	if len(covers) == 0 {
		return nil
	}
	more := 0.0
	if len(shown) > 0 {
		more = covers[0].value(cs) - r.value(q, shown[0], cs)
		if len(shown[0].answers) > 0 && r.isOtherKind(q, covers[0].candidate) && !r.isOtherKind(q, shown[0].answers[0]) {
			more -= typedFit
		}
		if more < moreConditions || shown[0].verdict.bare == 0 && covers[0].count(cs, (*condition).isStrong) < 2 && !covers[0].describes(cs, 2) {
			return nil // a word of the sentence is no reason to leave a reading that has its words
		}
	}
	var out []proposal
	seen := map[string]bool{}
	for _, c := range covers {
		if key := fmt.Sprint(c.key(cs)); !seen[key] {
			seen[key] = true
			p := r.coverProposal(cs, c)
			// What covers are worth is compared with each other and with the best
			// of the other readings.
			if len(shown) > 0 {
				p.score = shown[0].score + r.p.weights.Mention*(more-apart*(covers[0].score-c.score))
			} else if len(out) > 0 {
				p.score = out[0].score - r.p.weights.Mention*apart*(covers[0].score-c.score)
			}
			out = append(out, p)
		}
		if len(out) == readingsMost {
			break
		}
	}
	return out
}

// findCovers finds what meets the conditions, once.
func (r *reader) findCovers(ctx context.Context) {
	if r.naming != nil {
		return
	}
	r.wanted = r.conditions()
	all := r.p.newQuestion(r.Words, nil)
	var names []words.Span
	for i, c := range r.wanted {
		r.readAround(all, r.wanted, i)
		if c.isSure() {
			names = append(names, c.alts[0].name)
		}
	}
	r.naming = r.p.newQuestion(r.Words, names)
	if len(r.wanted) > 1 {
		r.covered = r.covers(ctx, r.naming, r.wanted)
	}
}

// describing is how many conditions one thing must meet for the question to be read as
// its description.
const describing = 3

// isDescription reports whether something meets so many of the conditions that the
// question describes it: no chain of hops and no star of a few names says as much.
func (r *reader) isDescription(ctx context.Context) bool {
	if len(r.compare) > 0 || len(r.said) > 0 || len(r.Spans) < describing {
		return false
	}
	r.findCovers(ctx)
	return len(r.covered) > 0 && r.covered[0].describes(r.wanted, describing)
}

// describes reports whether a cover meets enough for a description, some of it by what
// surely describes.
func (c *cover) describes(cs []condition, some int) bool {
	return len(c.meetings) >= describing && c.count(cs, (*condition).describes) >= some
}

// meetsAll reports whether a reading is a star that meets all conditions by one
// hop each.
func (pr *proposal) meetsAll(cs []condition) bool {
	if len(pr.shape.tail) > 0 || pr.verdict.bare > 0 || slices.ContainsFunc(pr.shape.legs, func(l leg) bool { return len(l.steps) > 1 }) {
		return false
	}
	return !slices.ContainsFunc(cs, func(c condition) bool { return !pr.uses(&c) })
}

// uses reports whether a reading starts from a name of a condition.
func (pr *proposal) uses(c *condition) bool {
	return slices.ContainsFunc(pr.q.Mentions, func(m words.Span) bool { return m.From < c.to && c.from < m.To })
}

// value is what the conditions are worth that a reading meets, less for those
// that are further from what is asked, with how well the answer fits what is
// asked for.
func (r *reader) value(q *question, p *proposal, cs []condition) float64 {
	sum := 0.0
	for i := range cs {
		best := 0.0
		for j, l := range p.shape.legs {
			m := p.q.Mentions[l.mention]
			if m.From >= cs[i].to || cs[i].from >= m.To {
				continue
			}
			hops := 0
			for _, s := range p.shape.chain(j) {
				if !r.p.schema.IsMediator(s.To()) {
					hops++
				}
			}
			best = max(best, cs[i].worth()*math.Pow(farther, float64(max(0, hops-1))))
		}
		sum += best
	}
	if len(p.answers) > 0 {
		sum += r.kindFit(q, p.answers[0])
	}
	return sum
}

// farther is what is left of a condition's worth for each hop after the first.
const farther = 0.7

// value is that of a cover, on the same scale.
func (c *cover) value(cs []condition) float64 {
	sum := c.kind
	for _, m := range c.meetings {
		sum += cs[m.condition].alts[m.alt].worth
	}
	return sum
}

// key names what a cover says.
func (c *cover) key(cs []condition) []string {
	return wording.Each(c.meetings, func(m meeting) string { return fmt.Sprint(cs[m.condition].alts[m.alt].entity, m.steps) })
}

// coverProposal makes a star of a cover: its candidate in the middle, one leg
// for every condition that it meets.
func (r *reader) coverProposal(cs []condition, c cover) proposal {
	var names []words.Span
	var s shape
	w := &r.p.weights
	p := proposal{unmet: &unmet{of: 0}}
	for i, m := range c.meetings {
		alt := cs[m.condition].alts[m.alt]
		names = append(names, alt.name)
		p.unmet.gains = append(p.unmet.gains, m.gain)
		steps := []schema.Step{m.steps[0]}
		if m.steps[1] != noStep {
			steps = append(steps, m.steps[1])
		}
		s.legs = append(s.legs, leg{mention: i, entity: alt.entity, rank: alt.rank, steps: steps})
		best := cueFit{word: -1}
		for _, st := range steps {
			fit := cs[m.condition].fits[st]
			if fit.fit > best.fit {
				best = fit
			}
			p.verdict.cue = append(p.verdict.cue, fit.wordOrNone())
		}
		p.score += w.Mention*alt.name.Strength - w.MentionRank*float64(alt.rank) - w.Hop + w.Cue*best.fit
		if i > 0 {
			p.score -= w.MentionMore
		}
		if best.fit == 0 && !cs[m.condition].head {
			p.verdict.uncued++
			p.verdict.bare++
			p.score -= w.UncuedNamed
		}
	}
	p.shape, p.q = s, r.p.newQuestion(r.Words, names)
	p.shape.count = p.q.wh == howMany && !p.isNumber()
	met := 0
	for i := range cs {
		switch {
		case slices.ContainsFunc(c.meetings, func(m meeting) bool { return m.condition == i }):
			met++
		case cs[i].isSure():
			p.unmet.names = append(p.unmet.names, cs[i].alts[0].name.Text)
			p.score -= w.MentionUnused
		}
	}
	p.unmet.of = met + len(p.unmet.names)
	return p
}

// wordOrNone returns the word of a fit, or -1.
func (f cueFit) wordOrNone() int {
	if f.fit == 0 {
		return -1
	}
	return f.word
}

// reason says which conditions are not met.
func (u *unmet) reason() string {
	return fmt.Sprintf("%d of %d conditions are met; not met: %s.", u.of-len(u.names), u.of, strings.Join(u.names, ", "))
}

// count returns how many of the conditions that a cover meets are such.
func (c *cover) count(cs []condition, is func(*condition) bool) int {
	n := 0
	for _, m := range c.meetings {
		if is(&cs[m.condition]) {
			n++
		}
	}
	return n
}

// explainCover says what each condition is worth.
func (p *Planner) explainCover(pr *proposal) []evidence.Explanation {
	var out []evidence.Explanation
	hop := 0
	for i, l := range pr.shape.legs {
		about := "no word refers to it"
		for range l.steps {
			if c := pr.verdict.cue[hop]; c >= 0 {
				about = wording.Quote(pr.q.Words[c].Text) + " refers to it"
			}
			hop++
		}
		out = append(out, evidence.Explanation{
			Value:   p.weights.Mention * pr.unmet.gains[i],
			Message: fmt.Sprintf("linked to %s by %s; %s", wording.Quote(p.g.Label(l.entity)), wording.Quote(p.g.RelationText(l.steps[len(l.steps)-1].Relation())), about),
		})
	}
	for _, name := range pr.unmet.names {
		out = append(out, evidence.Explanation{Message: "not linked to " + wording.Quote(name)})
	}
	return out
}
