package lexicon

import "strings"

// Stem returns the stem of a folded word: its base form where it is irregular,
// without the endings of plurals, past forms and participles, without a final e
// or doubled consonant, and with a final y written i, so that "story" and
// "stories" meet. It is light on purpose: "director" and "direction" stay
// apart, because they ask for different things. Stems are for comparing, not
// for reading.
func Stem(lower string) string {
	w := lower
	if base, ok := irregular[w]; ok {
		w = base
	}
	if w == Possessive || len(w) < 3 || !isASCII(w) {
		return w
	}
	w = stripEnding(stripPlural(w))
	n := len(w)
	if n > 2 && w[n-1] == 'e' {
		w = w[:n-1]
	}
	n = len(w)
	if n > 2 && w[n-1] == w[n-2] && !isDigit(w[n-1]) {
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
	out := make([]string, len(tokens))
	for i, t := range tokens {
		out[i] = t.Stem
	}
	return out
}

// stripPlural removes a final s that is no part of the word: "ss" (class) and
// "us" (virus) keep it, and so do short words (gas, is).
func stripPlural(w string) string {
	if len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is") {
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
		return w[:n-3]
	case n >= 5 && strings.HasSuffix(w, "ed") && !strings.HasSuffix(w, "eed") && hasVowel(w[:n-2]):
		return w[:n-2]
	case n == 4 && strings.HasSuffix(w, "ied"): // died, tied
		return w[:n-1]
	}
	return w
}

func hasVowel(w string) bool { return strings.ContainsAny(w, "aeiouy") }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// irregular maps forms that no rule reaches to the base form, and protects a
// few words from rules that would maul them.
var irregular = forms(`
	be        been being
	bear      bore borne
	begin     began begun
	belong    belonging
	bind      bound
	blow      blew blown
	break     broke broken
	bring     brought
	build     built
	buy       bought
	catch     caught
	child     children
	choose    chose chosen
	come      came coming
	compose   composing
	crisis    crises
	do        did does done doing
	draw      drew drawn
	drive     drove driven
	eat       ate eaten
	fall      fell fallen
	feed      fed
	fight     fought
	find      finding
	fly       flew flown
	foot      feet
	forget    forgot forgotten
	found     founded founding
	get       got gotten getting
	give      gave given giving
	go        went gone going
	grow      grew grown
	have      had has having
	hear      heard
	hold      held
	keep      kept
	know      knew known
	lay       laid
	lead      led
	leave     left
	lie       lay lain lying
	lose      lost losing
	make      made making
	man       men
	mean      meant
	meet      met
	mouse     mice
	pay       paid
	person    persons
	play      playing played
	ride      rode ridden
	rise      rose risen
	run       ran running
	say       said
	see       saw seen
	seek      sought
	sell      sold
	send      sent
	series    series
	shoot     shot
	show      showed shown
	sing      sang sung
	speak     spoke spoken
	species   species
	speed     speeds
	spend     spent
	stand     stood
	steal     stole stolen
	strike    struck
	study     studied studying
	swim      swam swum
	take      took taken taking
	teach     taught
	tell      told
	think     thought
	throw     threw thrown
	tooth     teeth
	treat     treated
	use       used using uses
	wear      wore worn
	wife      wives
	win       won winning
	woman     women
	write     wrote written writing
	dead      dead
	die       died dying dies
`)

// forms reads lines of a base form and its irregular forms.
func forms(table string) map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(table) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		for _, w := range words[1:] {
			if _, taken := m[w]; !taken {
				m[w] = words[0]
			}
		}
	}
	return m
}
