package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/gnnrag"
	"cairn/engine/qa"
)

type trainCommand struct {
	GNN trainGNNCommand `cmd:"" name:"gnn" help:"Train a graph neural retriever on a graph, or manage those that it has."`
}

type trainGNNCommand struct {
	Graph string `arg:"" help:"A .cairn file."`

	Questions  string `help:"Learn from this file of questions with answers, gzipped or not." placeholder:"FILE"`
	Format     string `help:"The file's format: csv, metaqa, pathquestion, worldcup or jsonl (default: recognised)." placeholder:"FORMAT"`
	Count      int    `help:"Learn from this many questions of the file, drawn with --seed (default: all)." placeholder:"N"`
	Held       string `help:"Pick the best weights by the questions of this file (default: one question in ten is held back)." placeholder:"FILE"`
	Generated  int    `help:"Learn from this many questions that are made out of the graph, for want of a file (default: 5,000)." placeholder:"N"`
	Paraphrase bool   `help:"Have the model of --model word the made questions again."`
	Name       string `help:"A name for the retriever." placeholder:"TEXT"`
	Seed       uint64 `help:"The seed of the weights, the order and the draw." default:"1"`
	Resume     bool   `help:"Go on with the training that was interrupted."`

	List   bool   `help:"List the retrievers that were trained on the graph." xor:"what"`
	Use    *int64 `help:"Answer with the retriever of this number from now on." placeholder:"NUMBER" xor:"what"`
	Delete *int64 `help:"Delete the retriever of this number." placeholder:"NUMBER" xor:"what"`

	networkFlags
	trainModelFlags
}

// trainModelFlags choose a model that words questions.
type trainModelFlags struct {
	Model string `help:"The Ollama model of --paraphrase, or that answers with --encoder." env:"CAIRN_MODEL" placeholder:"NAME"`

	hostFlags
	contextFlag
}

// Run trains a retriever, or manages those of a graph.
func (c *trainGNNCommand) Run(ctx context.Context, s *session) (err error) {
	o, err := c.trainOptions()
	if err != nil {
		return err
	}
	s.models = modelFlags{Model: c.Model, hostFlags: c.hostFlags, contextFlag: c.contextFlag}
	e, err := s.open(ctx, c.Graph)
	if err != nil {
		return err
	}
	defer closing(e, &err)
	if c.List {
		return s.printTrained(ctx, e)
	}
	if info, err := e.Info(ctx); err != nil {
		return err
	} else if info.ReadOnly {
		return inputError(fmt.Sprintf("train on %s: it may only be read, so that no retriever can be kept; copy it to a folder of your own and train on the copy", c.Graph))
	}
	switch {
	case c.Use != nil:
		if err := c.known(ctx, e, *c.Use); err != nil {
			return err
		}
		if err := e.UseTrained(ctx, *c.Use); err != nil {
			return err
		}
		return s.printTrained(ctx, e)
	case c.Delete != nil:
		if err := c.known(ctx, e, *c.Delete); err != nil {
			return err
		}
		if err := e.DeleteTrained(ctx, *c.Delete); err != nil {
			return err
		}
		return s.printTrained(ctx, e)
	}
	if c.Paraphrase {
		if err := s.models.use(e, s); err != nil {
			return err
		}
	}
	return c.train(ctx, s, e, o)
}

// trainOptions checks the flags against each other before anything is opened.
func (c *trainGNNCommand) trainOptions() (engine.TrainOptions, error) {
	o := engine.TrainOptions{
		File: c.Questions, Format: c.Format, Questions: cmp.Or(c.Count, c.Generated), Held: c.Held, Paraphrase: c.Paraphrase,
		Resume: c.Resume, Name: c.Name,
	}
	var err error
	if o.Options, err = c.options(); err != nil {
		return o, err
	}
	o.Options.Seed = c.Seed
	switch {
	case c.Questions != "" && c.Generated != 0:
		return o, usageError("--questions and --generated are two ways to get questions; choose one")
	case c.Resume && (c.Questions != "" || c.Generated != 0):
		return o, usageError("--resume goes on with the questions that the training began with; leave out --questions and --generated")
	case c.Resume && (c.given() || c.Held != "" || c.Name != "" || c.Paraphrase):
		return o, usageError("--resume goes on with the network and the choices that the training began with; leave out the others")
	case c.Questions == "" && (c.Format != "" || c.Count != 0):
		return o, usageError("--format and --count are of a file; name it with --questions FILE")
	case c.Count < 0 || c.Generated < 0:
		return o, usageError("the number of questions cannot be below 0")
	case c.Paraphrase && c.Questions != "":
		return o, usageError("--paraphrase words questions that are made out of the graph, not those of a file")
	case c.Paraphrase && c.Model == "":
		return o, usageError("--paraphrase needs --model NAME")
	}
	if err := formatKnown(c.Format); err != nil {
		return o, err
	}
	for _, file := range []string{c.Questions, c.Held} {
		if file == "" {
			continue
		}
		if err := exists("read questions from", file, "check how the name is written"); err != nil {
			return o, err
		}
	}
	return o, nil
}

