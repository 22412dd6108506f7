package engine

import (
	"context"
	"errors"

	"cairn/engine/gnnrag"
	"cairn/engine/qa"
)

// Retriever names what looks for the evidence of a question.
type Retriever string

// The retrievers.
const (
	// ByPattern matches the plan's pattern (SimGRAG); the default.
	ByPattern Retriever = ""
	// ByGNN scores entities with a network that was trained on this graph (GNN-RAG).
	ByGNN Retriever = "gnn"
)

// ErrUntrained is returned for a question to a retriever that was not trained.
var ErrUntrained = errors.New("no retriever was trained on this graph yet")

// TrainOptions are the choices of a training.
type TrainOptions struct {
	// File holds questions with answers; empty to make them out of the graph.
	File string
	// Format is the file's, of qa.Formats; empty to recognise it.
	Format string
	// Questions caps how many are trained on, drawn with Options.Seed; 0 is all of a
	// file, and 2,000 of the graph.
	Questions int
	// Held is the file that the training is measured on; empty to hold one question
	// in ten back.
	Held string
	// Paraphrase has the model word questions made out of the graph again.
	Paraphrase bool
	// Resume goes on with the training that was not ended; all else is then as it
	// was begun.
	Resume bool
	// Name is the trained retriever's for people; empty for one that says its kind.
	Name    string
	Options gnnrag.Options
}

// TrainEvents is told how a training is going. Fields may be nil.
type TrainEvents struct {
	Epoch func(gnnrag.Epoch)
	// Data is told what is trained on, once it is known.
	Data func(TrainingData)
	// Progress reports work; total 0 means unknown.
	Progress func(task string, done, total int64)
}

// TrainingData is what a training learns from.
type TrainingData struct {
	// About says it in words: "1,000 questions of train.txt".
	About         string
	Train, Held   int          // questions
	Dropped       []qa.Problem // questions that could not be used, with the reason
	DroppedInAll  int          // Dropped lists the first ones
	Coverage      gnnrag.Coverage
	SecondsEpoch  float64 // estimated time of one epoch; 0 where it is not known
	EpochsAtMost  int
	WithoutAnswer int // questions without an answer within reach
}

// TrainedModel is a retriever that was trained on this graph.
type TrainedModel struct {
	ID    int64
	Name  string
	Bytes int64
	About gnnrag.About
	// InUse says that questions to ByGNN use it.
	InUse bool
	// Stale says in a sentence that the graph has changed since it was trained;
	// empty where it has not.
	Stale string
	// Problem says in a sentence why it cannot be used; empty where it can.
	Problem string
}

// Train trains a retriever on the graph, keeps it in the graph's file and uses it.
// A cancelled training keeps the best weights so far as a model, where it has
// some, and can be resumed.
func (e *Engine) Train(ctx context.Context, o TrainOptions, ev *TrainEvents) (TrainedModel, error) {
	return TrainedModel{}, errors.New("not written yet")
}

// Unfinished describes the training that was not ended, in words; empty for none.
func (e *Engine) Unfinished(ctx context.Context) (string, error) { return "", nil }

// ForgetUnfinished drops the training that was not ended.
func (e *Engine) ForgetUnfinished(ctx context.Context) error { return nil }

// Trained lists the retrievers that were trained on this graph, the latest first.
func (e *Engine) Trained(ctx context.Context) ([]TrainedModel, error) { return nil, nil }

// UseTrained makes questions to ByGNN use a trained retriever.
func (e *Engine) UseTrained(ctx context.Context, id int64) error { return errors.New("not written yet") }

// DeleteTrained deletes a trained retriever.
func (e *Engine) DeleteTrained(ctx context.Context, id int64) error { return errors.New("not written yet") }
