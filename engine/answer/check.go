package answer

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
)

// CheckSentences compares every unchecked sentence of an answer, notes apart,
// with the triples that it cites, without a model:
//
//	words ──▶ names, relations, numbers, negations, the rest
//	relations with the names around them ──▶ facts ──▶ cited triples
//
// A sentence is Covered only where each of its names and numbers is in the cited
// triples, each relation stands between names as a cited triple has them, in its
// direction, and no other word says more. In doubt it is Partly: the check errs
// towards telling the reader to look. It reads English; a sentence in another
// language is covered only as far as it consists of names.
func CheckSentences(g *kg.Graph, a *Answer) {
	c := &checker{g: g, a: a, lex: lexicon.Builtin()}
	for i := range a.Sentences {
		if s := &a.Sentences[i]; s.Check == Unchecked && !s.Note {
			s.Check, s.Reason = c.check(*s)
		}
	}
}

// checker checks the sentences of one answer.
type checker struct {
	g   *kg.Graph
	a   *Answer
	lex *lexicon.Lexicon
	all map[string][]name // names of the pack's entities by first word; see names
}

func (c *checker) check(s Sentence) (Check, string) {
	var cited []kg.TripleID
	outside := ""
	for _, n := range s.Citations {
		if n < 1 || n > len(c.a.Pack.Triples) {
			outside = fmt.Sprintf("It cites T%d, which does not exist; the evidence has T1 to T%d.", n, len(c.a.Pack.Triples))
			if len(c.a.Pack.Triples) == 0 {
				outside = fmt.Sprintf("It cites T%d; there is no evidence to cite.", n)
			}
			continue
		}
		if t := c.a.Pack.Triples[n-1]; !slices.Contains(cited, t) {
			cited = append(cited, t)
		}
	}
	found, reason := c.against(s.Text, cited)
	if found == Covered && outside == "" && len(s.Citations) > 0 {
		return Covered, ""
	}
	if whole, _ := c.against(s.Text, c.a.Pack.Triples); whole == Covered {
		switch {
		case outside != "":
			return Misattributed, outside
		case len(s.Citations) == 0:
			return Misattributed, "It cites no triple, though the evidence has some that say this."
		}
		return Misattributed, strings.TrimSpace(reason + " Another triple of the evidence says it.")
	}
	if outside != "" {
		return NotInEvidence, outside
	}
	if len(s.Citations) == 0 {
		return NotInEvidence, "It cites no triple, and none says this."
	}
	return found, reason
}

// against compares a text with triples.
func (c *checker) against(text string, triples []kg.TripleID) (Check, string) {
	// A list of names before a verb may end the clause before or belong to the
	// next: "A borders B and C borders D". Either reading may hold.
	var first Check
	var reason string
	for i, split := range []bool{false, true} {
		r := c.newReading(text, triples)
		r.scan()
		r.group(split)
		found, why := r.judge()
		if found == Covered {
			return Covered, ""
		}
		if i == 0 {
			first, reason = found, why
		}
	}
	return first, reason
}

// itemKind is what a stretch of a sentence is.
type itemKind int

const (
	wordItem     itemKind = iota // glue, or a word that says more
	nameItem                     // one or more coordinated names
	relationItem                 // words for a relation
	numberItem                   // a number that is no name
)

// item is a stretch of a sentence.
type item struct {
	kind       itemKind
	start, end int // byte offsets
	lower      string
	owner      bool            // an adjective of a name, or a name with 's
	names      [][]kg.EntityID // of nameItem: the entities that each name may mean
	relations  []kg.RelationID // of relationItem
	value      int             // of numberItem; -1 for what is no small whole number
}

// reading is one attempt to cover one sentence.
type reading struct {
	*checker
	text    string
	triples []kg.TripleID
	items   []item
	unknown []lexicon.Token // words that nothing explains
	negated bool
	agrees  bool // it says yes
	// content[r] are the stems that name a relation of the triples; meanings[r]
	// its concepts.
	content  map[kg.RelationID][]string
	meanings map[kg.RelationID][]int
	kinds    map[string]bool // stems for the kinds of things that are spoken of
	joined   map[kg.EntityID]bool
}

var (
	citation  = regexp.MustCompile(`[\[(]?\bT\d+\b[\])]?`)
	thousands = regexp.MustCompile(`(\d),(\d{3})\b`)
)

