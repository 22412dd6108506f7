package check

import (
	"strings"

	"cairn/engine/lexicon"
)

// The check knows English by lists of its own. A word that is on none of them,
// and neither a name nor a word for a relation or a kind of thing, says something
// that no triple does: what is not listed is never passed over.
var (
	// glueWords say nothing by themselves.
	glueWords = lexicon.Words("glue")
	// negations turn a sentence round.
	negations = lexicon.Words("negations")
	// joints join two statements into a third: that one follows from the other,
	// or came before it.
	joints = lexicon.Words("joints")
	// pronouns stand for a name.
	pronouns = lexicon.WordSet("it its they their them he she his her him this these those")
	copulas  = lexicon.WordSet("is are was were been being include includes")
	linking  = lexicon.WordSet("of in by at from for to on with into through as near under about between among after before over during against")
	// foreign are little words that tell that a sentence is not English.
	foreign = lexicon.Words("foreign")
	english = lexicon.Words("english")
)

// glue reports whether a word says nothing that evidence could be asked for.
func glue(lower string) bool { return glueWords[lower] }

// isNegation knows negating words and n't, which the tokenizer cuts in two.
func isNegation(lower, text string, t lexicon.Token) bool {
	if negations[lower] {
		return true
	}
	return lower == "t" && t.Start > 1 && strings.HasSuffix(strings.ToLower(strings.ReplaceAll(text[:t.Start], "’", "'")), "n'")
}

// amounts are words for numbers that are no small whole ones.
var amounts = lexicon.Words("amounts")
