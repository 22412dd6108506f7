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
	glueWords = lexicon.WordSet(`a an the of in on at to for by with from as into through about
		is are was were been being has have had does do did and but that which who whom whose where what this these those such
		there here it its they their them he she his her him also too both namely following include includes including
		called according evidence evidences graph triple triples path paths stated states says given answer answers question
		respectively`)
	// negations turn a sentence round.
	negations = lexicon.WordSet(`not no never neither nor none without nothing nobody nowhere cannot false incorrect wrong untrue refuted denies denied deny lacks lack
		except hardly barely scarcely rarely seldom fails failed refuses unlike instead rather non isnt arent wasnt werent doesnt didnt dont hasnt havent nobody`)
	// joints join two statements into a third: that one follows from the other,
	// or came before it.
	joints = lexicon.WordSet(`because since therefore thus hence so consequently due thanks thereby causing caused causes leads led resulting
		before after until till when whenever while during then later earlier meanwhile afterwards although though despite unless if whereas
		together alongside opposite against versus like`)
	// pronouns stand for a name.
	pronouns = lexicon.WordSet("it its they their them he she his her him this these those")
	copulas  = lexicon.WordSet("is are was were been being include includes")
	linking  = lexicon.WordSet("of in by at from for to on with into through as near under about between among after before over during against")
	// foreign are little words that tell that a sentence is not English.
	foreign = lexicon.WordSet(`der die das und ist sind von den dem des ein eine nicht mit für auf le les la un une et est sont du de pas dans pour el los las
		y es son del en con por il lo gli di che della dei delle per non sono het een van zijn niet os um uma não det och är som av på og er ikke jest nie na`)
	english = lexicon.WordSet("the of is are was were by and has have that which with from for it its an to as not there both")
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

var numberWords = map[string]int{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
	"thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "dozen": 12,
	"thirty": -1, "forty": -1, "fifty": -1, "sixty": -1, "seventy": -1, "eighty": -1, "ninety": -1, "hundred": -1, "thousand": -1, "million": -1, "billion": -1,
	"first": -1, "second": -1, "third": -1, "fourth": -1, "fifth": -1, "sixth": -1, "seventh": -1, "eighth": -1, "ninth": -1, "tenth": -1,
	"half": -1, "twice": -1, "once": -1, "double": -1, "couple": -1,
}
