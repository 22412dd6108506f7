package learn

import (
	"slices"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/questions"
	"cairn/internal/wording"
)

// Vocabulary is what an encoder has vectors for. It is saved with the model: the
// rows of its tables are in this order.
type Vocabulary struct {
	// Words and Stems were seen at least twice in training, or stand in the name of
	// a relation; ascending.
	Words []string `json:"words"`
	Stems []string `json:"stems"`
	// Concepts are the lexicon's that those words mean, by name, ascending.
	Concepts []string `json:"concepts"`
	// Relations are the keys of the relations of the graph when training began, by
	// id. A relation that is not among them has its name only.
	Relations []string `json:"relations"`
}

// oftenEnough is how often a word is seen before it has a vector: one that is seen
// once is as good as unseen, and teaches what to do with such.
const oftenEnough = 2

// NewVocabulary collects the words of questions and of the relations of a graph.
func NewVocabulary(train []questions.Example, g *kg.Graph) *Vocabulary {
	words, stems, concepts := map[string]int{}, map[string]int{}, map[string]int{}
	lex := lexicon.Builtin()
	count := func(tokens []lexicon.Token, n int) {
		for _, t := range tokens {
			words[t.Lower] += n
			stems[t.Stem] += n
			for _, c := range lex.ConceptsOf(t.Stem) {
				concepts[lex.Concepts[c].Name] = oftenEnough
			}
		}
	}
	for _, q := range train {
		tokens, span := TokensOf(q)
		for i := range tokens {
			if span[i] < 0 {
				count(tokens[i:i+1], 1)
			}
		}
	}
	v := &Vocabulary{}
	for r := range kg.RelationID(g.Relations()) {
		v.Relations = append(v.Relations, g.RelationKey(r))
		count(lexicon.Tokenize(g.RelationText(r)), oftenEnough)
		for _, c := range meanings(lex, g.RelationText(r)) {
			concepts[c] = oftenEnough
		}
	}
	v.Words, v.Stems, v.Concepts = often(words), often(stems), often(concepts)
	return v
}

// often returns what was counted often enough, ascending.
func often(counts map[string]int) []string {
	var out []string
	for s, n := range counts {
		if n >= oftenEnough {
			out = append(out, s)
		}
	}
	slices.Sort(out)
	return out
}

// meanings are the names of the concepts that a relation's name means as a whole.
func meanings(lex *lexicon.Lexicon, relation string) []string {
	return wording.Each(lex.Meanings(lexicon.RelationWords(relation)), func(c int) string { return lex.Concepts[c].Name })
}

// Places maps strings to where they stand.
func Places(list []string) map[string]int32 {
	at := make(map[string]int32, len(list))
	for i, s := range list {
		at[s] = int32(i)
	}
	return at
}
