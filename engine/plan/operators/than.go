package operators

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// Comparisons with what a question names.

// comparedWith reads things whose value compares with that of a named one: "longer than
// the Rhine", "founded after X".
func (r *reader) comparedWith(ctx context.Context, p *phrase) (*part, error) {
	for i := 1; i < p.len(); i++ {
		if p.isName(i) {
			continue
		}
		at, that := p.afterThan(i)
		if p.nameAt(at) == 0 || r.isLiteral(p, at) {
			continue
		}
		c := r.comparison(p, i, at)
		if c == nil {
			continue
		}
		if k := c.from - 1; that { // "have a population larger than that of"
			for k > 0 && !p.isName(k) && len(r.valuesOf(p, []int{k}, nil)) == 0 {
				k--
			}
			if k > 0 && !p.isName(k) {
				c.steps, c.from = r.valuesOf(p, []int{k}, nil), k
			}
		}
		return r.compared(ctx, p, c, at)
	}
	if i, n := p.find(asMany); i >= 0 {
		return nil, refuse(p.text(i, i+n), "it is unclear what is compared with what.")
	}
	return nil, nil
}

// isLiteral reports whether the name at word at is but a value.
func (r *reader) isLiteral(p *phrase, at int) bool {
	text := p.Question.Mentions[p.word(at).Mention].Text
	if number, unit, _ := strings.Cut(text, " "); len(kg.UnitsOf(unit)) > 0 { // "500 euros"
		text = number
	}
	_, ok := kg.ParseValue(text)
	return ok
}

// comparison is how a value compares with that of a name.
type comparison struct {
	from  int // the first word of the comparison
	than  int // its last
	of    int // the first word of what is counted or measured: "people" in "more people than"
	op    pattern.Op
	times float64 // by how much the other is multiplied; 0 for 1
	more  bool    // "three times longer", which may mean four times as long
	years bool    // dates are compared by their years alone
	loose bool    // that the value is what its word means is not said
	steps map[schema.Step]float64
	// its are the steps to the date of the name, where a verb behind it says which: "after X died".
	// They are nil where it is the same as that of what is compared.
	its  map[schema.Step]float64
	end  int // the word after the comparison
	word string
}

var (
	lessWords = lexicon.Words("less")
	moreWords = lexicon.Words("more")
	asMany    = lexicon.Phrases("as many")
	theSame   = [][]string{{"the", "same"}}
)

// comparison reads the words before the name at word at: "longer than", "more people
// than", "released after", "as many films as", with "not" or "at least" before them.
func (r *reader) comparison(p *phrase, i, at int) *comparison {
	c := r.compares(p, i, at)
	if c == nil {
		return nil
	}
	before := func(word string) bool {
		is := p.says(c.from-1, word)
		if is {
			c.from--
		}
		return is
	}
	r.readTimes(p, c)
	switch n := c.from; {
	case before("not"), before("no"), before("t"):
		if c.op = (map[pattern.Op]pattern.Op{pattern.Less: pattern.AtLeast, pattern.Equal: pattern.Less, pattern.Greater: pattern.AtMost})[c.op]; c.op == pattern.Less && !p.says(n, "as") {
			return nil // not the same
		}
	case c.op == pattern.Equal && p.match(n-2, atLeast) == 2:
		c.from, c.op = n-2, pattern.AtLeast
	case c.op == pattern.Equal && p.match(n-2, atMost) == 2:
		c.from, c.op = n-2, pattern.AtMost
	case c.op == pattern.Equal && p.match(n-2, moreThan) == 2:
		c.from, c.op = n-2, pattern.Greater
	case c.op == pattern.Equal && p.match(n-2, fewerThan) == 2:
		c.from, c.op = n-2, pattern.Less
	case c.op == pattern.Equal && (before("exactly") || before("just") || before("precisely")):
	}
	c.word, c.than = p.text(c.from, i+1), i
	return c
}

