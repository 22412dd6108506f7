// Package gradcheck compares the gradients of a network with finite differences.
package gradcheck

import (
	"math"
	"math/rand/v2"
	"testing"

	"cairn/engine/nn"
)

const (
	// step is h of the central difference (L(w+h) − L(w−h))/2h. Two errors oppose
	// each other: what the Taylor series leaves out, h²/6·L‴, which is some 10⁻⁶ of
	// it here, and the rounding of L to 24 binary digits, divided by h. See noise.
	step = 0x1p-8
	// noise bounds the rounding error of the difference, as a share of the sum S of
	// the sizes of what L adds up. Each of these comes out of some dozens of float32
	// operations, of which the errors, of 2⁻²⁴ at most each, mostly cancel out: we
	// allow for 8 of them, divided by h.
	noise = 8 * 0x1p-24 / step
	// relative is what gradients may differ in beside that: they are computed in
	// float32 too, and this is far from any mistake in a formula.
	relative = 1e-2
	// samples is how many numbers of one weight are looked at at most.
	samples = 24
	// kinks is the share of the samples that may lie beside a kink.
	kinks = 0.25
)

// CheckGradients reports an error for each weight whose gradient of the loss is not
// the one that finite differences give. The loss is a tensor of any shape: what is
// not 1×1 is multiplied with fixed random numbers and added up, in float64. It has
// to be the same each time it is asked for; dropout is drawn from one seed.
//
// Before, all weights are moved a little at random, for those that begin at 0 hide
// mistakes; at the end they are what they were. A number of a weight where the
// differences of two steps disagree lies beside a kink, as ReLU has at 0, and is
// left out; that these are few is checked too.
func CheckGradients(tb testing.TB, p *nn.Params, loss func(t *nn.Tape) *nn.Tensor) {
	tb.Helper()
	r := rand.New(rand.NewPCG(1, 1))
	for _, w := range p.All() {
		before := append([]float32{}, w.Data...)
		defer copy(w.Data, before)
		for i := range w.Data {
			w.Data[i] += float32(0.05 * r.NormFloat64())
		}
	}

	tape := nn.NewTape(p)
	value, size := evaluate(tape, loss)
	backward(tape, loss)
	if math.IsNaN(value) || math.IsInf(value, 0) {
		tb.Errorf("the loss is %v", value)
		return
	}

	looked, skipped := 0, 0
	for _, w := range p.All() {
		grad := append([]float32{}, tape.Gradient(w)...)
		for _, i := range sample(r, grad) {
			at := w.Data[i]
			difference := func(h float32) float64 {
				w.Data[i] = at + h
				above, _ := evaluate(tape, loss)
				width := float64(w.Data[i])
				w.Data[i] = at - h
				below, _ := evaluate(tape, loss)
				width -= float64(w.Data[i])
				w.Data[i] = at
				return (above - below) / width
			}
			narrow, wide, got := difference(step), difference(2*step), float64(grad[i])
			tolerance := noise*size + relative*math.Abs(narrow)
			looked++
			if math.Abs(narrow-wide) > tolerance {
				skipped++
				continue
			}
			if !(math.Abs(got-narrow) <= tolerance) {
				tb.Errorf("gradient of %s[%d][%d] = %v, want %v ± %.1g", w.Name, i/w.Cols, i%w.Cols, got, narrow, tolerance)
			}
		}
	}
	if float64(skipped) > kinks*float64(looked) {
		tb.Errorf("%d of %d gradients lie beside a kink: the check says nothing", skipped, looked)
	}
}

// sample returns the places of some numbers of a gradient: half of them anywhere,
// the others where it is not zero.
func sample(r *rand.Rand, grad []float32) []int {
	places := r.Perm(len(grad))
	if len(places) <= samples {
		return places
	}
	picked := places[:samples/2]
	for _, i := range places[samples/2:] {
		if grad[i] != 0 && len(picked) < samples {
			picked = append(picked, i)
		}
	}
	return picked
}

// evaluate returns the loss, projected on fixed numbers, and the sum of the sizes of
// what was added up.
func evaluate(t *nn.Tape, loss func(t *nn.Tape) *nn.Tensor) (value, size float64) {
	t.Begin(true, 1)
	for i, x := range loss(t).Data {
		y := float64(x) * factor(i)
		value, size = value+y, size+math.Abs(y)
	}
	return value, size
}

// backward puts the gradients of what evaluate computes into the tape.
func backward(t *nn.Tape, loss func(t *nn.Tape) *nn.Tensor) {
	t.Begin(true, 1)
	l := loss(t)
	projected := t.New(1, 1)
	t.Record(func() {
		for i := range l.Grad {
			l.Grad[i] += projected.Grad[0] * float32(factor(i))
		}
	})
	t.Backward(projected, 1)
}

// factor is the number that number i of the output is multiplied with: 1 for the
// first, which is all there is of a loss, and of both signs for the others.
func factor(i int) float64 { return math.Cos(2.4 * float64(i)) }
