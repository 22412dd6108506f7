package link

import (
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
)

// functionWords are the words of questions that are no one's name by
// themselves: a name made of them alone needs more than its letters to be
// believed.
const functionWords = `
a an the this that these those such some any each every all both either neither no not none
of in on at to for by with from into onto upon about over under between among through during
before after since until as than like near off out up down per via without within
and or but nor if then else so because while although though whether
i me my mine we us our you your he him his she her hers it its they them their theirs
who whom whose what which when where why how
am is are was were be been being do does did done doing has have had having can could will would
shall should may might must let
there here also too only just even ever yet still again more most less least much many few
other another same different one ones together
list name tell show find give say get know mean count number please
two three four five six seven eight nine ten first second third last next
s t d ll re ve m`

// known reports whether a word has a place in questions, so that it is weak
// evidence of a name: a function word, a word of the lexicon, or a word of a
// relation's or type's name.
type known struct {
	function map[string]bool  // by folded word
	schema   map[string]bool  // by stem
	lexicon  *lexicon.Lexicon // may be nil
}

// functionSet returns the function words and the possessive.
func functionSet() map[string]bool {
	set := map[string]bool{lexicon.Possessive: true}
	for w := range strings.FieldsSeq(functionWords) {
		set[w] = true
	}
	return set
}

func newKnown(g *kg.Graph, lex *lexicon.Lexicon) *known {
	k := &known{function: functionSet(), schema: map[string]bool{}, lexicon: lex}
	for r := range kg.RelationID(g.Relations()) {
		for _, w := range lexicon.RelationWords(g.RelationKey(r)) {
			k.schema[lexicon.Stem(lexicon.Fold(w))] = true
		}
		for _, t := range lexicon.Tokenize(g.RelationText(r)) {
			k.schema[t.Stem] = true
		}
	}
	for t := range kg.TypeID(g.NumTypes()) {
		for _, w := range lexicon.Tokenize(g.TypeLabel(t)) {
			k.schema[w.Stem] = true
		}
	}
	return k
}

func (k *known) word(t lexicon.Token) bool {
	if k.function[t.Lower] || k.schema[t.Stem] {
		return true
	}
	return k.lexicon != nil &&
		(k.lexicon.Knows(t.Stem) || k.lexicon.IsStop(t.Lower) || len(k.lexicon.Comparisons(t.Lower)) > 0)
}
