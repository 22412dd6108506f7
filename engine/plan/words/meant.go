package words

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/meanings"
	"cairn/engine/schema"
	"cairn/engine/vec"
	"cairn/internal/wording"
)

// Meant is a relation that a word asks for only by what it means: "wed" for "spouse",
// with which it shares no letter and which the lexicon does not tell.
type Meant struct {
	Step schema.Step
	// Name is the word of the relation's name that the word is nearest to, or a name of what it leads
	// to; empty where nothing but that no other relation is left speaks for it.
	Name string
	// Cosine says how near the word is to the name, 1 for the same.
	Cosine float64
	// byValues says that Name is of what the relation leads to.
	byValues bool
}

// byVector finds what words mean in one graph. Own words outrank the lexicon, and the
// lexicon outranks what is found here.
//
//	            ┌─ near few ──▶ these relations
//	word ─▶ relations' names
//	            └─ near many ─▶ the kind of things that these start from
type byVector struct {
	table     *meanings.Table
	names     []string    // the words of relations' names
	vectors   [][]float32 // of names
	relations []meantRelation
	// wordless are the steps along relations that no word of a question is known to ask for.
	wordless []schema.Step
	// values are the slots whose things are called by words of one field, read when they are
	// first asked for.
	values func() []meantSlot
}

// meantSlot is an end of a relation at which the things are called by common words of one field:
// "Shinto" and "Islam" say what "P140" leads to.
type meantSlot struct {
	step  schema.Step // that leads there
	name  string      // of one of the things
	whole []float32   // the unit vector of all the names
	ones  []meantName // some of the names
}

// meantName is a name of common words.
type meantName struct {
	stems  []string
	vector []float32
}

// meantRelation is a relation whose name has words with a meaning.
type meantRelation struct {
	step  schema.Step // the way that its own words ask for
	head  int         // the kind of what it starts from, -1 where it ends at such things too
	words []int       // places in byVector.names
	whole []float32   // the unit vector of the whole name
}

// Cosines of words by chance are 0.00 ± 0.09; one pair in a thousand is above 0.44.
// The limits were set on the lexicon's own words ("which concept does this word ask for,
// by vectors alone?"), and then on forgetful copies of four graphs (docs/benchmarks.md).
const (
	// sayingLeast is how much a word must say to mean a relation: less than "year", which
	// is the 90th most frequent, and more than "we", which is the 60th.
	sayingLeast = 0.45
	// meantLeast is the cosine below which no word stands for a relation.
	meantLeast = 0.3
	// meantAmong is meantLeast where there are relations without words, which the word may stand for.
	meantAmong = 0.42
	// meantNear is how far below the nearest relation others are still meant.
	meantNear = 0.15
	// meantFull is the cosine of synonyms, for which a word asks most strongly.
	meantFull = 0.7
	// wordlessMost is how many relations without words there may be for a word that asks for no other
	// to ask for them.
	wordlessMost = 4
	// kindSpread is the deviation of a word's cosines to the relations from which it
	// is of the field that the graph is about, and kindMost the cosine from which it
	// stands for a relation all the same.
	kindSpread, kindMost = 0.17, 0.6
)

// newByVector reads the names of relations; the result is nil where there is no table.
func newByVector(s *schema.Schema, lex *lexicon.Lexicon, mappings []Mapping, table *meanings.Table) *byVector {
	if table == nil {
		return nil
	}
	m := &byVector{table: table}
	m.values = sync.OnceValue(func() []meantSlot { return m.readValues(s, lex) })
	places := map[string]int{}
	for _, x := range mappings {
		if x.SameAs != x.Relation {
			continue
		}
		r := meantRelation{step: schema.Forward(x.Relation), head: -1, whole: make([]float32, table.Dims())}
		if !s.JoinsSame(x.Relation) {
			r.head = s.Kind(r.step.From())
		}
		if lexicon.NamesHead(x.Words) {
			r.step = r.step.Back()
		}
		r.step = s.Canonical(r.step)
		for _, w := range x.Words {
			for _, tok := range lexicon.Tokenize(w) {
				v, weight := table.Vector(tok.Lower)
				if v == nil || lex.IsStop(tok.Lower) {
					continue
				}
				at, ok := places[tok.Lower]
				if !ok {
					at = len(m.names)
					places[tok.Lower] = at
					m.names, m.vectors = append(m.names, tok.Lower), append(m.vectors, v)
				}
				r.words = append(r.words, at)
				for i, f := range v {
					r.whole[i] += float32(weight) * f
				}
			}
		}
		if len(r.words) > 0 {
			vec.Normalize(r.whole)
			m.relations = append(m.relations, r)
		} else if len(x.Concepts) == 0 && len(m.wordless) <= wordlessMost && !slices.ContainsFunc(x.Words, isSpelt) {
			m.wordless = append(m.wordless, r.step)
		}
	}
	if len(m.wordless) > wordlessMost {
		m.wordless = nil
	}
	return m
}

