package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/questions"
	"cairn/engine/retrieve/gnnrag"
)

type trainCommand struct {
	GNN trainGNNCommand `cmd:"" name:"gnn" help:"Train a graph neural retriever on a graph, or manage those that it has."`
}

type trainGNNCommand struct {
	Graph string `arg:"" help:"A .cairn file."`

	Questions  string `help:"Learn from this file of questions with answers, gzipped or not." placeholder:"FILE"`
	Format     string `help:"The file's format: csv, metaqa, pathquestion, worldcup or jsonl (default: recognised)." placeholder:"FORMAT"`
	Count      int    `help:"Learn from this many questions of the file, drawn with --seed (default: all)." placeholder:"N"`
	Held       string `help:"Choose the best weights by the questions of this file (default: one question in ten is held back)." placeholder:"FILE"`
	Generated  int    `help:"Learn from this many questions made from the graph, if there is no file (default: 5,000)." placeholder:"N"`
	Paraphrase bool   `help:"Have the model of --model reword the questions made from the graph."`
	Name       string `help:"A name for the retriever." placeholder:"TEXT"`
	Seed       uint64 `help:"The seed of the weights, the order and the draw." default:"1"`
	Resume     bool   `help:"Resume the interrupted training."`

	List   bool   `help:"List the retrievers that were trained on the graph." xor:"what"`
	Use    *int64 `help:"Answer with the retriever of this number from now on." placeholder:"NUMBER" xor:"what"`
	Delete *int64 `help:"Delete the retriever of this number." placeholder:"NUMBER" xor:"what"`

	command.NetworkFlags
	trainModelFlags
}

// trainModelFlags choose a model that words questions.
type trainModelFlags struct {
	Model string `help:"The Ollama model of --paraphrase, or that answers with --encoder." env:"CAIRN_MODEL" placeholder:"NAME"`

	command.HostFlags
	command.ContextFlag
}