// multiplied is the word after a number of times, and multiples are words for one.
var (
	multiplied = lexicon.Words("multiples")
	multiples  = map[string]float64{"twice": 2, "double": 2, "thrice": 3, "triple": 3, "half": 0.5}
)

// readTimes takes "twice", "half" and "three times" before a comparison into it.
func (r *reader) readTimes(p *phrase, c *comparison) {
	at := c.from
	n, ok := p.number(at - 2)
	switch {
	case p.is(at-1, multiplied) && ok && n > 0:
		c.times, c.from = float64(n), at-2
	case at > 0 && !p.isName(at-1) && multiples[p.word(at-1).Lower] > 0 && c.op == pattern.Equal:
		c.times, c.from = multiples[p.word(at-1).Lower], at-1
	}
	if c.times > 0 && c.op != pattern.Equal {
		if c.op == pattern.Less { // "three times shorter"
			c.times = 1 / c.times
		}
		c.op, c.more = pattern.Equal, true
	}
}

// doubtTimes notes that a number of times may be meant otherwise.
func (p *part) doubtTimes(c *comparison) {
	if c.more {
		p.unsure(plan.Unsure, fmt.Sprintf("%s was read as %s times as much.", wording.Quote(c.word), wording.Amount(c.times, "")))
	}
}

