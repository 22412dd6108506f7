package eval

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"cairn/engine/evidence"

	"cairn/engine"
	"cairn/engine/internal/process"
	"cairn/engine/questions"
	"cairn/engine/retrieve/gnnrag"
)

// GNNOptions are the choices of one evaluation of graph neural retrievers, which
// are trained before they are measured.
type GNNOptions struct {
	Dataset string   // its name, see Datasets
	Groups  []string // parts of it; none means all
	Dir     string   // the folder that holds the data sets

	// Train is how many questions of each part's training split a network learns
	// from, drawn with Seed. The best weights are picked on a fifth as many others of
	// that split, 1,000 at most.
	//
	// The default value is 1,000, GNN-RAG's for MetaQA.
	Train int
	// Together trains one model for all parts over the same graph.
	Together bool
	// Generated, if above 0, is how many questions are made out of the graph and are
	// all that a network learns from; those of the set are only measured.
	Generated int
	// HeldWordings leaves one wording in five out of training, and measures only
	// questions of these. A wording is a question without its topics.
	HeldWordings bool
	// Folds is into how many parts questions without a training split are cut; each is
	// measured by a network that learnt from the others.
	//
	// The default value is 5.
	Folds int
	// Seeds is how many seeds of the training are measured, from First on. The
	// questions are drawn with Seed whichever it is.
	//
	// The default values are 1 seed, and Seed for the first.
	Seeds int
	First uint64
	Seed  uint64
	// Training are the choices of the networks.
	Training gnnrag.Options
	// Linked has topics found in the question's text, as they are for a user,
	// instead of given by the set. Training has those of the set either way.
	Linked bool
	// Masses are further amounts of probability to select answers by (GNN-RAG Table
	// 18), all measured with the same network.
	Masses []float64
	// Sample measures this many questions of each part, drawn with Seed; 0 is all.
	Sample int
	// Failures, if set, gets one JSON line for every question that was not
	// answered exactly.
	Failures io.Writer
	// Progress, if set, is told how far the evaluation is.
	Progress func(GNNProgress)
	// Row, if set, is given each row as soon as it is measured.
	Row func(GNNRow)

	// train is gnnrag.Train but in tests.
	train trainer
}

// trainer trains on questions, as gnnrag.Train does, and returns what answers.
type trainer func(ctx context.Context, w gnnrag.World, train, held []questions.Example, o gnnrag.Options, ev *gnnrag.Events) (gnnrag.About, retriever, error)

// retriever is what is measured.
type retriever interface {
	Rank(ctx context.Context, q questions.Example, o gnnrag.RetrieveOptions) (evidence.Found, error)
}

// GNNProgress is how far an evaluation is.
type GNNProgress struct {
	Part  string // what is trained for or measured
	Seed  uint64
	Task  string // "training", "measuring" or what training itself reports
	Done  int64
	Total int64 // 0 where it is not known
	Epoch *gnnrag.Epoch
}

// GNNTable is the result of one evaluation.
type GNNTable struct {
	About   string         `json:"about"`
	Version string         `json:"version,omitempty"`
	Options gnnrag.Options `json:"options"`
	// Data says in words what the networks learnt from.
	Data   string   `json:"data"`
	Topics string   `json:"topics"` // "given" or "linked"
	Sample int      `json:"sample,omitempty"`
	Seed   uint64   `json:"seed"`
	Import Loading  `json:"import"` // of the last graph
	Rows   []GNNRow `json:"rows"`
	// Published are the scores of predictions that lie in the set, on the same
	// questions.
	Published []PublishedRow `json:"published,omitempty"`
	PeakMB    float64        `json:"peak_rss_mb"` // of the whole process; 0 where unknown
}

func (o *GNNOptions) setDefaults() {
	if o.Train == 0 {
		o.Train = 1000
	}
	if o.Folds == 0 {
		o.Folds = 5
	}
	if o.Seeds == 0 {
		o.Seeds = 1
	}
	if o.First == 0 {
		o.First = o.Seed
	}
	if o.train == nil {
		o.train = trainGNN
	}
}

// trainGNN trains a model and makes it ready for the same graph.
func trainGNN(ctx context.Context, w gnnrag.World, train, held []questions.Example, o gnnrag.Options, ev *gnnrag.Events) (gnnrag.About, retriever, error) {
	m, err := gnnrag.Train(ctx, w, train, held, o, nil, ev)
	if err != nil {
		return gnnrag.About{}, nil, err
	}
	r, err := m.On(ctx, w)
	if err != nil {
		return gnnrag.About{}, nil, err
	}
	return m.About, r, nil
}

