package gsr

import (
	"math"
	"math/rand/v2"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/nn"
	"cairn/engine/questions"
	"cairn/engine/retrieve/learn"
	"cairn/engine/schema"
)

const (
	// wordWidth is e, the width of the vectors of words.
	wordWidth = 64
	// heads are those of every attention.
	heads = 4
	// maxWords is how many words of a question are read.
	maxWords = 100
	// gammaFirst is what the likeness of words weighs before it is learned.
	gammaFirst = 4
	// skippedShare is the share of the words that are not read in training, unseenShare
	// that of those read without their own rows, as a word never seen is.
	skippedShare, unseenShare = 0.05, 0.1
)

// net is an encoder of questions and a decoder that speaks in steps:
//
//	x_j    the vector of word j, the sum of its rows (learn.Rows), of width e
//	h      a layer over [→GRU(x) ; ←GRU(x)], normed (n×d)
//	r_s    norm(W_dir·[words of the relation ; words of its head's type] + own_s)
//	y_t    a layer over start, r_1, …, r_(t-1) and h, normed (d)
//	z_s    W_o·y_t · r_s / √d  +  γ Σ_j α_j max over words w of the relation of cos(x_j, w)
//	P(s)   softmax over the steps and the end
//
// α is an attention of y_t over h of its own: it looks at the words that say the step.
// own_s is learned for the relations of the vocabulary, and left out in part of the
// training, so that relations without it can be spoken by their names.
type net struct {
	d       int
	dropout float64
	p       *nn.Params
	rows    *learn.Rows
	table   *nn.Param // rows×e
	place   *nn.Param // of positions in a chain, places×d
	right   *nn.GRU
	left    *nn.GRU
	enc     layer
	dec     layer
	encGain *nn.Param
	out     *nn.Param // d×d
	outGain *nn.Param
	named   [2]*nn.Param // by direction: 2e×d
	relGain *nn.Param
	own     *nn.Param // end, start, then two for each relation of the vocabulary, ×d
	seekQ   *nn.Param
	seekK   *nn.Param
	gamma   *nn.Param // 1×1
}

// The rows of net.own before those of relations.
const (
	endRow = iota
	startRow
	ownRows
)

// layer is one of a transformer, normed before each part. look is of decoders alone.
type layer struct {
	self, look     *attending
	feedGain       *nn.Param
	up, upBias     *nn.Param
	down, downBias *nn.Param
}

// attending is one attention of a layer.
type attending struct{ gain, q, k, v, o *nn.Param }

func newNet(o Options, v *learn.Vocabulary, seed uint64) *net {
	p, d := nn.NewParams(seed), o.Width
	n := &net{d: d, dropout: o.Dropout, p: p, rows: learn.NewRows(v)}
	square := func(name string, by float64) *nn.Param { return p.Normal(name, d, d, by*nn.Fan(d)) }
	n.table = p.Table("words.table", n.rows.Len(), wordWidth, 0.3)
	n.place = p.Table("chain.place", longestChain+1, d, 0.1)
	n.right, n.left = nn.NewGRU(p, "words.right", wordWidth, d/2), nn.NewGRU(p, "words.left", wordWidth, d/2)
	n.enc, n.dec = newLayer(p, "encoder", d, false), newLayer(p, "decoder", d, true)
	n.encGain, n.outGain, n.relGain = gain(p, "encoder.end", d), gain(p, "decoder.end", d), gain(p, "relations.gain", d)
	n.out = square("decoder.out", 1)
	for i, name := range []string{"relations.forward", "relations.backward"} {
		n.named[i] = p.Normal(name, 2*wordWidth, d, nn.Fan(wordWidth))
	}
	n.own = p.Table("relations.own", ownRows+2*len(v.Relations), d, 0.3)
	n.seekQ, n.seekK = square("seek.query", 1), square("seek.key", 1)
	n.gamma = p.Normal("seek.gamma", 1, 1, 0)
	n.gamma.Data[0] = gammaFirst
	return n
}

