package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/lab/eval"
	"cairn/engine/ollama"
	"cairn/engine/retrieve"
)

type evalCommand struct {
	Set string `arg:"" help:"The question set: metaqa, pathquestion, worldcup, webqsp, cwq, factkg or erqa; all for all of them by all retrievers, compared."`

	Hops      []string `help:"Only these parts, such as 1,2,3 or ntm (default: all)." placeholder:"PART"`
	Data      string   `help:"The folder that holds the sets." env:"CAIRN_DATA" default:"../shared/data" placeholder:"DIR"`
	Retriever string   `help:"What looks for the evidence: ${retriever_help}. all compares them. What has to be trained is trained, and then measured." enum:"${retrievers},all" default:"${method}"`
	Planner   string   `help:"built-in, oracle (the gold pattern) or model." enum:"built-in,oracle,model" default:"built-in"`
	Alone     bool     `help:"With --planner model: follow the model even where the built-in planner has better evidence."`
	Reader    string   `help:"direct, or model to have it word the answers." enum:"direct,model" default:"direct"`
	Embedder  string   `help:"Find names by the vectors of this Ollama model instead of the built-in ones." placeholder:"NAME"`
	Vectors   string   `help:"With --embedder: keep its vectors in this file, and find them there the next time." placeholder:"FILE"`
	Algorithm string   `help:"optimised, plain, or both to compare them." enum:"optimised,plain,both" default:"optimised"`
	Split     string   `help:"The part of a set that is measured; only dev is used, test sets are not touched." enum:"dev" default:"dev"`
	Leaked    bool     `help:"Leave the marks around the topic in the question; marked as leaked in the table."`
	Sample    int      `help:"Take this many questions of each part, drawn with --seed (default: all)." placeholder:"N"`
	Topics    string   `help:"linked, found in the question as for a user, or given by the set." enum:"linked,given" default:"linked"`
	Seed      uint64   `help:"The seed of the sample." default:"1"`
	Forget    int      `help:"Measure a forgetful copy: this share of the relations, in percent, drawn with --seed, loses what the lexicon knows of it, and a quarter of these the words of their own names." placeholder:"N"`
	Lexicon   string   `help:"on, or off to have all relations lose what the lexicon knows of them." enum:"on,off" default:"on"`
	Meanings  string   `help:"on, or off to have words mean only what the lexicon tells." enum:"on,off" default:"on"`
	Workers   int      `help:"How many questions are asked at once (default: one a processor; one in all where a model is asked)." placeholder:"N"`
	Failures  string   `help:"Write a JSON line for every question that was not answered exactly." placeholder:"FILE"`
	Journal   string   `help:"Keep every answer in this file, and go on from it after an interruption; where all are compared, one file each in this folder." placeholder:"FILE"`

	formFlag
	teachFlags
	command.ModelFlags
}

// Run measures one set, or compares.
func (c *evalCommand) Run(ctx context.Context, s *command.Session) error {
	if c.Set == all || c.Retriever == all {
		return c.runAll(ctx, s)
	}
	run := func(failures io.Writer) error {
		table, err := c.measure(ctx, s, failures)
		if err != nil {
			return err
		}
		if s.JSON {
			return s.PrintJSON(table)
		}
		s.Clear()
		return table.WriteText(s.Stdout)
	}
	if c.Failures != "" {
		return s.WriteFile(ctx, c.Failures, run)
	}
	return run(nil)
}