// compares is comparison without what stands before it.
func (r *reader) compares(p *phrase, i, at int) *comparison {
	g, s := r.voc.Graph(), r.voc.Schema()
	c := &comparison{from: i, steps: map[schema.Step]float64{}, end: p.nameAt(at)}
	has := func(st schema.Step) bool {
		return slices.ContainsFunc(p.entitiesOf(at), func(e kg.EntityID) bool {
			return slices.ContainsFunc(s.Edges(e, st), func(x kg.Edge) bool { _, ok := g.Value(x.Entity); return ok })
		})
	}
	switch w := p.word(i).Lower; w {
	case "as", "than":
		by := p.word(i - 1).Lower
		if w == "as" {
			by = lexicon.Comparative(by)
		}
		compared := r.voc.Lexicon().Comparisons(by)
		if w == "as" && !p.says(i-2, "as") {
			compared = nil
		}
		var less bool
		if c.steps, less = r.stepsBy(compared, has); len(c.steps) == 0 {
			c.steps, less = r.datesBy(compared, p.entitiesOf(at), has)
			c.loose = len(c.steps) > 0
		}
		c.from, c.op = i-1, pattern.Greater
		if less {
			c.op = pattern.Less
		}
		switch {
		case w == "as": // "as long as"
			c.from, c.op = i-2, pattern.Equal
		case len(c.steps) > 0 && p.says(i-2, "more"):
			c.from = i - 2
		case len(c.steps) > 0 && p.says(i-2, "less"): // "less populous than"
			c.from, c.op = i-2, map[bool]pattern.Op{true: pattern.Greater, false: pattern.Less}[less]
		}
		if steps, from := r.valueSubject(p, c.from, has); len(steps) > 0 && (len(compared) > 0 || w == "than" && (p.is(i-1, moreWords) || p.is(i-1, lessWords))) {
			c.steps, c.from = steps, from
			if p.is(i-1, lessWords) {
				c.op = pattern.Less
			}
			return c
		}
		if len(compared) > 0 && len(c.steps) > 0 {
			return c
		}
		// "more people than", "a larger population than"
		for j := i - 1; j > max(0, i-8); j-- {
			more, less := p.is(j, moreWords) && w == "than", p.is(j, lessWords) && w == "than"
			c.of = j + 1
			if n := max(p.match(j, asMany), p.match(j, theSame)); n > 0 && w == "as" && j+n < i {
				c.of, more = j+n, true
			}
			if !more && !less {
				continue
			}
			same := w == "as" && p.match(j, asMany) == 0
			if verb := p.beforePrepositions(j - 1); same && p.is(i-1, dateNouns) && verb > 0 && !p.isName(verb) && !p.word(verb).Stop {
				return r.atSameTime(p, c, verb, i-1, at)
			}
			for k := c.of; k < i; k++ {
				for st, weight := range r.measuredBy(p, k) {
					if has(st) {
						c.steps[st] = max(c.steps[st], weight)
					}
				}
			}
			for k := max(0, j-2); k < j && len(c.steps) == 0 && !same; k++ { // "employ more people than"
				for st, weight := range r.measuredBy(p, k) {
					if has(st) {
						c.steps[st] = max(c.steps[st], weight)
					}
				}
			}
			c.from = j
			if same { // "the same currency as" counts nothing
				if c.of = 0; len(c.steps) == 0 {
					return nil
				}
				for p.is(j-1, prepositions) && c.from > 1 && !p.isName(c.from-1) && !p.word(c.from-1).IsNamedKind() { // "published in the same year as"
					c.from--
					for st, weight := range p.word(c.from).Weight {
						if c.steps[st] > 0 {
							c.steps[st] += weight
						}
					}
				}
			}
			switch c.op = pattern.Greater; {
			case w == "as":
				c.op = pattern.Equal
			case less:
				c.op = pattern.Less
			}
			return c
		}
		return nil
	case "after", "before", "since":
		if verb := r.verbOfName(p, i, at); verb > 0 {
			c.end, c.its = verb+1, map[schema.Step]float64{}
			for st, weight := range r.valueSteps(p, verb) {
				if isDated(s.Value(st.To()), p, at, st, g, s) {
					c.its[st] = weight
				}
			}
		}
		for k := i - 1; k >= max(0, i-3); k-- {
			if p.isName(k) || p.word(k).Stop {
				continue
			}
			for st, weight := range p.word(k).Weight {
				if !st.IsBack() && (c.its != nil && s.Value(st.To()) == schema.DateValue || isDated(s.Value(st.To()), p, at, st, g, s)) {
					c.steps[st] = max(c.steps[st], weight)
				}
			}
			if len(c.steps) > 0 {
				c.from = k
				break
			}
		}
		c.op = map[string]pattern.Op{"after": pattern.Greater, "before": pattern.Less, "since": pattern.AtLeast}[w]
		if len(c.steps) == 0 {
			return nil
		}
		return c
	}
	op := pattern.Greater
	n := p.match(i, moreThan)
	if n == 0 {
		n, op = p.match(i, fewerThan), pattern.Less
	}
	if n == 1 && at > i+1 { // "exceeds that of", "is above the"
		if c.steps, c.from = r.valueSubject(p, i, has); len(c.steps) > 0 {
			c.op = op
			return c
		}
	}
	return nil
}

// verbOfName returns the verb behind the name at word at that says what happened to it, where what
// is compared with that has a verb of its own before word i: "born after X died". It is 0 where
// none does: of "films released after X won a prize", the films won it.
func (r *reader) verbOfName(p *phrase, i, at int) int {
	verb := p.nameAt(at)
	for p.is(verb, auxiliary) {
		verb++
	}
	if verb >= p.len() || p.isName(verb) || p.word(verb).Stop || !p.word(verb).IsPast() && !lexicon.IsParticiple(p.word(verb).Lower) {
		return 0
	}
	if end := p.trim(verb, p.len()); end > verb+1 && !p.says(verb+1, "and", "but", "or") && !slices.ContainsFunc(upTo(0, i), func(k int) bool { return p.is(k, auxiliary) }) {
		return 0
	}
	return verb
}

// bestStep returns the step of most weight among those that may be, and whether another one has as
// much; ok is false for none.
func bestStep(steps map[schema.Step]float64, may func(schema.Step) bool) (best schema.Step, rival, ok bool) {
	score := 0.0
	for st, weight := range steps {
		switch {
		case weight <= 0 || !may(st):
		case weight > score || weight == score && st < best:
			best, rival, score, ok = st, weight == score && ok, weight, true
		default:
			rival = rival || weight == score
		}
	}
	return best, rival, ok
}

