// Package say words what a graph holds: names, relations and triples as clauses.
package say

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/internal/wording"
)

// Form is the form of a relation's name, by which it becomes a clause:
//
//	capital of      be    Vienna is the capital of Austria
//	directed by     be    Harvey was directed by Henry Koster
//	borders         verb  Austria borders Hungary
//	starred in      past  James Stewart starred in Harvey
//	release year    noun  the release year of Harvey is 1950
//
// What fits nothing else is taken for a noun, which at least never swaps head
// and tail.
type Form int

// The forms.
const (
	Noun Form = iota // and what fits nothing else
	Be
	Verb
	Past
)

// Clause is a relation's name made ready for a sentence.
type Clause struct {
	Form    Form
	Words   string // after "is" or "was"; the verb and what follows; the noun
	was     bool   // be in the past tense
	Unit    string // of a noun: "km²" from "area (km²)"
	Inverse bool   // the tail is the subject
	when    bool   // words may need "in" before a year: "was founded in 1945", "died in 1911"
	name    string // of the relation; empty where it ends by leading to something: "located in"
}

var prepositions = lexicon.WordSet("of by in at on to for from with as after before into through over under about against during near between above below behind beneath beside beyond inside outside underneath within without")

// helping are verbs that only stand before another one.
var helping = lexicon.WordSet("do does did can cannot could may might must will would should")

// ClauseOf reads a relation's name.
func ClauseOf(text string) Clause {
	text = strings.TrimSpace(text)
	if base, ok := strings.CutSuffix(text, " inverse"); ok {
		c := ClauseOf(base)
		c.Inverse = !c.Inverse
		return c
	}
	c := clauseOf(text)
	if ws := strings.Fields(strings.ToLower(apart(text))); len(ws) > 0 && !prepositions[ws[len(ws)-1]] {
		c.name = text
	}
	return c
}

// adverbs are those before a verb that do not end in "ly".
var adverbs = lexicon.WordSet("also co first last not")

func clauseOf(text string) Clause {
	text = apart(text)
	if lower := strings.ToLower(text); text == strings.ToUpper(text) && text != lower { // OWNS, DIRECTOR OF, but not ISBN
		if c := clauseOf(lower); c.Form != Noun {
			return c
		}
	}
	ws := strings.Fields(strings.ToLower(text))
	if len(ws) == 0 {
		return Clause{Words: "relation"}
	}
	first, last := ws[0], ws[len(ws)-1]
	main := first
	if len(ws) > 1 && (strings.HasSuffix(first, "ly") || adverbs[first]) {
		main = ws[1]
	}
	ends, participle := len(ws) > 1 && prepositions[last], lexicon.IsParticiple(main)
	if n := len(ws) - 2; n > 0 && ends && lexicon.IsParticiple(ws[n]) && !participle && !is(lexicon.Verb, main) && !helping[first] && !lexicon.Denies(ws) {
		// The fields of a Freebase name: "film directed by".
		return clauseOf(ws[n] + " " + last)
	}
	switch {
	case first == "is" || first == "was" || first == "are" || first == "were":
		_, words, _ := strings.Cut(text, " ")
		if last == "of" && len(ws) == 3 {
			words = article(words, ws[1])
		}
		return Clause{Form: Be, Words: words, was: first == "was" || first == "were"}
	case lexicon.Stem(first) == lexicon.ShareStem && last == "with":
		words := "shares with"
		if what := strings.Join(ws[1:len(ws)-1], " "); lexicon.IsPlural(what) {
			words = "shares " + what + " with"
		} else if what != "" {
			words = "shares " + lexicon.WithArticle(what) + " with"
		}
		return Clause{Form: Verb, Words: words}
	case is(lexicon.Act, main) && ends && last != "by", lexicon.IsPast(first) && (!participle || !ends && len(ws) > 1 && !is(lexicon.State, first)):
		return Clause{Form: Past, Words: text}
	case participle && ends && len(ws) > 2 && !prepositions[ws[1]] && lexicon.IsPlural(ws[len(ws)-2]) && last != "by" && !is(lexicon.State, main): // "borrowed words from"
		return Clause{Form: Past, Words: text}
	case participle && main != first && len(ws) == 2: // "also called", "first published"
		return Clause{Form: Be, Words: text, was: !is(lexicon.State, main), when: true}
	case participle && (ends || len(ws) > 1 && prepositions[ws[1]]):
		return Clause{Form: Be, Words: text, was: !is(lexicon.State, main)}
	case participle && len(ws) == 1:
		return Clause{Form: Past, Words: text, was: !is(lexicon.Act, main), when: true}
	case prepositions[first]:
		return Clause{Form: Be, Words: text}
	case is(lexicon.Verb, main), ends && lexicon.IsThird(main), len(ws) > 1 && helping[first]:
		return Clause{Form: Verb, Words: text}
	case ends && last == "of":
		return Clause{Form: Be, Words: article(text, ws[len(ws)-2])}
	case ends && nominal(ws[len(ws)-2]):
		return Clause{Form: Verb, Words: "has " + lexicon.WithArticle(text)}
	case ends:
		return Clause{Form: Be, Words: text}
	}
	c := Clause{Form: Noun, Words: text}
	if open := strings.LastIndexByte(text, '('); open > 0 && strings.HasSuffix(text, ")") {
		c.Words, c.Unit = strings.TrimSpace(text[:open]), text[open+1:len(text)-1]
	}
	return c
}

