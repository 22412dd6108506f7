package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"

	"cairn/engine/gnnrag"
	"cairn/engine/kg"
	"cairn/engine/qa"
)

const (
	// generatedQuestions is how many questions are made out of a graph where nobody
	// says how many.
	generatedQuestions = 2000
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
	data.Train, data.Held = len(t.set.Train), len(t.set.Held)
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
		gnnrag.ErrNothingToLearn, plural(data.DroppedInAll, "question", "questions"), data.Dropped[0].Line, data.Dropped[0].Why)
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
		of = fmt.Sprintf("of the %d in %s", found, filepath.Base(o.File))
	}
	t.set.Train = all
	t.record.Data.About = plural(len(all), "question", "questions") + " " + of
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
	var made []qa.Made
	for _, q := range t.s.builtin.Generate(ctx, n+n/(heldShare-1), o.Options.Seed) {
		made = append(made, qa.Made{Text: q.Text, Topics: q.Topics(), Answers: q.Answers, Chain: q.Chain})
	}
	t.set.Train, t.set.Held = qa.FromGraph(t.s.graph, made, 1./heldShare, o.Options.Seed)
	t.record.Data.About = plural(len(t.set.Train), "question", "questions") + " made out of the graph"
	return ctx.Err()
}

// ground reads a file of questions, and drops those that cannot be used.
func (t *training) ground(ctx context.Context, file string) ([]qa.Example, error) {
	t.progress("read "+filepath.Base(file), 0, 0)
	qs, problems, err := qa.Read(ctx, file, t.record.Options.Format)
	if err != nil {
		return nil, err
	}
	t.drop(problems)
	w := qa.NewGrounder(t.s.graph)
	w.Link = func(ctx context.Context, text string) ([]kg.EntityID, []qa.Span, error) {
		ms, err := t.s.linker.Link(ctx, text)
		x, _ := t.s.seeds(text, ms)
		return x.Topics, x.Spans, err
	}
	xs, problems, err := w.GroundAll(ctx, qs, func(done, total int64) {
		t.progress("look up the names of "+filepath.Base(file), done, total)
	})
	t.drop(problems)
	return xs, err
}

// drop notes questions that cannot be used.
func (t *training) drop(problems []qa.Problem) {
	data := &t.record.Data
	data.DroppedInAll += len(problems)
	room := droppedShown - len(data.Dropped)
	data.Dropped = append(data.Dropped, problems[:min(room, len(problems))]...)
}

func (t *training) progress(task string, done, total int64) {
	if t.ev.Progress != nil {
		t.ev.Progress(task, done, total)
	}
}

// survey says how well the questions can be answered at all, and how long they take.
func (t *training) survey(ctx context.Context) error { return nil }
