package words

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	"cairn/engine/schema"
)

// Every word of a question is accounted for, whoever read it: what a pattern has of a word
// is told from the pattern alone.
//
//	question, pattern ─names, relations, kinds, values─▶ a role for each word

type marker struct {
	*Question

	text      *Text
	source    string
	p         *pattern.Pattern
	steps     []schema.Step   // of its edges, either way
	relations []kg.RelationID // of its edges
	ties      []Tie           // the same
	asked     []schema.Slot   // of the node that is asked for
	stems     map[string]bool // of the names of relations, properties and types
	values    bool            // it compares or orders
	counts    bool            // it has any operator
	// capitals says that the question writes names with capitals and other words without.
	capitals bool
}

// Mark says what each word of a question stands for in a pattern; words that say something
// which the pattern does not have are unread.
func (v *Vocabulary) Mark(question string, mentions []link.Mention, p *pattern.Pattern) []plan.Word {
	text := v.NewText(question, mentions)
	m := marker{text: text, source: question, Question: v.Read(text.Words, namesIn(text, p)), p: p, stems: map[string]bool{}}
	m.readPattern()
	m.capitals = lexicon.CapitalsTell(Tokens(m.Words), v.lex.IsStop)
	var out []plan.Word
	for i := range m.Words {
		w := m.mark(i)
		if n := len(out); n > 0 && out[n-1].Start == w.Start { // a compound, written out
			if out[n-1].Role == plan.Unread || out[n-1].Role == plan.Filler {
				out[n-1] = w
			}
			continue
		}
		out = append(out, w)
	}
	if p.Task == pattern.Verify {
		for i := range min(len(out), lexicon.Aside(Tokens(m.Words), text.PartOfName)) { // "I think that"
			out[i] = plan.Word{Start: out[i].Start, End: out[i].End}
		}
	}
	for i := len(out) - 2; i >= 0; i-- { // what a longer phrase takes has the role of its end, where that has one
		if j := m.at(out[i].Start); !m.Words[j].Silent || m.Words[j].Mention >= 0 {
			continue
		}
		end := i + 1
		for end+1 < len(out) && out[end].Role == plan.Filler && !prepositions[m.Words[m.at(out[end].Start)].Lower] {
			end++
		}
		if e := out[end]; e.Role != plan.Filler {
			out[i].Role, out[i].For, out[i].Loose = e.Role, e.For, e.Loose
		}
	}
	return out
}

// at returns the first word at a place of the question.
func (m *marker) at(start int) int {
	return slices.IndexFunc(m.Words, func(w Word) bool { return w.Start == start })
}

// namesIn returns the spans of a text that name what a pattern names, the longest first.
func namesIn(text *Text, p *pattern.Pattern) (spans []Span) {
	named := p.Named()
	all := slices.Clone(text.All)
	slices.SortStableFunc(all, func(a, b Span) int { return cmp.Compare(b.To-b.From, a.To-a.From) })
	for _, s := range all {
		means := slices.ContainsFunc(s.Candidates, func(c link.Candidate) bool { return slices.Contains(named, c.Entity) })
		if means && !slices.ContainsFunc(spans, s.Overlaps) {
			spans = append(spans, s)
		}
	}
	return spans
}

var notWords = lexicon.WordSet("not never without except excluding")

var moneys, countNouns, measureNouns = lexicon.Words("money"), lexicon.Words("count nouns"), lexicon.Words("nouns of measures")

