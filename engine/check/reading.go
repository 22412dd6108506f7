package check

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/say"
	"cairn/engine/schema"
)

// itemKind is what a stretch of a sentence is.
type itemKind int

const (
	wordItem     itemKind = iota // glue, or a word that says more
	nameItem                     // one or more coordinated names, or an amount
	relationItem                 // words for a relation
	numberItem                   // a number that nothing has
	kindItem                     // a word for the kind of a thing: "film"
)

// item is a stretch of a sentence.
type item struct {
	kind       itemKind
	start, end int // byte offsets
	lower      string
	owner      bool            // an adjective of a name, or a name with 's
	names      [][]kg.EntityID // of nameItem: the entities that each name may mean
	spans      [][2]int        // where each name begins and ends
	relations  []kg.RelationID // of relationItem
	inverse    []kg.RelationID // those of relations that the word means read backwards
	number     bool            // a number, as a nameItem or a numberItem
	value      int             // of a number; -1 for what is no small whole number
	stem       string          // of kindItem: of its word
	linked     bool            // a fact joins it to the rest
}

func (it item) isRelation() bool { return it.kind == relationItem }

// means reports whether e is what a name among the item's may mean.
func (it item) means(e kg.EntityID) bool {
	return slices.ContainsFunc(it.names, func(es []kg.EntityID) bool { return slices.Contains(es, e) })
}

// reading is one attempt to cover one sentence.
type reading struct {
	*Checker
	text    string
	triples []kg.TripleID
	cited   []kg.TripleID // those of triples that the sentence cites
	index   *nameIndex
	// everywhere says that names and triples are the graph's, not the evidence's.
	everywhere bool
	items      []item
	unknown    []lexicon.Token // words that nothing explains
	joints     []lexicon.Token // words that join statements
	denies     []int           // items that turn the sentence round
	pronoun    []lexicon.Token
	agrees     bool // it says yes
	local      int  // English function words
	alien      int  // function words of other languages, and words in other scripts
	words      map[kg.RelationID]relationWords
	kinds      map[string]bool // stems of nouns for what the triples are about
	units      map[string]bool
	open       []openFact
	facts      map[kg.RelationID]bool // the relations of which a fact is in the triples
	held       bool                   // a fact of the sentence is in the triples
	lacks      string                 // what no triple says of that beside the facts
	against    bool                   // a fact of the sentence is in the triples otherwise
	// said are the forms of the words that are no names, and typed the stems of types, once
	// they are asked for.
	said, typed map[string]bool
	// plain takes a word that may be an everyday word or a name for the former;
	// unclear says that there was one.
	plain, unclear bool
}

// relationWords are what a relation may be called.
type relationWords struct {
	form     say.Form
	text     []lexicon.Token // of its name
	name     []string        // the words of it, by its key or the user
	content  []string        // stems that name it
	units    []string
	meanings []int    // concepts
	ahead    []int    // those that the relation leads to the nouns of: "owner", not "owner of"
	verb     string   // the stem of the verb in it: "own" in "owns", "owner" and "owned by"
	byTail   bool     // the tail does it
	denies   bool     // it says what is not: "does not border"
	heads    []string // stems of nouns for its heads, where the lexicon has any
	tails    []string
}

// wordsOf returns what a relation may be called.
func (c *Checker) wordsOf(rel kg.RelationID) relationWords {
	if w, ok := c.relations[rel]; ok {
		return w
	}
	// A unit in brackets is no word for the relation: "area (km²)".
	full := c.g.RelationText(rel)
	name, unit, _ := strings.Cut(full, "(")
	words := lexicon.RelationWords(c.g.RelationName(rel))
	var own, concepts []string
	if c.means != nil {
		var as []string
		as, own, concepts = c.means(rel)
		isOwn := slices.Equal(as, own)
		if strings.Join(as, "") != strings.Join(words, "") {
			full, words = strings.Join(as, " "), as
		}
		if isOwn {
			own = words // "co sponsors" are two words here
		}
	}
	w := relationWords{form: say.ClauseOf(say.Readable(full)).Form, text: lexicon.Tokenize(full), meanings: c.lex.Meanings(words)}
	w.verb, w.byTail = lexicon.VerbOf(words)
	w.name = words
	for _, m := range w.meanings {
		heads, tails := stemsOf(c.lex.Concepts[m].Head), stemsOf(c.lex.Concepts[m].Tail)
		if c.lex.Concepts[m].IsTurned(words) {
			heads, tails = tails, heads
		} else {
			w.ahead = append(w.ahead, m)
		}
		w.heads, w.tails = append(w.heads, heads...), append(w.tails, tails...)
	}
	w.denies = slices.ContainsFunc(w.text, func(t lexicon.Token) bool { return negations[t.Lower] })
	if c.means != nil {
		w.name = own
		w.meanings = nil
		for _, name := range concepts {
			if i, ok := c.lex.Concept(name); ok {
				w.meanings = append(w.meanings, i)
			}
		}
	}
	w.units = unitStems(strings.TrimSuffix(strings.TrimSpace(unit), ")"))
	key, _, _ := strings.Cut(c.g.RelationName(rel), "(")
	for _, t := range lexicon.Tokenize(strings.Join(append(append(own, name), lexicon.RelationWords(key)...), " ")) {
		if !glue(t.Lower) && !linking[t.Lower] && !negations[t.Lower] && !slices.Contains(w.content, t.Stem) {
			w.content = append(w.content, t.Stem)
		}
	}
	c.relations[rel] = w
	return w
}

