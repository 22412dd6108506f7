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
	// Model plans and, with Reader "model", words the answers.
	Model llm.Model
	// Planning are the choices of planning with a model. An evaluation of the
	// model itself sets Alone.
	Planning bymodel.Options
	// Reader is "direct" or "model".
	//
	// The default value is "direct".
	Reader string
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
	// The default value is GOMAXPROCS.
	Workers int
	// Failures, if set, gets one JSON line for every question that was not
	// answered exactly.
	Failures io.Writer
	// Progress, if set, is told how many questions are done.
	Progress func(group string, done, total int)
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
	}
}

// Row is the result of one part of a set.
type Row struct {
	Group  string  `json:"group"`
	Scores *Scores `json:"scores,omitempty"` // questions
	Claims *Claims `json:"claims,omitempty"` // claims
	Faults Faults  `json:"faults"`
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
	Import  Loading `json:"import"`
	Rows    []Row   `json:"rows"`
}

// Loading is what it took to load the last graph of an evaluation.
type Loading struct {
	Entities int           `json:"entities"`
	Triples  int           `json:"triples"`
	Duration time.Duration `json:"duration"`
}

// Run asks every question of a set and scores the answers.
func Run(ctx context.Context, o Options) (*Table, error) {
	o.setDefaults()
	d, err := Find(o.Dataset)
	if err != nil {
		return nil, err
	}
	groups, err := d.group(o.Groups)
	if err != nil {
		return nil, err
	}
	if (o.Planner == "model" || o.Reader == "model") && o.Model == nil {
		return nil, errors.New("the planner or reader is a model, but no model was named")
	}
	t := &Table{
		About: d.About, Planner: o.Planner, Reader: o.Reader, Leaked: o.Leaked, Sample: o.Sample, Seed: o.Seed,
	}
	tmp, err := os.MkdirTemp("", "cairn-eval-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the graph: %w", err)
	}
	defer os.RemoveAll(tmp)
	var eng *engine.Engine
	var loaded []Source
	for i, group := range groups {
		kgFiles := group.KG
		if kgFiles == nil {
			kgFiles = d.KG
		}
		if eng == nil || !sameSources(loaded, kgFiles) {
			if eng != nil {
				eng.Close()
			}
			path := filepath.Join(tmp, fmt.Sprintf("%s-%d.cairn", d.Name, i))
			if eng, t.Import, err = open(ctx, path, o.Dir, kgFiles, o.Planning); err != nil {
				return nil, err
			}
			if o.Planner == "model" || o.Reader == "model" {
				eng.SetModel(o.Model)
			}
			loaded = kgFiles
		}
		qs, err := group.Load(o.Dir)
		if err != nil {
			return nil, err
		}
		row, err := runGroup(ctx, eng, group.Name, sample(qs, o.Sample, o.Seed), o)
		if err != nil {
			eng.Close()
			return nil, err
		}
		t.Rows = append(t.Rows, row)
	}
	return t, eng.Close()
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

// outcome is what one question gave.
type outcome struct {
	run       *engine.Run
	total     time.Duration
	plain     time.Duration
	different bool
	err       error
}

