package eval

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/kg"
	"cairn/engine/llm"
	"cairn/engine/pattern"
	"cairn/internal/guard"
)

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
	eng, loading, err := open(ctx, path, r.opts.Dir, sources, engine.Options{Model: r.opts.Planning, Methods: r.opts.Methods})
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
				if err := guard.Do(func() error { return r.record(ctx, p, i, &records[i]) }); err != nil {
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
	o := engine.AskOptions{Retriever: r.opts.Retriever, Plain: r.opts.Algorithm == "plain", Style: r.opts.Style}
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
	planned, err := r.eng.Ask(ctx, text, engine.AskOptions{Retriever: o.Retriever, NoModel: true, Plain: o.Plain}, nil)
	if err != nil {
		return nil, nil, err
	}
	run, err := r.eng.Follow(ctx, planned.Plan, o, nil)
	return run, nil, err
}
