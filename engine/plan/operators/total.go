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

// Numbers made of what statements say of one relation, whoever it joins: "How much did X give Y
// altogether?", "total fees paid to X", "average donation to X", "Who gave the most altogether?".

var (
	receiving  = lexicon.Words("receiving")
	lightVerbs = lexicon.Words("light verbs")
	moneys     = lexicon.Words("money")
	purposes   = lexicon.Phrases("what for")
)

// total is such a number as a phrase asks for it.
type total struct {
	f        pattern.Func
	text     string
	per      int  // the noun of groups; −1 for none
	from, to int  // words that rank: "the most"
	ranks    bool // it asks for whom the number is the largest or smallest
	less     bool
	list     bool // it asks for no number, but for whose statements say what the phrase does
	property int  // the first of the words that name what is asked of the statements; 0 for a number
	counted  int  // the noun of which it asks how many; 0 for none
	having   []pattern.Filter
	word     string // what having was read from
}

// sides are what a phrase says of the two ends of a relation: a name, or a noun that asks, at a word.
type sides struct {
	name, noun [2]int // by head and tail; −1 for none
	names      int
}

// totalOf reads a phrase without the words of the aggregate; nil where no relation, or more than one,
// has a number of which the phrase says all else.
func (r *reader) totalOf(p *phrase, t *total) *part {
	if slices.ContainsFunc(upTo(0, p.len()), func(i int) bool { return p.is(i, exclusions) || p.IsContractedNot(i) || p.match(i, onlys) > 0 }) {
		return nil
	}
	var best *part
	score, rival := 0.0, false
	saidOf := r.core.Said(p.Source, p.mentions)
	for rel := range kg.RelationID(r.voc.Graph().Relations()) {
		if !r.voc.Schema().IsKept(rel) {
			continue
		}
		got, fits := r.totalBy(p, t, rel, saidOf)
		switch {
		case got == nil:
		case fits > score:
			best, score, rival = got, fits, false
		case fits == score:
			rival = true
		}
	}
	if rival {
		return nil
	}
	return best
}

// totalBy is totalOf by one relation, and how well it fits.
func (r *reader) totalBy(p *phrase, t *total, rel kg.RelationID, saidOf func(kg.RelationID) *Said) (*part, float64) {
	property, used := "", map[int]bool{}
	for i := range p.len() {
		if t.property > 0 && i != t.property {
			continue
		}
		name, end := r.core.Property(p.Question, i, rel, t.property == 0)
		if name == "" || p.isName(i) || property != "" && name != property || paying[p.word(i).Lower] && !r.pays(p, i, rel) {
			continue
		}
		if r.isOwnValue(p, i, rel) {
			return nil, 0
		}
		property = name
		for k := i; k < end; k++ {
			used[k] = true
		}
		if !paying[p.word(i).Lower] { // "paid the highest fine" names it twice
			break
		}
	}
	score := 1.0
	if property == "" && t.property == 0 {
		if score = 0; t.counted > 0 {
			property = r.core.Amount(rel, counts)
		} else {
			property = r.core.Amount(rel, nil)
		}
	}
	if property == "" || t.counted > 0 && r.isOfEnd(p, t.counted, schema.Forward(rel)) {
		return nil, 0
	}
	said := saidOf(rel)
	if said == nil {
		return nil, 0
	}
	verb, cue := r.cuesOf(p, t, rel, said, used)
	if score+cue == 0 && verb < 0 || t.list && len(said.Conditions) == 0 {
		return nil, 0
	}
	at := r.endsOf(p, t, rel, verb, used)
	for i := range p.len() { // those of a range or a rank
		used[i] = used[i] || i >= t.from && i < t.to || i == t.per
	}
	if at == nil || slices.ContainsFunc(upTo(0, p.len()), func(i int) bool { return !used[i] && !p.isName(i) && !p.word(i).Silent }) {
		return nil, 0
	}
	got := r.totalPattern(p, t, rel, at, property, said)
	if got == nil {
		return nil, 0
	}
	return got, score + cue + 1
}

