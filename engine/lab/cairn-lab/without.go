package main

import (
	"context"
	"io"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine/lab/eval"
)

type withoutCommand struct {
	Set string `arg:"" help:"The question set, or bank for the questions of the tests (with --data engine/testdata)."`

	Lost      []string `help:"What is taken out of the graph: entity, relation, type, fact (default: each in its turn)." enum:"entity,relation,type,fact" placeholder:"THING"`
	Hops      []string `help:"Only these parts, such as 1,2,3 or ntm (default: all)." placeholder:"PART"`
	Data      string   `help:"The folder that holds the sets." env:"CAIRN_DATA" default:"../shared/data" placeholder:"DIR"`
	Sample    int      `help:"Take this many questions of each part, drawn with --seed (default: all)." placeholder:"N"`
	Seed      uint64   `help:"The seed of the sample." default:"1"`
	Retriever string   `help:"What looks for the evidence: ${retriever_help}." enum:"${retrievers}" default:"${method}"`
	Failures  string   `help:"Write a JSON line for every question that was answered as sure." placeholder:"FILE"`
}

// Run asks what cannot be answered.
func (c *withoutCommand) Run(ctx context.Context, s *command.Session) error {
	set := eval.Bank()
	var err error
	if c.Set != set.Name {
		set, err = eval.Find(c.Set)
	}
	if err == nil {
		set.Groups, err = set.Select(c.Hops)
	}
	if err != nil {
		return command.UsageError(err.Error())
	}
	losses := eval.Losses
	if len(c.Lost) > 0 {
		losses = nil
		for _, l := range c.Lost {
			losses = append(losses, eval.Loss(l))
		}
	}
	run := func(failures io.Writer) error {
		rows, err := eval.Without(ctx, set, losses, eval.WithoutOptions{
			Dir: c.Data, Sample: c.Sample, Seed: c.Seed, Retriever: c.Retriever, Failures: failures,
			Progress: func(task string, done, total int64) { s.Show(present.ProgressText(task, done, total, false)) },
		})
		if err != nil {
			return err
		}
		if s.JSON {
			return s.PrintJSON(rows)
		}
		s.Clear()
		return eval.WriteWithout(s.Stdout, rows)
	}
	if c.Failures != "" {
		return s.WriteFile(ctx, c.Failures, run)
	}
	return run(nil)
}
