// Package lexicon knows words: how a text is cut into tokens, what a word's
// stem is, and which words mean the same in questions and in relation names.
//
//	Token    a run of letters or digits with its place and stem
//	Concept  one meaning that relations have in many graphs: the relation names
//	         that stand for it and the words that ask for it
//	Lexicon  concepts, compounds, adjectives, comparisons and stop words
//
// A Lexicon is immutable and safe for concurrent use.
package lexicon

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"cairn/assets"
)

// Token is one word of a text.
type Token struct {
	Text    string // as written
	Lower   string // folded: lower case, no accents
	Stem    string // of Lower
	Start   int    // byte offset of the first byte
	End     int    // byte offset after the last byte
	Capital bool   // Text starts with an upper-case letter
}

// Answer is the coarse kind of thing that a relation leads to, as "who",
// "where", "when" and "how many" ask for it.
type Answer int

// The kinds of answers.
const (
	Text Answer = iota // anything else
	Person
	Place
	Organization
	Work // a film, book, song, program
	Date
	Number
)

var answerNames = []string{"text", "person", "place", "org", "work", "date", "number"}

// String returns the kind as the lexicon's file writes it.
func (a Answer) String() string { return answerNames[a] }

// AnswerNouns are the nouns that things of a kind may be called.
var AnswerNouns = map[Answer][]string{
	Person:       {"person", "people", "man", "woman"},
	Place:        {"place", "city", "town", "country", "location", "village"},
	Organization: {"organization", "organisation", "company"},
	Date:         {"date", "year", "day"},
}