// isSpelt reports whether a word of a relation's name is written in letters: "metabolised" is, though
// no vector tells what it means, and "P140" is a code.
func isSpelt(word string) bool {
	return !strings.ContainsAny(word, "0123456789")
}

// What the names at an end of a relation are like, for them to say what is there.
const (
	// valuesMost is how many of them are read.
	valuesMost = 64
	// valuesAlike is the length of the mean of their unit vectors: 0.25 for names of people and
	// titles of works, 0.4 to 0.9 for religions, languages and countries.
	valuesAlike = 0.33
	// valuesLeast is the cosine below which no word stands for what is there.
	valuesLeast = 0.35
	// valuesOne is by how much a word may be nearer to one of the names than to all of them for it to
	// be what they are called in general: "country" is, and "Spain" is another country.
	valuesOne = 0.1
)

// nearness returns the cosine of a word to what a slot holds; 0 where it is one of the like of that.
func (x *meantSlot) nearness(t lexicon.Token, v []float32) float64 {
	cosine := float64(vec.Dot(v, x.whole))
	if cosine < valuesLeast || t.Capital && t.Start > 0 || len(x.ones) > 0 && kg.UnitsOf(t.Lower) != nil {
		return 0
	}
	for _, o := range x.ones {
		isOf := slices.Contains(o.stems, t.Stem) // "club" of "Rugby Club"
		if isOf && len(o.stems) == 1 || !isOf && float64(vec.Dot(v, o.vector)) > cosine+valuesOne {
			return 0
		}
	}
	return cosine
}

// readValues returns the slots that are called by words of one field.
func (m *byVector) readValues(s *schema.Schema, lex *lexicon.Lexicon) (out []meantSlot) {
	g := s.Graph()
	for r := range kg.RelationID(g.Relations()) {
		if !s.IsKept(r) || givesTypes(g, r) { // words for types ask for these
			continue
		}
		for _, tail := range []bool{true, false} {
			st, ends := schema.Forward(r), g.Heads(r)
			if tail {
				ends = g.Tails(r)
			} else {
				st = st.Back()
			}
			isTruth := func(e kg.EntityID) bool { _, is := lexicon.Truth(g.Label(e)); return is }
			if tail && slices.Contains(m.wordless, st) {
				if whole := m.nouns(s.Value(st.To())); whole != nil {
					out = append(out, meantSlot{step: st, name: g.Label(ends[0]), whole: whole})
				}
			}
			if s.Value(st.To()) != schema.NoValue || len(ends) < 2 || slices.ContainsFunc(ends[:2], isTruth) {
				continue
			}
			sum, n := make([]float32, m.table.Dims()), 0
			var ones []meantName
			for i := 0; i < len(ends); i += (len(ends) + valuesMost - 1) / valuesMost {
				n++
				one, stems := make([]float32, m.table.Dims()), []string(nil)
				for _, t := range lexicon.Tokenize(g.Label(ends[i])) {
					stems = append(stems, t.Stem)
					if v, weight := m.table.Vector(t.Lower); v != nil && !lex.IsStop(t.Lower) {
						for k, f := range v {
							one[k] += float32(weight) * f
						}
					}
				}
				vec.Normalize(one)
				ones = append(ones, meantName{stems, one})
				for k, f := range one {
					sum[k] += f
				}
			}
			if length := math.Sqrt(float64(vec.Dot(sum, sum))) / float64(n); length >= valuesAlike {
				vec.Normalize(sum)
				out = append(out, meantSlot{s.Canonical(st), g.Label(ends[0]), sum, ones})
			}
		}
	}
	return out
}

