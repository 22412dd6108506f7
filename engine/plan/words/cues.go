package words

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/schema"
)

// role is the part that a cue plays in a sentence.
type role int

const (
	verbRole     role = iota
	nounRole          // it names what the step leads to
	backNounRole      // it names what the step comes from
	weakRole
)

// cue is a phrase that asks for a step.
type cue struct {
	stems  []string
	gap    bool // other words may stand before the last
	step   schema.Step
	weight float64
	role   role
	chosen bool // the user chose what it asks for
}

// cueTable is all that words say about one graph. It is immutable.
type cueTable struct {
	byLast map[string][]cue // by the stem of the last word
	shares [][]string       // what relations are called beside "shares"
	doers  map[string][]cue // of nouns, by the verb of a relation's name that they come from
	// kinds[stem] are the kinds of slots that a noun names; graph types are in
	// types[stem], and come before kinds where there are any.
	kinds map[string][]int
	types map[string][]typeNoun
	loose map[string][]loose // by the first letters of the stem
	// deeds are the stems of types of what happened.
	deeds []string
	// answers[kind] are the kinds of answers that entities of a kind are.
	answers map[int][]lexicon.Answer
	// slotKinds and slotAnswers say the same of single slots.
	slotKinds   map[string][]schema.Slot
	slotAnswers map[schema.Slot][]lexicon.Answer
	// typeAnswers[t] are the kinds of answers that things of a type are, as far
	// as the lexicon knows its label.
	typeAnswers map[kg.TypeID][]lexicon.Answer
	// onlyPersons says that the graph has persons by its own types, and no number of people.
	onlyPersons bool
	// takesPlace says that a relation is called so.
	takesPlace bool
	// classes are the things that are kinds of others, and have a type for that alone.
	classes map[kg.EntityID]bool
}

// typeNoun is a type of the graph that a phrase names.
type typeNoun struct {
	stems []string
	id    kg.TypeID
	part  bool // of its label
}

// compile makes the cues of a graph from its mappings and the user's choices.
func compile(s *schema.Schema, lex *lexicon.Lexicon, mappings []Mapping, choices []Choice) *cueTable {
	c := compiler{
		s: s, lex: lex,
		t: &cueTable{
			byLast: map[string][]cue{}, doers: map[string][]cue{}, kinds: map[string][]int{},
			types: map[string][]typeNoun{}, loose: map[string][]loose{}, answers: map[int][]lexicon.Answer{},
			slotKinds: map[string][]schema.Slot{}, slotAnswers: map[schema.Slot][]lexicon.Answer{},
			typeAnswers: map[kg.TypeID][]lexicon.Answer{}, classes: map[kg.EntityID]bool{},
		},
		mappings: mappings, uses: map[string]int{}, named: map[string][]kg.RelationID{}, phrases: map[string]bool{},
	}
	for _, concept := range lex.Concepts {
		for _, p := range concept.Ask {
			c.phrases[strings.Join(p.Stems, " ")] = true
		}
	}
	for _, m := range mappings {
		if m.SameAs != m.Relation {
			continue
		}
		c.t.takesPlace = c.t.takesPlace || slices.Contains(m.Words, "place") && slices.ContainsFunc(m.Words, func(w string) bool { return lexicon.Base(w) == "take" })
		for _, stem := range distinctStems(m.Words) {
			c.uses[stem]++
		}
		told := c.told(lexicon.Stems(strings.Join(m.Words, " ")))
		c.named[told] = append(c.named[told], m.Relation)
	}
	c.addTypes(mappings)
	for _, m := range mappings {
		if m.SameAs == m.Relation {
			c.addRelation(m)
		}
	}
	c.addHeadNouns()
	c.t.onlyPersons = c.t.isType(personStem) && !slices.ContainsFunc(c.t.byLast[lexicon.Stem("people")], func(q cue) bool {
		return s.Value(q.step.To()) != schema.NoValue || s.Value(q.step.From()) != schema.NoValue
	})
	for _, choice := range choices {
		c.choose(choice, mappings)
	}
	return c.t
}

