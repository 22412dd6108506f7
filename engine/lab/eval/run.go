package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"cairn/engine"
	"cairn/engine/embed"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/llm"
	"cairn/engine/ollama"
	bymodel "cairn/engine/plan/model"
	"cairn/engine/retrieve"
)

// Options are the choices of one evaluation.
type Options struct {
	Dataset string   // its name, see Datasets
	Groups  []string // parts of it, such as "1-hop" or "1"; none means all
	Dir     string   // the folder that holds the data sets
	// Methods are the ways to look for evidence; nil for those of the engine.
	Methods []retrieve.Method
	// Retriever is the ID of the one that is measured; empty for the first.
	Retriever string
	// Given has the set's topics told to the engine, as if the user had pointed at
	// them, instead of found in the question.
	Given bool
	// Teaching says what a method that is trained learns from.
	Teaching Teaching
	// TrainEvents, if set, is told how each training is going.
	TrainEvents *engine.TrainEvents
	// Planner is "built-in", "oracle" or "model".
	//
	// The default value is "built-in".
	Planner string
	// Model plans with Planner "model", and words the answers with Reader "model".
	Model llm.Model
	// Digest names the model's exact weights, where the server says. An exchange
	// with others ends the evaluation.
	Digest string
	// Context is the size of the model's context in tokens, for the journal; the
	// model has it already.
	Context int
	// Planning are the choices of planning with a model. An evaluation of the
	// model itself sets Alone.
	Planning bymodel.Options
	// Embedder has names found by its vectors instead of by the built-in ones; nil for
	// those.
	Embedder *ollama.Embedder
	// Vectors is a graph file in which the vectors of Embedder are kept between
	// evaluations; empty for none.
	Vectors string
	// Embedding, if set, is told how far the names of a graph are embedded.
	Embedding func(task string, done, total int64)
	// Reader is "direct" or "model".
	//
	// The default value is "direct".
	Reader string
	// Style is how the reading model is shown the evidence.
	Style evidence.Style
	// Algorithm is "optimised", "plain" or "both"; "both" runs each question
	// twice and checks that the matches are the same.
	//
	// The default value is "optimised".
	Algorithm string
	// Forget is the share of the graph's relations, in percent, that lose what the
	// lexicon knows of them; see forgetful. Seed draws them. WordsKept leaves all of them
	// the words of their own names, of which a quarter of them are robbed otherwise.
	Forget    int
	WordsKept bool
	// NoMeanings has words mean only what the lexicon tells.
	NoMeanings bool
	// Leaked leaves the set's marks around the topic in the question.
	Leaked bool
	// Sample takes this many questions of each part, drawn with Seed; 0 is all.
	Sample int
	Seed   uint64
	// Workers is how many questions are asked at once.
	//
	// The default value is GOMAXPROCS, and 1 where a model is asked: a server
	// answers one request at a time unless it was told otherwise.
	Workers int
	// Journal, if set, is a file that keeps the record of every question as soon as
	// it is answered. An evaluation of the same Config goes on where it ends.
	Journal string
	// Version is Cairn's, for the journal.
	Version string
	// Failures, if set, gets one JSON line for every question that was not
	// answered exactly.
	Failures io.Writer
	// Progress, if set, is told after each question how many are done.
	Progress func(Progress)
	// Row, if set, is given each row as soon as it is measured.
	Row func(Row)

	info retrieve.Info // of Retriever
}

// Progress is how far an evaluation is.
type Progress struct {
	Group       string
	Done, Total int // questions of all parts, those of the journal included
	// Rate is how many questions are answered in a second, in this run; 0 where it
	// is not known yet.
	Rate float64
}

func (o *Options) setDefaults() error {
	if o.Methods == nil {
		o.Methods = engine.Methods()
	}
	o.Retriever = cmp.Or(o.Retriever, o.Methods[0].Info().ID)
	infos := engine.MethodInfos(o.Methods)
	i := slices.IndexFunc(infos, func(m retrieve.Info) bool { return m.ID == o.Retriever })
	if i < 0 {
		return fmt.Errorf("there is no retriever %q", o.Retriever)
	}
	o.info = infos[i]
	t := &o.Teaching
	switch trainable := retrieve.Trainables(o.Methods); {
	case o.Retriever != engine.Auto:
		t.With = nil
	case t.With == nil:
		for _, m := range trainable {
			if i := m.Info(); !i.Baseline { // which is never asked
				t.With = append(t.With, i.ID)
			}
		}
	default:
		for _, id := range t.With {
			if !slices.ContainsFunc(trainable, func(m retrieve.Trainable) bool { return m.Info().ID == id }) {
				return fmt.Errorf("there is no retriever %q that is trained", id)
			}
		}
	}
	o.info.Trained = o.info.Trained || t.With != nil
	t.Train, t.Folds, t.Seeds, t.First = cmp.Or(t.Train, 1000), cmp.Or(t.Folds, 5), cmp.Or(t.Seeds, 1), cmp.Or(t.First, o.Seed)
	if o.Planner == "" {
		o.Planner = "built-in"
	}
	if o.Reader == "" {
		o.Reader = "direct"
	}
	if o.Algorithm == "" {
		o.Algorithm = "optimised"
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
		if o.asksModel() {
			o.Workers = 1
		}
	}
	if o.info.Seeded && (o.Planner != "built-in" || o.Algorithm != "optimised") {
		return fmt.Errorf("%s follows no plan: planners and algorithms are for methods that match patterns", o.info.Who)
	}
	return nil
}

