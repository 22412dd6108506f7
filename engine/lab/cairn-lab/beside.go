package main

import (
	"context"

	"cairn/app/cli/command"
	"cairn/engine/lab/eval"
)

type besideCommand struct {
	Journals []string `arg:"" help:"Journals that eval has written (--journal), of the same questions by several methods."`
}

// Run compares them.
func (c *besideCommand) Run(_ context.Context, s *command.Session) error {
	b, err := eval.ReadBeside(c.Journals)
	if err != nil {
		return err
	}
	if s.JSON {
		return s.PrintJSON(b)
	}
	return b.WriteText(s.Stdout)
}
