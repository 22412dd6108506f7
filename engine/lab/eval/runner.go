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
	"cairn/engine/link"
	"cairn/engine/llm"
	"cairn/engine/pattern"
	"cairn/engine/plan/builtin"
	"cairn/engine/questions"
	"cairn/internal/guard"
)

// world is the graph that questions are asked of.
type world struct {
	graph  *kg.Graph
	names  *names
	ground *questions.Grounder
}

// runner asks the questions of a set.
type runner struct {
	opts     Options
	journal  *journal
	model    *watched         // nil for none
	embedder *watchedEmbedder // nil for the built-in one
	folder   string           // for graphs and questions to learn from
	eng      *engine.Engine
	world    world
	trust    engine.Trust // of the trainings, together

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
	eng, loading, err := open(ctx, path, r.opts.Dir, sources, engine.Options{Model: r.opts.Planning, Methods: r.opts.Methods, Planner: builtin.Options{NoMeanings: r.opts.NoMeanings}})
	if err != nil {
		return loading, err
	}
	if r.opts.Forget > 0 {
		if err := eng.SetOverrides(ctx, forgetful(eng.Graph(), r.opts.Forget, r.opts.WordsKept, r.opts.Seed), nil); err != nil {
			eng.Close()
			return loading, err
		}
	}
	if r.embedder != nil {
		if err := eng.SetEmbedder(ctx, r.embedder, &engine.Events{Progress: r.opts.Embedding}); err != nil {
			eng.Close()
			return loading, err
		}
		info := eng.Embedder()
		info.Stats = r.embedder.done()
		loading.Embedded = &info
	}
	if r.opts.asksModel() {
		eng.SetModel(r.model.asked())
	}
	r.eng, r.world = eng, world{eng.Graph(), namesOf(eng.Graph()), questions.NewGrounder(eng.Graph())}
	return loading, nil
}

// measure trains where the method is to be trained, asks what the journal does not
// have, and makes the rows of the lesson's parts.
func (r *runner) measure(ctx context.Context, l *lesson, seed uint64) ([]Row, error) {
	records := make([][]Record, len(l.parts))
	trained := make([]*TrainingRow, len(l.parts))
	for i, p := range l.parts {
		records[i] = make([]Record, len(p.questions))
		if r.opts.info.Trained {
			trained[i] = &TrainingRow{}
		}
	}
	for _, at := range l.rounds {
		left := make([][]int, len(l.parts)) // by part: what the journal does not have
		for i, p := range l.parts {
			known := r.journal.of(p.Name, seed)
			for _, q := range at.asked[i] {
				var ok bool
				if records[i][q], ok = known[q]; !ok {
					left[i] = append(left[i], q)
				}
			}
		}
		if r.opts.info.Trained && slices.ContainsFunc(left, func(qs []int) bool { return len(qs) > 0 }) {
			taught, err := r.teach(ctx, l, at, seed)
			if err != nil {
				return nil, err
			}
			for i := range trained {
				if len(at.asked[i]) > 0 {
					trained[i].add(taught)
				}
			}
		}
		for i, p := range l.parts {
			if err := r.answer(ctx, p, seed, left[i], records[i]); err != nil {
				return nil, err
			}
		}
	}
	var rows []Row
	for i, p := range l.parts {
		row, err := tally(p, records[i], r.opts)
		if err != nil {
			return nil, err
		}
		row.Seed, row.Trained, row.PeakMB = seed, trained[i], peakRSS()
		if rows = append(rows, row); r.opts.Row != nil {
			r.opts.Row(row)
		}
	}
	return rows, nil
}

// answer asks those questions of a part whose indexes are given, and fills in their
// records.
func (r *runner) answer(ctx context.Context, p part, seed uint64, left []int, records []Record) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan int)
	var wg sync.WaitGroup
	if r.began.IsZero() {
		r.began = time.Now()
	}
	for range r.opts.Workers {
		wg.Go(func() {
			for i := range next {
				if err := guard.Do(func() error { return r.record(ctx, p, seed, i, &records[i]) }); err != nil {
					cancel(err)
				}
			}
		})
	}
