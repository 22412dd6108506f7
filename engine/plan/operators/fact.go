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
	paying     = lexicon.Words("paying")
	prices     = lexicon.Words("prices")
)

// aspect is what is asked of a statement.
type aspect int

const (
	whenever  aspect = iota // when it was so
	begins                  // since when
	ends                    // until when
	duration                // how long
	amount                  // the one number that it says
	named                   // a property that the question names
	anyStated               // what any words may name
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
	case wh && p.is(i+1, dateNouns) && (p.is(i+2, auxiliary) || p.says(i+2, "has", "have", "had")):
		f.to = i + 2
	case p.match(i, amounts) > 0:
		f.of, f.to = amount, i+p.match(i, amounts)-1
	case p.match(i, pieces) > 0:
		f.of, f.called, f.to = amount, counts, i+p.match(i, pieces)-1
	case wh || p.says(i, "how many", "how much", "how often"):
		if f.at = i + 2; wh || p.says(i, "how often") { // a share says how often something is so
			f.at = i + 1
		}
		f.at, f.of = p.afterThe(f.at), named
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
	saidOf := r.core.Said(p.Source, p.mentions)
	for rel := range kg.RelationID(r.voc.Graph().Relations()) {
		if r.core.Amount(rel, nil) == "" {
			continue
		}
		if said := saidOf(rel); said != nil {
			for i < p.len() && slices.Contains(said.Starts, p.word(i).Start) {
				i++
			}
			return i
		}
	}
	return i
}

// nearName is how near in meaning a word is to the name of what statements say that it may ask for.
const nearName = 0.35

// bySaid finds the one relation between the two things that a phrase names whose statements say what
// it asks, whatever its verb: "How many goals did X score for Y?", "dose of X for Y". It is sure where
// no word is left that may ask for another; nil for none.
func (r *reader) bySaid(p *phrase, f *factAsked) (*plan.Plan, *pattern.Measure) {
	names := slices.DeleteFunc(p.names(0, p.len()), func(i int) bool { return r.isLiteral(p, i) })
	if f.of == duration || len(names) != 2 || f.of == anyStated && !r.asksStated(p) {
		return nil, nil
	}
	s := r.voc.Schema()
	var best *plan.Plan
	var of *pattern.Measure
	score, rival := -1.0, false
	saidOf := r.core.Said(p.Source, p.mentions)
	for rel := range kg.RelationID(r.voc.Graph().Relations()) {
		st := schema.Forward(rel)
		if !slices.ContainsFunc(p.entitiesOf(names[0]), func(e kg.EntityID) bool { return len(s.Edges(e, st))+len(s.Edges(e, st.Back())) > 0 }) {
			continue
		}
		m, used, told := r.measureOf(p, f, rel), map[int]bool{}, true
		often := p.says(0, "how often") // which may count the statements
		if m == nil && !often {
			m, used, told = r.statedOf(p, f, rel)
		}
		if m == nil {
			continue
		}
		said := saidOf(rel)
		if said == nil {
			continue
		}
		cue, unheard := 0.0, ""
		called := r.voc.NameOf(rel)
		for i := range p.len() {
			if w := p.word(i); !p.isName(i) && !used[i] && i >= f.to && !slices.Contains(said.Starts, w.Start) {
				if slices.ContainsFunc(called, func(n string) bool { return !w.Stop && lexicon.Base(n) == lexicon.Base(w.Lower) }) {
					cue = max(cue, 1)
				} else if cue = max(cue, w.Weight[st], w.Weight[s.Back(st)]); r.isUnheard(p, i, st) && r.isUnheard(p, i, s.Back(st)) && !lightVerbs[w.Lower] && !moneys[w.Lower] && !paying[w.Lower] {
					unheard = w.Text
				}
			}
		}
		if often && cue == 0 {
			continue
		}
		verb := p.verb(f.to)
		if verb >= 0 && p.word(verb).Weight[st] == 0 && p.word(verb).Weight[s.Back(st)] == 0 {
			verb = -1
		}
		at := r.endsOf(p, &total{per: -1, property: 1}, rel, verb, map[int]bool{})
		for k, head := range names {
			if at == nil && k > 0 && s.JoinsSame(rel) && r.sameTypes(p.entitiesOf(names[0])[0], p.entitiesOf(names[1])[0]) || at != nil && at.name[0] >= 0 && at.name[0] != head {
				continue // words tell, or the order does, who did so to whom
			}
			a, b := p.known(head), p.known(names[1-k])
			edge := r.voc.Edge(0, 1, st)
			edge.Conditions = said.Conditions
			fits := cue
			if at != nil {
				fits++
			}
			if says, _, _ := r.saysOf(&edge, []pattern.Node{a, b}, m); !says || fits < score {
				continue
			}
			rival, score, of = fits == score, fits, m
			best = &plan.Plan{Readings: []plan.Reading{{
				Pattern: &pattern.Pattern{Task: pattern.Verify, Asked: -1, Reuse: pattern.ReuseAll, Nodes: []pattern.Node{a, b}, Edges: []pattern.Edge{edge}},
				Text:    a.Text + " " + r.voc.Arrow(st) + " " + b.Text + said.Text,
			}}}
			switch relation := wording.Quote(r.voc.Graph().RelationText(rel)); {
			case !told && cue == 0, unheard != "" && cue == 0:
				best.Doubt, best.Reason = plan.Unsure, fmt.Sprintf("No word asks for %s, which has what is asked.", relation)
			case unheard != "":
				best.Doubt, best.Reason = plan.Unsure, fmt.Sprintf("The reading ignores %s.", wording.Quote(unheard))
			case !told:
				best.Doubt, best.Reason = plan.Unsure, fmt.Sprintf("The reading takes this to ask for %s.", wording.Quote(r.voc.Graph().PropertyText(m.Property)))
			}
		}
	}
	if rival {
		return nil, nil
	}
	return best, of
}

