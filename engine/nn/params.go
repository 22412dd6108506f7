package nn

import (
	"math"
	"math/rand/v2"
)

// Param is one weight matrix.
type Param struct {
	Name       string
	Rows, Cols int
	Data       []float32
	index      int
	table      bool // few rows have a gradient at a time
}

// Params are the weights of one network, in the order in which they were made.
type Params struct {
	list    []*Param
	rng     *rand.Rand
	changes uint64
}

// NewParams returns an empty set; weights made in it are drawn from the seed.
func NewParams(seed uint64) *Params { return &Params{rng: rand.New(rand.NewPCG(seed, seed))} }

// Normal makes a weight with normally distributed numbers; with std 0 they are 0.
func (p *Params) Normal(name string, rows, cols int, std float64) *Param {
	w := &Param{Name: name, Rows: rows, Cols: cols, Data: make([]float32, rows*cols), index: len(p.list)}
	if std > 0 {
		for i := range w.Data {
			w.Data[i] = float32(p.rng.NormFloat64() * std)
		}
	}
	p.list = append(p.list, w)
	return w
}

// Table makes a weight whose rows are vectors of things, of which one item reads
// only a few: its gradients are kept for those rows alone. Combine reads it; other
// operations have no gradient of it to add to, and panic in Backward.
func (p *Params) Table(name string, rows, cols int, std float64) *Param {
	w := p.Normal(name, rows, cols, std)
	w.table = true
	return w
}

// All are the weights, in the order in which they were made.
func (p *Params) All() []*Param { return p.list }

// Len is how many numbers there are in all.
func (p *Params) Len() int {
	n := 0
	for _, w := range p.list {
		n += len(w.Data)
	}
	return n
}

// Changes counts how often a Trainer or SetWeights has changed the weights: what is
// made of them holds for as long as it stays the same.
func (p *Params) Changes() uint64 { return p.changes }

// Fan is the standard deviation that keeps a product with n inputs at their size.
func Fan(n int) float64 { return 1 / math.Sqrt(float64(n)) }