feed:
	for _, i := range left {
		select {
		case next <- i:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	wg.Wait()
	return context.Cause(ctx)
}

// record asks one question and keeps its record.
func (r *runner) record(ctx context.Context, p part, seed uint64, i int, rec *Record) error {
	out, err := r.ask(ctx, p.questions[i])
	if err != nil {
		return err
	}
	if r.model != nil {
		if err := r.model.err(); err != nil {
			return err
		}
	}
	if err := r.embedder.err(); err != nil {
		return err
	}
	for _, x := range out.exchanges {
		if x.Digest != "" && r.opts.Digest != "" && x.Digest != r.opts.Digest {
			return fmt.Errorf("the model %s was replaced while it was measured: begin again, with another journal", x.Model)
		}
	}
	*rec = recordOf(p.questions[i], out, &r.world)
	rec.Group, rec.At, rec.Seed = p.Name, i, seed
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
	vectors   bool // texts were looked up by those of the embedder that was chosen
}

// ask answers one question, and a second time with the plain algorithm where
// both are wanted.
func (r *runner) ask(ctx context.Context, q Question) (outcome, error) {
	o := engine.AskOptions{Retriever: r.opts.Retriever, Plain: r.opts.Algorithm == "plain", Style: r.opts.Style}
	if r.opts.Given {
		var err error
		if o.Mentions, err = r.world.given(ctx, q); err != nil {
			return outcome{}, err
		}
		if q.Among != nil {
			run, err := r.eng.Ask(ctx, q.Text, engine.AskOptions{Retriever: r.opts.Retriever, NoModel: true}, nil)
			if err != nil {
				return outcome{}, err
			}
			o.Mentions = r.world.among(q, o.Mentions, run.Plan.Mentions)
		}
	}
	// Plans that are made outside a run are watched here, and runs watch themselves.
	var planning link.Watch
	start := time.Now()
	run, exchanges, err := r.once(link.WithWatch(ctx, &planning), q, o)
	if err != nil {
		return outcome{}, err
	}
	out := outcome{run: run, exchanges: exchanges, total: time.Since(start)}
	out.vectors = r.embedder != nil && (planning.Lookups() > 0 || run.Vectors != "")
	for _, x := range run.Exchanges {
		out.exchanges = append(out.exchanges, x.Exchange)
	}
	if r.embedder != nil { // what it was asked is no doing of the language model
		out.exchanges = slices.DeleteFunc(out.exchanges, func(x llm.Exchange) bool { return x.Model == r.embedder.Model() })
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
	case r.opts.info.Seeded || (r.opts.Planner == "model") == (r.opts.Reader == "model"): // both or neither
		run, err := r.eng.Ask(ctx, text, o, nil)
		return run, nil, err
	case r.opts.Planner == "model":
		var exchanges []llm.Exchange
		traced := llm.WithTrace(ctx, func(x llm.Exchange) { exchanges = append(exchanges, x) })
		planner, err := r.eng.Planner(traced)
		if err != nil {
			return nil, nil, err
		}
		p, err := planner.Plan(traced, text, nil)
		if err != nil {
			return nil, nil, err
		}
		run, err := r.eng.Follow(ctx, p, o, nil)
		return run, exchanges, err
	}
	planned, err := r.eng.Ask(ctx, text, engine.AskOptions{Retriever: o.Retriever, Mentions: o.Mentions, NoModel: true, Plain: o.Plain}, nil)
	if err != nil {
		return nil, nil, err
	}
	run, err := r.eng.Follow(ctx, planned.Plan, o, nil)
	return run, nil, err
}

// given returns the set's topics as the names in a question; none where the graph has
// none of them.
func (w *world) given(ctx context.Context, q Question) ([]link.Mention, error) {
	ms := []link.Mention{} // not nil, which has them found
	for _, topic := range q.Topics {
		x, _, err := w.ground.Ground(ctx, questions.Question{Text: q.Text, Topics: []string{topic}})
		if err != nil {
			return nil, err
		}
		if len(x.Topics) == 0 || slices.ContainsFunc(ms, func(m link.Mention) bool { return m.Candidates[0].Entity == x.Topics[0] }) {
			continue
		}
		m := link.Mention{Text: topic, Strength: 1}
		for _, s := range x.Spans {
			if !slices.ContainsFunc(ms, func(o link.Mention) bool { return s.Start < o.End && o.Start < s.End }) {
				m.Start, m.End, m.Text = s.Start, s.End, q.Text[s.Start:s.End]
				break
			}
		}
		for _, e := range x.Topics {
			m.Candidates = append(m.Candidates, link.Candidate{Entity: e})
		}
		ms = append(ms, m)
	}
	return ms, nil
}

// among adds to the names that are told those that are linked to one of the entities that
// the question's names are among: "the United States" for "United States of America".
func (w *world) among(q Question, told, linked []link.Mention) []link.Mention {
	var known []kg.EntityID
	for _, key := range q.Among {
		known = append(known, w.names.entities[key]...)
	}
	for _, m := range linked {
		m.Candidates = slices.DeleteFunc(slices.Clone(m.Candidates), func(c link.Candidate) bool { return !slices.Contains(known, c.Entity) })
		if len(m.Candidates) == 0 || slices.ContainsFunc(told, func(o link.Mention) bool {
			return m.Start < o.End && o.Start < m.End || o.Candidates[0].Entity == m.Candidates[0].Entity
		}) {
			continue
		}
		m.Strength = max(1, m.Strength)
		told = append(told, m)
	}
	return told
}