// isOwnValue reports whether word i names a value that the things have which a phrase has a noun for, so that it
// does not ask what statements of a relation say of them: an apartment has a rent, whatever its leases say.
func (r *reader) isOwnValue(p *phrase, i int, rel kg.RelationID) (own bool) {
	st := schema.Forward(rel)
	for j := range p.len() {
		noun := p.word(j)
		if j == i || p.isName(j) || !noun.IsNamedKind() {
			continue
		}
		has := false
		for s, weight := range p.word(i).Weight {
			has = has || weight >= words.StrongCue && !s.IsBack() && r.voc.Schema().Value(s.To()) != schema.NoValue && p.NamesSlot(noun, s.From())
		}
		if own = own || has; !has && (p.NamesSlot(noun, st.From()) || p.NamesSlot(noun, st.To())) {
			return false
		}
	}
	return own
}

// isOfEnd reports whether a noun is for the things at an end of a step, which are counted themselves.
func (r *reader) isOfEnd(p *phrase, noun int, st schema.Step) bool {
	return p.isName(noun) || len(p.word(noun).Types) > 0 || p.NamesSlot(p.word(noun), st.From()) || p.NamesSlot(p.word(noun), st.To())
}

// cuesOf returns the verb of a phrase, or else the noun, that may stand for a relation, and how well any
// word does; -1 for none. It notes the words that say no more than that.
func (r *reader) cuesOf(p *phrase, t *total, rel kg.RelationID, said *Said, used map[int]bool) (verb int, cue float64) {
	verb = -1
	st, noun := schema.Forward(rel), -1
	for i := range p.len() {
		w := p.word(i)
		base := lexicon.Base(w.Lower)
		asks := max(w.Weight[st], w.Weight[r.voc.Schema().Back(st)])
		if i == t.per { // each sponsor has sponsored
			cue = max(cue, asks)
		}
		if p.isName(i) || i == t.per || i >= t.from && i < t.to {
			continue
		}
		if slices.Contains(said.Starts, w.Start) || w.Stop || moneys[w.Lower] || light[w.Lower] || auxiliary[w.Lower] || fillers[w.Lower] || asking[w.Lower] || prepositions[w.Lower] {
			used[i] = true
			continue
		}
		isVerb := (t.counted == 0 || i != t.counted) && slices.ContainsFunc(r.voc.NameOf(rel), func(n string) bool { return !r.voc.Lexicon().IsStop(n) && lexicon.Base(n) == base })
		switch {
		case isVerb:
			asks = max(asks, 1)
		case receiving[base] || lightVerbs[base] || r.pays(p, i, rel):
			near, _ := r.voc.Nearness(base, []string{r.voc.Graph().RelationText(rel)})
			asks = max(asks, near)
			isVerb = true
		}
		switch {
		case isVerb && verb < 0:
			verb = i
		case noun < 0 && asks > 0:
			noun = i
		}
		if isVerb || asks > 0 {
			cue, used[i] = max(cue, asks), true
		}
	}
	if verb < 0 {
		verb = noun
	}
	return verb, cue
}

// pays reports whether word i is a verb for what a number is that statements of a relation say, "pays" for a fee, and
// no other relation is called so.
func (r *reader) pays(p *phrase, i int, rel kg.RelationID) bool {
	name, _ := r.core.Property(p.Question, i, rel, true)
	isOther := func(o int) bool {
		return kg.RelationID(o) != rel && slices.ContainsFunc(r.voc.NameOf(kg.RelationID(o)), func(w string) bool { return lexicon.Base(w) == lexicon.Base(p.word(i).Lower) })
	}
	return paying[p.word(i).Lower] && name != "" && !slices.ContainsFunc(upTo(0, r.voc.Graph().Relations()), isOther)
}

