package scoring

import (
	"sync"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/nn"
	"cairn/engine/questions"
	"cairn/engine/retrieve/around"
	"cairn/engine/retrieve/learn"
)

const (
	// width is that of the vectors of words, and of what the network makes of a triple.
	width = 64
	// entryStd is the standard deviation of new vectors of words and relations.
	entryStd = 0.3
	// dropout is the share of the numbers of vectors that are dropped in training.
	dropout = 0.1
	// nameWords is how many words of an entity's name are read.
	nameWords = 6
	// steps is how long the ways of the distance encoding are, and ways how many there are,
	// that of no step included.
	steps, ways = 3, 1<<(steps+1) - 1
)

// scorer is the network. Of a triple (h, r, t) and a question q it makes
//
//	z = ReLU(Q q + R [r; r ⊙ q] + H [h; w_h] + T [t; w_t] + b)
//	on the way: a·z,  the last on it: l·z
//
// where q is the mean of the question's words, r, h and t are those of the words of their
// names, r with a vector of its own, and w says by which ways an entity is reached.
type scorer struct {
	graph *kg.Graph
	rows  *learn.Rows
	names [][]nn.Term // by relation: rows of the table; To is 0
	free  []int32     // by relation: its row of the free vectors, or -1

	params               *nn.Params
	table, own           *nn.Param // rows×width, relations of the vocabulary×width
	question, bias       *nn.Param // Q, b
	relation, head, tail *nn.Param // R, H, T
	onWay, last          *nn.Param // a, l
	tapes                sync.Pool // of *nn.Tape, that do not train
}

// newScorer makes a network with weights drawn from a seed.
func newScorer(g *kg.Graph, v *learn.Vocabulary, seed uint64) *scorer {
	p := nn.NewParams(seed)
	s := &scorer{graph: g, rows: learn.NewRows(v), params: p}
	known := learn.Places(v.Relations)
	for r := range kg.RelationID(g.Relations()) {
		at, ok := known[g.RelationKey(r)]
		if !ok {
			at = -1
		}
		s.names, s.free = append(s.names, s.rows.Relation(g.RelationText(r))), append(s.free, at)
	}
	s.table, s.own = p.Table("words", s.rows.Len(), width, entryStd), p.Table("relations", len(v.Relations), width, entryStd)
	s.question, s.bias = p.Normal("question", width, width, nn.Fan(width)), p.Normal("bias", 1, width, 0)
	s.relation = p.Normal("relation", 2*width, width, nn.Fan(2*width))
	s.head, s.tail = p.Normal("head", width+ways, width, nn.Fan(width)), p.Normal("tail", width+ways, width, nn.Fan(width))
	s.onWay, s.last = p.Normal("on_way", width, 1, nn.Fan(width)), p.Normal("last", width, 1, nn.Fan(width))
	s.tapes.New = func() any { return nn.NewTape(p) }
	return s
}

type input struct {
	around.Triples

	words     []nn.Term       // of the question, as row 0
	reached   []uint16        // by local id: one bit a way
	relations []kg.RelationID // of the triples, each once
	relation  []int32         // by triple: index into relations
}

// read makes a question ready for the network.
func (s *scorer) read(x questions.Example, t around.Triples) input {
	in := input{Triples: t, reached: reached(t), relation: make([]int32, len(t.Facts))}
	tokens, span := learn.TokensOf(x)
	for i, w := range tokens {
		if span[i] >= 0 {
			in.words = append(in.words, nn.Term{From: learn.TopicRow, Weight: 1 / float32(len(tokens))})
			continue
		}
		in.words = s.rows.Word(in.words, 0, w, 1/float32(len(tokens)))
	}
	place := map[kg.RelationID]int32{}
	for i, f := range t.Facts {
		at, ok := place[f.Relation]
		if !ok {
			at = int32(len(in.relations))
			place[f.Relation] = at
			in.relations = append(in.relations, f.Relation)
		}
		in.relation[i] = at
	}
	return in
}

// reached is the distance encoding: by which ways of up to three steps each entity is
// reached from a seed. Way 0 has no step; way w goes on with a triple along its direction
// as 2w+1, and against it as 2w+2.
func reached(t around.Triples) []uint16 {
	out := make([]uint16, len(t.Entities))
	for i := range t.Seeds {
		out[i] = 1
	}
	for from, n := 0, 1; n < 1<<steps; from, n = from+n, 2*n {
		next := make([]uint16, len(out))
		for _, f := range t.Facts {
			for w := from; w < from+n; w++ {
				next[f.Tail] |= out[f.Head] >> w & 1 << (2*w + 1)
				next[f.Head] |= out[f.Tail] >> w & 1 << (2*w + 2)
			}
		}
		for i, ways := range next {
			out[i] |= ways
		}
	}
	return out
}

// scores returns those of all triples, to be on the way and to be the last on it (F×1
// each, any numbers).
func (s *scorer) scores(t *nn.Tape, in *input) (onWay, last *nn.Tensor) {
	table := t.Param(s.table)
	q := t.Dropout(t.Combine(table, 1, in.words), dropout)
	var names, own []nn.Term
	for i, r := range in.relations {
		names = learn.AsRow(names, s.names[r], int32(i))
		if at := s.free[r]; at >= 0 {
			own = append(own, nn.Term{To: int32(i), From: at, Weight: 1})
		}
	}
	n := len(in.relations)
	r := t.Dropout(t.Add(t.Combine(table, n, names), t.Combine(t.Param(s.own), n, own)), dropout)
	r = t.MatMul(t.Concat(r, t.MulRow(r, q)), t.Param(s.relation))
	e := s.entities(t, table, in)
	h, tail := t.MatMul(e, t.Param(s.head)), t.MatMul(e, t.Param(s.tail))
	parts := make([]nn.Term, 0, 3*len(in.Facts))
	for i, f := range in.Facts {
		to := int32(i)
		parts = append(parts,
			nn.Term{To: to, From: in.relation[i], Weight: 1},
			nn.Term{To: to, From: int32(n) + f.Head, Weight: 1},
			nn.Term{To: to, From: int32(n+len(in.Entities)) + f.Tail, Weight: 1})
	}
	z := t.Combine(t.Stack(r, h, tail), len(in.Facts), parts)
	z = t.ReLU(t.AddRow(z, t.Add(t.MatMul(q, t.Param(s.question)), t.Param(s.bias))))
	return t.MatMul(z, t.Param(s.onWay)), t.MatMul(z, t.Param(s.last))
}

// entities are the vectors of entities: the mean of the words of their names, and the ways
// by which they are reached.
func (s *scorer) entities(t *nn.Tape, table *nn.Tensor, in *input) *nn.Tensor {
	var names []nn.Term
	by := t.New(len(in.Entities), ways)
	var tokens []lexicon.Token
	for i, e := range in.Entities {
		tokens = lexicon.AppendTokens(tokens[:0], s.graph.Label(e))
		tokens = tokens[:min(len(tokens), nameWords)]
		for _, w := range tokens {
			names = s.rows.Word(names, int32(i), w, 1/float32(len(tokens)))
		}
		for w := range ways {
			by.Row(i)[w] = float32(in.reached[i] >> w & 1)
		}
	}
	return t.Concat(t.Dropout(t.Combine(table, len(in.Entities), names), dropout), by)
}