// measure measures one set with one method.
func (c *evalCommand) measure(ctx context.Context, s *command.Session, failures io.Writer) (*eval.Table, error) {
	set, err := eval.Find(c.Set)
	if err == nil {
		_, err = set.Select(c.Hops)
	}
	if err != nil {
		return nil, command.UsageError(err.Error())
	}
	teaching, err := c.checked(s.Method(c.Retriever))
	if err != nil {
		return nil, err
	}
	if c.Forget < 0 || c.Forget > 100 {
		return nil, command.UsageError("--forget is a share in percent, 0 to 100")
	}
	methods, err := c.methods(s)
	if err != nil {
		return nil, err
	}
	o := eval.Options{
		Dataset: c.Set, Groups: c.Hops, Dir: c.Data, Methods: methods, Retriever: c.Retriever, Planner: c.Planner, Reader: c.Reader, Algorithm: c.Algorithm,
		Leaked: c.Leaked, Sample: c.Sample, Seed: c.Seed, Forget: c.Forget, NoMeanings: c.Meanings == "off", Workers: c.Workers, Journal: c.Journal, Version: command.FullVersion(),
		Planning: c.Planning(), Style: c.Style, Given: c.Topics == "given", Teaching: teaching, Failures: failures,
		Progress: func(p eval.Progress) { s.Show(evalProgress(c.Set, p)) },
		TrainEvents: &engine.TrainEvents{
			Epoch: func(e retrieve.Epoch) { s.Show(c.Set + ": " + command.EpochText(e)) },
			Progress: func(task string, done, total int64) {
				s.Show(present.ProgressText(c.Set+": "+task, done, total, false))
			},
		},
		Row: func(r eval.Row) {
			if s.Showing() {
				s.Note("%s", rowText(r))
			}
		},
	}
	o.Planning.Alone = c.Alone
	if c.Lexicon == "off" {
		o.Forget, o.WordsKept = 100, true
	}
	if err := c.useEmbedder(ctx, s, &o); err != nil {
		return nil, err
	}
	if err := c.useModel(ctx, s, &o); err != nil {
		return nil, err
	}
	table, err := eval.Run(ctx, o)
	if stopped, ok := errors.AsType[*eval.InterruptedError](err); ok && stopped.Journal != "" {
		s.Clear()
		fmt.Fprintf(s.Stderr, "%s of %s questions are in %s; the same command goes on from there.\n",
			present.Count(stopped.Done), present.Count(stopped.Total), present.Printable(stopped.Journal))
	}
	if err != nil {
		return nil, c.unusable(err)
	}
	return table, nil
}

// unusable says of a file that cannot be used what to do about it.
func (c *evalCommand) unusable(err error) error {
	if _, ok := errors.AsType[*eval.JournalError](err); ok {
		return command.Unusable(err)
	}
	if file, ok := errors.AsType[*fs.PathError](err); ok && errors.Is(err, fs.ErrNotExist) {
		return command.InputError(fmt.Sprintf("measure %s: %s does not exist; give the folder that holds the question sets with --data DIR", c.Set, file.Path))
	}
	return err
}

// useEmbedder gives the evaluation the embedder, where one is named.
func (c *evalCommand) useEmbedder(ctx context.Context, s *command.Session, o *eval.Options) error {
	if c.Embedder == "" {
		return nil
	}
	server, err := c.Server(s.Log)
	if err != nil {
		return err
	}
	if o.Embedder, err = ollama.NewEmbedder(ctx, server, c.Embedder); err != nil {
		return err
	}
	o.Vectors = c.Vectors
	o.Embedding = func(task string, done, total int64) {
		s.Show(present.ProgressText(c.Set+": "+task, done, total, false))
	}
	return nil
}

// useModel gives the evaluation the model, where one is asked, after a look at
// the server: hours of questions should not begin with a wrong name.
func (c *evalCommand) useModel(ctx context.Context, s *command.Session, o *eval.Options) error {
	if c.Planner != "model" && c.Reader != "model" {
		return nil
	}
	m, err := c.Open(s.Log)
	if err != nil {
		return err
	}
	if m == nil {
		return command.UsageError("--planner model and --reader model need --model NAME")
	}
	o.Model, o.Context = m, c.Context
	if served, ok := m.(*ollama.Model); ok {
		d, err := served.Server().Details(ctx, m.Name())
		if err != nil {
			return err
		}
		o.Digest = d.Digest
	}
	return nil
}

// evalProgress says how far an evaluation is, and how long the rest takes.
func evalProgress(set string, p eval.Progress) string {
	text := present.ProgressText(set+" "+p.Group, int64(p.Done), int64(p.Total), false)
	if p.Rate > 0 && p.Done < p.Total {
		text += fmt.Sprintf(", %.3g a second, %s left", p.Rate, present.TimeLeft(int64(p.Total-p.Done), p.Rate))
	}
	return text
}