func (o *Options) asksModel() bool { return o.Planner == "model" || o.Reader == "model" }

// part is one part of a set with the questions that are asked of it.
type part struct {
	Group
	sources   []Source
	questions []Question
}

// Row is the result of one part of a set.
type Row struct {
	Group  string  `json:"group"`
	Seed   uint64  `json:"seed,omitempty"`   // of the training; 0 where nothing is trained
	Scores *Scores `json:"scores,omitempty"` // questions
	// Strict are of the answers by GNN-RAG's rule to the letter: no more of them than
	// it takes to have 0.95 of the probability. Nil where answers have none.
	Strict *Scores `json:"strict,omitempty"`
	// Kinds are the scores of the set's own kinds of questions.
	Kinds  map[string]*Scores `json:"kinds,omitempty"`
	Claims *Claims            `json:"claims,omitempty"` // claims
	// Risk is the share of the questions that are answered at most, the most confident
	// first, for shares of these to be right; nil where no plan says its confidence.
	Risk []RiskPoint `json:"risk,omitempty"`
	// Replies are the scores by the papers' own definitions; empty for claims.
	Replies []ReplyRow `json:"replies,omitempty"`
	Faults  Faults     `json:"faults"`
	// Model is what a model did; nil where none was asked.
	Model *ModelRow `json:"model,omitempty"`
	// Match and Plain are the matching times of the optimised and the plain
	// algorithm; Total is the time from question to answer.
	Match Times `json:"match"`
	Plain Times `json:"plain"`
	Total Times `json:"total"`
	// Different counts the questions on which the two algorithms disagreed.
	Different int `json:"different"`
	// Vectors counts the questions of which texts were looked up by the vectors of
	// Options.Embedder: all others would be answered the same without it.
	Vectors int `json:"vectors,omitempty"`
	// Entities and Triples are how many of them a retriever looked at, in the mean, and
	// Tokens is the median of how many the paths to the answers have in words, as
	// llm.EstimateTokens counts them; 0 where there are no paths. Set is the same of the
	// triples that the answers may cite, each once.
	Entities float64 `json:"entities,omitempty"`
	Triples  float64 `json:"triples,omitempty"`
	Tokens   int     `json:"tokens,omitempty"`
	Set      int     `json:"set_tokens,omitempty"`
	// Trained is what training took; nil where nothing is trained.
	Trained *TrainingRow `json:"trained,omitempty"`
	PeakMB  float64      `json:"peak_rss_mb"` // of the process, since the last training began; 0 where unknown
}

// Table is the result of one evaluation.
type Table struct {
	About   string  `json:"about"`
	Planner string  `json:"planner"`
	Reader  string  `json:"reader"`
	Leaked  bool    `json:"leaked"`
	Sample  int     `json:"sample"`
	Seed    uint64  `json:"seed"`
	Learned string  `json:"learned,omitempty"` // says in words what a trained method learned from
	Config  Config  `json:"config"`
	Import  Loading `json:"import"`
	Rows    []Row   `json:"rows"`
	// Trust is what came of the word of trained retrievers, of questions that nothing was
	// learned from, where the automatic choice is measured.
	Trust engine.Trust `json:"trust,omitempty"`
	// Published are the scores of predictions that lie in the set, on the same
	// questions.
	Published []PublishedRow `json:"published,omitempty"`
}

// Loading is what it took to load the last graph of an evaluation.
type Loading struct {
	Entities int           `json:"entities"`
	Triples  int           `json:"triples"`
	Duration time.Duration `json:"duration"`
	// Embedded is what Options.Embedder did to the graph's names; nil without one.
	Embedded *engine.EmbedderInfo `json:"embedded,omitempty"`
}

// InterruptedError is an evaluation that was stopped. What its journal has is kept.
type InterruptedError struct {
	Done, Total int    // questions
	Journal     string // empty for none
	Cause       error
}

