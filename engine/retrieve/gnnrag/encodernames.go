package gnnrag

import (
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/nn"
	"cairn/engine/retrieve/learn"
)

// relationNames say what the vectors of relations' names are the sums of.
type relationNames struct {
	rows  [][]nn.Term // by relation: rows of the table; To is 0
	words [][]nn.Term // by word, each of which is in one name at least: likewise
	parts []nameParts // by relation: the same sum as rows
}

// nameParts is a name by its words: Σ words[From]·Weight, and rows of its own.
type nameParts struct{ words, rows []nn.Term }

func readNames(r *learn.Rows, texts []string) *relationNames {
	n := &relationNames{rows: make([][]nn.Term, len(texts)), parts: make([]nameParts, len(texts))}
	known := map[string]int32{}
	for i, text := range texts {
		n.rows[i] = r.Relation(text)
		p := &n.parts[i]
		p.rows = n.rows[i] // those of its words first, in their order
		tokens := lexicon.Tokenize(text)
		tokens = tokens[:min(len(tokens), lexicon.MaxRelationWords)]
		for _, t := range tokens {
			w, ok := known[t.Lower]
			if !ok {
				w = int32(len(n.words))
				known[t.Lower] = w
				n.words = append(n.words, r.Word(nil, 0, t, 1))
			}
			p.words = append(p.words, nn.Term{From: w, Weight: 1 / float32(len(tokens))})
			p.rows = p.rows[len(n.words[w]):]
		}
	}
	return n
}

// fewNames is up to how many names are added up row by row. Among more, words recur:
// the hundred relations near a topic of Freebase have six thousand rows together, of
// a thousand kinds.
const fewNames = 32

// combine are the vectors of the names of relations, len(ids)×64.
func (n *relationNames) combine(t *nn.Tape, table *nn.Tensor, ids []kg.RelationID) *nn.Tensor {
	if len(ids) <= fewNames {
		return t.Combine(table, len(ids), gathered(len(ids), func(i int) []nn.Term { return n.rows[ids[i]] }))
	}
	var (
		place = make([]int32, len(n.words)) // 1 + that in used
		used  []int32                       // words that are in ids
	)
	words := gathered(len(ids), func(i int) []nn.Term { return n.parts[ids[i]].words })
	for i, m := range words {
		if place[m.From] == 0 {
			used = append(used, m.From)
			place[m.From] = int32(len(used))
		}
		words[i].From = place[m.From] - 1
	}
	rows := gathered(len(used), func(i int) []nn.Term { return n.words[used[i]] })
	own := gathered(len(ids), func(i int) []nn.Term { return n.parts[ids[i]].rows })
	return t.Add(t.Combine(t.Combine(table, len(used), rows), len(ids), words), t.Combine(table, len(ids), own))
}

// gathered are the terms of n sums, each of them as a row of the result.
func gathered(n int, terms func(i int) []nn.Term) []nn.Term {
	size := 0
	for i := range n {
		size += len(terms(i))
	}
	out := make([]nn.Term, 0, size)
	for i := range n {
		for _, m := range terms(i) {
			m.To = int32(i)
			out = append(out, m)
		}
	}
	return out
}