// readPattern notes what the pattern has that words may ask for.
func (m *marker) readPattern() {
	sch, p := m.voc.schema, m.p
	step := func(st schema.Step) {
		m.steps = kg.With(m.steps, st)
	}
	relation := func(r kg.RelationID) {
		for _, twin := range append(slices.Clone(sch.Twins(r)), r) {
			step(schema.Forward(twin))
			step(schema.Forward(twin).Back())
		}
		st := sch.Canonical(schema.Forward(r))
		step(st)
		step(sch.Back(st))
		m.say(m.voc.g.RelationText(r))
	}
	named := func(n int) kg.EntityID {
		if p.Nodes[n].Variable || len(p.Nodes[n].Entities) != 1 {
			return kg.NoEntity
		}
		return p.Nodes[n].Entities[0]
	}
	for _, e := range p.AllEdges() {
		m.counts = m.counts || e.Closure
		m.values = m.values || e.Relation == "" && len(e.Fixed) == 0 // so many steps
		for _, r := range e.Fixed {
			relation(r)
		}
		m.relations = append(m.relations, e.Fixed...)
		for _, r := range e.Fixed {
			m.ties = append(m.ties, Tie{r, named(e.From), named(e.To)})
			if e.From == p.Asked {
				m.asked = append(m.asked, schema.Forward(r).From())
			}
			if e.To == p.Asked {
				m.asked = append(m.asked, schema.Forward(r).To())
			}
		}
		m.say(e.Relation)
		for _, c := range e.Conditions {
			m.say(c.Property + " " + c.To + " " + c.Value)
			m.values = true
		}
	}
	for _, n := range p.Nodes {
		m.say(n.Type)
		m.counts = m.counts || len(pattern.ReadKinds(n.Type).No) > 0
		if !n.Variable {
			m.say(n.Text)
		}
	}
	if p.Measure != nil {
		m.say(p.Measure.Property)
		m.values = m.values || len(p.Measure.Having) > 0
	}
	for _, b := range p.Branches {
		m.values = m.values || b.Kind == pattern.Quantity || len(b.Filters) > 0
	}
	m.values = m.values || len(p.Filters) > 0 || p.Order != nil || p.Connection != nil
	m.counts = m.counts || m.values || len(p.Branches) > 0 || p.Measure != nil || p.Task != pattern.Find || p.Negated
}

func (m *marker) say(text string) {
	for _, s := range lexicon.Stems(text) {
		m.stems[s] = true
	}
}

func (m *marker) mark(i int) plan.Word {
	w, relation, place := &m.Words[i], m.relationOf(i), m.otherPlace(i)
	out := plan.Word{Start: w.Start, End: w.End}
	switch {
	case w.Mention >= 0:
		out.Role = plan.Named
		for _, c := range m.Mentions[w.Mention].Candidates {
			if slices.Contains(m.p.Named(), c.Entity) {
				out.For = m.voc.g.Label(c.Entity)
				break
			}
		}
	case m.besideName(i), m.isBothOfKind(i):
		out.Role = plan.Unread
	case m.isSide(w.Lower):
		out.Role = plan.Related
	case m.isValue(i), m.isUnit(i), m.isOrdinalOf(w.Lower):
		out.Role = plan.Valued
	case place != "":
		out.Role, out.For, out.Loose = plan.Related, place, true
	case !w.ByMeaning && relation != "":
		out.Role, out.For, out.Loose = plan.Related, relation, m.isGuessed(i) || w.Misspelt
	case m.p.Measure != nil && m.p.Measure.Property != "" && (moneys[w.Lower] || countNouns[w.Lower] || measureNouns[lexicon.Singular(w.Lower)]):
		out.Role = plan.Valued
	case m.isMonth(i), m.isUnheardNot(i):
		out.Role = plan.Unread
	case m.isKind(w), m.isOfEvent(w):
		out.Role = plan.Kind
		if (w.ByMeaning && !m.stems[w.Stem] || w.Misspelt) && len(w.Types) > 0 {
			out.For, out.Loose = m.voc.g.TypeLabel(w.Types[0]), true
		}
	case m.isQuality(i):
		out.Role = plan.Related
	case m.isStillTrue(i):
	case w.Stop && fillerWords[w.Lower]:
	case m.counts && (lexicon.IsOperator(w.Lower) || len(m.voc.lex.Comparisons(w.Lower)) > 0):
		out.Role = plan.Operator
	case w.Stop || fillerWords[w.Lower] || w.Lower == lexicon.Possessive:
	case m.stems[w.Stem]:
		out.Role, out.Loose = plan.Related, m.isGuessed(i) || w.Misspelt
	case relation != "":
		out.Role, out.For, out.Loose = plan.Related, relation, true
	case m.IsJoining(i, m.relations...), m.IsSupport(i, m.asked, m.ties), m.SaysWhere(i):
	case m.values && slices.ContainsFunc(m.relations, func(r kg.RelationID) bool { return m.voc.Measures(w.Lower, r) }):
	default:
		out.Role = plan.Unread
	}
	return out
}