// turn makes a comparison of how long one of when it began: "a client longer than X".
func (r *reader) turn(p *phrase, got *part, c *comparison, st schema.Step) {
	if r.turnsTime(p, got, c.than-1, st) {
		turned := map[pattern.Op]pattern.Op{pattern.Greater: pattern.Less, pattern.Less: pattern.Greater, pattern.AtLeast: pattern.AtMost, pattern.AtMost: pattern.AtLeast, pattern.Equal: pattern.Equal}
		c.op = turned[c.op]
	}
}

// itsValue joins the name at a node of what a part finds to the value that it is compared with: that of
// step st, or of the one that a verb of its own says.
func (r *reader) itsValue(p *phrase, got *part, c *comparison, name int, st schema.Step) (its schema.Step, other int, err error) {
	if its = st; c.its != nil {
		best, rival, ok := bestStep(c.its, func(st schema.Step) bool { return len(r.voc.Schema().Edges(got.pat.Nodes[name].Entities[0], st)) > 0 })
		if its = best; !ok {
			return 0, 0, refuse(p.text(c.end-1, c.end), fmt.Sprintf("the graph does not say when %s did.", wording.Quote(got.pat.Nodes[name].Text)))
		}
		if rival {
			got.unsure(plan.Unsure, unclearValue)
		}
	}
	more, other := r.extend(got.pat, name, its, nil, "value")
	add(got.pat, more)
	return its, other, nil
}

const unclearValue = "It is unclear which of several values to compare."

// atSameTime reads "born in the same year as": the verb says of which date, and the noun how much
// of it is compared. It is nil where the name has no such date.
func (r *reader) atSameTime(p *phrase, c *comparison, verb, noun, at int) *comparison {
	c.from, c.of, c.op, c.years = verb, 0, pattern.Equal, p.is(noun, yearNouns)
	if !c.years && !p.says(noun, "day", "date") {
		return nil
	}
	for st, weight := range r.valueSteps(p, verb) {
		if isDated(r.voc.Schema().Value(st.To()), p, at, st, r.voc.Graph(), r.voc.Schema()) && (c.years || !r.areYears(st)) {
			c.steps[st] = weight
		}
	}
	if len(c.steps) == 0 {
		return nil
	}
	return c
}

// filter compares the value at a node with that of another, which a name has along a step.
func (r *reader) filter(c *comparison, value, other int, name kg.EntityID, st schema.Step) pattern.Filter {
	f := pattern.Filter{Node: value, Op: c.op, Than: &other, Times: c.times}
	if !c.years {
		return f
	}
	g := r.voc.Graph()
	for _, x := range r.voc.Schema().Edges(name, st) {
		if v, ok := g.Value(x.Entity); ok && v.Kind == kg.DateValue { // with a bare year they compare by years anyway
			f.Than, f.Value = nil, math.Floor(v.Number)
			f.Told = fmt.Sprintf("the year of %s = %.0f", g.Label(x.Entity), f.Value)
			break
		}
	}
	return f
}

// valueSubject returns the steps to the value that the words before a comparison are about, and
// where they begin: "whose population is", "is the population"; none where they are about none.
func (r *reader) valueSubject(p *phrase, end int, has func(schema.Step) bool) (steps map[schema.Step]float64, from int) {
	k := end - 1
	for p.is(k, copulas) {
		k--
	}
	if k < 1 || p.isName(k) {
		return nil, 0
	}
	steps = map[schema.Step]float64{}
	for st, weight := range r.valueSteps(p, k) {
		if has(st) {
			steps[st] = weight
		}
	}
	from = k
	for from > 1 && !p.isName(from-1) && p.is(from-1, prepositions) && !p.isName(from-2) { // "number of employees"
		from -= 2
	}
	if from = p.beforeThe(from-1) + 1; p.says(from-1, "whose") {
		return steps, from - 1
	}
	if from == k || !slices.ContainsFunc(upTo(0, from), func(i int) bool { return p.is(i, copulas) }) { // a noun and its adjective
		return nil, 0
	}
	return steps, from
}

