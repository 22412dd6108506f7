package gnnrag

import (
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/nn"
)

// relationNames say what the vectors of relations' names are the sums of.
type relationNames struct {
	rows  [][]nn.Term // by relation: rows of the table; To is 0
	words [][]nn.Term // by word, each of which is in one name at least: likewise
	parts []nameParts // by relation: the same sum as rows
}

// nameParts is a name by its words: Σ words[From]·Weight, and rows of its own.
type nameParts struct{ words, rows []nn.Term }

// readNames reads the names of relations.
func (r *rows) readNames(texts []string) *relationNames {
	n := &relationNames{rows: make([][]nn.Term, len(texts)), parts: make([]nameParts, len(texts))}
	known := map[string]int32{}
	for i, text := range texts {
		n.rows[i] = r.relation(text)
		p := &n.parts[i]
		p.rows = n.rows[i] // those of its words first, in their order
		tokens := lexicon.Tokenize(text)
		tokens = tokens[:min(len(tokens), lexicon.MaxRelationWords)]
		for _, t := range tokens {
			w, ok := known[t.Lower]
			if !ok {
				w = int32(len(n.words))
				known[t.Lower] = w
				n.words = append(n.words, r.word(nil, 0, t, 1))
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
		var terms []nn.Term
		for i, r := range ids {
			terms = moved(terms, n.rows[r], int32(i))
		}
		return t.Combine(table, len(ids), terms)
	}
	var (
		place      = make([]int32, len(n.words)) // 1 + that among the words that are in ids
		used       int32
		rows       []nn.Term // of words
		words, own []nn.Term // of relations
	)
	for i, r := range ids {
		for _, w := range n.parts[r].words {
			if place[w.From] == 0 {
				used++
				place[w.From] = used
				rows = moved(rows, n.words[w.From], used-1)
			}
			words = append(words, nn.Term{To: int32(i), From: place[w.From] - 1, Weight: w.Weight})
		}
		own = moved(own, n.parts[r].rows, int32(i))
	}
	return t.Add(t.Combine(t.Combine(table, int(used), rows), len(ids), words), t.Combine(table, len(ids), own))
}

// moved appends terms with another row of the result.
func moved(to, terms []nn.Term, row int32) []nn.Term {
	for _, m := range terms {
		m.To = row
		to = append(to, m)
	}
	return to
}
