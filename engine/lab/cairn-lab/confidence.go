package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine/lab/confidence"
	"cairn/engine/lab/eval"
)

type confidenceCommand struct {
	Data     string   `help:"The folder that holds the sets." env:"CAIRN_DATA" default:"../shared/data" placeholder:"DIR"`
	Field    string   `help:"The folder that holds the graphs of people, with what they asked." default:"engine/testdata/field" placeholder:"DIR"`
	Graphs   []string `help:"Only these of its folders (default: all)." placeholder:"NAME"`
	Sample   int      `help:"Take up to this many questions of each part to fit by, and as many others to measure." default:"300" placeholder:"N"`
	Examples string   `help:"Keep what was asked in this file, and do not ask again where it is there." placeholder:"FILE"`
}

// Run fits what speaks against readings and measures it.
func (c *confidenceCommand) Run(ctx context.Context, s *command.Session) error {
	if c.Sample <= 0 {
		return command.UsageError("--sample is a number of questions, 1 or more")
	}
	xs, err := c.examples(ctx, s)
	if err != nil {
		return err
	}
	s.Clear()
	return confidence.Report(s.Stdout, xs)
}

func (c *confidenceCommand) examples(ctx context.Context, s *command.Session) (xs []eval.Example, err error) {
	if c.Examples != "" {
		text, err := os.ReadFile(c.Examples)
		switch {
		case err == nil:
			if err := json.Unmarshal(text, &xs); err != nil {
				return nil, command.InputError(fmt.Sprintf("%s holds no examples: %v", c.Examples, err))
			}
			return xs, nil
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	xs, err = eval.Gather(ctx, eval.GatherOptions{Dir: c.Data, Field: c.Field, Graphs: c.Graphs, Sample: c.Sample, Progress: func(task string, done, total int64) {
		s.Show(present.ProgressText(task, done, total, false))
	}})
	if err != nil || c.Examples == "" {
		return xs, err
	}
	return xs, s.WriteFile(ctx, c.Examples, func(w io.Writer) error { return json.NewEncoder(w).Encode(xs) })
}