// gain makes a row of ones.
func gain(p *nn.Params, name string, d int) *nn.Param {
	g := p.Normal(name+".gain", 1, d, 0)
	for i := range g.Data {
		g.Data[i] = 1
	}
	return g
}

func newLayer(p *nn.Params, name string, d int, looks bool) layer {
	attends := func(name string) *attending {
		square := func(part string, by float64) *nn.Param { return p.Normal(name+part, d, d, by*nn.Fan(d)) }
		return &attending{gain(p, name, d), square(".query", 1), square(".key", 1), square(".value", 1), square(".out", 0.5)}
	}
	l := layer{self: attends(name + ".self")}
	if looks {
		l.look = attends(name + ".look")
	}
	l.feedGain = gain(p, name+".feed", d)
	l.up, l.upBias = p.Normal(name+".up", d, 2*d, nn.Fan(d)), p.Normal(name+".up_bias", 1, 2*d, 0)
	l.down, l.downBias = p.Normal(name+".down", 2*d, d, 0.5*nn.Fan(2*d)), p.Normal(name+".down_bias", 1, d, 0)
	return l
}

// run is the layer over x (n×d); seen is what its look is at.
func (l *layer) run(t *nn.Tape, x, seen *nn.Tensor, causal bool, dropout float64) *nn.Tensor {
	y := t.Norm(x, t.Param(l.self.gain))
	x = t.Add(x, t.Dropout(l.self.mix(t, y, y, causal), dropout))
	if l.look != nil {
		x = t.Add(x, t.Dropout(l.look.mix(t, t.Norm(x, t.Param(l.look.gain)), seen, false), dropout))
	}
	y = t.Norm(x, t.Param(l.feedGain))
	y = t.ReLU(t.AddRow(t.MatMul(y, t.Param(l.up)), t.Param(l.upBias)))
	return t.Add(x, t.Dropout(t.AddRow(t.MatMul(y, t.Param(l.down)), t.Param(l.downBias)), dropout))
}

func (a *attending) mix(t *nn.Tape, x, seen *nn.Tensor, causal bool) *nn.Tensor {
	q, k, v := t.MatMul(x, t.Param(a.q)), t.MatMul(seen, t.Param(a.k)), t.MatMul(seen, t.Param(a.v))
	return t.MatMul(t.Attend(q, k, v, heads, causal), t.Param(a.o))
}

// words is a question as net.encode takes it.
type words struct {
	terms []nn.Term
	n     int
}

// words makes a question ready, read from one of its names: the others stand for
// themselves alone. Span own is that name's, or every one's for allSpans. Of a name there is
// what kinds says by its span that it is, and not how it is written.
func (n *net) words(tokens []lexicon.Token, span []int, own int, kinds [][]lexicon.Token) words {
	tokens = tokens[:min(len(tokens), maxWords)]
	w := words{n: len(tokens)}
	for i, t := range tokens {
		if span[i] < 0 {
			w.terms = n.rows.Word(w.terms, int32(i), t, 1)
			continue
		}
		row := int32(learn.TopicRow)
		if own != allSpans && span[i] != own {
			row = learn.OtherRow
		}
		w.terms = append(w.terms, nn.Term{To: int32(i), From: row, Weight: 1})
		if span[i] < len(kinds) {
			for _, k := range kinds[span[i]] {
				w.terms = n.rows.Word(w.terms, int32(i), k, 1/float32(len(kinds[span[i]])))
			}
		}
	}
	return w
}

// kindsAtMost is how many types of a thing are read at most.
const kindsAtMost = 3

// kinds are the words of the types of what a question names, by span; none where types are
// not read.
func (o *Options) kinds(g *kg.Graph, x questions.Example) [][]lexicon.Token {
	if !o.Typed {
		return nil
	}
	out := make([][]lexicon.Token, len(x.Spans))
	for _, n := range learn.NamesOf(g, x) {
		if n.Span < 0 {
			continue
		}
		types := g.Types(n.Seeds[0])
		for _, t := range types[:min(len(types), kindsAtMost)] {
			out[n.Span] = append(out[n.Span], lexicon.Tokenize(g.TypeLabel(t))...)
		}
	}
	return out
}