// nouns returns the unit vector of the nouns for values of a kind; nil for no values.
func (m *byVector) nouns(kind schema.ValueKind) []float32 {
	nouns := map[schema.ValueKind][]string{schema.DateValue: lexicon.AnswerNouns[lexicon.Date], schema.NumberValue: {"number"}}[kind]
	if nouns == nil {
		return nil
	}
	return middle(m.table, nouns)
}

// middle is the unit vector between those of some words.
func middle(table *meanings.Table, words []string) []float32 {
	sum := make([]float32, table.Dims())
	for _, w := range words {
		v, _ := table.Vector(w)
		for k, f := range v {
			sum[k] += f
		}
	}
	vec.Normalize(sum)
	return sum
}

// of returns the relations that a folded word may mean, the nearest first, or else the
// kind of thing that it may name.
func (m *byVector) of(word lexicon.Token) (_ []Meant, kinds []int) {
	v, weight := m.table.Vector(word.Lower)
	if weight < sayingLeast {
		return nil, nil
	}
	near := wording.Each(m.vectors, func(name []float32) float64 { return float64(vec.Dot(v, name)) })
	all := make([]Meant, 0, len(m.relations))
	for _, r := range m.relations {
		best := r.words[0]
		for _, w := range r.words {
			if near[w] > near[best] {
				best = w
			}
		}
		// Half by its nearest word, half as a whole: a year is not all of "release year".
		all = append(all, Meant{Step: r.step, Name: m.names[best], Cosine: (near[best] + float64(vec.Dot(v, r.whole))) / 2})
	}
	if kinds := m.kindsOf(all); kinds != nil {
		return nil, kinds
	}
	if one, _ := m.table.Vector(lexicon.Singular(word.Lower)); one != nil {
		v = one
	}
	for _, x := range m.values() {
		cosine := x.nearness(word, v)
		if cosine == 0 {
			continue
		}
		if i := slices.IndexFunc(all, func(o Meant) bool { return o.Step == x.step }); i < 0 {
			all = append(all, Meant{x.step, x.name, cosine, true})
		} else if all[i].Cosine < cosine {
			all[i] = Meant{x.step, x.name, cosine, true}
		}
	}
	least := meantLeast
	if len(m.wordless) > 0 {
		least = meantAmong
	}
	all = slices.DeleteFunc(all, func(x Meant) bool { return x.Cosine < least && !x.byValues })
	slices.SortStableFunc(all, func(a, b Meant) int { return cmp.Compare(b.Cosine, a.Cosine) })
	n := 0
	for n < len(all) && all[n].Cosine >= all[0].Cosine-meantNear {
		n++
	}
	if n == 0 && kg.UnitsOf(word.Lower) == nil { // what nothing else asks for is what a word may ask for that asks for nothing else
		return wording.Each(m.wordless, func(st schema.Step) Meant { return Meant{Step: st} }), nil
	}
	return all[:n], nil
}

// kindsOf returns the kind of what most relations that a word is near to start from, where
// it is near to much of the graph and to nothing above all: in a graph of films, "film"
// asks for none of the relations, and says what they are of.
func (m *byVector) kindsOf(all []Meant) []int {
	cosines := make([]float64, len(all))
	near := map[int]int{}
	n := 0
	for i, x := range all {
		cosines[i] = x.Cosine
		if x.Cosine >= meantLeast {
			n++
			near[m.relations[i].head]++
		}
	}
	for kind, of := range near {
		if kind >= 0 && of > 1 && 2*of > n && slices.Max(cosines) < kindMost && spread(cosines) >= kindSpread { // one kind at most
			return []int{kind}
		}
	}
	return nil
}

// spread is the deviation of numbers, by the middle one of how far they are from the
// middle one: a few that stand out change nothing.
func spread(x []float64) float64 {
	slices.Sort(x)
	middle := x[len(x)/2]
	for i := range x {
		x[i] = max(x[i]-middle, middle-x[i])
	}
	slices.Sort(x)
	const deviations = 1.4826 // a deviation of a normal distribution
	return deviations * x[len(x)/2]
}

// narrowing are words that narrow down what is asked, and ask for nothing.
var narrowing = lexicon.Words("narrowing")