// endsOf says which end of a relation each name of a phrase is, and the noun that asks for one, by the
// prepositions and the verb; nil where that is unclear, or the graph has no such triple of the name.
func (r *reader) endsOf(p *phrase, t *total, rel kg.RelationID, verb int, used map[int]bool) *sides {
	s, st := r.voc.Schema(), schema.Forward(rel)
	name := r.voc.NameOf(rel)
	doer, other := 0, 1
	if of, byTail := lexicon.VerbOf(name); of != "" && byTail {
		doer, other = 1, 0
	}
	subject := doer
	if verb >= 0 && (receiving[lexicon.Base(p.word(verb).Lower)] || p.isPassive(verb)) {
		subject = other
	}
	at := &sides{name: [2]int{-1, -1}, noun: [2]int{-1, -1}}
	put := func(to *[2]int, end, i int) bool {
		if at.name[end] >= 0 || at.noun[end] >= 0 {
			return false
		}
		to[end] = i
		return true
	}
	has := func(i, end int) bool {
		return len(s.Edges(p.entitiesOf(i)[0], map[int]schema.Step{0: st, 1: st.Back()}[end])) > 0
	}
	may := func(i, end int) bool { return has(i, end) || s.JoinsSame(rel) && has(i, 1-end) } // it may have none
	for _, i := range p.names(0, p.len()) {
		if r.isLiteral(p, i) {
			continue
		}
		at.names++
		before, end := p.beforeThe(i-1), -1
		switch possessive := p.says(p.nameAt(i), lexicon.Possessive); {
		case p.says(before, "of") && p.is(p.nameAt(i), auxiliary) && p.nameAt(p.afterThe(p.nameAt(i)+1)) > 0: // "share of X does Y own"
			end = other
		case p.says(before, "by"), p.says(before, "from") && !slices.Contains(name, "from"):
			end = doer
		case possessive || p.says(before, "of"), t.property > 0 && p.says(before, "for", "in") && has(i, 0) != has(i, 1):
			if end = 0; has(i, 0) == has(i, 1) {
				return nil
			} else if has(i, 1) {
				end = 1
			}
		case p.says(before, "to", "for", "in") || len(name) > 0 && p.says(before, name[len(name)-1]):
			end = other
		case verb >= 0 && i < verb:
			end = subject
		case verb >= 0:
			end = other
		}
		if end < 0 || !may(i, end) || !put(&at.name, end, i) {
			return nil
		}
	}
	switch noun := p.noun(1, min(3, p.len())); {
	case t.property > 0:
	case p.says(0, "who") && !put(&at.noun, subject, 0):
		return nil
	case p.says(0, "which", "what") && noun > 0 && (!used[noun] || p.says(noun+1, "has", "have", "had")):
		if ends := [2]schema.Slot{st.From(), st.To()}; p.says(noun+1, "has", "have", "had") && !p.NamesSlot(p.word(noun), ends[subject]) {
			subject = 1 - subject // what has donations gave them, or got them
		}
		if used[noun] = true; !put(&at.noun, subject, noun) {
			return nil
		}
	}
	return at
}

// totalPattern is the pattern of a total; nil where a group is at neither end, or what is asked for
// is none of what the relation joins.
func (r *reader) totalPattern(p *phrase, t *total, rel kg.RelationID, at *sides, property string, said *Said) *part {
	g := r.voc.Graph()
	got := &part{pat: &pattern.Pattern{Reuse: pattern.ReuseVariables, Asked: -1}}
	m := &pattern.Measure{Func: t.f, Node: 1, Of: -1, Property: property, Per: -1}
	slots := [2]schema.Slot{schema.Forward(rel).From(), schema.Forward(rel).To()}
	for end := range 2 {
		n := pattern.Node{Text: []string{"?from", "?to"}[end], Variable: true}
		isPer := t.per >= 0 && p.NamesSlot(p.word(t.per), slots[end])
		switch noun := at.noun[end]; {
		case at.name[end] >= 0:
			n = p.known(at.name[end])
			p.doubtNames(got, at.name[end])
		case noun > 0 && !p.NamesSlot(p.word(noun), slots[end]):
			return nil
		case noun >= 0:
			n, m.Per = r.ofNoun(p, got, noun, schema.Step(slots[end]).Back()), end
		case isPer && m.Per < 0:
			n, m.Per = r.ofNoun(p, got, t.per, schema.Step(slots[end]).Back()), end
		}
		got.pat.Nodes = append(got.pat.Nodes, n)
	}
	asks := t.per >= 0 || t.ranks || t.list || t.having != nil
	if asks != (m.Per >= 0) || t.per >= 0 && t.ranks {
		return nil
	}
	e := r.voc.Edge(0, 1, schema.Forward(rel))
	e.Conditions = said.Conditions
	got.pat.Edges = []pattern.Edge{e}
	for end := range 2 { // what has no name is asked for
		if got.pat.Nodes[end].Variable && (got.pat.Asked < 0 || m.Per == end) {
			got.pat.Asked = end
		}
	}
	got.pat.Asked = max(got.pat.Asked, 0)
	if t.list {
		got.text = fmt.Sprintf("%s %s %s%s", got.pat.Nodes[0].Text, r.voc.Arrow(schema.Forward(rel)), got.pat.Nodes[1].Text, said.Text)
		return got
	}
	m.Node, m.Having, got.pat.Measure = got.pat.Asked, t.having, m
	if at.names == 2 {
		m.Node, got.pat.Asked = 1, 1
	}
	if t.text != "" {
		t.text += " of "
	}
	got.text = fmt.Sprintf("%s%s of: %s %s %s%s", t.text, g.PropertyText(property), got.pat.Nodes[0].Text, r.voc.Arrow(schema.Forward(rel)), got.pat.Nodes[1].Text, said.Text)
	if m.Per >= 0 {
		got.text = "for each " + got.pat.Nodes[m.Per].Text[1:] + ", " + got.text
	}
	if t.ranks {
		got.pat.Order = &pattern.Order{Node: pattern.Measured, Descending: !t.less, Limit: 1}
	}
	return got
}