func runGroup(ctx context.Context, eng *engine.Engine, name string, qs []Question, o Options) (Row, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &runner{eng: eng, names: namesOf(eng.Graph()), opts: o}
	outcomes := make([]outcome, len(qs))
	next := make(chan int)
	var wg sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range o.Workers {
		wg.Go(func() {
			for i := range next {
				outcomes[i] = r.ask(ctx, qs[i])
				if outcomes[i].err != nil {
					cancel()
				}
				mu.Lock()
				done++
				if o.Progress != nil {
					o.Progress(name, done, len(qs))
				}
				mu.Unlock()
			}
		})
	}
feed:
	for i := range qs {
		select {
		case next <- i:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	wg.Wait()
	for _, out := range outcomes {
		if out.err != nil {
			return Row{}, out.err
		}
	}
	if err := ctx.Err(); err != nil {
		return Row{}, err
	}
	return r.tally(name, qs, outcomes)
}

// runner asks the questions of one part.
type runner struct {
	eng   *engine.Engine
	names *names
	opts  Options
}

// ask answers one question, and a second time with the plain algorithm where
// both are wanted.
func (r *runner) ask(ctx context.Context, q Question) outcome {
	o := engine.AskOptions{Plain: r.opts.Algorithm == "plain"}
	start := time.Now()
	run, err := r.once(ctx, q, o)
	out := outcome{run: run, total: time.Since(start), err: err}
	if err != nil || r.opts.Algorithm != "both" || run.Reading < 0 {
		return out
	}
	o.Plain, o.NoModel = true, true
	p := *run.Plan
	p.Readings = p.Readings[run.Reading : run.Reading+1]
	second, err := r.eng.Follow(ctx, &p, o, nil)
	if err != nil {
		out.err = err
		return out
	}
	out.plain = second.Stats.Duration
	out.different = !slices.EqualFunc(run.Answer.Items, second.Answer.Items, func(a, b answer.Item) bool {
		return a.Entity == b.Entity && a.Distance == b.Distance
	})
	return out
}

func (r *runner) once(ctx context.Context, q Question, o engine.AskOptions) (*engine.Run, error) {
	if r.opts.Planner == "oracle" {
		p, err := oracle(r.eng.Graph(), r.names, q, pattern.ReuseVariables)
		if err != nil {
			return nil, err
		}
		return r.eng.Follow(ctx, p, o, nil)
	}
	text := q.Text
	if r.opts.Leaked && q.Marked != "" {
		text = q.Marked
	}
	return r.eng.Ask(ctx, text, o, nil)
}

// tally scores the outcomes in the order of the questions.
func (r *runner) tally(name string, qs []Question, outcomes []outcome) (Row, error) {
	row := Row{Group: name, Faults: Faults{}}
	var match, plain, total []time.Duration
	for i, q := range qs {
		out := outcomes[i]
		match = append(match, out.run.Stats.Duration)
		total = append(total, out.total)
		if r.opts.Algorithm == "both" && out.run.Reading >= 0 {
			plain = append(plain, out.plain)
		}
		if out.different {
			row.Different++
		}
		var right bool
		if q.Label != nil {
			right = row.claim(q, out.run, r.eng.Graph(), r.names)
		} else {
			right = row.question(q, out.run, r.names)
		}
		if !right && r.opts.Failures != nil {
			if err := writeFailure(r.opts.Failures, q, out.run, r.names); err != nil {
				return row, fmt.Errorf("write the failures: %w", err)
			}
		}
	}
	row.Match, row.Plain, row.Total = times(match), times(plain), times(total)
	return row, nil
}

// question scores an answer set.
func (row *Row) question(q Question, run *engine.Run, names *names) (exact bool) {
	if row.Scores == nil {
		row.Scores = &Scores{}
	}
	exact = row.Scores.Score(q.Gold, answerLabels(run), run.Plan.Doubt == plan.Sure)
	if !exact {
		row.Faults[fault(run, q, names)]++
	}
	return exact
}

func answerLabels(run *engine.Run) []string {
	a := run.Answer
	if a == nil {
		return nil
	}
	var labels []string
	for _, it := range a.Items {
		labels = append(labels, it.Label)
	}
	if len(labels) == 0 && a.Refusal == nil && a.Verdict == answer.NoVerdict && run.Reading >= 0 {
		labels = append(labels, fmt.Sprint(a.Count))
	}
	return labels
}

// claim scores a verdict, beside the baseline that only looks whether the named
// entities are adjacent.
func (row *Row) claim(q Question, run *engine.Run, g *kg.Graph, names *names) bool {
	if row.Claims == nil {
		row.Claims = &Claims{}
	}
	c := row.Claims
	verdict := answer.NoVerdict
	if run.Answer != nil {
		verdict = run.Answer.Verdict
	}
	right := (verdict == answer.Supported) == *q.Label
	baseline := adjacent(g, names, q.Topics) == *q.Label
	c.N++
	count(&c.Right, right)
	count(&c.Baseline, baseline)
	if verdict == answer.Supported || verdict == answer.Refuted {
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
func writeFailure(w io.Writer, q Question, run *engine.Run, names *names) error {
	rec := struct {
		ID      string   `json:"id"`
		Text    string   `json:"question"`
		Gold    []string `json:"gold,omitempty"`
		Label   *bool    `json:"label,omitempty"`
		Got     []string `json:"got"`
		Verdict string   `json:"verdict,omitempty"`
		Reading string   `json:"reading"`
		Doubt   int      `json:"doubt"`
		Reason  string   `json:"reason,omitempty"`
		Fault   Fault    `json:"fault"`
	}{ID: q.ID, Text: q.Text, Gold: q.Gold, Label: q.Label, Got: answerLabels(run), Doubt: int(run.Plan.Doubt), Reason: run.Plan.Reason}
	if q.Label == nil {
		rec.Fault = fault(run, q, names)
	} else if run.Answer != nil {
		rec.Verdict = run.Answer.Verdict.String()
	}
	if run.Reading >= 0 {
		rec.Reading = run.Plan.Readings[run.Reading].Text
	}
	line, err := json.Marshal(rec)
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}