// empty are nouns that mean nothing by themselves: the number of runways is no code.
var empty = lexicon.Words("empty nouns")

// meant returns what a word of a text may mean, where nothing stronger speaks for it.
func (v *Vocabulary) meant(t lexicon.Token) (_ []Meant, kinds []int) {
	known := func(c cue) bool { return len(c.stems) == 1 }
	if v.byVector == nil || v.lex.IsStop(t.Lower) || narrowing[t.Lower] || empty[t.Lower] || lexicon.IsSuperlative(t.Lower) || len(v.cues.types[t.Stem]) > 0 || slices.ContainsFunc(v.cues.byLast[t.Stem], known) {
		return nil, nil
	}
	if len(v.lex.NamesOf(t.Lower)) > 0 { // "American" stands for a name
		return nil, nil
	}
	of, kinds := v.byVector.of(t)
	var own []string // concepts that it is a noun of
	for _, c := range v.lex.ConceptsOf(t.Stem) {
		isNoun := func(p lexicon.Phrase) bool { return len(p.Stems) == 1 && p.Stems[0] == t.Stem }
		x := v.lex.Concepts[c]
		if slices.ContainsFunc(x.Tail, isNoun) {
			own = append(own, x.Name)
		}
	}
	if len(own) == 0 || v.lex.IsAsked(t.Stem) {
		return of, kinds // a verb is used loosely
	}
	return slices.DeleteFunc(of, func(m Meant) bool { // weight is no height, where the lexicon tells both
		concepts := v.Mapping(m.Step.Relation()).Concepts
		return len(own) > 0 && len(concepts) > 0 && !slices.ContainsFunc(own, func(name string) bool { return slices.Contains(concepts, name) })
	}), kinds
}

const (
	// typeLeast is the cosine from which a noun may stand for a type of the graph: "ferry" for ship. Beside
	// a name, which tells more than the noun does, typeBeside is.
	typeLeast, typeBeside = 0.45, 0.6
	// typeClear is by how much it must be nearer to that than to any other type.
	typeClear = 0.015
	// typeOverRelation is by how much it must be nearer to that than to a relation of other things.
	typeOverRelation = 0.1
)

// typeHead is the last noun of a type's label, which says what its things are: a motion picture is a picture.
type typeHead struct {
	head   string // its stem
	vector []float32
	stems  []string    // of the label
	of     []kg.TypeID // all that have this label, and things
}

// headsOfTypes are the heads of the types that have things, by type.
func (v *Vocabulary) headsOfTypes() (heads []typeHead) {
	if v.byVector == nil {
		return nil
	}
	for id := range kg.TypeID(v.g.NumTypes()) {
		ws := lexicon.Tokenize(v.g.TypeLabel(id))
		if len(ws) == 0 {
			continue
		}
		last := ws[len(ws)-1]
		h := typeHead{head: last.Stem, stems: lexicon.Stems(v.g.TypeLabel(id))}
		for _, noun := range v.cues.types[last.Stem] {
			if slices.Equal(noun.stems, h.stems) && len(v.g.OfType(noun.id)) > 0 {
				h.of = append(h.of, noun.id)
			}
		}
		if !v.lex.IsStop(last.Lower) {
			h.vector, _ = v.byVector.table.Vector(lexicon.Singular(last.Lower))
		}
		if len(h.of) > 0 {
			heads = append(heads, h)
		}
	}
	return heads
}

// meantTypes returns the type of the graph that a noun which is none of its own may stand for, by the
// lexicon or by what it means; nil where none is near, two are, or a relation is nearer.
func (v *Vocabulary) meantTypes(t lexicon.Token, meant []Meant) (found []kg.TypeID, best float64) {
	if v.byVector == nil || v.lex.IsStop(t.Lower) || narrowing[t.Lower] || empty[t.Lower] || lexicon.IsSuperlative(t.Lower) || len(v.cues.types[t.Stem]) > 0 || len(v.lex.NamesOf(t.Lower)) > 0 {
		return nil, 0
	}
	own, _ := v.byVector.table.Vector(lexicon.Singular(t.Lower))
	kinds := v.lex.KindsOf(t.Stem)
	next, label := 0.0, []string(nil)
	for i := range v.typeHeads {
		h, near := &v.typeHeads[i], 0.0
		switch {
		case slices.Contains(kinds, h.head):
			near = 1
		case own != nil && h.vector != nil:
			near = max(0, float64(vec.Dot(own, h.vector)))
		}
		if near > best {
			best, next, found, label = near, best, h.of, h.stems
		} else {
			next = max(next, near)
		}
	}
	isItself := func(m Meant) bool {
		return slices.Contains(label, lexicon.Stem(m.Name))
	}
	if best < max(typeLeast, next+typeClear) || len(meant) > 0 && !meant[0].byValues && meant[0].Cosine >= best-typeOverRelation && !isItself(meant[0]) {
		return nil, 0
	}
	return found, best
}

