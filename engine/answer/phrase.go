package answer

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/internal/wording"
)

// A relation's name becomes a clause by its form:
//
//	capital of      be    Vienna is the capital of Austria
//	directed by     be    Harvey was directed by Henry Koster
//	borders         verb  Austria borders Hungary
//	starred in      past  James Stewart starred in Harvey
//	release year    noun  the release year of Harvey is 1950
//
// What fits nothing else is taken for a noun, which at least never swaps head
// and tail.
type form int

const (
	noun form = iota
	be
	verb
	past
)

// clause is a relation's name made ready for a sentence.
type clause struct {
	form    form
	words   string // after "is" or "was"; the verb and what follows; the noun
	was     bool   // be in the past tense
	unit    string // of a noun: "km²" from "area (km²)"
	inverse bool   // the tail is the subject
	when    bool   // words may need "in" before a year: "was founded in 1945"
}

var prepositions = words("of by in at on to for from with as after before into through over under about against during near between")

func words(s string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		m[w] = true
	}
	return m
}

// clauseOf reads a relation's name.
func clauseOf(text string) clause {
	text = strings.TrimSpace(text)
	if base, ok := strings.CutSuffix(text, " inverse"); ok {
		c := clauseOf(base)
		c.inverse = !c.inverse
		return c
	}
	if strings.EqualFold(text, "isa") {
		text = "is a"
	}
	ws := strings.Fields(strings.ToLower(text))
	if len(ws) == 0 {
		return clause{words: "relation"}
	}
	first, last := ws[0], ws[len(ws)-1]
	main := first
	if len(ws) > 1 && (strings.HasSuffix(first, "ly") || first == "also" || first == "co" || first == "not") {
		main = ws[1]
	}
	ends, participle := len(ws) > 1 && prepositions[last], lexicon.IsParticiple(main)
	if n := len(ws) - 2; n > 0 && ends && lexicon.IsParticiple(ws[n]) && !participle && !is(lexicon.Verb, main) {
		// The fields of a Freebase name: "film directed by".
		return clauseOf(ws[n] + " " + last)
	}
	switch {
	case first == "is" || first == "was" || first == "are" || first == "were":
		return clause{form: be, words: rest(text), was: first == "was" || first == "were"}
	case is(lexicon.Act, main) && ends && last != "by", lexicon.IsPast(first) && (!participle || !ends && len(ws) > 1 && !is(lexicon.State, first)):
		return clause{form: past, words: text}
	case participle && (ends || len(ws) > 1 && prepositions[ws[1]]):
		return clause{form: be, words: text, was: !is(lexicon.State, main)}
	case participle && len(ws) == 1:
		return clause{form: past, words: text, when: true}
	case prepositions[first]:
		return clause{form: be, words: text}
	case is(lexicon.Verb, main), ends && lexicon.IsThird(main):
		return clause{form: verb, words: text}
	case ends && last == "of":
		return clause{form: be, words: article(text, ws[len(ws)-2])}
	case ends:
		return clause{form: be, words: text}
	}
	c := clause{form: noun, words: text}
	if open := strings.LastIndexByte(text, '('); open > 0 && strings.HasSuffix(text, ")") {
		c.words, c.unit = strings.TrimSpace(text[:open]), text[open+1:len(text)-1]
	}
	return c
}

// rest returns text without its first word.
func rest(text string) string {
	_, after, _ := strings.Cut(text, " ")
	return after
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

// say makes a clause of heads and tails, which are names, at least one of each;
// year says that the tail is a number or a date.
func (c clause) say(heads, tails []string, year bool) string {
	if c.inverse {
		heads, tails = tails, heads
	}
	h, t := wording.List(heads), wording.List(tails)
	many := len(heads) > 1
	switch c.form {
	case be:
		return h + " " + toBe(many, c.was) + " " + c.words + " " + t
	case verb:
		if many {
			return h + " " + lexicon.Base(c.words) + " " + t
		}
		return h + " " + c.words + " " + t
	case past:
		if c.when && year {
			return h + " " + toBe(many, true) + " " + c.words + " in " + t
		}
		return h + " " + c.words + " " + t
	case noun:
	}
	return c.sayNoun(h, t, len(tails))
}

func (c clause) sayNoun(h, t string, tails int) string {
	if c.unit != "" && !strings.Contains(t, c.unit) {
		// The unit goes before the citation mark.
		if at := strings.Index(t, " [T"); at >= 0 {
			t = t[:at] + " " + c.unit + t[at:]
		} else {
			t += " " + c.unit
		}
	}
	switch {
	case tails > 1:
		return "the " + lexicon.Plural(c.words) + " of " + h + " are " + t
	case lexicon.IsPlural(c.words):
		return "the " + c.words + " of " + h + " include " + t
	}
	return "the " + c.words + " of " + h + " is " + t
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

// capital gives a sentence its first letter, unless it starts with a name, which
// is left as it is.
func capital(s string) string {
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
	s := readable(g.Label(e))
	if s == "" {
		if s = readable(g.Key(e)); s == "" {
			return "(an entity without a name)"
		}
	}
	return s
}

// readable makes text fit for a sentence.
func readable(s string) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	s = strings.ReplaceAll(s, "[T", "(T")
	if utf8.RuneCountInString(s) > maxLabel {
		s = strings.TrimRight(string([]rune(s)[:maxLabel-1]), " ") + "…"
	}
	return s
}

// TripleText says a triple as a clause: "Vienna is the capital of Austria".
func TripleText(g *kg.Graph, t kg.TripleID) string {
	x := g.Triple(t)
	value := isValue(g, x.Tail)
	return clauseOf(readable(g.RelationText(x.Relation))).say([]string{Name(g, x.Head)}, []string{Name(g, x.Tail)}, value)
}

// isValue reports whether e is a number or a date, in quotes or not.
func isValue(g *kg.Graph, e kg.EntityID) bool {
	_, ok := kg.ParseValue(strings.Trim(g.Label(e), `"`))
	return ok
}