// plainText takes citation marks out, and the commas out of numbers.
func plainText(s string) string {
	s = citation.ReplaceAllString(s, " ")
	for {
		t := thousands.ReplaceAllString(s, "$1$2")
		if t == s {
			return s
		}
		s = t
	}
}

func (c *checker) newReading(text string, triples []kg.TripleID) *reading {
	r := &reading{
		checker: c, text: plainText(text), triples: triples,
		content: map[kg.RelationID][]string{}, meanings: map[kg.RelationID][]int{},
		kinds: map[string]bool{}, joined: map[kg.EntityID]bool{},
	}
	for _, id := range triples {
		t := c.g.Triple(id)
		for _, e := range []kg.EntityID{t.Head, t.Tail} {
			for _, kind := range c.g.Types(e) {
				r.addKinds(lexicon.Stems(c.g.TypeLabel(kind)))
			}
		}
		if _, ok := r.content[t.Relation]; ok {
			continue
		}
		// A unit in brackets is no word for the relation: "area (km²)".
		text, unit, _ := strings.Cut(c.g.RelationText(t.Relation), "(")
		r.addKinds(lexicon.Stems(unit))
		words := append(lexicon.Tokenize(text), lexicon.Tokenize(strings.Join(propertyWords(c.g, t.Relation), " "))...)
		stems := []string{}
		for _, w := range words {
			if !c.lex.IsStop(w.Lower) && !linking[w.Lower] && !copulas[w.Lower] && !slices.Contains(stems, w.Stem) {
				stems = append(stems, w.Stem)
			}
		}
		r.content[t.Relation] = stems
		r.meanings[t.Relation] = c.lex.Meanings(lexicon.RelationWords(c.g.RelationKey(t.Relation)))
		for _, m := range r.meanings[t.Relation] {
			for _, p := range slices.Concat(c.lex.Concepts[m].Head, c.lex.Concepts[m].Tail) {
				r.addKinds(p.Stems)
			}
		}
	}
	return r
}

// propertyWords are the words of a relation's key, without a unit in brackets.
func propertyWords(g *kg.Graph, rel kg.RelationID) []string {
	key, _, _ := strings.Cut(g.RelationKey(rel), "(")
	return lexicon.RelationWords(key)
}

func (r *reading) addKinds(stems []string) {
	for _, s := range stems {
		r.kinds[s] = true
	}
}

// name is a name of an entity of the evidence, cut into words.
type name struct {
	words  []string
	entity kg.EntityID
	text   string
}

// names lists the names of the pack's entities, whole evidence rather than cited
// triples: a name that is not cited must be known as a name to be missed.
func (c *checker) names() map[string][]name {
	if c.all != nil {
		return c.all
	}
	by := map[string][]name{}
	c.all = by
	seen := map[kg.EntityID]bool{}
	for _, id := range c.a.Pack.Triples {
		t := c.g.Triple(id)
		for _, e := range []kg.EntityID{t.Head, t.Tail} {
			if seen[e] {
				continue
			}
			seen[e] = true
			for _, s := range append([]string{c.g.Label(e)}, c.g.Aliases(e)...) {
				var words []string
				for _, w := range lexicon.Tokenize(plainText(s)) {
					words = append(words, w.Lower)
				}
				if len(words) > 0 {
					by[words[0]] = append(by[words[0]], name{words, e, s})
				}
			}
		}
	}
	return by
}

// scan cuts the text into items.
func (r *reading) scan() {
	tokens := lexicon.Tokenize(r.text)
	names := r.checker.names()
	for i := 0; i < len(tokens); {
		if n, es := r.nameAt(tokens[i:], names); n > 0 {
			it := item{kind: nameItem, start: tokens[i].Start, end: tokens[i+n-1].End, names: [][]kg.EntityID{es}}
			i += n
			if i < len(tokens) && tokens[i].Text == lexicon.Possessive || i < len(tokens) && tokens[i].Lower == lexicon.Possessive {
				it.owner = true
				it.end = tokens[i].End
				i++
			}
			r.items = append(r.items, it)
			continue
		}
		r.word(tokens[i], names)
		i++
	}
}

