package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/lab/bench"
)

type benchERQACommand struct {
	Graph string `arg:"" help:"The graph that questions are made from and asked of."`

	Retriever  []string `help:"What looks for the evidence, several to compare them: ${retriever_help}." enum:"${retrievers}" default:"${method}"`
	Conditions []int    `help:"How many conditions questions have (default: ${default})." default:"4,5,6" placeholder:"N"`
	Edits      []int    `help:"How many conditions are then dropped, exchanged, relabelled or added (default: ${default})." default:"0,1,2,3" placeholder:"N"`
	Questions  int      `help:"How many questions are made for each number of conditions (default: ${default})." default:"100" placeholder:"N"`
	Seed       uint64   `help:"Draws the questions (default: ${default})." default:"1" placeholder:"N"`
	Failures   string   `help:"Write a JSON line for every question whose first answer is another one than it was made from." placeholder:"FILE"`
	CSV        string   `name:"csv" help:"Write the table as CSV." placeholder:"FILE"`
}

// Run makes questions and asks them.
func (c *benchERQACommand) Run(ctx context.Context, s *command.Session) error {
	if err := c.check(); err != nil {
		return err
	}
	if err := s.CheckFiles(ctx, c.CSV, c.Failures); err != nil {
		return err
	}
	progress := func(task string, done, total int64) { s.Show(present.ProgressText(task, done, total, false)) }
	e, err := engine.Open(ctx, c.Graph, engine.Options{Methods: s.Methods}, &engine.Events{Progress: progress})
	if err != nil {
		return err
	}
	defer e.Close()
	var failures bytes.Buffer
	lines := json.NewEncoder(&failures)
	r, err := bench.ERQA(ctx, e, filepath.Base(c.Graph), bench.ERQAOptions{
		Retrievers: c.Retriever, Conditions: c.Conditions, Edits: c.Edits, Questions: c.Questions, Seed: c.Seed,
		Sure: present.Sure, Progress: progress,
		Failed: func(f bench.ERQAFailure) { _ = lines.Encode(f) }, // to a buffer
	})
	if errors.Is(err, bench.ErrNoStars) {
		return command.InputError(fmt.Sprintf("make questions from %s: %v", c.Graph, err))
	}
	if r == nil || len(r.Rows) == 0 {
		return err
	}
	if err != nil {
		noteBefore(s, err)
	}
	r.Version = command.FullVersion()
	if c.CSV != "" {
		err = errors.Join(err, s.WriteFile(ctx, c.CSV, r.WriteCSV))
	}
	if c.Failures != "" {
		err = errors.Join(err, s.WriteFile(ctx, c.Failures, func(w io.Writer) error {
			_, err := failures.WriteTo(w)
			return err
		}))
	}
	if s.JSON {
		return errors.Join(err, s.PrintJSON(r))
	}
	s.Clear()
	return errors.Join(err, r.WriteText(s.Stdout))
}

// check says what is wrong with the command line before anything long begins.
func (c *benchERQACommand) check() error {
	switch {
	case c.Questions < 1:
		return command.UsageError("--questions must be 1 at least")
	case slices.Min(c.Conditions) < 2 || slices.Max(c.Conditions) > 12:
		return command.UsageError("--conditions are 2 to 12")
	case slices.Min(c.Edits) < 0 || slices.Max(c.Edits) >= slices.Min(c.Conditions):
		return command.UsageError("--edits are 0 or more, and fewer than the conditions, each of which is edited once")
	}
	return command.Exists("make questions from", c.Graph, "check how the name is written, or import a graph with cairn import")
}
