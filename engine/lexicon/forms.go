package lexicon

import (
	"slices"
	"strings"
)

// The grammar of English words: the one place where a word is put into another form
// or read in one. Verbs and nouns may be followed by other words, "star in" and "place
// of birth", which stay. Only what the tables of
// assets/english.txt do not say goes by rule.

// verb is the forms of an irregular verb.
type verb struct{ base, past, participle string }

var (
	verbs       = map[string]verb{} // by base form
	baseOf      = map[string]string{}
	participles = map[string]bool{} // those that are no base form: "run of" is no "found in"
	pluralOf    = map[string]string{}
	singularOf  = map[string]string{}
)

func init() {
	for _, ws := range english["verbs"] {
		verbs[ws[0]] = verb{ws[0], ws[1], ws[2]}
		if ws[2] != ws[0] {
			participles[ws[2]] = true
		}
	}
	for _, ws := range english["nouns"] {
		pluralOf[ws[0]], singularOf[ws[1]] = ws[1], ws[0]
	}
	for _, ws := range slices.Concat(english["verbs"], english["nouns"]) {
		for _, w := range ws {
			if _, taken := baseOf[w]; !taken {
				baseOf[w] = ws[0]
			}
		}
	}
	for base := range Words("base forms") {
		baseOf[base] = base
	}
}

// Past puts a verb in base form into the simple past; other forms stay.
func Past(text string) string {
	w, rest := firstWord(text)
	v, irregular := verbs[w]
	switch {
	case IsParticiple(w): // "found" is more often one than a base form
	case irregular:
		return v.past + rest
	case len(w) > 2 && baseOf[w] == "" && !IsThird(w) && !strings.HasSuffix(rest, " by"):
		return regularPast(w) + rest
	}
	return text
}

// Participle puts a verb in base form into the past participle; other forms stay.
func Participle(text string) string {
	w, rest := firstWord(text)
	if v, ok := verbs[w]; ok && !IsParticiple(w) {
		return v.participle + rest
	}
	return Past(text)
}

// Gerund puts a verb in base form into its form in -ing.
func Gerund(text string) string {
	w, rest := firstWord(text)
	switch {
	case len(w) < 3 || strings.HasSuffix(w, "ing"):
		return text
	case endsInConsonantY(w) || strings.HasSuffix(w, "ee"):
		return w + "ing" + rest
	case strings.HasSuffix(w, "ie"):
		return w[:len(w)-2] + "ying" + rest
	}
	return strings.TrimSuffix(regularPast(w), "ed") + "ing" + rest
}

func regularPast(w string) string {
	n := len(w)
	switch {
	case w[n-1] == 'e':
		return w + "d"
	case endsInConsonantY(w):
		return w[:n-1] + "ied"
	case n > 2 && isVowel(w[n-2]) && !isVowel(w[n-3]) && !strings.ContainsRune("aeiouwxy", rune(w[n-1])) && strings.IndexAny(w, "aeiou") == n-2:
		return w + w[n-1:] + "ed" // starred
	}
	return w + "ed"
}

// Base puts a verb in the past or the third person into its base form: "wrote" and
// "writes" are write.
func Base(text string) string {
	w, rest := firstWord(text)
	switch {
	case baseOf[w] != "":
		w = baseOf[w]
	case strings.HasSuffix(w, "ied"), strings.HasSuffix(w, "ies") && len(w) > len("lies"):
		w = w[:len(w)-3] + "y"
	case endsInAny(w, "ssed", "xed"):
		w = w[:len(w)-2]
	case len(w) > len("added") && endsInAny(w, "bbed", "dded", "gged", "mmed", "nned", "pped", "rred", "tted"):
		w = w[:len(w)-3]
	case isShortPast(w), endsInAny(w, "sed", "ced", "ged", "ibed", "ured", "ized", "ued", "ved"):
		w = w[:len(w)-1]
	case strings.HasSuffix(w, "icked"):
		w = softened(w[:len(w)-2])
	case strings.HasSuffix(w, "ed"), endsInAny(w, "sses", "shes", "ches", "xes"):
		w = w[:len(w)-2]
	case endsInS(w):
		w = w[:len(w)-1]
	}
	return w + rest
}

// IsParticiple reports whether a word looks like a past participle: "written", "directed".
func IsParticiple(w string) bool {
	return participles[w] || isShortPast(w) || len(w) > 4 && strings.HasSuffix(w, "ed") && !strings.HasSuffix(w, "eed")
}

// IsPast reports whether a word is the simple past of an irregular verb: "wrote".
func IsPast(w string) bool {
	v, ok := verbs[baseOf[w]]
	return ok && w == v.past && w != v.base && w != regularPast(v.base)
}

// IsPastOfOther reports whether a word is the simple past of another verb than own is a form of,
// of which the word is the base: "found" is that of "find", and not of "founded".
func IsPastOfOther(w, own string) bool {
	return w != own && Base(own) == w && slices.ContainsFunc(english["verbs"], func(ws []string) bool { return ws[1] == w && ws[0] != w })
}

// isUnchangedPast reports whether a word is the simple past of a verb that has the same form
// as its base, and no noun that says what something has, as "cast" is: "beat", "outbid".
func isUnchangedPast(w string) bool {
	v, ok := verbs[w]
	return ok && v.past == w && !tailNouns[w]
}