// loosely is the weight of a step to a value that tells how large a thing is by no word of a question.
const loosely = 1.0 / 128

// stepsBy returns the steps to values that a comparing adjective is about, and whether it means
// less of the first of them. One of size may loosely be about any number that tells a size.
func (r *reader) stepsBy(compared []lexicon.Comparison, has func(schema.Step) bool) (steps map[schema.Step]float64, less bool) {
	steps = map[schema.Step]float64{}
	for rank, x := range compared {
		name := r.voc.Lexicon().Concepts[x.Concept].Name
		for _, m := range r.voc.Mappings() {
			st := schema.Forward(m.Relation)
			if m.SameAs == m.Relation && r.voc.Schema().Value(st.To()) != schema.NoValue && slices.Contains(m.Concepts, name) && has(st) && steps[st] == 0 {
				steps[st] = 1 / (1 + 0.15*float64(rank))
				if len(steps) == 1 {
					less = x.Less
				}
			}
		}
	}
	for _, st := range r.voc.ByAmount(compared) {
		if has(st) && steps[st] == 0 {
			if steps[st] = loosely; len(steps) == 1 {
				less = compared[0].Less
			}
		}
	}
	return steps, less
}

// measuredBy returns the steps to values that word i asks for, and to amounts that such a word is for.
func (r *reader) measuredBy(p *phrase, i int) map[schema.Step]float64 {
	out := r.valueSteps(p, i)
	if i < 0 || i >= p.len() || p.isName(i) || p.word(i).Stop {
		return out
	}
	for _, m := range r.voc.Mappings() {
		st := schema.Forward(m.Relation)
		if m.SameAs == m.Relation && out[st] == 0 && r.voc.Schema().Value(st.To()) == schema.NumberValue && r.voc.IsAmount(p.word(i).Lower, m.Relation) {
			out[st] = loosely
		}
	}
	return out
}

// datesBy returns the steps to dates by which an adjective of age may compare, where the graph has
// none by its own words: "older", of things that opened on some day. Who joined something later is not younger
// where others of that kind have a year of birth.
func (r *reader) datesBy(compared []lexicon.Comparison, of []kg.EntityID, has func(schema.Step) bool) (steps map[schema.Step]float64, less bool) {
	own, _ := r.stepsBy(compared, func(st schema.Step) bool {
		return slices.ContainsFunc(of, func(e kg.EntityID) bool {
			return slices.ContainsFunc(r.voc.Graph().Types(e), func(t kg.TypeID) bool { return r.voc.Schema().Types(st.From())[t] > 0 })
		})
	})
	i := slices.IndexFunc(compared, func(x lexicon.Comparison) bool { return r.voc.Lexicon().Concepts[x.Concept].Answer == lexicon.Date })
	steps = map[schema.Step]float64{}
	if i < 0 || slices.ContainsFunc(slices.Collect(maps.Values(own)), func(weight float64) bool { return weight > loosely }) {
		return steps, false
	}
	for _, m := range r.voc.Mappings() {
		if st := schema.Forward(m.Relation); m.SameAs == m.Relation && r.voc.Schema().Value(st.To()) == schema.DateValue && has(st) {
			steps[st] = 1
		}
	}
	return steps, compared[i].Less
}

// takenFor says which value an adjective that names none is taken to compare.
func (r *reader) takenFor(word string, st schema.Step) string {
	return fmt.Sprintf("The reading takes %s to mean %s.", wording.Quote(word), wording.Quote(r.voc.Graph().RelationText(st.Relation())))
}

