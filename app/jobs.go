package app

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"cairn/engine"
	"cairn/internal/guard"
)

// jobs are the goroutines of one window: everything that may take longer than
// a frame.
type jobs struct {
	// start runs work on a goroutine. post hands a function to the UI
	// goroutine; after the window is closed it is dropped. The returned
	// function cancels work's context.
	start func(work func(ctx context.Context, post func(func()))) context.CancelFunc
	// end cancels all; wait waits for them, which the UI goroutine must not.
	end, wait func()
}

// newJobs makes jobs that reach the UI goroutine through do: fyne.Do, but for
// tests. failed, on the UI goroutine, is told of work that panicked.
func newJobs(do func(func()), failed func(error)) *jobs {
	// The one place where work crosses back to the UI goroutine. What waits there
	// runs in one go: Fyne may draw a frame after each function it is handed, and
	// a question posts a dozen within a millisecond.
	var ended atomic.Bool
	var mu sync.Mutex
	var waiting []func()
	run := func() {
		mu.Lock()
		fs := waiting
		waiting = nil
		mu.Unlock()
		for _, f := range fs {
			if ended.Load() {
				continue
			}
			if err := guarded(f); err != nil {
				failed(err)
			}
		}
	}
	post := func(f func()) {
		if ended.Load() {
			return
		}
		mu.Lock()
		waiting = append(waiting, f)
		first := len(waiting) == 1
		mu.Unlock()
		if first {
			do(run)
		}
	}
	tasks := guard.NewTasks(func(err error) { post(func() { failed(err) }) })
	return &jobs{
		start: func(work func(context.Context, func(func()))) context.CancelFunc {
			return tasks.Go(func(ctx context.Context) { work(ctx, post) })
		},
		end: func() {
			ended.Store(true)
			tasks.End()
		},
		wait: tasks.Stop,
	}
}

// guarded calls f; the error is its panic.
func guarded(f func()) error {
	return guard.Do(func() error {
		f()
		return nil
	})
}

// progressInterval keeps progress at 10 Hz: more would starve the UI.
const progressInterval = 100 * time.Millisecond

// progressEvents tell show, on the UI goroutine, how far something has come.
func progressEvents(post func(func()), show func(task string, done, total int64)) *engine.Events {
	var t throttle
	return &engine.Events{Progress: func(task string, done, total int64) {
		if t.ready() || done == total {
			post(func() { show(task, done, total) })
		}
	}}
}

// latest tells the newest of several pieces of work from those before it, whose
// results come too late. The zero value is ready.
type latest struct{ begun int }

// begin begins one more; current reports whether it is still the newest.
func (l *latest) begin() (current func() bool) {
	l.begun++
	return l.current()
}

// current is begin for one more result of the newest.
func (l *latest) current() func() bool {
	newest := l.begun
	return func() bool { return l.begun == newest }
}

// throttle lets one call through per progressInterval.
type throttle struct{ last time.Time }

// ready reports whether the next report is due, and counts it.
func (t *throttle) ready() bool {
	now := time.Now()
	if now.Sub(t.last) < progressInterval {
		return false
	}
	t.last = now
	return true
}
