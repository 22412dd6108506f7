// Package words says what the words of a text ask of a graph: which of its relations
// and kinds of things they name.
//
//	relation names, lexicon ─▶ Vocabulary ─▶ Text ─names chosen─▶ Question
package words

import (
	"maps"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/meanings"
	"cairn/engine/schema"
)

// Vocabulary is what words mean over one graph. It is immutable and safe for
// concurrent use.
type Vocabulary struct {
	g         *kg.Graph
	lex       *lexicon.Lexicon
	schema    *schema.Schema
	mappings  []Mapping
	cues      *cueTable
	byVector  *byVector    // nil where words mean only what the lexicon tells
	persons   []personHood // by type
	typeHeads []typeHead
	short     []string               // see shortWords
	read      map[string]bool        // the stems that name types, or alone ask for relations
	whole     map[string][]wholeName // see wholeName
	called    map[string][]kg.RelationID
	truths    []kg.RelationID // see IsTruth
	qualities []Quality
	symmetric []bool // by relation, see Symmetric
	bothWays  []bool // of relations that are read both ways, whichever way a triple has them
}

// Own is what the user said about the words of one graph.
type Own struct {
	Overrides []Override // replace the mappings of relations
	Choices   []Choice   // settle what words ask for
}

// New returns the vocabulary of a graph whose schema is read. Its schema unites the
// slots that are of one kind by what relations mean. table, which may be nil, tells what
// words mean beside the lexicon.
func New(s *schema.Schema, lex *lexicon.Lexicon, own Own, table *meanings.Table) *Vocabulary {
	lex = lex.WithQualities(qualities(s))
	v := &Vocabulary{g: s.Graph(), lex: lex, mappings: mapRelations(s, lex, own.Overrides)}
	v.schema = s.Uniting(sameEnds(v.mappings, lex))
	v.whole = wholeNames(lex, v.mappings)
	v.called = map[string][]kg.RelationID{}
	for r := range kg.RelationID(v.g.Relations()) {
		if told := slices.DeleteFunc(slices.Clone(v.NameOf(r)), lex.IsStop); len(told) == 1 {
			stem := lexicon.Stem(told[0])
			v.called[stem] = append(v.called[stem], r)
		}
	}
	for r := range kg.RelationID(v.g.Relations()) {
		if v.IsTruth(r) {
			v.truths = append(v.truths, r)
		}
		name := slices.DeleteFunc(slices.Clone(v.NameOf(r)), func(w string) bool { return copulas[w] })
		if word := v.quality(r, name); word != "" {
			v.qualities = append(v.qualities, Quality{Relation: r, name: word})
		}
	}
	v.cues = compile(v.schema, lex, v.mappings, own.Choices)
	v.byVector = newByVector(v.schema, lex, v.mappings, table)
	v.short, v.read = v.shortWords(), map[string]bool{}
	for _, table := range [][]string{slices.Collect(maps.Keys(v.cues.types)), slices.Collect(maps.Keys(v.cues.byLast))} {
		for _, stem := range table {
			if v.reads(stem) && !lex.IsStop(stem) {
				v.read[stem] = true
			}
		}
	}
	v.persons, v.typeHeads = persons(v.g, table), v.headsOfTypes()
	v.symmetric, v.bothWays = make([]bool, v.g.Relations()), make([]bool, v.g.Relations())
	for r := range v.bothWays {
		id := kg.RelationID(r)
		v.symmetric[r] = v.isSymmetric(id)
		v.bothWays[r] = v.schema.IsSymmetric(id) || v.symmetric[r] && v.g.IsOneWay(id)
	}
	return v
}

// quality returns the word that alone says what a relation of yes and no says: that of its name, or
// the one that an adverb or a noun goes with, "protected site", where no other relation has it; "" for none.
func (v *Vocabulary) quality(of kg.RelationID, name []string) string {
	if len(name) == 0 || !v.IsTruth(of) {
		return ""
	}
	word := name[0]
	switch {
	case len(name) == 1:
		return word
	case len(name) == 2 && strings.HasSuffix(word, "ly"):
		word = name[1]
	case len(name) > 2 || !lexicon.IsParticiple(word):
		return ""
	}
	for r := range kg.RelationID(v.g.Relations()) {
		if r != of && slices.Contains(lexicon.Stems(v.g.RelationText(r)), lexicon.Stem(word)) {
			return ""
		}
	}
	return word
}

// Quality is what a relation of yes and no says of a thing by one word.
type Quality struct {
	Relation kg.RelationID
	Denied   bool // by the word that says it: "unelectrified"
	name     string
}

// Qualities returns what a folded word may say that the graph says yes or no of: "smokes" of "smoker".
func (v *Vocabulary) Qualities(word string) (out []Quality) {
	for _, q := range v.qualities {
		if denied, ok := lexicon.SaysQuality(q.name, word); ok {
			q.Denied = denied
			out = append(out, q)
		}
	}
	return out
}

// qualities are the nouns in the names of relations to numbers.
func qualities(s *schema.Schema) (nouns []string) {
	for r := range kg.RelationID(s.Graph().Relations()) {
		if s.Value(schema.Forward(r).To()) == schema.NumberValue {
			name := lexicon.RelationWords(s.Graph().RelationName(r))
			if last := len(name) - 1; last > 0 && kg.UnitsOf(name[last]) != nil {
				name = name[:last] // "lead time days" has a unit, and "minutes" is a value
			}
			nouns = append(nouns, name...)
		}
	}
	return nouns
}

// Mappings returns what each relation of the graph means in the words of
// questions, by relation id. It must not be changed.
func (v *Vocabulary) Mappings() []Mapping { return v.mappings }

