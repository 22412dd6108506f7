package lexicon

import (
	"maps"
	"slices"
	"strings"

	"cairn/internal/wording"
)

var (
	// qualifiers are words before another that make it mean something else.
	qualifiers = Words("qualifiers")
	// prepositions may stand between the words of a name.
	prepositions = Words("prepositions")
)

// Forms returns the stems that a folded word may be said by: its own, and those of the verbs
// that it comes from.
func Forms(w string) []string {
	forms := append([]string{Stem(w), Stem(Base(w))}, Deeds(w)...)
	if verb := Agent(w); verb != "" {
		forms = append(forms, verb)
	}
	return forms
}

// Qualifier returns the word of a relation's name that is not said, and changes what those mean
// that are: a deputy head is no head, and who failed to climb something did not climb it. It
// returns "" where there is none: who was "born in" a place was born there, and a home port is
// a port. said are the Forms of the words that are said, known those stems that the ends of the
// relation are called by, which need not be.
func (l *Lexicon) Qualifier(name []string, said, known map[string]bool) (word string, narrows bool) {
	isSaid := func(i int) bool {
		joined := strings.Join(name[i:min(i+2, len(name))], "") // "stepmother"
		return said[Stem(joined)] || i > 0 && said[Stem(name[i-1]+name[i])] || slices.ContainsFunc(Forms(name[i]), func(s string) bool { return said[s] })
	}
	content := func(w string) bool { return !l.IsStop(w) && !prepositions[w] && len(w) > 1 }
	last, end := -1, -1 // the last word that is said, and the last at all
	for i, w := range name {
		if content(w) {
			if end = i; isSaid(i) {
				last = i
			}
		}
	}
	supposed := slices.ContainsFunc(slices.Collect(maps.Keys(modals)), func(w string) bool { return said[w] })
	for i, w := range name {
		denies := negating[w] || w == "free" && i+1 < len(name) && name[i+1] == "of"
		switch {
		case isSaid(i), modals[w] && supposed: // what "might" be "may" be
		case denies, (qualifiers[w] || modals[w]) && i < end, i < last && content(w) && !known[Stem(w)] && l.qualifies(name, i, last):
			return w, !denies && !qualifiers[w] && !modals[w] && l.isPersonal(Stem(name[last]))
		}
	}
	return "", false
}

// SaysMore reports whether a folded word of a question asks for a relation by nothing but loose
// phrases of its meanings: who treats something may not cure it. name are the words of the
// relation, meanings its concepts, and said the stems of the question, the word's own among them.
func (l *Lexicon) SaysMore(name []string, meanings []int, word string, said []string) bool {
	stem := Stem(word)
	isIn := func(stems []string) func(Phrase) bool {
		return func(p Phrase) bool {
			return !slices.ContainsFunc(p.Stems, func(s string) bool { return !slices.Contains(stems, s) })
		}
	}
	var own []string
	for _, w := range name {
		own = append(own, Forms(w)...)
	}
	if slices.ContainsFunc(Forms(Singular(word)), func(form string) bool { return slices.Contains(own, form) }) {
		return false
	}
	more := false
	for _, m := range meanings {
		c := &l.Concepts[m]
		isLess := !slices.ContainsFunc(c.Relation, func(p Phrase) bool { return !p.Loose && isIn(own)(p) })
		for _, p := range slices.Concat(c.Ask, c.Tail) {
			switch {
			case !slices.Contains(p.Stems, stem) || !isIn(said)(p):
			case !p.Loose && !isLess:
				return false
			default:
				more = true
			}
		}
	}
	return more
}

// qualifies reports whether word i of a name says more than the k-th that is of weight: an
// adverb or a subject of a verb, a verb with "to", or what kind of person a noun names.
func (l *Lexicon) qualifies(name []string, i, k int) bool {
	w, of := name[i], name[k]
	between := name[i+1 : k]
	if slices.Contains(between, "to") {
		return IsVerbForm(w) && w != "used" // what is "used to treat" something treats it
	}
	if slices.ContainsFunc(between, func(b string) bool { return prepositions[b] }) {
		return false // in "place of birth" the place is no kind of birth
	}
	third := IsThird(of) && (baseOf[of] != "" || k+1 < len(name) && name[k+1] != "of" && prepositions[name[k+1]])
	switch {
	case third:
		return true
	case IsVerbForm(of) || IsParticiple(of):
		return strings.HasSuffix(w, "ly")
	}
	return !IsVerbForm(w) && !IsParticiple(w) && l.isPersonal(Stem(of))
}