// sameTypes reports whether two things may change places: they are of one type, or of none.
func (r *reader) sameTypes(a, b kg.EntityID) bool {
	g := r.voc.Graph()
	return len(g.Types(a)) == 0 || len(g.Types(b)) == 0 || g.ShareType(a, b)
}

// verb is the first word from i on that may be the verb of a question; −1 for none.
func (p *phrase) verb(i int) int {
	return slices.IndexFunc(upTo(0, p.len()), func(k int) bool {
		return k >= i && !p.isName(k) && (p.word(k).IsPast() || p.is(k-1, auxiliary) || p.isName(k-1)) && !p.word(k).Stop && !p.is(k, auxiliary)
	})
}

// asksStated reports whether a phrase may ask for what statements say of two things: it asks for no
// one, and for none of several.
func (r *reader) asksStated(p *phrase) bool {
	i := 0
	if p.is(0, prepositions) || p.is(0, sinces) || p.is(0, untils) {
		i = 1
	}
	how := p.says(i, "how") && !p.isName(i+1) && !p.is(i+1, auxiliary) && !p.says(i+1, "often")
	if !how && !p.says(i, "what", "which", "when") && (!p.isFragment() || p.is(0, asking)) {
		return false
	}
	return !slices.ContainsFunc(upTo(0, p.len()), func(k int) bool {
		return !p.isName(k) && (lexicon.IsSuperlative(p.word(k).Lower) || p.is(k, exclusions) || p.IsContractedNot(k) || p.match(k, firsts)+p.match(k, lasts)+p.match(k, onlys)+p.match(k, most)+p.match(k, fewest) > 0 || p.is(k, moreWords) || p.is(k, lessWords))
	})
}

// statedOf finds what statements of a relation say that words name, in full, in part or nearly, and
// whether what is asked is named so; nil for none.
func (r *reader) statedOf(p *phrase, f *factAsked, rel kg.RelationID) (m *pattern.Measure, used map[int]bool, told bool) {
	i := 0
	if p.is(0, prepositions) {
		i = 1
	}
	much := p.says(i, "how much") || slices.ContainsFunc(upTo(0, p.len()), func(k int) bool { return p.is(k, paying) })
	kind := schema.NoValue
	if f.of < amount {
		kind = schema.DateValue
	} else if p.says(i, "how") {
		kind = schema.NumberValue
	}
	stated := r.core.Stated(rel, kind)
	if len(stated) == 0 {
		return nil, nil, false
	}
	values := func(name string, from, to int) *pattern.Measure {
		used = map[int]bool{}
		for k := from; k < to; k++ {
			used[k] = true
		}
		return &pattern.Measure{Func: pattern.Values, Of: -1, Per: -1, Property: name}
	}
	best, near, at := "", 0.0, 0
	for k := range p.len() {
		w := p.word(k)
		if p.isName(k) {
			continue
		}
		if name, end := r.core.Property(p.Question, k, rel, false); slices.Contains(stated, name) {
			return values(name, k, end), used, p.begin(i, k) == k || p.says(k-2, "how")
		}
		if w.Stop || auxiliary[w.Lower] || p.says(i, "how many") && k != i+2 {
			continue
		}
		for _, name := range stated {
			text := r.voc.Graph().PropertyText(name)
			is, _ := r.voc.Nearness(w.Lower, []string{text})
			if slices.Contains(lexicon.Stems(text), w.Stem) {
				is = 1
			}
			if is > near {
				best, near, at = name, is, k
			}
		}
	}
	amount := r.core.Amount(rel, nil)
	if amount == "" {
		amount = r.core.Amount(rel, prices)
	}
	switch {
	case near >= nearName:
		return values(best, at, at+1), used, false
	case amount != "" && kind != schema.DateValue && (much || p.says(i, "how") && !p.says(i, "how many")):
		return values(amount, 0, 0), used, false
	}
	return nil, nil, false
}