type compiler struct {
	s        *schema.Schema
	lex      *lexicon.Lexicon
	t        *cueTable
	mappings []Mapping
	uses     map[string]int // how many relations have a stem in their name
	// named are the relations of each name, by its stems that tell something.
	named map[string][]kg.RelationID
	// phrases are what concepts are asked for by, in stems.
	phrases map[string]bool
}

// told returns those of some stems that tell something, joined.
func (c *compiler) told(stems []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(stems), c.lex.IsStop), " ")
}

func distinctStems(words []string) []string {
	var out []string
	for _, w := range words {
		out = kg.With(out, lexicon.Stems(w)...)
	}
	return out
}

func (c *compiler) addRelation(m Mapping) {
	if stems := distinctStems(m.Words); slices.Contains(stems, lexicon.ShareStem) {
		c.t.shares = append(c.t.shares, slices.DeleteFunc(stems, func(s string) bool { return s == lexicon.ShareStem || c.lex.IsStop(s) }))
	}
	c.addOwnWords(m)
	c.addDeed(m.Relation)
	// A key such as people.person.place_of_birth names the kind of its head.
	if head := schema.HeadNoun(lexicon.ParseRelation(c.s.Graph().RelationName(m.Relation)).Head); head != "" {
		c.addKind(lexicon.Phrase{Stems: []string{head}}, schema.Forward(m.Relation).From())
	}
	for _, i := range m.Means {
		c.addConcept(m, c.lex.Concepts[i])
	}
}

// ownWay returns the step that the words of a relation's name ask for, as what, and the
// factor for the step back.
func (c *compiler) ownWay(m Mapping) (ahead schema.Step, as role, back float64) {
	back = cueWeights.ownBack
	if c.s.JoinsSame(m.Relation) {
		back = cueWeights.ownBackSame
	}
	ahead, as = schema.Forward(m.Relation), verbRole
	if lexicon.NamesHead(m.Words) {
		ahead, as = ahead.Back(), nounRole // who is "director of" X is its director
	}
	if lexicon.ParseRelation(c.s.Graph().RelationName(m.Relation)).Inverse {
		ahead = ahead.Back()
	}
	return ahead, as, back
}

