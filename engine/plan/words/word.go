package words

import (
	"maps"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// Word is one token of a question and what it says about the graph.
type Word struct {
	lexicon.Token
	// Mention is the index of the mention that the word is in, or -1.
	Mention int
	// Silent says that a phrase which ends later has taken the word.
	Silent bool
	Stop   bool
	Short  bool // its stem is that of a word of a relation's name which may be short for it
	Weak   bool // no cue of it is strong
	// Misspelt says that its stem is that of the word which it most likely was to be.
	Misspelt bool
	Taken    bool // by a comparison: it is no cue
	// Weight[s] is the word's weight as a cue for step s.
	Weight map[schema.Step]float64
	// Names[s] says that the word names what step s leads to.
	Names map[schema.Step]bool
	// Kinds are the kinds of things that the word names; types the graph's own
	// types, before which kinds give way.
	Kinds []int
	Types []kg.TypeID
	// heads are the words by which keys of relations call such things.
	heads []string
	// labelled are the slots whose labels all have it.
	labelled []schema.Slot
	// ByMeaning says that the word asks for what it does by its meaning alone: for the
	// relations of Meant, or for a kind of thing.
	ByMeaning bool
	// Meant and MeantKinds are what it may mean, whether or not something else speaks
	// for it.
	Meant      []Meant
	MeantKinds []int
	meantTypes []kg.TypeID
	typeNear   float64 // how near it is to these
	// Chosen says that the user chose what it asks for.
	Chosen bool
	// Deed says that it is the verb of what happened, of which the graph has things: "erupted".
	Deed bool
	// EndsGap says that the word ends a phrase with a gap.
	EndsGap bool
}

// Tokens are the tokens of words.
func Tokens(ws []Word) []lexicon.Token {
	return wording.Each(ws, func(w Word) lexicon.Token { return w.Token })
}

// Stems are the stems of words.
func Stems(ws []Word) []string {
	return wording.Each(ws, func(w Word) string { return w.Stem })
}

// IsCue reports whether the word asks for some step.
func (w *Word) IsCue() bool { return len(w.Weight) > 0 }

// IsKind reports whether the word names a kind of thing.
func (w *Word) IsKind() bool {
	return len(w.Kinds) > 0 || len(w.Types) > 0 || len(w.heads) > 0 || len(w.labelled) > 0
}

// IsNamedKind is IsKind for a word that does so by itself or by the lexicon, and not by
// what it means alone: "hours" may mean much; nor by labels alone, which tell no list of all.
func (w *Word) IsNamedKind() bool {
	return (len(w.Kinds) > 0 || len(w.Types) > 0 || len(w.heads) > 0) && !w.ByMeaning
}

// IsPast reports whether the word is a regular past form, which names nothing.
func (w *Word) IsPast() bool {
	return strings.HasSuffix(w.Lower, "ed") && !strings.HasSuffix(w.Stem, "ed")
}

// AsksStrongly reports whether a word, perhaps as the last of a phrase such as
// "born in", clearly asks for some step.
func (w *Word) AsksStrongly() bool {
	for _, weight := range w.Weight {
		if weight >= StrongCue {
			return true
		}
	}
	return false
}

// Span is a mention with the words that it covers: words[from:to].
type Span struct {
	link.Mention
	From, To int
}

// Overlaps reports whether two spans share a word.
func (a Span) Overlaps(b Span) bool { return a.From < b.To && b.From < a.To }

// IsPlain reports whether a span is the whole of a name that the graph itself writes
// small. Its words may be everyday ones: "cell".
func (a Span) IsPlain() bool {
	return a.Candidates[0].Method == link.Exact && strings.ToLower(a.Text) == a.Text
}

// IsSure reports whether a span is a name letter by letter and beyond doubt.
func (a Span) IsSure() bool {
	if a.Strength < SureStrength {
		return false
	}
	// Names are often written small: two words of one are no chance.
	m := a.Candidates[0].Method
	return m <= link.Alias || m == link.Folded && a.To-a.From > 1 && a.Strength >= 1
}

// Question is a text with some of its spans taken as names.
type Question struct {
	voc      *Vocabulary
	Words    []Word
	Mentions []Span
	Cues     []int // words that ask for steps
	Shared   []int // words such as "same" and "share"
}

// Read reads the words of a text with some of its spans taken as names.
func (v *Vocabulary) Read(base []Word, mentions []Span) *Question {
	q := &Question{voc: v, Words: slices.Clone(base), Mentions: mentions}
	for i := range q.Words {
		q.Words[i].Mention = -1
	}
	for m, s := range mentions {
		for i := s.From; i < s.To; i++ {
			q.Words[i].Mention = m
		}
	}
	q.silence()
	for i := range q.Words {
		q.readWord(i)
	}
	for i := range q.Words {
		q.readMade(i)
		q.readApposed(i)
	}
	q.Cues = slices.DeleteFunc(q.Cues, func(i int) bool { return !q.Words[i].IsCue() })
	if len(q.Shared) == 0 {
		return q
	}
	alone := q.hops() < 2
	for _, i := range q.Shared {
		if q.isPart(i) {
			q.Words[i].Stop = false // it asks for something
		}
	}
	q.Shared = slices.DeleteFunc(q.Shared, func(i int) bool {
		return q.sharesOneStep(i) || q.isPart(i) || furtherWords[q.Words[i].Lower] && (alone || q.asksBack(i+1))
	})
	return q
}

// hops counts the words that ask for a hop each. "By the author of X" asks for two: to the
// author, and on from there.
func (q *Question) hops() (n int) {
	for _, i := range q.Cues {
		switch w := &q.Words[i]; {
		case w.Weak:
		case i > 0 && !furtherWords[q.Words[i-1].Lower] && i+1 < len(q.Words) && q.Words[i+1].Lower == "of":
			n += 2
		case len(w.Types) == 0:
			n++
		}
	}
	return n
}

// asksBack reports whether word i names itself what leads back from what another word names: "the
// other children of the mother of X".
func (q *Question) asksBack(i int) bool {
	for j := range q.Words {
		for st := range q.Words[j].Names {
			if j != i && i < len(q.Words) && q.Words[i].Names[q.voc.schema.Back(st)] {
				return true
			}
		}
	}
	return false
}

// isPart reports whether a word is the noun "share", a part of something: "what share is",
// "the share of", "hold shares in", and not "which share a border".
func (q *Question) isPart(i int) bool {
	if i == 0 || q.Words[i].Stem != lexicon.ShareStem || q.Words[i-1].Lower == "who" {
		return false
	}
	next := func(w string) bool { return i+1 < len(q.Words) && q.Words[i+1].Lower == w }
	inCommon := i+2 < len(q.Words) && q.Words[i+2].Lower == "common"
	return beforeNouns[q.Words[i-1].Lower] && (i+1 == len(q.Words) || !determiners[q.Words[i+1].Lower]) || next("of") || next("in") && !inCommon ||
		i+1 == len(q.Words) && q.Words[i].Lower != lexicon.ShareStem
}

var (
	determiners = lexicon.Words("determiners")
	beforeNouns = lexicon.Words("determiners", "question words")
)

// sharesOneStep reports whether a sharing word asks for one step, and not for one there and
// back.
func (q *Question) sharesOneStep(i int) bool {
	if w := q.Words[i]; w.Stem != lexicon.ShareStem && w.Lower != "common" {
		return false
	}
	for _, w := range q.Words[i+1:] {
		if w.Mention >= 0 || lexicon.IsTouching(w.Lower) {
			return w.Mention < 0
		}
	}
	return false
}

// silence marks the words that a longer phrase takes: in "place of birth" the
// word "place" asks for nothing by itself.
func (q *Question) silence() {
	for i := range q.Words {
		if q.Words[i].Mention >= 0 {
			continue
		}
		for _, c := range q.voc.cues.byLast[q.Words[i].Stem] {
			if len(c.stems) < 2 || c.gap || !q.matches(i, c) {
				continue
			}
			isQuality := q.isQuality(i, c.step.Relation())
			for j := i - len(c.stems) + 1; j < i; j++ {
				q.Words[j].Silent, q.Words[j].Stop = q.Words[j].Silent || !isQuality, q.Words[j].Stop && !isQuality
			}
		}
		if i > 0 && q.Words[i].Lower == "place" && q.Words[i-1].Mention < 0 && lexicon.Base(q.Words[i-1].Lower) == "take" && !q.voc.cues.takesPlace {
			q.Words[i-1].Silent, q.Words[i].Silent = true, true // what takes place is no place
		}
		if i > 0 && moneys[q.Words[i].Lower] && q.Words[i-1].Mention < 0 && !q.Words[i-1].Stop && len(q.cuesOf(&q.Words[i])) == 0 {
			q.Words[i].Stop = true // who transfers money transfers
		}
		if q.saysStill(i) {
			q.Words[i].Stop, q.Words[i].Taken = true, true
		}
		for _, t := range q.voc.cues.types[q.Words[i].Stem] { // "production lines"
			for j := i - len(t.stems) + 1; j < i && q.matches(i, cue{stems: t.stems}); j++ {
				q.Words[j].Silent = true
			}
		}
	}
}

// saysStill reports whether word i says that something is now what the name behind it says, a state of which the graph
// does not say when it was: what is "still open" is open.
func (q *Question) saysStill(i int) bool {
	if i == 0 || i+1 == len(q.Words) || !lexicon.IsOfNow(q.Words[i].Lower) || !copulas[q.Words[i-1].Lower] && !copulas[q.Words[0].Lower] || q.Words[i+1].Mention < 0 {
		return false
	}
	g := q.voc.g
	return !slices.ContainsFunc(q.Mentions[q.Words[i+1].Mention].Candidates, func(c link.Candidate) bool {
		hasTime := func(x kg.Edge) bool {
			for range g.Statements(x.Triple) {
				return true
			}
			return false
		}
		return len(g.Out(c.Entity)) > 0 || slices.ContainsFunc(g.In(c.Entity), hasTime)
	})
}

// isQuality reports whether a relation that word i ends the name of says yes or no of what that word
// names: not all pumps are "spare pumps".
func (q *Question) isQuality(i int, r kg.RelationID) bool {
	types := q.typesAt(i)
	return len(types) > 0 && q.voc.IsTruth(r) && q.voc.schema.Types(schema.Forward(r).From())[types[0]] > 0
}

// matches reports whether the phrase of a cue ends at word i.
func (q *Question) matches(i int, c cue) bool {
	if c.gap {
		need := c.stems[:len(c.stems)-1]
		for j := 0; j < i && len(need) > 0; j++ {
			if q.Words[j].Mention < 0 && q.Words[j].Stem == need[0] {
				need = need[1:]
			}
		}
		return len(need) == 0
	}
	start := i - len(c.stems) + 1
	if start < 0 {
		return false
	}
	for j := start; j <= i; j++ {
		if q.Words[j].Mention >= 0 || q.Words[j].Stem != c.stems[j-start] {
			return false
		}
	}
	return true
}

// StrongCue is the weight from which a word is missed where no hop takes it.
const StrongCue = 0.7

// isMeasureOf reports whether word i only says how much of something the things of the kind
// behind it have, "large rivers": it asks for no step to how large they are.
func (q *Question) isMeasureOf(i int) bool {
	w := q.Words[i].Lower
	return len(q.voc.lex.Comparisons(w)) > 0 && !strings.HasSuffix(w, "er") && !strings.HasSuffix(w, "est") &&
		i+1 < len(q.Words) && q.Words[i+1].Mention < 0 && len(q.typesAt(i+1)) > 0
}

// readWord fills what word i says.
func (q *Question) readWord(i int) {
	w := &q.Words[i]
	w.Weight, w.Names, w.Kinds, w.Types, w.heads, w.labelled, w.ByMeaning, w.Chosen, w.Deed = nil, nil, nil, nil, nil, nil, false, false, false
	if w.Mention >= 0 || w.Silent || w.Taken || q.isMeasureOf(i) {
		return
	}
	persons, isVerb := q.isPersons(i), w.IsPast() || q.isMainVerb(i)
	if !isVerb {
		w.Types = q.typesAt(i)
	}
	if persons && len(w.Types) == 0 {
		for _, t := range q.voc.cues.types[personStem] {
			if len(t.stems) == 1 && !t.part {
				w.Types = append(w.Types, t.id)
			}
		}
	}
	if len(w.Types) == 0 && !isVerb && !lexicon.IsPast(w.Lower) && !lexicon.IsParticiple(w.Lower) {
		w.Kinds = q.voc.cues.kinds[w.Stem]
		if !w.Stop {
			w.labelled = q.voc.schema.LabelledSo(w.Stem)
		}
		if persons {
			w.Kinds = slices.DeleteFunc(slices.Clone(w.Kinds), func(k int) bool { return slices.Contains(q.voc.cues.answers[k], lexicon.Number) })
		}
		for _, s := range append([]string{w.Stem}, q.voc.lex.KindsOf(w.Stem)...) {
			if q.voc.schema.IsHead(s) && !w.Stop {
				w.heads = append(w.heads, s)
			}
		}
	}
	strongest := 0.0
	for _, c := range q.cuesOf(w) {
		if q.isVerbOfNoun(i, c) {
			continue
		}
		number := q.voc.IsNumber(c.step.To()) || q.voc.IsNumber(c.step.From())
		if len(c.stems) > 1 && !q.matches(i, c) || c.chosen && q.isInPhrase(i, c) || persons && number && !c.chosen {
			continue
		}
		if w.Weight == nil {
			w.Weight, w.Names = map[schema.Step]float64{}, map[schema.Step]bool{}
		}
		w.Weight[c.step] = max(w.Weight[c.step], c.weight)
		w.Chosen = w.Chosen || c.chosen
		if c.role != weakRole {
			strongest = max(strongest, c.weight)
		}
		switch {
		case c.gap && c.role != weakRole:
			w.Names[c.step], w.EndsGap = true, true
		case w.IsPast(): // "awarded" is no award
		case c.role == nounRole, c.role == verbRole && (q.NamesSlot(w, c.step.To()) || !c.step.IsBack() && q.IsPluralOf(i, c.step.Relation())):
			w.Names[c.step] = true
		}
	}
	if w.Weight == nil && !w.Stop && len(w.Types) == 0 {
		w.Deed = slices.ContainsFunc(q.voc.cues.deeds, func(stem string) bool { return lexicon.IsFamily(w.Stem, stem, looseStem) })
		for _, s := range q.voc.cues.family(w.Stem) {
			if w.Weight == nil {
				w.Weight, w.Names = map[schema.Step]float64{}, map[schema.Step]bool{}
			}
			w.Weight[s], w.Weight[q.voc.schema.Back(s)] = cueWeights.family, cueWeights.family
		}
	}
	if !isVerb && !w.Chosen && !lexicon.IsGendered(w.Lower) && !lexicon.IsParticiple(w.Lower) {
		q.leaveOthers(w)
	}
	q.takeMeant(i)
	w.Weak = strongest < StrongCue || w.Stop
	if w.IsCue() {
		q.Cues = append(q.Cues, i)
	}
	if sharingWords[w.Lower] && !q.isOfName(w) {
		q.Shared = append(q.Shared, i)
	}
}

// leaveOthers has a noun that is the whole name of a relation ask for no other relation of the same things: where
// instructors have a grade, it is not their rate.
func (q *Question) leaveOthers(w *Word) {
	noun, v := lexicon.Singular(w.Lower), q.voc
	for _, r := range v.called[w.Stem] {
		own := schema.Forward(r)
		if name := v.NameOf(r); !w.Names[own] || len(name) != 1 || lexicon.Singular(name[0]) != noun {
			continue
		}
		isOther := func(st schema.Step) bool {
			other := schema.Forward(st.Relation())
			return !slices.Contains(lexicon.Stems(v.g.RelationText(st.Relation())), w.Stem) && v.schema.Shared(other.From(), own.From()) > 0
		}
		maps.DeleteFunc(w.Weight, func(st schema.Step, _ float64) bool { return isOther(st) })
		maps.DeleteFunc(w.Names, func(st schema.Step, _ bool) bool { return isOther(st) })
	}
}

// DoneBy returns the mention that does what the participle at word i says, "translated by X"; -1 for none.
func DoneBy(ws []Word, i int) int {
	if i+1 >= len(ws) || ws[i+1].Lower != "by" || !lexicon.IsParticiple(ws[i].Lower) {
		return -1
	}
	for i += 2; i < len(ws); i++ {
		if ws[i].Lower != "the" {
			return ws[i].Mention
		}
	}
	return -1
}

// IsApposition reports whether word i stands before a name and says what kind of thing the name is.
func (q *Question) IsApposition(i int) bool {
	if i+1 >= len(q.Words) || q.Words[i+1].Mention < 0 || !q.Words[i].IsKind() {
		return false
	}
	e := q.Mentions[q.Words[i+1].Mention].Candidates[0].Entity
	return q.NamesEntity(&q.Words[i], e, q.voc.Slots(e))
}

// readApposed has a type before a name of it, "booking B5106", ask only for what another word names: it says
// what the name is, and not that something else has a booking.
func (q *Question) readApposed(i int) {
	w := &q.Words[i]
	if len(w.Types) == 0 || !w.IsCue() || w.Chosen || !q.IsApposition(i) {
		return
	}
	isNamed := func(st schema.Step) bool {
		return slices.ContainsFunc(q.Words, func(o Word) bool { return o.Start != w.Start && o.Mention < 0 && q.NamesSlot(&o, st.To()) })
	}
	w.Weight = maps.Clone(w.Weight)
	maps.DeleteFunc(w.Weight, func(st schema.Step, _ float64) bool { return !isNamed(st) })
	w.Weak = true
}

// isVerbOfNoun reports whether a cue is a verb, and word i a noun for a kind of thing by where it
// stands: "the oldest find" finds nothing, and "which foals" asks for no date on which one foaled.
func (q *Question) isVerbOfNoun(i int, c cue) bool {
	w := &q.Words[i]
	if asks := i > 0 && (beforeNouns[q.Words[i-1].Lower] || quantifiers[q.Words[i-1].Lower] || numberWords[q.Words[i-1].Lower]); asks && lexicon.IsPlural(w.Lower) && q.voc.schema.Value(c.step.To()) == schema.DateValue {
		name := lexicon.RelationWords(q.voc.g.RelationName(c.step.Relation()))
		return slices.ContainsFunc(name, func(own string) bool {
			return lexicon.Stem(own) == w.Stem && (lexicon.IsPast(own) || lexicon.IsParticiple(own))
		})
	}
	return i > 0 && c.role == verbRole && !w.Capital && (determiners[q.Words[i-1].Lower] || lexicon.IsSuperlative(q.Words[i-1].Lower)) &&
		len(q.typesAt(i)) > 0 && !q.voc.IsOwn(c.step.Relation(), w.Stem)
}

// IsPluralOf reports whether word i is all of the name of a relation, which may be a verb by its
// form, and stands where a noun does: "the prerequisites", "two prerequisites", "prerequisites of".
func (q *Question) IsPluralOf(i int, r kg.RelationID) bool {
	w, before := &q.Words[i], ""
	if i > 0 && q.Words[i-1].Mention < 0 {
		before = q.Words[i-1].Lower
	}
	form := w.Lower
	if before == "one" || before == "1" { // "one skill"
		form = lexicon.Plural(form)
	}
	if !lexicon.IsThird(form) || !lexicon.IsVerbForm(form) || q.voc.lex.Is(lexicon.Verb, form) || !slices.Contains(q.voc.Called(w.Stem), r) || form != strings.ToLower(q.voc.g.RelationText(r)) {
		return false
	}
	next := i + 1
	for next < len(q.Words) && q.Words[next].Mention < 0 && determiners[q.Words[next].Lower] {
		next++
	}
	if before == "what" && next < len(q.Words) && q.Words[next].Mention >= 0 {
		return false // "What orbits Jupiter?"
	}
	_, isNumber := lexicon.Numeral(before)
	return before != "" && (isNumber || determiners[before] || quantifiers[before] || before == "fewer") || i+1 < len(q.Words) && q.Words[i+1].Lower == "of"
}

// readMade has "made" ask for what the noun of who makes it does, where no relation is called so:
// a director makes what the director directs, whatever else the verb may mean. Who makes a comparator
// is none.
func (q *Question) readMade(i int) {
	w := &q.Words[i]
	if lexicon.Base(w.Lower) != "make" || w.Weight == nil || w.Chosen {
		return
	}
	for s := range w.Weight {
		if q.voc.IsOwn(s.Relation(), w.Stem) {
			return
		}
	}
	did, object := map[schema.Step]float64{}, i+1
	for object < len(q.Words) && determiners[q.Words[object].Lower] {
		object++
	}
	for j := range q.Words {
		if j == object {
			continue
		}
		for s := range q.Words[j].Names {
			if lexicon.Agent(lexicon.Singular(q.Words[j].Lower)) != "" && !q.Words[j].ByMeaning && q.Words[j].Weight[s] >= StrongCue {
				did[s], did[q.voc.schema.Back(s)] = StrongCue, StrongCue
			}
		}
	}
	if len(did) > 0 {
		w.Weight, w.Names = did, map[schema.Step]bool{}
	}
}

// isMainVerb reports whether word i stands where the main verb does, and so names no kind of thing:
// "who builds X" and "what did X house" ask for no buildings and houses.
func (q *Question) isMainVerb(i int) bool {
	if i == 1 && q.Words[0].Lower == "who" {
		return true
	}
	j := i - 1
	for j >= 0 && (q.Words[j].Mention >= 0 || determiners[q.Words[j].Lower]) {
		j--
	}
	return j >= 0 && q.Words[i-1].Mention >= 0 && doing[q.Words[j].Lower]
}

// doing are the forms of "do" before a subject, behind which the verb is.
var doing = lexicon.WordSet("do does did")

// cuesOf returns the cues that end with a word.
func (q *Question) cuesOf(w *Word) []cue {
	all := q.voc.cues.byLast[w.Stem]
	if slices.ContainsFunc(all, func(c cue) bool { return c.chosen }) {
		return all
	}
	if doers := q.voc.cues.doers[lexicon.Agent(lexicon.Singular(w.Lower))]; len(doers) > 0 {
		all = slices.Concat(all, doers)
	}
	return all
}

// isOfName reports whether a word is one of a relation's name that the question has whole, but
// for little words: "holds shares in" shares nothing with anybody.
func (q *Question) isOfName(w *Word) bool {
	return slices.ContainsFunc(q.voc.cues.shares, func(rest []string) bool {
		return w.Stem == lexicon.ShareStem && !slices.ContainsFunc(rest, func(stem string) bool {
			return !slices.ContainsFunc(q.Words, func(o Word) bool { return o.Stem == stem })
		})
	})
}

// isPersons reports whether a word is "people" where none are counted, or "how many" where the graph
// has persons and no number of people: then it is persons, and no such number.
func (q *Question) isPersons(i int) bool {
	if q.Words[i].Lower != "people" {
		return false
	}
	if i == 0 {
		return true
	}
	before := q.Words[i-1].Lower
	if before == "many" && q.voc.cues.onlyPersons {
		return true
	}
	return !beforeCounted[before] && !numberWords[before] && !strings.ContainsAny(before, "0123456789")
}

// beforeCounted are the words before what is counted.
var beforeCounted = func() map[string]bool {
	ws := lexicon.Words("more", "less", "light", "prepositions")
	for w := range lexicon.WordSet("most least fewest few") {
		ws[w] = true
	}
	return ws
}()

var personStem = lexicon.Stem("person")

// sharingWords say that a path goes back along the hop that it came by: "films
// that share an actor with X".
var sharingWords, furtherWords = lexicon.Words("sharing", "further"), lexicon.Words("further")

// AsksAt yields the steps that word i asks for, and how strongly, whatever is a name.
func (r *Text) AsksAt(i int) func(yield func(schema.Step, float64) bool) {
	q := Question{voc: r.Vocabulary, Words: r.Words}
	return func(yield func(schema.Step, float64) bool) {
		for _, c := range r.Vocabulary.cues.byLast[r.Words[i].Stem] {
			if c.role != weakRole && q.matches(i, c) && !q.isVerbOfNoun(i, c) && !yield(c.step, c.weight) {
				return
			}
		}
	}
}

// typesAt returns the graph's own types whose label ends at word i; a longer
// label hides a shorter one.
func (q *Question) typesAt(i int) []kg.TypeID {
	var found []kg.TypeID
	longest := 0
	for _, t := range q.voc.cues.types[q.Words[i].Stem] {
		if len(t.stems) < longest || !q.matches(i, cue{stems: t.stems}) {
			continue
		}
		if len(t.stems) > longest {
			longest, found = len(t.stems), nil
		}
		found = append(found, t.id)
	}
	return found
}

// TypeShareMin is the share of a slot that must have a type for the type's
// name to name the slot.
const TypeShareMin = 0.02

// NamesSlot reports whether a word names the kind of thing in a slot.
func (q *Question) NamesSlot(w *Word, at schema.Slot) bool {
	for _, t := range w.Types {
		if q.voc.schema.Types(at)[t] >= TypeShareMin {
			return true
		}
	}
	if slices.Contains(w.labelled, at) {
		return true
	}
	if len(w.heads) > 0 && q.voc.schema.HeadShare(at) != nil {
		return slices.ContainsFunc(w.heads, func(h string) bool { return q.voc.schema.HeadShare(at)[h] >= headShareMin })
	}
	return slices.Contains(w.Kinds, q.voc.schema.Kind(at))
}

// typedMin is the share of a slot's entities that must have a type for their
// types to count against a word.
const typedMin = 0.5

// Contradicts reports whether a word is a type of the graph, and not that of
// what is in a slot: "city" may ask for where something lies, but where the graph
// says what its cities are, a country is none.
func (q *Question) Contradicts(w *Word, at schema.Slot) bool {
	if len(w.Types) == 0 || q.voc.schema.Typed(at) < typedMin {
		return false
	}
	return !slices.ContainsFunc(w.Types, func(t kg.TypeID) bool { return q.voc.schema.Types(at)[t] >= TypeShareMin })
}

// UnknownKind returns the word that stands for what is asked without naming a kind of thing that
// the graph has: "who", "what" alone, or the noun after it. It is −1 for none.
func (q *Question) UnknownKind() int {
	i := slices.IndexFunc(q.Words, func(w Word) bool { return asksKind[w.Lower] })
	if i < 0 {
		return -1
	}
	noun := i + 1
	switch q.Words[i].Lower {
	case "who":
		return i
	case "how": // "how many"
		noun++
	}
	switch {
	case noun >= len(q.Words):
	case q.Words[noun].Mention >= 0 || (q.Words[noun].IsKind() || q.Words[noun].IsCue()) && !q.Words[noun].ByMeaning || q.Words[noun].Taken || q.Words[noun].Silent:
		return -1
	case !q.Words[noun].Stop:
		return noun
	}
	if q.Words[i].Lower == "what" {
		return i
	}
	return -1
}

// AskedNoun is UnknownKind, or the noun after "which" that names no kind of thing, though it may ask for a relation:
// which "clients joined", where the graph says since when one is a client.
func (q *Question) AskedNoun() int {
	i := slices.IndexFunc(q.Words, func(w Word) bool { return w.Lower == "which" }) + 1
	if unknown := q.UnknownKind(); unknown >= 0 || i == 0 || i >= len(q.Words) || q.Words[i].IsKind() || q.Words[i].Stop || q.Words[i].Mention >= 0 {
		return unknown
	}
	return i
}

var asksKind = lexicon.WordSet("who what which how")

// MayHave reports whether what an UnknownKind stands for may have a value: a noun, where the graph tells no kinds of
// what has it, or near ones, or the value is near, as beds are to hospitals; and "who", where it is not known to be no person.
func (q *Question) MayHave(word int, value schema.Step) bool {
	switch v, at := q.voc, value.From(); {
	case q.Words[word].Lower == "what":
		return true
	case q.Words[word].Lower != "who":
		near, _ := v.Nearness(lexicon.Singular(q.Words[word].Lower), append(v.typeLabels(at), v.g.RelationText(value.Relation())))
		return v.schema.Typed(at) == 0 || near > NearByChance
	default:
		return v.IsAnswer(at, lexicon.Person) || !v.IsAnswer(at, lexicon.Place) && !v.IsAnswer(at, lexicon.Organization) && !v.IsAnswer(at, lexicon.Work)
	}
}

// headShareMin is typeShareMin for what the keys of relations call things: not
// every thing has such a relation.
const headShareMin = 0.1

// Roles returns the slots that a noun names by what is done there: an employee is who has an
// employer. It returns none where the graph itself tells of what kind things are.
func (q *Question) Roles(w *Word) []schema.Slot {
	if len(w.Types) > 0 || len(w.heads) > 0 || len(w.labelled) > 0 || w.ByMeaning || w.IsPast() {
		return nil
	}
	var out []schema.Slot
	if len(w.Kinds) > 0 {
		out = slices.Clone(q.voc.SlotsNamed(w.Stem))
	}
	for st := range w.Names {
		out = append(out, st.To())
	}
	return kg.Distinct(out)
}

// NamesEntity reports whether a word names the kind of thing that e is.
func (q *Question) NamesEntity(w *Word, e kg.EntityID, slots []schema.Slot) bool {
	for _, t := range w.Types {
		if slices.Contains(q.voc.g.Types(e), t) {
			return true
		}
	}
	if len(w.heads) > 0 {
		if heads := q.voc.schema.HeadsOf(e); len(heads) > 0 {
			return slices.ContainsFunc(w.heads, func(h string) bool { return slices.Contains(heads, h) })
		}
	}
	return slices.ContainsFunc(slots, func(at schema.Slot) bool { return slices.Contains(w.Kinds, q.voc.schema.Kind(at)) })
}

// CallsEntity says how the keys of the relations that leave e agree with a word on
// what e is: 1 where one calls it so, a half where one calls it what such things are in
// general ("person" for an actor), -1 where they call it otherwise, and 0 where they say
// nothing or the word is none of theirs.
func (q *Question) CallsEntity(w *Word, e kg.EntityID) float64 {
	if len(w.heads) == 0 {
		return 0
	}
	heads := q.voc.schema.HeadsOf(e)
	switch {
	case len(heads) == 0:
		return 0
	case slices.Contains(heads, w.Stem):
		return 1
	case slices.ContainsFunc(w.heads, func(h string) bool { return slices.Contains(heads, h) }):
		return 0.5
	}
	return -1
}

// SaysName returns how well word i, with the words before it, is a relation's own
// name written apart, "full name" for fullname, or what a word of it comes from,
// "built" for builder; 0 where it is neither.
func (q *Question) SaysName(i int, r kg.RelationID) float64 {
	w := &q.Words[i]
	if w.Stop || w.Taken || w.Mention >= 0 {
		return 0
	}
	stems := lexicon.Stems(q.voc.g.RelationText(r))
	whole, phrase := strings.Join(stems, ""), w.Stem
	for j := i - 1; j >= 0 && j >= i-3 && q.Words[j].Mention < 0; j-- {
		if phrase = q.Words[j].Stem + phrase; phrase == whole {
			return cueWeights.own + cueWeights.phrase
		}
	}
	const least, ending = 4, 3 // letters
	for _, s := range stems {
		if len(w.Stem) >= least && strings.HasPrefix(s, w.Stem) && len(s)-len(w.Stem) <= ending {
			return cueWeights.own
		}
	}
	return 0
}
