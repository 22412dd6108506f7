package lexicon

import (
	"slices"
	"strings"
	"unicode"

	"cairn/internal/wording"
)

// RelationName is what the key of a relation says in words. The words are
// folded, not stemmed.
type RelationName struct {
	// Head are the words for the type of the head where the key names it, as
	// Freebase does: "people.person.place_of_birth" has "person".
	Head []string
	// Property are the words of the relation itself: "place of birth".
	Property []string
	// Inverse says that the key marks the relation as another one turned round:
	// "plays_in_club_inverse". The mark is not among the words.
	Inverse bool
}

// MaxRelationWords and maxRelationBytes are how much of a relation's name is read: a
// longer one is no name.
const (
	MaxRelationWords = 32
	maxRelationBytes = 4096
)

// RelationWords returns the words of a relation's key: the local name of an
// IRI, split at changes of case, underscores, hyphens, dots and slashes. A key
// with dotted or slashed fields keeps the last of them, which carries the
// meaning. A mark such as "_inverse" is left out: see ParseRelation.
func RelationWords(key string) []string { return ParseRelation(key).Property }

// ParseRelation reads the key of a relation.
func ParseRelation(key string) RelationName {
	var n RelationName
	// Freebase joins the two halves of a relation through an unnamed node with
	// "./": "/film/film/starring./film/performance/actor".
	name := localName(key)
	name = name[:min(len(name), maxRelationBytes)]
	if open := strings.Index(name, " ("); open > 0 && strings.HasSuffix(name, ")") && strings.ContainsAny(name[open:], "/.:") {
		name = name[:open] // what a unit is made of, "(EUR/kg)", are no fields of the name
	}
	for i, half := range strings.Split(name, "./") {
		fields := strings.FieldsFunc(half, func(r rune) bool { return r == '.' || r == '/' || r == ':' })
		if len(fields) == 0 {
			continue
		}
		n.Property = append(n.Property, words(fields[len(fields)-1])...)
		if i == 0 && len(fields) > 1 {
			n.Head = words(fields[len(fields)-2])
		}
	}
	n.Property = n.Property[:min(len(n.Property), MaxRelationWords)]
	if last := len(n.Property) - 1; last > 0 && isInverseMark(n.Property[last]) {
		n.Property, n.Inverse = n.Property[:last], true
	}
	return n
}

// localName returns the part of an IRI after its last # or /; other keys are
// returned whole.
func localName(key string) string {
	if i := strings.LastIndexByte(key, '#'); i >= 0 && i+1 < len(key) {
		return key[i+1:]
	}
	if strings.Contains(key, "://") {
		key = strings.TrimRight(key, "/")
		return key[strings.LastIndexByte(key, '/')+1:]
	}
	return key
}

// NamesHead reports whether the words of a relation name what its head is to its
// tail: the head of "director of" is the director. Most nouns name the tail: that of
// "director" is.
func NamesHead(name []string) bool {
	return len(name) > 1 && name[len(name)-1] == "of" && !IsVerbForm(name[0])
}

// IsTurned reports whether the words of a relation say that it leads from what the
// concept's nouns name: the concept "owner" leads to an owner, "owner of" and "owns"
// lead from one.
func (c *Concept) IsTurned(name []string) bool {
	stems := stemsOf(name)
	if len(name) == 0 || slices.ContainsFunc(c.Relation, func(p Phrase) bool { return slices.Contains(p.Stems, "of") && containsAll(stems, p.Stems) }) {
		return false
	}
	tail := func(is func(last string) bool) bool {
		return slices.ContainsFunc(c.Tail, func(p Phrase) bool { return is(p.Text[strings.LastIndexByte(p.Text, ' ')+1:]) })
	}
	if NamesHead(name) {
		noun := Stem(name[len(name)-2])
		return tail(func(last string) bool { return Stem(last) == noun })
	}
	verb, byTail := VerbOf(name)
	return verb != "" && !byTail && tail(func(last string) bool { return Agent(last) == verb })
}

// NamesEnd reports which end of a relation a folded noun, of one word or several, names by what the
// relation means: with "student of" the teacher is the tail, and the pupil the head. known is false where
// the lexicon does not tell, or says both.
func (l *Lexicon) NamesEnd(name []string, meanings []int, noun string) (tail, known bool) {
	stems := Stems(noun)
	if len(name) == 2 && name[1] == "to" && IsParticiple(name[0]) && !IsParticiple(noun) && Stem(noun) == Stem(name[0]) && IsOneWay([]string{noun}) {
		return false, true // who is apprenticed to X is an apprentice
	}
	if verb, byTail := VerbOf(name); verb != "" && len(stems) == 1 && isDoer(Singular(noun), verb) { // who descends from X is its descendant, what depends on X its dependent
		return byTail, true
	}
	return l.endOf(name, Stem(noun), meanings, IsOtherSide(name, noun), func(nouns []Phrase) bool {
		return slices.ContainsFunc(nouns, func(p Phrase) bool { return slices.Equal(p.Stems, stems) })
	})
}

