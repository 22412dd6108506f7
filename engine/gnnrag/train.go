package gnnrag

import (
	"context"
	"errors"

	"cairn/engine/qa"
)

// Errors of Train.
var (
	// ErrNothingToLearn is returned where no question has an answer that a network
	// could find.
	ErrNothingToLearn = errors.New("there is nothing to learn from")
	// ErrResume is returned for a state that is not of this training.
	ErrResume = errors.New("the training cannot be resumed")
)

// Options are the choices of a training; the zero value is the default.
type Options struct {
	// Kind is the network. The default value is Flow.
	Kind Kind `json:"kind"`
	// Encoders are what networks read words by: "tokens" learns the vectors of words
	// and of their parts, "lexical" reads those of the built-in embedder, and any
	// other is the id of an embedder. One network is trained for each; several
	// answer together (GNN-RAG §4.5, the ensemble).
	//
	// The default value is tokens.
	Encoders []string      `json:"encoders"`
	Region   RegionOptions `json:"region"` // not of Flow
	// Width is d. The default value is 50, the paper's.
	Width int `json:"width"`
	// Instructions, Layers and Stages are K, L and T. The default values are 3, 3
	// and 1: the paper has 3, 3 and 2 for MetaQA.
	Instructions int `json:"instructions"`
	Layers       int `json:"layers"` // of Flow: its steps
	Stages       int `json:"stages"`
	// Published makes ReaRev as the paper has it, without what we changed so that it
	// trains sooner and at more seeds.
	Published bool `json:"published,omitempty"`
	// Epochs is how often the questions are gone through at most. The default value
	// depends on the kind and on how many questions there are.
	Epochs int `json:"epochs"`
	// Batch is how many questions make a step. The default value is 8, the paper's.
	Batch int `json:"batch"`
	// Rate is Adam's at the beginning. The default value depends on the kind.
	Rate float64 `json:"rate"`
	// Seed is that of the weights, the order and the dropout. A training that stalls
	// is begun again with another one that follows from it.
	Seed uint64 `json:"seed"`
	// Tries is how many trainings are begun at most for one network. The default
	// value is 4.
	Tries int `json:"tries"`
}

// Epoch is one turn through the questions.
type Epoch struct {
	Network, Networks int // from 1
	Try               int // from 1
	Epoch, Epochs     int // from 1
	Loss              float64
	// Dev is measured after this epoch; nil where it was not.
	Dev *Metrics
	// Best says that these are the best weights so far.
	Best bool
	// Stalled says that the try ends here because it does not get on.
	Stalled bool
	Seconds float64 // since the training began, earlier runs of it included
}

// Events is told how a training is going, on one goroutine, in order. Fields may
// be nil.
type Events struct {
	Epoch func(Epoch)
	// Progress reports work within an epoch and before the first: total 0 means
	// unknown.
	Progress func(task string, done, total int64)
	// Checkpoint is given the state to resume from, after epochs, not more often
	// than every few seconds. An error ends the training.
	Checkpoint func(state []byte) error
}

// Train trains a model on examples, and measures it on held ones, which pick the
// best weights and the moment to stop. With state, as a Checkpoint was given, it
// goes on where that was taken. Cancelled, it returns the best weights so far
// beside the context's error, where there are some.
func Train(ctx context.Context, w World, train, held []qa.Example, o Options, state []byte, ev *Events) (*Model, error) {
	return nil, errors.New("not written yet")
}
