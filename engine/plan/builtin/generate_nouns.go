package builtin

import (
	"slices"
	"strings"

	"cairn/engine/lexicon"
)

// saying is how one step of the graph can be put in English; x stands for what
// the step comes from, y for what it leads to. Own words of the relation come
// before those of the lexicon.
type saying struct {
	nouns []string // y is the NOUN of x
	// sure says that the first noun is one beyond doubt: "causes" may be a verb.
	sure bool
	own  bool // the first noun is the relation's own
	// ahead is what x is or does to y, back what y is or does to x: "directed
	// by", "interacts with".
	ahead, back string
	verbs       []string // of the lexicon, in either direction
	kind        string   // the singular noun for y: "film"
	answer      lexicon.Answer
}

// say finds the words for a step.
func (p *Planner) say(s step) saying {
	r := s.relation()
	m := &p.mappings[r]
	var out saying
	name := ownName(p.g.RelationKey(r), m)
	if word, _, _ := strings.Cut(name.predicate, " "); isActive(name.predicate) && p.isKindNoun(word) {
		name.predicate = "" // "countries within" is no verb
	}
	var tail lexicon.Answer
	for _, c := range m.Concepts {
		i, ok := p.lex.Concept(c)
		if !ok {
			continue
		}
		concept := &p.lex.Concepts[i]
		tail = concept.Answer
		switch {
		case !s.isBack():
			out.nouns = append(out.nouns, phrases(concept.Tail)...)
		case concept.Inverse >= 0:
			out.nouns = append(out.nouns, phrases(p.lex.Concepts[concept.Inverse].Tail)...)
		}
		out.verbs = append(out.verbs, phrases(concept.Ask)...)
	}
	known := slices.Clone(out.nouns)
	if s.isBack() {
		out.back = name.predicate
		out.nouns = prepend(out.nouns, name.headNoun)
		out.sure, out.own = name.headNoun != "", name.headNoun != ""
		out.kind = p.headNoun(forward(r).from())
		if n := lexicon.ParseRelation(p.g.RelationKey(r)).Head; len(n) > 0 {
			out.kind = strings.Join(n, " ")
		}
	} else {
		out.ahead = name.predicate
		name.tailNoun = shortened(name.tailNoun, known)
		if len(known) > 0 && strings.HasSuffix(name.tailNoun, "ing") && !slices.Contains(known, name.tailNoun) {
			name.tailNoun = "" // "starring" names an act and not who acts
		}
		out.nouns = prepend(out.nouns, name.tailNoun)
		if out.own = name.tailNoun != ""; name.headNoun != "" {
			out.ahead = article(name.headNoun) + " " + name.headNoun + " of"
		}
		out.sure = name.tailNoun != "" && (!name.maybeVerb || slices.ContainsFunc(known, func(n string) bool {
			return n == name.tailNoun || plural(n) == name.tailNoun
		}))
		out.kind = first(out.nouns)
		out.answer = tail
	}
	if len(known) > 0 && !out.sure && !name.maybeVerb {
		out.nouns, out.sure, out.own = append(known, out.nouns...), true, false
	}
	if t, ok := p.schema.mostCommon(s.to()); ok {
		out.kind = commonNoun(p.g.TypeLabel(t))
	}
	if len(p.schema.typeShare[s.to()]) > 0 && p.isAnswer(s.to(), lexicon.Person) {
		out.answer = lexicon.Person
	}
	return out
}

// isKindNoun reports whether a word names a kind of thing in the graph.
func (p *Planner) isKindNoun(word string) bool {
	stem := lexicon.Stem(word)
	return len(p.cues.kinds[stem]) > 0 || len(p.cues.types[stem]) > 0
}

