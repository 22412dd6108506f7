package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/llm"
	"cairn/engine/pattern"
	"cairn/engine/plan"
	bymodel "cairn/engine/plan/model"
)

// Options are the choices of one evaluation.
type Options struct {
	Dataset string   // its name, see Datasets
	Groups  []string // parts of it, such as "1-hop" or "1"; none means all
	Dir     string   // the folder that holds the data sets
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
}

// Progress is how far an evaluation is.
type Progress struct {
	Group       string
	Done, Total int // questions of all parts, those of the journal included
	// Rate is how many questions are answered in a second, in this run; 0 where it
	// is not known yet.
	Rate float64
}

func (o *Options) setDefaults() {
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
	Scores *Scores `json:"scores,omitempty"` // questions
	Claims *Claims `json:"claims,omitempty"` // claims
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
}

// Table is the result of one evaluation.
type Table struct {
	About   string  `json:"about"`
	Planner string  `json:"planner"`
	Reader  string  `json:"reader"`
	Leaked  bool    `json:"leaked"`
	Sample  int     `json:"sample"`
	Seed    uint64  `json:"seed"`
	Config  Config  `json:"config"`
	Import  Loading `json:"import"`
	Rows    []Row   `json:"rows"`
}

// Loading is what it took to load the last graph of an evaluation.
type Loading struct {
	Entities int           `json:"entities"`
	Triples  int           `json:"triples"`
	Duration time.Duration `json:"duration"`
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
	o.setDefaults()
	d, err := Find(o.Dataset)
	if err != nil {
		return nil, err
	}
	if o.asksModel() && o.Model == nil {
		return nil, errors.New("the planner or reader is a model, but no model was named")
	}
	parts, err := load(d, &o)
	if err != nil {
		return nil, err
	}
	c, err := configOf(&o, d, parts)
	if err != nil {
		return nil, err
	}
	j, err := openJournal(o.Journal, c)
	if err != nil {
		return nil, err
	}
	t := &Table{
		About: d.About, Planner: o.Planner, Reader: o.Reader, Leaked: o.Leaked, Sample: o.Sample, Seed: o.Seed, Config: c,
	}
	err = t.fill(ctx, d, parts, j, o)
	return t, errors.Join(err, j.close())
}

// load reads the questions of the parts that are asked.
func load(d *Dataset, o *Options) ([]part, error) {
	groups, err := d.group(o.Groups)
	if err != nil {
		return nil, err
	}
	parts := make([]part, len(groups))
	for i, g := range groups {
		qs, err := g.Load(o.Dir)
		if err != nil {
			return nil, err
		}
		parts[i] = part{Group: g, sources: g.KG, questions: sample(qs, o.Sample, o.Seed)}
		if parts[i].sources == nil {
			parts[i].sources = d.KG
		}
	}
	return parts, nil
}

// fill asks the questions of each part and adds its row.
func (t *Table) fill(ctx context.Context, d *Dataset, parts []part, j *journal, o Options) error {
	tmp, err := os.MkdirTemp("", "cairn-eval-")
	if err != nil {
		return fmt.Errorf("make a folder for the graph: %w", err)
	}
	defer os.RemoveAll(tmp)
	r := &runner{opts: o, journal: j}
	for _, p := range parts {
		r.total += len(p.questions)
		r.done += len(j.of(p.Name))
	}
	if o.Model != nil {
		r.model = &watched{Model: o.Model}
	}
	defer func() {
		if r.eng != nil {
			r.eng.Close()
		}
	}()
	var loaded []Source
	for i, p := range parts {
		if r.eng == nil || !sameSources(loaded, p.sources) {
			path := filepath.Join(tmp, fmt.Sprintf("%s-%d.cairn", d.Name, i))
			if t.Import, err = r.open(ctx, path, p.sources); err != nil {
				return err
			}
			loaded = p.sources
		}
		records, err := r.answer(ctx, p)
		if err != nil {
			return &InterruptedError{r.done, r.total, o.Journal, err}
		}
		row, err := tally(p, records, o)
		if err != nil {
			return err
		}
		t.Rows = append(t.Rows, row)
	}
	return nil
}

