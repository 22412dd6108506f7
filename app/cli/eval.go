package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"cairn/app/present"
	"cairn/engine/eval"
)

type evalCommand struct {
	Set string `arg:"" help:"The question set: metaqa, pathquestion, worldcup, webqsp, cwq, factkg or erqa."`

	Hops      []string `help:"Only these parts, such as 1,2,3 or ntm (default: all)." placeholder:"PART"`
	Data      string   `help:"The folder that holds the sets." env:"CAIRN_DATA" default:"../shared/data" placeholder:"DIR"`
	Planner   string   `help:"built-in, oracle (the gold pattern) or model." enum:"built-in,oracle,model" default:"built-in"`
	Alone     bool     `help:"With --planner model: follow the model even where the built-in planner has better evidence."`
	Reader    string   `help:"direct, or model to have it word the answers." enum:"direct,model" default:"direct"`
	Algorithm string   `help:"optimised, plain, or both to compare them." enum:"optimised,plain,both" default:"optimised"`
	Split     string   `help:"The part of a set that is measured; only dev is used, test sets are not touched." enum:"dev" default:"dev"`
	Leaked    bool     `help:"Leave the marks around the topic in the question; marked as leaked in the table."`
	Sample    int      `help:"Take this many questions of each part, drawn with --seed (default: all)." placeholder:"N"`
	Seed      uint64   `help:"The seed of the sample." default:"1"`
	Workers   int      `help:"How many questions are asked at once (default: one a processor)." placeholder:"N"`
	Failures  string   `help:"Write a JSON line for every question that was not answered exactly." placeholder:"FILE"`

	modelFlags
}

// Run measures one set.
func (c *evalCommand) Run(ctx context.Context, s *session) error {
	if _, err := eval.Find(c.Set); err != nil {
		return usageError(err.Error())
	}
	m, err := c.open(s)
	if err != nil {
		return err
	}
	if m == nil && (c.Planner == "model" || c.Reader == "model") {
		return usageError("--planner model and --reader model need --model NAME")
	}
	o := eval.Options{
		Dataset: c.Set, Groups: c.Hops, Dir: c.Data, Planner: c.Planner, Model: m, Reader: c.Reader, Algorithm: c.Algorithm,
		Leaked: c.Leaked, Sample: c.Sample, Seed: c.Seed, Workers: c.Workers,
		Progress: func(group string, done, total int) {
			s.meter.show(present.ProgressText(c.Set+" "+group, int64(done), int64(total), false))
		},
	}
	o.Planning = c.planning()
	o.Planning.Alone = c.Alone
	run := func(failures io.Writer) error {
		o.Failures = failures
		table, err := eval.Run(ctx, o)
		if err != nil {
			return err
		}
		if s.json {
			return s.printJSON(table)
		}
		s.meter.clear()
		return table.WriteText(s.Stdout)
	}
	if c.Failures != "" {
		return writeFile(c.Failures, run)
	}
	return run(nil)
}

type benchCommand struct {
	Sets []string `arg:"" optional:"" help:"The sets whose graphs are measured (default: metaqa)."`
	Data string   `help:"The folder that holds the sets." env:"CAIRN_DATA" default:"../shared/data" placeholder:"DIR"`
}

// Run measures import, opening and first answers.
func (c *benchCommand) Run(ctx context.Context, s *session) error {
	if len(c.Sets) == 0 {
		c.Sets = []string{"metaqa"}
	}
	for _, name := range c.Sets {
		if _, err := eval.Find(name); err != nil {
			return usageError(err.Error())
		}
	}
	if _, err := os.Stat(c.Data); err != nil {
		return fmt.Errorf("find the question sets %s: %w", strings.Join(c.Sets, ", "), err)
	}
	rows, err := eval.Bench(ctx, eval.BenchOptions{Dir: c.Data, Datasets: c.Sets})
	if err != nil {
		return err
	}
	if s.json {
		return s.printJSON(rows)
	}
	s.meter.clear()
	return eval.WriteBench(s.Stdout, rows)
}
