package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// Past is a question of a graph's history.
type Past struct {
	ID       int64     `json:"id"`
	Asked    time.Time `json:"asked"`
	Question string    `json:"question"`
	Bytes    int64     `json:"bytes"` // of its record
}

// History returns the latest questions that were asked with AskOptions.Save, the
// newest first, at most limit.
func (e *Engine) History(ctx context.Context, limit int) ([]Past, error) {
	if e.store == nil {
		return nil, nil
	}
	runs, err := e.store.Runs(ctx, limit)
	if err != nil {
		return nil, err
	}
	list := make([]Past, len(runs))
	for i, r := range runs {
		list[i] = Past{ID: r.ID, Asked: r.Started, Question: r.Question, Bytes: r.Bytes}
	}
	return list, nil
}

// PastRecord returns the record of a question of the history: a Run as JSON, of
// which parts may be left out where it was too large to keep whole.
func (e *Engine) PastRecord(ctx context.Context, id int64) ([]byte, error) {
	if e.store == nil {
		return nil, ErrInMemory
	}
	r, err := e.store.Run(ctx, id)
	return r.Record, err
}

// ForgetHistory drops all questions of the history.
func (e *Engine) ForgetHistory(ctx context.Context) error {
	if e.store == nil {
		return ErrInMemory
	}
	return e.store.ForgetRuns(ctx)
}

// What is kept of the history: it must not outgrow the graph.
const (
	maxRecord     = 1 << 20 // bytes of one record
	maxHistory    = 500     // questions
	keptMatches   = 20      // of a record that would be larger
	keptSentences = 200     // of the same
)

// save keeps a run's record in the graph's file, as its history, and drops the
// oldest beyond the latest 500.
func (e *Engine) save(ctx context.Context, run *Run) error {
	record, err := recordOf(run)
	if err != nil {
		return fmt.Errorf("write the record of the question: %w", err)
	}
	if _, err = e.store.SaveRun(ctx, run.Started, run.Question, record); err != nil {
		return err
	}
	return e.store.TrimRuns(ctx, maxHistory)
}

// recordOf writes a run as JSON. One that would be too large is kept without what
// weighs most: its further matches first, then what was sent to a model.
func recordOf(run *Run) ([]byte, error) {
	record, err := json.Marshal(run)
	if err != nil || len(record) <= maxRecord {
		return record, err
	}
	short := *run
	short.Candidates = run.Candidates[:min(len(run.Candidates), keptMatches)]
	short.Closest = run.Closest[:min(len(run.Closest), keptMatches)]
	short.Answers = run.Answers[:min(len(run.Answers), keptSentences)]
	if a := run.Answer; a != nil {
		less := *a
		less.Sentences = a.Sentences[:min(len(a.Sentences), keptSentences)]
		if a.Refusal != nil {
			refusal := *a.Refusal
			refusal.Closest = refusal.Closest[:min(len(refusal.Closest), keptMatches)]
			less.Refusal = &refusal
		}
		short.Answer = &less
	}
	if record, err = json.Marshal(&short); err != nil || len(record) <= maxRecord {
		return record, err
	}
	short.Exchanges = slices.Clone(run.Exchanges)
	for i := range short.Exchanges {
		x := &short.Exchanges[i]
		x.Left = fmt.Sprintf("%s The %d bytes sent and the reply were too large to keep.", x.Left, len(x.Sent))
		x.Sent, x.Reply = "", ""
	}
	return json.Marshal(&short)
}
