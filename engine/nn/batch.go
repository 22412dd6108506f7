package nn

import (
	"context"
	"errors"
	"math"
	"runtime"

	"cairn/internal/guard"
)

// lanes is how many sums of gradients the items of a batch are dealt out to. It
// does not depend on the number of cores, and the sums are added in their order, so
// that the same items give the same gradients everywhere.
const lanes = 8

// ErrNotFinite is returned where a loss or gradient is no number any more; the
// weights are as they were before.
var ErrNotFinite = errors.New("the loss is no number any more")

// Trainer makes steps of gradient descent over the weights of one network.
type Trainer struct {
	params *Params
	adam   *Adam
	tapes  []*Tape // one for each core that is used
	sums   [lanes]gradients
}

// NewTrainer makes a trainer; adam is changed by its steps.
func NewTrainer(p *Params, adam *Adam) *Trainer { return &Trainer{params: p, adam: adam} }

// Step adds up the gradients of the mean loss over n items, on as many cores as
// there are, and moves the weights. seed is that of the batch's dropout: item i
// draws from seed+i, which should be no other item's. It returns the mean loss
// before the move, and panics where loss does.
func (tr *Trainer) Step(n int, seed uint64, loss func(t *Tape, item int) *Tensor) (float64, error) {
	used := min(lanes, n) // what is left of the lanes has nothing to add
	if used == 0 {
		return 0, nil
	}
	for i := range tr.sums {
		tr.sums[i].extend(tr.params)
	}
	var losses [lanes]float64
	err := guard.Do(func() error {
		tr.share(used, func(t *Tape, lane int) {
			t.grads = tr.sums[lane]
			for i := lane; i < n; i += lanes {
				t.Begin(true, seed+uint64(i))
				l := loss(t, i)
				t.Backward(l, 1/float32(n))
				losses[lane] += float64(l.Data[0]) / float64(n)
			}
		})
		return nil
	})
	if err != nil {
		tr.clear()
		panic(err)
	}

	// The sums of the other lanes go to those of the first.
	sum, grads := 0.0, tr.sums[0]
	for _, l := range losses {
		sum += l
	}
	lengths := make([]float64, len(grads))
	tr.share(len(grads), func(_ *Tape, weight int) {
		for _, other := range tr.sums[1:used] {
			grads.take(other, weight)
		}
		lengths[weight] = grads.squares(weight)
	})
	var norm float64
	for _, l := range lengths {
		norm += l
	}
	norm = math.Sqrt(norm)
	if !finite(sum) || !finite(norm) {
		tr.clear()
		return sum, ErrNotFinite
	}
	move := tr.adam.begin(tr.params, norm)
	tr.params.changes++
	tr.share(len(grads), func(_ *Tape, weight int) {
		move(weight, grads.dense(weight))
		grads.clear(weight)
	})
	return sum, nil
}

// share does n pieces of work on as many cores as there are, each of which has a
// tape. Where a piece panics so does it, when all are done with.
func (tr *Trainer) share(n int, work func(t *Tape, i int)) {
	workers := min(lanes, n, runtime.GOMAXPROCS(0))
	for len(tr.tapes) < workers {
		tr.tapes = append(tr.tapes, NewTape(tr.params))
	}
	_ = guard.Share(context.Background(), workers, n, 1, func(worker, i, _ int) { work(tr.tapes[worker], i) })
}

// clear sets all gradients to zero.
func (tr *Trainer) clear() {
	for _, gs := range tr.sums {
		for weight := range gs {
			gs.clear(weight)
		}
	}
}
