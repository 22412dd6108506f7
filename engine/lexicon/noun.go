package lexicon

import "slices"

// IsDeterminer reports whether a folded word stands before a noun for a thing: "a", "the".
func IsDeterminer(lower string) bool { return determiners[lower] }

var determiners = WordSet("a an the some one another")

// SaysKind reports whether token i only says of what kind a thing is: behind an article and other
// words that isOpen tells of, "a small museum", and neither of something nor had by it.
func SaysKind(tokens []Token, i int, isOpen func(i int) bool) bool {
	if IsVerbForm(tokens[i].Lower) || IsOperator(tokens[i].Lower) || i+1 < len(tokens) && tokens[i+1].Lower == "of" {
		return false
	}
	at := i - 1
	for at >= 0 && isOpen(at) {
		at--
	}
	if at < 0 || !determiners[tokens[at].Lower] {
		return false
	}
	return at == 0 || !slices.Contains([]string{"has", "have", "had", "with"}, tokens[at-1].Lower)
}

// IsPlacing reports whether a folded word only says that something is where it is: "located in" is
// "in", and a relation for a place may have it and a sentence leave it out.
func IsPlacing(lower string) bool { return placing[lower] }

var placing = WordSet("located situated lies stands occurred happened")

// IsWhere reports whether a folded word is a preposition of a place where something is, comes from or
// goes: "in", "into".
func IsWhere(lower string) bool { return where[lower] }

var where = WordSet("in into at from to")
