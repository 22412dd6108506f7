package lexicon

var comments = Words("comments")

// IsComment reports whether a folded word only says how the speaker stands to what is
// said: "actually".
func IsComment(lower string) bool { return comments[lower] && lower != "of" }

// speakers are who says a claim and who hears it; auxiliaries may stand beside them.
var (
	speakers    = WordSet("i you we")
	auxiliaries = Words("auxiliaries")
	introduces  = WordSet("that whether if of about with")
)

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
	at := 0
	for at < len(ws) && at < 2 && auxiliaries[ws[at].Lower] {
		at++
	}
	switch {
	case at == len(ws):
		return 0
	case at == 0 && (ws[0].Lower == "verify" || ws[0].Lower == "check"):
		return 1
	case ws[at].Lower == "it":
		// "It is true that", with one word: not "it is a country that".
		rest := ws[at+1:]
		if at == 0 && len(rest) > 0 && auxiliaries[rest[0].Lower] {
			at, rest = 1, rest[1:]
		}
		if at > 0 && len(rest) > 1 && rest[1].Lower == "that" {
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