func stemsOf(nouns []lexicon.Phrase) []string {
	var stems []string
	for _, p := range nouns {
		stems = append(stems, p.Stems...)
	}
	return stems
}

func unitStems(unit string) []string {
	if unit == "" {
		return nil
	}
	return lexicon.Stems(strings.Join(append(kg.UnitNames(unit), unit), " "))
}

func (c *Checker) newReading(text string, triples, cited []kg.TripleID, x *nameIndex) *reading {
	r := &reading{
		Checker: c, text: WithoutCitations(text), triples: triples, cited: cited, index: x, everywhere: x != c.pack,
		words: map[kg.RelationID]relationWords{}, kinds: map[string]bool{}, units: map[string]bool{}, facts: map[kg.RelationID]bool{},
	}
	for _, id := range triples {
		t := c.g.Triple(id)
		if _, known := r.words[t.Relation]; !known {
			w := c.wordsOf(t.Relation)
			r.words[t.Relation] = w
			for _, u := range w.units {
				r.units[u] = true
			}
			for _, stem := range slices.Concat(w.heads, w.tails) {
				r.kinds[stem] = true
			}
		}
		for _, e := range [2]kg.EntityID{t.Head, t.Tail} {
			for _, kind := range c.g.Types(e) {
				for _, stem := range c.typeStems(kind) {
					r.kinds[stem] = true
				}
			}
			for _, stem := range c.bracketed(e) {
				r.kinds[stem] = c.claim || r.kinds[stem]
			}
		}
		r.addUnit(t.Tail)
	}
	return r
}

// typeStems are the words of a type's name and of the kinds that mean the same.
func (c *Checker) typeStems(t kg.TypeID) []string {
	stems, ok := c.kinds[t]
	if !ok {
		for _, s := range lexicon.Stems(c.g.TypeLabel(t)) {
			stems = append(append(stems, s), c.lex.KindsOf(s)...)
		}
		c.kinds[t] = stems
	}
	return stems
}

// bracketed are the stems of the words by which an entity's own name tells it from
// others of that name: "Mermaid (Train song)".
func (c *Checker) bracketed(e kg.EntityID) []string {
	label := c.g.Label(e)
	from := strings.LastIndexByte(label, '(')
	if from < 1 || !strings.HasSuffix(label, ")") {
		return nil
	}
	return lexicon.Stems(label[from:])
}

// addUnit makes the words for the unit of a measured value known.
func (r *reading) addUnit(e kg.EntityID) {
	label := r.g.Label(e)
	if len(label) > 64 || !strings.ContainsAny(label, "0123456789") {
		return
	}
	if v, ok := kg.ParseValue(label); ok {
		for _, u := range unitStems(v.Unit) {
			r.units[u] = true
		}
	}
}