func sameSources(a, b []Source) bool {
	return slices.EqualFunc(a, b, func(x, y Source) bool { return x.File == y.File })
}

// open imports the set's graph into a new file.
func open(ctx context.Context, path, dir string, files []Source, planning bymodel.Options) (*engine.Engine, Loading, error) {
	start := time.Now()
	eng, err := engine.Open(ctx, path, engine.Options{Model: planning}, nil)
	if err != nil {
		return nil, Loading{}, err
	}
	for _, f := range files {
		o := f.Options
		if f.Labels != "" {
			o.Labels = filepath.Join(dir, filepath.FromSlash(f.Labels))
		}
		if _, err := eng.Import(ctx, []string{filepath.Join(dir, filepath.FromSlash(f.File))}, o, nil); err != nil {
			eng.Close()
			return nil, Loading{}, err
		}
	}
	g := eng.Graph()
	return eng, Loading{Entities: g.Entities(), Triples: g.Triples(), Duration: time.Since(start)}, nil
}

// sample draws n questions, in their own order; 0 or too many means all.
func sample(qs []Question, n int, seed uint64) []Question {
	if n <= 0 || n >= len(qs) {
		return qs
	}
	picks := rand.New(rand.NewPCG(seed, seed)).Perm(len(qs))[:n]
	slices.Sort(picks)
	out := make([]Question, n)
	for i, p := range picks {
		out[i] = qs[p]
	}
	return out
}

// world is the graph that questions are asked of.
type world struct {
	graph *kg.Graph
	names *names
}

// runner asks the questions of a set.
type runner struct {
	opts    Options
	journal *journal
	model   *watched // nil for none
	eng     *engine.Engine
	world   world

	mu          sync.Mutex
	done, total int
	asked       int // in this run
	began       time.Time
}

// open puts the engine over another graph.
func (r *runner) open(ctx context.Context, path string, sources []Source) (Loading, error) {
	if r.eng != nil {
		r.eng.Close()
		r.eng = nil
	}
	eng, loading, err := open(ctx, path, r.opts.Dir, sources, r.opts.Planning)
	if err != nil {
		return loading, err
	}
	if r.opts.asksModel() {
		eng.SetModel(r.model.asked())
	}
	r.eng, r.world = eng, world{eng.Graph(), namesOf(eng.Graph())}
	return loading, nil
}