var tailNouns = Words("verbs that are nouns")

// IsThird reports whether the first word of a text looks like a verb in the third
// person, or a plural: "interacts with".
func IsThird(text string) bool {
	w, _ := firstWord(text)
	return endsInS(w)
}

// endsInS reports whether a final s is an ending of the word: "ss" (class), "us"
// (virus) and "is" (basis) are not, nor the s of short words (gas, has).
func endsInS(w string) bool {
	return len(w) > 3 && strings.HasSuffix(w, "s") && !endsInAny(w, "ss", "us", "is")
}

// Plural makes a noun plural: its last word, or the one before "of". What is plural stays.
func Plural(noun string) string {
	if of := strings.Index(noun, " of "); of > 0 {
		return Plural(noun[:of]) + noun[of:] // places of birth
	}
	if noun == "" || IsPlural(noun) {
		return noun
	}
	at := strings.LastIndexByte(noun, ' ') + 1
	head, last := noun[:at], noun[at:]
	switch {
	case pluralOf[last] != "":
		return head + pluralOf[last]
	case strings.HasSuffix(last, "person"):
		return strings.TrimSuffix(noun, "person") + "people"
	case strings.HasSuffix(last, "sis"):
		return noun[:len(noun)-2] + "es"
	case endsInAny(last, "s", "x", "ch", "sh"):
		return noun + "es"
	case endsInConsonantY(last):
		return noun[:len(noun)-1] + "ies"
	}
	return noun + "s"
}

// IsPlural reports whether a noun speaks of several, or has no plural.
func IsPlural(noun string) bool {
	noun, _, _ = strings.Cut(noun, " of ")
	w := strings.ToLower(noun[strings.LastIndexByte(noun, ' ')+1:])
	return singularOf[w] != "" || endsInS(w)
}

// Singular makes a noun singular: its last word, or the one before "of". What is no
// plural stays.
func Singular(noun string) string {
	if of := strings.Index(noun, " of "); of > 0 {
		return Singular(noun[:of]) + noun[of:]
	}
	at := strings.LastIndexByte(noun, ' ') + 1
	head, last := noun[:at], noun[at:]
	switch {
	case singularOf[last] != "":
		return head + singularOf[last]
	case !endsInS(last):
		return noun
	case len(last) > 4 && strings.HasSuffix(last, "ies"):
		return noun[:len(noun)-3] + "y"
	case endsInAny(last, "sses", "xes", "ches", "shes"):
		return noun[:len(noun)-2]
	}
	return noun[:len(noun)-1]
}

// WithArticle puts "a" or "an" before a noun, by its letters.
func WithArticle(noun string) string {
	lower := strings.ToLower(noun)
	you := strings.HasPrefix(lower, "eu") || len(lower) > 2 && lower[0] == 'u' && isVowel(lower[2]) // a university
	if lower != "" && isVowel(lower[0]) && !you {
		return "an " + noun
	}
	return "a " + noun
}

// firstWord cuts a text after its first word.
func firstWord(text string) (word, rest string) {
	if i := strings.IndexByte(text, ' '); i > 0 {
		return text[:i], text[i:]
	}
	return text, ""
}

func endsInAny(w string, endings ...string) bool {
	return slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(w, e) })
}

func endsInConsonantY(w string) bool {
	n := len(w)
	return n > 1 && w[n-1] == 'y' && !isVowel(w[n-2])
}

func isVowel(c byte) bool { return strings.IndexByte("aeiou", c) >= 0 }

// IsSuperlative reports whether a folded word may be a superlative: "longest".
func IsSuperlative(w string) bool {
	if strings.HasSuffix(w, "est") {
		return !strings.Contains(w, " ") // see words.Vocabulary's whole names
	}
	return slices.Contains([]string{"first", "last", "best", "worst"}, w)
}

// IsOperator reports whether a folded word may compare, count, exclude or order.
func IsOperator(w string) bool { return operatorWords[w] || IsSuperlative(w) }

var operatorWords = Words("at least", "at most", "more than", "fewer than", "exactly", "or more", "or fewer", "other than", "without", "the most", "the fewest",
	"share of", "sums", "averages", "medians", "minima", "maxima", "for each", "indirectly", "ultimately", "only", "describe", "compare", "connect", "goes", "via", "avoiding",
	"of connections", "steps", "hops", "ordinals", "rank", "less", "more", "most common", "most often", "light", "most recently", "than any other", "first and last",
	"date nouns", "terms", "how long", "beginnings", "endings", "since when", "until when", "how much of", "majorities", "all of them",
	"first in time", "last in time", "the one before", "the one after", "precede", "succeed", "directly", "the longest time", "the shortest time",
	"second questions", "exclusions", "negations", "narrowing", "difference", "ratio", "multiples", "before superlatives", "quantifiers", "sharing", "beside operators", "dimensions",
	"after", "since", "before", "until", "including", "or later", "or earlier")

// Comparative returns the comparative of a short adjective: "longer" of "long".
func Comparative(adjective string) string {
	stem := strings.TrimSuffix(adjective, "e")
	if s, ok := strings.CutSuffix(adjective, "y"); ok {
		stem = s + "i"
	}
	return stem + "er"
}
