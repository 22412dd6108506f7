package engine

import (
	"context"
	"errors"

	"cairn/engine/kg"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/engine/train"
)

// What package train knows of trainings.
type (
	// TrainedModel is a retriever that was trained on this graph.
	TrainedModel = train.Model
	// TrainOptions are the choices of a training.
	TrainOptions = train.Options
	// TrainEvents is told how a training is going.
	TrainEvents = train.Events
	// TrainingData is what a training learns from.
	TrainingData = train.Data
)

// ErrUntrained is returned for a question to a retriever that was not trained.
var ErrUntrained = errors.New("no retriever is trained on this graph yet; train one first, on questions with answers or on questions generated from the graph")

// Train trains a retriever on the graph, keeps it in the graph's file and uses it: see
// train.Trainer. The engine answers questions and takes imports meanwhile.
func (e *Engine) Train(ctx context.Context, o TrainOptions, ev *TrainEvents) (_ TrainedModel, err error) {
	ctx, leave := e.join(ctx, &err)
	defer leave()
	rows, own, err := e.ownTemplates(ctx, o.Method)
	if err != nil {
		return TrainedModel{}, err
	}
	var learned, held []questions.Example
	m, err := e.trainer.Train(ctx, o, ev, func(ctx context.Context) (train.Source, error) {
		var progress Events
		if ev != nil {
			progress.Progress = ev.Progress
		}
		s, err := e.awaitReady(ctx, &progress)
		if err != nil {
			return train.Source{}, err
		}
		return train.Source{
			World: e.world(s), Version: s.version, Model: s.model, Make: s.made,
			Learned: func(from, not []questions.Example) { learned, held = from, not },
			Seeds: func(ctx context.Context, question string) ([]kg.EntityID, []questions.Span, error) {
				seeds, used, err := s.named(ctx, question)
				return seeds, retrieve.Spans(used), err
			},
		}, nil
	})
	if rows != nil && m.ID != 0 {
		err = errors.Join(err, e.renewTemplates(context.WithoutCancel(ctx), m, rows, own, ev))
	}
	if err == nil && !m.About.HeldMade {
		by, _ := e.method(m.Method)
		err = e.judge(ctx, by.Info(), learned, held, ev)
	}
	return m, err
}

// Trained lists the retrievers that were trained on this graph, those of one method
// after those of another, the latest first.
func (e *Engine) Trained(ctx context.Context) ([]TrainedModel, error) { return e.trainer.List(ctx) }

// UseTrained makes questions use a trained retriever, and remembers the choice with the
// graph where that can be written.
func (e *Engine) UseTrained(ctx context.Context, id int64) error { return e.trainer.Use(ctx, id) }

// DeleteTrained deletes a trained retriever. Where it was in use, the latest one of its
// method that is left takes its place.
func (e *Engine) DeleteTrained(ctx context.Context, id int64) error {
	if err := e.trainer.Delete(ctx, id); err != nil {
		return err
	}
	e.retrievers.forget(id)
	return nil
}

// Unfinished describes the interrupted training of a method in words; empty for none.
// The empty method is the first that can be trained.
func (e *Engine) Unfinished(ctx context.Context, method string) (string, error) {
	return e.trainer.Unfinished(ctx, method)
}

// ForgetUnfinished drops the interrupted training of a method.
func (e *Engine) ForgetUnfinished(ctx context.Context, method string) error {
	return e.trainer.Forget(ctx, method)
}

// Made makes about n questions out of the graph that a training on made ones learns from,
// and a tenth as many that it keeps aside, in other words. The same seed gives the same.
func (e *Engine) Made(ctx context.Context, n int, seed uint64) (learn, held []questions.Example, err error) {
	s, err := e.awaitReady(ctx, nil)
	if err != nil {
		return nil, nil, err
	}
	learn, held = s.made(ctx, n, seed)
	return learn, held, ctx.Err()
}

// made makes about n questions to train on out of the graph, as a training without a
// file does, and a tenth as many that it is measured on, in other words. The same seed
// gives the same questions.
func (s *state) made(ctx context.Context, n int, seed uint64) (learn, held []questions.Example) {
	made := questions.NewMaker(s.builtin).Teach(ctx, n+n/(train.HeldShare-1), seed)
	return questions.FromGraph(s.graph, made, 1./train.HeldShare, seed)
}
