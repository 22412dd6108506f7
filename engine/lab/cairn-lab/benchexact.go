package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine/kg"
	"cairn/engine/lab/bench"
)

type benchExactCommand struct {
	Graphs []string `arg:"" optional:"" help:"Graphs that chains, stars, cycles and cliques are drawn from."`
	HPRD   string   `name:"hprd" help:"The folder of the protein graph, its query graphs and expected_output.res." placeholder:"DIR"`

	Engines []string      `help:"The engines to compare (default: all)." placeholder:"NAME"`
	MaxPath amount        `name:"max-paths" help:"How many paths of three entities an index may hold, such as 100M (default: its own limit)." placeholder:"N"`
	Kuzu    string        `help:"An interpreter of Python that has the package kuzu, to compare with." placeholder:"FILE"`
	Queries int           `help:"How many queries of each shape are drawn (default: ${default})." default:"25" placeholder:"N"`
	Limit   time.Duration `help:"End each query after this time (default: ${default})." default:"1s" placeholder:"TIME"`
	Seed    uint64        `help:"Draws the queries (default: ${default})." default:"1" placeholder:"N"`
	CSV     string        `name:"csv" help:"Write the table as CSV." placeholder:"FILE"`
}

// Run compares engines that match exactly.
func (c *benchExactCommand) Run(ctx context.Context, s *command.Session) error {
	if err := c.check(ctx); err != nil {
		return err
	}
	if err := s.CheckFiles(ctx, c.CSV); err != nil {
		return err
	}
	o := bench.ExactOptions{
		Engines: c.Engines, Queries: c.Queries, Seed: c.Seed, Limit: c.Limit, Kuzu: c.Kuzu, MaxPaths: int(c.MaxPath),
		Progress: func(task string, done, total int64) { s.Show(present.ProgressText(task, done, total, false)) },
	}
	var sets []bench.ExactSet
	for _, compare := range c.sources(s, o) {
		set, err := compare(ctx)
		if set != nil && len(set.Engines) > 0 {
			sets = append(sets, *set)
		}
		if err != nil && len(sets) > 0 {
			noteBefore(s, err)
			return errors.Join(err, c.write(ctx, s, sets))
		}
		if err != nil {
			return benchInput(err)
		}
	}
	return c.write(ctx, s, sets)
}

// sources are the comparisons of the command line, in its order.
func (c *benchExactCommand) sources(s *command.Session, o bench.ExactOptions) (all []func(context.Context) (*bench.ExactSet, error)) {
	if c.HPRD != "" {
		all = append(all, func(ctx context.Context) (*bench.ExactSet, error) { return bench.ExactHPRD(ctx, c.HPRD, o) })
	}
	for _, path := range c.Graphs {
		all = append(all, func(ctx context.Context) (set *bench.ExactSet, err error) {
			err = withGraph(ctx, s, path, func(g *kg.Graph) (err error) {
				set, err = bench.ExactGraph(ctx, filepath.Base(path), g, o)
				return err
			})
			return set, err
		})
	}
	return all
}

// withGraph opens a graph for a while.
func withGraph(ctx context.Context, s *command.Session, path string, use func(*kg.Graph) error) (err error) {
	s.Show("open " + path)
	st, err := kg.OpenStore(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	g, err := st.Graph(ctx, nil)
	if err != nil {
		return err
	}
	return use(g)
}

// check says what is wrong with the command line before anything long begins.
func (c *benchExactCommand) check(ctx context.Context) error {
	switch {
	case len(c.Graphs) == 0 && c.HPRD == "":
		return command.UsageError("compare engines on what? Give a graph, or --hprd DIR")
	case c.Queries < 1 || c.Limit <= 0:
		return command.UsageError("--queries must be 1 at least, and --limit a time above 0")
	}
	for _, e := range c.Engines {
		if !slices.Contains(bench.ExactEngines(), e) {
			return command.UsageError(fmt.Sprintf("there is no engine %q to compare: there are %s", e, strings.Join(bench.ExactEngines(), ", ")))
		}
	}
	for _, path := range slices.Concat(c.Graphs, []string{c.HPRD}) {
		if path == "" {
			continue
		}
		if err := command.Exists("compare engines on", path, "check how the name is written"); err != nil {
			return err
		}
	}
	return hasPackage(ctx, c.Kuzu, "kuzu", "kuzu")
}

// hasPackage fails where an interpreter of Python, that a flag gives, lacks a package.
func hasPackage(ctx context.Context, python, name, flag string) error {
	if python == "" {
		return nil
	}
	if out, err := exec.CommandContext(ctx, python, "-c", "import "+name).CombinedOutput(); err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		return command.InputError(fmt.Sprintf("compare with %s: %s cannot import it (%s%v); make an environment with python3 -m venv DIR and DIR/bin/pip install %[1]s, and give --%[5]s DIR/bin/python", name, python, lines[len(lines)-1]+", ", err, flag))
	}
	return nil
}

func (c *benchExactCommand) write(ctx context.Context, s *command.Session, sets []bench.ExactSet) (err error) {
	r := bench.NewExactReport(sets, c.Seed)
	r.Version = command.FullVersion()
	if c.CSV != "" {
		err = s.WriteFile(ctx, c.CSV, r.WriteCSV)
	}
	if s.JSON {
		return errors.Join(err, s.PrintJSON(r))
	}
	s.Clear()
	return errors.Join(err, r.WriteText(s.Stdout))
}
