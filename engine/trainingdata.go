package engine

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"time"

	"cairn/engine/kg"
	"cairn/engine/questions"
	"cairn/engine/retrieve/gnnrag"
	"cairn/internal/wording"
)

const (
	// generatedQuestions is how many questions are made out of a graph where nobody
	// says how many.
	generatedQuestions = 5000
	// heldShare is the share of the questions that is held back, one in so many, and
	// heldAtMost how many at most.
	heldShare, heldAtMost = 10, 2000
)

// gather finds the questions of a training, and says what they are.
func (t *training) gather(ctx context.Context) error {
	find := t.fromFile
	if t.record.Options.File == "" {
		find = t.fromGraph
	}
	if err := find(ctx); err != nil {
		return err
	}
	data := &t.record.Data
	if file := t.record.Options.Held; file != "" {
		var err error
		if t.set.Held, err = t.ground(ctx, file); err != nil {
			return err
		}
		data.About += ", measured on " + filepath.Base(file)
	}
	data.Train, data.Held = len(t.set.Train), min(len(t.set.Held), askedAtMost)
	if data.Train == 0 {
		return t.nothing()
	}
	return t.survey(ctx)
}

// nothing says that no question can be learned from, and why.
func (t *training) nothing() error {
	data := t.record.Data
	if data.DroppedInAll == 0 {
		return fmt.Errorf("%w: there is no question with an answer; a file has one on each line, with the entities that it names and its answers", gnnrag.ErrNothingToLearn)
	}
	return fmt.Errorf("%w: none of %s can be used; the first, of line %d: %s",
		gnnrag.ErrNothingToLearn, wording.Count(data.DroppedInAll, "question", "questions"), data.Dropped[0].Line, data.Dropped[0].Why)
}

// fromFile takes the questions from the file that was named. Some are held back
// where no other file is.
func (t *training) fromFile(ctx context.Context) error {
	o := t.record.Options
	all, err := t.ground(ctx, o.File)
	if err != nil {
		return err
	}
	found := len(all)
	const stream = 0x71756573 // of random numbers: another one than those of the weights
	rand.New(rand.NewPCG(o.Options.Seed, stream)).Shuffle(found, func(i, j int) { all[i], all[j] = all[j], all[i] })
	if o.Held == "" {
		held := min(found/heldShare, heldAtMost)
		t.set.Held, all = all[:held], all[held:]
	}
	of := "of " + filepath.Base(o.File)
	if n := o.Questions; n > 0 && n < len(all) {
		all = all[:n]
		of = fmt.Sprintf("of the %s in %s", wording.Number(found), filepath.Base(o.File))
	}
	t.set.Train = all
	t.record.Data.About = wording.Count(len(all), "question", "questions") + " " + of
	return nil
}

// fromGraph makes questions out of the graph.
func (t *training) fromGraph(ctx context.Context) error {
	o := t.record.Options
	n := o.Questions
	if n == 0 {
		n = generatedQuestions
	}
	t.progress("make questions out of the graph", 0, 0)
	t.set.Train, t.set.Held = t.s.made(ctx, n, o.Options.Seed)
	t.record.Data.About = wording.Count(len(t.set.Train), "question", "questions") + " made out of the graph"
	t.record.Data.HeldMade = o.Held == ""
	if err := ctx.Err(); err != nil || !o.Paraphrase {
		return err
	}
	return t.paraphrase(ctx)
}

const (
	// reworded is how many questions a model words again, evenly from all over, and
	// rewording for how long at most: a small one takes seconds for each.
	reworded  = 400
	rewording = 30 * time.Minute
)

// paraphrase has the model word questions again, and adds them.
func (t *training) paraphrase(ctx context.Context) error {
	m := t.s.model
	if m == nil {
		return ErrNotWordedAgain
	}
	few := spread(t.set.Train, reworded)
	task := fmt.Sprintf("word %s again with %s", wording.Count(len(few), "question", "questions"), m.Name())
	said, err := questions.Paraphrase(ctx, m, t.s.graph, few, questions.ParaphraseOptions{
		MaxWallTime: rewording, Seed: int(t.record.Options.Options.Seed & math.MaxInt32),
	}, func(done, total int64) { t.progress(task, done, total) })
	if err != nil && (ctx.Err() != nil || len(said.Examples) == 0) {
		return err
	}
	t.set.Train = append(t.set.Train, said.Examples...)
	t.record.Data.About += fmt.Sprintf(" and %s of them by %s", wording.Count(len(said.Examples), "other wording", "other wordings"), m.Name())
	return nil
}