func formatKnown(format string) error {
	for _, f := range qa.Formats {
		if format == "" || format == f {
			return nil
		}
	}
	return usageError(fmt.Sprintf("there is no format %q of questions; choose from %s", format, strings.Join(qa.Formats, ", ")))
}

// known says in words that a graph has no retriever of that number.
func (c *trainGNNCommand) known(ctx context.Context, e *engine.Engine, id int64) error {
	models, err := e.Trained(ctx)
	if err != nil {
		return err
	}
	for _, m := range models {
		if m.ID == id {
			return nil
		}
	}
	return usageError(fmt.Sprintf("the graph has no retriever %d; `cairn train gnn %s --list` shows what it has", id, c.Graph))
}

func (c *trainGNNCommand) train(ctx context.Context, s *session, e *engine.Engine, o engine.TrainOptions) error {
	unfinished, err := e.Unfinished(ctx)
	if err != nil {
		return err
	}
	if o.Resume && unfinished == "" {
		return usageError("no training on this graph was interrupted; leave out --resume")
	}
	if !o.Resume && unfinished != "" {
		s.note("This begins anew, and drops the training that was interrupted: %s", unfinished)
	}
	var data engine.TrainingData
	m, err := e.Train(ctx, o, &engine.TrainEvents{
		Data: func(d engine.TrainingData) {
			data = d
			s.noteData(d)
			for _, note := range d.Coverage.Notes(e.Graph(), o.Options.Region) {
				s.note("%s", note)
			}
		},
		Epoch:    func(x gnnrag.Epoch) { s.note("%s", epochText(x)) },
		Progress: func(task string, done, total int64) { s.meter.show(present.ProgressText(task, done, total, false)) },
	})
	if errors.Is(err, context.Canceled) {
		if m.ID != 0 {
			s.note("The best weights so far are kept as retriever %d.", m.ID)
		}
		if left, leftErr := e.Unfinished(context.WithoutCancel(ctx)); leftErr == nil && left != "" {
			s.note("Go on with: cairn train gnn %s --resume", quotedPath(c.Graph))
		}
	}
	if err != nil {
		return err
	}
	if s.json {
		return s.printJSON(struct {
			engine.TrainedModel

			Data dataResult `json:"data"`
		}{m, dataResultOf(data)})
	}
	s.printf("%s\n", trainedSentence(m))
	rows := [][]string{{"learnt from", m.About.Data}}
	if x := m.About.Coverage; x != (gnnrag.Coverage{}) {
		rows = append(rows, []string{"answers within reach", fmt.Sprintf("%.1f %% of them, some for %.1f %% of the questions", 100*x.Share, 100*x.Any)})
	}
	s.table("  ", append(rows, [][]string{
		{"epochs", present.Count(m.About.Epochs), triesText(m.About)},
		{"weights", present.Count(m.About.Weights), present.Bytes(m.Bytes)},
	}...))
	s.printf("Ask with it: cairn ask %s --retriever gnn \"…\"\n", quotedPath(c.Graph))
	return nil
}

// note writes a line of what is going on to the standard error.
func (s *session) note(format string, args ...any) {
	s.meter.clear()
	fmt.Fprintln(s.Stderr, present.Printable(fmt.Sprintf(format, args...)))
}

// shownDropped is how many questions that cannot be used are listed.
const shownDropped = 5

// noteData says what is learnt from.
func (s *session) noteData(d engine.TrainingData) {
	if d.Held > 0 {
		s.note("Learning from %s; %s more pick the best weights.", d.About, present.Count(d.Held))
	} else {
		s.note("Learning from %s; none was held back, so that what follows is measured on the very questions it learns from.", d.About)
	}
	if d.DroppedInAll > 0 {
		s.note("%s cannot be used:", present.Plural(d.DroppedInAll, "question", "questions"))
		for i, p := range d.Dropped {
			if i == shownDropped {
				break
			}
			where := ""
			if p.Line > 0 {
				where = "line " + strconv.Itoa(p.Line) + ": "
			}
			s.note("  %s%s", where, p.Why)
		}
		if more := d.DroppedInAll - min(shownDropped, len(d.Dropped)); more > 0 {
			s.note("  … and %s", present.Plural(more, "more", "more"))
		}
	}
	if d.Coverage != (gnnrag.Coverage{}) {
		s.note("Within reach are all right answers of %.1f %% of the questions, some of %.1f %%; a region has %.0f entities and %.0f triples on average.",
			100*d.Coverage.All, 100*d.Coverage.Any, d.Coverage.Entities, d.Coverage.Facts)
	}
	if d.WithoutAnswer > 0 {
		s.note("%s have no answer within reach and teach nothing.", present.Plural(d.WithoutAnswer, "question", "questions"))
	}
	if d.SecondsEpoch > 0 {
		s.note("An epoch takes about %s; there are %d at most.", present.Elapsed(time.Duration(d.SecondsEpoch*float64(time.Second))), d.EpochsAtMost)
	}
}

