package nn

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// slabLen and tensorsLen are the lengths of the pieces in which a tape takes memory.
const (
	slabLen    = 1 << 18
	tensorsLen = 1 << 8
)

// Tape holds the operations of one forward pass. Its memory is used again after
// Begin, which makes all tensors of the pass before invalid. A tape serves one
// goroutine at a time.
type Tape struct {
	params   *Params
	training bool
	rng      *rand.Rand
	back     []func()
	slabs    [][]float32
	slab, at int // the next free number
	tensors  [][]Tensor
	used     int // tensors of this pass
	grads    gradients
	spare    []float32 // of scratch
	turned   []turned  // by weight
}

// NewTape makes a tape for a network's weights.
func NewTape(p *Params) *Tape { return &Tape{params: p} }

// Begin forgets what is on the tape. A training tape records operations and
// applies dropout, drawn from the seed. Gradients of weights stay, for Backward
// adds to them.
func (t *Tape) Begin(training bool, seed uint64) {
	t.training, t.slab, t.at, t.used, t.back = training, 0, 0, 0, t.back[:0]
	if training {
		t.rng = rand.New(rand.NewPCG(seed, seed))
	}
}

// Rand is what dropout is drawn from, on a tape that trains; nil on others.
func (t *Tape) Rand() *rand.Rand {
	if !t.training {
		return nil
	}
	return t.rng
}

// Training reports whether the tape records operations.
func (t *Tape) Training() bool { return t.training }

// Param returns a weight for use in operations of this tape: the numbers are those
// that all tapes share, the gradient is the tape's own.
func (t *Tape) Param(p *Param) *Tensor {
	if !t.training {
		o := t.tensor()
		*o = Tensor{Rows: p.Rows, Cols: p.Cols, Data: p.Data}
		return o
	}
	t.grads.extend(t.params)
	return t.grads[p.index]
}

// Gradient returns what Backward has added up for a weight since the tape was made.
func (t *Tape) Gradient(p *Param) []float32 {
	t.grads.extend(t.params)
	return t.grads.dense(p.index)
}

// New returns a tensor of zeros, to be filled by the caller.
func (t *Tape) New(rows, cols int) *Tensor {
	a := t.blank(rows, cols)
	clear(a.Data)
	return a
}

// blank is New for an operation that writes every number of it: Data is whatever
// it is.
func (t *Tape) blank(rows, cols int) *Tensor {
	a := t.tensor()
	*a = Tensor{Rows: rows, Cols: cols, Data: t.take(rows * cols)}
	if t.training {
		a.Grad = t.floats(rows * cols)
	}
	return a
}

// floats returns n zeros of the tape's memory.
func (t *Tape) floats(n int) []float32 {
	x := t.take(n)
	clear(x)
	return x
}

// take returns n numbers of the tape's memory, whatever they are.
func (t *Tape) take(n int) []float32 {
	for {
		if t.slab == len(t.slabs) {
			t.slabs = append(t.slabs, make([]float32, max(slabLen, n)))
		}
		if s := t.slabs[t.slab]; t.at+n <= len(s) {
			out := s[t.at : t.at+n : t.at+n]
			t.at += n
			return out
		}
		t.slab, t.at = t.slab+1, 0
	}
}

// tensor returns a tensor, whatever it is, for this pass.
func (t *Tape) tensor() *Tensor {
	piece, i := t.used/tensorsLen, t.used%tensorsLen
	if piece == len(t.tensors) {
		t.tensors = append(t.tensors, make([]Tensor, tensorsLen))
	}
	t.used++
	return &t.tensors[piece][i]
}

// scratch returns n numbers, whatever they are, that are free until its next call.
func (t *Tape) scratch(n int) []float32 {
	if n > len(t.spare) {
		t.spare = make([]float32, n)
	}
	return t.spare[:n]
}

// Record adds the reverse of an operation: back adds to the gradients of what the
// operation read, from the gradient of what it wrote. It is for operations that
// are made outside of this package.
func (t *Tape) Record(back func()) {
	if t.training {
		t.back = append(t.back, back)
	}
}

// Backward adds the gradients of a loss (1×1), times weight, to those of the
// weights.
func (t *Tape) Backward(loss *Tensor, weight float32) {
	if len(loss.Data) != 1 {
		panic(badShape("Backward", loss.Rows, loss.Cols, 1, 1))
	}
	loss.Grad[0] += weight
	for _, back := range slices.Backward(t.back) {
		back()
	}
}

// Tensor is a matrix of Rows×Cols, row-major.
type Tensor struct {
	Rows, Cols int
	Data       []float32
	// Grad is the gradient of the loss by Data; nil on a tape that does not train,
	// and for a table of weights, which only Combine can read.
	Grad  []float32
	table *tableGrad // of a table of weights on a tape that trains
	param *Param     // of a weight on a tape that trains
}

// Row returns row i, aliasing Data.
func (a *Tensor) Row(i int) []float32 { return a.Data[i*a.Cols : (i+1)*a.Cols] }

func (a *Tensor) gradRow(i int) []float32 { return a.Grad[i*a.Cols : (i+1)*a.Cols] }

// lookedUp is gradRow, of tables too.
func (a *Tensor) lookedUp(i int32) []float32 {
	if a.table != nil {
		return a.table.row(i)
	}
	return a.gradRow(int(i))
}

// As returns the same numbers in another shape.
func (a *Tensor) As(rows, cols int) *Tensor {
	if rows*cols != len(a.Data) {
		panic(badShape("As", a.Rows, a.Cols, rows, cols))
	}
	return &Tensor{Rows: rows, Cols: cols, Data: a.Data, Grad: a.Grad}
}

// badShape is what an operation panics with.
func badShape(op string, rows, cols, rows2, cols2 int) string {
	return fmt.Sprintf("nn.%s: %d×%d does not go with %d×%d", op, rows, cols, rows2, cols2)
}
