package scoring

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/nn"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/around"
	"cairn/engine/retrieve/gnnrag"
	"cairn/engine/retrieve/learn"
	"cairn/internal/wording"
)

const (
	// lessonsAtMost is how many questions are learned from, and heldAtMost how many are
	// measured on after each epoch: each is kept with its triples.
	lessonsAtMost, heldAtMost = 2000, 200
	// visits is how many questions are learned from in all, and batch how many make a step.
	visits, batch = 10_000, 8
)

// Train trains a network on the triples of the shortest ways from what questions name to
// their answers.
func (Method) Train(ctx context.Context, t retrieve.Training) ([]byte, error) {
	var o options
	if err := t.Read(&o); err != nil {
		return nil, err
	}
	o.Hops, o.Rate = cmp.Or(o.Hops, 3), cmp.Or(o.Rate, 2e-3)
	tr := &training{Training: t, options: o, cutter: gnnrag.NewCutter(t.World.Graph, o.region()), vocabulary: learn.NewVocabulary(t.Train, t.World.Graph)}
	if err := tr.prepare(ctx); err != nil {
		return nil, err
	}
	o.Epochs = cmp.Or(o.Epochs, min(max(visits/len(tr.lessons), 5), 40))
	out, failed := learn.Course{
		Form: form, Print: learn.Fingerprint(t.World.Graph, t.Train, t.Held, []any{o, t.Seed}), Parts: []string{"triples"},
		Questions: len(tr.lessons), Epochs: o.Epochs, Batch: batch, Tries: 1, Seed: t.Seed,
		Rate: func(step, steps int) float64 { return o.Rate * (1 - 0.9*float64(step)/float64(steps)) },
		New: func(_ context.Context, _ string, seed uint64) (learn.Network, error) {
			return trainee{newScorer(t.World.Graph, tr.vocabulary, seed), tr}, nil
		},
		Events: t.TrainingEvents,
	}.Run(ctx, t.State)
	if len(out.Networks) == 0 {
		return nil, failed
	}
	m := &model{Options: o, Vocabulary: tr.vocabulary, weights: out.Networks[0].Weights}
	m.About = retrieve.About{
		Title: "Scored triples", Notes: tr.notes, Chosen: retrieve.Values{"reach": fmt.Sprint(o.Hops)}, Data: t.Data, HeldMade: t.HeldMade,
		Questions: len(tr.lessons), Held: min(len(t.Held), heldAtMost), Dev: out.Networks[0].Dev, Reach: &tr.reach,
		Weights: newScorer(t.World.Graph, tr.vocabulary, 0).params.Len(), Made: time.Now().UTC().Truncate(time.Millisecond),
		Seconds: out.Seconds, Epochs: out.Epochs, Tries: out.Tries,
	}
	weights, err := form.Pack(m, m.weights)
	return weights, errors.Join(failed, err)
}

type training struct {
	retrieve.Training

	options    options
	cutter     *gnnrag.Cutter
	vocabulary *learn.Vocabulary
	lessons    []*lesson
	held       []*lesson
	reach      retrieve.Reach
	notes      []string
}

// lesson is a question with its triples, and which of these lead to its answers.
type lesson struct {
	input

	answers     []kg.EntityID
	onWay, last []float32 // by triple, each adds up to 1; nil where none does
}

