package words

import (
	"fmt"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// What the planner knows of a graph's relations, for planners that have their
// patterns from elsewhere, and for whoever makes questions.

// AsksFor reports whether a word of a question, by its stem, asks for r: it is of
// the relation's own name, or of those that its meanings have, or the user chose it.
func (v *Vocabulary) AsksFor(r kg.RelationID, stem string) bool {
	if chosen, asks := v.asksByChoice(r, stem); chosen {
		return asks
	}
	m := v.mappings[r]
	if slices.ContainsFunc(m.Words, func(w string) bool { return slices.Contains(lexicon.Stems(w), stem) }) {
		return true
	}
	return v.means(r, func(c *lexicon.Concept) bool {
		// "Film" is a word of "film maker", and yet the kind of the other end.
		return hasStem(slices.Concat(c.Relation, c.Tail, c.Ask), stem) && !hasStem(c.Head, stem)
	})
}

// IsOwn reports whether a word, by its stem, is of r's own name, or of the family of one that is.
func (v *Vocabulary) IsOwn(r kg.RelationID, stem string) bool {
	return slices.Contains(lexicon.Stems(v.g.RelationText(r)), stem) ||
		slices.Contains(v.cues.family(stem), v.schema.Canonical(schema.Forward(r)))
}

// TypeOfVerb returns the one type whose label is a noun of the family of a verb, by its stem: "inspection" of
// "inspected".
func (v *Vocabulary) TypeOfVerb(stem string) (found kg.TypeID, ok bool) {
	for noun, types := range v.cues.types {
		isNoun := noun == stem || lexicon.IsFamily(noun, stem, looseStem) && lexicon.Agent(noun) != stem
		for _, t := range types {
			if isNoun && len(t.stems) == 1 && !t.part {
				if ok && t.id != found {
					return 0, false
				}
				found, ok = t.id, true
			}
		}
	}
	return found, ok
}

// IsCalled reports whether a noun is the whole name of the relation of a step, and so for whatever that
// leads to: a librettist is what "librettist" leads to, typed so or not.
func (v *Vocabulary) IsCalled(s schema.Step, noun string) bool {
	name := v.NameOf(s.Relation())
	return !s.IsBack() && len(name) == 1 && lexicon.Stem(lexicon.Singular(name[0])) == lexicon.Stem(lexicon.Singular(noun))
}

// Joins reports whether a word, by its stem, names the kind of what r joins: "film"
// or "person" for a film's director.
func (v *Vocabulary) Joins(r kg.RelationID, stem string) bool {
	return v.means(r, func(c *lexicon.Concept) bool {
		return lexicon.Stem(c.Answer.String()) == stem || hasStem(c.Head, stem) ||
			slices.ContainsFunc(lexicon.AnswerNouns[c.Answer], func(noun string) bool { return lexicon.Stem(noun) == stem })
	})
}

// IsGuess reports whether nothing but the lexicon tells that the things in a slot are what a noun
// calls them: no word of the relation, nor what they are to it, nor what another relation says of
// them. Where somebody was born may be a city or a country, and is a birthplace.
func (v *Vocabulary) IsGuess(w *Word, at schema.Slot) bool {
	r := schema.Step(at).Relation()
	isCalled := func(noun string) bool { return lexicon.Stem(noun) == w.Stem }
	if !w.IsKind() || v.IsOwn(r, w.Stem) || len(w.heads) > 0 || slices.ContainsFunc(broadNouns, isCalled) {
		return false
	}
	for _, nouns := range lexicon.AnswerNouns {
		if slices.ContainsFunc(nouns, isCalled) {
			return true
		}
	}
	isOther := func(o schema.Slot) bool {
		return schema.Step(o).Relation() != r && v.schema.Kind(o) == v.schema.Kind(at)
	}
	isRole := func(c *lexicon.Concept) bool {
		return hasStem(c.Tail, w.Stem) || c.Inverse >= 0 && hasStem(v.lex.Concepts[c.Inverse].Tail, w.Stem)
	}
	return !slices.ContainsFunc(v.SlotsNamed(w.Stem), isOther) && !v.means(r, isRole)
}

// Meaning returns the concepts of the lexicon that r means, and the words besides
// theirs that ask for it.
func (v *Vocabulary) Meaning(r kg.RelationID) (concepts, words []string) {
	return v.mappings[r].Concepts, v.mappings[r].Words
}

// NamesKind reports whether a word names a kind of thing in the graph.
func (v *Vocabulary) NamesKind(word string) bool {
	stem := lexicon.Stem(word)
	return len(v.cues.kinds[stem]) > 0 || len(v.cues.types[stem]) > 0
}

// TypeFrom returns how many words the label of a type of the graph has that stands whole from word
// i on; 0 for none.
func (r *Text) TypeFrom(i int) int {
	q := Question{voc: r.Vocabulary, Words: r.Words}
	for j := i; j < len(r.Words); j++ {
		if slices.ContainsFunc(r.Vocabulary.cues.types[r.Words[j].Stem], func(t typeNoun) bool {
			return !t.part && len(t.stems) == j-i+1 && q.matches(j, cue{stems: t.stems})
		}) {
			return j - i + 1
		}
	}
	return 0
}

// IsNamed reports whether any noun names the kind of what is in a slot.
func (v *Vocabulary) IsNamed(at schema.Slot) bool {
	kind := v.schema.Kind(at)
	for _, kinds := range v.cues.kinds {
		if slices.Contains(kinds, kind) {
			return true
		}
	}
	return len(v.schema.Types(at)) > 0
}

// Graph is the graph whose vocabulary it is.
func (v *Vocabulary) Graph() *kg.Graph { return v.g }

// Schema is what the planner knows of its graph.
func (v *Vocabulary) Schema() *schema.Schema { return v.schema }

// Lexicon is what the planner knows of words.
func (v *Vocabulary) Lexicon() *lexicon.Lexicon { return v.lex }

// Edge writes a step between two nodes of a pattern, which may go by other relations as well. Its head
// is From.
func (v *Vocabulary) Edge(from, to int, st schema.Step, or ...kg.RelationID) pattern.Edge {
	if st.IsBack() {
		from, to = to, from
	}
	r := st.Relation()
	e := pattern.Edge{From: from, To: to, Relation: v.nameOr(r, or), Fixed: v.schema.Twins(r), Direction: pattern.Forward}
	for _, o := range or {
		e.Fixed = slices.Concat(e.Fixed, v.schema.Twins(o))
	}
	if v.bothWays[r] {
		e.Direction = pattern.Either // a triple in one direction is enough
	}
	return e
}

// nameOr names a relation and others: "father or mother".
func (v *Vocabulary) nameOr(r kg.RelationID, or []kg.RelationID) string {
	return strings.Join(wording.Each(append([]kg.RelationID{r}, or...), v.g.RelationText), " or ")
}

// Arrow says a step, which may go by other relations as well: "—directed by→" or "←directed by—".
func (v *Vocabulary) Arrow(st schema.Step, or ...kg.RelationID) string {
	name := v.nameOr(st.Relation(), or)
	if st.IsBack() {
		return "←" + name + "—"
	}
	return "—" + name + "→"
}

// Asks says which word, -1 for none, asks for a relation.
func (q *Question) Asks(word int, r kg.RelationID) string {
	said := "no word"
	if word >= 0 {
		w := &q.Words[word]
		said = wording.Quote(w.Text)
		switch m, ok := w.MeantFor(r); {
		case ok && m.Name == "":
			return fmt.Sprintf("%s may ask for %s: it asks for no other relation, and no other word asks for this one", said, wording.Quote(q.voc.g.RelationText(r)))
		case ok:
			return fmt.Sprintf("%s asks for %s by its meaning: %s is close to it (cosine %.2f)", said, wording.Quote(q.voc.g.RelationText(r)), wording.Quote(m.Name), m.Cosine)
		}
	}
	return said + " asks for " + wording.Quote(q.voc.g.RelationText(r))
}

func hasStem(phrases []lexicon.Phrase, stem string) bool {
	return slices.ContainsFunc(phrases, func(ph lexicon.Phrase) bool { return slices.Contains(ph.Stems, stem) })
}

// Symmetric reports whether r says the same in both directions: its triples are
// there both ways, or its meaning is such that they might be, as with "borders".
func (v *Vocabulary) Symmetric(r kg.RelationID) bool { return v.symmetric[r] }

// isSymmetric is Symmetric before it is known.
func (v *Vocabulary) isSymmetric(r kg.RelationID) bool {
	if v.schema.IsSymmetric(v.schema.Canonical(schema.Forward(r)).Relation()) {
		return true
	}
	name := v.NameOf(r)
	return lexicon.IsMutual(name) || !lexicon.IsOneSided(name) && !v.mappings[r].apart &&
		v.means(r, func(c *lexicon.Concept) bool { return c.SameEnds && c.Inverse < 0 })
}

// maxTruths is how many ways there may be to write yes and no.
const maxTruths = 6

// IsTruth reports whether all that a relation leads to is yes or no.
func (v *Vocabulary) IsTruth(r kg.RelationID) bool { return isTruth(v.g, r) }

func isTruth(g *kg.Graph, r kg.RelationID) bool {
	tails := g.Tails(r)
	return len(tails) > 0 && len(tails) <= maxTruths && !slices.ContainsFunc(tails, func(e kg.EntityID) bool { _, ok := lexicon.Truth(g.Label(e)); return !ok })
}

// TruthRelations returns the relations that say yes or no. They must not be changed.
func (v *Vocabulary) TruthRelations() []kg.RelationID { return v.truths }

// Truths returns the values that say yes to what a relation says, or no; nil where it leads to
// others than yes and no.
func (v *Vocabulary) Truths(r kg.RelationID, yes bool) []kg.EntityID {
	if !v.IsTruth(r) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(v.g.Tails(r)), func(e kg.EntityID) bool { is, _ := lexicon.Truth(v.g.Label(e)); return is != yes })
}

