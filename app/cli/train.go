package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
)

// trainCommand has one command for each method that can be trained.
type trainCommand struct{ kong.Plugins }

func newTrainCommand(methods []retrieve.Method) trainCommand {
	var c trainCommand
	for _, m := range retrieve.Trainables(methods) {
		i := m.Info()
		of := reflect.New(reflect.StructOf([]reflect.StructField{{
			Name: "Method", Type: reflect.TypeFor[trainMethodCommand](),
			Tag: reflect.StructTag(fmt.Sprintf(`cmd:"" name:%q help:%q`, i.ID, "Train the retriever “"+i.Title+"” on a graph, or manage trained ones.")),
		}}))
		of.Elem().Field(0).Set(reflect.ValueOf(trainMethodCommand{method: i.ID, OptionFlags: command.NewOptionFlags(m.Options())}))
		c.Plugins = append(c.Plugins, of.Interface())
	}
	return c
}

type trainMethodCommand struct {
	method string // its ID

	Graph string `arg:"" help:"A .cairn file."`

	Questions string `help:"Train on this file of questions with answers, gzipped or not." placeholder:"FILE"`
	Format    string `help:"The file's format: csv, metaqa, pathquestion, worldcup or jsonl (default: detected)." placeholder:"FORMAT"`
	Count     int    `help:"Use this many questions of the file, drawn with --seed (default: all)." placeholder:"N"`
	Held      string `help:"Choose the best weights by the questions in this file (default: one question in ten is held back)." placeholder:"FILE"`
	Generated int    `help:"Train on this many questions generated from the graph, if there is no file (default: 5,000)." placeholder:"N"`
	Assist    bool   `help:"Let the model of --model help with the questions: it rewords those generated from the graph; with a file, it writes some about each relation, and says which relations a question asks for if several lead to its answers (for gsr and templates)."`
	Name      string `help:"A name for the retriever." placeholder:"TEXT"`
	Seed      uint64 `help:"The random seed for weights, order and sampling." default:"1"`
	Resume    bool   `help:"Resume the interrupted training."`

	List   bool   `help:"List the retrievers trained on the graph." xor:"what"`
	Use    *int64 `help:"Use the retriever with this number from now on." placeholder:"NUMBER" xor:"what"`
	Delete *int64 `help:"Delete the retriever with this number." placeholder:"NUMBER" xor:"what"`

	command.OptionFlags
	trainModelFlags
}

// trainModelFlags choose a model that helps with the questions.
type trainModelFlags struct {
	Model string `help:"The Ollama model of --assist, or of embedders." env:"CAIRN_MODEL" placeholder:"NAME"`

	command.HostFlags
	command.ContextFlag
}

// Run trains a retriever, or manages those of a graph.
func (c *trainMethodCommand) Run(ctx context.Context, s *session) error {
	o, err := c.trainOptions()
	if err != nil {
		return err
	}
	s.models = command.ModelFlags{Model: c.Model, HostFlags: c.HostFlags, ContextFlag: c.ContextFlag}
	e, err := s.open(ctx, c.Graph)
	if err != nil {
		return err
	}
	if c.List {
		return c.print(ctx, s, e)
	}
	if info, err := e.Info(ctx); err != nil {
		return err
	} else if info.ReadOnly {
		return command.InputError(fmt.Sprintf("train on %s: it is read-only, so no retriever can be saved; copy it to a folder of your own and train on the copy", c.Graph))
	}
	for _, change := range []struct {
		id *int64
		do func(context.Context, int64) error
	}{{c.Use, e.UseTrained}, {c.Delete, e.DeleteTrained}} {
		if change.id == nil {
			continue
		}
		if err := c.known(ctx, e, *change.id); err != nil {
			return err
		}
		if err := change.do(ctx, *change.id); err != nil {
			return err
		}
		return c.print(ctx, s, e)
	}
	if c.Assist {
		if err := s.models.Use(e, s.Log); err != nil {
			return err
		}
	}
	return c.train(ctx, s, e, o)
}

// trainOptions checks the flags against each other before anything is opened.
func (c *trainMethodCommand) trainOptions() (engine.TrainOptions, error) {
	o := engine.TrainOptions{
		Method: c.method, File: c.Questions, Format: c.Format, Questions: cmp.Or(c.Count, c.Generated), Held: c.Held, Assist: c.Assist,
		Resume: c.Resume, Name: c.Name, Seed: c.Seed,
	}
	var err error
	if o.Chosen, err = c.Chosen(); err != nil {
		return o, err
	}
	switch {
	case c.Questions != "" && c.Generated != 0:
		return o, command.UsageError("--questions and --generated cannot be combined; choose one")
	case c.Resume && (c.Questions != "" || c.Generated != 0):
		return o, command.UsageError("--resume uses the questions the training started with; omit --questions and --generated")
	case c.Resume && (len(o.Chosen) > 0 || c.Held != "" || c.Name != "" || c.Assist):
		return o, command.UsageError("--resume uses the options the training started with; omit the others")
	case c.Questions == "" && (c.Format != "" || c.Count != 0):
		return o, command.UsageError("--format and --count are for a file; give it with --questions FILE")
	case c.Count < 0 || c.Generated < 0:
		return o, command.UsageError("the number of questions must be 0 or more")
	case c.Assist && c.Model == "":
		return o, command.UsageError("--assist needs --model NAME")
	}
	if err := knownFormat(c.Format); err != nil {
		return o, err
	}
	for _, file := range []string{c.Questions, c.Held} {
		if file == "" {
			continue
		}
		if err := command.Exists("read questions from", file, "check the spelling"); err != nil {
			return o, err
		}
	}
	return o, nil
}