// apart divides words that are written as one: "isa", "locatedin", "worksfor".
func apart(text string) string {
	lower := strings.ToLower(text)
	if lower == "isa" {
		return "is a"
	}
	for p := range prepositions {
		w, ok := strings.CutSuffix(lower, p)
		if ok && w != "" && !strings.Contains(w, " ") && (lexicon.IsParticiple(w) || is(lexicon.Verb, w)) {
			return text[:len(w)] + " " + p
		}
	}
	return text
}

// nominal reports whether the ending of a word makes it a noun: "interaction with",
// "resistance to".
func nominal(w string) bool {
	endings := []string{"tion", "sion", "ment", "ship", "ance", "ence", "ity", "ness"}
	return slices.ContainsFunc(endings, func(e string) bool { return len(w) > len(e)+2 && strings.HasSuffix(w, e) })
}

// is reports what a word is in the name of a relation.
func is(u lexicon.Use, w string) bool { return lexicon.Builtin().Is(u, w) }

// article puts "the", "a" or "an" before a role that ends in "of".
func article(text, role string) string {
	switch {
	case role == "part" && strings.HasPrefix(strings.ToLower(text), "part"):
		return text
	case is(lexicon.One, role):
		return "the " + text
	}
	return lexicon.WithArticle(text)
}

// Say makes a clause of heads and tails, which are names, at least one of each;
// year says that the tail is a number or a date.
func (c Clause) Say(heads, tails []string, year bool) string {
	if c.Inverse {
		heads, tails = tails, heads
	}
	h, t := wording.List(heads), wording.List(tails)
	many := len(heads) > 1
	alone, mark, marked := strings.Cut(t, " [T")
	if _, ok := lexicon.Truth(alone); ok && c.name != "" && !c.Inverse { // no clause says "Ada polled N"
		return wording.Quote(c.name) + " is " + t + " for " + h
	}
	switch c.Form {
	case Be:
		words := c.Words
		if many {
			words = severally(words)
		}
		if c.when && year {
			words += onOrIn(alone)
		}
		return h + " " + toBe(many, c.was) + " " + words + " " + t
	case Verb:
		if many {
			return h + " " + lexicon.Base(c.Words) + " " + t
		}
		return h + " " + c.Words + " " + t
	case Past:
		if c.when && year {
			verb := c.Words + onOrIn(alone) + " "
			if c.was {
				verb = toBe(many, true) + " " + verb
			}
			return h + " " + verb + t
		}
		return h + " " + c.Words + " " + t
	case Noun:
	}
	if x, ok := kg.ParseExtent(alone); ok && x.Kind == kg.DateValue && is(lexicon.Act, strings.ToLower(c.Words)) { // expires
		verb := c.Words
		if many {
			verb = lexicon.Base(verb)
		}
		return h + " " + verb + onOrIn(alone) + " " + t
	}
	// A unit goes before the citation mark.
	t = c.WithUnit(alone)
	if marked {
		t += " [T" + mark
	}
	switch {
	case len(tails) > 1:
		return "the " + plural(c.Words) + " of " + h + " are " + t
	case !isPlural(c.Words):
		return "the " + c.Words + " of " + h + " is " + t
	case year && c.counts(alone):
		verb, what := " has ", c.Words
		if many {
			verb = " each have "
		}
		if alone == "1" {
			what = lexicon.Singular(what)
		}
		return h + verb + strings.Replace(t, alone, alone+" "+what, 1)
	case year:
		return "the " + c.Words + " of " + h + " are " + t
	}
	return "the " + c.Words + " of " + h + " include " + t
}

// onOrIn is the preposition before a date: " on" a day, " in" a year.
func onOrIn(date string) string {
	if x, ok := kg.ParseExtent(date); ok && x.Kind == kg.DateValue && x.Until-x.Number < 2.0/366 {
		return " on"
	}
	return " in"
}

