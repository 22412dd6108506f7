package builtin

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
)

// Many conditions on one asked thing: "Which film was shot by X, is in the Y
// language, falls under Z and was distributed by W?" Every name is a condition,
// and linking finds some that are none, so that what is joined to all of them
// may not exist. What is joined to the most, and to the most telling, is read
// as the answer, and the conditions that it does not meet are said.
//
//	names ─overlaps─▶ conditions ─neighbours─▶ candidates ─words─▶ stars

const (
	// maxConditions is how many conditions one question has at most.
	maxConditions = 10
	// maxAlternatives is how many entities one condition may mean.
	maxAlternatives = 10
	// coverBudget is how many edges are looked at to find candidates, those of
	// the rarest names first; the rest is looked up from the candidates' side.
	coverBudget = 30_000
	// coverCandidates is how many candidates are looked at closely.
	coverCandidates = 400
	// coverEdges is how many edges of one candidate are looked at.
	coverEdges = 3_000
)

// condition is a part of the question that names something: names that overlap
// are readings of one condition.
type condition struct {
	from, to int // words
	alts     []alternative
	// head says that it is part of the noun that is asked for, as in "who is the Italian
	// film director that": it needs no word that asks for what joins it.
	head bool
	// fits[s] says how well step s from the name fits the words around it.
	fits map[schema.Step]cueFit
}

// alternative is one entity that a condition may mean.
type alternative struct {
	name   words.Span
	entity kg.EntityID
	rank   int
	worth  float64
}

// cueFit is how well a step fits a word near a name, and the word.
type cueFit struct {
	fit  float64
	word int
}

// meeting is the way in which a candidate meets a condition.
type meeting struct {
	candidate kg.EntityID
	condition int
	alt       int
	steps     [2]schema.Step // the second is noStep where there is one
	gain      float64
	ways      int // in which the candidate meets it
}

// noStep stands for no step.
const noStep = schema.Step(math.MaxUint32)

// isSure reports whether the condition is a name beyond doubt.
func (c *condition) isSure() bool {
	return slices.ContainsFunc(c.alts, func(a alternative) bool { return a.name.IsSure() })
}

// worth is that of the best alternative.
func (c *condition) worth() float64 {
	best := 0.0
	for _, a := range c.alts {
		best = max(best, a.worth)
	}
	return best
}

// conditions returns the conditions of the question in their order.
func (r *reader) conditions() []condition {
	names := r.joined()
	slices.SortStableFunc(names, func(a, b words.Span) int { return cmp.Compare(a.From, b.From) })
	q := r.p.newQuestion(r.Words, nil)
	var out []condition
	for _, s := range names {
		if s.To-s.From == 1 && !q.Words[s.From].Capital && len(q.Words[s.From].Types) > 0 {
			continue // "which country" asks for a type, though the graph has it as a thing too
		}
		if s.Strength < similarStrength && s.Candidates[0].Method > link.Folded {
			continue // a common word, not a name that is like one
		}
		if r.isWordOnly(s) || r.isPartOf(s) {
			continue
		}
		if n := len(out); n > 0 && s.From < out[n-1].to {
			out[n-1].to = max(out[n-1].to, s.To)
		} else {
			out = append(out, condition{from: s.From, to: s.To})
		}
		c := &out[len(out)-1]
		for rank, cand := range sameNames(r.p.g, s) {
			c.alts = append(c.alts, alternative{name: s, entity: cand.Entity, rank: rank, worth: r.worth(s, cand, rank)})
		}
	}
	for i := range out {
		if r.namesLanguage(out[i].from, out[i].to) {
			out[i].keepLanguages(r.p.g)
		}
		slices.SortStableFunc(out[i].alts, func(a, b alternative) int { return cmp.Compare(b.worth, a.worth) })
		out[i].alts = out[i].alts[:min(len(out[i].alts), maxAlternatives)]
	}
	slices.SortStableFunc(out, func(a, b condition) int { return cmp.Compare(b.worth(), a.worth()) })
	out = out[:min(len(out), maxConditions)]
	slices.SortStableFunc(out, func(a, b condition) int { return cmp.Compare(a.from, b.from) })
	head := r.headEnd()
	for i := range out {
		out[i].head = out[i].to <= head
	}
	return out
}