// epochText is one line of a training.
func epochText(x gnnrag.Epoch) string {
	var b strings.Builder
	if x.Networks > 1 {
		fmt.Fprintf(&b, "network %d of %d, ", x.Network, x.Networks)
	}
	if x.Try > 1 {
		fmt.Fprintf(&b, "try %d, ", x.Try)
	}
	fmt.Fprintf(&b, "epoch %d of %d: loss %.4f", x.Epoch, x.Epochs, x.Loss)
	if d := x.Dev; d != nil {
		fmt.Fprintf(&b, ", Hits@1 %.1f, Hit %.1f, F1 %.1f", 100*d.H1, 100*d.Hit, 100*d.F1)
	}
	if x.Best {
		b.WriteString(", the best so far")
	}
	if x.Stalled {
		b.WriteString("; it does not get on, and is begun again with another seed")
	}
	return b.String()
}

// trainedSentence says what came out.
func trainedSentence(m engine.TrainedModel) string {
	text := fmt.Sprintf("Trained in %s, and in use: %s, number %d.", present.Elapsed(time.Duration(m.About.Seconds*float64(time.Second))), m.Name, m.ID)
	if m.About.Held == 0 {
		return text + " No question was held back, so that nothing is known of how good it is."
	}
	return text + " " + present.Sentence(devText(m.About))
}

// devText says how good a network was on the questions that picked its weights.
func devText(a gnnrag.About) string {
	if a.Held == 0 {
		return "not measured"
	}
	return fmt.Sprintf("Hits@1 %.1f, Hit %.1f, F1 %.1f on %s held back", 100*a.Dev.H1, 100*a.Dev.Hit, 100*a.Dev.F1, present.Plural(a.Held, "question", "questions"))
}

// triesText says that trainings were begun again; empty where none was.
func triesText(a gnnrag.About) string {
	again := a.Tries - max(1, len(a.Options.Encoders))
	if again < 1 {
		return ""
	}
	return fmt.Sprintf("begun again %s, for a training stalled", present.Plural(again, "time", "times"))
}

// quotedPath is a path as a shell reads it.
func quotedPath(path string) string {
	if strings.ContainsAny(path, " '\"$&()*?<>|;\\") {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}

// dataResult is what was learnt from, in JSON.
type dataResult struct {
	About         string          `json:"about"`
	Train         int             `json:"train"`
	Held          int             `json:"held"`
	Dropped       []droppedResult `json:"dropped,omitempty"`
	DroppedInAll  int             `json:"dropped_in_all"`
	WithoutAnswer int             `json:"without_answer"`
	Coverage      gnnrag.Coverage `json:"coverage"`
}

type droppedResult struct {
	Line int    `json:"line,omitempty"`
	Why  string `json:"why"`
}

func dataResultOf(d engine.TrainingData) dataResult {
	r := dataResult{About: d.About, Train: d.Train, Held: d.Held, DroppedInAll: d.DroppedInAll, WithoutAnswer: d.WithoutAnswer, Coverage: d.Coverage}
	for _, p := range d.Dropped {
		r.Dropped = append(r.Dropped, droppedResult{p.Line, p.Why})
	}
	return r
}

// printTrained lists the retrievers that were trained on a graph.
func (s *session) printTrained(ctx context.Context, e *engine.Engine) error {
	models, err := e.Trained(ctx)
	if err != nil {
		return err
	}
	unfinished, err := e.Unfinished(ctx)
	if err != nil {
		return err
	}
	if s.json {
		return s.printJSON(struct {
			Trained    []engine.TrainedModel `json:"trained"`
			Unfinished string                `json:"unfinished,omitempty"`
		}{append([]engine.TrainedModel{}, models...), unfinished})
	}
	if len(models) == 0 {
		s.printf("No retriever was trained on this graph yet.\n")
	}
	s.tableTrained(models)
	if unfinished != "" {
		s.printf("Interrupted, and can be gone on with (--resume): %s\n", unfinished)
	}
	return nil
}

// tableTrained prints one row a retriever, and below it what is wrong with it.
func (s *session) tableTrained(models []engine.TrainedModel) {
	rows := make([][]string, 0, len(models))
	for _, m := range models {
		state := ""
		if m.InUse {
			state = "in use"
		}
		if m.Stale != "" {
			state = strings.TrimPrefix(state+", older than the graph", ", ")
		}
		if m.Problem != "" {
			state = m.Problem
		}
		rows = append(rows, []string{
			strconv.FormatInt(m.ID, 10), m.Name, devText(m.About),
			m.About.Made.UTC().Format(time.DateTime), present.Bytes(m.Bytes), state,
		})
	}
	s.table("  ", rows)
	for _, m := range models {
		if m.Stale != "" && m.InUse {
			s.printf("%s\n", m.Stale)
		}
	}
}
