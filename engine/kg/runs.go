package kg

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// StoredRun is one question of the history.
type StoredRun struct {
	ID       int64     `json:"id"`
	Started  time.Time `json:"started"`
	Question string    `json:"question"`
	Record   []byte    `json:"record"` // the whole run, JSON; nil in a list
	Bytes    int64     `json:"bytes"`  // of Record
}

// SaveRun adds a run to the history and returns its number.
func (s *Store) SaveRun(ctx context.Context, started time.Time, question string, record []byte) (int64, error) {
	r, err := s.exec(ctx, "save the question in", "INSERT INTO run (started, question, record) VALUES (?, ?, ?)",
		started.UnixMilli(), question, string(record))
	if err != nil {
		return 0, err
	}
	return r.LastInsertId()
}

// ErrNoRun is returned for a run that the history does not hold.
var ErrNoRun = errors.New("there is no such question in the history")

// Run returns one run of the history.
func (s *Store) Run(ctx context.Context, id int64) (StoredRun, error) {
	r := StoredRun{ID: id}
	found, err := s.row(ctx, "read the history of", "SELECT started, question, record FROM run WHERE id = ?", []any{id}, (*millis)(&r.Started), &r.Question, &r.Record)
	if err == nil && !found {
		err = ErrNoRun
	}
	r.Bytes = int64(len(r.Record))
	return r, err
}

// Runs returns the latest runs without their records, the newest first, at
// most limit.
func (s *Store) Runs(ctx context.Context, limit int) ([]StoredRun, error) {
	return list(ctx, s, "read the history of", "SELECT id, started, question, octet_length(record) FROM run ORDER BY id DESC LIMIT ?", func(rows *sql.Rows, r *StoredRun) error {
		return rows.Scan(&r.ID, (*millis)(&r.Started), &r.Question, &r.Bytes)
	}, limit)
}

// TrimRuns drops all but the latest runs.
func (s *Store) TrimRuns(ctx context.Context, latest int) error {
	_, err := s.exec(ctx, "keep the history short in", "DELETE FROM run WHERE id <= (SELECT id FROM run ORDER BY id DESC LIMIT 1 OFFSET ?)", latest)
	return err
}

// ForgetRuns drops all runs.
func (s *Store) ForgetRuns(ctx context.Context) error {
	_, err := s.exec(ctx, "delete the history of", "DELETE FROM run")
	return err
}