// Counts reports whether a relation leads to numbers that say how many there are of what its
// name calls in the plural: "seats". Where the numbers look like years, each thing has one.
func (v *Vocabulary) Counts(r kg.RelationID) bool {
	name, value := v.NameOf(r), v.schema.Value(schema.Forward(r).To())
	if len(name) == 0 || !lexicon.IsPlural(name[len(name)-1]) || value == schema.NoValue || v.schema.Measured(r).Unit != "" {
		return false
	}
	if value == schema.NumberValue {
		return true
	}
	triples := 0
	for _, e := range v.g.Tails(r) {
		if x, ok := v.g.Value(e); !ok || x.Kind != kg.NumberValue {
			return false
		}
		triples += len(v.g.InBy(e, r))
	}
	return triples == len(v.g.Heads(r))
}

// JoinsSame reports whether r joins things of one kind, such as a person and
// their parent: only its direction tells which is which.
func (v *Vocabulary) JoinsSame(r kg.RelationID) bool {
	return v.schema.JoinsSame(r) || !v.mappings[r].apart && v.means(r, func(c *lexicon.Concept) bool { return c.SameEnds })
}

// Partner returns the relation that says of a woman what another says of a man, or the other way
// round, of things of the same kinds, "mother" for "father"; or none.
func (v *Vocabulary) Partner(r kg.RelationID) []kg.RelationID {
	name := v.NameOf(r)
	for o := range kg.RelationID(v.g.Relations()) {
		other := v.NameOf(o)
		if o == r || len(other) != len(name) || !v.schema.SameKind(schema.Forward(o).From(), schema.Forward(r).From()) {
			continue
		}
		apart := 0
		for i := range name {
			switch {
			case name[i] == other[i]:
			case lexicon.IsOtherGender(name[i:i+1], other[i]):
				apart++
			default:
				apart = len(name) + 1
			}
		}
		if apart == 1 {
			return []kg.RelationID{o}
		}
	}
	return nil
}