// namesLanguage reports whether words stand where a language does, and no noun follows that
// they say more of: "is in English", "speaks Spanish and English", not "in English films".
func (r *reader) namesLanguage(from, to int) bool {
	if to < len(r.Words) && !r.Words[to].Stop && !r.commaBefore(to) {
		return false
	}
	at := from - 1
	for at > 1 && (r.Words[at].Lower == "and" || r.Words[at].Lower == "or") {
		at -= 2
	}
	if at > 0 && r.Words[at].Lower == "both" {
		at--
	}
	return at >= 0 && (r.Words[at].Lower == "in" || r.Words[at].Stem == "speak" || r.Words[at].Lower == "spoken")
}

// keepLanguages leaves a condition those alternatives alone that are called a language,
// where some are.
func (c *condition) keepLanguages(g *kg.Graph) {
	other := func(a alternative) bool {
		stems := lexicon.Stems(g.Label(a.entity))
		return len(stems) == 0 || stems[len(stems)-1] != languageStem
	}
	if slices.ContainsFunc(c.alts, func(a alternative) bool { return !other(a) }) {
		c.alts = slices.DeleteFunc(c.alts, other)
	}
}

// languageStem is the last word of what the names of languages end in: "English Language".
var languageStem = lexicon.Stem("language")

// headEnd returns the end of the noun that is asked for.
func (r *reader) headEnd() int {
	at := 0
	for at < len(r.Words) && r.Words[at].Stop {
		at++
	}
	for at < len(r.Words) && (!r.Words[at].Stop || r.Words[at].Lower == "and") {
		at++
	}
	return at
}

// joined returns the names of the question. Two that only resemble names of the graph, with
// nothing but little words between them, are the parts of one where the graph has a name
// that both may mean: "Award for Best Actor in a Drama" of "Award for Best Actor – Drama".
func (r *reader) joined() []words.Span {
	out := slices.Clone(r.All)
	part := func(s words.Span) bool { return s.Candidates[0].Method == link.Near && !r.isPartOf(s) }
	for i := range out {
		for j := range out {
			a, b := out[i], out[j]
			if a.To > b.From || !part(a) || !part(b) || !r.isLittle(a.To, b.From) {
				continue
			}
			both := slices.DeleteFunc(slices.Clone(a.Candidates), func(c link.Candidate) bool {
				return !slices.ContainsFunc(b.Candidates, func(o link.Candidate) bool { return o.Entity == c.Entity })
			})
			if len(both) == 0 {
				continue
			}
			a.To, a.End, a.Strength, a.Candidates = b.To, b.End, a.Strength+b.Strength, both
			a.Text = r.Source[a.Start:a.End]
			out[i], out[j] = a, a
		}
	}
	return slices.CompactFunc(out, func(a, b words.Span) bool { return a.From == b.From && a.To == b.To })
}

// isLittle reports whether nothing but little words stand from one word to another, and
// nothing that begins another part of a list.
func (r *reader) isLittle(from, to int) bool {
	for at := from; at < to; at++ {
		if w := &r.Words[at]; !w.Stop || w.Lower == "and" || w.Lower == "or" || r.commaBefore(at) {
			return false
		}
	}
	return !r.commaBefore(to)
}

// isWordOnly reports whether a name is only like a single word that is written small in
// a text that writes names with capitals: a common word.
func (r *reader) isWordOnly(s words.Span) bool {
	return s.Candidates[0].Method > link.Folded && s.To-s.From == 1 && !r.Words[s.From].Capital && r.SureEnough() == words.SureStrength
}

