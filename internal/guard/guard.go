// Package guard keeps a goroutine that panics from ending the process, and one that
// runs from being forgotten. A panic becomes an error of whoever waits for the
// goroutine; Tasks ends goroutines and waits for them.
package guard

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// PanicError is a panic as an error.
type PanicError struct {
	Value  any
	Stack  []byte // of the goroutine that panicked
	logged atomic.Bool
}

// Error says what went wrong, in the words of the panic.
func (p *PanicError) Error() string { return fmt.Sprintf("a fault in Cairn itself: %v", p.Value) }

// caught makes a PanicError of what recover returned. One that was carried from another
// goroutine keeps that one's stack.
func caught(v any) *PanicError {
	if p, ok := v.(*PanicError); ok {
		return p
	}
	return &PanicError{Value: v, Stack: debug.Stack()}
}

// Do calls f; where f panics, the error is a *PanicError.
func Do(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = caught(v)
		}
	}()
	return f()
}

// Get is Do for an f that returns something.
func Get[T any](f func() (T, error)) (got T, err error) {
	err = Do(func() (err error) {
		got, err = f()
		return err
	})
	return got, err
}

// Recover is for defer: it turns a panic of the function into *err, and logs the stack of
// a *PanicError, once.
func Recover(log *slog.Logger, err *error) { Recovered(recover(), log, err) }

// Recovered is Recover for what recover returned.
func Recovered(v any, log *slog.Logger, err *error) {
	if v != nil {
		*err = caught(v)
	}
	Log(log, *err)
}

// Log logs the stack of an error that is a *PanicError, once. Other errors are none of
// its business.
func Log(log *slog.Logger, err error) {
	var p *PanicError
	if log != nil && errors.As(err, &p) && !p.logged.Swap(true) {
		log.Error("panic", slog.Any("value", p.Value), slog.String("stack", string(p.Stack)))
	}
}

// Group is a sync.WaitGroup for workers: where one panics, Wait does. Whoever waits
// for something else than Wait must not be left waiting by a worker that panicked:
// such work is called by Do.
type Group struct {
	wg    sync.WaitGroup
	first atomic.Pointer[PanicError]
}

// Go calls f on a goroutine.
func (g *Group) Go(f func()) {
	g.wg.Go(func() {
		defer func() {
			if v := recover(); v != nil {
				g.first.CompareAndSwap(nil, caught(v))
			}
		}()
		f()
	})
}

// Wait waits for all, and panics with the first panic of one.
func (g *Group) Wait() {
	g.wg.Wait()
	if p := g.first.Load(); p != nil {
		panic(p)
	}
}

// Tasks are goroutines with an owner. After End, Go does nothing
// and Join gives a context that has ended.
type Tasks struct {
	// Go calls work on a goroutine. The function that it returns ends the context.
	Go func(work func(ctx context.Context)) context.CancelFunc
	// Join is for work on the goroutine of who calls it. The context ends with ctx, or
	// by End; Stop waits until leave is called.
	Join func(ctx context.Context) (_ context.Context, leave func())
	// End ends the contexts of all.
	End func()
	// Stop is End, and waits for all.
	Stop func()
}

// NewTasks makes an owner of goroutines. failed, called on the goroutine of a task
// that panicked, is told so.
func NewTasks(failed func(error)) *Tasks {
	root, cancelAll := context.WithCancel(context.Background())
	var mu sync.Mutex // between the last Go and End
	var running sync.WaitGroup
	end := func() {
		mu.Lock()
		defer mu.Unlock()
		cancelAll()
	}
	return &Tasks{
		Go: func(work func(context.Context)) context.CancelFunc {
			ctx, cancel := context.WithCancel(root)
			mu.Lock()
			defer mu.Unlock()
			if root.Err() != nil {
				cancel()
				return cancel
			}
			running.Go(func() {
				defer cancel()
				err := Do(func() error {
					work(ctx)
					return nil
				})
				if err != nil {
					failed(err)
				}
			})
			return cancel
		},
		Join: func(ctx context.Context) (context.Context, func()) {
			ctx, cancel := context.WithCancel(ctx)
			mu.Lock()
			defer mu.Unlock()
			if root.Err() != nil {
				cancel()
				return ctx, cancel
			}
			running.Add(1)
			forget := context.AfterFunc(root, cancel)
			return ctx, sync.OnceFunc(func() {
				forget()
				cancel()
				running.Done()
			})
		},
		End: end,
		Stop: func() {
			end()
			running.Wait()
		},
	}
}
