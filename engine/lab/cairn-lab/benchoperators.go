package main

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine/kg"
	"cairn/engine/lab/bench"
)

type benchOperatorsCommand struct {
	Graphs []string `arg:"" help:"Graphs that names and relations are drawn from."`

	Kuzu     string        `help:"An interpreter of Python that has the package kuzu, to compare with." placeholder:"FILE"`
	Oxigraph string        `help:"An interpreter of Python that has the package pyoxigraph, to compare with." placeholder:"FILE"`
	Queries  int           `help:"How many queries of each operator are drawn (default: ${default})." default:"100" placeholder:"N"`
	Limit    time.Duration `help:"End each query after this time (default: ${default})." default:"2s" placeholder:"TIME"`
	Most     time.Duration `help:"Ask each engine for this time at most (default: ${default})." default:"5m" placeholder:"TIME"`
	Seed     uint64        `help:"Draws the queries (default: ${default})." default:"1" placeholder:"N"`
}

// Run compares the evaluator with other programs, operator by operator.
func (c *benchOperatorsCommand) Run(ctx context.Context, s *command.Session) error {
	if c.Queries < 1 || c.Limit <= 0 || c.Most <= 0 {
		return command.UsageError("--queries must be 1 at least, and --limit and --most times above 0")
	}
	for _, path := range c.Graphs {
		if err := command.Exists("compare operators on", path, "check how the name is written"); err != nil {
			return err
		}
	}
	if err := errors.Join(hasPackage(ctx, c.Kuzu, "kuzu", "kuzu"), hasPackage(ctx, c.Oxigraph, "pyoxigraph", "oxigraph")); err != nil {
		return err
	}
	o := bench.OperatorOptions{
		Queries: c.Queries, Seed: c.Seed, Limit: c.Limit, Most: c.Most, Kuzu: c.Kuzu, Oxigraph: c.Oxigraph,
		Progress: func(task string, done, total int64) { s.Show(present.ProgressText(task, done, total, false)) },
	}
	var sets []bench.OperatorSet
	for _, path := range c.Graphs {
		err := withGraph(ctx, s, path, func(g *kg.Graph) error {
			set, err := bench.OperatorGraph(ctx, filepath.Base(path), g, o)
			if len(set.Engines) > 0 {
				sets = append(sets, *set)
			}
			return err
		})
		if err != nil && len(sets) > 0 {
			noteBefore(s, err)
			return errors.Join(err, c.write(s, sets))
		}
		if err != nil {
			return benchInput(err)
		}
	}
	return c.write(s, sets)
}

func (c *benchOperatorsCommand) write(s *command.Session, sets []bench.OperatorSet) error {
	r := bench.NewOperatorReport(sets, c.Seed)
	r.Version = command.FullVersion()
	if s.JSON {
		return s.PrintJSON(r)
	}
	s.Clear()
	return r.WriteMarkdown(s.Stdout)
}