// asksForKind reports whether word i is the noun for what is asked, or for what is counted each: behind
// a word such as "which", "how many" or "each" and those that say which or how many, or the first one.
func (q *Question) asksForKind(i int) bool {
	w := &q.Words[i]
	isVerb := i > 0 && q.Words[i-1].Lower == "what" && i+1 < len(q.Words) && (q.Words[i+1].Mention >= 0 || q.Words[i+1].Capital || determiners[q.Words[i+1].Lower]) // "what links X and Y"
	if isVerb || w.Stop || w.Capital && w.Start > 0 || lexicon.IsPast(w.Lower) || lexicon.IsParticiple(w.Lower) || strings.HasSuffix(w.Lower, "ing") {
		return false
	}
	for i--; i >= 0; i-- {
		switch o := &q.Words[i]; {
		case quantifiers[o.Lower] || requests[o.Lower] || o.Lower == "who":
			return o.Lower != "no" && o.Lower != "more"
		case o.Mention < 0 && !o.Taken && !determiners[o.Lower] && !lexicon.IsSuperlative(o.Lower) && !narrowing[o.Lower] && !numberWords[o.Lower] && !copulas[o.Lower]:
			return false
		}
	}
	return true
}

// asksForOther reports whether the question tells that word i is not for things of the type that it may stand
// for: it counts a number, calls that type by its own name or names one, or beside a name calls what it asks for
// by the noun of a relation that leads to others.
func (q *Question) asksForOther(i int) bool {
	w, v := &q.Words[i], q.voc
	isNumber := func(m Meant) bool { return i > 0 && q.Words[i-1].Lower == "many" && v.IsNumber(m.Step.To()) }
	if slices.ContainsFunc(w.Meant, isNumber) || len(q.Mentions) > 0 && w.typeNear < typeBeside {
		return true
	}
	isOf := func(at schema.Slot) bool {
		return v.schema.Types(at)[w.meantTypes[0]] > 0 || v.schema.Value(at) != schema.NoValue
	}
	return slices.ContainsFunc(q.Words, func(o Word) bool {
		isType := func(t typeNoun) bool { return t.id == w.meantTypes[0] }
		isNoun := func(c cue) bool {
			return len(q.Mentions) > 0 && c.role == nounRole && c.weight >= StrongCue && len(c.stems) == 1 && !isOf(c.step.To())
		}
		return o.Mention < 0 && o.Stem != w.Stem && (slices.ContainsFunc(v.cues.types[o.Stem], isType) || slices.ContainsFunc(q.cuesOf(&o), isNoun))
	})
}

var requests = lexicon.WordSet("list name show per")

// takeMeant lets a word that nothing else speaks for say what it means. What is written large is a name.
func (q *Question) takeMeant(i int) {
	w := &q.Words[i]
	if w.Weight == nil && !w.IsKind() && len(w.meantTypes) > 0 && q.asksForKind(i) && !q.asksForOther(i) {
		w.Types, w.ByMeaning = w.meantTypes, true
		return
	}
	if w.Weight != nil || w.IsKind() || w.Stop || q.isModifier(i) || w.Capital && w.Start > 0 && lexicon.CapitalsTell(Tokens(q.Words), q.voc.lex.IsStop) {
		return
	}
	w.ByMeaning = len(w.Meant)+len(w.MeantKinds) > 0
	if w.Kinds = w.MeantKinds; len(w.Meant) == 0 {
		return
	}
	w.Weight, w.Names = map[schema.Step]float64{}, map[schema.Step]bool{}
	for _, m := range w.Meant {
		share := min(1, (m.Cosine-meantLeast)/(meantFull-meantLeast))
		weight, back := cueWeights.meant+(cueWeights.meantFull-cueWeights.meant)*share, cueWeights.ownBack
		if m.Name == "" {
			weight = cueWeights.left
		}
		if q.voc.schema.JoinsSame(m.Step.Relation()) {
			back = cueWeights.ownBackSame
		}
		turned := q.voc.schema.Back(m.Step)
		w.Weight[m.Step] = max(w.Weight[m.Step], weight)
		w.Weight[turned] = max(w.Weight[turned], weight*back)
		if !w.IsPast() {
			w.Names[m.Step] = true
		}
	}
}