// isOrdinalOf reports whether a word is the ordinal of a number that the pattern names: "first class" is class 1.
func (m *marker) isOrdinalOf(word string) bool {
	n, ok := lexicon.Ordinal(word)
	return ok && m.stems[strconv.Itoa(n)]
}

// isUnheardNot reports whether word i denies something, and the pattern asks for what is so alone.
func (m *marker) isUnheardNot(i int) bool {
	if m.counts || !m.text.IsContractedNot(i) && !notWords[m.Words[i].Lower] {
		return false
	}
	return !slices.ContainsFunc(m.p.Named(), func(e kg.EntityID) bool {
		yes, is := lexicon.Truth(m.voc.g.Label(e))
		return is && !yes
	})
}

// isStillTrue reports whether word i says that something is now what the words behind it ask for and the pattern has a
// yes or no of.
func (m *marker) isStillTrue(i int) bool {
	next := i + 1
	for next < len(m.Words) && m.Words[next].Stop {
		next++
	}
	return next < len(m.Words) && lexicon.IsOfNow(m.Words[i].Lower) && slices.ContainsFunc(m.relations, func(r kg.RelationID) bool {
		return m.voc.IsTruth(r) && (m.Words[next].Weight[schema.Forward(r)] > 0 || m.SaysName(next, r) > 0)
	})
}

// isSide reports whether a word says on whose side a relative is, "paternal", and the pattern goes by a
// relation for that parent alone.
func (m *marker) isSide(word string) bool {
	side := lexicon.KinSide(word)
	return side != "" && slices.ContainsFunc(m.p.Edges, func(e pattern.Edge) bool {
		return len(e.Fixed) == 1 && slices.ContainsFunc(lexicon.RelationWords(m.voc.g.RelationName(e.Fixed[0])), func(w string) bool { return lexicon.Gender(w) == side })
	})
}

// isQuality reports whether word i says, or denies by a "non" before it, what the pattern has a yes
// or no of.
func (m *marker) isQuality(i int) bool {
	at, denied := i, i > 0 && m.Words[i-1].Lower == "non"
	if m.Words[i].Lower == "non" && i+1 < len(m.Words) {
		at, denied = i+1, true
	}
	return slices.ContainsFunc(m.voc.Qualities(m.Words[at].Lower), func(q Quality) bool {
		return slices.Contains(m.steps, schema.Forward(q.Relation)) && slices.ContainsFunc(m.voc.Truths(q.Relation, q.Denied == denied), func(e kg.EntityID) bool { return slices.Contains(m.p.Named(), e) })
	})
}

// isBothOfKind reports whether word i is "both" before a kind of thing, which no pattern has: who
// owns both dogs owns each of them.
func (m *marker) isBothOfKind(i int) bool {
	next := i + 1
	return m.Words[i].Lower == "both" && next < len(m.Words) && m.Words[next].Mention < 0 && m.Words[next].IsNamedKind() &&
		!slices.ContainsFunc(m.Words[next:], func(w Word) bool { return w.Lower == "and" })
}

// besideName reports whether word i is written as a part of the name next to it, which the
// pattern leaves out: "Inside Man" is not "Inside". An article may stand before any name.
func (m *marker) besideName(i int) bool {
	name := func(j int) bool { return j >= 0 && j < len(m.Words) && m.Words[j].Mention >= 0 }
	return m.capitals && i > 0 && m.Words[i].Capital && !articles[m.Words[i].Lower] && (name(i-1) || name(i+1))
}

