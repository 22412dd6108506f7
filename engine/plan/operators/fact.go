package operators

import (
	"context"
	"fmt"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// What the statement of one fact says: when it was so, how long, how much of it.

var (
	dateNouns  = lexicon.Words("date nouns")
	beginnings = lexicon.Words("beginnings")
	endings    = lexicon.Words("endings")
	untils     = lexicon.Words("until when")
	sinces     = lexicon.Words("since when")
	howLong    = lexicon.Phrases("how long")
	pieces     = lexicon.Phrases("how many pieces of")
	counts     = lexicon.Words("count nouns")
	measures   = lexicon.Words("count nouns", "measures")
	amounts    = lexicon.Phrases("how much of")
)

// aspect is what is asked of a statement.
type aspect int

const (
	whenever aspect = iota // when it was so
	begins                 // since when
	ends                   // until when
	duration               // how long
	amount                 // the one number that it says
	named                  // a property that the question names
)

// factAsked is what a question asks of the statement of a fact.
type factAsked struct {
	of       aspect
	called   map[string]bool // words of which the name of an amount has one; nil for any
	from, to int             // the words that ask
	at       int             // the first of the words that name the property
	verb     int             // the word that names a date by its verb, "detected"; 0 for none
	fact     *phrase         // what must be so, as a claim
}

// factOf finds "When was X …", "Since when …", "How long did X …", "At what price does X …":
// what is asked of a statement, and the yes-or-no question behind it. It is nil where there
// is none.
func (r *reader) factOf(p *phrase) *factAsked {
	f := &factAsked{}
	i := 0
	if p.is(0, prepositions) || p.is(0, sinces) || p.is(0, untils) {
		i = 1
	}
	since, until := i > 0 && p.is(0, sinces), i > 0 && p.is(0, untils)
	wh := p.says(i, "which", "what")
	switch n := p.match(i, howLong); {
	case n > 0:
		f.of, f.to = duration, i+n
	case p.says(i, "when"):
		f.to = i + 1
		if p.is(f.to, untils) && p.says(f.to+1, "when") { // "from when to when"
			f.to, since = f.to+2, false
		}
	case wh && p.is(i+1, dateNouns) && p.is(i+2, auxiliary):
		f.to = i + 2
	case p.match(i, amounts) > 0:
		f.of, f.to = amount, i+p.match(i, amounts)-1
	case p.match(i, pieces) > 0:
		f.of, f.called, f.to = amount, counts, i+p.match(i, pieces)-1
	case wh || p.says(i, "how many") || p.says(i, "how much"):
		if f.at = i + 2; wh {
			f.at = i + 1
		}
		for p.says(f.at, "the") {
			f.at++
		}
		f.of = named
		for rel := range kg.RelationID(r.voc.Graph().Relations()) {
			if n, end := r.core.Property(p.Question, f.at, rel, false); n != "" {
				f.to = max(f.to, end)
			}
		}
		if f.to == 0 && !wh && r.saidFrom(p, f.at) > f.at { // "how much cocoa did X export"
			f.of, f.to = amount, f.at
		} else if f.to == 0 && !wh && p.nameAt(f.at) > 0 { // "how much acetone did X use"
			f.of, f.called, f.to = amount, amountsOf(p, i), f.at
		} else if w := p.word(min(f.at, p.len()-1)); f.to == 0 && !wh && lexicon.IsPlural(w.Lower) && !w.IsCue() && !w.IsNamedKind() { // what the graph has no word for
			f.of, f.called, f.to = amount, amountsOf(p, i), f.at+1
		}
	}
	if f.to == 0 {
		return nil
	}
	if f.of == whenever {
		f.of = map[bool]aspect{since: begins, until: ends}[true]
	}
	if f.of == whenever && p.says(f.to, "did") {
		f.of = p.event(f.to)
	}
	if f.of == whenever && p.is(f.to, copulas) {
		f.verb = max(0, slices.IndexFunc(upTo(0, p.len()), func(k int) bool { return k > f.to && p.word(k).IsPast() && !p.isName(k) }))
	}
	f.fact = r.factPhrase(p, f)
	if f.fact == nil {
		return nil
	}
	return f
}

// amountsOf are the words of which the name of a number has one that "how many" or "how much", at word i, asks for.
func amountsOf(p *phrase, i int) map[string]bool {
	if p.says(i, "how many") {
		return counts
	}
	return measures
}

// event returns what the verb of "When did X acquire Y?" asks for: since when, until when, or when.
func (p *phrase) event(from int) aspect {
	for i := from; i < p.len(); i++ {
		if p.isName(i) {
			continue
		}
		switch starts, stops := lexicon.Event(p.word(i).Lower); {
		case starts:
			return begins
		case stops:
			return ends
		}
	}
	return whenever
}

// factPhrase makes the claim behind a question: nil where its words have no such form.
func (r *reader) factPhrase(p *phrase, f *factAsked) *phrase {
	verb, end := f.to, p.len()
	var behind []piece
	switch at := p.afterThe(f.to + 1); {
	case p.says(f.to, "of") && p.nameAt(at) > 0: // "What share of X does Y own?"
		verb = p.nameAt(at)
		behind = []piece{span(f.to+1, verb)}
	case p.says(f.to, "of") && r.saidFrom(p, at) > at: // "How many tons of cocoa did X export?"
		verb = r.saidFrom(p, at)
		behind = []piece{span(at, verb)}
	case f.to == f.at:
		if verb = p.nameAt(f.at); verb == 0 {
			verb = r.saidFrom(p, f.at)
		}
		behind = []piece{span(f.at, verb)}
	}
	if !p.is(verb, auxiliary) && !p.says(verb, "has", "have", "had") || verb+1 >= end {
		return nil
	}
	for f.of >= amount && p.is(end-1, prepositions) && len(behind) == 0 { // "What price does X supply Y at?"
		end--
	}
	head := []piece{span(verb, verb+1)}
	from := verb + 1
	if f.called != nil && p.is(verb, copulas) { // "how much acetone was used in X"
		if p.says(from, "there") {
			from++
		}
		return r.cut(p, append(append(head, behind...), span(from, end))...)
	}
	if at := p.afterThe(from); f.of <= duration && p.nameAt(at) > 0 {
		turn := p.nameAt(at)
		starts, stops := p.is(turn, beginnings), p.is(turn, endings)
		if (starts || stops) && turn+1 < end && f.of != duration {
			f.of = map[bool]aspect{starts: begins, stops: ends}[true]
			was := "Was"
			if turn++; p.says(turn, "as") {
				turn++
			} else if p.says(turn, "to") {
				was, turn = "Did", turn+1
			}
			return r.cut(p, text(was), span(from, p.nameAt(at)), span(turn, end))
		}
	}
	return r.cut(p, append(append(head, span(from, end)), behind...)...)
}

// saidFrom returns the word after those from i on that are a value which statements of a relation
// say beside an amount; i where none are.
func (r *reader) saidFrom(p *phrase, i int) int {
	for rel := range kg.RelationID(r.voc.Graph().Relations()) {
		if r.core.Amount(rel, nil) == "" {
			continue
		}
		if said := r.core.Said(p.Source, p.mentions, rel); said != nil {
			for i < p.len() && slices.Contains(said.Starts, p.word(i).Start) {
				i++
			}
			return i
		}
	}
	return i
}

// bySaid finds the one relation between the two names of a fact whose statements say what a question
// asks by its name, whatever its verb: "How many goals did X score for Y?", "When was X detected on
// Y?"; nil for none.
func (r *reader) bySaid(p *phrase, f *factAsked) *plan.Plan {
	names := f.fact.names(0, f.fact.len())
	if f.of == duration || f.of == amount && f.called == nil || len(names) != 2 {
		return nil
	}
	var out *plan.Plan
	for rel := range kg.RelationID(r.voc.Graph().Relations()) {
		if r.measureOf(p, f, rel) == nil {
			continue
		}
		for k := range names {
			a, b := f.fact.known(names[k]), f.fact.known(names[1-k])
			edge := r.voc.Edge(0, 1, schema.Forward(rel))
			if _, _, isSo := r.saysOf(&edge, []pattern.Node{a, b}, &pattern.Measure{}); !isSo {
				continue
			}
			if out != nil {
				return nil
			}
			pat := &pattern.Pattern{Task: pattern.Verify, Asked: -1, Reuse: pattern.ReuseAll, Nodes: []pattern.Node{a, b}, Edges: []pattern.Edge{edge}}
			relation := r.voc.Graph().RelationText(rel)
			out = &plan.Plan{
				Doubt: plan.Unsure, Reason: fmt.Sprintf("No word asks for %s, which has what is asked.", wording.Quote(relation)),
				Readings: []plan.Reading{{Pattern: pat, Text: a.Text + " " + r.voc.Arrow(schema.Forward(rel)) + " " + b.Text}},
			}
		}
	}
	return out
}

// saidOfFact reads a question for what the statement of a fact says.
func (r *reader) saidOfFact(ctx context.Context, p *phrase) (*part, error) {
	f := r.factOf(p)
	if f == nil {
		return nil, nil
	}
	read, err := r.core.Claim(ctx, f.fact.Source, f.fact.mentions)
	if err != nil {
		return nil, err
	}
	edge, m := -1, (*pattern.Measure)(nil)
	find := func() bool { // the one relation that says it
		if len(read.Readings) == 0 {
			return true
		}
		for i, e := range read.Readings[0].Pattern.Edges {
			for _, rel := range e.Fixed {
				if said := r.measureOf(p, f, rel); said != nil && (edge < 0 || edge == i) {
					edge, m = i, said
				} else if said != nil {
					return false
				}
			}
		}
		return true
	}
	if !find() {
		return nil, nil
	}
	if edge < 0 {
		if read = r.bySaid(p, f); read == nil || !find() {
			return nil, nil
		}
	}
	known := read.Readings[0].Pattern
	if edge < 0 || known.Task != pattern.Verify || known.Negated || len(known.Filters)+len(known.Branches) > 0 || slices.ContainsFunc(known.Nodes, func(n pattern.Node) bool { return n.Variable }) {
		return nil, nil
	}
	got := &part{pat: copied(known), doubt: read.Doubt, reason: read.Reason, text: read.Readings[0].Text}
	said, ended, isSo := r.saysOf(&known.Edges[edge], known.Nodes, m)
	word := p.text(f.from, f.to)
	switch {
	case !isSo && got.doubt != plan.Sure:
		return nil, nil
	case !isSo:
		return nil, refuse(word, fmt.Sprintf("this graph does not say this: %s.", wording.Quote(f.fact.Source)))
	case !said && m.To != "" && m.Func != pattern.Values:
		return nil, refuse(word, "the statement does not say when it began and ended.")
	case !said:
		return nil, refuse(word, "the graph says this is so, but its statement does not have that detail.")
	}
	if ended && f.fact.says(0, "is", "are", "does", "do") {
		got.unsure(plan.Unsure, words.TakenEver(r.voc.Graph().RelationText(known.Edges[edge].Fixed[0])))
	}
	got.pat.Task, got.pat.Asked = pattern.Find, known.Edges[edge].To
	m.Node, m.Edge = got.pat.Asked, edge
	got.pat.Measure = m
	what := r.voc.Graph().PropertyText(m.Property)
	earliest, _ := f.fact.find(firsts)
	latest, _ := f.fact.find(lasts)
	switch first, last := earliest >= 0, latest >= 0; {
	case first == last || f.of > ends:
	case m.To != "":
		got.unsure(plan.Unsure, "The reading does not tell the first from the last.")
	case first:
		m.Func, what = pattern.Least, "the first "+what
	default:
		m.Func, what = pattern.Most, "the last "+what
	}
	if m.To != "" {
		what += " and " + r.voc.Graph().PropertyText(m.To)
	}
	got.text += ", " + what
	return got, nil
}

// measureOf is what a question asks of the statements of a relation; nil where they do not say
// such a thing.
func (r *reader) measureOf(p *phrase, f *factAsked, rel kg.RelationID) *pattern.Measure {
	m := &pattern.Measure{Func: pattern.Values, Of: -1, Per: -1}
	first, last := r.core.When(rel)
	if stated, _ := r.core.Property(p.Question, f.verb, rel, true); f.verb > 0 && stated != "" {
		m.Property = stated
		return m
	}
	switch f.of {
	case amount:
		m.Property = r.core.Amount(rel, f.called)
	case named:
		name, end := r.core.Property(p.Question, f.at, rel, false)
		if end == f.to {
			m.Property = name
		}
	case whenever:
		m.Property, m.To = first, last
	case begins:
		m.Property = first
	case ends:
		m.Property = last
	case duration:
		if m.Func = pattern.Sum; last != "" {
			m.Property, m.To = first, last
		}
	}
	if m.Property == "" {
		return nil
	}
	return m
}

// saysOf reports whether the graph has a triple of an edge between known nodes, whether a
// statement of it says what is measured, and whether one says that it has ended.
func (r *reader) saysOf(e *pattern.Edge, nodes []pattern.Node, m *pattern.Measure) (said, ended, isSo bool) {
	g := r.voc.Graph()
	span := pattern.NewInterval(g, m.Property, m.To)
	test := pattern.NewTest(g, e.Conditions)
	whole := pattern.NewInterval(g, "", "")
	if len(e.Fixed) > 0 {
		_, last := r.core.When(e.Fixed[0])
		whole = pattern.NewInterval(g, "", last)
	}
	between := func(from, to kg.EntityID) {
		for _, rel := range e.Fixed {
			for _, x := range r.voc.Schema().Edges(from, schema.Forward(rel)) {
				if x.Entity != to {
					continue
				}
				isSo = true
				for s := range g.Statements(x.Triple) {
					_, end := whole.Ends(s)
					ended = ended || end.Name != ""
					first, last := span.Ends(s)
					both := first.Name != "" && last.Name != ""
					said = said || test.Says(s) && (both || (first.Name != "" || last.Name != "") && (m.To == "" || m.Func == pattern.Values))
				}
			}
		}
	}
	for _, a := range nodes[e.From].Entities {
		for _, b := range nodes[e.To].Entities {
			if between(a, b); e.Direction == pattern.Either {
				between(b, a)
			}
		}
	}
	return said, ended, isSo
}

// saysLong reports whether word i says how long something is, or how short.
func (r *reader) saysLong(p *phrase, i int) bool {
	cs := r.voc.Lexicon().Comparisons(p.word(i).Lower)
	return !p.isName(i) && len(cs) > 0 && r.voc.Lexicon().Concepts[cs[0].Concept].Name == "length"
}

// isTime reports whether a step leads to dates or years.
func (r *reader) isTime(st schema.Step) bool {
	return r.voc.Schema().Value(st.To()) == schema.DateValue || r.areYears(st)
}

// isSince reports whether a phrase asks for what is still so, or was until something: "has been a client".
func (p *phrase) isSince() bool {
	return slices.ContainsFunc(upTo(0, p.len()), func(k int) bool { return p.says(k, "has", "have", "had", "been") })
}

// turnsTime reports whether a word that says how long, word i, compares since when something is so, by a date or a
// year: who has been a client longer became one earlier. Where it may be meant otherwise, that is in doubt.
func (r *reader) turnsTime(p *phrase, got *part, i int, st schema.Step) bool {
	if !r.saysLong(p, i) || !r.isTime(st) {
		return false
	}
	isEnd := slices.ContainsFunc(r.voc.NameOf(st.Relation()), func(w string) bool { return endings[w] || untils[w] })
	if isEnd || !p.isSince() {
		got.unsure(plan.Unsure, r.takenFor(p.word(i).Text, st))
	}
	return !isEnd
}