// isModifier reports whether a word that stands for no name of a relation only tells more of the next
// one, which is what counts: "jersey" of "jersey number", "national" of "national anthem".
func (q *Question) isModifier(i int) bool {
	if i+1 >= len(q.Words) || len(q.Words[i].Meant) == 0 {
		return false
	}
	first, next := q.Words[i].Meant[0], &q.Words[i+1]
	return (first.Name == "" || first.byValues) && next.Mention < 0 && !next.Stop && !next.IsPast()
}

// lightVerbs are verbs that say little by themselves.
var lightVerbs = lexicon.Words("light verbs")

// SaysLittle reports whether a word is a verb that says little by itself: people "take" a course,
// a bus or a medicine.
func SaysLittle(word string) bool { return lightVerbs[lexicon.Base(word)] }

// joiningVerbs say no more than that two things go together.
var joiningVerbs = lexicon.Words("joining verbs")

// Joins reports whether a word is a verb that says no more than that two things go together.
func Joins(word string) bool { return joiningVerbs[lexicon.Base(word)] || joiningVerbs[word] }

// IsJoining reports whether word i joins two things, and other words name all of some relations as the
// graph does: "Which weapon does X use?"; or the one relation is but what joins them: "Which beers use X?".
func (q *Question) IsJoining(i int, relations ...kg.RelationID) bool {
	isVague := personal[lexicon.Base(q.Words[i].Lower)] && slices.ContainsFunc(q.Words, func(w Word) bool { return w.Lower == "people" && w.Mention < 0 && len(w.Types) == 0 })
	return len(relations) > 0 && Joins(q.Words[i].Lower) && !isVague && !slices.ContainsFunc(relations, func(r kg.RelationID) bool {
		isNamed := slices.ContainsFunc(q.Words, func(w Word) bool {
			return w.Mention < 0 && !w.ByMeaning && !Joins(w.Lower) && (w.Names[schema.Forward(r)] || w.Names[schema.Forward(r).Back()])
		})
		return !isNamed && (len(relations) > 1 || !q.voc.isBare(r))
	})
}

// Tie is a relation of a reading, with the things that it names at the ends; kg.NoEntity for those that it does not.
type Tie struct {
	Relation   kg.RelationID
	Head, Tail kg.EntityID
}

// IsSupport reports whether the verb at word i says no more than the relations of a reading that leads to some slots: it
// says little by itself, a type of the graph is asked for which is there, and each relation is asked for by another
// word, or is the only one between the like of what it joins: the awards "given" by a jury are those that have a jury,
// but a tour that somebody "guided" is none that he "needs" or "took".
func (q *Question) IsSupport(i int, to []schema.Slot, ties []Tie) bool {
	w := q.Words[i].Lower
	if supported[w] && i > 0 {
		i--
		w = q.Words[i].Lower
	}
	next := q.Words[min(i+1, len(q.Words)-1)].Lower
	// Who gives and who takes are not the same, nor who conducts and who undergoes.
	isDone := next != "place" && !happening[lexicon.Base(w)]
	isBySomebody := i > 0 && q.Words[i-1].Mention >= 0 || slices.ContainsFunc(q.Words[i:min(i+3, len(q.Words))], func(o Word) bool { return o.Lower == "by" })
	isOther := next == "to" && lexicon.Base(w) != "belong" || next == "from" && !SaysLittle(w) || w == "set" && next != "up"
	if isOther || !Joins(w) && !SaysLittle(w) || slices.ContainsFunc(q.Words[:i], func(o Word) bool { return o.Mention < 0 && o.Lower == "both" }) {
		return false
	}
	isAsked := func(o Word) bool {
		return o.Mention < 0 && len(o.Types) > 0 && !o.ByMeaning && slices.ContainsFunc(to, func(at schema.Slot) bool { return q.NamesSlot(&o, at) })
	}
	return slices.ContainsFunc(q.Words, isAsked) && !slices.ContainsFunc(ties, func(t Tie) bool {
		st := schema.Forward(t.Relation)
		asks := func(o Word) bool {
			return o.Mention < 0 && !o.ByMeaning && !o.Stop && (o.Weight[st] > 0 || o.Weight[st.Back()] > 0)
		}
		return q.voc.schema.Value(st.To()) == schema.NoValue && !slices.ContainsFunc(q.Words, asks) &&
			(isDone && (SaysLittle(w) || isBySomebody || q.voc.isOfPerson(st)) || q.voc.isDeed(t.Relation) && (receiving[lexicon.Base(w)] && lexicon.IsParticiple(q.voc.NameOf(t.Relation)[0]) || !q.MayStandFor(i, st)) || q.voc.schema.Shared(st.From(), st.To()) > 0 || !q.voc.isOnlyTie(t))
	})
}