// MadeQuestions makes about n questions to train on out of the graph, as a training
// without a file does, and a tenth as many that it is measured on, in other words.
// The same seed gives the same questions.
func (e *Engine) MadeQuestions(ctx context.Context, n int, seed uint64) (train, held []questions.Example, err error) {
	s, err := e.awaitReady(ctx, nil)
	if err != nil {
		return nil, nil, err
	}
	train, held = s.made(ctx, n, seed)
	return train, held, ctx.Err()
}

// made is MadeQuestions for one state of the graph.
func (s *state) made(ctx context.Context, n int, seed uint64) (train, held []questions.Example) {
	made := questions.NewMaker(s.builtin).Teach(ctx, n+n/(heldShare-1), seed)
	return questions.FromGraph(s.graph, made, 1./heldShare, seed)
}

// ground reads a file of questions, and drops those that cannot be used.
func (t *training) ground(ctx context.Context, file string) ([]questions.Example, error) {
	t.progress("read "+filepath.Base(file), 0, 0)
	qs, problems, err := questions.Read(ctx, file, t.record.Options.Format)
	if err != nil {
		return nil, err
	}
	t.drop(file, problems)
	w := questions.NewGrounder(t.s.graph)
	w.Link = func(ctx context.Context, text string) ([]kg.EntityID, []questions.Span, error) {
		ms, err := t.s.linker.Link(ctx, text)
		seeds, used := t.s.seeds(text, ms)
		return seeds, gnnrag.Spans(used), err
	}
	xs, problems, err := w.GroundAll(ctx, qs, func(done, total int64) {
		t.progress("look up the names of "+filepath.Base(file), done, total)
	})
	t.drop(file, problems)
	return xs, err
}

// drop notes questions of a file that cannot be used.
func (t *training) drop(file string, problems []questions.Problem) {
	data := &t.record.Data
	data.DroppedInAll += len(problems)
	for _, p := range problems[:min(droppedShown-len(data.Dropped), len(problems))] {
		if file != t.record.Options.File {
			p.Why = filepath.Base(file) + ": " + p.Why
		}
		data.Dropped = append(data.Dropped, p)
	}
}

func (t *training) progress(task string, done, total int64) {
	if t.ev.Progress != nil {
		t.ev.Progress(task, done, total)
	}
}

const (
	// surveyed is how many questions coverage is measured on, and timed how many the
	// time of an epoch.
	surveyed, timed = 500, 64
	// askedPart is what asking a question takes of what learning from it takes, and
	// askedAtMost how many are asked after an epoch.
	askedPart, askedAtMost = 1. / 2, 500
)

// survey says how well the questions can be answered at all, and how long an epoch
// takes.
func (t *training) survey(ctx context.Context) error {
	data := &t.record.Data
	o := t.record.Options.Options.For(data.Train)
	data.EpochsAtMost = o.Epochs
	if o.Kind != gnnrag.Flow {
		t.progress("look how many answers are within reach", 0, 0)
		var err error
		if data.Coverage, err = gnnrag.MeasureCoverage(ctx, t.s.graph, spread(t.set.Train, surveyed), o.Region); err != nil {
			return err
		}
		data.WithoutAnswer = int((1-data.Coverage.Any)*float64(data.Train) + 0.5)
	}
	return t.time(ctx, o)
}

// time measures how long an epoch takes on a few questions. What goes wrong here
// will go wrong in the training, which says so.
func (t *training) time(ctx context.Context, o gnnrag.Options) error {
	few := spread(t.set.Train, timed)
	if len(few) <= 2*o.Batch {
		return ctx.Err()
	}
	// A model server's vectors are of the questions, which are read once, before the
	// first epoch: what an epoch takes hardly depends on them.
	for i, e := range o.Encoders {
		if e != "tokens" {
			o.Encoders = slices.Clone(o.Encoders)
			o.Encoders[i] = lexicalEncoder
		}
	}
	o.Encoders, o.Epochs, o.Tries = o.Encoders[:1], 2, 1
	t.progress("measure how long an epoch takes", 0, 0)
	all := float64(len(t.set.Train)) + askedPart*float64(min(len(t.set.Held), askedAtMost))
	began := time.Now()
	_, err := gnnrag.Train(ctx, t.world(t.s), few, few[:1], o, nil, &gnnrag.Events{Epoch: func(gnnrag.Epoch) {
		// The first epoch finds everything cold: the second one's time stands.
		t.record.Data.SecondsEpoch = time.Since(began).Seconds() * all / float64(len(few)+1)
		began = time.Now()
	}})
	if err != nil {
		t.opts.Logger.DebugContext(ctx, "an epoch was not timed", slog.String("because", err.Error()))
	}
	return ctx.Err()
}

// spread returns at most n of the examples, evenly from all over.
func spread(xs []questions.Example, n int) []questions.Example {
	if len(xs) <= n {
		return xs
	}
	out := make([]questions.Example, n)
	for i := range out {
		out[i] = xs[i*len(xs)/n]
	}
	return out
}