func knownFormat(format string) error {
	if format == "" || slices.Contains(questions.Formats, format) {
		return nil
	}
	return command.UsageError(fmt.Sprintf("there is no format %q of questions; choose from %s", format, strings.Join(questions.Formats, ", ")))
}

// trained are the retrievers of a graph that the command is about.
func (c *trainMethodCommand) trained(ctx context.Context, e *engine.Engine) ([]engine.TrainedModel, error) {
	models, err := e.Trained(ctx)
	return slices.DeleteFunc(models, func(m engine.TrainedModel) bool { return m.Method != c.method }), err
}

// known says in words that a graph has no retriever of that number.
func (c *trainMethodCommand) known(ctx context.Context, e *engine.Engine, id int64) error {
	models, err := c.trained(ctx, e)
	if err != nil || slices.ContainsFunc(models, func(m engine.TrainedModel) bool { return m.ID == id }) {
		return err
	}
	return command.UsageError(fmt.Sprintf("the graph has no retriever %d; `cairn train %s %s --list` shows what it has", id, c.method, c.Graph))
}

func (c *trainMethodCommand) train(ctx context.Context, s *session, e *engine.Engine, o engine.TrainOptions) error {
	unfinished, err := e.Unfinished(ctx, c.method)
	if err != nil {
		return err
	}
	if o.Resume && unfinished == "" {
		return command.UsageError("no training on this graph was interrupted; omit --resume")
	}
	if !o.Resume && unfinished != "" {
		s.Note("This starts a new training and discards the interrupted one: %s", unfinished)
	}
	var data engine.TrainingData
	m, err := e.Train(ctx, o, &engine.TrainEvents{
		Data: func(d engine.TrainingData) {
			data = d
			t := present.Training{Data: &d}
			for _, line := range append(t.About(), present.ProblemLines(d.Dropped, d.DroppedInAll)...) {
				s.Note("%s", line)
			}
		},
		Notes: func(notes []string) {
			for _, note := range notes {
				s.Note("%s", note)
			}
		},
		Epoch:    func(x retrieve.Epoch) { s.Note("%s", command.EpochText(x)) },
		Progress: func(task string, done, total int64) { s.Show(present.ProgressText(task, done, total, false)) },
	})
	if errors.Is(err, context.Canceled) {
		if m.ID != 0 {
			s.Note("The best weights so far were saved as retriever %d.", m.ID)
		}
		if left, leftErr := e.Unfinished(context.WithoutCancel(ctx), c.method); leftErr == nil && left != "" {
			s.Note("Resume with: cairn train %s %s --resume", c.method, shellWord(c.Graph))
		}
	}
	if err != nil {
		return err
	}
	return s.Result(struct {
		engine.TrainedModel

		Data engine.TrainingData `json:"data"`
	}{m, data}, func() {
		a := m.About
		s.Printf("Trained in %s and now in use: %s, number %d. %s\n", present.Elapsed(time.Duration(a.Seconds*float64(time.Second))), m.Name, m.ID, present.Sentence(present.Measured(a)))
		s.Lines("", a.Notes)
		s.Table("  ", [][]string{
			{"trained on", a.Data},
			{"epochs", present.Count(a.Epochs)},
			{"weights", present.Count(a.Weights), present.Bytes(m.Bytes)},
		})
		s.Printf("Ask with it: cairn ask %s --retriever %s \"…\"\n", shellWord(c.Graph), c.method)
	})
}

// hits says how good a retriever was on the questions that picked its weights.
func hits(a retrieve.About) string {
	if a.Held == 0 {
		return "not measured"
	}
	return fmt.Sprintf("Hits@1 %.1f", 100*a.Dev.H1)
}

// print lists the retrievers that were trained on a graph.
func (c *trainMethodCommand) print(ctx context.Context, s *session, e *engine.Engine) error {
	models, err := c.trained(ctx, e)
	if err != nil {
		return err
	}
	unfinished, err := e.Unfinished(ctx, c.method)
	if err != nil {
		return err
	}
	return s.Result(struct {
		Trained    []engine.TrainedModel `json:"trained"`
		Unfinished string                `json:"unfinished,omitempty"`
	}{append([]engine.TrainedModel{}, models...), unfinished}, func() {
		if len(models) == 0 {
			s.Printf("No retriever was trained on this graph yet.\n")
		}
		s.tableTrained(models)
		if unfinished != "" {
			s.Printf("Interrupted; resume it with --resume: %s\n", unfinished)
		}
	})
}

// tableTrained prints one row a retriever, and below it what is wrong with it.
func (s *session) tableTrained(models []engine.TrainedModel) {
	rows := make([][]string, 0, len(models))
	for _, m := range models {
		var state []string
		if m.InUse {
			state = append(state, "in use")
		}
		if m.Stale != "" {
			state = append(state, "trained before the graph changed")
		}
		if m.Problem != "" {
			state = []string{m.Problem}
		}
		rows = append(rows, []string{
			strconv.FormatInt(m.ID, 10), m.Name, hits(m.About),
			m.About.Made.UTC().Format(time.DateTime), present.Bytes(m.Bytes), strings.Join(state, ", "),
		})
	}
	s.Table("  ", rows)
	for _, m := range models {
		if m.Stale != "" && m.InUse {
			s.Printf("%s\n", m.Stale)
		}
	}
}