// happening are joining verbs of which nobody is the doer.
var happening = lexicon.WordSet("belong come occur involve concern lie stand sit contain appear happen")

// isOfPerson reports whether a step leads from or to persons.
func (v *Vocabulary) isOfPerson(st schema.Step) bool {
	from, _ := v.IsTyped(st.From(), lexicon.Person)
	to, _ := v.IsTyped(st.To(), lexicon.Person)
	return from || to
}

// receiving are verbs by which somebody has what another does.
var receiving = lexicon.Words("receiving")

// collections are nouns for all that a graph tells of.
var collections = lexicon.Words("collections")

// SaysWhere reports whether word i says only whose data or which are asked: what they gave "us", who is "in the register"
// or has no burial "on record".
func (q *Question) SaysWhere(i int) bool {
	w, at := &q.Words[i], i-1
	for at > 0 && determiners[q.Words[at].Lower] {
		at--
	}
	isIn := at >= 0 && (q.Words[at].Lower == "in" || q.Words[at].Lower == "on")
	isAll := i+1 == len(q.Words) || q.Words[i+1].Stop && q.Words[i+1].Lower != "of"
	return w.Mention < 0 && (w.Text == "us" || collections[w.Lower] && isIn && isAll && !w.IsKind() && !w.IsCue())
}

// supported end the phrases that such verbs begin: what "took place", was "carried out" or "put up".
var supported = lexicon.WordSet("place part out up")

// isDeed reports whether a relation is called by a verb for what persons do: "guided by", "owns".
func (v *Vocabulary) isDeed(r kg.RelationID) bool {
	name, st := v.NameOf(r), schema.Forward(r)
	from, known := v.IsTyped(st.From(), lexicon.Person)
	to, knownTo := v.IsTyped(st.To(), lexicon.Person)
	if len(name) == 2 && name[1] == "by" && lexicon.IsParticiple(name[0]) {
		return from || to || !known || !knownTo
	}
	return len(name) > 0 && lexicon.IsVerbForm(name[0]) && v.isOfPerson(st)
}

// personal are those joining verbs of which people, whom the graph may not tell from others, are the subject.
var personal = lexicon.WordSet("live work")

// isBare reports whether a relation is called by nothing but the kind of what it leads to, "hops" of
// beers, and no other leads from the like to the like of that: it says no more than that they go together.
func (v *Vocabulary) isBare(r kg.RelationID) bool {
	st, name := schema.Forward(r), v.NameOf(r)
	if len(name) != 1 || lexicon.IsVerbForm(name[0]) || lexicon.IsParticiple(name[0]) || v.lex.Is(lexicon.Verb, name[0]) || lexicon.Agent(lexicon.Singular(name[0])) != "" || lexicon.IsGendered(name[0]) ||
		v.schema.Value(st.To()) != schema.NoValue || v.schema.JoinsSame(r) || v.schema.Typed(st.From()) == 0 || v.IsAnswer(st.To(), lexicon.Person) {
		return false
	}
	types := v.schema.Types(st.To())
	isType := func(label string) bool { return slices.Equal(lexicon.Stems(label), []string{lexicon.Stem(name[0])}) }
	if len(types) > 0 && !slices.ContainsFunc(v.typeLabels(st.To()), isType) {
		return false
	}
	return v.isOnlyTie(Tie{r, kg.NoEntity, kg.NoEntity})
}

