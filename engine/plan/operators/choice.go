package operators

import (
	"cmp"
	"context"
	"fmt"
	"maps"
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

// Questions that offer a choice of named things: "Which is longer, the Rhine or the Moselle?"

var ofThem = lexicon.Phrases("of the two")

// choice is a question with the names that it offers.
type choice struct {
	names []int   // where the names begin
	word  string  // the words that offer them
	rest  *phrase // the question without them
	given int     // of a name of the same kind right before them, which may be offered too; -1 for none
}

// offered finds the names that a question offers: behind a comma or a colon, behind "which of", in
// front of either, between an auxiliary and what is asked of them, or at the end of what it begins. It is nil for none.
func (r *reader) offered(p *phrase) *choice {
	for _, from := range p.names(0, p.len()) {
		start := p.beforeThe(from-1) + 1
		before := p.beforeEither(start)
		of := p.says(before-1, "of", "between") && (before == 1 || before == 2 && p.says(0, "which", "who") || before == 3 && p.says(1, "one")) && before > 0
		first := before == 1 && p.is(0, auxiliary) || before == 0
		last := !first && p.is(0, auxiliary) && p.hasName(1, before) // "is X in A or B"
		if !of && !first && !last && !p.isParted(before) {
			continue
		}
		names, end := p.run(from, of)
		if len(names) < 2 || last && !p.isParted(before) && end < p.len() || end < p.len() && !of && !first && !p.isParted(end) || first && before == 0 && !p.isParted(end) {
			continue
		}
		c := &choice{names: names, word: p.text(from, end), given: -1}
		head := span(0, before)
		switch {
		case of:
			head = piece{}
			if end < p.len() && !p.is(end, questions) {
				head = text(p.asksFor(p.says(0, "who")))
			}
		case first:
			head = piece{}
			if !p.is(end, questions) {
				head = text("Which")
				if p.is(0, copulas) { // they say the time
					head = text("Which " + p.word(0).Lower)
				}
			}
		case last && end == p.len() && !p.isParted(before):
			c.rest = r.cut(p, text("What "+strings.ToLower(p.text(0, 1))), span(1, before))
			return c
		default:
			if k := p.lastName(0, before); k >= 0 && p.nameAt(k) == before && r.mayBeBeside(p, k, from) {
				c.given = k
			}
		}
		c.rest = r.cut(p, head, span(end, p.len()))
		if i, n := c.rest.find(ofThem); i >= 0 {
			c.rest, c.given = r.without(c.rest, i, i+n), -1
		}
		return c
	}
	return nil
}

// mayBeBeside reports whether the names at two words may stand in one list: they are of one type, or
// of one kind where the graph has no types.
func (r *reader) mayBeBeside(p *phrase, a, b int) bool {
	x, y := p.entitiesOf(a)[0], p.entitiesOf(b)[0]
	if g := r.voc.Graph(); len(g.Types(x)) > 0 && len(g.Types(y)) > 0 {
		return g.ShareType(x, y)
	}
	return r.areAlike(p, a, b)
}

// asksFor is the word that asks for things, or for persons.
func (p *phrase) asksFor(person bool) string {
	if person {
		return "Who"
	}
	return "Which"
}

// beforeEither is where "either" stands, where it is right before word i, or else i.
func (p *phrase) beforeEither(i int) int {
	if p.says(i-1, "either") {
		return i - 1
	}
	return i
}

// isParted reports whether a sign parts word i from the one before it.
func (p *phrase) isParted(i int) bool {
	return i > 0 && i < p.len() && strings.ContainsAny(p.Source[p.word(i-1).End:p.word(i).Start], ",:;–—(") || i == p.len()
}

// run returns the names of a list that begins at word i, "A, B or C", and the word after; with and,
// "A and B" is one. It is nil where nothing joins the last.
func (p *phrase) run(i int, and bool) (names []int, end int) {
	joined := false
	names, end = []int{i}, p.nameAt(i)
	for end < p.len() {
		next := end
		or := p.says(next, "or") || and && p.says(next, "and")
		if or {
			next++
		} else if !p.isParted(next) {
			break
		}
		if next = p.afterThe(next); p.nameAt(next) == 0 {
			break
		}
		names, end, joined = append(names, next), p.nameAt(next), joined || or
	}
	if !joined {
		return nil, end
	}
	return names, end
}

// chosen reads a question that offers a choice.
func (r *reader) chosen(ctx context.Context, p *phrase) (*part, error) {
	c := r.offered(p)
	if c == nil || c.rest.len() < 2 {
		return nil, nil
	}
	set := wording.Each(c.names, func(at int) kg.EntityID { return p.entitiesOf(at)[0] })
	got, err := r.bestOf(c, set)
	if got == nil && err == nil {
		if k := c.given; k >= 0 && p.noun(0, p.beforeThe(k-1)) >= 0 { // and not "which borders A, B or C"
			return nil, nil // "films with A, B or C": all of them are operands
		}
		got, err = r.thatOf(ctx, c, set)
	}
	if got == nil || err != nil {
		return nil, err
	}
	if c.given >= 0 {
		got.unsure(plan.Ambiguous, fmt.Sprintf("%s may also be one of the choices.", wording.Quote(p.text(c.given, p.nameAt(c.given)))))
	}
	p.doubtNames(got, c.names...)
	asked := &got.pat.Nodes[got.pat.Asked]
	asked.Within = slices.Compact(slices.Sorted(slices.Values(set)))
	if asked.Type == "" {
		asked.Type = r.typeOf(set)
	}
	var labels []string
	for k, at := range c.names {
		n := addNode(got.pat, p.known(at))
		kind := pattern.OrElse
		if k == 0 {
			kind = pattern.OneOf
		}
		got.pat.Branches = append(got.pat.Branches, pattern.Branch{Kind: kind, Filters: []pattern.Filter{{Node: got.pat.Asked, Op: pattern.Equal, Than: &n}}})
		labels = append(labels, r.voc.Graph().Label(set[k]))
	}
	got.text += ", of " + wording.Choice(labels)
	return got, nil
}

// typeOf is the type that all of some things have; "" for none.
func (r *reader) typeOf(set []kg.EntityID) string {
	g := r.voc.Graph()
	for _, t := range g.Types(set[0]) {
		if !slices.ContainsFunc(set, func(e kg.EntityID) bool { return !slices.Contains(g.Types(e), t) }) {
			return g.TypeLabel(t)
		}
	}
	return ""
}

// thatOf reads what is asked of the things of a choice: those that meet it.
func (r *reader) thatOf(ctx context.Context, c *choice, set []kg.EntityID) (*part, error) {
	got, err := r.read(ctx, c.rest, c.word)
	if err != nil {
		return nil, err
	}
	pat := got.pat
	if pat.Asked < 0 || pat.Task != pattern.Find || !pat.Nodes[pat.Asked].Variable || slices.ContainsFunc(pat.Branches, func(b pattern.Branch) bool { return b.Kind == pattern.OneOf }) {
		return nil, refuse(c.word, "what is asked about them is not a list.")
	}
	if !slices.ContainsFunc(set, func(e kg.EntityID) bool { return r.mayBe(pat, pat.Asked, e) }) {
		return nil, &refusal{fmt.Sprintf("%s of them was found: no reading of the question leads to %s.", map[bool]string{true: "Neither", false: "None"}[len(set) == 2], wording.Choice(r.labels(set)))}
	}
	got.pat = copied(pat)
	return got, nil
}

// bestOf reads what is compared of the things of a choice: a value of theirs, or how many they have
// of something. It is nil where nothing is.
func (r *reader) bestOf(c *choice, set []kg.EntityID) (*part, error) {
	p := c.rest
	m := r.extremeOf(p, set)
	if m == nil {
		return nil, nil
	}
	at, less := m.at, m.less
	word := p.word(at).Text
	got := &part{pat: &pattern.Pattern{Reuse: pattern.ReuseVariables, Nodes: []pattern.Node{{Text: "?which", Variable: true, Within: set}}}}
	if len(m.steps) > 0 || r.byOnlyDate(p, m, set) {
		r.bestBy(p, got, m, set)
		return got, nil
	}
	counted := p.noun(at+1, p.len())
	if k := p.relationNoun(at+1, p.len()); counted < 0 || k >= 0 && p.word(counted).Types == nil && k > counted {
		counted = k
	}
	if counted < 0 || len(r.voc.Lexicon().Comparisons(p.word(at).Lower)) > 0 && !p.says(at, "more", "less", "fewer") {
		return nil, refuse(word, fmt.Sprintf("%s have no such value.", wording.List(r.labels(set))))
	}
	between := slices.DeleteFunc(upTo(0, p.len()), func(i int) bool { return i == at || i == counted || p.isName(i) })
	j := r.joinsOf(p, -1, counted, between, true, func(st schema.Step) bool {
		return slices.ContainsFunc(set, func(e kg.EntityID) bool {
			return slices.Contains(r.voc.Slots(e), st.From()) && !slices.ContainsFunc(set, func(o kg.EntityID) bool {
				return !slices.Contains(r.voc.Slots(o), st.From()) && !r.voc.Graph().ShareType(e, o)
			})
		})
	})
	if j == nil {
		return nil, refuse(word, fmt.Sprintf("no relation in this graph connects them to %s.", wording.Quote(p.word(counted).Text)))
	}
	if p.hasName(0, p.len()) {
		return nil, refuse(word, "what is counted is too complex for a choice to compare.")
	}
	of, _ := r.narrowed(p, counted, j.step, word)
	more, node := r.follow(got.pat, 0, j, of, variableName(p.word(counted)))
	r.genderedEnd(got, more, node, p.word(counted), j)
	add(got.pat, more)
	got.pat.Measure = &pattern.Measure{Func: pattern.CountOf, Node: node, Of: -1, Per: 0, Every: true}
	got.pat.Order = &pattern.Order{Node: pattern.Measured, Descending: !less, Limit: 1}
	r.doubtJoint(p, got, j, between)
	got.text = fmt.Sprintf("the one with the %s %s", rankText(!less, 1, 0, "most", "fewest"), r.voc.Arrow(j.step))
	return got, nil
}

// bestBy orders the things of a choice by a value.
func (r *reader) bestBy(p *phrase, got *part, m *extreme, set []kg.EntityID) {
	g := r.voc.Graph()
	best, rival, _ := bestStep(m.steps, func(schema.Step) bool { return true })
	more, value := r.extend(got.pat, 0, best, nil, "value")
	add(got.pat, more)
	m.less = m.less != r.turnsTime(p, got, m.at, best)
	got.pat.Order = &pattern.Order{Node: value, Descending: !m.less, Limit: 1}
	name := g.RelationText(best.Relation())
	got.text = fmt.Sprintf("the one with the %s %s", rankText(!m.less, 1, 0, "largest", "smallest"), name)
	without := slices.DeleteFunc(slices.Clone(set), func(e kg.EntityID) bool { return r.hasValue(e, best) })
	if len(without) > 0 {
		got.unsure(plan.Unsure, fmt.Sprintf("The graph has no %s of %s, so it was not compared.", wording.Quote(name), wording.List(r.labels(without))))
	}
	if m.lacks != "" {
		got.unsure(plan.Unsure, m.lacks)
	}
	r.doubtSize(p, got, m.steps, p.word(m.at).Text, best)
	if rival {
		got.unsure(plan.Unsure, unclearValue)
	}
	for i := range p.len() {
		w := p.word(i)
		switch {
		case i == m.at, w.Mention < 0 && (w.Stop || w.Silent || auxiliary[w.Lower] || fillers[w.Lower] || light[w.Lower] || questions[w.Lower] || moreWords[w.Lower] || lessWords[w.Lower] || w.Lower == "one"),
			w.Weight[best] > 0, w.Mention < 0 && w.IsNamedKind() && r.namesAll(p, i, set):
			continue
		}
		got.unused = append(got.unused, w.Text)
		got.unsure(plan.Unsure, fmt.Sprintf("The reading ignores %s.", wording.Quote(w.Text)))
	}
}

// namesAll reports whether a noun names the kind of all things of a choice.
func (r *reader) namesAll(p *phrase, i int, set []kg.EntityID) bool {
	return !slices.ContainsFunc(set, func(e kg.EntityID) bool { return !p.NamesEntity(p.word(i), e, r.voc.Slots(e)) })
}

func (r *reader) labels(set []kg.EntityID) []string {
	return wording.Each(set, r.voc.Graph().Label)
}

// hasValue reports whether a thing has a number or a date along a step.
func (r *reader) hasValue(e kg.EntityID, st schema.Step) bool {
	return slices.ContainsFunc(r.voc.Schema().Edges(e, st), func(x kg.Edge) bool { _, ok := r.voc.Graph().Value(x.Entity); return ok })
}

// extreme is the word by which the things of a choice are compared.
type extreme struct {
	at    int
	steps map[schema.Step]float64 // the values that it may compare; empty where they are counted
	less  bool                    // the least is meant
	lacks string                  // why another value is not compared
}

// extremeOf finds by what the things of a choice are compared: by a value that all have, or else
// one that some have. It is nil for nothing.
func (r *reader) extremeOf(p *phrase, set []kg.EntityID) *extreme {
	some := r.extremeAt(p, func(st schema.Step) bool {
		return slices.ContainsFunc(set, func(e kg.EntityID) bool { return r.hasValue(e, st) })
	})
	if some == nil || len(some.steps) == 0 {
		return some
	}
	every := r.extremeAt(p, func(st schema.Step) bool {
		return !slices.ContainsFunc(set, func(e kg.EntityID) bool { return !r.hasValue(e, st) })
	})
	if every == nil || len(every.steps) == 0 {
		return some
	}
	first := slices.MinFunc(slices.Sorted(maps.Keys(some.steps)), func(a, b schema.Step) int { return cmp.Compare(some.steps[b], some.steps[a]) })
	if every.steps[first] == 0 {
		without := slices.DeleteFunc(slices.Clone(set), func(e kg.EntityID) bool { return r.hasValue(e, first) })
		every.lacks = fmt.Sprintf("The graph has no %s of %s, so another value was compared.", wording.Quote(r.voc.Graph().RelationText(first.Relation())), wording.List(r.labels(without)))
	}
	return every
}

// extremeAt is extremeOf for the values that may be. A word in front of "than" or beside a number
// compares with something else.
func (r *reader) extremeAt(p *phrase, has func(schema.Step) bool) *extreme {
	if slices.ContainsFunc(upTo(0, p.len()), func(i int) bool { _, _, to := p.threshold(i); return p.says(i, "than") || to > 0 }) {
		return nil
	}
	named := func(from, to int, dates bool) map[schema.Step]float64 {
		steps := map[schema.Step]float64{}
		for i := from; i < to; i++ {
			if p.isName(i) {
				continue
			}
			for st, weight := range p.word(i).Weight {
				if value := r.voc.Schema().Value(st.To()); !st.IsBack() && has(st) && (dates && value == schema.DateValue || !dates && value != schema.NoValue && weight >= words.StrongCue) {
					steps[st] = max(steps[st], weight)
				}
			}
		}
		return steps
	}
	for i := range p.len() {
		w := p.word(i).Lower
		compared := r.voc.Lexicon().Comparisons(w)
		n := max(1, p.match(i, most), p.match(i, fewest))
		up, down := p.is(i, moreWords) || p.match(i, most) > 0, p.is(i, lessWords) || p.match(i, fewest) > 0
		isAdjective := len(compared) > 0 && (strings.HasSuffix(w, "er") || lexicon.IsSuperlative(w) && !p.is(i, lastly))
		switch {
		case p.isName(i) || p.aside[i]:
		case p.is(i, lastly) || p.says(i, "earlier", "later", "sooner"):
			down = p.says(i, "first", "earliest", "earlier", "sooner")
			if steps := named(0, p.len(), true); len(steps) > 0 {
				return &extreme{at: i, steps: steps, less: down}
			}
			if steps, less := r.stepsBy(compared, has); len(steps) > 0 {
				return &extreme{at: i, steps: steps, less: less}
			}
		case isAdjective:
			of := named(0, p.len(), false)
			if steps, less := r.stepsBy(compared, func(st schema.Step) bool { return of[st] > 0 }); len(steps) > 0 {
				return &extreme{at: i, steps: steps, less: less} // "the larger population"
			}
			if len(of) > 0 && (up || down) { // "the higher price"
				return &extreme{at: i, steps: of, less: down}
			}
			steps, less := r.stepsBy(compared, has)
			return &extreme{at: i, steps: steps, less: less}
		case (up || down) && p.compares(i+n): // "more populous"
			steps, less := r.stepsBy(r.voc.Lexicon().Comparisons(p.word(i+n).Lower), has)
			return &extreme{at: i + n, steps: steps, less: less != down}
		case up || down: // "more people", "the most films"
			m := &extreme{at: i + n - 1, less: down}
			if r.isValue(p, i+n) && !r.asksAfter(p, i+n) {
				m.steps = named(i+n, r.last(p, i+n)+1, false)
			} else if i+n < p.len() && !p.isCounted(i+n) {
				m.steps = named(0, p.len(), false)
			}
			for k := 0; k < p.len() && len(m.steps) == 0; k++ { // "costs more", "more kilometres"
				m.steps = r.measuredBy(p, k)
				maps.DeleteFunc(m.steps, func(st schema.Step, _ float64) bool { return !has(st) })
			}
			return m
		}
	}
	return nil
}

// byOnlyDate lets an adjective of age compare the one date that things have, where no relation is
// called as the lexicon has it: "older" by "built in". It reports whether there is one.
func (r *reader) byOnlyDate(p *phrase, m *extreme, set []kg.EntityID) bool {
	steps, less := r.datesBy(r.voc.Lexicon().Comparisons(p.word(m.at).Lower), set, func(st schema.Step) bool {
		return slices.ContainsFunc(set, func(e kg.EntityID) bool { return r.hasValue(e, st) })
	})
	for st := range steps {
		m.steps, m.less, m.lacks = steps, less, r.takenFor(p.word(m.at).Text, st)
	}
	return len(steps) == 1
}