// AnswersNamed returns the kinds of answers that a noun stands for, by its stem: those of
// AnswerNouns, and those of the concepts whose tails it names, "father" as well as "person".
func (l *Lexicon) AnswersNamed(stem string) []Answer {
	var out []Answer
	for a, nouns := range AnswerNouns {
		if slices.ContainsFunc(nouns, func(noun string) bool { return Stem(noun) == stem }) {
			out = append(out, a)
		}
	}
	for _, concept := range l.Concepts {
		if slices.ContainsFunc(concept.Tail, func(p Phrase) bool { return slices.Equal(p.Stems, []string{stem}) }) {
			out = append(out, concept.Answer)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Phrase is one entry of a concept.
type Phrase struct {
	Text  string
	Stems []string // of its words
	// Gap says that other words may stand between the words: "where..die".
	Gap bool
	// Weak says that the phrase means much else too: "from".
	Weak bool
	// Loose says that who asks for the concept may say so, and what is said is more, or
	// of a relation that it is less: who treats something may not cure it.
	Loose bool
}

// Concept is one meaning that relations have in many graphs.
type Concept struct {
	Name string
	// Relation are the relation names that mean the concept; every word of one
	// entry must be in the name.
	Relation []Phrase
	Answer   Answer
	Tail     []Phrase // nouns for the tail
	Head     []Phrase // nouns for the head
	Ask      []Phrase // verbs and other words that ask for it
	// Inverse is the index of the concept that the same relation means read
	// backwards, or -1.
	Inverse int
	// Symmetric says that the relation means the same read backwards.
	Symmetric bool
	// SameEnds says that head and tail are things of one kind.
	SameEnds bool

	inverse string
	line    int
	without []string // entries that a user's lexicon takes out, as "field\x00stems"
}

// Comparison is what a comparing word says about one concept.
type Comparison struct {
	Concept int  // index into Concepts
	Less    bool // the word asks for the smaller value
}

// Lexicon is a set of words with their meanings.
type Lexicon struct {
	Concepts []Concept

	byName      map[string]int
	known       map[string]bool  // stems of every word of every entry
	places      map[string]int   // concept of a place, from 1, by stem: see IsPlace
	conceptsOf  map[string][]int // stem → concepts, ascending
	compounds   map[string][]string
	adjectives  map[string][]string // folded adjective → names
	comparisons map[string][]comparison
	compareSets map[string][]Comparison // folded word → resolved comparisons
	kinds       map[string][]string     // stem → stems of other nouns for the kind
	stop        map[string]bool
	uses        map[string]Use // folded word → its uses in names of relations
}

// Use is what a word is in the name of a relation, where its form does not tell. A
// word may have several.
type Use uint8

// The uses of words, in the order of useNames.
const (
	Verb  Use = 1 << iota // "borders" is a verb and no plural
	State                 // "located" is so, "born" was
	Act                   // "starred in" needs no "was"
	One                   // there is one at a time: "the capital of", but "a member of"
	Trait                 // "X is red" says the colour
)

var useNames = []string{"verb", "state", "act", "one", "trait"}

// comparison is a Comparison before its concept's name is looked up.
type comparison struct {
	concept string
	less    bool
	line    int
}

var builtin = sync.OnceValues(func() (*Lexicon, error) {
	return Parse(strings.NewReader(assets.Lexicon), "lexicon.txt")
})

// Builtin returns the lexicon that is built into the program.
func Builtin() *Lexicon {
	l, err := builtin()
	if err != nil {
		panic(fmt.Sprintf("the built-in lexicon: %v", err)) // a test reads it
	}
	return l
}

// InstanceOf is the name of the concept of relations that say what kind of thing
// something is, which sentences say without a word of theirs: "X is a Y".
const InstanceOf = "instance of"

// Profession is the name of the concept of relations for what someone does, which
// sentences say like a kind: "X is a pilot".
const Profession = "profession"

// GenderOf is the name of the concept of relations for the gender of persons, which nouns say
// beside what else they do: a son is male.
const GenderOf = "gender"

// Concept returns the index of the concept with the given name.
func (l *Lexicon) Concept(name string) (int, bool) {
	i, ok := l.byName[name]
	return i, ok
}

// ConceptsOf returns the concepts that a single word belongs to, as a one-word
// relation name, tail noun or verb, ascending. Words that name a concept only
// together with others, only weakly, or as the kind of its head, do not count.
func (l *Lexicon) ConceptsOf(stem string) []int { return l.conceptsOf[stem] }

// Knows reports whether a stem occurs in the lexicon at all.
func (l *Lexicon) Knows(stem string) bool { return l.known[stem] }

// IsAsked reports whether a stem is one of the verbs and phrases that ask for a concept.
func (l *Lexicon) IsAsked(stem string) bool {
	return slices.ContainsFunc(l.Concepts, func(c Concept) bool {
		return slices.ContainsFunc(c.Ask, func(p Phrase) bool { return slices.Contains(p.Stems, stem) })
	})
}

// IsStop reports whether a folded word carries no meaning of its own.
func (l *Lexicon) IsStop(lower string) bool { return l.stop[lower] }

// Is reports whether a folded word has a use in the names of relations.
func (l *Lexicon) Is(u Use, lower string) bool { return l.uses[lower]&u != 0 }

// IsTrait reports whether the name of a relation says no more than what its values say by
// themselves: "X is red" of the colour, but not of the colour of the eyes, "X is endangered" of its IUCN
// status, "X is natural" of its lake type, "X is an annual" of its life cycle, "X is benign" of what it is classified as, and "X is bronze" of
// what it is made of.
func (l *Lexicon) IsTrait(name []string) bool {
	if len(name) == 2 && name[0] == "has" {
		name = name[1:] // "has hazard"
	}
	switch n := len(name); {
	case n == 1:
		return l.Is(Trait, Singular(name[0]))
	case n > 1 && (name[n-1] == "status" || name[n-1] == "type"):
		return true // "red list status"
	case n == 2:
		return name[0] == "life" || name[0] == "classified" && name[1] == "as" || name[0] == "made" && name[1] == "of"
	}
	return false
}

// Compound returns the words that a folded word stands for, outermost last:
// "grandson" is child, child. It returns nil for other words.
func (l *Lexicon) Compound(lower string) []string { return l.compounds[lower] }

// KindsOf returns the stems of the other nouns for the kind of thing that a
// stem names: "movie" for "film".
func (l *Lexicon) KindsOf(stem string) []string { return l.kinds[stem] }

// IsKind reports whether a stem is that of a noun for a kind of thing, and no mere role in a
// relation: a country, and not a neighbour.
func (l *Lexicon) IsKind(stem string) bool {
	return len(l.kinds[stem]) > 0 || slices.ContainsFunc(l.Concepts, func(c Concept) bool {
		return slices.ContainsFunc(c.Head, func(p Phrase) bool { return slices.Equal(p.Stems, []string{stem}) })
	})
}

// NamesOf returns the names that a folded adjective stands for: "french" is
// France. It returns nil for other words.
func (l *Lexicon) NamesOf(lower string) []string { return l.adjectives[lower] }

// Comparisons returns what a folded comparing word compares, most important
// first: "longest" compares length. It returns nil for other words.
func (l *Lexicon) Comparisons(lower string) []Comparison { return l.compareSets[lower] }

// IsMeasure reports whether words name what is measured in numbers.
func (l *Lexicon) IsMeasure(name []string) bool {
	return slices.ContainsFunc(l.Meanings(name), func(m int) bool { return l.Concepts[m].Answer == Number })
}

// DimensionOf returns what is measured by what words name, where units of two kinds have one name: pounds of a
// weight are of "mass", and those of a price of "money"; "" where the words do not tell.
func (l *Lexicon) DimensionOf(name []string) string {
	for _, x := range [][2]string{{"weight", "mass"}, {"price", "money"}} {
		of := l.Meanings(x[:1])
		if slices.ContainsFunc(l.Meanings(name), func(m int) bool { return slices.Contains(of, m) }) {
			return x[1]
		}
	}
	return ""
}

// Meanings returns the concepts that the words of a relation's name mean: those
// with the longest entry whose words are all in the name, ascending.
func (l *Lexicon) Meanings(name []string) []int {
	stems := stemsOf(name)
	var found []int
	best := 0
	for i, c := range l.Concepts {
		longest := 0
		for _, p := range c.Relation {
			if len(p.Stems) > longest && containsAll(stems, p.Stems) && (c.Answer != Number || !isOneOf(name, p.Text)) {
				longest = len(p.Stems)
			}
		}
		if longest > best {
			best, found = longest, nil
		}
		if longest == best && longest > 0 {
			found = append(found, i)
		}
	}
	return found
}

// isOneOf reports whether a name says one of what a number counts: on which "page" something is does not say how many
// "pages" it has, a "page count" does.
func isOneOf(name []string, counted string) bool {
	one := Singular(counted)
	return one != counted && slices.Contains(name, one) && !slices.Contains(name, counted) && !slices.Contains(name, "count")
}

// stemsOf returns the set of the words' stems.
func stemsOf(words []string) map[string]bool {
	out := make(map[string]bool, len(words))
	for _, w := range words {
		out[Stem(w)] = true
	}
	return out
}

func containsAll(stems map[string]bool, needed []string) bool {
	return !slices.ContainsFunc(needed, func(n string) bool { return !stems[n] })
}

// index fills the maps that answer the methods from the entries, and resolves
// concepts that are named by others.
func (l *Lexicon) index(file string) error {
	l.byName = make(map[string]int, len(l.Concepts))
	for i, c := range l.Concepts {
		l.byName[c.Name] = i
	}
	l.known, l.places = map[string]bool{}, map[string]int{}
	l.conceptsOf = map[string][]int{}
	for i := range l.Concepts {
		c := &l.Concepts[i]
		c.Inverse = -1
		if c.inverse != "" {
			j, ok := l.byName[c.inverse]
			if !ok {
				return fmt.Errorf("%s:%d: concept %q has the inverse %q, which is not a concept: add one, or remove the line", file, c.line, c.Name, c.inverse)
			}
			if c.Inverse = j; j == i {
				c.Inverse, c.Symmetric = -1, true
			}
		}
		for _, phrases := range [][]Phrase{c.Relation, c.Tail, c.Head, c.Ask} {
			for _, p := range phrases {
				for _, s := range p.Stems {
					l.known[s] = true
				}
			}
		}
		if c.Answer == Place && slices.ContainsFunc(c.Ask, func(p Phrase) bool { return p.Weak && slices.Equal(p.Stems, inside) }) {
			for _, p := range c.Tail {
				if len(p.Stems) == 1 {
					l.places[p.Stems[0]] = i + 1
				}
			}
		}
		for _, phrases := range [][]Phrase{c.Relation, c.Tail, c.Ask} {
			for _, p := range phrases {
				if len(p.Stems) == 1 && !p.Weak && !slices.Contains(l.conceptsOf[p.Stems[0]], i) {
					l.conceptsOf[p.Stems[0]] = append(l.conceptsOf[p.Stems[0]], i)
				}
			}
		}
	}
	l.compareSets = make(map[string][]Comparison, len(l.comparisons))
	for word, cs := range l.comparisons {
		for _, c := range cs {
			i, ok := l.byName[c.concept]
			if !ok {
				return fmt.Errorf("%s:%d: %q compares %q, which is not a concept: add one, or remove it", file, c.line, word, c.concept)
			}
			l.compareSets[word] = append(l.compareSets[word], Comparison{Concept: i, Less: c.less})
		}
	}
	return nil
}

var inside = []string{Stem("in")}

// IsPlace reports whether stems say nothing but that something is a place in which another
// lies: "country", "location city".
func (l *Lexicon) IsPlace(stems []string) bool {
	return len(stems) > 0 && !slices.ContainsFunc(stems, func(s string) bool { return l.places[s] == 0 })
}

// IsOtherPlace reports whether two nouns, by their stems, are of two kinds of places in which others lie: no
// town is a country. A "place" may be any.
func (l *Lexicon) IsOtherPlace(a, b string) bool {
	isOf := func(stem string) bool { i := l.places[stem]; return i > 0 && l.Concepts[i-1].Inverse < 0 }
	return isOf(a) && isOf(b) && l.places[a] != l.places[b]
}

// Merge returns a lexicon that has the entries of both. A concept that both
// have gets the words of both, without those that the user's marks with "!";
// the user's answer kind, inverse, compounds, adjectives and comparisons
// replace those of l.
func (l *Lexicon) Merge(user *Lexicon) *Lexicon {
	m := newLexicon()
	for _, from := range []*Lexicon{l, user} {
		for _, c := range from.Concepts {
			m.addConcept(c)
		}
		maps.Copy(m.compounds, from.compounds)
		maps.Copy(m.adjectives, from.adjectives)
		maps.Copy(m.comparisons, from.comparisons)
		for w, v := range from.kinds {
			m.kinds[w] = append(slices.Clone(m.kinds[w]), v...)
		}
		for w, u := range from.uses {
			m.uses[w] |= u
		}
		for w := range from.stop {
			m.stop[w] = true
		}
	}
	if err := m.index("lexicon"); err != nil {
		panic(err) // both parsed, so every name that one uses it has
	}
	return m
}

// addConcept adds c, or its words to the concept of that name.
func (l *Lexicon) addConcept(c Concept) {
	i := slices.IndexFunc(l.Concepts, func(o Concept) bool { return o.Name == c.Name })
	if i < 0 {
		l.Concepts = append(l.Concepts, c)
		return
	}
	o := l.Concepts[i]
	o.Relation = mergePhrases(o.Relation, c.Relation, c.without, "relation")
	o.Tail = mergePhrases(o.Tail, c.Tail, c.without, "tail")
	o.Head = mergePhrases(o.Head, c.Head, c.without, "head")
	o.Ask = mergePhrases(o.Ask, c.Ask, c.without, "ask")
	o.Answer, o.SameEnds = c.Answer, o.SameEnds || c.SameEnds
	if c.inverse != "" {
		o.inverse = c.inverse
	}
	l.Concepts[i] = o
}

func mergePhrases(a, b []Phrase, without []string, field string) []Phrase {
	var out []Phrase
	for _, p := range slices.Concat(a, b) {
		same := func(o Phrase) bool { return slices.Equal(o.Stems, p.Stems) && o.Gap == p.Gap }
		if !slices.Contains(without, removal(field, p.Stems)) && !slices.ContainsFunc(out, same) {
			out = append(out, p)
		}
	}
	return out
}

func removal(field string, stems []string) string {
	return field + "\x00" + strings.Join(stems, " ")
}
