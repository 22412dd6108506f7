// Package learned is the signature of SG-RAG's network, which is measured beside
// paths.Counters, the signature of the product.
package learned

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/match/paths"
	"cairn/engine/nn"
)

// Signature is that of the paper's network (SG-RAG appendix C), a graph attention
// layer over a star, made monotone by construction: attention without softmax, which
// would let a leaf take weight from others; squares for weights; sums for pooling.
//
//	h = Σ over leaves  count · σ(a_symbol) · x_symbol²    (H)
//	o = (2σ(h) − 1) · W²                                  (D)
//
// What is learned is made of integers, and evaluated in them: with rounded weights, which
// are not negative, the network is as monotone as before, on stars of data and queries
// alike. No pair violates eq. 14, so that no vertex needs the top vector.
type Signature struct {
	symbols int
	leaves  []uint32 // (symbols, hidden), in steps of 1/fine
	mix     []uint32 // (hidden, learnedDims), in steps of 1/fine
	most    []uint32 // of each dimension, over the graph: becomes 255
	curve   []uint32 // 2σ(h) − 1, in steps of 1/fine
}

const (
	hidden      = 32
	learnedDims = 1 + paths.DefaultBuckets // as Counters, to be compared
	fine        = 256
	// maxSymbols bounds the table of leaves; symbols share rows where there are more.
	maxSymbols = 1 << 13

	negatives   = 8   // stars that a part of another must be told from, in each example
	batch       = 32  // examples in a step
	partLeaves  = 6   // neighbours that a part has at most
	margin      = 0.1 // by which a part is to stand out of a star that it is no part of
	learnedRate = 0.01
)

// DefaultSteps of Learn are enough for the loss to settle on graphs of ten thousand
// entities.
const DefaultSteps = 400

// Name implements paths.Signature. It does not tell weights: they are kept with the index.
func (l *Signature) Name() string { return "learned 1" }

// Weights implements paths.Weighted.
func (l *Signature) Weights() []uint32 { return slices.Concat(l.most, l.mix, l.leaves) }

// WithWeights implements paths.Weighted.
func (*Signature) WithWeights(w []uint32) (paths.Signature, error) {
	const most, mix = learnedDims, learnedDims + learnedDims*hidden
	if len(w) <= mix || (len(w)-mix)%hidden != 0 {
		return nil, fmt.Errorf("%w: its signature has %d weights", paths.ErrDamaged, len(w))
	}
	return &Signature{symbols: (len(w) - mix) / hidden, most: w[:most], mix: w[most:mix], leaves: w[mix:], curve: curve()}, nil
}

// Dims implements paths.Signature.
func (l *Signature) Dims() int { return learnedDims }

// Sign implements paths.Signature.
func (l *Signature) Sign(leaves []paths.Leaf, into []uint8) {
	var h [hidden]uint64
	for _, x := range leaves {
		row := l.leaves[row(x.Symbol, l.symbols)*hidden:]
		for j := range h {
			h[j] += uint64(x.Count) * uint64(row[j])
		}
	}
	for d, most := range l.most {
		o := uint64(0)
		for j := range h {
			o += uint64(l.curve[min(h[j], uint64(len(l.curve)-1))]) * uint64(l.mix[j*learnedDims+d])
		}
		into[d] = uint8(min(255, 255*o/uint64(max(most, 1))))
	}
}

// row is where the weights of a symbol are.
func row(symbol uint32, rows int) int {
	if int(symbol) < rows {
		return int(symbol)
	}
	return int(paths.Mixed(symbol) % uint32(rows))
}

// network is what a Signature is while it learns.
type network struct {
	rows                    int
	attention, leaves, last *nn.Param
}

