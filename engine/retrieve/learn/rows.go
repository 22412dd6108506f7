package learn

import (
	"hash/fnv"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/nn"
)

// gramRows is how many vectors the parts of words share.
const gramRows = 2048

// The first rows of every table stand for names in questions.
const (
	TopicRow = iota // the topic, or one of the topics
	OtherRow        // a topic while another one is looked at
	nameRows
)

// Rows says which rows of a table of vectors a word is the sum of: its own, that of its
// stem, those of the concepts that the lexicon has it mean, and the mean of those of its
// parts of 3 to 5 letters. Without an index, words have none.
type Rows struct {
	lex      *lexicon.Lexicon
	words    map[string]int32
	stems    map[string]int32
	concepts map[string]int32
	grams    int32 // the first row of parts of words
}

// NewRows numbers the rows of a vocabulary: names, words, stems, concepts, parts of
// words; a nil one has those of names alone.
func NewRows(v *Vocabulary) *Rows {
	r := &Rows{lex: lexicon.Builtin()}
	if v == nil {
		return r
	}
	from := int32(nameRows)
	number := func(list []string) map[string]int32 {
		at := Places(list)
		for s := range at {
			at[s] += from
		}
		from += int32(len(list))
		return at
	}
	r.words, r.stems, r.concepts = number(v.Words), number(v.Stems), number(v.Concepts)
	r.grams = from
	return r
}

// Len is how many rows there are.
func (r *Rows) Len() int {
	if r.words == nil {
		return nameRows
	}
	return int(r.grams) + gramRows
}

func (r *Rows) isName(row int32) bool { return row < nameRows }

// isOwn reports whether a row is a word's own, or its stem's.
func (r *Rows) isOwn(row int32) bool {
	return row >= nameRows && row < nameRows+int32(len(r.words)+len(r.stems))
}

// Knows reports whether a word has a row of its own, or one for its stem or what it means.
func (r *Rows) Knows(t lexicon.Token) bool {
	_, word := r.words[t.Lower]
	_, stem := r.stems[t.Stem]
	return word || stem || slices.ContainsFunc(r.lex.ConceptsOf(t.Stem), func(c int) bool {
		_, ok := r.concepts[r.lex.Concepts[c].Name]
		return ok
	})
}

// Word appends the rows of a word, as row to of the result.
func (r *Rows) Word(terms []nn.Term, to int32, t lexicon.Token, weight float32) []nn.Term {
	if r.words == nil {
		return terms
	}
	add := func(row int32, weight float32) { terms = append(terms, nn.Term{To: to, From: row, Weight: weight}) }
	if i, ok := r.words[t.Lower]; ok {
		add(i, weight)
	}
	if i, ok := r.stems[t.Stem]; ok {
		add(i, weight)
	}
	for _, c := range r.lex.ConceptsOf(t.Stem) {
		if i, ok := r.concepts[r.lex.Concepts[c].Name]; ok {
			add(i, weight)
		}
	}
	parts := gramsOf(t.Lower)
	for _, h := range parts {
		add(r.grams+h, weight/float32(len(parts)))
	}
	return terms
}

// Meaning appends the rows of the concepts that a relation's name means as a whole, as
// row 0.
func (r *Rows) Meaning(terms []nn.Term, relation string) []nn.Term {
	if r.words == nil {
		return terms
	}
	for _, c := range meanings(r.lex, relation) {
		if i, ok := r.concepts[c]; ok {
			terms = append(terms, nn.Term{From: i, Weight: 1})
		}
	}
	return terms
}

// Relation returns the rows of a relation's name, as row 0: the mean of its words,
// and what it means as a whole.
func (r *Rows) Relation(text string) []nn.Term {
	var terms []nn.Term
	tokens := lexicon.Tokenize(text)
	tokens = tokens[:min(len(tokens), lexicon.MaxRelationWords)]
	for _, t := range tokens {
		terms = r.Word(terms, 0, t, 1/float32(len(tokens)))
	}
	return r.Meaning(terms, text)
}

// Forget returns the terms of n words without those of some words, and without the own
// rows and stems of some others: what a network is trained on, so that it learns to read
// words that it has not seen. Names stay. kept and seen say of each word what is left.
func (r *Rows) Forget(terms []nn.Term, kept, seen func(word int32) bool) []nn.Term {
	out := make([]nn.Term, 0, len(terms))
	for _, m := range terms {
		if r.isName(m.From) || kept(m.To) && (seen(m.To) || !r.isOwn(m.From)) {
			out = append(out, m)
		}
	}
	return out
}

// gramsOf are the hashes of the parts of 3 to 5 characters of a word, its edges
// counting as one each; of a word that is none, they are those of its beginning.
func gramsOf(word string) []int32 {
	const most = 64 // characters
	s := []rune("<" + word + ">")
	s = s[:min(len(s), most)]
	var out []int32
	for n := 3; n <= 5; n++ {
		for i := 0; i+n <= len(s); i++ {
			h := fnv.New32a()
			_, _ = h.Write([]byte(string(s[i : i+n]))) // a hash takes everything
			out = append(out, int32(h.Sum32()%gramRows))
		}
	}
	return out
}

// Compare counts the relations of a graph that the vocabulary knows, and lists the
// texts of the others.
func (v *Vocabulary) Compare(g *kg.Graph) (known int, unseen []string) {
	knows := Places(v.Relations)
	for r := range kg.RelationID(g.Relations()) {
		if _, ok := knows[g.RelationKey(r)]; ok {
			known++
			continue
		}
		unseen = append(unseen, g.RelationText(r))
	}
	return known, unseen
}

// AsRow appends terms as row to of a result.
func AsRow(out, terms []nn.Term, to int32) []nn.Term {
	for _, m := range terms {
		m.To = to
		out = append(out, m)
	}
	return out
}