// addOwnWords makes cues of the words of a relation's name.
func (c *compiler) addOwnWords(m Mapping) {
	ahead, as, back := c.ownWay(m)
	name := lexicon.ParseRelation(c.s.Graph().RelationName(m.Relation))
	if ws := name.Property; lexicon.NamesHead(ws) && len(ws) > 2 {
		joined := lexicon.Phrase{Stems: []string{lexicon.Stem(strings.Join(ws[:len(ws)-1], ""))}} // "subclasses" for "sub class of"
		c.add(joined, ahead, cueWeights.own, as)
		c.add(joined, ahead.Back(), cueWeights.own*back, verbRole)
	}
	if stems := lexicon.Stems(strings.Join(m.Words, " ")); len(stems) > 1 && as == verbRole && (c.phrases[strings.Join(stems, " ")] || c.isOfNouns(m.Words)) {
		// "studied under" asks for itself before it asks for who "taught" somebody, and "seed parent"
		// before it asks for a pollen parent
		c.add(lexicon.Phrase{Stems: stems}, ahead, cueWeights.own, as)
		c.add(lexicon.Phrase{Stems: stems}, ahead.Back(), cueWeights.own*back, as)
	}
	if w, ok := wholeNameOf(c.lex, m); ok { // "latest release"
		role := nounRole
		if c.lex.IsStop(m.Words[len(m.Words)-1]) {
			role = verbRole
		}
		c.add(lexicon.Phrase{Stems: []string{w.stem()}}, ahead, cueWeights.own, role)
		c.add(lexicon.Phrase{Stems: []string{w.stem()}}, ahead.Back(), cueWeights.own*back, verbRole)
	}
	isVerb := len(m.Words) > 0 && (lexicon.IsVerbForm(m.Words[0]) || m.Words[len(m.Words)-1] == "by")
	if verb, byTail := lexicon.VerbOf(m.Words); isVerb && verb != "" && as == verbRole { // a "supervisor" is who "supervises"
		doer := ahead.Back()
		if byTail {
			doer = ahead
		}
		c.t.doers[verb] = append(c.t.doers[verb],
			cue{stems: []string{verb}, step: c.s.Canonical(doer), weight: cueWeights.own, role: nounRole},
			cue{stems: []string{verb}, step: c.s.Canonical(doer.Back()), weight: cueWeights.own * back, role: backNounRole})
	}
	if n := len(m.Words); n > 1 && dateNouns[m.Words[n-1]] { // "when was X collected" asks for a "collection date"
		for _, verb := range lexicon.Deeds(m.Words[n-2]) {
			c.add(lexicon.Phrase{Stems: []string{verb}}, ahead, cueWeights.own, verbRole)
		}
	}
	for i, w := range m.Words {
		for _, tok := range lexicon.Tokenize(w) {
			if c.lex.IsStop(tok.Lower) || len(tok.Lower) < 2 {
				continue
			}
			weight := cueWeights.own
			switch {
			case len(m.Words) > 1 && c.t.isType(tok.Stem):
				// "mountain" asks for mountains before it asks for a mountain range.
				weight = cueWeights.ownType
			case c.uses[tok.Stem] > 1:
				weight = cueWeights.ownShared
			}
			role := as
			if weight == cueWeights.own && i == len(m.Words)-1 && !c.lex.Is(lexicon.Verb, tok.Lower) && (i > 0 && !lexicon.IsParticiple(tok.Lower) || !lexicon.IsVerbForm(tok.Lower)) {
				role = nounRole // the last word of "has genre", or "keeper", is what the relation leads to, and not that of "year built"
			}
			c.add(lexicon.Phrase{Stems: []string{tok.Stem}}, ahead, weight, role)
			c.add(lexicon.Phrase{Stems: []string{tok.Stem}}, ahead.Back(), weight*back, verbRole)
			c.addLoose(tok.Stem, m.Relation)
			if verb := cmp.Or(lexicon.Agent(tok.Lower), lexicon.Patient(tok.Lower)); verb != "" && role == nounRole { // who "keeps" X is its "keeper"
				c.add(lexicon.Phrase{Stems: []string{verb}}, ahead, weight, verbRole)
				c.add(lexicon.Phrase{Stems: []string{verb}}, ahead.Back(), weight*back, verbRole)
			}
		}
	}
}

// isOfNouns reports whether a name is of words that all tell something, and ends in a noun with
// which the name of another relation ends or begins.
func (c *compiler) isOfNouns(name []string) bool {
	last := name[len(name)-1]
	return !slices.ContainsFunc(name, c.lex.IsStop) && !c.lex.Is(lexicon.Verb, last) && !lexicon.IsVerbForm(name[0]) && c.uses[lexicon.Stem(last)] > 1
}

// dateNouns end the names of relations that say when something was done.
var dateNouns = lexicon.WordSet("date year day time")

// loose is a word of a relation's name that other words of the same family
// stand for weakly: "governing officials" for "governor".
type loose struct {
	stem string
	step schema.Step
}

// looseStem is the shortest stem with a family.
const looseStem = 5

func (c *compiler) addLoose(stem string, r kg.RelationID) {
	if len(stem) >= looseStem {
		c.t.loose[stem[:looseStem]] = append(c.t.loose[stem[:looseStem]], loose{stem, c.s.Canonical(schema.Forward(r))})
	}
}

// addDeed lets the verb of a noun for what happened stand weakly for what is said of it: a film of which
// there is a screening was screened. What happened is of a type to which nothing leads.
func (c *compiler) addDeed(r kg.RelationID) {
	g, at := c.s.Graph(), schema.Forward(r)
	for t, share := range c.s.Types(at.From()) {
		stems := lexicon.Stems(g.TypeLabel(t))
		if share < 1 || len(stems) != 1 || c.s.Value(at.To()) != schema.NoValue || slices.ContainsFunc(g.OfType(t), func(e kg.EntityID) bool { return len(g.In(e)) > 0 }) {
			continue
		}
		c.t.deeds = append(c.t.deeds, stems[0])
		c.addLoose(stems[0], r)
	}
}