// prepare makes the questions ready, drops those that teach nothing, and says which.
func (tr *training) prepare(ctx context.Context) (err error) {
	reader := newScorer(tr.World.Graph, tr.vocabulary, 0)
	train := questions.Spread(tr.Train, lessonsAtMost)
	if tr.lessons, err = tr.read(ctx, reader, train); err != nil {
		return err
	}
	tr.lessons = slices.DeleteFunc(tr.lessons, func(x *lesson) bool { return x.last == nil })
	if len(tr.lessons) == 0 {
		return fmt.Errorf("%w: none of %d questions has an answer within reach of the entities it names", retrieve.ErrNothingToLearn, len(tr.Train))
	}
	if n := len(tr.Train) - len(train); n > 0 {
		tr.notes = append(tr.notes, fmt.Sprintf("It learns from %s of the questions, spread over all of them.", wording.Number(len(train))))
	}
	if n := len(train) - len(tr.lessons); n > 0 {
		tr.notes = append(tr.notes, fmt.Sprintf("%s of %s have no answer within reach, so nothing is learned from them.", wording.Number(n), wording.Count(len(train), "question", "questions")))
	}
	if tr.Notes != nil && len(tr.notes) > 0 {
		tr.Notes(tr.notes)
	}
	held := tr.Held
	if len(held) == 0 {
		held = tr.Train
	}
	held = questions.Spread(held, heldAtMost)
	if tr.held, err = tr.read(ctx, reader, held); err != nil {
		return err
	}
	c, err := gnnrag.MeasureCoverage(ctx, tr.World.Graph, held, tr.options.region())
	tr.reach = retrieve.Reach{Any: c.Any, All: c.All, Share: c.Share}
	return err
}

// read looks up the triples of questions, on all cores.
func (tr *training) read(ctx context.Context, s *scorer, xs []questions.Example) ([]*lesson, error) {
	out := make([]*lesson, len(xs))
	err := learn.Each(ctx, len(xs), func(i int) {
		cut, err := tr.cutter.Cut(ctx, xs[i].Topics)
		if err != nil {
			return // cancelled, which each reports
		}
		out[i] = &lesson{input: s.read(xs[i], around.In(cut)), answers: xs[i].Answers}
		out[i].label()
	}, func(done int) {
		if tr.Progress != nil {
			tr.Progress("look up the triples", int64(done), int64(len(xs)))
		}
	})
	return out, err
}

// label marks the triples on the shortest ways from the seeds to the answers, and the last
// ones on them (the paper's weak supervision).
func (x *lesson) label() {
	on := make([]bool, len(x.Entities)) // on a way, or an answer
	gold := make([]bool, len(x.Entities))
	most := int32(0)
	for i, e := range x.Entities {
		if kg.Holds(x.answers, e) && x.Far[i] > 0 {
			on[i], gold[i], most = true, true, max(most, x.Far[i])
		}
	}
	if most == 0 {
		return
	}
	x.onWay, x.last = make([]float32, len(x.Facts)), make([]float32, len(x.Facts))
	for far := most; far > 0; far-- {
		for i, f := range x.Facts {
			for _, l := range x.Leads(f) {
				if x.Far[l.To] != far || x.Far[l.From] != far-1 || !on[l.To] {
					continue
				}
				on[l.From], x.onWay[i] = true, 1
				if gold[l.To] {
					x.last[i] = 1
				}
			}
		}
	}
	even(x.onWay)
	even(x.last)
}

// even makes numbers add up to 1.
func even(xs []float32) {
	var sum float32
	for _, x := range xs {
		sum += x
	}
	for i := range xs {
		xs[i] /= sum
	}
}

// trainee is a network with what it learns from.
type trainee struct {
	*scorer

	of *training
}

func (t trainee) Params() *nn.Params { return t.params }

// Loss is the divergence of both choices from the marks of the question.
func (t trainee) Loss(tape *nn.Tape, i int) *nn.Tensor {
	x := t.of.lessons[i]
	onWay, last := t.scores(tape, &x.input)
	return tape.Add(tape.KL(onWay, x.onWay, nil), tape.KL(last, x.last, nil))
}

// Measure asks the held questions.
func (t trainee) Measure(ctx context.Context) (retrieve.Metrics, error) {
	each := make([]retrieve.Metrics, len(t.of.held))
	err := learn.Each(ctx, len(each), func(i int) {
		x := t.of.held[i]
		found := wording.Each(t.score(&x.input).answers, func(a evidence.Answer) kg.EntityID { return a.Entity })
		each[i] = learn.Score(found, x.answers)
	}, nil)
	return learn.Mean(each), err
}
