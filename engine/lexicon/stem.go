package lexicon

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"cairn/internal/wording"
)

// Stem returns the stem of a folded word: its base form where it is irregular,
// without the endings of plurals, past forms and participles, without a final e
// or doubled consonant, and with a final y written i, so that "story" and
// "stories" meet. It is light on purpose: "director" and "direction" stay
// apart, because they ask for different things. Stems are for comparing, not
// for reading.
func Stem(lower string) string {
	w := lower
	if base, ok := baseOf[w]; ok {
		w = base
	}
	if w == Possessive || len(w) < 3 || !isASCII(w) || singularOf[w] == w { // "goods" are not good
		return w
	}
	w = stripEnding(stripPlural(w))
	n := len(w)
	if n > 2 && w[n-1] == 'e' && (baseOf[w[:n-1]] == "" || endsInAny(lower, "ches", "shes")) { // "wine" has nothing of "win", but "teaches" of "teach"
		w = w[:n-1]
	}
	n = len(w)
	if n > 3 && w[n-1] == w[n-2] && !isDigit(w[n-1]) { // "off" is not "of"
		w = w[:n-1]
	}
	n = len(w)
	if n > 2 && w[n-1] == 'y' {
		w = w[:n-1] + "i"
	}
	return w
}

// Stems returns the stems of the words of s, in order.
func Stems(s string) []string {
	tokens := Tokenize(s)
	return wording.Each(tokens, func(t Token) string { return t.Stem })
}

// Agent returns the stem of the verb that a folded noun for who does something comes
// from, "build" of "builder", "descend" of "descendant" and "coach" of "coach"; "" for other nouns.
func Agent(noun string) string {
	if doers[noun] || doers[strings.TrimPrefix(noun, "co")] {
		return Stem(noun)
	}
	for _, ending := range []string{"er", "or", "ant"} {
		if verb, ok := strings.CutSuffix(noun, ending); ok && len(verb) > 2 {
			return Stem(cmp.Or(innerVerb(verb), verb))
		}
	}
	if doersInEE[noun] {
		return Stem(strings.TrimSuffix(noun, "ee"))
	}
	return ""
}

// innerVerb returns the irregular verb in which a compound one ends, "hold" of the "sharehold" that is
// in "shareholder"; "" for others.
func innerVerb(compound string) string {
	const least = 3 // letters before it
	for at := least; at+least < len(compound); at++ {
		for _, end := range []string{compound[at:], compound[at:] + "e"} {
			if _, ok := verbs[end]; ok && len(end) > least {
				return end
			}
		}
	}
	return ""
}

// Patient returns the stem of the verb that a folded noun for who something is done to comes
// from, "employ" of "employees"; "" where the noun has no such ending, or is for who does it.
func Patient(noun string) string {
	noun = Singular(noun)
	if verb, ok := strings.CutSuffix(noun, "ee"); ok && len(verb) > 2 && !doersInEE[noun] {
		return Stem(verb)
	}
	return ""
}

var (
	doers     = Words("doers")
	doersInEE = Words("doers in ee")
	personal  = func() map[string]bool {
		m := map[string]bool{}
		for verb := range Words("deeds of persons") {
			m[Stem(verb)] = true
		}
		return m
	}()
)

// IsDoer reports whether a folded noun for who does something is the verb as well: "coach".
func IsDoer(noun string) bool { return doers[noun] }

// IsDeedOfPersons reports whether a folded verb, in any form, says what only persons do: "voted".
func IsDeedOfPersons(verb string) bool { return personal[Stem(Base(verb))] }

// Deeds returns the stems of the verbs that a folded noun for what is done may come
// from: "complet" of "completion", "resid" of "residence".
func Deeds(noun string) []string {
	var verbs []string
	for _, ending := range []string{"ion", "ation", "ment", "ance", "ence", "al", "y"} {
		if verb, ok := strings.CutSuffix(noun, ending); ok && len(verb) > 3 {
			verbs = append(verbs, Stem(verb))
		}
	}
	return verbs
}

// suffixes are written as stems end.
var suffixes = wording.Each(slices.Collect(maps.Keys(Words("suffixes"))), func(s string) string { return Stem("xx" + s)[2:] })

// IsFamily reports whether two stems begin with the same letters, at least so many, and go on as
// words of one family do: "governor" and "government", not "count" and "country".
func IsFamily(a, b string, least int) bool {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	for ; n >= least; n-- {
		if isSuffixes(a[n:]) && isSuffixes(b[n:]) {
			return true
		}
	}
	return false
}

// isSuffixes reports whether a text is nothing but suffixes.
func isSuffixes(text string) bool {
	return text == "" || slices.ContainsFunc(suffixes, func(s string) bool {
		rest, ok := strings.CutPrefix(text, s)
		return ok && s != "" && isSuffixes(rest)
	})
}

// stripPlural removes an s that is an ending.
func stripPlural(w string) string {
	if endsInS(w) {
		return w[:len(w)-1]
	}
	return w
}

// stripEnding removes ing and ed where a vowel is left before them: "string"
// and "speed" are no verb forms.
func stripEnding(w string) string {
	n := len(w)
	switch {
	case n >= 6 && strings.HasSuffix(w, "ing") && hasVowel(w[:n-3]):
		return softened(w[:n-3])
	case n >= 5 && strings.HasSuffix(w, "ed") && !strings.HasSuffix(w, "eed") && hasVowel(w[:n-2]):
		return softened(w[:n-2])
	case isShortPast(w):
		return w[:n-1]
	}
	return w
}

// isShortPast knows the past forms of verbs of three letters: "died" and "sued", not "shed".
func isShortPast(w string) bool {
	return len(w) == 4 && strings.HasSuffix(w, "ed") && !strings.HasSuffix(w, "eed") && hasVowel(w[:2])
}

// softened takes off the k that a verb in c has before an ending: "mimick" of "mimicked".
// Verbs in ick have one syllable: "pick".
func softened(w string) string {
	if before, ok := strings.CutSuffix(w, "ick"); ok && hasVowel(before) {
		return w[:len(w)-1]
	}
	return w
}

func hasVowel(w string) bool { return strings.ContainsAny(w, "aeiouy") }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