// scan cuts the text into items.
func (r *reading) scan() {
	tokens := lexicon.Tokenize(r.text)
	for i := 0; i < len(tokens); {
		start := tokens[i].Start
		n, es := r.index.nameAt(r.text, tokens[i:])
		if n == 1 && r.everyday(tokens[i]) {
			r.unclear = true
			if r.plain {
				n = 0
			}
		}
		end := 0
		if n > 0 {
			end = tokens[i+n-1].End
		}
		having, length := r.index.amountAt(r.text, tokens[i])
		switch {
		case length == 0 || !r.startsAmount(tokens[i]):
		case tokens[i].Start+length > end:
			i = r.amount(tokens, i, having, length)
			continue
		case tokens[i].Start+length == end && !negative(r.text, tokens[i].Start):
			es = kg.With(es, having...) // 1945 may also say 1945-03-12
		}
		if n == 0 && i > 1 && i+2 < len(tokens) && tokens[i+1].Lower == "of" && tokens[i-1].Lower == "the" && linking[tokens[i-2].Lower] {
			if length, next := r.index.nameAt(r.text, tokens[i+2:]); r.isCalled(next, tokens[i]) {
				i += 2 // "in the city of Rome"
				n, es, end = length, next, tokens[i+length-1].End
			}
		}
		if n == 0 && i+1 < len(tokens) && r.relationOf(tokens[i]) != nil {
			if _, next := r.index.nameAt(r.text, tokens[i+1:]); r.isCalled(next, tokens[i]) {
				i++ // "the architect Ilse Reed"
				continue
			}
		}
		if n == 0 {
			r.word(tokens[i])
			i++
			continue
		}
		if i+n < len(tokens) && r.isCalled(es, tokens[i+n]) {
			end = tokens[i+n].End // "the Green Union party"
			n++
		}
		it := item{kind: nameItem, start: start, end: end, names: [][]kg.EntityID{es}, value: -1}
		if v, ok := smallNumber(tokens[i].Lower); ok && n == 1 {
			it.number, it.value = true, v
		}
		i += n
		if i < len(tokens) && tokens[i].Lower == lexicon.Possessive {
			it.owner = true
			it.end = tokens[i].End
			i++
		}
		r.items = append(r.items, it)
	}
}

// isCalled reports whether a word beside a name only says what the graph calls the
// thing, and no relation: any reading may hold.
func (r *reading) isCalled(es []kg.EntityID, t lexicon.Token) bool {
	if !r.claim || len(es) == 0 || slices.ContainsFunc(es, func(e kg.EntityID) bool { return !r.calledSo(e, t.Stem) }) {
		return false
	}
	r.unclear = true
	return !r.plain
}

// everyday reports whether a word may be one for a relation or a unit, though there
// is a name like it: a film may be called "Writer".
func (r *reading) everyday(t lexicon.Token) bool {
	return !t.Capital && (r.units[t.Stem] || r.relationOf(t) != nil)
}

// startsAmount reports whether a token is not the rest of a number: the 5 of 4.5.
func (r *reading) startsAmount(t lexicon.Token) bool {
	return t.Start == 0 || !strings.ContainsRune("0123456789.", rune(r.text[t.Start-1])) || r.text[t.Start-1] == '.' && (t.Start < 2 || r.text[t.Start-2] == ' ')
}

// amount adds the item of a number or a date, and returns the token after it.
func (r *reading) amount(tokens []lexicon.Token, i int, having []kg.EntityID, length int) int {
	it := item{kind: numberItem, start: tokens[i].Start, end: tokens[i].Start + length, number: true, value: -1}
	if v, ok := smallNumber(r.text[it.start:it.end]); ok {
		it.value = v
	}
	if len(having) > 0 {
		it.kind, it.names = nameItem, [][]kg.EntityID{having}
		if negative(r.text, it.start) {
			it.kind, it.names = numberItem, nil
		}
	}
	r.items = append(r.items, it)
	for i < len(tokens) && tokens[i].Start < it.end {
		i++
	}
	return i
}

var bareCitation = regexp.MustCompile(`^t[0-9]+$`)

// isTouched reports whether what a word says to be shared is had by touching: "share a
// border" says no more than "border".
func (r *reading) isTouched(t lexicon.Token) bool {
	next := lexicon.Tokenize(r.text[t.End:])
	return slices.ContainsFunc(next[:min(2, len(next))], func(t lexicon.Token) bool { return lexicon.IsTouching(t.Lower) })
}