// Error says how far it came.
func (e *InterruptedError) Error() string {
	return fmt.Sprintf("stopped after %d of %d questions: %v", e.Done, e.Total, e.Cause)
}

// Unwrap returns the cause.
func (e *InterruptedError) Unwrap() error { return e.Cause }

// Run asks every question of a set and scores the answers.
func Run(ctx context.Context, o Options) (*Table, error) {
	if err := o.setDefaults(); err != nil {
		return nil, err
	}
	d, err := Find(o.Dataset)
	if err != nil {
		return nil, err
	}
	if o.asksModel() && o.Model == nil {
		return nil, errors.New("the planner or reader is a model, but no model was named")
	}
	lessons, err := planLessons(ctx, d, &o)
	if err != nil {
		return nil, err
	}
	var parts []part
	for _, l := range lessons {
		parts = append(parts, l.parts...)
	}
	c, err := configOf(&o, d, parts)
	if err != nil {
		return nil, err
	}
	t := &Table{
		About: d.About, Planner: o.Planner, Reader: o.Reader, Leaked: o.Leaked, Sample: o.Sample, Seed: o.Seed, Config: c,
	}
	if o.info.Trained {
		t.Learned = o.learnedFrom(lessons)
	}
	if t.Published, err = published(d, parts, o.Dir); err != nil {
		return nil, err
	}
	j, err := openJournal(o.Journal, c)
	if err != nil {
		return nil, err
	}
	err = t.fill(ctx, d, lessons, j, o)
	return t, errors.Join(err, j.close())
}

// fill asks the questions of each lesson and adds the rows of its parts.
func (t *Table) fill(ctx context.Context, d *Dataset, lessons []*lesson, j *journal, o Options) error {
	tmp, err := os.MkdirTemp("", "cairn-eval-")
	if err != nil {
		return fmt.Errorf("make a folder for the graph: %w", err)
	}
	defer os.RemoveAll(tmp)
	r := &runner{opts: o, journal: j, folder: tmp, trust: engine.Trust{}}
	t.Trust = r.trust
	for _, l := range lessons {
		for _, p := range l.parts {
			for _, seed := range l.seeds {
				r.total += len(p.questions)
				r.done += len(j.of(p.Name, seed))
			}
		}
	}
	if o.Model != nil {
		r.model = &watched{Model: o.Model}
	}
	if o.Embedder != nil {
		var keeper embed.Keeper
		if o.Vectors != "" {
			store, err := kg.OpenStore(ctx, o.Vectors)
			if err != nil {
				return err
			}
			defer store.Close()
			keeper = store
		}
		r.embedder = watchEmbedder(o.Embedder, keeper)
	}
	defer func() {
		if r.eng != nil {
			r.eng.Close()
		}
	}()
	var loaded []Source
	for i, l := range lessons {
		if r.eng == nil || !sameSources(loaded, l.sources) {
			path := filepath.Join(tmp, fmt.Sprintf("%s-%d.cairn", d.Name, i))
			if t.Import, err = r.open(ctx, path, l.sources); err != nil {
				return err
			}
			loaded = l.sources
		}
		for _, seed := range l.seeds {
			rows, err := r.measure(ctx, l, seed)
			if err != nil {
				return &InterruptedError{r.done, r.total, o.Journal, err}
			}
			t.Rows = append(t.Rows, rows...)
		}
	}
	return nil
}

func sameSources(a, b []Source) bool {
	return slices.EqualFunc(a, b, func(x, y Source) bool { return x.File == y.File })
}

// open imports the set's graph into a new file.
func open(ctx context.Context, path, dir string, files []Source, o engine.Options) (*engine.Engine, Loading, error) {
	start := time.Now()
	eng, err := engine.Open(ctx, path, o, nil)
	if err != nil {
		return nil, Loading{}, err
	}
	for _, f := range files {
		how := f.Options
		if f.Labels != "" {
			how.Labels = filepath.Join(dir, filepath.FromSlash(f.Labels))
		}
		if _, err := eng.Import(ctx, []string{filepath.Join(dir, filepath.FromSlash(f.File))}, how, nil); err != nil {
			eng.Close()
			return nil, Loading{}, err
		}
	}
	g := eng.Graph()
	return eng, Loading{Entities: g.Entities(), Triples: g.Triples(), Duration: time.Since(start)}, nil
}

// sample draws n questions, in their own order; 0 or too many means all.
func sample[T any](qs []T, n int, seed uint64) []T {
	if n <= 0 || n >= len(qs) {
		return qs
	}
	picks := rand.New(rand.NewPCG(seed, seed)).Perm(len(qs))[:n]
	slices.Sort(picks)
	out := make([]T, n)
	for i, p := range picks {
		out[i] = qs[p]
	}
	return out
}