// Learn trains a signature on a graph. It depends on graph, seed and steps alone.
func Learn(ctx context.Context, g *kg.Graph, seed uint64, steps int) (*Signature, error) {
	p := nn.NewParams(seed)
	symbols := 1 + 2*g.Relations() + g.NumTypes() // as paths.TypeSymbol ends
	n := &network{rows: min(symbols, maxSymbols)}
	n.attention = p.Table("attention", n.rows, 1, 1)
	n.leaves = p.Table("leaves", n.rows, hidden, 0.5)
	n.last = p.Normal("mix", hidden, learnedDims, nn.Fan(hidden))
	n.sparse(seed)
	trainer := nn.NewTrainer(p, &nn.Adam{Rate: learnedRate, Clip: 1})
	for step := range uint64(max(steps, 0)) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if g.Triples() == 0 {
			break
		}
		_, err := trainer.Step(batch, step, func(t *nn.Tape, item int) *nn.Tensor {
			r := rand.New(rand.NewPCG(seed, step*batch+uint64(item)))
			return n.loss(t, example(r, g))
		})
		if err != nil {
			return nil, err
		}
	}
	l := n.quantised()
	return l, l.stretch(ctx, g)
}

// sparse has every symbol begin in few dimensions: sums of many that are not negative
// would be alike for all stars.
func (n *network) sparse(seed uint64) {
	r := rand.New(rand.NewPCG(seed, seed))
	for i := range n.leaves.Data {
		n.leaves.Data[i] = 0.1
		if r.IntN(hidden/2) == 0 {
			n.leaves.Data[i] = 1
		}
	}
	for i := range n.last.Data {
		n.last.Data[i] = 0.1
		if i/learnedDims%learnedDims == i%learnedDims {
			n.last.Data[i] = 1
		}
	}
}

// example is stars: a part of the second, then it, then others that do not have the part.
func example(r *rand.Rand, g *kg.Graph) [][]paths.Leaf {
	t := g.Triple(kg.TripleID(r.IntN(g.Triples())))
	e := t.Head
	if r.IntN(2) == 0 {
		e = t.Tail
	}
	part := part(r, g, e)
	stars := [][]paths.Leaf{part, paths.Star(g, e)}
	alike := g.Types(e)
	for range 4 * negatives {
		other := kg.EntityID(r.IntN(g.Entities()))
		if len(alike) > 0 && r.IntN(2) == 0 { // those that labels do not tell apart
			of := g.OfType(alike[r.IntN(len(alike))])
			other = of[r.IntN(len(of))]
		}
		if s := paths.Star(g, other); len(stars) < 2+negatives && !contains(s, part) {
			stars = append(stars, s)
		}
	}
	return stars
}

// part is the leaves of some neighbours of an entity, as a query would know them: with or
// without relations, with or without types.
func part(r *rand.Rand, g *kg.Graph, e kg.EntityID) (leaves []paths.Leaf) {
	near := paths.Neighbours(g, e)
	r.Shuffle(len(near), func(i, j int) { near[i], near[j] = near[j], near[i] })
	near = near[:min(len(near), 1+r.IntN(partLeaves))]
	leaves = append(leaves, paths.Leaf{Symbol: 0, Count: uint32(len(near))})
	if relations := r.IntN(2) > 0; relations {
		add := func(edges []kg.Edge, symbol func(kg.RelationID) uint32) {
			for _, x := range edges {
				if slices.Contains(near, x.Entity) {
					leaves = append(leaves, paths.Leaf{Symbol: symbol(x.Relation), Count: 1})
				}
			}
		}
		add(g.Out(e), paths.OutSymbol)
		add(g.In(e), paths.InSymbol)
	}
	if types := r.IntN(4) > 0; types {
		for _, n := range near {
			for _, t := range g.Types(n) {
				leaves = append(leaves, paths.Leaf{Symbol: paths.TypeSymbol(g, t), Count: 1})
			}
		}
	}
	return paths.Merged(leaves)
}

// contains reports whether a star has all leaves of a part.
func contains(star, part []paths.Leaf) bool {
	i := 0
	for _, p := range part {
		for i < len(star) && star[i].Symbol < p.Symbol {
			i++
		}
		if i == len(star) || star[i].Symbol != p.Symbol || star[i].Count < p.Count {
			return false
		}
	}
	return true
}

