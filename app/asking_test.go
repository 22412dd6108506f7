package app

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/kg"
)

// fakeAsker answers after as many seconds as it is told for a question, and
// heeds its context unless it is deaf.
type fakeAsker struct {
	takes map[string]time.Duration
	deaf  bool
}

func (f fakeAsker) Ask(ctx context.Context, q string, _ engine.AskOptions, ev *engine.Events) (*engine.Run, error) {
	ev.StageBegin(engine.StageLink)
	done := ctx.Done()
	if f.deaf {
		done = nil
	}
	select {
	case <-time.After(f.takes[q]):
	case <-done:
		return nil, ctx.Err()
	}
	ev.Token("a")
	run := &engine.Run{Question: q}
	ev.StageEnd(run, engine.StageRecord{Stage: engine.StageLink})
	return run, nil
}

func (fakeAsker) Graph() *kg.Graph { return (&kg.Builder{}).Graph() }

// askRig is an asking whose view writes down what it is told. ui stands in for
// the UI goroutine.
type askRig struct {
	*asking
	mu       sync.Mutex
	answered []string
	stopped  []string
	failed   error
	released int
}

func newAskRig() *askRig {
	r := &askRig{}
	r.asking = &asking{jobs: newJobs(r.ui, func(error) {})}
	r.view = askView{
		begin:      func(string, string) {},
		stageBegin: func(engine.Stage) {},
		stageEnd:   func(present.Step) {},
		progress:   func(string) {},
		direct:     func(*engine.Run) {},
		partial:    func(string) {},
		done: func(run *engine.Run, err error) {
			r.failed = err
			if run != nil {
				r.answered = append(r.answered, run.Question)
			}
		},
		stopped: func(q string) { r.stopped = append(r.stopped, q) },
	}
	return r
}

func (r *askRig) ui(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
}

func (r *askRig) put(eng asker, q string) {
	r.ui(func() {
		r.ask(eng, q, engine.AskOptions{}, func() { r.ui(func() { r.released++ }) })
	})
}

func TestAskingSecondQuestionWins(t *testing.T) {
	for _, deaf := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			r := newAskRig()
			eng := fakeAsker{takes: map[string]time.Duration{"slow": 5 * time.Second, "fast": time.Second}, deaf: deaf}
			r.put(eng, "slow")
			synctest.Wait()
			r.put(eng, "fast")
			time.Sleep(10 * time.Second)
			synctest.Wait()
			if len(r.answered) != 1 || r.answered[0] != "fast" || r.failed != nil {
				t.Errorf("deaf %v: answered %q with %v, want only the second question", deaf, r.answered, r.failed)
			}
			if r.released != 2 {
				t.Errorf("deaf %v: released %d times, want 2", deaf, r.released)
			}
		})
	}
}

func TestAskingStopShowsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newAskRig()
		r.put(fakeAsker{takes: map[string]time.Duration{"slow": 5 * time.Second}}, "slow")
		synctest.Wait()
		r.ui(func() {
			if !r.stop() {
				t.Error("stop() = false, want true")
			}
			if r.stop() {
				t.Error("second stop() = true, want false")
			}
		})
		synctest.Wait()
		if len(r.answered) != 0 || len(r.stopped) != 1 || errors.Is(r.failed, context.Canceled) {
			t.Errorf("answered %q, stopped %q, failed %v, want one stop alone", r.answered, r.stopped, r.failed)
		}
	})
}

func TestJobsEndAtOnceAndDropLateWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newAskRig()
		r.put(fakeAsker{takes: map[string]time.Duration{"slow": 5 * time.Second}, deaf: true}, "slow")
		synctest.Wait()
		start := time.Now()
		r.jobs.end()
		if took := time.Since(start); took != 0 {
			t.Errorf("end() took %v", took)
		}
		r.jobs.wait()
		if took := time.Since(start); took != 5*time.Second {
			t.Errorf("wait() took %v, want 5s for the goroutine", took)
		}
		if len(r.answered) != 0 {
			t.Errorf("answered %q after the window was closed", r.answered)
		}
	})
}

func TestThrottleIsTenAtMost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var th throttle
		passed := 0
		for range 1000 {
			if th.ready() {
				passed++
			}
			time.Sleep(time.Millisecond)
		}
		if passed != 10 {
			t.Errorf("ready() %d times in a second, want 10", passed)
		}
	})
}
