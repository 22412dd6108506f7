package guard_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"cairn/internal/guard"
)

func TestShareTakesEveryNumberOnce(t *testing.T) {
	for _, tt := range []struct{ workers, n, size int }{{1, 10, 3}, {4, 1000, 7}, {8, 3, 1}, {3, 0, 5}, {0, 5, 2}} {
		seen := make([]atomic.Int32, tt.n)
		err := guard.Share(t.Context(), tt.workers, tt.n, tt.size, func(worker, from, to int) {
			if worker < 0 || worker >= max(tt.workers, 1) || to-from > tt.size {
				t.Errorf("Share(%+v): worker %d has %d to %d", tt, worker, from, to)
			}
			for i := from; i < to; i++ {
				seen[i].Add(1)
			}
		})
		if err != nil {
			t.Errorf("Share(%+v) = %v", tt, err)
		}
		for i := range seen {
			if got := seen[i].Load(); got != 1 {
				t.Errorf("Share(%+v) took %d %d times, want once", tt, i, got)
			}
		}
	}
}

func TestShareEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var done atomic.Int32
	err := guard.Each(ctx, 1000, func(int) {
		done.Add(1)
		cancel()
	})
	if err == nil || done.Load() > 100 {
		t.Errorf("Each = %v after %d, want the context's error soon after the cancel", err, done.Load())
	}
}

// A panic reaches the caller when the other workers are done, whoever panicked.
func TestSharePanicsAsItsWorkers(t *testing.T) {
	for _, which := range []int{0, 1} {
		var running atomic.Int32
		var begun sync.Once
		another := make(chan struct{})
		err := guard.Do(func() error {
			return guard.Share(t.Context(), 2, 100, 1, func(worker, _, _ int) {
				running.Add(1)
				defer running.Add(-1)
				if worker == 0 {
					<-another
				} else {
					begun.Do(func() { close(another) })
				}
				if worker == which {
					panic("lost")
				}
			})
		})
		if err == nil || running.Load() != 0 {
			t.Errorf("worker %d: error %v with %d still at work, want a panic and none", which, err, running.Load())
		}
	}
}

// TestInOrder: what is made by several workers comes in order, and an error or a
// cancel stops it.
func TestInOrder(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 9, 1000} {
		var got []int
		err := guard.InOrder(t.Context(), 3, n, 8, func(_ context.Context, _, from, to int) ([]int, error) {
			var piece []int
			for i := from; i < to; i++ {
				piece = append(piece, i)
			}
			return piece, nil
		}, func(piece []int) error {
			got = append(got, piece...)
			return nil
		})
		if err != nil || len(got) != n || !slices.IsSorted(got) {
			t.Errorf("n=%d: %v, %d things", n, err, len(got))
		}
	}
	broken := errors.New("broken")
	for _, at := range []int{0, 480, 992} {
		produce := func(_ context.Context, _, from, _ int) (int, error) {
			if from == at {
				return 0, broken
			}
			return from, nil
		}
		if err := guard.InOrder(t.Context(), 3, 1000, 8, produce, func(int) error { return nil }); !errors.Is(err, broken) {
			t.Errorf("made: %v, want %v", err, broken)
		}
		good := func(_ context.Context, _, from, _ int) (int, error) { return from, nil }
		if err := guard.InOrder(t.Context(), 3, 1000, 8, good, func(from int) error {
			if from == at {
				return broken
			}
			return nil
		}); !errors.Is(err, broken) {
			t.Errorf("put: %v, want %v", err, broken)
		}
		ctx, cancel := context.WithCancel(t.Context())
		if err := guard.InOrder(ctx, 3, 1000, 8, good, func(from int) error {
			if from == at {
				cancel()
			}
			return nil
		}); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v, want %v", err, context.Canceled)
		}
		cancel()
	}
}