// isValue reports whether word i is a number, a month or a unit after a number, and the
// pattern compares.
func (m *marker) isValue(i int) bool {
	w := &m.Words[i]
	if !m.values || strings.ContainsAny(w.Lower, "0123456789") || numberWords[w.Lower] {
		return m.values
	}
	next := m.Words[min(i+1, len(m.Words)-1)].Lower
	_, here := lexicon.Fraction(w.Lower, next)
	_, before := lexicon.Fraction(m.Words[max(i-1, 0)].Lower, w.Lower)
	if us := kg.UnitsOf(w.Lower); here > 0 || before > 1 || len(us) > 0 && us[0].Symbol == "%" { // "a third", "30 percent"
		return true
	}
	if i > 0 && kg.Scale(w.Lower) > 0 && strings.ContainsAny(m.Words[i-1].Lower, "0123456789") {
		return true
	}
	if _, isMonth := kg.ParseYearly(w.Text); isMonth {
		return true
	}
	const longest = 4 // words of a scale and a unit
	for j := i - 1; j >= max(0, i-longest); j-- {
		if n := m.Words[j].Lower; strings.ContainsAny(n, "0123456789") || numberWords[n] || n == "a" {
			if j+1 < i && (numberWords[m.Words[j+1].Lower] || kg.Scale(m.Words[j+1].Lower) > 0) {
				j++
			}
			_, n := m.voc.schema.LeadingUnit(m.source[m.Words[j].End:])
			return m.Words[j].End+n >= w.End
		}
	}
	return false
}

// isMonth reports whether word i is a month in which something is said to be: "in May".
func (m *marker) isMonth(i int) bool {
	_, isMonth := kg.ParseYearly(m.Words[i].Text)
	return isMonth && i > 0 && m.Words[i-1].Lower == "in"
}

// isUnit reports whether word i is of the unit that the answer is told in, or that a value which a
// claim names has.
func (m *marker) isUnit(i int) bool {
	var units []string
	if m.p.Told != nil {
		units = append(units, m.p.Told.Unit)
	}
	if m.p.Task == pattern.Verify {
		for _, e := range m.p.Named() {
			if v, ok := m.voc.g.Value(e); ok && v.Unit != "" {
				units = append(units, v.Unit)
			}
		}
	}
	return slices.ContainsFunc(units, func(unit string) bool {
		return slices.ContainsFunc(append(kg.UnitNames(unit), unit), func(name string) bool {
			return slices.ContainsFunc(strings.Fields(name), func(w string) bool {
				return m.Words[i].Text == w || lexicon.Stem(strings.ToLower(w)) == m.Words[i].Stem
			})
		})
	})
}

// relationOf returns the relation of the pattern that word i asks for most, or "".
func (m *marker) relationOf(i int) string {
	w, best, most := &m.Words[i], "", 0.0
	for _, s := range m.steps {
		weight := w.Weight[s]
		if !s.IsBack() { // a name is said of both ways
			weight = max(weight, m.SaysName(i, s.Relation()))
		}
		if weight > most {
			best, most = m.voc.g.RelationText(s.Relation()), weight
		}
	}
	if w.Silent && w.Mention < 0 && best == "" { // a longer phrase asks for another: "born in the same year"
		for s, weight := range m.text.AsksAt(i) {
			if weight > most && slices.Contains(m.steps, s) {
				best, most = m.voc.g.RelationText(s.Relation()), weight
			}
		}
	}
	if w.Stop && most < StrongCue {
		return ""
	}
	return best
}