// family returns the steps whose relations have a word of the family of a stem.
func (t *cueTable) family(stem string) []schema.Step {
	if len(stem) < looseStem {
		return nil
	}
	var out []schema.Step
	for _, l := range t.loose[stem[:looseStem]] {
		if lexicon.IsFamily(stem, l.stem, looseStem) && !slices.Contains(out, l.step) {
			out = append(out, l.step)
		}
	}
	return out
}

// isType reports whether a word by itself is the label of a type.
func (t *cueTable) isType(stem string) bool {
	return slices.ContainsFunc(t.types[stem], func(n typeNoun) bool { return len(n.stems) == 1 && !n.part })
}

// isOtherType reports whether a noun for the kind of something, such as "class", is the label of a type
// of the graph, or ends one, that nothing in a slot has.
func (c *compiler) isOtherType(noun lexicon.Phrase, at schema.Slot) bool {
	i, ok := c.lex.Concept("instance of")
	stem := noun.Stems[len(noun.Stems)-1]
	saysKind := ok && slices.ContainsFunc(c.lex.Concepts[i].Tail, func(p lexicon.Phrase) bool { return slices.Equal(p.Stems, noun.Stems) })
	of := c.s.Types(at)
	return saysKind && len(c.t.types[stem]) > 0 && !slices.ContainsFunc(c.t.types[stem], func(t typeNoun) bool { return of[t.id] > 0 })
}

// isTurned reports whether a relation means a concept read backwards: its key
// says that it starts from what the concept leads to, as in
// "language.human_language.countries_spoken_in" and "tv.tv_actor.roles", or its
// name does, as in "director of" and "owns".
func (c *compiler) isTurned(r kg.RelationID, concept lexicon.Concept) bool {
	name := lexicon.ParseRelation(c.s.Graph().RelationName(r))
	if turned := concept.IsTurned(name.Property); name.Inverse || turned || concept.SameEnds {
		return name.Inverse != turned && !concept.Symmetric
	}
	named := func(stem string, ps []lexicon.Phrase) bool {
		return slices.ContainsFunc(ps, func(p lexicon.Phrase) bool {
			return len(p.Stems) == 1 && p.Stems[0] == stem
		})
	}
	head := schema.HeadNoun(name.Head)
	return head != "" && named(head, concept.Tail) && !named(head, concept.Head)
}

// addConcept makes cues of the words of a concept for a relation that means it.
func (c *compiler) addConcept(m Mapping, concept lexicon.Concept) {
	if m.apart && concept.SameEnds && !c.isBeside(m) { // a marriage marries nobody
		concept.Ask, concept.Head, concept.Inverse = nil, nil, -1
	}
	r := m.Relation
	ahead := schema.Forward(r)
	if c.isTurned(r, concept) {
		ahead = ahead.Back()
	}
	nounBack, verbBack := cueWeights.nounBack, cueWeights.verb
	if c.s.JoinsSame(r) {
		nounBack, verbBack = cueWeights.nounBackSame, cueWeights.verbBackSame
	}
	for _, p := range concept.Tail {
		if c.isOtherType(p, ahead.To()) {
			continue // where the graph has patent classes, "class" asks for no type
		}
		if c.isAnswer(p, r, ahead) {
			continue // where the graph has it as a value, "male" asks for what is male, and for no sex
		}
		if c.s.Value(ahead.To()) != schema.NoValue && (concept.Answer == lexicon.Person || concept.Answer == lexicon.Organization) {
			continue // "member since" leads to no group
		}
		noun := cueWeights.noun * c.tells(p, r)
		if g := lexicon.Gender(p.Text); g != "" && slices.ContainsFunc(m.Words, func(w string) bool { return lexicon.Gender(w) != "" && lexicon.Gender(w) != g }) {
			noun *= cueWeights.ofOther // a sire is no mother
		}
		c.add(p, ahead, noun, nounRole)
		c.add(p, ahead.Back(), nounBack*c.tells(p, r), backNounRole)
		c.addKind(p, ahead.To())
	}
	noun := ahead
	if concept.SameEnds {
		ahead = schema.Forward(r) // of verbs the sentence tells who does it
	}
	for _, p := range concept.Ask {
		weight, as := cueWeights.verb, verbRole
		if p.Weak {
			weight, as = cueWeights.weak, weakRole
		}
		weight *= c.tells(p, r)
		c.add(p, ahead, weight, as)
		c.add(p, ahead.Back(), weight*verbBack, as)
	}
	ahead = noun
	if c.headFits(concept, ahead.From()) {
		for _, p := range concept.Head {
			c.addKind(p, ahead.From())
		}
		if headIsPerson(&concept) {
			c.addAnswer(ahead.From(), lexicon.Person)
			c.addKind(lexicon.Phrase{Stems: []string{lexicon.Stem("person")}}, ahead.From())
		}
	}
	if concept.Inverse >= 0 {
		for _, p := range c.lex.Concepts[concept.Inverse].Tail {
			c.add(p, ahead.Back(), cueWeights.inverse*c.tells(p, r), nounRole)
		}
	}
	c.addAnswer(ahead.To(), concept.Answer)
	for _, w := range lexicon.AnswerNouns[concept.Answer] {
		c.addKind(lexicon.Phrase{Stems: []string{lexicon.Stem(w)}}, ahead.To())
	}
}

