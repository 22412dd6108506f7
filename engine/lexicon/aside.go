package lexicon

import "regexp"

var (
	doubts      = Words("doubts")
	modals      = Words("modals")
	supposing   = Words("before infinitives")
	comments    = Words("comments", "doubts")
	trueWords   = WordSet("true right correct so")
	untrueWords = WordSet("false wrong incorrect untrue")
)

// IsModal reports whether a folded word says that something may, will or should be.
func IsModal(lower string) bool { return modals[lower] }

// IsComment reports whether a folded word only says how the speaker stands to what is
// said: "actually".
func IsComment(lower string) bool { return comments[lower] && lower != "of" }

// Supposes returns the words by which a text says not outright that something is so, but
// that it may, will or should be: "perhaps", "will", "had to"; "" for none. What is part of
// a name, isName, says nothing, nor does what is said of who asks and who is asked: "can I find".
func Supposes(tokens []Token, isName func(i int) bool) string {
	aside := Aside(tokens, isName)
	for i, t := range tokens {
		switch {
		case isName(i):
		case doubts[t.Lower], i >= aside && modals[t.Lower] && (i == 0 || !t.Capital) && (i+1 == len(tokens) || !speakers[tokens[i+1].Lower]):
			return t.Text
		case i > 0 && t.Lower == "to" && supposing[tokens[i-1].Lower]:
			return tokens[i-1].Text + " to"
		}
	}
	return ""
}

// AsideDenies reports whether what is said around a claim denies it: "it is false that",
// "it is not true that".
func AsideDenies(aside []Token) bool {
	denies := false
	for i, t := range aside {
		not := i > 0 && (aside[i-1].Lower == "not" || aside[i-1].Lower == "t" && i > 2)
		if untrueWords[t.Lower] && !not || trueWords[t.Lower] && not {
			denies = !denies
		}
	}
	return denies
}

// speakers are who says a claim and who hears it; auxiliaries may stand beside them.
var (
	speakers    = WordSet("i you we")
	auxiliaries = Words("auxiliaries")
	introduces  = WordSet("that whether if of about with")
	// hearsay are who others say that says it, and saying is what they do: "they say".
	hearsay = WordSet("they people some many experts")
	saying  = WordSet("say says said think believe claim")
)

// tag is what the end of a claim asks the hearer to agree: "…, right?", "…, isn't it?".
var tag = regexp.MustCompile(`(?i),\s*(?:right|correct|true|yes|no|(?:is|are|was|were|do|does|did|has|have)(?:n['’]?t)? (?:it|he|she|they)|(?:is|are) (?:that|this) (?:so|right|true|correct))\s*\?*\s*$`)

// Tag returns where the tag of a claim begins: the length of the text where it has none.
func Tag(text string) int {
	if at := tag.FindStringIndex(text); at != nil {
		return at[0]
	}
	return len(text)
}

// maxAside is how many words before a claim are looked at.
const maxAside = 7

// Aside returns how many words at the beginning of a claim are said around it: "I
// know that", "Have you heard of", "Yes, actually". isName reports whether a word is
// part of a name, which no aside has.
func Aside(tokens []Token, isName func(i int) bool) int {
	to := 0
	for to < len(tokens) && to < maxAside && !isName(to) {
		to++
	}
	n := 0
	for n < to {
		switch more := speaks(tokens[n:to]); {
		case more > 0:
			n += more
		case comments[tokens[n].Lower], n == 0 && tokens[n].Lower == "no", n > 0 && tokens[n].Lower == "that":
			n++
		default:
			return n
		}
	}
	return n
}

// speaks returns how many words are about the speaker, the hearer or the claim as
// such: "do you know", "I was not aware that", "is it true that"; else 0.
func speaks(ws []Token) int {
	if len(ws) > 3 && ws[0].Lower == "as" && ws[1].Lower == "far" && ws[2].Lower == "as" { // I know
		if more := speaks(ws[3:]); more > 0 {
			return 3 + more
		}
	}
	at := 0
	for at < len(ws) && at < 2 && auxiliaries[ws[at].Lower] {
		at++
	}
	switch {
	case at == len(ws):
		return 0
	case at == 0 && (ws[0].Lower == "verify" || ws[0].Lower == "check"), at == 0 && ws[0].Lower == "please":
		return 1
	case at == 0 && len(ws) > 1 && hearsay[ws[0].Lower] && saying[ws[1].Lower]:
		return 2
	case at == 0 && len(ws) > 2 && ws[0].Lower == "that" && (ws[1].Lower == Possessive || ws[1].Lower == "is") && trueWords[ws[2].Lower]:
		return 3 // "That's true."
	case ws[at].Lower == "it":
		// "It is true that", with one word: not "it is a country that".
		rest, said := ws[at+1:], 0
		for at == 0 && said < len(rest) && (auxiliaries[rest[said].Lower] || rest[said].Lower == Possessive) {
			said++
		}
		if rest = rest[said:]; at+said > 0 && len(rest) > 1 && rest[1].Lower == "that" && (said < 2 || trueWords[rest[0].Lower] || untrueWords[rest[0].Lower]) {
			return len(ws) - len(rest) + 2
		}
		return 0
	case !speakers[ws[at].Lower]:
		return 0
	}
	verb := at + 1
	for verb < len(ws) && auxiliaries[ws[verb].Lower] {
		verb++
	}
	if verb+1 < len(ws) && introduces[ws[verb+1].Lower] {
		verb++
	}
	return min(verb+1, len(ws))
}

// IsOfNow reports whether a folded word says that something is so today, as what is said in the
// present is.
func IsOfNow(w string) bool { return ofNow[w] }

var ofNow = Words("current")