// otherPlace returns the relation by which a pattern leads to a place of another kind than word i is the noun
// for, "town" where it leads to a country, and none of its relations leads to what may be such a place; "" for none.
func (m *marker) otherPlace(i int) (other string) {
	w, next := &m.Words[i], min(i+1, len(m.Words)-1)
	if m.Words[next].Lower == "of" {
		next = min(next+1, len(m.Words)-1)
	}
	if w.Mention >= 0 || m.Words[next].Mention >= 0 || m.isOfNode(w) { // "the town of Bristol"
		return ""
	}
	for _, e := range m.p.AllEdges() {
		if len(e.Fixed) == 0 || !m.p.Nodes[e.To].Variable { // "countries in Africa"
			continue
		}
		r := e.Fixed[0]
		to, noun := schema.Forward(r).To(), schema.HeadNoun(lexicon.RelationWords(m.voc.g.RelationText(r)))
		switch isOther := m.voc.lex.IsOtherPlace(noun, w.Stem) && !slices.ContainsFunc(w.Types, func(t kg.TypeID) bool { return m.voc.schema.Types(to)[t] > 0 }); {
		case isOther:
			other = m.voc.g.RelationText(r)
		case m.voc.IsAnswer(to, lexicon.Place):
			return ""
		}
	}
	return other
}

// isKind reports whether a word says what kind of thing some node of the pattern is.
func (m *marker) isKind(w *Word) bool {
	if !w.IsKind() {
		return false
	}
	isOpen := func(n pattern.Node) bool { // the assemblies of a machine are no parts of it
		k := pattern.ReadKinds(n.Type)
		return n.Variable && len(k.Any)+len(k.Also) == 0
	}
	if slices.ContainsFunc(m.p.Nodes, isOpen) && slices.ContainsFunc(m.steps, func(s schema.Step) bool { return m.NamesSlot(w, s.To()) }) {
		return true
	}
	return m.isOfNode(w) || slices.ContainsFunc(m.p.Named(), func(e kg.EntityID) bool { return m.NamesEntity(w, e, m.voc.Slots(e)) })
}

// isOfNode reports whether a word is the type of a node of the pattern.
func (m *marker) isOfNode(w *Word) bool {
	return slices.ContainsFunc(w.Types, func(t kg.TypeID) bool {
		return slices.ContainsFunc(m.p.Nodes, func(n pattern.Node) bool {
			k := pattern.ReadKinds(n.Type)
			return strings.EqualFold(n.Type, m.voc.g.TypeLabel(t)) || slices.ContainsFunc(slices.Concat(k.Any, k.Also, k.No), func(kind string) bool { return strings.EqualFold(kind, m.voc.g.TypeLabel(t)) })
		})
	})
}

// isOfEvent reports whether a word is the verb of what happened, and the pattern has things of that type: what
// has an inspection was inspected.
func (m *marker) isOfEvent(w *Word) bool {
	if w.Stop || !w.IsPast() && !lexicon.IsParticiple(w.Lower) {
		return false
	}
	t, ok := m.voc.TypeOfVerb(w.Stem)
	kind := slices.IndexFunc(m.Words, func(w Word) bool { return w.Mention < 0 && len(w.Types) > 0 && !w.IsPast() })
	isOther := func(n int, at schema.Slot) bool { // what is asked for is a vessel, though landings have a species, too
		return n == m.p.Asked && kind >= 0 && !slices.Contains(m.Words[kind].Types, t) && m.NamesSlot(&m.Words[kind], at)
	}
	return ok && slices.ContainsFunc(m.p.AllEdges(), func(e pattern.Edge) bool {
		return slices.ContainsFunc(e.Fixed, func(r kg.RelationID) bool {
			from, to := schema.Forward(r).From(), schema.Forward(r).To()
			return m.voc.schema.Types(from)[t] > 0 && !isOther(e.From, from) || m.voc.schema.Types(to)[t] > 0 && !isOther(e.To, to)
		})
	})
}

var (
	fillerWords  = lexicon.Words("fillers", "question words", "requests", "glue", "comments", "auxiliaries", "copulas", "determiners", "asides", "give me", "empty nouns", "belonging")
	prepositions = lexicon.Words("prepositions")
	copulas      = lexicon.Words("copulas")
	numberWords  = lexicon.Words("numbers", "amounts")
)