// word adds the item of a word that is no name.
func (r *reading) word(t lexicon.Token) {
	it := item{kind: wordItem, start: t.Start, end: t.End, lower: t.Lower, value: -1}
	for _, full := range r.lex.NamesOf(t.Lower) {
		if words := lexicon.Tokenize(full); len(words) > 0 {
			if n, es := r.index.nameAt(full, words); n == len(words) {
				it.kind, it.names, it.owner = nameItem, [][]kg.EntityID{es}, true
				r.items = append(r.items, it)
				return
			}
		}
	}
	if english[t.Lower] {
		r.local++
	}
	if foreign[t.Lower] && !english[t.Lower] || t.Text[0] >= 0x80 && !isLatin(t.Text) {
		r.alien++
	}
	switch v, isNumber := smallNumber(t.Lower); {
	case isNumber && amounts[t.Lower] && r.relationOf(t) != nil: // "half-life", "first author"
		it.kind, it.relations = relationItem, r.relationOf(t)
	case isNegation(t.Lower, r.text, t):
		r.denies = append(r.denies, len(r.items))
	case t.Lower == "one" && strings.HasPrefix(r.text[t.End:], " of "):
	case isNumber:
		it.kind, it.number, it.value = numberItem, true, v
	case r.relationOf(t) != nil:
		it.kind, it.relations = relationItem, r.relationOf(t)
		if joint := r.clauseAt(t); joint != "" {
			r.joints = append(r.joints, lexicon.Token{Text: joint})
		}
	case r.inverseOf(t) != nil:
		it.kind, it.relations = relationItem, r.inverseOf(t)
		it.inverse = it.relations
	case r.isPrefix(t):
		r.unknown = append(r.unknown, t)
	case agreeing[t.Lower]:
		r.agrees = r.agrees || len(r.items) == 0 || r.items[len(r.items)-1].lower != "not"
	case joints[t.Lower] && !r.continues(t.Lower):
		r.joints = append(r.joints, t)
	case t.Lower == lexicon.Possessive && len(r.items) > 0 && (pronouns[r.items[len(r.items)-1].lower] || r.items[len(r.items)-1].lower == "there"):
		it.lower = "is" // "it's in Rome"
	case pronouns[t.Lower]:
		r.pronoun = append(r.pronoun, t)
	case r.shouts(t) && (!r.claim || t.Lower != "the"):
		r.unknown = append(r.unknown, t) // IS is Iceland
	case r.claim && lexicon.IsComment(t.Lower) || glue(t.Lower) || linking[t.Lower] && r.continues(t.Lower) || r.isCitation(t.Lower) || r.ev.OfClaim && aboutClaims[t.Lower]:
	case r.kinds[t.Stem]:
		it.kind, it.stem = kindItem, t.Stem
	case t.Stem == lexicon.ShareStem && r.isTouched(t):
	case r.units[t.Stem] || t.Lower == "number" || t.Lower == "total" || r.claim && r.isDated(t):
	default:
		r.unknown = append(r.unknown, t)
	}
	r.items = append(r.items, it)
}

// isDated reports whether a word only says what the relation right before it leads to: "opening date",
// by "opened".
func (r *reading) isDated(t lexicon.Token) bool {
	at := len(r.items) - 1
	return (t.Lower == "date" || t.Lower == "year" || t.Lower == "day") && at >= 0 && r.items[at].kind == relationItem && !slices.ContainsFunc(r.triples, func(id kg.TripleID) bool {
		x := r.g.Triple(id)
		v, is := r.g.Value(x.Tail)
		return slices.Contains(r.items[at].relations, x.Relation) && (!is || v.Kind != kg.DateValue && !schema.IsYear(r.g.Label(x.Tail)))
	})
}

// isPrefix reports whether a word of a claim is the first half of one that says something else
// than the second, "co-wrote", and of no relation.
func (r *reading) isPrefix(t lexicon.Token) bool {
	next := lexicon.Tokenize(r.text[t.End:])
	return r.claim && len(next) > 0 && r.text[t.End:t.End+next[0].Start] == "-" && !strings.HasSuffix(r.text[:t.Start], "-") && r.relationOf(next[0]) != nil &&
		!slices.ContainsFunc(r.relationOf(next[0]), func(rel kg.RelationID) bool { return r.hasWord(rel, t.Lower) })
}

// isCitation reports whether a word is the number of a triple that is cited: "T1
// says that …".
func (r *reading) isCitation(lower string) bool {
	if !bareCitation.MatchString(lower) {
		return false
	}
	n, err := strconv.Atoi(lower[1:])
	return err == nil && n > 0 && n <= len(r.ev.Pack.Triples) && slices.Contains(r.cited, r.ev.Pack.Triples[n-1])
}

// shouts reports whether a little word is written as a name is: with a capital
// where no sentence begins.
func (r *reading) shouts(t lexicon.Token) bool {
	before := strings.TrimRight(r.text[:t.Start], " \t\n\"“‘(")
	return t.Capital && glue(t.Lower) && before != "" && !strings.ContainsRune(".;:!?-–—", rune(before[len(before)-1])) && before[len(before)-1] < 0x80 ||
		len(t.Text) > 1 && t.Text == strings.ToUpper(t.Text) && t.Text != t.Lower && glue(t.Lower)
}

// agreeing are the words that say yes to a claim.
var agreeing = lexicon.WordSet("yes true correct supported")

