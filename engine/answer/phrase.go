package answer

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/engine/kg"
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

var (
	prepositions = words("of by in at on to for from with as after before into through over under about against during near between")
	// participles that describe a state take "is", others an event: "was".
	states       = words("located situated based named called known spoken used made associated related connected affiliated linked composed aged listed classified considered required included bordered surrounded twinned headquartered derived involved expressed married owned made inhabited ranked rated measured")
	participles  = words("written born known made spoken held led sung built drawn given taken won found bought sold shot set bred worn hidden driven begun grown shown seen cast spun put cut hit")
	intransitive = words("starred acted appeared died lived worked studied played participated competed served happened occurred graduated resulted emerged collaborated performed sang fought ruled reigned resided belonged moved retired")
	irregular    = words("wrote made won sang led built drew took gave found bought sold shot taught bore fought began met ran became")
	// verbs that stand alone; with a preposition after it, any word in -s is one.
	verbs = words(`has borders uses affects causes produces complicates measures disrupts performs precedes treats
		analyzes analyses diagnoses exhibits prevents indicates contains surrounds manages practices interconnects owns
		speaks wears plays includes employs governs crosses inhibits activates regulates binds targets encodes expresses
		upregulates downregulates catalyzes resembles palliates presents localizes drains follows replaces shares
		supports opposes likes loves knows sees hates teaches studies eats needs requires covers feeds consists comprises
		wants makes takes gives holds leads carries belongs lies flows lives works occurs interacts assesses sponsors
		publishes directs writes stars features represents inhabits hosts serves joins connects provides exports imports`)
	// roles of which there is one at a time: "the capital of", but "a member of".
	unique = words(`capital author director founder president king queen mayor leader head governor ceo chairman inventor
		discoverer creator birthplace place cause spouse husband wife mother father owner seat source mouth symbol
		headquarters currency name date year number population area composer writer birthplace result location`)
	plurals = words("children people men women")
)

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
	ends := len(ws) > 1 && prepositions[last]
	if n := len(ws) - 2; n > 0 && ends && participle(ws[n]) && !participle(main) && !verbs[main] {
		// The fields of a Freebase name: "film directed by".
		return clauseOf(ws[n] + " " + last)
	}
	switch {
	case first == "is" || first == "was" || first == "are" || first == "were":
		return clause{form: be, words: rest(text), was: first == "was" || first == "were"}
	case intransitive[main] && ends, irregular[main] && main == first:
		return clause{form: past, words: text}
	case participle(main) && (ends || len(ws) > 1 && prepositions[ws[1]]):
		return clause{form: be, words: text, was: !states[main]}
	case participle(main) && len(ws) == 1:
		return clause{form: past, words: text, when: true}
	case prepositions[first]:
		return clause{form: be, words: text}
	case verbs[main], ends && third(main):
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

func participle(w string) bool {
	return participles[w] || states[w] || (len(w) > 4 && strings.HasSuffix(w, "ed"))
}

// third reports whether w looks like a verb in the third person.
func third(w string) bool {
	return len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us")
}

// article puts "the", "a" or "an" before a role that ends in "of".
func article(text, role string) string {
	switch {
	case role == "part" && strings.HasPrefix(strings.ToLower(text), "part"):
		return text
	case unique[role]:
		return "the " + text
	case strings.ContainsRune("aeiou", rune(strings.ToLower(text)[0])):
		return "an " + text
	}
	return "a " + text
}

// say makes a clause of heads and tails, which are names, at least one of each;
// year says that the tail is a number or a date.
func (c clause) say(heads, tails []string, year bool) string {
	if c.inverse {
		heads, tails = tails, heads
	}
	h, t := join(heads), join(tails)
	many := len(heads) > 1
	switch c.form {
	case be:
		return h + " " + toBe(many, c.was) + " " + c.words + " " + t
	case verb:
		if many {
			return h + " " + plain(c.words) + " " + t
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
		return "the " + pluralOf(c.words) + " of " + h + " are " + t
	case isPlural(c.words):
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

// plain turns the third person of a verb into its plain form: "borders" into
// "border".
func plain(text string) string {
	w, after, _ := strings.Cut(text, " ")
	switch {
	case w == "has":
		w = "have"
	case w == "does" || w == "goes":
		w = w[:2]
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		w = w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses") || strings.HasSuffix(w, "shes") || strings.HasSuffix(w, "ches") || strings.HasSuffix(w, "xes"):
		w = w[:len(w)-2]
	case strings.HasSuffix(w, "s"):
		w = w[:len(w)-1]
	}
	return strings.TrimSpace(w + " " + after)
}

func isPlural(text string) bool {
	ws := strings.Fields(text)
	if i := slices.Index(ws, "of"); i > 0 {
		ws = ws[:i]
	}
	if len(ws) == 0 {
		return false
	}
	w := strings.ToLower(ws[len(ws)-1])
	return plurals[w] || (third(w) && !strings.HasSuffix(w, "is") && w != "headquarters")
}

// pluralOf makes a noun plural: the last word, or the one before "of".
func pluralOf(text string) string {
	if isPlural(text) || strings.HasSuffix(text, "headquarters") {
		return text
	}
	head, tail, of := strings.Cut(text, " of ")
	if of {
		tail = " of " + tail
	}
	switch {
	case strings.HasSuffix(head, "person"):
		head = strings.TrimSuffix(head, "person") + "people"
	case strings.HasSuffix(head, "y") && len(head) > 1 && !strings.ContainsRune("aeiou", rune(head[len(head)-2])):
		head = head[:len(head)-1] + "ies"
	case strings.HasSuffix(head, "s") || strings.HasSuffix(head, "x") || strings.HasSuffix(head, "ch"):
		head += "es"
	default:
		head += "s"
	}
	return head + tail
}

// join lists names: "a", "a and b", "a, b and c".
func join(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
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