// IsGender reports whether a relation says the gender of its head.
func (v *Vocabulary) IsGender(r kg.RelationID) bool {
	return v.means(r, func(c *lexicon.Concept) bool { return c.Name == lexicon.GenderOf })
}

// NarrowGender narrows a node of a pattern down to those of a gender, by types or by the edges that it
// returns, of a relation that says it; false where the graph says it of none.
func (v *Vocabulary) NarrowGender(pat *pattern.Pattern, node int, gender string) (more []pattern.Edge, ok bool) {
	g := v.g
	for rel := range kg.RelationID(g.Relations()) {
		var values []kg.EntityID
		for _, e := range g.Tails(rel) {
			if v.IsGender(rel) && schema.GenderValue(g.Label(e)) == gender {
				values = append(values, e)
			}
		}
		if len(values) > 0 {
			pat.Nodes = append(pat.Nodes, pattern.Node{Text: g.Label(values[0]), Entities: values})
			return []pattern.Edge{v.Edge(node, len(pat.Nodes)-1, schema.Forward(rel))}, true
		}
	}
	var types []kg.TypeID
	for t := range kg.TypeID(g.NumTypes()) {
		if slices.ContainsFunc(lexicon.Tokenize(g.TypeLabel(t)), func(w lexicon.Token) bool { return lexicon.Gender(w.Lower) == gender }) {
			types = append(types, t)
		}
	}
	if len(types) == 0 {
		return nil, false
	}
	pat.Nodes[node].Within, pat.Nodes[node].Type = v.OfTypes(types), g.TypeLabel(types[0])
	return nil, true
}

