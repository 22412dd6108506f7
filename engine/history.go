package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/retrieve"
)

// Past is a question of a graph's history.
type Past struct {
	ID       int64     `json:"id"`
	Asked    time.Time `json:"asked"`
	Question string    `json:"question"`
	Bytes    int64     `json:"bytes"` // of its record
}

// Since is what has become of a graph since a question of its history.
type Since struct {
	// Changed says that the graph is not as it was.
	Changed bool
	// Gone says that it has no longer all that the run names: the run then has its texts
	// alone.
	Gone bool
}

// ErrRecord is returned for a record of the history that cannot be read.
var ErrRecord = errors.New("the record of this question cannot be read; ask it again")

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

// PastRun returns a question of the history as it was answered.
func (e *Engine) PastRun(ctx context.Context, id int64) (*Run, error) {
	if e.store == nil {
		return nil, ErrInMemory
	}
	stored, err := e.store.Run(ctx, id)
	if err != nil {
		return nil, err
	}
	run, err := ReadRun(stored.Record, e.Graph(), e.Methods())
	if err != nil {
		return nil, err
	}
	version, err := e.store.Version(ctx)
	if err != nil {
		return nil, err
	}
	run.Since.Changed = run.Since.Gone || run.Graph != version
	if run.Graph == "" { // it is from before versions were kept
		sources, err := e.store.Sources(ctx)
		if err != nil {
			return nil, err
		}
		run.Since.Changed = run.Since.Gone || slices.ContainsFunc(sources, func(s kg.Source) bool { return s.Imported.After(run.Started) })
	}
	return run, nil
}

// ReadRun reads the record of a run, also one of an earlier version. g is the graph
// that was asked, as it is now, and methods are those to look for evidence. It fails
// with ErrRecord for what is no record.
func ReadRun(record []byte, g *kg.Graph, methods []retrieve.Info) (*Run, error) {
	record, first, err := migrate(record)
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrRecord, err)
	}
	run := &Run{Since: &Since{}}
	if err := json.Unmarshal(record, run); err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrRecord, err)
	}
	if !run.wellFormed() {
		return nil, ErrRecord
	}
	if p := run.Pattern(); first && p != nil && p.Asked >= 0 {
		run.Support(func(c evidence.Candidate) kg.EntityID { return c.Nodes[p.Asked] })
	} else if first {
		run.Support(evidence.Candidate.End)
	}
	if i := slices.IndexFunc(methods, func(m retrieve.Info) bool { return m.ID == run.Method.ID }); i >= 0 {
		run.Method = methods[i]
	} else { // of a program that has other methods
		run.Method = retrieve.Info{ID: run.Method.ID, Title: run.Method.ID, Who: run.Method.ID, Seeded: len(run.Plan.Seeds) > 0}
	}
	if !slices.ContainsFunc(run.Answers, func(a evidence.Answer) bool { return len(a.Supports) > 0 }) {
		run.Support(run.answered) // it is from before answers had them
	}
	if !run.knownTo(g) {
		run.Since.Gone = true
		run.forgetEvidence()
	}
	return run, nil
}

// answered returns the answer that a candidate leads to.
func (r *Run) answered(c evidence.Candidate) kg.EntityID {
	p := r.Pattern()
	switch {
	case c.Hops != nil:
		return c.End()
	case p != nil && p.Asked >= 0:
		return c.Nodes[p.Asked]
	}
	return kg.NoEntity
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

// recordForm is the form of the records that are written. What reads an earlier form
// is migrate.
const recordForm = 2

// writeRecord writes a run with the form of its record.
func writeRecord(run *Run) ([]byte, error) {
	return json.Marshal(struct {
		Form int `json:"form"`
		*Run
	}{recordForm, run})
}

// recordOf writes a run as a record. One that would be too large is kept without what
// weighs most: its further matches first, then what was sent to a model.
func recordOf(run *Run) ([]byte, error) {
	record, err := writeRecord(run)
	if err != nil || len(record) <= maxRecord {
		return record, err
	}
	short := *run
	short.Shortened = true
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
	if record, err = writeRecord(&short); err != nil || len(record) <= maxRecord {
		return record, err
	}
	short.Exchanges = slices.Clone(run.Exchanges)
	for i := range short.Exchanges {
		x := &short.Exchanges[i]
		x.Left = fmt.Sprintf("%s The %d bytes sent and the reply were too large to keep.", x.Left, len(x.Sent))
		x.Sent, x.Reply = "", ""
	}
	return writeRecord(&short)
}
