package app

import (
	"context"
	"strings"

	"cairn/app/present"
	"cairn/engine"
	"cairn/internal/guard"
)

// asking runs one question at a time, off the UI goroutine. A new question
// takes the place of the one before, whose answer is dropped should it still
// come. Its methods are called on the UI goroutine, and so is the view.
type asking struct {
	jobs  *jobs
	view  askView
	asked latest // questions and stops
	// question is the one that was asked last, whatever the entry says by now.
	question string
	// cancel ends the question under way; nil while there is none.
	cancel context.CancelFunc
}

// askView is told how a question is going. Every field must be set.
type askView struct {
	begin      func(question, retriever string)
	stageBegin func(engine.Stage)
	stageEnd   func(present.Step)
	progress   func(text string)
	// direct is given the answer that stands while a model words it.
	direct  func(run *engine.Run)
	partial func(text string) // what a model has written so far; "" where it begins anew
	done    func(run *engine.Run, err error)
	stopped func(question string)
}

// ask starts a question. release is called when the engine is done with it.
func (a *asking) ask(eng asker, question string, o engine.AskOptions, release func()) {
	a.drop()
	current := a.asked.begin()
	a.question = question
	a.view.begin(question, o.Retriever)
	a.cancel = a.jobs.start(func(ctx context.Context, post func(func())) {
		defer release()
		tell := func(f func()) {
			post(func() {
				if current() {
					f()
				}
			})
		}
		run, err := guard.Get(func() (*engine.Run, error) { return eng.Ask(ctx, question, o, a.events(eng, tell)) })
		tell(func() {
			a.cancel = nil
			a.view.done(run, err)
		})
	})
}

// events passes on what the engine tells, progress and words at 10 Hz.
func (a *asking) events(eng asker, post func(func())) *engine.Events {
	var written strings.Builder
	var words, progress throttle
	return &engine.Events{
		StageBegin: func(s engine.Stage) { post(func() { a.view.stageBegin(s) }) },
		StageEnd: func(run *engine.Run, r engine.StageRecord) {
			step := present.Ended(eng.Graph(), run, r)
			post(func() { a.view.stageEnd(step) })
		},
		Progress: func(task string, done, total int64) {
			if progress.ready() {
				post(func() { a.view.progress(present.ProgressText(task, done, total, false)) })
			}
		},
		Token: func(piece string) {
			written.WriteString(piece)
			if words.ready() {
				text := written.String()
				post(func() { a.view.partial(text) })
			}
		},
		Restart: func() {
			written.Reset()
			post(func() { a.view.partial("") })
		},
		Direct: func(run *engine.Run) { post(func() { a.view.direct(run) }) },
	}
}

// stop cancels the question under way and says so; it reports whether there
// was one.
func (a *asking) stop() bool {
	if !a.drop() {
		return false
	}
	a.view.stopped(a.question)
	return true
}

// drop cancels the question under way without a word.
func (a *asking) drop() bool {
	if a.cancel == nil {
		return false
	}
	a.cancel()
	a.cancel = nil
	a.asked.begin()
	return true
}