// Mapping returns what one relation means in the words of questions.
func (v *Vocabulary) Mapping(r kg.RelationID) Mapping { return v.mappings[r] }

// NameOf returns the words of a relation's name as the graph shows them to be meant: see nameOf.
func (v *Vocabulary) NameOf(r kg.RelationID) []string { return v.mappings[r].name }

// Called returns the relations of whose names one word, by its stem, is all that tells.
func (v *Vocabulary) Called(stem string) []kg.RelationID { return v.called[stem] }

// StepsCalled returns the steps to what a noun calls things by the whole name of a relation; nil
// for the graph's own types, which may stand at many ends.
func (v *Vocabulary) StepsCalled(w *Word) (steps []schema.Step) {
	for _, r := range v.called[w.Stem] {
		for _, st := range []schema.Step{schema.Forward(r), schema.Forward(r).Back()} {
			if st = v.schema.Canonical(st); len(w.Types) == 0 && w.Names[st] && w.Weight[st] >= w.Weight[v.schema.Back(st)] && !slices.Contains(steps, st) {
				steps = append(steps, st)
			}
		}
	}
	return steps
}

// IsOther reports whether a noun calls things by the whole name of a relation, and not what a step
// leads to: of players of clubs, none is a club, and who has a mentor need be none. A city "has
// headquarters" where they lead to it.
func (v *Vocabulary) IsOther(w *Word, st schema.Step) bool {
	called, at := v.StepsCalled(w), st.To()
	return len(called) > 0 && !slices.ContainsFunc(called, func(c schema.Step) bool {
		return c == st || c == st.Back() && !v.schema.JoinsSame(st.Relation()) || c.Relation() != st.Relation() && v.schema.Shared(at, c.To()) == v.schema.Size(at)
	})
}

// SlotsNamed returns the slots of the graph whose things a noun names, by its stem.
func (v *Vocabulary) SlotsNamed(stem string) []schema.Slot { return v.cues.slotKinds[stem] }

// AnswersAt returns the kinds of answers that are in a slot, by what relations say of it.
func (v *Vocabulary) AnswersAt(at schema.Slot) []lexicon.Answer { return v.cues.slotAnswers[at] }

// IsAnswer reports whether what is in a slot is a kind of answer: by the graph's
// types, where the lexicon knows them or their meaning tells persons, otherwise by what relations say of it.
func (v *Vocabulary) IsAnswer(at schema.Slot, a lexicon.Answer) bool {
	if is, known := v.IsTyped(at, a); known {
		return is
	}
	return slices.Contains(v.cues.answers[v.schema.Kind(at)], a)
}

// IsToldAnswer is IsAnswer by the lexicon alone.
func (v *Vocabulary) IsToldAnswer(at schema.Slot, a lexicon.Answer) bool {
	if is, known := v.isTyped(at, a, false); known {
		return is
	}
	return slices.Contains(v.cues.answers[v.schema.Kind(at)], a)
}

// IsOfTypes reports whether what relations say of a kind of answer may be said of what is in a slot, by the
// graph's types: of patents and their inventors, who may be of one kind by a country, only inventors were born.
func (v *Vocabulary) IsOfTypes(at schema.Slot, a lexicon.Answer) bool {
	if is, _ := v.IsTyped(at, a); is || v.schema.Typed(at) < typedMin || slices.Contains(v.cues.slotAnswers[at], a) {
		return true
	}
	for o, as := range v.cues.slotAnswers {
		if !slices.Contains(as, a) || !v.schema.SameKind(o, at) {
			continue
		}
		if v.schema.Typed(o) < typedMin {
			return true
		}
		for t := range v.schema.Types(o) {
			if v.schema.Types(at)[t] > 0 {
				return true
			}
		}
	}
	return false
}

// IsTyped is IsAnswer by the graph's types and keys alone, as the lexicon knows them or, for persons, as they
// mean; known is false where they do not tell.
func (v *Vocabulary) IsTyped(at schema.Slot, a lexicon.Answer) (is, known bool) {
	return v.isTyped(at, a, a == lexicon.Person)
}

// isTyped is IsTyped with or without what the types mean.
func (v *Vocabulary) isTyped(at schema.Slot, a lexicon.Answer, byMeaning bool) (is, known bool) {
	if h := answerHeads[a]; h != "" && v.schema.HeadShare(at)[h] >= headShareMin {
		return true, true
	}
	isNone := byMeaning // all types mean no persons
	for t, share := range v.schema.Types(at) {
		if share < TypeShareMin {
			continue
		}
		as := v.cues.typeAnswers[t]
		isTold := slices.ContainsFunc(as, func(o lexicon.Answer) bool { return o != lexicon.Text })
		isPerson := byMeaning && !isTold && v.persons[t] == person
		if len(as) > 0 || isPerson {
			known, is = true, is || isPerson || slices.Contains(as, a)
		}
		isNone = isNone && !isTold && v.persons[t] == noPerson
	}
	known = known || isNone && len(v.schema.Types(at)) > 0
	return is, known
}

// Slots returns the slots that an entity is in.
func (v *Vocabulary) Slots(e kg.EntityID) []schema.Slot { return v.schema.SlotsOf(e, nil) }

// answerHeads are the words by which keys of relations call kinds of answers:
// "people.person.place_of_birth".
var answerHeads = map[lexicon.Answer]string{
	lexicon.Person: lexicon.Stem("person"), lexicon.Place: lexicon.Stem("location"), lexicon.Organization: lexicon.Stem("organization"),
}

// IsNumber reports whether a slot holds numbers.
func (v *Vocabulary) IsNumber(at schema.Slot) bool {
	return v.schema.Value(at) == schema.NumberValue || v.IsAnswer(at, lexicon.Number)
}
