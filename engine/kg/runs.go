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
	var id int64
	err := s.update(ctx, "keep a run in", func(conn *sql.Conn) error {
		r, err := conn.ExecContext(ctx, "INSERT INTO run (started, question, record) VALUES (?, ?, ?)",
			started.UnixMilli(), question, string(record))
		if err != nil {
			return err
		}
		id, err = r.LastInsertId()
		return err
	})
	return id, err
}

// ErrNoRun is returned for a run that the history does not hold.
var ErrNoRun = errors.New("this question is not in the history any more")

// Run returns one run of the history.
func (s *Store) Run(ctx context.Context, id int64) (StoredRun, error) {
	r := StoredRun{ID: id}
	var ms int64
	err := s.db.QueryRowContext(ctx, "SELECT started, question, record FROM run WHERE id = ?", id).Scan(&ms, &r.Question, &r.Record)
	if errors.Is(err, sql.ErrNoRows) {
		return r, ErrNoRun
	}
	r.Started, r.Bytes = time.UnixMilli(ms), int64(len(r.Record))
	return r, fileError("read the history of", s.path, err)
}

// Runs returns the latest runs without their records, the newest first, at
// most limit.
func (s *Store) Runs(ctx context.Context, limit int) ([]StoredRun, error) {
	rows, err := s.db.QueryContext(ctx, "SELECT id, started, question, octet_length(record) FROM run ORDER BY id DESC LIMIT ?", limit)
	if err != nil {
		return nil, fileError("read the history of", s.path, err)
	}
	defer rows.Close()
	var list []StoredRun
	for rows.Next() {
		var r StoredRun
		var ms int64
		if err := rows.Scan(&r.ID, &ms, &r.Question, &r.Bytes); err != nil {
			return nil, fileError("read the history of", s.path, err)
		}
		r.Started = time.UnixMilli(ms)
		list = append(list, r)
	}
	return list, fileError("read the history of", s.path, rows.Err())
}

// TrimRuns drops all but the latest runs.
func (s *Store) TrimRuns(ctx context.Context, latest int) error {
	return s.update(ctx, "keep the history short in", func(conn *sql.Conn) error {
		_, err := conn.ExecContext(ctx, "DELETE FROM run WHERE id <= (SELECT id FROM run ORDER BY id DESC LIMIT 1 OFFSET ?)", latest)
		return err
	})
}

// ForgetRuns drops all runs.
func (s *Store) ForgetRuns(ctx context.Context) error {
	return s.update(ctx, "forget the history of", func(conn *sql.Conn) error {
		_, err := conn.ExecContext(ctx, "DELETE FROM run")
		return err
	})
}