// saidOfFact reads a question for what the statement of a fact says.
func (r *reader) saidOfFact(ctx context.Context, p *phrase) (*part, error) {
	f := r.factOf(p)
	if f == nil {
		return r.saidOfTwo(ctx, p, &factAsked{of: anyStated, fact: p}, false)
	}
	read, err := r.core.Claim(ctx, f.fact.Source, f.fact.mentions)
	if err != nil {
		return nil, err
	}
	edge, m := -1, (*pattern.Measure)(nil)
	if len(read.Readings) > 0 { // the one relation that says it
		for i, e := range read.Readings[0].Pattern.Edges {
			for _, rel := range e.Fixed {
				if said := r.measureOf(p, f, rel); said != nil && (edge < 0 || edge == i) {
					edge, m = i, said
				} else if said != nil {
					return nil, nil
				}
			}
		}
	}
	if got, err := r.saidOfOne(ctx, p, f); got != nil || err != nil {
		return got, err
	}
	if edge < 0 {
		return r.saidOfTwo(ctx, p, f, false)
	}
	return r.ofFact(p, f, read, edge, m)
}

// saidOfOne reads "When was X recaptured?", whatever X was recaptured by: nil where a word is left, and where the graph
// has a sure answer beside what its statements say.
func (r *reader) saidOfOne(ctx context.Context, p *phrase, f *factAsked) (*part, error) {
	names, verb := p.names(0, p.len()), p.len()-1
	if f.of > ends || len(names) != 1 || f.verb != verb || !p.is(f.to, copulas) && !p.says(f.to, "has", "have", "had") || p.afterThe(f.to+1) != names[0] || p.word(verb).ByMeaning {
		return nil, nil
	}
	if at := p.nameAt(names[0]); at != verb && (at+1 != verb || !p.says(at, "been")) {
		return nil, nil
	}
	e := p.entitiesOf(names[0])[0]
	var found []schema.Step
	for _, st := range r.voc.Schema().Steps() {
		if len(r.voc.Schema().Edges(e, st)) == 0 {
			continue
		}
		does, byTail := r.verbOf(st)
		name := r.voc.NameOf(st.Relation())
		byTail = byTail || len(name) == 2 && lexicon.IsParticiple(name[0]) && prepositions[name[1]] // what was "recaptured in" a net was recaptured
		if w := p.word(verb); (does == w.Stem || does == lexicon.Stem(lexicon.Base(w.Lower))) && st.IsBack() != byTail {
			found = append(found, st)
		}
	}
	if len(found) != 1 {
		return nil, nil
	}
	m := r.measureOf(p, f, found[0].Relation())
	if m == nil {
		return nil, nil
	}
	if other, err := r.core.Read(ctx, p.Source, p.mentions); err != nil || other.Doubt == plan.Sure && len(other.Readings) > 0 {
		return nil, err
	}
	got := &part{pat: &pattern.Pattern{Nodes: []pattern.Node{p.known(names[0])}, Reuse: pattern.ReuseAll}, text: p.known(names[0]).Text}
	more, end := r.extend(got.pat, 0, found[0], nil, "thing")
	add(got.pat, more)
	m.Node, m.Edge, got.pat.Asked, got.pat.Measure = end, 0, end, m
	got.text += " " + r.voc.Arrow(found[0]) + ", " + r.voc.Graph().PropertyText(m.Property)
	return got, nil
}

// saidNearly reads for what statements say where it is in doubt that they are meant.
func (r *reader) saidNearly(ctx context.Context, p *phrase) (*part, error) {
	f := r.factOf(p)
	if f == nil {
		f = &factAsked{of: anyStated, fact: p}
	}
	return r.saidOfTwo(ctx, p, f, true)
}

// saidOfTwo reads for what statements say that join two things, unless what is asked is surely something
// else.
func (r *reader) saidOfTwo(ctx context.Context, p *phrase, f *factAsked, doubted bool) (*part, error) {
	read, m := r.bySaid(p, f)
	if read == nil || (read.Doubt != plan.Sure) != doubted {
		return nil, nil
	}
	if other, err := r.core.Read(ctx, p.Source, p.mentions); err != nil || other.Doubt == plan.Sure && len(other.Readings) > 0 {
		return nil, err
	}
	return r.ofFact(p, f, read, 0, m)
}

// ofFact asks for what the statement of an edge of a claim says.
func (r *reader) ofFact(p *phrase, f *factAsked, read *plan.Plan, edge int, m *pattern.Measure) (*part, error) {
	known := read.Readings[0].Pattern
	if known.Task != pattern.Verify || known.Negated || len(known.Filters)+len(known.Branches) > 0 || slices.ContainsFunc(known.Nodes, func(n pattern.Node) bool { return n.Variable }) {
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
		if m.Property = last; last == "" && slices.ContainsFunc(r.voc.NameOf(rel), func(n string) bool { // what was "sold" in a year ended then
			_, stops := lexicon.Event(lexicon.Base(n))
			return stops
		}) {
			m.Property = first
		}
	case duration:
		if m.Func = pattern.Sum; last != "" {
			m.Property, m.To = first, last
		}
	case anyStated:
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
