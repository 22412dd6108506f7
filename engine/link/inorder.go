package link

import (
	"context"
	"runtime"
	"sync"

	"cairn/internal/guard"
)

// inOrder makes something of each piece of n things on all processors, and puts
// what was made in order, on the caller's goroutine. It stops at the first error,
// or where the context is cancelled.
func inOrder[T any](ctx context.Context, n, piece int, produce func(ctx context.Context, from, to int) (T, error), put func(T) error) error {
	if n <= piece {
		if n == 0 {
			return ctx.Err()
		}
		made, err := produce(ctx, 0, n)
		if err != nil {
			return err
		}
		return put(made)
	}
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	type result struct {
		made T
		err  error
	}
	type task struct {
		from int
		done chan result // holds one
	}
	// Pieces are taken from todo in any order, and put in that of order. Both hold
	// few, so that few wait.
	workers := runtime.GOMAXPROCS(0)
	todo, order := make(chan task), make(chan task, 2*workers)
	wg.Go(func() {
		defer close(todo)
		defer close(order)
		for from := 0; from < n; from += piece {
			t := task{from, make(chan result, 1)}
			select {
			case order <- t:
			case <-ctx.Done():
				return
			}
			select {
			case todo <- t:
			case <-ctx.Done():
				t.done <- result{err: ctx.Err()}
				return
			}
		}
	})
	for range workers {
		wg.Go(func() {
			for t := range todo {
				var made T
				err := guard.Do(func() (err error) {
					made, err = produce(ctx, t.from, min(t.from+piece, n))
					return err
				})
				t.done <- result{made, err}
			}
		})
	}
	for t := range order {
		r := <-t.done
		if r.err != nil {
			return r.err
		}
		if err := put(r.made); err != nil {
			return err
		}
	}
	return ctx.Err()
}