// doubtLoose notes that a comparison does not say which value it is about.
func (r *reader) doubtLoose(p *phrase, got *part, c *comparison, st schema.Step) {
	if c.loose {
		got.unsure(plan.Unsure, r.takenFor(c.word, st))
	}
	r.doubtSize(p, got, c.steps, c.word, st)
}

// doubtSize notes that an adjective alone says which value is compared, of steps that it may loosely mean: in "the
// longer half-life" a noun does.
func (r *reader) doubtSize(p *phrase, got *part, steps map[schema.Step]float64, word string, st schema.Step) {
	if steps[st] == loosely && !slices.ContainsFunc(upTo(0, p.len()), func(i int) bool { return r.valueSteps(p, i)[st] >= words.StrongCue }) {
		got.unsure(plan.Unsure, r.takenFor(word, st))
	}
}

// isDated reports whether a name has a date or a year along a step.
func isDated(kind schema.ValueKind, p *phrase, at int, st schema.Step, g *kg.Graph, s *schema.Schema) bool {
	return kind != schema.NoValue && slices.ContainsFunc(p.entitiesOf(at), func(e kg.EntityID) bool {
		return slices.ContainsFunc(s.Edges(e, st), func(x kg.Edge) bool {
			v, ok := g.Value(x.Entity)
			return ok && (v.Kind == kg.DateValue || schema.IsYear(g.Label(x.Entity)))
		})
	})
}

// compared applies a comparison with the name at word at.
func (r *reader) compared(ctx context.Context, p *phrase, c *comparison, at int) (*part, error) {
	end := p.trim(0, c.from)
	if q := r.people(p); q != p {
		return r.comparedWith(ctx, q)
	}
	anyone := end <= p.begin(0, end) && c.end == p.len() && len(c.steps) > 0 && p.says(0, "who")
	if end <= p.begin(0, end) && !anyone {
		return nil, refuse(c.word, "it is unclear what is compared.")
	}
	if len(c.steps) == 0 {
		if got, err := r.moreThanOf(ctx, p, c, at); got != nil || err != nil {
			return got, err
		}
	}
	var main *part
	var err error
	if anyone { // "Who has fewer pages than X?"
		main, err = r.subject(ctx, p, -1, end, c.word)
	} else {
		main, err = r.main(ctx, p, []piece{span(0, end), span(c.end, p.len())}, c.word)
	}
	if err != nil {
		return nil, err
	}
	noun := p.noun(0, end)
	best, rival, ok := bestStep(c.steps, func(st schema.Step) bool {
		return noun < 0 || r.mayHave(p, noun, st)
	})
	if !ok {
		return nil, refuse(c.word, fmt.Sprintf("%s has no such value, or what is compared with it has none.", wording.Quote(p.Question.Mentions[p.word(at).Mention].Text)))
	}
	if rival && c.steps[best] == loosely {
		return nil, refuse(c.word, fmt.Sprintf("%s may be meant, or another such value.", wording.Quote(r.voc.Graph().RelationText(best.Relation()))))
	}
	if anyone && !r.voc.IsAnswer(best.From(), lexicon.Person) {
		main.unsure(plan.Unsure, mayMiss)
	}
	r.turn(p, main, c, best)
	pat := main.pat
	if c.its != nil && len(pat.Edges) == 0 { // X, too, may have died after X was born
		pat.Reuse = pattern.ReuseAll
	}
	mine, value := r.extend(pat, pat.Asked, best, nil, "value")
	named := p.known(at)
	if c.its == nil {
		named.Entities = slices.DeleteFunc(p.entitiesOf(at), func(e kg.EntityID) bool { return len(r.voc.Schema().Edges(e, best)) == 0 })[:1]
	}
	name := addNode(pat, named)
	add(pat, mine)
	its, other, err := r.itsValue(p, main, c, name, best)
	if err != nil {
		return nil, err
	}
	pat.Filters = append(pat.Filters, r.filter(c, value, other, named.Entities[0], its))
	main.doubtTimes(c)
	r.doubtLoose(p, main, c, best)
	if rival {
		main.unsure(plan.Unsure, unclearValue)
	}
	main.text = fmt.Sprintf("%s, %s %s %s", main.text, r.voc.Graph().RelationText(best.Relation()), c.opWords(), r.thatValue(best, its, pat.Nodes[name].Entities[0]))
	return main, nil
}

