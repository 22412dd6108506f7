package kg

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
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

// ErrNoTrained is returned for a trained retriever that the file does not hold.
var ErrNoTrained = errors.New("this graph has no such trained retriever")

// Version is a word that is new with every change of the graph.
func (s *Store) Version(ctx context.Context) (string, error) {
	const doing = "read the version of"
	var version string
	found, err := s.row(ctx, doing, "SELECT version FROM graph", nil, &version)
	if err == nil && !found {
		err = errDamaged(doing, s.path, sql.ErrNoRows)
	}
	return version, err
}

// PutTrained keeps a trained retriever and returns its id. The id of one that was
// deleted may be given again.
func (s *Store) PutTrained(ctx context.Context, t Trained, weights []byte) (int64, error) {
	r, err := s.exec(ctx, "save a trained retriever in", "INSERT INTO trained (kind, name, made, graph, about, weights) VALUES (?, ?, ?, ?, ?, ?)",
		t.Kind, t.Name, t.Made.UnixMilli(), t.Graph, t.About, notNull(weights))
	if err != nil {
		return 0, err
	}
	return r.LastInsertId()
}

// notNull is b as a blob that is there, also where it is empty.
func notNull(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// TrainedModels lists the trained retrievers of a kind, the latest first.
func (s *Store) TrainedModels(ctx context.Context, kind string) ([]Trained, error) {
	const query = "SELECT id, kind, name, made, graph, about, octet_length(weights) FROM trained WHERE kind = ? ORDER BY id DESC"
	return list(ctx, s, "list the trained retrievers of", query, func(rows *sql.Rows, t *Trained) error {
		err := rows.Scan(&t.ID, &t.Kind, &t.Name, (*millis)(&t.Made), &t.Graph, &t.About, &t.Bytes)
		t.Made = t.Made.UTC()
		return err
	}, kind)
}

// Weights returns the weights of a trained retriever.
func (s *Store) Weights(ctx context.Context, id int64) ([]byte, error) {
	var weights []byte
	found, err := s.row(ctx, "read a trained retriever from", "SELECT weights FROM trained WHERE id = ?", []any{id}, &weights)
	if err == nil && !found {
		err = noTrained(id)
	}
	return weights, err
}

// noTrained is ErrNoTrained with the number that was asked for.
func noTrained(id int64) error { return fmt.Errorf("%w (number %d)", ErrNoTrained, id) }

// DeleteTrained deletes a trained retriever. The file keeps its size; the room is
// used again.
func (s *Store) DeleteTrained(ctx context.Context, id int64) error {
	r, err := s.exec(ctx, "delete a trained retriever from", "DELETE FROM trained WHERE id = ?", id)
	if err != nil {
		return err
	}
	if deleted, err := r.RowsAffected(); err != nil || deleted > 0 {
		return err
	}
	return noTrained(id)
}

// SaveTraining keeps the state of a training in place of what was there of its
// kind, whole or not at all.
func (s *Store) SaveTraining(ctx context.Context, t Training) error {
	_, err := s.exec(ctx, "save the state of a training in", "INSERT OR REPLACE INTO training (kind, saved, graph, about, state) VALUES (?, ?, ?, ?, ?)",
		t.Kind, t.Saved.UnixMilli(), t.Graph, t.About, notNull(t.State))
	return err
}

// Training returns the training of a kind that has not ended; ok is false for none.
func (s *Store) Training(ctx context.Context, kind string) (t Training, ok bool, err error) {
	t = Training{Kind: kind}
	ok, err = s.row(ctx, "read the state of a training from", "SELECT saved, graph, about, state FROM training WHERE kind = ?", []any{kind},
		(*millis)(&t.Saved), &t.Graph, &t.About, &t.State)
	t.Saved = t.Saved.UTC()
	return t, ok, err
}

// ForgetTraining drops the state of a training, if there is one.
func (s *Store) ForgetTraining(ctx context.Context, kind string) error {
	_, err := s.exec(ctx, "discard a training of", "DELETE FROM training WHERE kind = ?", kind)
	return err
}