// answer asks the questions of a part that the journal does not have, and returns
// the records of all.
func (r *runner) answer(ctx context.Context, p part) ([]Record, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	records := make([]Record, len(p.questions))
	next := make(chan int)
	var wg sync.WaitGroup
	if r.began.IsZero() {
		r.began = time.Now()
	}
	for range r.opts.Workers {
		wg.Go(func() {
			for i := range next {
				if err := r.record(ctx, p, i, &records[i]); err != nil {
					cancel(err)
				}
			}
		})
	}
	known := r.journal.of(p.Name)
feed:
	for i := range p.questions {
		if rec, ok := known[i]; ok {
			records[i] = rec
			continue
		}
		select {
		case next <- i:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	wg.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	return records, nil
}

// record asks one question and keeps its record.
func (r *runner) record(ctx context.Context, p part, i int, rec *Record) error {
	out, err := r.ask(ctx, p.questions[i])
	if err != nil {
		return err
	}
	if r.model != nil {
		if err := r.model.err(); err != nil {
			return err
		}
	}
	for _, x := range out.exchanges {
		if x.Digest != "" && r.opts.Digest != "" && x.Digest != r.opts.Digest {
			return fmt.Errorf("the model %s was replaced while it was measured: begin again, with another journal", x.Model)
		}
	}
	*rec = recordOf(p.Name, i, p.questions[i], out, &r.world)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.journal.add(*rec); err != nil {
		return err
	}
	r.done++
	r.asked++
	if r.opts.Progress != nil {
		now := Progress{Group: p.Name, Done: r.done, Total: r.total}
		if took := time.Since(r.began).Seconds(); took > 0 {
			now.Rate = float64(r.asked) / took
		}
		r.opts.Progress(now)
	}
	return nil
}

// outcome is what one question gave.
type outcome struct {
	run       *engine.Run
	exchanges []llm.Exchange
	total     time.Duration
	plain     time.Duration
	different bool
}

// ask answers one question, and a second time with the plain algorithm where
// both are wanted.
func (r *runner) ask(ctx context.Context, q Question) (outcome, error) {
	o := engine.AskOptions{Plain: r.opts.Algorithm == "plain", Style: r.opts.Style}
	start := time.Now()
	run, exchanges, err := r.once(ctx, q, o)
	if err != nil {
		return outcome{}, err
	}
	out := outcome{run: run, exchanges: exchanges, total: time.Since(start)}
	for _, x := range run.Exchanges {
		out.exchanges = append(out.exchanges, x.Exchange)
	}
	if r.opts.Algorithm != "both" || run.Reading < 0 {
		return out, nil
	}
	o.Plain, o.NoModel = true, true
	p := *run.Plan
	p.Readings = p.Readings[run.Reading : run.Reading+1]
	second, err := r.eng.Follow(ctx, &p, o, nil)
	if err != nil {
		return outcome{}, err
	}
	out.plain = second.Stats.Duration
	out.different = !slices.EqualFunc(run.Answer.Items, second.Answer.Items, func(a, b answer.Item) bool {
		return a.Entity == b.Entity && a.Distance == b.Distance
	})
	return out, nil
}

// once plans with the planner and answers with the reader that were chosen, and
// returns the exchanges that the run does not have.
func (r *runner) once(ctx context.Context, q Question, o engine.AskOptions) (*engine.Run, []llm.Exchange, error) {
	text := q.Text
	if r.opts.Leaked && q.Marked != "" {
		text = q.Marked
	}
	o.NoModel = r.opts.Reader != "model"
	switch {
	case r.opts.Planner == "oracle":
		p, err := oracle(r.world.graph, r.world.names, q, pattern.ReuseVariables)
		if err != nil {
			return nil, nil, err
		}
		run, err := r.eng.Follow(ctx, p, o, nil)
		return run, nil, err
	case (r.opts.Planner == "model") == (r.opts.Reader == "model"): // both or neither
		run, err := r.eng.Ask(ctx, text, o, nil)
		return run, nil, err
	case r.opts.Planner == "model":
		var exchanges []llm.Exchange
		p, err := r.eng.Planner().Plan(llm.WithTrace(ctx, func(x llm.Exchange) { exchanges = append(exchanges, x) }), text)
		if err != nil {
			return nil, nil, err
		}
		run, err := r.eng.Follow(ctx, p, o, nil)
		return run, exchanges, err
	}
	planned, err := r.eng.Ask(ctx, text, engine.AskOptions{NoModel: true, Plain: o.Plain}, nil)
	if err != nil {
		return nil, nil, err
	}
	run, err := r.eng.Follow(ctx, planned.Plan, o, nil)
	return run, nil, err
}

// tally scores the records in the order of the questions.
func tally(p part, records []Record, o Options) (Row, error) {
	row := Row{Group: p.Name, Faults: Faults{}}
	if o.asksModel() {
		row.Model = newModelRow()
	}
	var match, plain, total []time.Duration
	for i, q := range p.questions {
		rec := &records[i]
		match = append(match, rec.Match)
		total = append(total, rec.Total)
		if o.Algorithm == "both" && rec.Reading != "" {
			plain = append(plain, rec.Plain)
		}
		count(&row.Different, rec.Different)
		var right bool
		if q.Label != nil {
			right = row.claim(q, rec)
		} else {
			right = row.question(q, rec)
			row.reply("direct answers", true, q.Gold, rec.Answers)
			if o.Reader == "model" {
				row.reply("the model's text", false, q.Gold, rec.text())
				row.reply("named in its supported sentences", true, q.Gold, rec.supported())
			}
		}
		if row.Model != nil {
			row.Model.add(q, rec)
		}
		if !right && o.Failures != nil {
			if err := writeFailure(o.Failures, q, rec); err != nil {
				return row, fmt.Errorf("write the failures: %w", err)
			}
		}
	}
	row.Match, row.Plain, row.Total = times(match), times(plain), times(total)
	return row, nil
}

// question scores an answer set.
func (row *Row) question(q Question, rec *Record) (exact bool) {
	if row.Scores == nil {
		row.Scores = &Scores{}
	}
	exact = row.Scores.Score(q.Gold, rec.Answers, rec.Doubt == plan.Sure)
	if !exact {
		row.Faults[rec.Fault]++
	}
	return exact
}

// reply scores one kind of reply.
func (row *Row) reply(name string, list bool, gold, lines []string) {
	i := slices.IndexFunc(row.Replies, func(r ReplyRow) bool { return r.Reply == name })
	if i < 0 {
		i = len(row.Replies)
		row.Replies = append(row.Replies, ReplyRow{Reply: name, List: list})
	}
	row.Replies[i].Scores.Score(gold, lines, list)
}

// claim scores a verdict, beside the baseline that only looks whether the named
// entities are adjacent.
func (row *Row) claim(q Question, rec *Record) bool {
	if row.Claims == nil {
		row.Claims = &Claims{}
	}
	c := row.Claims
	supported, refuted := rec.Verdict == answer.Supported.String(), rec.Verdict == answer.Refuted.String()
	right := supported == *q.Label
	baseline := rec.Adjacent == *q.Label
	c.N++
	count(&c.Right, right)
	count(&c.Baseline, baseline)
	if supported || refuted {
		c.Decided++
		count(&c.DecidedOK, right)
	} else if !right {
		row.Faults[Abstained]++
	}
	if len(q.Topics) == 2 && slices.Contains(q.Kinds, "num1") && !slices.Contains(q.Kinds, "negation") {
		c.PairN++
		count(&c.PairRight, right)
		count(&c.PairBaseline, baseline)
	}
	return right
}

func count(n *int, yes bool) {
	if yes {
		*n++
	}
}

// adjacent reports whether every named entity has a triple with another one;
// a single entity counts as adjacent when the graph holds it.
func adjacent(g *kg.Graph, names *names, topics []string) bool {
	in := map[kg.EntityID]string{}
	for _, t := range topics {
		for _, e := range names.entities[t] {
			in[e] = t
		}
	}
	joined := map[string]bool{}
	for e, name := range in {
		for _, edges := range [2][]kg.Edge{g.Out(e), g.In(e)} {
			for _, x := range edges {
				if other, ok := in[x.Entity]; ok && other != name {
					joined[name] = true
				}
			}
		}
	}
	if len(topics) == 1 {
		return len(in) > 0
	}
	return len(joined) == len(topics)
}

// writeFailure writes what is needed to see why a question went wrong.
func writeFailure(w io.Writer, q Question, r *Record) error {
	rec := struct {
		ID      string   `json:"id"`
		Text    string   `json:"question"`
		Gold    []string `json:"gold,omitempty"`
		Label   *bool    `json:"label,omitempty"`
		Got     []string `json:"got"`
		Verdict string   `json:"verdict,omitempty"`
		Planner string   `json:"planner"`
		Reading string   `json:"reading"`
		Doubt   int      `json:"doubt"`
		Reason  string   `json:"reason,omitempty"`
		StoodIn string   `json:"stood_in,omitempty"`
		Fault   Fault    `json:"fault"`
		Said    []Said   `json:"said,omitempty"`
	}{q.ID, q.Text, q.Gold, q.Label, r.Answers, r.Verdict, r.Planner, r.Reading, int(r.Doubt), r.Reason, r.StoodIn, r.Fault, r.Said}
	line, err := json.Marshal(rec)
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}