// NamesEnd reports which end of a relation a folded noun names; known is false where nothing tells.
func (v *Vocabulary) NamesEnd(r kg.RelationID, noun string) (tail, known bool) {
	name := v.NameOf(r)
	if tail, known = v.lex.NamesEnd(name, v.mappings[r].Means, noun); known || len(name) == 0 || v.schema.IsSymmetric(r) {
		return tail, known
	}
	if tail, known = v.TypedEnd(r, noun); known {
		return tail, true // of "coaches", things called coaches are the heads
	}
	own := len(name) - 1 // "prerequisites" leads to a prerequisite, "prerequisite of" from one
	if tail = !lexicon.NamesHead(name); !tail {
		own--
	}
	return tail, lexicon.Stem(lexicon.Singular(noun)) == lexicon.Stem(lexicon.Singular(name[own]))
}

// TypedEnd reports which end of a relation a folded noun names as the type of more of the things there
// than at the other end, nearly all of them; known is false where it does not.
func (v *Vocabulary) TypedEnd(r kg.RelationID, noun string) (tail, known bool) {
	const nearlyAll = 0.9
	stem := lexicon.Stem(noun)
	share := func(at schema.Slot) (most float64) {
		for t, part := range v.schema.Types(at) {
			if stems := lexicon.Stems(v.g.TypeLabel(t)); len(stems) == 1 && stems[0] == stem {
				most = max(most, part)
			}
		}
		return most
	}
	heads, tails := share(schema.Forward(r).From()), share(schema.Forward(r).To())
	return tails > heads, heads != tails && max(heads, tails) >= nearlyAll
}

// means reports whether something holds of a concept that a relation means.
func (v *Vocabulary) means(r kg.RelationID, is func(*lexicon.Concept) bool) bool {
	return slices.ContainsFunc(v.mappings[r].Means, func(c int) bool { return is(&v.lex.Concepts[c]) })
}

// OfTypes returns the things of any of the types, ascending. Where there are several, one
// above the others, the kinds that they are are none of them.
func (v *Vocabulary) OfTypes(types []kg.TypeID) []kg.EntityID {
	if len(types) == 1 {
		return v.g.OfType(types[0])
	}
	var out []kg.EntityID
	for _, t := range types {
		out = append(out, v.g.OfType(t)...)
	}
	return slices.DeleteFunc(kg.Distinct(out), func(e kg.EntityID) bool { return v.cues.classes[e] })
}

// AreMixed reports whether things that have types have no type in common by half.
func (v *Vocabulary) AreMixed(things []kg.EntityID) bool {
	of, typed := map[kg.TypeID]int{}, 0
	for _, e := range things {
		ts := v.g.Types(e)
		if len(ts) > 0 {
			typed++
		}
		for _, t := range ts {
			of[t]++
		}
	}
	most := 0
	for _, n := range of {
		most = max(most, n)
	}
	return 2*most < typed
}

// TakenWide says in a sentence that a noun was taken for things that are mixed.
func TakenWide(noun string) string {
	return fmt.Sprintf("This graph has no type %s, so entities of many types were used.", wording.Quote(noun))
}

// HasEnded reports whether a statement of a step from e says until when it was so.
func (v *Vocabulary) HasEnded(e kg.EntityID, st schema.Step) bool {
	if !v.g.HasProperties() {
		return false
	}
	for _, x := range v.schema.Edges(e, st) {
		for said := range v.g.Statements(x.Triple) {
			if slices.ContainsFunc(said, v.isEnd) {
				return true
			}
		}
	}
	return false
}

// EndsBefore returns the property of a statement that says it was so until some time before a
// day; "" for none.
func (v *Vocabulary) EndsBefore(said []kg.Property, day string) string {
	i := slices.IndexFunc(said, func(p kg.Property) bool {
		before := pattern.NewTest(v.g, []pattern.Condition{{Property: p.Name, Op: pattern.Less, Value: day}})
		return v.isEnd(p) && before.Says([]kg.Property{p})
	})
	if i < 0 {
		return ""
	}
	return said[i].Name
}

// isEnd reports whether a property says until when a statement was so.
func (v *Vocabulary) isEnd(p kg.Property) bool {
	_, ends := pattern.EndOf(v.g, p.Name)
	return ends
}

// TakenEver says in a sentence that what a relation says was taken for all times.
func TakenEver(relation string) string {
	return fmt.Sprintf("Statements of %s say when it ended; those of all times were included.", wording.Quote(relation))
}