// WithUnit is a value with the unit that the name of the relation gives, where the value has none.
func (c Clause) WithUnit(value string) string {
	if c.Unit == "" || strings.Contains(value, c.Unit) || strings.ContainsAny(c.Unit[:1], "0123456789") {
		return value
	}
	return value + " " + c.Unit
}

var measures = lexicon.Words("nouns of measures")

// counts reports whether a noun, which is plural, and its value say how many things there are: "seats"
// and 48, but not "fees" and 48, nor "editions" and 1998.
func (c Clause) counts(value string) bool {
	n, err := strconv.Atoi(value)
	isYear := len(value) == len("1998") && n < 2100
	what := lexicon.Singular(strings.ToLower(c.Words))
	return err == nil && n > 0 && !isYear && c.Unit == "" && !strings.Contains(c.Words, " ") && !measures[what] && kg.UnitsOf(what) == nil
}

// isPlural reports whether a noun with all that follows it speaks of several: "starred actors", but not
// "term in years".
func isPlural(noun string) bool {
	ws := strings.Fields(noun)
	if i := slices.IndexFunc(ws, func(w string) bool { return prepositions[w] }); i > 0 {
		ws = ws[:i]
	}
	noun, _ = beforeDeed(strings.Join(ws, " "))
	return lexicon.IsPlural(noun)
}

// plural is the plural of a noun with what is done behind it: "parts used".
func plural(noun string) string {
	noun, deed := beforeDeed(noun)
	return lexicon.Plural(noun) + deed
}

// beforeDeed divides a noun from a participle behind it: "parts" and " used".
func beforeDeed(noun string) (what, deed string) {
	if at := strings.LastIndexByte(noun, ' '); at > 0 && lexicon.IsParticiple(strings.ToLower(noun[at+1:])) {
		return noun[:at], noun[at:]
	}
	return noun, ""
}

// severally turns what one thing is into what several are: "the director of" into "the
// directors of", "a kind of" into "kinds of".
func severally(words string) string {
	if head, ok := strings.CutSuffix(words, " of"); ok {
		switch art, noun, _ := strings.Cut(head, " "); {
		case noun == "":
		case art == "the":
			return "the " + lexicon.Plural(noun) + " of"
		case art == "a" || art == "an":
			return lexicon.Plural(noun) + " of"
		}
	}
	return words
}

func toBe(many, was bool) string {
	switch {
	case many && was:
		return "were"
	case many:
		return "are"
	case was:
		return "was"
	}
	return "is"
}

// Capital gives a sentence its first letter, unless it starts with a name, which
// is left as it is.
func Capital(s string) string {
	if after, ok := strings.CutPrefix(s, "the "); ok {
		return "The " + after
	}
	return s
}

// maxLabel is how much of a name a sentence shows, in characters.
const maxLabel = 80

// Name returns the name of e as a sentence shows it: on one line, not endless,
// and never to be mistaken for a citation.
func Name(g *kg.Graph, e kg.EntityID) string {
	if e == kg.NoEntity {
		return "something"
	}
	s := Readable(g.Label(e))
	if s == "" {
		if s = Readable(g.Key(e)); s == "" {
			return "(an entity without a name)"
		}
	}
	return s
}

// Readable makes text fit for a sentence.
func Readable(s string) string {
	var b strings.Builder
	for f := range strings.FieldsFuncSeq(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		if b.WriteString(f); b.Len() > maxLabel*utf8.UTFMax {
			break // the rest of a book will not be shown
		}
	}
	s = strings.ReplaceAll(b.String(), "[T", "(T")
	if utf8.RuneCountInString(s) > maxLabel {
		s = strings.TrimRight(string([]rune(s)[:maxLabel-1]), " ") + "…"
	}
	return s
}

// Triple says a triple as a clause: "Vienna is the capital of Austria".
func Triple(g *kg.Graph, t kg.TripleID) string {
	x := g.Triple(t)
	value := IsValue(g, x.Tail)
	return ClauseOf(Readable(g.RelationText(x.Relation))).Say([]string{Name(g, x.Head)}, []string{Name(g, x.Tail)}, value)
}

// IsValue reports whether e is a number or a date, in quotes or not.
func IsValue(g *kg.Graph, e kg.EntityID) bool {
	_, ok := g.Value(e)
	return ok
}

// Quoted puts texts in quotes.
func Quoted(texts []string) []string {
	return wording.Each(texts, func(t string) string { return "“" + Readable(t) + "”" })
}