// aboutClaims are the words in which the outcome of a claim may be said.
var aboutClaims = lexicon.WordSet("claim statement supports support refuted refutes fact facts")

func isLatin(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > 0x24f && (r < 0x1e00 || r > 0x1eff) && r < 0xfb00 && r != '’' })
}

// clauseAt returns the preposition before the verb of a clause that says why or how what was
// said before is so, "arrested X for robbing Y"; "" for none, and where it is of the name of
// what was said: "known for directing".
func (r *reading) clauseAt(verb lexicon.Token) string {
	n := len(r.items) - 1
	if n < 0 || !strings.HasSuffix(verb.Lower, "ing") || !linking[r.items[n].lower] || r.count(relationItem) == 0 {
		return ""
	}
	if slices.ContainsFunc(r.items, func(it item) bool {
		return slices.ContainsFunc(it.relations, func(rel kg.RelationID) bool { return r.hasWord(rel, r.items[n].lower) })
	}) {
		return ""
	}
	return r.items[n].lower
}

// hasWord reports whether a word is one of a relation's name.
func (r *reading) hasWord(rel kg.RelationID, lower string) bool {
	return slices.ContainsFunc(r.words[rel].text, func(t lexicon.Token) bool { return t.Lower == lower })
}

// continues reports whether a word goes on with the name of a relation: "named
// after".
func (r *reading) continues(lower string) bool {
	if len(r.items) == 0 {
		return false
	}
	return slices.ContainsFunc(r.items[len(r.items)-1].relations, func(rel kg.RelationID) bool { return r.hasWord(rel, lower) })
}

// relationOf returns the relations of the triples that a word names, ascending:
// those whose own name has it, and those that the lexicon knows by it, in a claim
// also together with other words of the claim: "born in".
func (r *reading) relationOf(t lexicon.Token) []kg.RelationID {
	concepts := r.lex.ConceptsOf(t.Stem)
	return r.relationsThat(func(w relationWords) bool {
		return slices.Contains(w.content, t.Stem) || r.claim && w.derivesFrom(t) ||
			!r.namesAnother(t) && slices.ContainsFunc(w.meanings, func(m int) bool { return slices.Contains(concepts, m) || r.inPhrase(m, t) })
	})
}

// relationsThat returns those of the triples' relations that are called as is asked, ascending.
func (r *reading) relationsThat(are func(relationWords) bool) (found []kg.RelationID) {
	for rel, w := range r.words {
		if are(w) {
			found = append(found, rel)
		}
	}
	slices.Sort(found)
	return found
}

// namesAnother reports whether a word of a claim is the whole name of a relation of the
// graph, which then is what the claim says: where the graph tells "affects" from
// "disrupts", neither says the other.
func (r *reading) namesAnother(t lexicon.Token) bool { return r.claim && r.single()[t.Stem] }

// derivesFrom reports whether a noun of a relation's name comes from a verb: "builder"
// from "built", "completion" from "completed".
func (w relationWords) derivesFrom(verb lexicon.Token) bool {
	return slices.ContainsFunc(w.text, func(noun lexicon.Token) bool {
		return lexicon.Agent(noun.Lower) == verb.Stem || isPast(verb.Lower) && slices.Contains(lexicon.Deeds(noun.Lower), verb.Stem)
	})
}

// inPhrase reports whether a claim has a phrase of several words for a concept, with
// a word in it.
func (r *reading) inPhrase(concept int, t lexicon.Token) bool {
	if !r.claim || glue(t.Lower) || linking[t.Lower] {
		return false
	}
	c := r.lex.Concepts[concept]
	said := lexicon.Stems(r.text)
	return slices.ContainsFunc(slices.Concat(c.Tail, c.Ask), func(p lexicon.Phrase) bool {
		return len(p.Stems) > 1 && !p.Weak && slices.Contains(p.Stems, t.Stem) &&
			!slices.ContainsFunc(p.Stems, func(s string) bool { return !slices.Contains(said, s) })
	})
}

// inverseOf returns the relations of the triples that a word names read backwards:
// the lexicon says that what is a successor one way is a predecessor the other.
func (r *reading) inverseOf(t lexicon.Token) []kg.RelationID {
	concepts := r.lex.ConceptsOf(t.Stem)
	return r.relationsThat(func(w relationWords) bool {
		return slices.ContainsFunc(w.meanings, func(m int) bool {
			of := r.lex.Concepts[m].Inverse
			return of >= 0 && (slices.Contains(concepts, of) || r.inPhrase(of, t))
		})
	})
}