// headNoun returns the noun for what is in a slot of heads, by the lexicon: one
// that most relations of such things agree on. A single relation says little:
// not all that is next to something is a country.
func (p *Planner) headNoun(at slot) string {
	votes := map[string]int{}
	var order []string
	relations := 0
	for r := range p.mappings {
		m := &p.mappings[r]
		if m.SameAs != m.Relation || len(m.Concepts) == 0 || !p.schema.sameKind(forward(m.Relation).from(), at) {
			continue
		}
		relations++
		var nouns []string
		for _, c := range m.Concepts {
			if i, ok := p.lex.Concept(c); ok {
				nouns = append(nouns, phrases(p.lex.Concepts[i].Head)...)
			}
		}
		slices.Sort(nouns)
		for _, n := range slices.Compact(nouns) {
			if votes[n]++; votes[n] == 1 {
				order = append(order, n)
			}
		}
	}
	best := ""
	for _, n := range order {
		if votes[n] > 1 && 2*votes[n] > relations && votes[n] > votes[best] {
			best = n
		}
	}
	return best
}

// relationName is the grammar that the words of a relation's name suggest.
type relationName struct {
	tailNoun  string // "director": the tail is the director of the head
	headNoun  string // "capital", of "capital of": the head is the capital of the tail
	predicate string // "directed by": the head is directed by the tail
	maybeVerb bool   // tailNoun may be a verb: "borders"
}

// linkWords say little in front of a relation's name: "has genre", "in language".
var linkWords = []string{"has", "have", "had", "is", "was", "are", "were", "in"}

// prepositions end the name of a relation whose tail comes after it.
var prepositions = []string{
	"by", "in", "at", "on", "from", "to", "with", "for", "of", "as", "into", "under", "through", "near", "after",
	"against", "before", "between", "over", "within", "during", "about", "around", "across", "along", "towards", "out", "upon",
}

// nameUnits end the name of a relation to numbers: "length km".
var nameUnits = []string{"km", "km2", "m", "cm", "mm", "kg", "g", "usd", "eur", "percent"}