// isPartOf reports whether a longer name beyond doubt holds a name.
func (r *reader) isPartOf(s words.Span) bool {
	return slices.ContainsFunc(r.All, func(o words.Span) bool {
		return o.From <= s.From && s.To <= o.To && o.To-o.From > s.To-s.From && (o.IsSure() || o.Strength >= words.SureStrength && o.Strength > s.Strength)
	})
}

// similarStrength is the strength that a name needs which is only similar.
const similarStrength = 0.2

// strongStrength is the strength of a name that is more than a word of the
// sentence.
const strongStrength = 0.4

// isStrong reports whether the condition is more than a word of the sentence.
func (c *condition) isStrong() bool {
	return slices.ContainsFunc(c.alts, func(a alternative) bool { return a.name.Strength >= strongStrength })
}

// describes reports whether the condition may be one of several that describe what is asked
// for: a strong name, or a noun of what is asked for.
func (c *condition) describes() bool { return c.head || c.isStrong() }

// sameNames returns the candidates of a name that are as near as the first. Of
// names that are only similar, all are returned, the best known first.
func sameNames(g *kg.Graph, s words.Span) []link.Candidate {
	if s.Candidates[0].Method == link.Near {
		out := slices.Clone(s.Candidates)
		slices.SortStableFunc(out, func(a, b link.Candidate) int { return cmp.Compare(g.Degree(b.Entity), g.Degree(a.Entity)) })
		return out[:min(len(out), maxAlternatives)]
	}
	same := link.SameName(g, "", s.Candidates)
	return same[:min(len(same), maxAlternatives)]
}

// worth says how much it tells that something is joined to an entity: more, the
// fewer are joined to it, the surer the name, and the more of the question it
// takes.
func (r *reader) worth(s words.Span, c link.Candidate, rank int) float64 {
	rare := r.p.rare(c.Entity)
	sure := min(1, 0.35+0.6*s.Strength)
	if c.Method > link.Alias {
		sure *= 0.9
	}
	for _, o := range r.All {
		if o.From <= s.From && s.To <= o.To && o.To-o.From > s.To-s.From && o.Strength >= s.Strength {
			sure *= 0.6 // a longer name holds it
			break
		}
	}
	if c.Method == link.Near {
		// Of all that have the words in their names, people mean the best known.
		if rank > 0 {
			sure *= 0.5
		}
		return nearWorth * min(sure, s.Strength)
	}
	return sure * (0.5 + rare) * (1 - 0.03*float64(rank))
}

// nearWorth is the worth of a name that is only similar.
const nearWorth = 0.7

// readAround fills the fits of a condition from the words around it: those
// inside, those after up to a comma or another name, and those before, past
// other names of a list.
func (r *reader) readAround(q *question, cs []condition, i int) {
	c := &cs[i]
	c.fits = map[schema.Step]cueFit{}
	hear := func(at int, near float64) {
		for s, weight := range q.Words[at].Weight {
			if fit := near * min(1, weight); fit > c.fits[s].fit {
				c.fits[s] = cueFit{fit, at}
			}
		}
	}
	other := func(at int) bool {
		return slices.ContainsFunc(cs, func(o condition) bool { return o.from <= at && at < o.to && o.isSure() })
	}
	for at := c.from; at < c.to; at++ {
		if !q.Words[at].Stop && !q.Words[at].ByMeaning { // a name is near in meaning to the like of it
			hear(at, 0.6)
		}
	}
	near, said := 1.0, false // in a list of names, what comes after it is of all
	for at := c.to; at < len(q.Words) && near > 0.4; at++ {
		switch {
		case other(at) && said, r.commaBefore(at) && !other(at) && said:
			near = 0
		case other(at):
			if !other(at - 1) {
				near *= 0.85
			}
		default:
			hear(at, near*0.95)
			if !q.Words[at].Stop {
				near *= 0.85
				said = true
			}
		}
	}
	near = 1.0
	for at := c.from - 1; at >= 0 && near > 0.3; at-- {
		switch {
		case other(at):
			if !other(at + 1) {
				near *= 0.9
			}
		default:
			hear(at, near)
			if !q.Words[at].Stop {
				near *= 0.85
			}
		}
	}
}

