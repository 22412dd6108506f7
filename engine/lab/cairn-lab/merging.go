package main

import (
	"context"

	"cairn/app/cli/command"
	"cairn/engine/lab/eval"
)

type mergingCommand struct {
	Set    string   `arg:"" help:"A question set with a training split, such as metaqa."`
	Hops   []string `help:"Only these parts, such as 1-hop,2-hop." placeholder:"PART,..."`
	Data   string   `help:"The folder that holds the sets." env:"CAIRN_DATA" default:"../shared/data" placeholder:"DIR"`
	Sample int      `help:"Questions of each part." default:"500" placeholder:"N"`
	Train  int      `help:"Questions that templates are learned from." default:"1000" placeholder:"N"`
	Seed   uint64   `help:"The seed of the samples." default:"1" placeholder:"N"`
}

// Run measures what merging and ordering do to evidence.
func (c *mergingCommand) Run(ctx context.Context, s *command.Session) error {
	return eval.Merging(ctx, s.Stdout, eval.MergingOptions{Dir: c.Data, Set: c.Set, Parts: c.Hops, Sample: c.Sample, Train: c.Train, Seed: c.Seed})
}