// RunGNN trains on each part of a set and measures what was trained. Interrupted,
// it returns the rows so far beside the context's error.
func RunGNN(ctx context.Context, o GNNOptions) (*GNNTable, error) {
	o.setDefaults()
	d, err := Find(o.Dataset)
	if err != nil {
		return nil, err
	}
	lessons, err := planLessons(d, &o)
	if err != nil {
		return nil, err
	}
	tmp, err := os.MkdirTemp("", "cairn-eval-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the graph: %w", err)
	}
	defer os.RemoveAll(tmp)
	t := &GNNTable{About: d.About, Options: o.Training, Data: o.data(lessons), Topics: "given", Sample: o.Sample, Seed: o.Seed}
	if o.Linked {
		t.Topics = "linked"
	}
	school := &school{opts: &o, table: t}
	defer school.close()
	for i, l := range lessons {
		path := filepath.Join(tmp, fmt.Sprintf("%s-%d.cairn", d.Name, i))
		if err := school.teach(ctx, path, l); err != nil {
			t.PeakMB = peakRSS()
			return t, err
		}
	}
	t.Published, err = published(d, lessons, o.Dir)
	t.PeakMB = peakRSS()
	return t, err
}

// school trains and measures over one graph after the other.
type school struct {
	opts   *GNNOptions
	table  *GNNTable
	eng    *engine.Engine
	loaded []Source
	ground *grounder
}

func (s *school) close() {
	if s.eng != nil {
		s.eng.Close()
	}
}

// open puts the school over a lesson's graph.
func (s *school) open(ctx context.Context, path string, sources []Source) error {
	if s.eng != nil && sameSources(s.loaded, sources) {
		return nil
	}
	s.close()
	s.eng = nil
	eng, loading, err := open(ctx, path, s.opts.Dir, sources, engine.Options{})
	if err != nil {
		return err
	}
	s.eng, s.loaded, s.table.Import = eng, sources, loading
	s.ground = newGrounder(eng)
	return nil
}

// teach trains and measures one lesson with every seed.
func (s *school) teach(ctx context.Context, path string, l lesson) error {
	if err := s.open(ctx, path, l.sources); err != nil {
		return err
	}
	for i := range s.opts.Seeds {
		if err := s.once(ctx, l, s.opts.First+uint64(i)); err != nil {
			return err
		}
	}
	return nil
}

// once trains and measures one lesson with one seed.
func (s *school) once(ctx context.Context, l lesson, seed uint64) error {
	tallies := make([]*gnnTally, len(l.parts))
	for i, p := range l.parts {
		tallies[i] = newGNNTally(p.Name, seed, s.opts.Masses)
	}
	for _, r := range l.rounds {
		about, ret, err := s.train(ctx, l, r, seed)
		if err != nil {
			return err
		}
		for i, p := range l.parts {
			if len(r.asked[i]) == 0 {
				continue
			}
			tallies[i].trained(about)
			if err := s.measure(ctx, p.Name, seed, ret, r.asked[i], tallies[i]); err != nil {
				return err
			}
		}
	}
	for _, t := range tallies {
		if t.row.Scores.N == 0 {
			continue
		}
		row := t.done()
		s.table.Rows = append(s.table.Rows, row)
		if s.opts.Row != nil {
			s.opts.Row(row)
		}
	}
	return nil
}

// train trains the model of one round.
func (s *school) train(ctx context.Context, l lesson, r round, seed uint64) (gnnrag.About, retriever, error) {
	train, held, err := s.examples(ctx, r)
	if err != nil {
		return gnnrag.About{}, nil, err
	}
	o := s.opts.Training
	o.Seed = seed
	tell := func(p GNNProgress) {
		if s.opts.Progress != nil {
			p.Part, p.Seed = l.name(), seed
			s.opts.Progress(p)
		}
	}
	process.ResetPeak()
	start := time.Now()
	about, ret, err := s.opts.train(ctx, s.eng.World(), train, held, o, &gnnrag.Events{
		Epoch: func(e gnnrag.Epoch) {
			tell(GNNProgress{Task: "training", Done: int64(e.Epoch), Total: int64(e.Epochs), Epoch: &e})
		},
		Progress: func(task string, done, total int64) { tell(GNNProgress{Task: task, Done: done, Total: total}) },
	})
	if err != nil {
		return about, nil, fmt.Errorf("train for %s: %w", l.name(), err)
	}
	about.Seconds = time.Since(start).Seconds() // with what comes before the first epoch
	about.Questions, about.Held = len(train), len(held)
	return about, ret, nil
}

// examples are the questions of a round over the school's graph.
func (s *school) examples(ctx context.Context, r round) (train, held []questions.Example, err error) {
	if n := s.opts.Generated; n > 0 {
		return s.eng.MadeQuestions(ctx, n, s.opts.Seed)
	}
	if train, err = s.ground.examples(ctx, r.train); err != nil {
		return nil, nil, err
	}
	if held, err = s.ground.examples(ctx, r.held); err != nil {
		return nil, nil, err
	}
	if len(train) == 0 {
		return nil, nil, errors.New("none of the questions to learn from names an entity of the graph")
	}
	return train, held, nil
}