// ofNoun is a node for what a step leads to, of the kind that a noun names.
func (r *reader) ofNoun(p *phrase, got *part, noun int, st schema.Step) pattern.Node {
	if of, err := r.narrowed(p, noun, st, ""); err == nil && of != nil {
		got.doubted(of)
		return of.pat.Nodes[0]
	}
	return pattern.Node{Text: "?" + variableName(p.word(noun)), Variable: true}
}

// rankedTotal finds "the most" and "the least" in a phrase that asks of whom a number is such. What they
// count is such a number only where told says that all is added up.
func (r *reader) rankedTotal(p *phrase, f pattern.Func, text string, told bool) (*phrase, *total) {
	t := &total{f: f, text: text, per: -1}
	if p.says(0, "how many") {
		t.counted = 2
	}
	for _, less := range []bool{false, true} {
		class := map[bool][][]string{true: fewest, false: most}[less]
		if i, n := p.find(class); i > 0 && (p.says(0, "who") || p.noun(1, min(3, p.len())) > 0) && !p.says(i+n-1, "of") && (told || !r.counts(p, i+n)) {
			t.ranks, t.less, t.from, t.to = true, less, i, i+n
		}
	}
	return p, t
}

// counts reports whether word i is what "the most" counts, and no number that statements say.
func (r *reader) counts(p *phrase, i int) bool {
	return i < p.len() && !p.isName(i) && !p.word(i).Stop && !moneys[p.word(i).Lower] && !r.isProperty(p, i) && !p.is(i, prepositions)
}

// totalPer reads "fees paid per firm" without the word of the aggregate; nil where no group ends it.
func (r *reader) totalPer(p *phrase, f pattern.Func, text string) *part {
	i := slices.IndexFunc(upTo(0, p.len()), func(j int) bool { return j > 0 && j+1 < p.len() && p.match(j, eachs) > 0 })
	per := p.noun(i+1, p.len())
	if i < 0 || per < 0 || per > i+3 || per < p.len()-1 && !p.says(per-1, "each", "every") {
		return nil
	}
	return r.totalOf(p, &total{f: f, text: text, per: per, from: i, to: per})
}