// commaBefore reports whether a comma or the like stands before word i.
func (r *reader) commaBefore(i int) bool {
	return i > 0 && r.Words[i-1].End <= r.Words[i].Start && strings.ContainsAny(r.Source[r.Words[i-1].End:r.Words[i].Start], ",;:")
}

// gain is what meeting a condition by a step is worth.
func (c *condition) gain(alt int, steps [2]schema.Step) float64 {
	fit := c.fits[steps[0]].fit
	if steps[1] != noStep {
		fit = max(fit, c.fits[steps[1]].fit) * 0.95
	}
	return c.alts[alt].worth * (0.7 + 0.6*fit)
}

// cover is a candidate with how it meets the conditions.
type cover struct {
	candidate kg.EntityID
	meetings  []meeting // by condition, ascending
	kind      float64   // how well it fits what is asked for
	score     float64
}

// covers returns what is joined to at least two of the conditions, best first.
func (r *reader) covers(ctx context.Context, q *question, cs []condition) []cover {
	met, open := r.meetings(ctx, cs)
	var out []cover
	for len(met) > 0 {
		n := 1
		for n < len(met) && met[n].candidate == met[0].candidate {
			n++
		}
		if c := r.cover(cs, met[:n]); !r.isNamed(cs, c.candidate) {
			out = append(out, c)
		}
		met = met[n:]
	}
	better := func(a, b cover) int {
		return cmp.Or(byScore(a.score, b.score), cmp.Compare(a.candidate, b.candidate))
	}
	slices.SortStableFunc(out, better)
	out = out[:min(len(out), coverCandidates)]
	for i := range out {
		r.lookUp(cs, open, &out[i])
		out[i].kind = r.kindFit(q, out[i].candidate)
		if q.asked >= 0 && out[i].meetsAt(cs, q.asked) {
			out[i].kind += askedName
		}
		out[i].score += kindCounts*out[i].kind + out[i].counted(cs) - chance*(1-r.p.rare(out[i].candidate))
	}
	out = slices.DeleteFunc(out, func(c cover) bool { return len(c.meetings) < 2 })
	slices.SortStableFunc(out, better)
	return out
}

// cover keeps the best of the meetings of each condition.
func (r *reader) cover(cs []condition, met []meeting) cover {
	out := cover{candidate: met[0].candidate}
	for _, m := range met {
		e := cs[m.condition].alts[m.alt].entity
		if i := slices.IndexFunc(out.meetings, func(o meeting) bool {
			return o.condition == m.condition || cs[o.condition].alts[o.alt].entity == e
		}); i >= 0 { // a word said twice is one condition
			if o := &out.meetings[i]; o.condition == m.condition && o.alt == m.alt {
				o.ways += m.ways
			}
			continue
		}
		out.meetings = append(out.meetings, m)
		out.score += m.gain
	}
	return out
}

// counted is what a cover gains by how many conditions it meets, the sure ones and those met
// in several ways more: who describes a thing by its triples says more often what several
// of them say.
func (c *cover) counted(cs []condition) (sum float64) {
	for _, m := range c.meetings {
		sum += oneMore + severalWays*math.Log(float64(m.ways))
		if cs[m.condition].isSure() {
			sum += oneSure
		}
	}
	return sum
}

// isNamed reports whether a candidate is what the question surely names itself.
func (r *reader) isNamed(cs []condition, e kg.EntityID) bool {
	return slices.ContainsFunc(cs, func(c condition) bool {
		return slices.ContainsFunc(c.alts, func(a alternative) bool { return a.entity == e && a.name.Strength >= words.SureStrength })
	})
}

// altRef is an alternative by its place.
type altRef struct{ condition, alt int }

