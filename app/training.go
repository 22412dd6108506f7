package app

import (
	"context"
	"errors"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/retrieve"
	"cairn/internal/guard"
)

// trainer trains retrievers on a graph and keeps them with it.
type trainer interface {
	// Train keeps what it trained; a cancelled one keeps the best so far, where there
	// is something, and can be resumed.
	Train(ctx context.Context, o engine.TrainOptions, ev *engine.TrainEvents) (engine.TrainedModel, error)
	// Unfinished describes the interrupted training of a method; empty for none.
	Unfinished(ctx context.Context, method string) (string, error)
	ForgetUnfinished(ctx context.Context, method string) error
	// Trained are the trained retrievers, the latest of each method first.
	Trained(ctx context.Context) ([]engine.TrainedModel, error)
	UseTrained(ctx context.Context, id int64) error
	DeleteTrained(ctx context.Context, id int64) error
}

// trainings is what the window knows of the retrievers that were trained on the open
// graph, and of the training under way, which goes on while the panel is closed.
// Fields and methods belong to the UI goroutine.
type trainings struct {
	w          *window
	methods    []retrieve.Trainable
	known      []engine.TrainedModel // the latest of each method first
	unfinished map[string]string     // the interrupted trainings in words, by method
	problem    string                // why these could not be looked up
	task       *trainTask            // begun last on this graph; nil for none
	view       *trainView            // the panel; nil while it is closed
}

type trainTask struct {
	work     present.Training
	method   string // its ID
	cancel   context.CancelFunc
	stopping bool   // it is to end
	stopped  bool   // it ended because the user stopped it
	ended    string // how; empty while it is under way
	failed   bool
	kept     bool // there is a trained retriever from it
}

// running reports whether t is under way; a nil task is not.
func (t *trainTask) running() bool { return t != nil && t.cancel != nil }

// stop ends a training soon, if it is under way; its best so far is kept.
func (n *trainings) stop() {
	if n.task.running() {
		n.task.stopping = true
		n.task.cancel()
		n.update()
	}
}

// leave stops the training of a graph that is not shown any more.
func (n *trainings) leave() {
	if n.task.running() {
		n.task.cancel()
	}
	n.known, n.unfinished, n.problem, n.task = nil, nil, "", nil
	n.update()
}

// load looks up what was trained on the open graph.
func (n *trainings) load() {
	if n.w.session == nil {
		return
	}
	n.w.use(func(ctx context.Context, g openGraph, post func(func())) {
		known, err := g.Trained(ctx)
		unfinished := map[string]string{}
		for _, m := range n.methods {
			id := m.Info().ID
			left, failed := g.Unfinished(ctx, id)
			if err = errors.Join(err, failed); left != "" {
				unfinished[id] = left
			}
		}
		if ctx.Err() != nil {
			return
		}
		post(func() {
			if n.w.session == nil || n.w.session.openGraph != g {
				return
			}
			n.known, n.unfinished, n.problem = known, unfinished, ""
			if err != nil {
				n.problem = n.w.said("look up the trained retrievers", err)
			}
			n.update()
		})
	})
}

// usable reports whether questions can go to a method.
func (n *trainings) usable(method string) bool {
	_, ok := present.InUse(n.known, method)
	return ok
}

// update shows a change in the panel, if it is open, and at the foot of the window.
func (n *trainings) update() {
	n.w.question.setRetriever(n.w.retriever())
	n.w.status.setTraining("")
	if n.task.running() {
		text := "training"
		if share, ok := n.task.work.Share(); ok && len(n.task.work.Epochs) > 0 {
			text += ", " + present.Percent(int64(share*100), 100)
		}
		n.w.status.setTraining(text)
	}
	if n.view != nil {
		n.view.refresh()
	}
}

// train begins a training on the open graph, unless one is under way. title says what
// is trained.
func (n *trainings) train(o engine.TrainOptions, title string) {
	s := n.w.session
	if s == nil || n.task.running() {
		return
	}
	t := &trainTask{work: present.Training{Title: title}, method: o.Method}
	n.task = t
	s.busy.Add(1)
	t.cancel = n.w.jobs.start(func(ctx context.Context, post func(func())) {
		defer s.busy.Done()
		ev, flush := n.events(t, post)
		m, err := guard.Get(func() (engine.TrainedModel, error) { return s.Train(ctx, o, ev) })
		flush()
		stopped := ctx.Err() != nil
		post(func() { n.ended(t, m, err, stopped) })
	})
	n.w.status.say("Training has started. It continues while you work, and you can close this dialog.")
	n.update()
}

// events pass on how a training is going, at 10 Hz; flush passes on the rest.
func (n *trainings) events(t *trainTask, post func(func())) (ev *engine.TrainEvents, flush func()) {
	var epochs, progress throttle
	var waiting []retrieve.Epoch
	flush = func() {
		more := waiting
		waiting = nil
		post(func() {
			t.work.Epochs = append(t.work.Epochs, more...)
			n.changed(t)
		})
	}
	return &engine.TrainEvents{
		Epoch: func(e retrieve.Epoch) {
			waiting = append(waiting, e)
			if epochs.ready() {
				flush()
			}
		},
		Data: func(d engine.TrainingData) {
			post(func() {
				t.work.Data = &d
				n.changed(t)
			})
		},
		Notes: func(notes []string) {
			post(func() {
				t.work.Notes = notes
				n.changed(t)
			})
		},
		Progress: func(task string, done, total int64) {
			if progress.ready() {
				post(func() {
					t.work.Task, t.work.Done, t.work.Total = task, done, total
					n.changed(t)
				})
			}
		},
	}, flush
}

func (n *trainings) changed(t *trainTask) {
	if n.task == t {
		n.update()
	}
}

func (n *trainings) ended(t *trainTask, m engine.TrainedModel, err error, stopped bool) {
	t.cancel, t.stopping = nil, false
	t.kept = m.ID != 0
	switch {
	case stopped || errors.Is(err, context.Canceled):
		t.stopped = true
		t.ended = "Stopped before there was anything to save. The training can be resumed."
		if t.kept {
			t.ended = present.Trained(m, true) + " The training can be resumed."
		}
	case err != nil:
		t.ended, t.failed = n.w.said("train a retriever", err), true
	default:
		t.ended = present.Trained(m, false)
	}
	if n.task != t {
		return // of a graph that is not shown any more
	}
	n.w.status.say(t.ended)
	n.load()
	n.update()
}

// change does something with the trained retrievers, and shows them anew.
func (n *trainings) change(title, doing string, do func(context.Context, trainer) error) {
	n.w.change(title, doing, func(ctx context.Context, g openGraph) error { return do(ctx, g) }, n.load)
}

// useModel makes questions go to a trained retriever.
func (n *trainings) useModel(id int64) {
	n.change("The retriever cannot be used", "use a trained retriever", func(ctx context.Context, t trainer) error { return t.UseTrained(ctx, id) })
}

// deleteModel deletes a trained retriever.
func (n *trainings) deleteModel(id int64) {
	n.change("The retriever was not deleted", "delete a trained retriever", func(ctx context.Context, t trainer) error { return t.DeleteTrained(ctx, id) })
}
