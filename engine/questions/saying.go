package questions

import (
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/schema"
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
func (m *Maker) say(s schema.Step) saying {
	r := s.Relation()
	concepts, words := m.p.Meaning(r)
	var out saying
	name := ownName(m.g.RelationName(r), words)
	if word, _, _ := strings.Cut(name.predicate, " "); lexicon.IsThird(name.predicate) && m.p.NamesKind(word) {
		name.predicate = "" // "countries within" is no verb
	}
	var tail lexicon.Answer
	for _, c := range concepts {
		i, ok := m.lex.Concept(c)
		if !ok {
			continue
		}
		concept := &m.lex.Concepts[i]
		tail = concept.Answer
		switch {
		case !s.IsBack():
			out.nouns = append(out.nouns, phrases(concept.Tail)...)
		case concept.Inverse >= 0:
			out.nouns = append(out.nouns, phrases(m.lex.Concepts[concept.Inverse].Tail)...)
		}
		out.verbs = append(out.verbs, phrases(concept.Ask)...)
	}
	known := slices.Clone(out.nouns)
	if s.IsBack() {
		out.back = name.predicate
		out.nouns = prepend(out.nouns, name.headNoun)
		out.sure, out.own = name.headNoun != "", name.headNoun != ""
		out.kind = m.headNoun(schema.Forward(r).From())
		if n := lexicon.ParseRelation(m.g.RelationName(r)).Head; len(n) > 0 {
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
			out.ahead = lexicon.WithArticle(name.headNoun) + " of"
		}
		out.sure = name.tailNoun != "" && (!name.maybeVerb || slices.ContainsFunc(known, func(n string) bool {
			return n == name.tailNoun || lexicon.Plural(n) == name.tailNoun
		}))
		out.kind = firstOf(out.nouns)
		out.answer = tail
	}
	if len(known) > 0 && !out.sure && !name.maybeVerb {
		out.nouns, out.sure, out.own = append(known, out.nouns...), true, false
	}
	if t, ok := mostCommon(m.schema, s.To()); ok {
		out.kind = commonNoun(m.g.TypeLabel(t))
	}
	if len(m.schema.Types(s.To())) > 0 && m.p.IsAnswer(s.To(), lexicon.Person) {
		out.answer = lexicon.Person
	}
	return out
}

// headNoun returns the noun for what is in a slot of heads, by the lexicon: one
// that most relations of such things agree on. A single relation says little:
// not all that is next to something is a country.
func (m *Maker) headNoun(at schema.Slot) string {
	votes := map[string]int{}
	var order []string
	relations := 0
	for r := range kg.RelationID(m.g.Relations()) {
		concepts, _ := m.p.Meaning(r)
		if !m.schema.IsKept(r) || len(concepts) == 0 || !m.schema.SameKind(schema.Forward(r).From(), at) {
			continue
		}
		relations++
		var nouns []string
		for _, c := range concepts {
			if i, ok := m.lex.Concept(c); ok {
				nouns = append(nouns, phrases(m.lex.Concepts[i].Head)...)
			}
		}
		for _, n := range kg.Distinct(nouns) {
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
var prepositions = lexicon.Words("prepositions")

// nameUnits end the name of a relation to numbers: "length km".
var nameUnits = []string{"km", "km2", "m", "cm", "mm", "kg", "g", "usd", "eur", "percent"}

func ownName(key string, words []string) relationName {
	if lexicon.ParseRelation(key).Inverse {
		return relationName{} // the words speak of another direction
	}
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
	text, last := strings.ReplaceAll(strings.Join(words, " "), " s ", "'s "), words[len(words)-1] // artist's birthplace
	if !prepositions[last] {
		single := len(words) == 1
		if strings.HasSuffix(last, "ed") || single && lexicon.IsParticiple(last) || len(words) > 1 && lexicon.IsParticiple(words[0]) && prepositions[words[1]] {
			return relationName{}
		}
		return relationName{tailNoun: text, maybeVerb: single && lexicon.IsThird(last)}
	}
	if len(words) == 1 {
		return relationName{predicate: text}
	}
	if before := words[len(words)-2]; last == "of" && !lexicon.IsParticiple(before) && (len(words) > 2 || !lexicon.IsThird(before)) {
		return relationName{headNoun: strings.Join(words[:len(words)-1], " ")}
	}
	return relationName{predicate: text}
}

// shortened takes the verb off a noun such as "plays position", where the rest
// is a known noun by itself.
func shortened(noun string, known []string) string {
	first, _, more := strings.Cut(noun, " ")
	last := noun[strings.LastIndexByte(noun, ' ')+1:]
	if more && lexicon.IsThird(first) && slices.Contains(known, last) {
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

func firstOf(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return words[0]
}
