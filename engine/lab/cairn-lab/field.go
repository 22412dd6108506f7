package main

import (
	"context"

	"cairn/app/cli/command"
	"cairn/engine/lab/eval"
)

type fieldCommand struct {
	Folder string `arg:"" optional:"" default:"engine/testdata/field" help:"A folder of folders, each with the files of a graph and questions.txt: KIND | QUESTION | GOLD."`
}

// Run asks graphs of people what people asked of them.
func (c *fieldCommand) Run(ctx context.Context, s *command.Session) error {
	return eval.Field(ctx, s.Stdout, c.Folder)
}