// allSpans stands for every name of a question.
const allSpans = -2

// encode returns the states of a question (n×d) and its words, each of length √e (n×e).
// With a source of random numbers it forgets some of the words.
func (n *net) encode(t *nn.Tape, w words, forget *rand.Rand) (h, x *nn.Tensor) {
	terms := w.terms
	if forget != nil {
		fate := make([]float64, w.n)
		for i := range fate {
			fate[i] = forget.Float64()
		}
		terms = n.rows.Forget(terms, func(i int32) bool { return fate[i] >= skippedShare },
			func(i int32) bool { return fate[i] >= skippedShare+unseenShare })
	}
	sum := t.Combine(t.Param(n.table), w.n, terms)
	x = t.Norm(sum, nil)
	sum = t.Dropout(sum, n.dropout)
	h = t.Concat(n.right.Run(t, sum, false), n.left.Run(t, sum, true))
	return t.Norm(n.enc.run(t, h, nil, false, n.dropout), t.Param(n.encGain)), x
}

// names are those of a graph's relations, as rows of the table.
type names struct {
	words [][]nn.Term    // by word, each of which is in some name
	of    []relationName // by relation
	// own is the first of the two rows of net.own of a relation, or −1.
	own []int32
}

// relationName is a relation's name: its words by number, those of what its heads are,
// and what it means as a whole, as terms.
type relationName struct {
	words, head []int32
	means       []nn.Term
}

func (n *net) names(g *kg.Graph, v *learn.Vocabulary) *names {
	known, numbers := learn.Places(v.Relations), map[string]int32{}
	out := &names{}
	number := func(tokens []lexicon.Token) (list []int32) {
		for _, t := range tokens[:min(len(tokens), lexicon.MaxRelationWords)] {
			w, ok := numbers[t.Lower]
			if !ok {
				w = int32(len(out.words))
				numbers[t.Lower] = w
				out.words = append(out.words, n.rows.Word(nil, 0, t, 1))
			}
			list = append(list, w)
		}
		return list
	}
	for r := range kg.RelationID(g.Relations()) {
		out.of = append(out.of, relationName{
			words: number(lexicon.Tokenize(g.RelationText(r))),
			head:  number(lexicon.Tokenize(strings.Join(lexicon.ParseRelation(g.RelationKey(r)).Head, " "))),
			means: n.rows.Meaning(nil, g.RelationText(r)),
		})
		own := int32(-1)
		if i, ok := known[g.RelationKey(r)]; ok {
			own = ownRows + 2*i
		}
		out.own = append(out.own, own)
	}
	return out
}

// tongue is what can be spoken: the vectors of the end and of some steps.
type tongue struct {
	r *nn.Tensor // (1+steps)×d; row 0 is the end's
	u *nn.Tensor // the words of the steps' relations, each of length √e
	// at[i] is the first row of u of row i of r.
	at []int32
}