// isBeside reports whether what a relation says is said by another of the same things, which leads to
// the like of them: where a cow has a dam that is a cow, its sire is a parent though it is a bull.
func (c *compiler) isBeside(m Mapping) bool {
	from := schema.Forward(m.Relation).From()
	return slices.ContainsFunc(c.mappings, func(o Mapping) bool {
		isSame := o.Relation != m.Relation && !o.apart && slices.ContainsFunc(o.Means, func(i int) bool { return slices.Contains(m.Means, i) })
		return isSame && c.s.Shared(from, schema.Forward(o.Relation).From()) > 0
	})
}

// maxAnswers is how many things a relation leads to at most of which one may be what its noun says.
const maxAnswers = 50

// isAnswer reports whether a noun of the lexicon for what a relation leads to is the name of one of
// the few things that it leads to.
func (c *compiler) isAnswer(p lexicon.Phrase, r kg.RelationID, ahead schema.Step) bool {
	g := c.s.Graph()
	ends := g.Having(r, !ahead.IsBack())
	return len(ends) <= maxAnswers && slices.ContainsFunc(ends, func(e kg.EntityID) bool { return slices.Equal(lexicon.Stems(g.Label(e)), p.Stems) })
}

// tells says how much a phrase of the lexicon asks for a relation: less where it is the name
// of another relation of the graph, whose own words come first, and little where it is a type
// that both ends have. "Component" asks for components before it asks for parts of one.
func (c *compiler) tells(p lexicon.Phrase, r kg.RelationID) float64 {
	of := c.named[c.told(p.Stems)]
	if verb := lexicon.Agent(p.Text); len(of) == 0 && verb != "" { // a supervisor supervises
		of = c.named[verb]
	}
	if len(of) > 0 && !slices.Contains(of, r) {
		return cueWeights.ofOther
	}
	const mostly = 0.5
	both := func(t typeNoun) bool {
		st := schema.Forward(r)
		return len(t.stems) == 1 && c.s.Types(st.From())[t.id] > mostly && c.s.Types(st.To())[t.id] > mostly
	}
	if len(p.Stems) == 1 && slices.ContainsFunc(c.t.types[p.Stems[0]], both) {
		return cueWeights.ownType
	}
	return 1
}

// headFits reports whether the head nouns of a concept may name what is in a
// slot. Where the graph gives the slot's entities types, one of them must be
// among the nouns: the lexicon knows what mostly has such a relation, the graph
// what has it here.
func (c *compiler) headFits(concept lexicon.Concept, at schema.Slot) bool {
	if len(c.s.Types(at)) == 0 {
		return true
	}
	for t, share := range c.s.Types(at) {
		stems := lexicon.Stems(c.s.Graph().TypeLabel(t))
		if share < TypeShareMin || len(stems) == 0 {
			continue
		}
		if slices.ContainsFunc(concept.Head, func(p lexicon.Phrase) bool { return p.Stems[len(p.Stems)-1] == stems[len(stems)-1] }) {
			return true
		}
	}
	return false
}

// broadNouns are those of lexicon.AnswerNouns that everything of the kind is called.
var broadNouns = strings.Fields("person people place location organization organisation date")