// nameAt returns the longest name at the start of tokens: its number of words
// and the entities that have it.
func (r *reading) nameAt(tokens []lexicon.Token, names map[string][]name) (length int, es []kg.EntityID) {
	for _, n := range names[tokens[0].Lower] {
		if len(n.words) < length || len(n.words) > len(tokens) {
			continue
		}
		same := true
		for k, w := range n.words {
			same = same && tokens[k].Lower == w
		}
		// A name that is an everyday word is one only as it is written.
		written := r.text[tokens[0].Start:tokens[len(n.words)-1].End]
		if !same || len(n.words) == 1 && r.glue(n.words[0]) && written != n.text {
			continue
		}
		if len(n.words) > length {
			length, es = len(n.words), nil
		}
		if !slices.Contains(es, n.entity) {
			es = append(es, n.entity)
		}
	}
	return length, es
}

// word adds the item of a word that is no name.
func (r *reading) word(t lexicon.Token, names map[string][]name) {
	it := item{kind: wordItem, start: t.Start, end: t.End, lower: t.Lower}
	for _, full := range r.lex.NamesOf(t.Lower) {
		if words := lexicon.Tokenize(full); len(words) > 0 {
			if n, es := r.nameAt(words, names); n == len(words) {
				it.kind, it.names, it.owner = nameItem, [][]kg.EntityID{es}, true
				r.items = append(r.items, it)
				return
			}
		}
	}
	switch v, isNumber := numberOf(t.Lower); {
	case isNegation(t.Lower, r.text, t):
		r.negated = true
	case isNumber:
		it.kind, it.value = numberItem, v
	case r.relationOf(t.Stem) != nil:
		it.kind, it.relations = relationItem, r.relationOf(t.Stem)
	case t.Lower == "yes" || t.Lower == "true" || t.Lower == "correct":
		r.agrees = true
	case r.glue(t.Lower) || r.kinds[t.Stem]:
	default:
		r.unknown = append(r.unknown, t)
	}
	r.items = append(r.items, it)
}

// relationOf returns the relations of the triples that a word names, ascending.
func (r *reading) relationOf(stem string) []kg.RelationID {
	var found []kg.RelationID
	concepts := r.lex.ConceptsOf(stem)
	for rel, stems := range r.content {
		if slices.Contains(stems, stem) || slices.ContainsFunc(r.meanings[rel], func(m int) bool { return slices.Contains(concepts, m) }) {
			found = append(found, rel)
		}
	}
	slices.Sort(found)
	return found
}

var numberWords = map[string]int{
	"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
	"thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
	"hundred": -1, "thousand": -1, "million": -1, "billion": -1, "dozen": 12, "zero": 0,
}

func numberOf(lower string) (int, bool) {
	if v, ok := numberWords[lower]; ok {
		return v, true
	}
	if lower == "" || lower[0] < '0' || lower[0] > '9' {
		return 0, false
	}
	if v, err := strconv.Atoi(lower); err == nil {
		return v, true
	}
	return -1, true
}

var negations = map[string]bool{
	"not": true, "no": true, "never": true, "neither": true, "nor": true, "none": true, "without": true, "nothing": true, "nobody": true,
	"cannot": true, "false": true, "incorrect": true, "wrong": true, "untrue": true, "refuted": true, "denies": true, "lacks": true, "except": true,
}

// isNegation knows negating words and n't, which the tokenizer cuts in two.
func isNegation(lower, text string, t lexicon.Token) bool {
	if negations[lower] {
		return true
	}
	return lower == "t" && t.Start > 1 && strings.HasSuffix(strings.ToLower(strings.ReplaceAll(text[:t.Start], "’", "'")), "n'")
}

// overclaims are stop words of questions that say something in an answer.
var overclaims = map[string]bool{
	"more": true, "most": true, "less": true, "least": true, "than": true, "all": true, "another": true, "other": true, "else": true, "same": true, "will": true, "would": true, "should": true, "might": true,
}

var answerGlue = words(`according evidence evidences graph graphs triple triples states stated says answer answers following include includes including namely thus
	so therefore each either while because but between among within via per out up onto such like it its they respectively fact facts statement claim given being
	well then here different distinct total number countries entity entities`)

// glue reports whether a word says nothing that evidence could be asked for.
func (c *checker) glue(lower string) bool {
	return !overclaims[lower] && !negations[lower] && (answerGlue[lower] || c.lex.IsStop(lower) || linking[lower] || copulas[lower])
}

var linking = map[string]bool{
	"of": true, "in": true, "by": true, "at": true, "from": true, "for": true, "to": true, "on": true, "with": true, "into": true, "through": true, "as": true, "near": true,
}

var copulas = map[string]bool{
	"is": true, "are": true, "was": true, "were": true, "be": true, "been": true, "being": true, "include": true, "includes": true,
}