// isOnlyTie reports whether no other relation leads from the like of what a relation leads from to the like of what it
// leads to.
func (v *Vocabulary) isOnlyTie(t Tie) bool {
	like := func(e kg.EntityID, own schema.Slot) func(schema.Slot) bool {
		types := slices.Collect(maps.Keys(v.schema.Types(own)))
		if e != kg.NoEntity && len(v.g.Types(e)) > 0 {
			types = v.g.Types(e)
		}
		return func(at schema.Slot) bool {
			isAlike := v.schema.Shared(at, own) > 0 && (e == kg.NoEntity || slices.Contains(v.Slots(e), at))
			return isAlike || slices.ContainsFunc(types, func(t kg.TypeID) bool { return v.schema.Types(at)[t] > 0 })
		}
	}
	st := schema.Forward(t.Relation)
	return v.IsOnly(st, like(t.Head, st.From()), like(t.Tail, st.To()))
}

// AsksFor reports whether a word asks for a relation, either way.
func (q *Question) AsksFor(r kg.RelationID) bool {
	st := schema.Forward(r)
	return slices.ContainsFunc(q.Words, func(w Word) bool { return w.Mention < 0 && (w.Weight[st] > 0 || w.Weight[st.Back()] > 0) })
}

// MayStandFor reports whether the verb at word i may stand for a step that nothing else asks for:
// it says little, or is near in meaning to the relation's name or to a type at either end.
func (q *Question) MayStandFor(i int, st schema.Step) bool {
	v, w := q.voc, &q.Words[i]
	if SaysLittle(w.Lower) {
		return true
	}
	names := slices.Concat([]string{v.g.RelationText(st.Relation())}, v.typeLabels(st.From()), v.typeLabels(st.To()))
	near, known := v.Nearness(w.Lower, names)
	return known && near >= meantLeast
}

// typeLabels returns what the graph's types call the things in a slot.
func (v *Vocabulary) typeLabels(at schema.Slot) (names []string) {
	for t, share := range v.schema.Types(at) {
		if share >= TypeShareMin {
			names = append(names, v.g.TypeLabel(t))
		}
	}
	return names
}

// NearByChance is the nearness above which words have something to do with each other.
const NearByChance = 0.15

// Nearness is the cosine of a folded word to the word of some names that is nearest in meaning; known is
// false where nothing tells what it means.
func (v *Vocabulary) Nearness(word string, names []string) (near float64, known bool) {
	if v.byVector == nil {
		return 0, false
	}
	own, _ := v.byVector.table.Vector(word)
	if own == nil {
		return 0, false
	}
	for _, name := range names {
		for _, t := range lexicon.Tokenize(name) {
			if x, _ := v.byVector.table.Vector(lexicon.Singular(t.Lower)); x != nil && !v.lex.IsStop(t.Lower) {
				near, known = max(near, float64(vec.Dot(own, x))), true
			}
		}
	}
	return near, known
}

// Ways returns the steps that lead from some slots to others.
func (v *Vocabulary) Ways(from, to func(schema.Slot) bool) []schema.Step {
	return slices.DeleteFunc(v.schema.Steps(), func(st schema.Step) bool { return !from(st.From()) || !to(st.To()) })
}

// IsOnly reports whether no relation but that of a step leads from some slots to others.
func (v *Vocabulary) IsOnly(st schema.Step, from, to func(schema.Slot) bool) bool {
	return !slices.ContainsFunc(v.Ways(from, to), func(o schema.Step) bool { return o.Relation() != st.Relation() })
}

// MeantFor returns how a word asks for a relation where it does so by its meaning alone.
func (w *Word) MeantFor(r kg.RelationID) (Meant, bool) {
	i := slices.IndexFunc(w.Meant, func(m Meant) bool { return m.Step.Relation() == r })
	if !w.ByMeaning || i < 0 {
		return Meant{}, false
	}
	return w.Meant[i], true
}