// headIsPerson reports whether it is persons of whom a concept says something.
func headIsPerson(concept *lexicon.Concept) bool {
	return slices.ContainsFunc(concept.Head, func(p lexicon.Phrase) bool {
		return p.Text == "person" || p.Text == "player"
	})
}

func (c *compiler) add(p lexicon.Phrase, st schema.Step, weight float64, as role) {
	c.addCue(cue{stems: p.Stems, gap: p.Gap, step: st, weight: weight, role: as})
}

func (c *compiler) addCue(q cue) {
	if len(q.stems) > 1 {
		q.weight += cueWeights.phrase
	}
	q.step = c.s.Canonical(q.step)
	last := q.stems[len(q.stems)-1]
	c.t.byLast[last] = append(c.t.byLast[last], q)
}

// addKind lets a noun name the kind of a slot's entities. Of several words the
// last is what a thing is: a motion picture is a picture.
func (c *compiler) addKind(p lexicon.Phrase, at schema.Slot) {
	noun, kind := p.Stems[len(p.Stems)-1], c.s.Kind(at)
	c.t.kinds[noun] = kg.With(c.t.kinds[noun], kind)
	c.t.slotKinds[noun] = kg.With(c.t.slotKinds[noun], at)
}

func (c *compiler) addAnswer(at schema.Slot, a lexicon.Answer) {
	kind := c.s.Kind(at)
	c.t.answers[kind] = kg.With(c.t.answers[kind], a)
	c.t.slotAnswers[at] = kg.With(c.t.slotAnswers[at], a)
}

// addTypes lets the labels of the graph's own types name their entities, and those of
// the types below them. What has no entities but by the types below it is named so too.
func (c *compiler) addTypes(mappings []Mapping) {
	g := c.s.Graph()
	called := map[string]kg.TypeID{}
	for t := range g.NumTypes() {
		called[strings.ToLower(g.TypeLabel(kg.TypeID(t)))] = kg.TypeID(t)
	}
	below, above := c.subtypes(called, mappings)
	add := func(label string, ids ...kg.TypeID) {
		stems := lexicon.Stems(label)
		for _, id := range ids {
			if len(stems) > 0 {
				last := stems[len(stems)-1]
				c.t.types[last] = append(c.t.types[last], typeNoun{stems: stems, id: id})
			}
		}
	}
	for t := range kg.TypeID(g.NumTypes()) {
		label := g.TypeLabel(t)
		add(label, t)
		add(label, below[strings.ToLower(label)]...)
		if stems := lexicon.Stems(label); len(stems) > 0 {
			c.t.typeAnswers[t] = slices.DeleteFunc(slices.Clone(c.lex.AnswersNamed(stems[len(stems)-1])), func(a lexicon.Answer) bool {
				return a == lexicon.Number // employees, of whom others say only how many there are
			})
		}
	}
	for _, label := range above {
		if _, is := called[label]; !is {
			add(label, below[label]...)
		}
	}
}

// addHeadNouns lets the last words of a type's label name it, where no type and no relation to other
// things is called so: "trials" are the clinical trials.
func (c *compiler) addHeadNouns() {
	parts := map[string][]typeNoun{}
	for id := range kg.TypeID(c.s.Graph().NumTypes()) {
		stems := lexicon.Stems(c.s.Graph().TypeLabel(id))
		if slices.ContainsFunc(stems, c.lex.IsStop) {
			continue // a point of interest is no interest
		}
		for n := 1; n < len(stems); n++ {
			part, last := stems[n:], stems[len(stems)-1]
			isCalled := slices.ContainsFunc(c.t.types[last], func(t typeNoun) bool { return slices.Equal(t.stems, part) }) ||
				slices.ContainsFunc(c.t.byLast[last], func(q cue) bool { return len(q.stems) == 1 && !c.isOf(q.step, id) }) && !c.isOnlyOf(last, id)
			if !isCalled {
				parts[last] = append(parts[last], typeNoun{part, id, true})
			}
		}
	}
	for last, nouns := range parts {
		c.t.types[last] = append(c.t.types[last], nouns...)
	}
}

