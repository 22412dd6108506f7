package operators

import (
	"context"
	"fmt"
	"slices"
	"time"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// The order in time that statements say: the first director, the last two, the one before
// X, who was it the longest.

var (
	firsts    = lexicon.Phrases("first in time")
	lasts     = lexicon.Phrases("last in time")
	previous  = lexicon.Words("the one before")
	nexts     = lexicon.Words("the one after")
	longest   = lexicon.Phrases("the longest time")
	shortest  = lexicon.Phrases("the shortest time")
	precedes  = lexicon.Words("precede")
	succeeds  = lexicon.Words("succeed")
	current   = lexicon.Words("current")
	directly  = lexicon.Words("directly")
	intervene = lexicon.WordSet("the a")
)

// inOrder is a place in the order of what statements say.
type inOrder struct {
	word       string // that asks for it
	rest       *phrase
	descending bool
	limit      int
	skip       int
	lasting    bool // how long it was so, and not when
	former     bool // the one before that of now
	now        bool // what is so now
	beside     int  // the name before or after which something is; -1 for none
	before     bool
	next       bool // only the one next to it
	property   int  // the word that names what is ranked by: "at the lowest price"; -1 for time
}

// orderOf finds the words that ask for a place in time, and what is left without them; nil for
// none.
func (r *reader) orderOf(p *phrase) *inOrder {
	if o := r.successionOf(p); o != nil {
		return o
	}
	for i := 1; i < p.len(); i++ {
		o := &inOrder{limit: 1, beside: -1, property: -1}
		from := i
		n, skip := 0, 0
		if k, ok := p.ordinal(i); ok && k > 1 && p.match(i+1, firsts)+p.match(i+1, lasts) == 0 && !p.compares(i+1) {
			n, skip = 1, k-1
		}
		switch {
		case p.match(i, longest) > 0, p.match(i, shortest) > 0:
			n = max(p.match(i, longest), p.match(i, shortest))
			o.lasting, o.descending = true, p.match(i, longest) > 0
			if n == 1 && p.noun(i+1, min(i+2, p.len())) >= 0 { // the longest river
				continue
			}
			from = p.beforeThe(i-1) + 1
			if p.says(from-1, "for") {
				from--
			}
		case r.isRankedProperty(p, i):
			o.descending = !r.voc.Lexicon().Comparisons(p.word(i).Lower)[0].Less
			o.property, n = i+1, 2
			from = p.beforeThe(i-1) + 1
			if p.is(from-1, prepositions) {
				from--
			} else {
				n++ // "the highest dose of X"
			}
		case p.is(i, current):
			n, o.now = 1, true
		case n > 0:
			o.skip = skip
		case p.match(i, lasts) > 0:
			n, o.descending = p.match(i, lasts), true
		case p.match(i, firsts) > 0:
			n = p.match(i, firsts)
		case p.is(i, previous):
			n, o.descending, o.former, o.skip = 1, true, true, 1
		case p.says(i, "before", "after"):
			o.before = p.says(i, "before")
			if o.beside = p.afterThe(i + 1); p.nameAt(o.beside) == 0 || r.isLiteral(p, o.beside) {
				continue
			}
			to := p.nameAt(o.beside)
			if p.is(i-1, directly) {
				from, o.next = i-1, true
			}
			o.word, o.descending = p.text(from, to), o.before
			o.rest = r.placed(p, o, from, to)
			return o
		default:
			continue
		}
		to := i + n
		if k, ok := p.number(to); ok && k > 0 && !o.lasting && o.property < 0 {
			o.limit, to = k, to+1
		}
		o.word = p.text(from, to)
		o.rest = r.placed(p, o, from, to)
		return o
	}
	return nil
}

// isRankedProperty reports whether a superlative of what statements say begins at word i, behind
// a preposition or before a name: "at the lowest price", "the highest dose of X".
func (r *reader) isRankedProperty(p *phrase, i int) bool {
	w := p.word(i).Lower
	the := p.beforeThe(i - 1)
	ofName := p.says(i+2, "of") && p.nameAt(p.afterThe(i+3)) > 0
	return !p.isName(i) && lexicon.IsSuperlative(w) && len(r.voc.Lexicon().Comparisons(w)) > 0 && the < i-1 && i+1 < p.len() && r.isProperty(p, i+1) && (p.is(the, prepositions) || ofName)
}

// placed is a phrase without the words of its order: "Who was the first to win X" asks who
// wins X.
func (r *reader) placed(p *phrase, o *inOrder, from, to int) *phrase {
	if o.beside >= 0 { // "the next captain after X"
		for k := 1; k < from; k++ {
			if p.is(k, nexts) || p.match(k, lasts) == 1 && o.before || p.match(k, firsts) == 1 && !o.before {
				o.next = true
				return r.past(p, span(0, k), span(k+1, from), span(to, p.len()))
			}
		}
	}
	if begin := p.beforeThe(from-1) + 1; p.says(to, "to") && begin > 0 && p.is(begin-1, copulas) {
		return r.past(p, span(0, begin-1), span(to+1, p.len()))
	}
	if to == p.len() || p.is(to, prepositions) { // "received the longest", "received first"
		from = p.beforeThe(from-1) + 1
	}
	return r.past(p, span(0, from), span(to, p.len()))
}

// past asks in the past: what was first is asked of all times.
func (r *reader) past(p *phrase, pieces ...piece) *phrase {
	rest := r.cut(p, pieces...)
	if i := slices.IndexFunc(upTo(0, min(3, rest.len())), func(i int) bool { return rest.says(i, "is", "are") }); i > 0 {
		was := map[bool]string{true: "was", false: "were"}[rest.says(i, "is")]
		return r.cut(rest, span(0, i), text(was), span(i+1, rest.len()))
	}
	return rest
}

// successionOf reads "Who succeeded X as director of Y?" and "Who was the predecessor of X as
// director of Y?" as who was director of Y after X, and before; nil where nothing of the kind
// is asked, or the graph itself says who succeeds whom.
func (r *reader) successionOf(p *phrase) *inOrder {
	if verb := p.nameAt(p.afterThe(2)); p.says(0, "whom did", "who did") && verb > 0 && (p.says(verb, "precede") || p.is(verb, succeeds)) {
		as := map[bool]string{true: "succeeded", false: "preceded"}[p.says(verb, "precede")]
		return r.successionOf(r.cut(p, text("Who "+as), span(2, verb), span(verb+1, p.len())))
	}
	for i := 1; i < p.len(); i++ {
		if !p.is(i, precedes) && !p.is(i, succeeds) || p.word(i).AsksStrongly() {
			continue
		}
		at := i + 1
		if p.says(at, "of") {
			at++
		}
		at = p.afterThe(at)
		as := p.nameAt(at)
		if as == 0 || !p.says(as, "as") {
			continue
		}
		head := i
		for head > 1 && (p.is(head-1, intervene) || p.is(head-1, copulas)) {
			head--
		}
		o := &inOrder{word: p.text(i, i+1), limit: 1, property: -1, beside: at, next: true, before: p.is(i, precedes)}
		o.descending = o.before
		o.rest = r.cut(p, span(0, head), text("was"), span(as+1, p.len()))
		return o
	}
	return nil
}

// ordered reads a place in the order that statements say: the first, the last, the one before
// X. It is nil where the statements of what is asked for say no time.
func (r *reader) ordered(ctx context.Context, p *phrase) (*part, error) {
	o := r.orderOf(p)
	if o == nil || o.limit < 1 {
		return nil, nil
	}
	if o.property >= 0 {
		if got, err := r.rankedStated(ctx, p); got != nil || err != nil {
			return got, err
		}
	}
	got, err := r.read(ctx, o.rest, o.word)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil || !got.isPlainList() || got.pat.Task != pattern.Find {
		return nil, nil //nolint:nilerr // the words may be no operator
	}
	when := r.core.When
	if o.property >= 0 {
		when = func(rel kg.RelationID) (string, string) {
			name, _ := r.core.Property(p.Question, o.property, rel, true)
			return name, ""
		}
	}
	edge, first, last := r.timedEdge(got.pat, when)
	if edge < 0 || (o.lasting || o.now) && last == "" {
		return nil, nil
	}
	got.pat = copied(got.pat)
	if o.now {
		r.doubtDates(got, o, r.factsOf(got.pat, edge, first, last))
		return r.today(got, edge, first, last), nil
	}
	m := &pattern.Measure{Func: pattern.Least, Node: got.pat.Edges[edge].To, Of: -1, Property: first, Edge: edge, Per: got.pat.Asked}
	switch {
	case o.lasting:
		m.Func, m.To = pattern.Sum, last
	case o.descending:
		m.Func = pattern.Most
	}
	got.pat.Measure = m
	got.pat.Order = &pattern.Order{Node: pattern.Measured, Descending: o.descending, Limit: o.limit, Skip: o.skip}
	facts := r.factsOf(got.pat, edge, first, last)
	what := r.voc.Graph().PropertyText(first)
	if o.beside >= 0 {
		return r.besideOne(p, got, o, facts, last != "")
	}
	if o.lasting {
		what += " to " + r.voc.Graph().PropertyText(last)
	}
	got.text += ", those with the " + rankText(o.descending, o.limit, o.skip, "largest", "smallest") + " " + what
	r.doubtOrder(got, o, facts)
	return got, nil
}

// today asks for what is so on this day, as far as statements say: what has begun and not ended.
func (r *reader) today(got *part, edge int, first, last string) *part {
	e := &got.pat.Edges[edge]
	day := time.Now().Format(time.DateOnly)
	e.Conditions = append(slices.Clone(e.Conditions), pattern.Condition{Property: first, To: last, Op: pattern.Equal, Value: day})
	got.text += ", on " + day
	return got
}

// timedEdge returns the one edge of a pattern to what it asks for whose statements say when it
// was so, or what else is ranked by, and the properties that do; -1 for none.
func (r *reader) timedEdge(p *pattern.Pattern, when func(kg.RelationID) (string, string)) (edge int, first, last string) {
	edge = -1
	for i, e := range p.Edges {
		if e.From != p.Asked && e.To != p.Asked || e.Closure {
			continue
		}
		for _, rel := range e.Fixed {
			f, l := when(rel)
			switch {
			case f == "":
			case edge >= 0 && (edge != i || f != first):
				return -1, "", ""
			default:
				edge, first, last = i, f, l
			}
		}
	}
	return edge, first, last
}

// fact is one triple that a pattern may ask for, and when its statements say that it was so.
type fact struct {
	of          kg.EntityID // what is asked for
	begin, end  kg.Property // empty where they do not say so
	first, last kg.Extent
}

// mostFacts bounds the triples that are looked at for the order of their dates.
const mostFacts = 100_000

// factsOf returns what the statements of the triples say that an edge may be: those between
// the name at its other end, or anything there, and what may be asked for.
func (r *reader) factsOf(p *pattern.Pattern, edge int, first, last string) (facts []fact) {
	g, s, e := r.voc.Graph(), r.voc.Schema(), p.Edges[edge]
	other := e.From + e.To - p.Asked
	span := pattern.NewInterval(g, first, last)
	test := pattern.NewTest(g, e.Conditions)
	from := p.Nodes[other].Entities
	if p.Nodes[other].Variable {
		if from = p.Nodes[other].Within; from == nil {
			for x := range kg.EntityID(g.Entities()) {
				from = append(from, x)
			}
		}
	}
	within := p.Nodes[p.Asked].Within
	for _, x := range from {
		for _, rel := range e.Fixed {
			st := schema.Forward(rel)
			if e.From == p.Asked {
				st = st.Back()
			}
			for _, to := range s.Edges(x, st) {
				if _, is := slices.BinarySearch(within, to.Entity); within != nil && !is || len(facts) >= mostFacts {
					continue
				}
				silent := true
				for said := range g.Statements(to.Triple) {
					if !test.Says(said) {
						continue
					}
					f := fact{of: to.Entity}
					f.begin, f.end = span.Ends(said)
					f.first, _ = f.begin.Extent()
					f.last, _ = f.end.Extent()
					f.first, f.last = f.first.Dates(), f.last.Dates()
					facts, silent = append(facts, f), false
				}
				if silent && test == nil {
					facts = append(facts, fact{of: to.Entity})
				}
			}
		}
	}
	return facts
}

// doubtOrder notes what the dates leave open: things without one, and dates that may be the
// same.
func (r *reader) doubtOrder(got *part, o *inOrder, facts []fact) {
	if r.doubtDates(got, o, facts); o.lasting || o.property >= 0 {
		return
	}
	slices.SortFunc(facts, func(a, b fact) int { return compareExtents(a.first, b.first, o.descending) })
	for i := o.skip; i < min(o.skip+o.limit, len(facts)); i++ { // "2001" and "May 2001" have no order
		for _, j := range []int{i - 1, i + 1} {
			if j >= 0 && j < len(facts) && facts[i].first != facts[j].first && facts[i].first.Number < facts[j].first.Until && facts[j].first.Number < facts[i].first.Until {
				got.unsure(plan.Unsure, fmt.Sprintf("%s and %s are not precise enough to be put in order.", r.voc.Graph().PropertyValue(facts[i].begin), r.voc.Graph().PropertyValue(facts[j].begin)))
			}
		}
	}
	if o.former && len(facts) > 0 && facts[0].end.Name != "" {
		got.unsure(plan.Unsure, "The last of them has also ended, so it may be the one that is meant.")
	}
}

// doubtDates names the things whose statements do not say when it was so.
func (r *reader) doubtDates(got *part, o *inOrder, facts []fact) {
	var without []string
	for _, f := range facts {
		label := wording.Quote(wording.OneLine(r.voc.Graph().Label(f.of)))
		if (f.begin.Name == "" || o.lasting && f.end.Name == "") && !slices.Contains(without, label) {
			without = append(without, label)
		}
	}
	if len(without) > 0 {
		said := "no date"
		switch {
		case o.lasting:
			said = "no start or end"
		case o.property >= 0:
			said = "no such number"
		}
		got.unsure(plan.Unsure, fmt.Sprintf("The statement of %s has %s, so the order is uncertain.", wording.First(without, 3), said))
	}
}

// besideOne reads what comes before or after a name: what is next to it, where intervals
// follow on each other, or else all.
func (r *reader) besideOne(p *phrase, got *part, o *inOrder, facts []fact, spans bool) (*part, error) {
	g := r.voc.Graph()
	isIt := func(f fact) bool { return slices.Contains(p.entitiesOf(o.beside), f.of) }
	var its []fact
	for _, f := range facts {
		if isIt(f) {
			its = append(its, f)
		}
	}
	if len(its) == 0 {
		return nil, nil
	}
	slices.SortFunc(its, func(a, b fact) int { return compareExtents(a.first, b.first, !o.before) })
	it := its[0]
	if it.begin.Name == "" {
		return nil, refuse(o.word, fmt.Sprintf("the statement of %s does not say when it was so.", wording.Quote(g.Label(it.of))))
	}
	r.doubtDates(got, o, facts)
	if its[len(its)-1].first != it.first {
		got.unsure(plan.Ambiguous, fmt.Sprintf("This was so for %s several times; %s was used.", g.Label(it.of), g.PropertyValue(it.begin)))
	}
	var beyond []fact
	for _, f := range facts {
		switch {
		case f.begin.Name == "" || isIt(f):
		case f.first.Number < it.first.Until && it.first.Number < f.first.Until:
			got.unsure(plan.Unsure, fmt.Sprintf("As far as their statements say, %s and %s have the same time.", g.Label(it.of), g.Label(f.of)))
		case (f.first.Number < it.first.Number) == o.before:
			beyond = append(beyond, f)
		}
	}
	if len(beyond) == 0 {
		side := map[bool]string{true: "before", false: "after"}[o.before]
		return nil, refuse(o.word, fmt.Sprintf("no statement in this graph says that it was so %s %s.", side, g.PropertyValue(it.begin)))
	}
	slices.SortFunc(beyond, func(a, b fact) int { return compareExtents(a.first, b.first, o.before) })
	op := map[bool]pattern.Op{true: pattern.Less, false: pattern.Greater}[o.before]
	e := &got.pat.Edges[got.pat.Measure.Edge]
	e.Conditions = append(slices.Clone(e.Conditions), pattern.Condition{Property: got.pat.Measure.Property, Op: op, Value: g.PropertyValue(it.begin)})
	than := addNode(got.pat, p.known(o.beside))
	got.pat.Filters = append(got.pat.Filters, pattern.Filter{Node: got.pat.Asked, Op: pattern.Unequal, Than: &than})
	got.text += fmt.Sprintf(", %s %s (%s)", map[bool]string{true: "before", false: "after"}[o.before], g.Label(it.of), g.PropertyValue(it.begin))
	several := slices.ContainsFunc(beyond, func(f fact) bool { return f.of != beyond[0].of })
	noun := o.rest.noun(0, o.rest.len())
	plural := noun >= 0 && lexicon.IsPlural(o.rest.word(noun).Lower) || o.rest.says(1, "were")
	switch {
	case o.next || spans && !plural:
		got.text += ", the one next to it"
	default:
		got.pat.Measure, got.pat.Order = nil, nil
		if several && !plural {
			got.unsure(plan.Ambiguous, fmt.Sprintf("All of those %s it are included, not only the next one.", map[bool]string{true: "before", false: "after"}[o.before]))
		}
	}
	return got, nil
}

// compareExtents puts the earlier, or the later, first.
func compareExtents(a, b kg.Extent, descending bool) int {
	switch {
	case a.Number == b.Number:
		return 0
	case (a.Number < b.Number) != descending:
		return -1
	}
	return 1
}
