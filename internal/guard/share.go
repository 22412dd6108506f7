package guard

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Share calls do for the numbers from 0 to n−1 in pieces of size, each worker taking
// the next piece that is left, until the context ends, whose error it returns. Worker 0
// is the goroutine of the caller. A panic of one is Share's, when all are done.
func Share(ctx context.Context, workers, n, size int, do func(worker, from, to int)) error {
	var next atomic.Int64
	work := func(worker int) {
		for ctx.Err() == nil {
			from := int(next.Add(int64(size))) - size
			if from >= n {
				return
			}
			do(worker, from, min(from+size, n))
		}
	}
	var others Group
	defer others.Wait()
	for worker := 1; worker < min(workers, (n+size-1)/size); worker++ {
		others.Go(func() { work(worker) })
	}
	work(0)
	others.Wait()
	return ctx.Err()
}

// Each calls do for every number from 0 to n−1 on all processors, until the context
// ends, whose error it returns.
func Each(ctx context.Context, n int, do func(i int)) error {
	return Share(ctx, runtime.GOMAXPROCS(0), n, 1, func(_, i, _ int) { do(i) })
}

// InOrder makes something of each piece of n things, worker w of pieces w, w+workers and so
// on, and puts what was made in order, on the caller's goroutine. It stops at the first
// error, at a panic, which is one, or where the context is cancelled, and returns when all
// workers have.
func InOrder[T any](ctx context.Context, workers, n, piece int, produce func(ctx context.Context, worker, from, to int) (T, error), put func(T) error) error {
	workers = min(workers, (n+piece-1)/piece)
	ctx, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	defer all.Wait()
	defer cancel()
	type result struct {
		made T
		err  error
	}
	out := make([]chan result, workers)
	for w := range workers {
		out[w] = make(chan result, 2)
		all.Go(func() {
			for from := w * piece; from < n; from += workers * piece {
				made, err := Get(func() (T, error) { return produce(ctx, w, from, min(from+piece, n)) })
				select {
				case out[w] <- result{made, err}:
				case <-ctx.Done():
				}
				if err != nil || ctx.Err() != nil {
					return
				}
			}
		})
	}
	for at := 0; at*piece < n; at++ {
		var r result
		select {
		case r = <-out[at%workers]:
		case <-ctx.Done():
			return ctx.Err()
		}
		if r.err != nil {
			return r.err
		}
		if err := put(r.made); err != nil {
			return err
		}
	}
	return ctx.Err()
}
