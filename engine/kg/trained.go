package kg

import (
	"context"
	"errors"
	"time"
)

// Trained is a retriever that was trained on the graph. What its weights and About
// mean is the business of whoever trained it.
type Trained struct {
	ID    int64     `json:"id"`
	Kind  string    `json:"kind"` // the retriever: "gnn"
	Name  string    `json:"name"` // for people
	Made  time.Time `json:"made"`
	Graph string    `json:"graph"` // the version of the graph that it was trained on, see Version
	About string    `json:"about"` // JSON: data, metrics, seed, options
	Bytes int64     `json:"bytes"` // of the weights
}

// Training is a training that has not ended: what it goes on from.
type Training struct {
	Kind  string
	Saved time.Time
	Graph string // the version of the graph that it runs on
	About string // JSON: what it was asked to do
	State []byte
}

var errUnwritten = errors.New("not written yet")

// Version is a word that is new with every change of the graph.
func (s *Store) Version(ctx context.Context) (string, error) { return "", errUnwritten }

// PutTrained keeps a trained retriever and returns its id.
func (s *Store) PutTrained(ctx context.Context, t Trained, weights []byte) (int64, error) {
	return 0, errUnwritten
}

// TrainedModels lists the trained retrievers of a kind, the latest first.
func (s *Store) TrainedModels(ctx context.Context, kind string) ([]Trained, error) {
	return nil, errUnwritten
}

// Weights returns the weights of a trained retriever.
func (s *Store) Weights(ctx context.Context, id int64) ([]byte, error) { return nil, errUnwritten }

// DeleteTrained deletes a trained retriever.
func (s *Store) DeleteTrained(ctx context.Context, id int64) error { return errUnwritten }

// SaveTraining keeps the state of a training in place of what was there of its kind.
func (s *Store) SaveTraining(ctx context.Context, t Training) error { return errUnwritten }

// Training returns the training of a kind that has not ended; ok is false for none.
func (s *Store) Training(ctx context.Context, kind string) (t Training, ok bool, err error) {
	return Training{}, false, errUnwritten
}

// ForgetTraining drops the state of a training.
func (s *Store) ForgetTraining(ctx context.Context, kind string) error { return errUnwritten }