// loss is that of eq. 15 with the sign that eq. 14 asks for, Σ max(0, o(s) − o(g))², which
// is 0 here and at a constant too; and for each other star g' one that keeps the network
// from becoming constant: max(0, margin − Σ max(0, o(s) − o(g')))².
func (n *network) loss(t *nn.Tape, stars [][]paths.Leaf) *nn.Tensor {
	o := n.forward(t, stars)
	ones := t.New(learnedDims, 1)
	for i := range ones.Data {
		ones.Data[i] = 1
	}
	part := t.Rows(o, 0, 1)
	over := t.ReLU(t.Sub(part, t.Rows(o, 1, 2)))
	loss := t.MatMul(t.Mul(over, over), ones)
	limit := t.New(1, 1)
	limit.Data[0] = margin
	for i := 2; i < len(stars); i++ {
		short := t.ReLU(t.Sub(limit, t.MatMul(t.ReLU(t.Sub(part, t.Rows(o, i, i+1))), ones)))
		loss = t.Add(loss, t.Scale(t.Mul(short, short), 1.0/negatives))
	}
	return loss
}

// forward is o of each star, plus what is the same for all: σ(h) in place of 2σ(h) − 1.
//
//	result (stars, D)
func (n *network) forward(t *nn.Tape, stars [][]paths.Leaf) *nn.Tensor {
	var symbols, weights []nn.Term
	var messages []nn.Message
	for s, leaves := range stars {
		for _, l := range leaves {
			i := int32(len(symbols))
			from := int32(row(l.Symbol, n.rows))
			symbols = append(symbols, nn.Term{To: i, From: from, Weight: float32(math.Sqrt(float64(l.Count)))})
			weights = append(weights, nn.Term{To: i, From: from, Weight: 1})
			messages = append(messages, nn.Message{From: i, To: int32(s), Vector: i})
		}
	}
	x := t.Combine(t.Param(n.leaves), len(symbols), symbols)
	a := t.Sigmoid(t.Combine(t.Param(n.attention), len(weights), weights))
	h := t.Pass(a, t.Mul(x, x), len(stars), messages)
	w := t.Param(n.last)
	return t.MatMul(t.Scale(t.Sigmoid(h), 2), t.Mul(w, w))
}

// quantised rounds the network.
func (n *network) quantised() *Signature {
	l := &Signature{symbols: n.rows, most: make([]uint32, learnedDims), curve: curve()}
	for i, x := range n.leaves.Data {
		a := 1 / (1 + math.Exp(-float64(n.attention.Data[i/hidden])))
		l.leaves = append(l.leaves, rounded(a*float64(x)*float64(x)))
	}
	for _, w := range n.last.Data {
		l.mix = append(l.mix, rounded(float64(w)*float64(w)))
	}
	return l
}

func rounded(x float64) uint32 { return uint32(math.Round(min(x, 1<<12) * fine)) }

// curve is 2σ(h) − 1 at h = i/fine, up to where it is 1: never falling, which the last
// places of floats alone would not promise.
func curve() []uint32 {
	c := make([]uint32, 16*fine)
	for i := range c {
		c[i] = rounded(2/(1+math.Exp(-float64(i)/fine)) - 1)
		if i > 0 {
			c[i] = max(c[i], c[i-1])
		}
	}
	return c
}

// stretch has the largest number of each dimension, over the stars of the graph, become
// 255.
func (l *Signature) stretch(ctx context.Context, g *kg.Graph) error {
	for d := range l.most {
		for j := range hidden {
			l.most[d] += l.curve[len(l.curve)-1] * l.mix[j*learnedDims+d]
		}
	}
	full, top := slices.Clone(l.most), make([]uint8, learnedDims)
	into := make([]uint8, learnedDims)
	for e := range kg.EntityID(g.Entities()) {
		if err := ctx.Err(); err != nil {
			return err
		}
		l.Sign(paths.Star(g, e), into)
		for d, n := range into {
			top[d] = max(top[d], n)
		}
	}
	for d := range full {
		l.most[d] = uint32(uint64(full[d]) * uint64(top[d]+1) / 256)
	}
	return nil
}