// meetings returns how the neighbours of the names meet the conditions, by
// candidate, condition and falling gain; and the alternatives that have too many
// neighbours to be looked at.
func (r *reader) meetings(ctx context.Context, cs []condition) (met []meeting, open []altRef) {
	var alts []altRef
	for i := range cs {
		for j := range cs[i].alts {
			alts = append(alts, altRef{i, j})
		}
	}
	degree := func(a altRef) int { return r.p.g.Degree(cs[a.condition].alts[a.alt].entity) }
	slices.SortStableFunc(alts, func(a, b altRef) int { return cmp.Compare(degree(a), degree(b)) })
	left := coverBudget
	for i, a := range alts {
		if left -= degree(a); left < 0 || ctx.Err() != nil {
			open = alts[i:]
			break
		}
		met = r.neighbours(cs, a, &left, met)
	}
	slices.SortFunc(met, func(a, b meeting) int {
		return cmp.Or(cmp.Compare(a.candidate, b.candidate), cmp.Compare(a.condition, b.condition),
			cmp.Compare(b.gain, a.gain), cmp.Compare(a.alt, b.alt), slices.Compare(a.steps[:], b.steps[:]))
	})
	return met, open
}

// neighbours appends the meetings of what an alternative is joined to.
func (r *reader) neighbours(cs []condition, a altRef, left *int, to []meeting) []meeting {
	c := &cs[a.condition]
	e := c.alts[a.alt].entity
	for in, edge := range r.p.steps(e) {
		if !r.p.schema.IsMediator(in.To()) {
			steps := [2]schema.Step{in, noStep}
			to = append(to, meeting{edge.Entity, a.condition, a.alt, steps, c.gain(a.alt, steps), 1})
			continue
		}
		if *left -= r.p.g.Degree(edge.Entity); *left < 0 {
			return to
		}
		for out, far := range r.p.steps(edge.Entity) {
			if far.Entity != e && !r.p.schema.IsMediator(out.To()) {
				steps := [2]schema.Step{in, out}
				to = append(to, meeting{far.Entity, a.condition, a.alt, steps, c.gain(a.alt, steps), 1})
			}
		}
	}
	return to
}

// steps walks the edges of an entity as steps from it.
func (p *Planner) steps(e kg.EntityID) func(yield func(schema.Step, kg.Edge) bool) {
	return func(yield func(schema.Step, kg.Edge) bool) {
		for _, edge := range p.g.Out(e) {
			if s := p.schema.Canonical(schema.Forward(edge.Relation)); !yield(s, edge) {
				return
			}
		}
		for _, edge := range p.g.In(e) {
			if s := p.schema.Canonical(schema.Forward(edge.Relation).Back()); !yield(s, edge) {
				return
			}
		}
	}
}

// lookUp adds to a cover how its candidate meets the alternatives that were too
// large to be looked at.
func (r *reader) lookUp(cs []condition, open []altRef, c *cover) {
	if len(open) == 0 {
		return
	}
	at := map[kg.EntityID][]altRef{}
	for _, a := range open {
		e := cs[a.condition].alts[a.alt].entity
		at[e] = append(at[e], a)
	}
	met := slices.Clone(c.meetings)
	left := coverEdges
	for s, edge := range r.p.steps(c.candidate) {
		if left--; left < 0 {
			break
		}
		for _, a := range at[edge.Entity] {
			steps := [2]schema.Step{r.p.schema.Back(s), noStep}
			met = append(met, meeting{c.candidate, a.condition, a.alt, steps, cs[a.condition].gain(a.alt, steps), 1})
		}
	}
	slices.SortStableFunc(met, func(a, b meeting) int {
		return cmp.Or(cmp.Compare(a.condition, b.condition), cmp.Compare(b.gain, a.gain),
			cmp.Compare(a.alt, b.alt), slices.Compare(a.steps[:], b.steps[:]))
	})
	*c = r.cover(cs, met)
}