// thatValue names in words the value that is compared with: of the same step, or of another one.
func (r *reader) thatValue(st, its schema.Step, name kg.EntityID) string {
	that := "that"
	if its != st {
		that = r.voc.Graph().RelationText(its.Relation())
	}
	return that + " of " + r.voc.Graph().Label(name)
}

// moreThanOf reads "directed more films than X": as many as X has of what is counted. It
// is nil where nothing is.
func (r *reader) moreThanOf(ctx context.Context, p *phrase, c *comparison, at int) (*part, error) {
	than := c.than
	if than <= c.of || c.of == 0 || !p.isCounted(c.of) || p.trim(p.nameAt(at), p.len()) > p.nameAt(at) {
		return nil, nil
	}
	end := p.trim(0, c.from)
	noun, headEnd := p.split(end)
	t, err := r.tallied(ctx, p, noun, headEnd, max(end, headEnd), c.of, than, c.word)
	if err != nil {
		return nil, err
	}
	if len(t.more.Branches) > 0 {
		return nil, refuse(c.word, "what is counted has its own operator.")
	}
	got := t.main
	name := addNode(got.pat, p.known(at))
	if c.op <= pattern.Equal && got.pat.Nodes[got.pat.Asked].Within == nil && len(got.pat.Edges) == 0 {
		got.pat.Edges = append(got.pat.Edges, r.anyOf(got.pat, t)) // of those that have any
	}
	got.pat.Branches = append(got.pat.Branches, pattern.Branch{Kind: pattern.Quantity, Edges: t.more.Edges, Filters: t.more.Filters, Node: t.node, Op: c.op, Than: &name, Times: c.times})
	got.doubtTimes(c)
	if c.op != pattern.Greater && c.op != pattern.Less && r.mayBe(got.pat, got.pat.Asked, got.pat.Nodes[name].Entities[0]) {
		got.pat.Filters = append(got.pat.Filters, pattern.Filter{Node: got.pat.Asked, Op: pattern.Unequal, Than: &name}) // it has as many as itself
	}
	got.text += fmt.Sprintf(", with %s %s", c.many(t.arrow), r.voc.Graph().Label(got.pat.Nodes[name].Entities[0]))
	p.doubtNames(got, at)
	p.counted(got)
	return got, nil
}

// opWords words how a value compares, before what it compares with.
func (c *comparison) opWords() string {
	if c.times > 0 {
		return c.op.Words() + " " + wording.Amount(c.times, "") + " times"
	}
	return c.op.Words()
}

// many words how many there are of something, before the name that they compare with.
func (c *comparison) many(what string) string {
	if c.times > 0 {
		return c.opWords() + " as many " + what + " as"
	}
	switch c.op {
	case pattern.Less:
		return "fewer " + what + " than"
	case pattern.AtMost, pattern.AtLeast:
		return c.op.Words() + " as many " + what + " as"
	case pattern.Equal:
		return "as many " + what + " as"
	case pattern.Greater, pattern.Unequal:
	}
	return "more " + what + " than"
}

// anyOf is the first edge of what is counted, to anything.
func (r *reader) anyOf(p *pattern.Pattern, t *tally) pattern.Edge {
	e := t.more.Edges[0]
	other := addNode(p, pattern.Node{Text: "?any", Variable: true})
	if e.From == t.node {
		e.From = other
	} else {
		e.To = other
	}
	return e
}
