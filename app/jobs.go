package app

import (
	"context"
	"sync"
	"time"
)

// jobs are the goroutines of one window: everything that may take longer than
// a frame. Stopping cancels them all and waits for them.
type jobs struct {
	// start runs work on a goroutine. post hands a function to the UI
	// goroutine; after the window is closed it is dropped. The returned
	// function cancels work's context.
	start func(work func(ctx context.Context, post func(func()))) context.CancelFunc
	stop  func()
}

// newJobs makes jobs that reach the UI goroutine through do: fyne.Do, but for
// tests.
func newJobs(do func(func())) *jobs {
	root, cancelAll := context.WithCancel(context.Background())
	var running sync.WaitGroup
	// The one place where work crosses back to the UI goroutine. What waits there
	// runs in one go: Fyne may draw a frame after each function it is handed, and
	// a question posts a dozen within a millisecond.
	var mu sync.Mutex
	var waiting []func()
	run := func() {
		mu.Lock()
		fs := waiting
		waiting = nil
		mu.Unlock()
		for _, f := range fs {
			if root.Err() == nil {
				f()
			}
		}
	}
	post := func(f func()) {
		if root.Err() != nil {
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
	return &jobs{
		start: func(work func(context.Context, func(func()))) context.CancelFunc {
			ctx, cancel := context.WithCancel(root)
			running.Go(func() {
				defer cancel()
				work(ctx, post)
			})
			return cancel
		},
		stop: func() {
			cancelAll()
			running.Wait()
		},
	}
}

// progressInterval keeps progress at 10 Hz: more would starve the UI.
const progressInterval = 100 * time.Millisecond

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