func ownName(key string, m *Mapping) relationName {
	if lexicon.ParseRelation(key).Inverse {
		return relationName{} // the words speak of another direction
	}
	words := m.Words
	if n := len(words); n > 1 && words[n-1] == "s" { // sibling_s
		words = words[:n-1]
	}
	for len(words) > 1 && slices.Contains(linkWords, words[0]) {
		words = words[1:]
	}
	if len(words) == 0 || len(words) > 5 {
		return relationName{}
	}
	for len(words) > 1 && slices.Contains(nameUnits, words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	text, last := strings.Join(words, " "), words[len(words)-1]
	if !slices.Contains(prepositions, last) {
		single := len(words) == 1 && strings.HasSuffix(last, "s") && !strings.HasSuffix(last, "ss")
		if strings.HasSuffix(last, "ed") || len(words) > 1 && isParticiple(words[0]) && slices.Contains(prepositions, words[1]) {
			return relationName{}
		}
		return relationName{tailNoun: text, maybeVerb: single}
	}
	if len(words) == 1 {
		return relationName{predicate: text}
	}
	if before := words[len(words)-2]; last == "of" && !isParticiple(before) && (len(words) > 2 || !isActive(before)) {
		return relationName{headNoun: strings.Join(words[:len(words)-1], " ")}
	}
	return relationName{predicate: text}
}

func isParticiple(word string) bool {
	switch word {
	case "made", "born", "built", "known", "held", "written", "shot", "sung", "spoken", "won", "set", "found", "drawn":
		return true
	}
	return strings.HasSuffix(word, "ed")
}

// shortened takes the verb off a noun such as "plays position", where the rest
// is a known noun by itself.
func shortened(noun string, known []string) string {
	first, _, more := strings.Cut(noun, " ")
	last := noun[strings.LastIndexByte(noun, ' ')+1:]
	if more && strings.HasSuffix(first, "s") && !strings.HasSuffix(first, "ss") && slices.Contains(known, last) {
		return last
	}
	return noun
}

// commonNoun writes the label of a type as a noun: in lower case, unless it is
// or holds a name ("Nobel Prize").
func commonNoun(label string) string {
	_, rest, _ := strings.Cut(label, " ")
	if rest != strings.ToLower(rest) || label == strings.ToUpper(label) {
		return label
	}
	return strings.ToLower(label)
}

// article is the article that goes before a noun.
func article(noun string) string {
	if strings.ContainsRune("aeio", rune(noun[0])) {
		return "an"
	}
	return "a"
}

// phrases returns the texts of entries that can stand in a question as they are.
func phrases(ps []lexicon.Phrase) []string {
	var out []string
	for _, p := range ps {
		if !p.Gap && !p.Weak && !strings.HasPrefix(p.Text, "how ") {
			out = append(out, strings.TrimPrefix(p.Text, "the "))
		}
	}
	return out
}

// prepend puts a word first, once; an empty word changes nothing.
func prepend(words []string, word string) []string {
	if word == "" {
		return words
	}
	return append([]string{word}, slices.DeleteFunc(words, func(w string) bool { return w == word })...)
}

func first(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return words[0]
}

// irregular plurals and singulars of nouns that relations and types are named by.
var irregularPlurals = map[string]string{
	"person": "people", "man": "men", "woman": "women", "child": "children", "wife": "wives", "series": "series", "species": "species",
}

// plural writes the last word of a noun as a plural.
func plural(noun string) string {
	at := strings.LastIndexByte(noun, ' ') + 1
	if i := strings.Index(noun, " of "); i > 0 { // places of birth
		return plural(noun[:i]) + noun[i:]
	}
	head, last := noun[:at], noun[at:]
	if p, ok := irregularPlurals[last]; ok {
		return head + p
	}
	for _, p := range irregularPlurals {
		if p == last {
			return noun
		}
	}
	n := len(last)
	switch {
	case n == 0 || last == "cast" || last == "music":
		return noun
	case strings.HasSuffix(last, "ss"), strings.HasSuffix(last, "sh"), strings.HasSuffix(last, "ch"), last[n-1] == 'x':
		return noun + "es"
	case strings.HasSuffix(last, "sis"):
		return noun[:len(noun)-2] + "es"
	case last[n-1] == 's':
		return noun
	case last[n-1] == 'y' && n > 1 && !strings.ContainsRune("aeiou", rune(last[n-2])):
		return noun[:len(noun)-1] + "ies"
	}
	return noun + "s"
}

// isPlural reports whether a noun already speaks of several.
func isPlural(noun string) bool { return noun != "" && plural(noun) == noun }

// irregularPasts are the simple pasts of verbs that the lexicon asks with.
var irregularPasts = map[string]string{
	"write": "wrote", "sing": "sang", "make": "made", "win": "won", "lead": "led", "speak": "spoke", "hold": "held",
	"bear": "bore", "find": "found", "become": "became", "get": "got", "go": "went", "have": "had", "build": "built",
	"play": "played", "flow": "flowed", "run": "ran", "know": "knew", "lie": "lay", "own": "owned", "die": "died",
	"cast": "cast", "wed": "wed", "teach": "taught", "grow": "grew", "begin": "began", "come": "came", "give": "gave",
	"fall": "fell", "sell": "sold", "buy": "bought", "draw": "drew", "star": "starred", "pen": "penned", "script": "scripted",
}

// past writes the first word of a verb in the simple past; a participle stays.
func past(verb string) string {
	word, rest, more := strings.Cut(verb, " ")
	if more {
		rest = " " + rest
	}
	if p, ok := irregularPasts[word]; ok {
		return p + rest
	}
	for _, p := range irregularPasts {
		if word == p {
			return verb
		}
	}
	n := len(word)
	switch {
	case n < 3 || isParticiple(word) || strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") || strings.HasSuffix(rest, " by"):
		return verb
	case word[n-1] == 'e':
		return word + "d" + rest
	case word[n-1] == 'y' && !strings.ContainsRune("aeiou", rune(word[n-2])):
		return word[:n-1] + "ied" + rest
	}
	return word + "ed" + rest
}

// isActive reports whether a predicate is a verb in the third person:
// "interacts with".
func isActive(predicate string) bool {
	word, _, _ := strings.Cut(predicate, " ")
	return strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && word != "is" && word != "was" && word != "has"
}

// infinitive takes the ending of the third person off.
func infinitive(predicate string) string {
	word, rest, _ := strings.Cut(predicate, " ")
	switch {
	case strings.HasSuffix(word, "ies") && len(word) > len("lies"):
		word = word[:len(word)-3] + "y"
	case strings.HasSuffix(word, "sses"), strings.HasSuffix(word, "shes"), strings.HasSuffix(word, "ches"):
		word = word[:len(word)-2]
	default:
		word = word[:len(word)-1]
	}
	return strings.TrimSpace(word + " " + rest)
}