// statedNumber reads the numbers of statements that no word of an aggregate asks for.
func (r *reader) statedNumber(ctx context.Context, p *phrase) (*part, error) {
	if got := r.muchOf(p); got != nil {
		return got, nil
	}
	if got := r.largestSaid(p); got != nil {
		return got, nil
	}
	if q, t := r.rankedTotal(p, pattern.Sum, "the sum", false); t.ranks { // "Who gave the most to X?"
		if got := r.totalOf(q, t); got != nil && r.core.Adds(got.pat.Edges[0].Fixed[0], got.pat.Measure.Property) {
			if m := got.pat.Measure; slices.ContainsFunc(upTo(0, t.from), func(i int) bool { return p.says(i, "has", "have", "had") }) && r.hasSeveral(got.pat.Edges[0].Fixed[0], m.Per == 1) {
				got.unsure(plan.Unsure, fmt.Sprintf("The reading adds up %s where several statements tell it; the largest single one may be meant.", wording.Quote(r.voc.Graph().PropertyText(m.Property))))
			}
			return got, nil
		}
	}
	if len(p.names(0, p.len())) > 0 {
		return nil, nil
	}
	got := r.totalOf(p, &total{list: true, per: -1}) // "Who gave more than 10,000 in 2012?"
	if got != nil && p.says(0, "which", "what") && p.noun(1, p.len()) == 1 {
		if of, err := r.happened(ctx, p); of != nil || err != nil {
			return of, err // "Which awards were received in 2001?" asks for awards alone
		}
	}
	return got, nil
}

// hasSeveral reports whether something at one end of a relation has several triples of it.
func (r *reader) hasSeveral(rel kg.RelationID, back bool) bool {
	g := r.voc.Graph()
	return slices.ContainsFunc(g.Having(rel, back), func(e kg.EntityID) bool { return len(g.Along(e, rel, back)) > 1 })
}

// muchOf reads "How much did X receive in 2015?": of one name, all that its statements say together. Of
// two names it is what they say of both, as in "What was the purpose of the transfer from X to Y?".
func (r *reader) muchOf(p *phrase) *part {
	t := &total{f: pattern.Sum, text: "the sum", per: -1}
	names := len(p.names(0, p.len()))
	if end := p.len() - 1; p.is(1, auxiliary) && (p.says(0, "why") || p.says(0, "what") && p.says(end, "for")) { // "What did X pay Y for?"
		if p.says(0, "why") {
			end++
		}
		for _, noun := range purposes {
			if got := r.muchOf(r.cut(p, text("What was the "+noun[0]), span(2, end))); got != nil {
				return got
			}
		}
		return nil
	}
	switch {
	case p.says(0, "how much", "how many"):
		if p.says(1, "many") {
			t.counted = 2
		}
		if names > 1 {
			t.f, t.text = pattern.Values, "what is said"
		}
		if i := slices.IndexFunc(upTo(0, p.len()), func(j int) bool { return p.says(j, "each", "every") }); i > 0 { // "How much did each donor give?"
			if t.per = p.noun(i+1, min(i+3, p.len())); t.per < 0 || t.f != pattern.Sum {
				return nil
			}
			t.from, t.to = i, t.per
		}
	case names == 2 && p.says(0, "what", "who", "which") && p.is(1, copulas):
		t.f, t.text, t.property = pattern.Values, "", 3
		if of := p.afterThe(2); p.says(p.nameAt(of), lexicon.Possessive) { // "What was X's role in Y?"
			t.property = p.nameAt(of) + 1
		} else if !p.says(2, "the") {
			return nil
		}
	default:
		return nil
	}
	return r.totalOf(p, t)
}

// largestSaid reads "the largest donation to X" and "Who made the largest donation?".
func (r *reader) largestSaid(p *phrase) *part {
	for i := range p.len() - 1 {
		cs := r.voc.Lexicon().Comparisons(p.word(i).Lower)
		if p.isName(i) || p.aside[i] || !lexicon.IsSuperlative(p.word(i).Lower) || len(cs) == 0 || r.voc.Lexicon().Concepts[cs[0].Concept].Answer == lexicon.Date || len(p.word(i+1).Types) > 0 || p.says(i+1, "number") {
			continue
		}
		t := &total{f: pattern.Most, text: "the largest", per: -1, from: i, to: i + 1, less: cs[0].Less, ranks: p.says(0, "who") || p.noun(1, min(3, i)) > 0}
		if t.less {
			t.f, t.text = pattern.Least, "the smallest"
		}
		if !t.ranks && (p.begin(0, i) != i || p.says(0, "which")) { // "Which inhibitor has the lowest Ki?"
			return nil
		}
		return r.totalOf(p, t)
	}
	return nil
}
