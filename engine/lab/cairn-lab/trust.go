package main

import (
	"context"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/lab/eval"
)

type trustCommand struct {
	Sets []string `arg:"" help:"The question sets, such as metaqa."`

	Data   string   `help:"The folder that holds the sets." env:"CAIRN_DATA" default:"../shared/data" placeholder:"DIR"`
	With   []string `help:"Train these (default: all that are trained)." placeholder:"ID"`
	Forget []int    `help:"Count on forgetful copies of the graphs too, as eval has them: these shares of the relations, in percent." default:"0,50" placeholder:"N"`
	Seed   uint64   `help:"The seed of the draw." default:"1"`
}

// Run counts how often what is trained was right, beside the first method, of questions
// that it did not learn from. Its output is assets/trust.json.
func (c *trustCommand) Run(ctx context.Context, s *command.Session) error {
	sum := engine.Trust{}
	for _, set := range c.Sets {
		for _, forget := range c.Forget {
			o := eval.Options{
				Dataset: set, Dir: c.Data, Retriever: engine.Auto, Teaching: eval.Teaching{With: c.With}, Sample: 1, Seed: c.Seed, Forget: forget,
				Progress: func(p eval.Progress) {
					s.Show(present.ProgressText(set+" "+p.Group, int64(p.Done), int64(p.Total), false))
				},
			}
			t, err := eval.Run(ctx, o)
			if err != nil {
				return err
			}
			s.Note("%s, %d %% forgotten: %v", set, forget, t.Trust)
			sum.Add(t.Trust)
		}
	}
	return s.PrintJSON(sum)
}