// Run trains a retriever, or manages those of a graph.
func (c *trainGNNCommand) Run(ctx context.Context, s *session) (err error) {
	o, err := c.trainOptions()
	if err != nil {
		return err
	}
	s.models = command.ModelFlags{Model: c.Model, HostFlags: c.HostFlags, ContextFlag: c.ContextFlag}
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
		return command.InputError(fmt.Sprintf("train on %s: it is read-only, so no retriever can be saved; copy it to a folder of your own and train on the copy", c.Graph))
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
		if err := s.models.Use(e, s.Log); err != nil {
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
	if o.Options, err = c.Options(); err != nil {
		return o, err
	}
	o.Options.Seed = c.Seed
	switch {
	case c.Questions != "" && c.Generated != 0:
		return o, command.UsageError("--questions and --generated exclude each other; choose one")
	case c.Resume && (c.Questions != "" || c.Generated != 0):
		return o, command.UsageError("--resume uses the questions that the training began with; leave out --questions and --generated")
	case c.Resume && (c.Given() || c.Held != "" || c.Name != "" || c.Paraphrase):
		return o, command.UsageError("--resume uses the network and the choices that the training began with; leave out the others")
	case c.Questions == "" && (c.Format != "" || c.Count != 0):
		return o, command.UsageError("--format and --count are of a file; name it with --questions FILE")
	case c.Count < 0 || c.Generated < 0:
		return o, command.UsageError("the number of questions cannot be below 0")
	case c.Paraphrase && c.Questions != "":
		return o, command.UsageError("--paraphrase rewords questions made from the graph, not those of a file")
	case c.Paraphrase && c.Model == "":
		return o, command.UsageError("--paraphrase needs --model NAME")
	}
	if err := formatKnown(c.Format); err != nil {
		return o, err
	}
	for _, file := range []string{c.Questions, c.Held} {
		if file == "" {
			continue
		}
		if err := command.Exists("read questions from", file, "check how the name is written"); err != nil {
			return o, err
		}
	}
	return o, nil
}

func formatKnown(format string) error {
	for _, f := range questions.Formats {
		if format == "" || format == f {
			return nil
		}
	}
	return command.UsageError(fmt.Sprintf("there is no format %q of questions; choose from %s", format, strings.Join(questions.Formats, ", ")))
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
	return command.UsageError(fmt.Sprintf("the graph has no retriever %d; `cairn train gnn %s --list` shows what it has", id, c.Graph))
}

func (c *trainGNNCommand) train(ctx context.Context, s *session, e *engine.Engine, o engine.TrainOptions) error {
	unfinished, err := e.Unfinished(ctx)
	if err != nil {
		return err
	}
	if o.Resume && unfinished == "" {
		return command.UsageError("no training on this graph was interrupted; leave out --resume")
	}
	if !o.Resume && unfinished != "" {
		s.Note("This starts a new training and drops the interrupted one: %s", unfinished)
	}
	var data engine.TrainingData
	m, err := e.Train(ctx, o, &engine.TrainEvents{
		Data: func(d engine.TrainingData) {
			data = d
			s.noteData(d)
			for _, note := range d.Coverage.Notes(e.Graph(), o.Options.Region) {
				s.Note("%s", note)
			}
		},
		Epoch:    func(x gnnrag.Epoch) { s.Note("%s", command.EpochText(x)) },
		Progress: func(task string, done, total int64) { s.Show(present.ProgressText(task, done, total, false)) },
	})
	if errors.Is(err, context.Canceled) {
		if m.ID != 0 {
			s.Note("The best weights so far are kept as retriever %d.", m.ID)
		}
		if left, leftErr := e.Unfinished(context.WithoutCancel(ctx)); leftErr == nil && left != "" {
			s.Note("Resume with: cairn train gnn %s --resume", quotedPath(c.Graph))
		}
	}
	if err != nil {
		return err
	}
	if s.JSON {
		return s.PrintJSON(struct {
			engine.TrainedModel

			Data dataResult `json:"data"`
		}{m, dataResultOf(data)})
	}
	s.Printf("%s\n", trainedSentence(m))
	rows := [][]string{{"learnt from", m.About.Data}}
	if x := m.About.Coverage; x != (gnnrag.Coverage{}) {
		rows = append(rows, []string{"answers within reach", fmt.Sprintf("%.1f %% of them, some for %.1f %% of the questions", 100*x.Share, 100*x.Any)})
	}
	s.Table("  ", append(rows, [][]string{
		{"epochs", present.Count(m.About.Epochs), triesText(m.About)},
		{"weights", present.Count(m.About.Weights), present.Bytes(m.Bytes)},
	}...))
	s.Printf("Ask with it: cairn ask %s --retriever gnn \"…\"\n", quotedPath(c.Graph))
	return nil
}

// shownDropped is how many questions that cannot be used are listed.
const shownDropped = 5

// noteData says what is learnt from.
func (s *session) noteData(d engine.TrainingData) {
	if d.Held > 0 {
		s.Note("Learning from %s; %s more pick the best weights.", d.About, present.Count(d.Held))
	} else {
		s.Note("Learning from %s; none was held back, so what follows is measured on the questions that it learns from.", d.About)
	}
	if d.DroppedInAll > 0 {
		s.Note("%s cannot be used:", present.Plural(d.DroppedInAll, "question", "questions"))
		for i, p := range d.Dropped {
			if i == shownDropped {
				break
			}
			where := ""
			if p.Line > 0 {
				where = "line " + strconv.Itoa(p.Line) + ": "
			}
			s.Note("  %s%s", where, p.Why)
		}
		if more := d.DroppedInAll - min(shownDropped, len(d.Dropped)); more > 0 {
			s.Note("  … and %s", present.Plural(more, "more", "more"))
		}
	}
	if d.Coverage != (gnnrag.Coverage{}) {
		s.Note("All right answers are within reach for %.1f %% of the questions, some for %.1f %%; a region has %.0f entities and %.0f triples on average.",
			100*d.Coverage.All, 100*d.Coverage.Any, d.Coverage.Entities, d.Coverage.Facts)
	}
	if d.WithoutAnswer > 0 {
		s.Note("%s have no answer within reach and teach nothing.", present.Plural(d.WithoutAnswer, "question", "questions"))
	}
	if d.SecondsEpoch > 0 {
		s.Note("An epoch takes about %s; there are %d at most.", present.Elapsed(time.Duration(d.SecondsEpoch*float64(time.Second))), d.EpochsAtMost)
	}
}

// trainedSentence says what came out.
func trainedSentence(m engine.TrainedModel) string {
	text := fmt.Sprintf("Trained in %s, and in use: %s, number %d.", present.Elapsed(time.Duration(m.About.Seconds*float64(time.Second))), m.Name, m.ID)
	if m.About.Held == 0 {
		return text + " No question was held back, so how good it is was not measured."
	}
	text += " " + present.Sentence(devText(m.About))
	if m.About.HeldMade {
		text += " " + present.Sentence(present.MadeItself)
	}
	return text
}

// devText says how good a network was on the questions that picked its weights.
func devText(a gnnrag.About) string {
	if a.Held == 0 {
		return "not measured"
	}
	held := present.Plural(a.Held, "question", "questions")
	if a.HeldMade {
		held = present.Plural(a.Held, "made question", "made questions")
	}
	return fmt.Sprintf("Hits@1 %.1f, Hit %.1f, F1 %.1f on %s held back", 100*a.Dev.H1, 100*a.Dev.Hit, 100*a.Dev.F1, held)
}

// triesText says that trainings were begun again; empty where none was.
func triesText(a gnnrag.About) string {
	again := a.Tries - max(1, len(a.Options.Encoders))
	if again < 1 {
		return ""
	}
	return fmt.Sprintf("restarted %s because a training stalled", present.Plural(again, "time", "times"))
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
	if s.JSON {
		return s.PrintJSON(struct {
			Trained    []engine.TrainedModel `json:"trained"`
			Unfinished string                `json:"unfinished,omitempty"`
		}{append([]engine.TrainedModel{}, models...), unfinished})
	}
	if len(models) == 0 {
		s.Printf("No retriever was trained on this graph yet.\n")
	}
	s.tableTrained(models)
	if unfinished != "" {
		s.Printf("Interrupted; resume it with --resume: %s\n", unfinished)
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
	s.Table("  ", rows)
	for _, m := range models {
		if m.Stale != "" && m.InUse {
			s.Printf("%s\n", m.Stale)
		}
	}
}
