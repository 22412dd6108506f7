package main

import (
	"context"

	"cairn/app/cli/command"
	"cairn/engine/lab/eval"
)

type fieldCommand struct {
	Graphs []string `arg:"" optional:"" help:"Only these folders (default: all)."`

	Field string `help:"The folder of folders, each with the files of a graph and questions.txt: KIND | QUESTION | GOLD." default:"engine/testdata/field" placeholder:"DIR"`
}

// Run asks graphs of people what people asked of them.
func (c *fieldCommand) Run(ctx context.Context, s *command.Session) error {
	report, err := eval.Field(ctx, c.Field, c.Graphs...)
	switch {
	case err != nil:
		return err
	case s.JSON:
		return s.PrintJSON(report)
	}
	return report.WriteText(s.Stdout)
}