// isPersonal reports whether a noun, by its stem, is what a person or an organisation is to
// something: "owner", "member".
func (l *Lexicon) isPersonal(stem string) bool {
	return slices.ContainsFunc(l.Concepts, func(c Concept) bool {
		return (c.Answer == Person || c.Answer == Organization) && slices.ContainsFunc(c.Tail, func(p Phrase) bool { return len(p.Stems) == 1 && p.Stems[0] == stem })
	})
}

// alike are prepositions that may stand for one another.
var alike = [][]string{{"in", "on", "at", "within"}, {"to", "into", "towards", "toward", "with"}, {"on", "upon"}}

// OtherPreposition reports whether two words are prepositions of which neither stands for the
// other. What "of", "by" and "as" say depends on the words around them.
func OtherPreposition(a, b string) bool {
	return a != b && IsTelling(a) && IsTelling(b) && !slices.ContainsFunc(alike, func(ws []string) bool { return slices.Contains(ws, a) && slices.Contains(ws, b) })
}

var places = Words("places in an order")

// IsPlaceInOrder reports whether the numbers of a relation are places in an order, of which the
// first may be the highest.
func IsPlaceInOrder(name []string) bool { return len(name) > 0 && places[name[len(name)-1]] }

// UntoldOrder says in a sentence what such numbers do not tell.
func UntoldOrder(relation string) string {
	return "Numbers of " + wording.Quote(relation) + " may count down from the best, so a higher number may mean a lower place."
}

// IsTelling reports whether a word is a preposition that tells by itself what it says.
func IsTelling(w string) bool { return prepositions[w] && w != "of" && w != "by" && w != "as" }

// IsBareVerb reports whether the name of a relation is a verb alone, or one with "by".
func IsBareVerb(name []string) bool {
	n := len(name)
	return (n == 1 || n == 2 && name[1] == "by") && (IsVerbForm(name[0]) || IsParticiple(name[0]) || IsPast(name[0]))
}

// Truth reads a value that says whether something is so. ok says that it does: "yes", "False"
// and "N" do, while 0 and 1 may be numbers.
func Truth(value string) (yes, ok bool) {
	switch strings.ToLower(value) {
	case "yes", "true", "y":
		return true, true
	case "no", "false", "n":
		return false, true
	}
	return false, false
}

// SaysQuality reports whether a folded word says what the one word of a relation of yes and no
// does, by a form of it: "smokes" of "smoker". It denies that where one of the two is made by a
// prefix: "unelectrified", "irreversible".
func SaysQuality(name, word string) (denied, ok bool) {
	share := func(a, b string) bool {
		forms := Forms(Singular(b))
		return slices.ContainsFunc(Forms(Singular(a)), func(f string) bool { return slices.Contains(forms, f) })
	}
	if share(name, word) {
		return false, true
	}
	for _, prefix := range denials {
		bare, isDenied := strings.CutPrefix(word, prefix)
		own, isOwn := strings.CutPrefix(name, prefix)
		if isDenied && share(name, bare) || isOwn && share(own, word) {
			return true, true
		}
	}
	return false, false
}

// denials are the prefixes that deny what they stand before.
var denials = []string{"un", "non", "in", "im", "ir", "dis"}

var (
	beginnings = Words("verbs of a beginning")
	endings    = Words("verbs of an end")
)

// Event reports whether a verb tells how something began, "join", or how it ended, "leave".
func Event(verb string) (begins, ends bool) { return beginnings[verb], endings[verb] }

// EventNow is Event for a relation that is named by such a verb in the present: "buys".
func EventNow(relation string) (begins, ends bool) {
	ws := RelationWords(relation)
	if len(ws) == 0 || !IsThird(ws[0]) {
		return false, false
	}
	return Event(Base(ws[0]))
}
