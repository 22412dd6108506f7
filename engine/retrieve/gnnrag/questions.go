package gnnrag

import (
	"context"
	"fmt"
	"slices"

	"cairn/engine/nn"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/learn"
	"cairn/internal/wording"
)

// regionsAtMost is how many regions are kept during a training. One of MetaQA takes
// 0.1 MB with its messages; where there are more, they are cut out again whenever
// they are needed, which takes a fifth of the time that learning from one does.
const regionsAtMost = 4_000

// dataSet holds the questions of a training, made ready.
type dataSet struct {
	cutter     *Cutter // nil for networks that look at the whole graph
	train, dev []*question
	coverage   Coverage
}

// question is an example with what was made of it.
type question struct {
	questions.Example
	example
	kept bool // its region is
}

// prepare makes the questions ready, drops those that teach nothing, and says how
// much of the answers lies in reach.
func (tr *training) prepare(ctx context.Context, train, held []questions.Example) error {
	tr.data = &dataSet{}
	if tr.o.Kind != Flow {
		tr.data.cutter = NewCutter(tr.world.Graph, tr.o.Region)
	}
	tr.vocab = learn.NewVocabulary(train, tr.world.Graph)
	var err error
	if tr.data.train, err = tr.data.take(ctx, train, tr.ev.Progress); err != nil {
		return err
	}
	tr.data.train = slices.DeleteFunc(tr.data.train, func(q *question) bool { return !q.teaches(tr.data.cutter != nil) })
	if len(tr.data.train) == 0 {
		return fmt.Errorf("%w: none of %d questions has an answer within reach of the entities it names", retrieve.ErrNothingToLearn, len(train))
	}
	var notes []string
	if n := len(train) - len(tr.data.train); n > 0 {
		notes = append(notes, fmt.Sprintf("%s of %s have no answer within reach, so nothing is learned from them.", wording.Number(n), wording.Count(len(train), "question", "questions")))
	}
	if tr.held = min(len(held), learn.DevAtMost); tr.held == 0 {
		held = train
	}
	tr.data.dev, err = tr.data.take(ctx, questions.Spread(held, learn.DevAtMost), nil)
	if err != nil {
		return err
	}
	if tr.data.cutter != nil {
		if tr.data.coverage, err = MeasureCoverage(ctx, tr.world.Graph, questions.Spread(held, learn.DevAtMost), tr.o.Region); err != nil {
			return err
		}
		notes = slices.Concat(notes, []string{tr.data.coverage.text()}, tr.data.coverage.notes(tr.world.Graph, tr.o.Region))
	}
	if tr.ev.Notes != nil && len(notes) > 0 {
		tr.ev.Notes(notes)
	}
	return nil
}

// teaches reports whether a network can learn from the question.
func (q *question) teaches(inRegion bool) bool {
	if len(q.seeds) == 0 || len(q.answers) == 0 {
		return false
	}
	return !inRegion || len(q.gold) > 0
}

// take cuts out the regions of examples, on all cores.
func (d *dataSet) take(ctx context.Context, xs []questions.Example, progress func(string, int64, int64)) ([]*question, error) {
	out := make([]*question, len(xs))
	err := learn.Each(ctx, len(xs), func(i int) {
		q := &question{Example: xs[i]}
		q.seeds, q.answers = xs[i].Topics, xs[i].Answers
		out[i] = q
		if d.cutter == nil || len(q.seeds) == 0 {
			return
		}
		r, err := d.cutter.Cut(ctx, q.seeds)
		if err != nil {
			return // cancelled, which each reports
		}
		q.place(r)
		if q.kept = len(xs) <= regionsAtMost; !q.kept {
			q.region = nil
		}
	}, func(done int) {
		if progress != nil {
			progress("cut out regions", int64(done), int64(len(xs)))
		}
	})
	return out, err
}

func (x *example) place(r *Region) {
	x.region, x.gold = r, nil
	for i, e := range r.Entities[r.Seeds:] {
		if _, ok := slices.BinarySearch(x.answers, e); ok {
			x.gold = append(x.gold, int32(r.Seeds+i))
		}
	}
}

func (d *dataSet) read(ctx context.Context, enc encoder, progress func(string, int64, int64)) error {
	for n, qs := range [][]*question{d.train, d.dev} {
		for i, q := range qs {
			var err error
			if q.words, err = enc.words(ctx, q.Example); err != nil {
				return fmt.Errorf("read the words of the questions: %w", err)
			}
			if progress != nil && n == 0 && i%256 == 0 {
				progress("read the questions", int64(i), int64(len(qs)))
			}
		}
	}
	return nil
}

func (d *dataSet) ready(q *question) *example {
	if d.cutter == nil || q.kept {
		return &q.example
	}
	x := q.example
	if r, err := d.cutter.Cut(context.Background(), x.seeds); err == nil { // it fails only where it is cancelled
		x.place(r)
	}
	return &x
}

// measure asks a network and scores its answers.
func (d *dataSet) measure(ctx context.Context, m *member, qs []*question) (retrieve.Metrics, error) {
	return measured(ctx, qs, func(q *question) ([]scored, error) {
		t := m.tape()
		defer m.tapes.Put(t)
		return m.net.scores(t, d.ready(q)), nil
	})
}

// measured scores answers to questions; one that cannot be asked has none.
func measured(ctx context.Context, qs []*question, ask func(q *question) ([]scored, error)) (retrieve.Metrics, error) {
	each1 := make([]retrieve.Metrics, len(qs))
	err := learn.Each(ctx, len(qs), func(i int) {
		if len(qs[i].seeds) == 0 {
			return
		}
		if scores, err := ask(qs[i]); err == nil {
			each1[i] = learn.Score(entities(answersOf(scores, answersAtMost)), qs[i].answers)
		}
	}, nil)
	return learn.Mean(each1), err
}

// tape returns a tape that does not train.
func (m *member) tape() *nn.Tape {
	t, _ := m.tapes.Get().(*nn.Tape)
	if t == nil {
		t = nn.NewTape(m.net.params())
	}
	t.Begin(false, 0)
	return t
}
