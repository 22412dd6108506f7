package guard

import (
	"context"
	"runtime"
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