// isOnlyOf reports whether a stem is in the names of relations, and all of these lead to nothing but things
// of a type, or from them: a farm of turbines is a wind farm.
func (c *compiler) isOnlyOf(stem string, id kg.TypeID) (is bool) {
	for r := range kg.RelationID(c.s.Graph().Relations()) {
		if slices.Contains(lexicon.Stems(c.s.Graph().RelationText(r)), stem) {
			if !c.isOf(schema.Forward(r), id) {
				return false
			}
			is = true
		}
	}
	return is
}

// isOf reports whether all that a step leads from, or to, is of a type.
func (c *compiler) isOf(st schema.Step, id kg.TypeID) bool {
	return c.s.Types(st.From())[id] >= 1 || c.s.Types(st.To())[id] >= 1
}

// subtypes returns the types below each class, ascending, by its label in lower case, where the
// graph has a relation for that between things that are called as the types are: one for it
// alone, or that which says what things are of what is itself such a thing. "A moussaka is a
// casserole" and "a casserole is a dish" make casserole a kind of dish, and no dish. above are
// the classes.
func (c *compiler) subtypes(called map[string]kg.TypeID, mappings []Mapping) (below map[string][]kg.TypeID, above []string) {
	g := c.s.Graph()
	next := map[string][]string{}
	of, _ := c.lex.Concept("instance of")
	saysKind := func(label string) bool { // what is a lighthouse is none of the classes, which "lighthouse" is
		return slices.ContainsFunc(c.lex.Concepts[of].Tail, func(p lexicon.Phrase) bool { return slices.Equal(p.Stems, lexicon.Stems(label)) })
	}
	for r := range kg.RelationID(g.Relations()) {
		alone := lexicon.IsSubclass(lexicon.RelationWords(g.RelationName(r)))
		if len(called) == 0 || !alone && !slices.Contains(mappings[r].Concepts, lexicon.InstanceOf) {
			continue
		}
		for _, sub := range g.Heads(r) {
			if !alone && len(g.InBy(sub, r)) == 0 {
				continue
			}
			label := strings.ToLower(g.Label(sub))
			_, ok := called[label]
			for _, e := range g.OutBy(sub, r) {
				to := strings.ToLower(g.Label(e.Entity))
				if _, is := called[to]; !alone && (!ok || !is || saysKind(to)) {
					continue
				}
				next[to] = append(next[to], label)
				if !alone {
					c.t.classes[sub] = true
				}
			}
		}
	}
	below, above = map[string][]kg.TypeID{}, slices.Sorted(maps.Keys(next))
	for _, label := range above {
		seen := map[string]bool{label: true}
		for todo := next[label]; len(todo) > 0; todo = todo[1:] {
			if seen[todo[0]] {
				continue
			}
			seen[todo[0]] = true
			if id, ok := called[todo[0]]; ok {
				below[label] = append(below[label], id)
			}
			todo = append(slices.Clone(todo), next[todo[0]]...)
		}
		slices.Sort(below[label])
	}
	return below, above
}

// cueWeights say how strongly a word stands for a step. They are the words' own
// weights, by which a planner multiplies what a word is worth.
var cueWeights = struct {
	noun, nounBack, nounBackSame float64 // a noun for the tail, of the step forward and back
	verb, verbBackSame           float64
	weak                         float64 // a preposition
	inverse                      float64 // a noun of the inverse concept, for the step back
	phrase                       float64 // added for several words
	own, ownShared, ownType      float64 // a word of the relation's own name; shared with other relations; that is also a type
	ownBack, ownBackSame         float64 // factors for the step back
	ofOther                      float64 // factor for what is another relation's name
	family                       float64 // a word that begins like one of the relation's name
	meant, meantFull             float64 // a word that means something near the name, and the same
	left                         float64 // a word for which no other relation is left
}{
	noun: 1, nounBack: 0.75, nounBackSame: 0.2,
	verb: 1, verbBackSame: 0.5,
	weak: 0.5, inverse: 0.8, phrase: 0.3,
	family: 0.5, meant: 0.45, meantFull: 0.69, left: 0.3,
	own: 1, ownShared: 0.5, ownType: 0.3, ownBack: 0.9, ownBackSame: 0.2, ofOther: 0.6,
}
