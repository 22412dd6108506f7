package kg

import (
	"context"
	"database/sql"
	"time"
)

// StoredRun is one question of the history.
type StoredRun struct {
	ID       int64     `json:"id"`
	Started  time.Time `json:"started"`
	Question string    `json:"question"`
	Record   []byte    `json:"record"` // the whole run, JSON
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

// Runs returns the latest runs, the newest first, at most limit.
func (s *Store) Runs(ctx context.Context, limit int) ([]StoredRun, error) {
	rows, err := s.db.QueryContext(ctx, "SELECT id, started, question, record FROM run ORDER BY id DESC LIMIT ?", limit)
	if err != nil {
		return nil, fileError("read the history of", s.path, err)
	}
	defer rows.Close()
	var list []StoredRun
	for rows.Next() {
		var r StoredRun
		var ms int64
		if err := rows.Scan(&r.ID, &ms, &r.Question, &r.Record); err != nil {
			return nil, fileError("read the history of", s.path, err)
		}
		r.Started = time.UnixMilli(ms)
		list = append(list, r)
	}
	return list, fileError("read the history of", s.path, rows.Err())
}
