package nn

import (
	"errors"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
)

// lanes is how many tapes the items of a batch are dealt out to. It does not
// depend on the number of cores, and the gradients of the lanes are added in their
// order, so that the same items give the same sums everywhere.
const lanes = 4

// ErrNotFinite is returned where a loss or gradient is no number any more; the
// weights are as they were before.
var ErrNotFinite = errors.New("the loss is no number any more")

// Trainer makes steps of gradient descent over the weights of one network.
type Trainer struct {
	params *Params
	adam   *Adam
	tapes  [lanes]*Tape
}

// NewTrainer makes a trainer; adam is changed by its steps.
func NewTrainer(p *Params, adam *Adam) *Trainer {
	tr := &Trainer{params: p, adam: adam}
	for i := range tr.tapes {
		tr.tapes[i] = NewTape(p)
		tr.tapes[i].Begin(true, 0)
		for _, w := range p.list {
			tr.tapes[i].Param(w) // so that every lane has gradients
		}
	}
	return tr
}

// Step adds up the gradients of the mean loss over n items, on as many cores as
// there are, and moves the weights. seed is that of the batch's dropout; no two
// batches should have the same. It returns the mean loss before the move.
func (tr *Trainer) Step(n int, seed uint64, loss func(t *Tape, item int) *Tensor) (float64, error) {
	var losses [lanes]float64
	var next atomic.Int32
	var wg sync.WaitGroup
	for range min(lanes, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for lane := int(next.Add(1)) - 1; lane < lanes; lane = int(next.Add(1)) - 1 {
				t := tr.tapes[lane]
				for i := lane; i < n; i += lanes {
					t.Begin(true, seed+uint64(i))
					l := loss(t, i)
					t.Backward(l, 1/float32(n))
					losses[lane] += float64(l.Data[0]) / float64(n)
				}
			}
		})
	}
	wg.Wait()
	var sum float64
	for _, l := range losses {
		sum += l
	}
	grads := tr.reduce()
	norm := normOf(grads)
	if math.IsNaN(sum+norm) || math.IsInf(sum+norm, 0) {
		tr.clear()
		return sum, ErrNotFinite
	}
	tr.adam.step(tr.params, grads, norm)
	tr.clear()
	return sum, nil
}

// reduce adds the gradients of the lanes to those of the first and returns them.
func (tr *Trainer) reduce() []*Tensor {
	first := tr.tapes[0].grads
	for _, t := range tr.tapes[1:] {
		for i, g := range t.grads {
			sum := first[i]
			if g.touched == nil {
				axpy(1, g.Grad, sum.Grad)
				continue
			}
			for _, r := range g.touched.rows {
				sum.touched.add(r)
				axpy(1, g.gradRow(int(r)), sum.gradRow(int(r)))
			}
		}
	}
	return first
}

// clear sets all gradients to zero.
func (tr *Trainer) clear() {
	for _, t := range tr.tapes {
		for _, g := range t.grads {
			if g.touched == nil {
				clear(g.Grad)
				continue
			}
			for _, r := range g.touched.rows {
				clear(g.gradRow(int(r)))
			}
			g.touched.clear()
		}
	}
}

// normOf returns the Euclidean length of the gradients.
func normOf(grads []*Tensor) float64 {
	var sum float64
	for _, g := range grads {
		if g.touched == nil {
			sum += squares(g.Grad)
			continue
		}
		for _, r := range g.touched.rows {
			sum += squares(g.gradRow(int(r)))
		}
	}
	return math.Sqrt(sum)
}

func squares(x []float32) float64 {
	var s float64
	for _, v := range x {
		s += float64(v) * float64(v)
	}
	return s
}
