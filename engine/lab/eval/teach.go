package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"cairn/engine"
	"cairn/engine/lab/process"
)

// TrainingRow is what training took; of several folds, together.
type TrainingRow struct {
	Models  int     `json:"models"`
	Seconds float64 `json:"seconds"` // all that a user waits for
	Epochs  int     `json:"epochs"`
	Tries   int     `json:"tries"`
	// Last is the last of them, with what it learned from and what it can reach.
	Last engine.TrainedModel `json:"last"`
}

// add counts one training.
func (t *TrainingRow) add(o TrainingRow) {
	t.Models++
	t.Seconds += o.Seconds
	t.Epochs += o.Last.About.Epochs
	t.Tries += o.Last.About.Tries
	t.Last = o.Last
}

// teach trains the method, or those that the automatic choice asks, for a round, as a user
// would have it trained: from a file of questions or from the graph, kept in the graph's
// file, and used from then on.
func (r *runner) teach(ctx context.Context, l *lesson, at round, seed uint64) (TrainingRow, error) {
	o := r.opts.Teaching.How
	o.Seed = seed
	o.Questions = r.opts.Teaching.Generated
	if o.Questions == 0 {
		o.File, o.Held, o.Format = filepath.Join(r.folder, "train.jsonl"), filepath.Join(r.folder, "held.jsonl"), "jsonl"
		if len(at.held) == 0 {
			o.Held = ""
		}
		if err := errors.Join(writeQuestions(o.File, at.train), writeQuestions(o.Held, at.held)); err != nil {
			return TrainingRow{}, err
		}
	}
	process.ResetPeak()
	start := time.Now()
	methods := r.opts.Teaching.With
	if methods == nil {
		methods = []string{r.opts.Retriever}
	}
	var row TrainingRow
	var err error
	for _, o.Method = range methods {
		if row.Last, err = r.eng.Train(ctx, o, r.opts.TrainEvents); err != nil {
			return TrainingRow{}, fmt.Errorf("train for %s: %w", l.name(), err)
		}
	}
	row.Seconds = time.Since(start).Seconds()
	trust, err := r.eng.Trust(ctx)
	r.trust.Add(trust)
	return row, err
}

// writeQuestions writes a file of questions to learn from.
func writeQuestions(path string, qs []Question) error {
	if len(qs) == 0 {
		return nil
	}
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("write the questions to learn from: %w", err)
	}
	out := json.NewEncoder(f)
	for _, q := range qs {
		err = errors.Join(err, out.Encode(map[string]any{"question": q.Text, "topics": q.Topics, "answers": q.Gold}))
	}
	return errors.Join(err, f.Close())
}
