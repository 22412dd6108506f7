package train

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"path/filepath"
	"time"

	"cairn/engine/llm"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/learn"
	"cairn/internal/wording"
)

// Data is what a training learns from.
type Data struct {
	// About says it in words: "1,000 questions of train.txt".
	About        string              `json:"about"`
	Train        int                 `json:"train"`                    // questions
	Held         int                 `json:"held"`                     // questions that it is measured on; of more that are held back, 500
	HeldMade     bool                `json:"held_made,omitempty"`      // these were made from the graph like those that it learns from
	Dropped      []questions.Problem `json:"dropped,omitempty"`        // questions that could not be used, with the reason
	DroppedInAll int                 `json:"dropped_in_all,omitempty"` // Dropped lists the first ones
	SecondsEpoch float64             `json:"seconds_epoch"`            // estimated time of one epoch; 0 where it is not known
}

const (
	// generatedQuestions is how many questions are made out of a graph where nobody
	// says how many.
	generatedQuestions = 5000
	// HeldShare is the share of the questions that is held back, one in so many, and
	// heldAtMost how many at most.
	HeldShare, heldAtMost = 10, 2000
	// droppedShown is how many questions that could not be used are listed.
	droppedShown = 20
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
	if t.record.Options.Assist {
		if err := t.assist(ctx); err != nil {
			return err
		}
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
	return t.time(ctx)
}

// nothing says that no question can be learned from, and why.
func (t *training) nothing() error {
	data := t.record.Data
	if data.DroppedInAll == 0 {
		return fmt.Errorf("%w: there is no question with an answer; each line of a file must have a question, the entities it names and its answers", retrieve.ErrNothingToLearn)
	}
	return fmt.Errorf("%w: none of %s can be used; the first, on line %d: %s",
		retrieve.ErrNothingToLearn, wording.Count(data.DroppedInAll, "question", "questions"), data.Dropped[0].Line, data.Dropped[0].Why)
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
	rand.New(rand.NewPCG(o.Seed, stream)).Shuffle(found, func(i, j int) { all[i], all[j] = all[j], all[i] })
	if o.Held == "" {
		held := min(found/HeldShare, heldAtMost)
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

func (t *training) fromGraph(ctx context.Context) error {
	o := t.record.Options
	n := cmp.Or(o.Questions, generatedQuestions)
	t.progress("generate questions from the graph", 0, 0)
	t.set.Train, t.set.Held = t.Make(ctx, n, o.Seed)
	t.record.Data.About = wording.Count(len(t.set.Train), "question", "questions") + " generated from the graph"
	t.record.Data.HeldMade = o.Held == ""
	return ctx.Err()
}

const (
	// assisted is how many questions a model helps with, evenly from all over, and
	// assisting for how long at most: a small one takes seconds for each.
	assisted  = 400
	assisting = 30 * time.Minute
	// framesEach is how many questions about one relation and direction a model is given
	// to word, as many as in GSR.
	framesEach = 10
	// chainSteps is the most steps of the chains that a model chooses among, unless the
	// method has an option for it.
	chainSteps = 3
)

// assist has the model help with the questions: see Options.Assist.
func (t *training) assist(ctx context.Context) error {
	m := t.Source.Model
	if m == nil {
		return ErrNoModel
	}
	if t.record.Options.File == "" {
		return t.reword(ctx, m, t.set.Train, "of them")
	}
	if t.method.Info().Reads {
		if err := t.choose(ctx, m); err != nil {
			return err
		}
	}
	g := t.World.Graph
	each := max(1, min(framesEach, assisted/max(1, 2*g.Relations())))
	return t.reword(ctx, m, questions.Frames(g, each, t.record.Options.Seed), "of relations' names")
}

// inquiry are the options of what the model is asked about the questions.
func (t *training) inquiry() questions.InquiryOptions {
	return questions.InquiryOptions{MaxWallTime: assisting, Seed: int(t.record.Options.Seed & math.MaxInt32)}
}

// reword has the model word questions again, and adds these wordings; of says of what.
func (t *training) reword(ctx context.Context, m llm.Model, xs []questions.Example, of string) error {
	few := questions.Spread(xs, assisted)
	task := fmt.Sprintf("reword %s with %s", wording.Count(len(few), "question", "questions"), m.Name())
	said, err := questions.Paraphrase(ctx, m, t.World.Graph, few, t.inquiry(), func(done, total int64) { t.progress(task, done, total) })
	if err != nil && (ctx.Err() != nil || len(said.Examples) == 0) {
		return err
	}
	t.set.Train = append(t.set.Train, said.Examples...)
	t.record.Data.About += fmt.Sprintf(" and %s %s by %s", wording.Count(len(said.Examples), "other wording", "other wordings"), of, m.Name())
	return nil
}

// choose has the model say which chain questions ask for, where several lead to their
// answers. Of which it says nothing of use keep all.
func (t *training) choose(ctx context.Context, m llm.Model) error {
	w := learn.Walkers{Graph: t.World.Graph, Returns: learn.Return(t.set.Train)}
	all := int64(len(t.set.Train))
	doubts, err := w.Doubts(ctx, t.set.Train, cmp.Or(t.record.Options.Chosen.Int("steps"), chainSteps), func(done int) { t.progress("find the chains that lead to answers", int64(done), all) })
	if err != nil {
		return err
	}
	doubts = questions.Spread(doubts, assisted)
	task := fmt.Sprintf("choose among the chains of %s with %s", wording.Count(len(doubts), "question", "questions"), m.Name())
	chosen, err := questions.Choose(ctx, m, t.World.Graph, doubts, t.inquiry(), func(done, total int64) { t.progress(task, done, total) })
	n := 0
	for i, d := range doubts {
		if c := chosen[i]; c >= 0 {
			d.Example.Legs = []questions.Leg{{Entity: d.Example.Topics[0], Steps: d.Chains[c]}}
			n++
		}
	}
	if err != nil && (ctx.Err() != nil || n == 0) {
		return err
	}
	if n > 0 {
		t.record.Data.About += fmt.Sprintf(", the chains of %s chosen by %s,", wording.Number(n), m.Name())
	}
	return nil
}

// ground reads a file of questions, and drops those that cannot be used.
func (t *training) ground(ctx context.Context, file string) ([]questions.Example, error) {
	t.progress("read "+filepath.Base(file), 0, 0)
	qs, problems, err := questions.Read(ctx, file, t.record.Options.Format)
	if err != nil {
		return nil, err
	}
	t.note(file, problems)
	w := questions.NewGrounder(t.World.Graph)
	w.Link = t.Seeds
	xs, problems, err := w.GroundAll(ctx, qs, func(done, total int64) {
		t.progress("look up the names of "+filepath.Base(file), done, total)
	})
	t.note(file, problems)
	return xs, err
}

// note notes questions of a file that cannot be used.
func (t *training) note(file string, problems []questions.Problem) {
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
	// timed is how many questions the time of an epoch is measured on; fewer than
	// timedLeast are not worth it.
	timed, timedLeast = 64, 17
	// askedPart is what asking a question takes of what learning from it takes, and
	// askedAtMost how many are asked after an epoch.
	askedPart, askedAtMost = 1. / 2, 500
)

// time measures how long an epoch takes on a few questions. What goes wrong here
// will go wrong in the training, which says so.
func (t *training) time(ctx context.Context) error {
	r := t.request()
	r.Train = questions.Spread(r.Train, timed)
	if len(r.Train) < timedLeast {
		return ctx.Err()
	}
	r.Held = r.Train[:1]
	t.progress("measure how long an epoch takes", 0, 0)
	all := float64(len(t.set.Train)) + askedPart*float64(min(len(t.set.Held), askedAtMost))
	few, stop := context.WithCancel(ctx)
	defer stop()
	began, epochs := time.Now(), 0
	r.Epoch = func(retrieve.Epoch) {
		// The first epoch finds everything cold: the second one's time stands.
		t.record.Data.SecondsEpoch = time.Since(began).Seconds() * all / float64(len(r.Train)+1)
		began = time.Now()
		if epochs++; epochs == 2 {
			stop()
		}
	}
	if _, err := t.method.Train(few, r); err != nil && epochs < 2 {
		t.Log.DebugContext(ctx, "an epoch was not timed", slog.String("because", err.Error()))
	}
	return ctx.Err()
}
