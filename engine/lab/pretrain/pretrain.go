// Package pretrain makes the base that trainings of GSR start from: one network, trained
// on questions made out of many graphs, whose relations it knows by their names alone.
package pretrain

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"cairn/engine"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/gsr"
)

// Options are the choices of a base.
type Options struct {
	// Each is how many questions are made of each graph. The default value is 2,300.
	Each int
	// Epochs is how often they are gone through. The default value is gsr.Pretrain's.
	Epochs int
	Seed   uint64
	// Events is told how it is going.
	Events retrieve.TrainingEvents
}

// heldShare is one in how many of the questions pick the best weights.
const heldShare = 20

// Base trains a base on the graphs in some files, and returns its file.
func Base(ctx context.Context, graphs []string, o Options) ([]byte, gsr.Base, error) {
	if o.Each == 0 {
		o.Each = 2300
	}
	var lessons []gsr.Lesson
	for _, path := range graphs {
		if o.Events.Progress != nil {
			o.Events.Progress("make questions from "+filepath.Base(path), 0, 0)
		}
		l, err := lesson(ctx, path, o)
		if err != nil {
			return nil, gsr.Base{}, err
		}
		lessons = append(lessons, l)
	}
	return gsr.Pretrain(ctx, lessons, gsr.Options{Epochs: o.Epochs, Seed: o.Seed}, o.Events)
}

// lesson makes the questions of one graph. The graph outlives its file.
func lesson(ctx context.Context, path string, o Options) (gsr.Lesson, error) {
	e, err := engine.Open(ctx, path, engine.Options{}, nil)
	if err != nil {
		return gsr.Lesson{}, err
	}
	defer e.Close()
	p, err := e.Planner(ctx)
	if err != nil {
		return gsr.Lesson{}, err
	}
	words, ok := p.(questions.Planner)
	if !ok {
		return gsr.Lesson{}, errors.New("questions are made in the words of the built-in planner")
	}
	l := gsr.Lesson{Name: strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), Graph: e.Graph()}
	l.Train, l.Held = questions.FromGraph(l.Graph, questions.NewMaker(words).Teach(ctx, o.Each, o.Seed), 1./heldShare, o.Seed)
	return l, ctx.Err()
}