// tongue makes the vectors of steps; with own those of relations that are known have
// their own part. A word of several names is added up once.
func (n *net) tongue(t *nn.Tape, names *names, steps []schema.Step, own bool) tongue {
	var (
		rows         = 1 + len(steps)
		place        = make([]int32, len(names.words)) // 1 + that of a word in the sums
		sums         []nn.Term                         // of the words that are there
		used         int32
		each         []nn.Term    // the words one after the other
		named, means [2][]nn.Term // by direction, of the steps that go there
		going        [2][]nn.Term // by direction, those steps' rows
		free         = []nn.Term{{To: 0, From: endRow, Weight: 1}}
		at           = []int32{0, 0}
	)
	word := func(w int32) int32 {
		if place[w] == 0 {
			sums = learn.AsRow(sums, names.words[w], used)
			used++
			place[w] = used
		}
		return place[w] - 1
	}
	for i, s := range steps {
		name, dir := &names.of[s.Relation()], s&1
		of := int32(len(going[dir]))
		row := 2 * of
		going[dir] = append(going[dir], nn.Term{To: int32(1 + i), From: of, Weight: 1})
		for _, w := range name.words {
			each = append(each, nn.Term{To: int32(len(each)), From: word(w), Weight: 1})
			named[dir] = append(named[dir], nn.Term{To: row, From: word(w), Weight: 1 / float32(len(name.words))})
		}
		for _, w := range name.head {
			named[dir] = append(named[dir], nn.Term{To: row + 1, From: word(w), Weight: 1 / float32(len(name.head))})
		}
		means[dir] = learn.AsRow(means[dir], name.means, row)
		at = append(at, int32(len(each)))
		if o := names.own[s.Relation()]; own && o >= 0 {
			free = append(free, nn.Term{To: int32(1 + i), From: o + int32(dir), Weight: 1})
		}
	}
	words := t.Combine(t.Param(n.table), int(used), sums)
	r := t.Combine(t.Param(n.own), rows, free)
	for dir := range named {
		of := len(going[dir])
		x := t.Add(t.Combine(words, 2*of, named[dir]), t.Combine(t.Param(n.table), 2*of, means[dir]))
		r = t.Add(r, t.Combine(t.MatMul(x.As(of, 2*wordWidth), t.Param(n.named[dir])), rows, going[dir]))
	}
	return tongue{t.Norm(r, t.Param(n.relGain)), t.Norm(t.Combine(words, len(each), each), nil), at}
}

// heard is a question as the decoder reads it: its states, and how like its words are to
// those of each step.
type heard struct{ h, like *nn.Tensor }

func (n *net) heard(t *nn.Tape, h, x *nn.Tensor, with tongue) heard {
	return heard{h, t.Peaks(t.Scale(t.MatMulT(x, with.u), 1./wordWidth), with.at)}
}

// speak returns the scores of the end and of every step after each beginning of a chain:
// (len(chain)+1)×(1+steps). chain are rows of the tongue.
func (n *net) speak(t *nn.Tape, q heard, with tongue, chain []int32) *nn.Tensor {
	rows := len(chain) + 1
	x := t.Combine(t.Param(n.own), rows, []nn.Term{{To: 0, From: startRow, Weight: 1}})
	said, places := make([]nn.Term, len(chain)), make([]nn.Term, rows)
	for i, c := range chain {
		said[i] = nn.Term{To: int32(i + 1), From: c, Weight: 1}
	}
	for i := range places {
		places[i] = nn.Term{To: int32(i), From: int32(i), Weight: 1}
	}
	x = t.Add(t.Add(x, t.Combine(with.r, rows, said)), t.Combine(t.Param(n.place), rows, places))
	y := t.Norm(n.dec.run(t, x, q.h, true, n.dropout), t.Param(n.outGain))
	z := t.Scale(t.MatMulT(t.MatMul(y, t.Param(n.out)), with.r), float32(1/math.Sqrt(float64(n.d))))
	like := t.Attend(t.MatMul(y, t.Param(n.seekQ)), t.MatMul(q.h, t.Param(n.seekK)), q.like, 1, false)
	return t.Add(z, t.Stretch(like, t.Param(n.gamma)))
}

// loss is −log P(chain | question) where steps are all that could be said; chain are
// indexes of steps.
func (n *net) loss(t *nn.Tape, w words, names *names, steps []schema.Step, chain []int, own bool, forget *rand.Rand) *nn.Tensor {
	h, x := n.encode(t, w, forget)
	with := n.tongue(t, names, steps, own)
	rows, want := make([]int32, len(chain)), make([]int, len(chain)+1)
	for i, c := range chain {
		rows[i], want[i] = int32(c+1), c+1
	}
	return t.CrossEntropy(n.speak(t, n.heard(t, h, x, with), with, rows), want)
}