// isDoer reports whether a noun is for who does what a verb says, by its stem.
func isDoer(noun, verb string) bool {
	dependent, ok := strings.CutSuffix(noun, "ent")
	return Agent(noun) == verb || ok && Stem(dependent) == verb
}

// DoesEnd is NamesEnd for a verb, by its stem, and the noun for who does what it says: with
// "student of" the tail is who teaches.
func (l *Lexicon) DoesEnd(name []string, meanings []int, verb string) (tail, known bool) {
	return l.endOf(name, verb, meanings, false, func(nouns []Phrase) bool {
		return slices.ContainsFunc(nouns, func(p Phrase) bool { return Agent(p.Text) == verb })
	})
}

// endOf returns the end of a relation that is among the nouns for its tail or its head. other
// says that the noun for both is one-sided, and the relation's name has the other one.
func (l *Lexicon) endOf(name []string, own string, meanings []int, other bool, among func(nouns []Phrase) bool) (tail, known bool) {
	isOwn := slices.ContainsFunc(name, func(w string) bool { return Stem(w) == own })
	for _, m := range meanings {
		c := &l.Concepts[m]
		is := among(c.Tail)
		if inverse := !isOwn && c.Inverse >= 0 && among(l.Concepts[c.Inverse].Tail); is == inverse {
			continue
		}
		at := is != (c.IsTurned(name) != (c.Symmetric && other)) // who is the husband of X has X as his wife
		if known && at != tail {
			return false, false
		}
		tail, known = at, true
	}
	return tail, known
}

// VerbOf returns the stem of the verb that the words of a relation hold, and whether
// their tail is who does it: that of "owned by" and of "owner" is, that of "owns", of
// "owner of" and of "employee" is not. It returns "" for names without a verb.
func VerbOf(name []string) (stem string, byTail bool) {
	n := len(name)
	switch {
	case n == 0:
		return "", false
	case n > 1 && name[n-1] == "by":
		return Stem(name[verbBefore(name, n-1)]), true
	case IsVerbForm(name[0]):
		return Stem(Base(name[0])), false
	case NamesHead(name):
		stem, byTail = VerbOf(name[:n-1])
		return stem, !byTail
	}
	if verb := Patient(name[n-1]); verb != "" {
		return verb, false
	}
	return Agent(Singular(name[n-1])), true
}

// verbBefore returns where the verb before the last word of a passive name is: "presided over by".
func verbBefore(name []string, last int) int {
	for i := last - 1; i >= 0; i-- {
		if IsParticiple(name[i]) {
			return i
		}
	}
	return last - 1
}

// IsVerbForm reports whether a word looks like a verb that has a subject before it:
// "owns", "wrote", "directed".
func IsVerbForm(w string) bool {
	return IsThird(w) && singularOf[w] == "" && !isDoers(w) || IsPast(w) || isUnchangedPast(w) || strings.HasSuffix(w, "ed") && IsParticiple(w)
}

// isDoers reports whether a word looks like a noun for those who do something, "presenters", and is no
// verb in er.
func isDoers(w string) bool { return endsInAny(w, "ers", "ors") && !verbsInER[w] }

var verbsInER = Words("verbs in er")

func isInverseMark(word string) bool {
	return word == "inverse" || word == "inv" || word == "reverse"
}

// words cuts a name at everything that is no letter or digit and at changes
// from lower to upper case; "HTTPServer" is cut before its last capital.
func words(name string) []string {
	var out []string
	for _, run := range strings.FieldsFunc(name, func(r rune) bool { return !IsWord(r) }) {
		for _, w := range splitCase(run, name) {
			if w != "" { // accents with no letter under them
				out = append(out, splitBy(w)...)
			}
		}
	}
	return out
}

// splitBy cuts a preposition off a participle that it is written together with:
// "containedby" is contained by.
func splitBy(w string) []string {
	for _, p := range []string{"by", "in", "from", "with", "of", "to"} {
		if verb, ok := strings.CutSuffix(w, p); ok && len(verb) > len("made") && strings.HasSuffix(verb, "ed") {
			return []string{verb, p}
		}
	}
	return []string{w}
}

func splitCase(run, name string) []string {
	if wording.IsWhole(run, name) {
		return []string{Fold(run)}
	}
	rs := []rune(run)
	var out []string
	start := 0
	for i := 1; i < len(rs); i++ {
		toUpper := unicode.IsUpper(rs[i]) && !unicode.IsUpper(rs[i-1])
		lastOfCapitals := unicode.IsUpper(rs[i]) && unicode.IsUpper(rs[i-1]) && i+1 < len(rs) && unicode.IsLower(rs[i+1])
		if toUpper || lastOfCapitals {
			out = append(out, Fold(string(rs[start:i])))
			start = i
		}
	}
	return append(out, Fold(string(rs[start:])))
}
