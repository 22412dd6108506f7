package link

import (
	"cairn/engine/kg"
	"cairn/engine/lexicon"
)

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
	set := lexicon.Words("function words")
	set[lexicon.Possessive] = true
	return set
}

func newKnown(g *kg.Graph, lex *lexicon.Lexicon) *known {
	k := &known{function: functionSet(), schema: map[string]bool{}, lexicon: lex}
	for r := range kg.RelationID(g.Relations()) {
		for _, w := range lexicon.RelationWords(g.RelationName(r)) {
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
	return k.said(t) || k.lexicon != nil && k.lexicon.Knows(t.Stem)
}

// said reports whether it has one whatever the words around it: a function word, one that compares, or one of the
// schema.
func (k *known) said(t lexicon.Token) bool {
	return k.function[t.Lower] || k.schema[t.Stem] || k.schema[lexicon.Stem(lexicon.Singular(t.Lower))] || k.lexicon != nil && (k.lexicon.IsStop(t.Lower) || len(k.lexicon.Comparisons(t.Lower)) > 0)
}
