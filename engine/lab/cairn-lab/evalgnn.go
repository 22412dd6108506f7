package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine/lab/eval"
)

// evalGNNFlags are the choices of eval --retriever gnn. Their zero values are the
// defaults.
type evalGNNFlags struct {
	Train        int       `help:"With gnn: learn from this many questions of each part's training split (default: 1,000)." placeholder:"N"`
	Together     bool      `help:"With gnn: one network for all parts over one graph, instead of one each."`
	Generated    int       `help:"With gnn: learn only from this many questions that are made out of the graph." placeholder:"N"`
	HeldWordings bool      `help:"With gnn: hold one wording in five out of training, and measure only those."`
	Folds        int       `help:"With gnn: cut sets without a training split into this many parts, and measure each by a network that learnt from the others (default: 5)." placeholder:"N"`
	Seeds        int       `help:"With gnn: measure this many seeds of the training, from --first-seed on (default: 1)." placeholder:"N"`
	FirstSeed    uint64    `help:"With gnn: the first seed of the training (default: --seed, which draws the questions)." placeholder:"N"`
	Topics       string    `help:"With gnn: given by the set, or linked, found in the question as for a user (default: given)." placeholder:"WAY"`
	Mass         []float64 `help:"With gnn: also select answers by this much probability, such as 0.75,0.95,0.99." placeholder:"P"`
	Published    bool      `help:"With gnn: ReaRev as it was published: 2 stages, a rate of 0.0005, and regions of 2,000 entities by PageRank (500 for MetaQA)."`

	command.NetworkFlags
}

// The ways to come by the topics of a question.
const (
	topicsGiven  = "given"
	topicsLinked = "linked"
)

// runGNN trains and measures graph neural retrievers.
func (c *evalCommand) runGNN(ctx context.Context, s *command.Session) error {
	o, err := c.gnnOptions()
	if err != nil {
		return err
	}
	o.Progress = func(p eval.GNNProgress) { s.Show(gnnProgress(p)) }
	o.Row = func(r eval.GNNRow) {
		if s.Showing() {
			s.Note("%s", gnnRowText(r))
		}
	}
	run := func(failures io.Writer) error {
		o.Failures = failures
		table, err := eval.RunGNN(ctx, o)
		if errors.Is(err, context.Canceled) && table != nil && len(table.Rows) > 0 {
			s.Note("Interrupted; what was measured before:")
			if writeErr := table.WriteText(s.Stderr); writeErr != nil {
				return errors.Join(err, writeErr)
			}
		}
		if err != nil {
			return c.unusable(err)
		}
		table.Version = command.FullVersion()
		if s.JSON {
			return s.PrintJSON(table)
		}
		s.Clear()
		return table.WriteText(s.Stdout)
	}
	if c.Failures != "" {
		return s.WriteFile(ctx, c.Failures, run)
	}
	return run(nil)
}

// gnnOptions are the flags as the evaluation has them.
func (c *evalCommand) gnnOptions() (eval.GNNOptions, error) {
	f := c.evalGNNFlags
	o := eval.GNNOptions{
		Dataset: c.Set, Groups: c.Hops, Dir: c.Data, Sample: c.Sample, Seed: c.Seed,
		Train: f.Train, Together: f.Together, Generated: f.Generated, HeldWordings: f.HeldWordings, Folds: f.Folds, Seeds: f.Seeds, First: f.FirstSeed,
		Linked: f.Topics == topicsLinked, Masses: f.Mass,
	}
	if f.Published {
		if f.Network != "" || f.Region != "" || f.Entities != 0 || f.Stages != 0 || f.Rate != 0 {
			return o, command.UsageError("--published sets the network, its stages, the rate and the regions; leave out --network, --stages, --rate, --region and --entities")
		}
		f.Network, f.Stages, f.Region, f.Entities, f.Rate = "rearev", 2, command.ByPageRank, 2000, 0.0005
		if strings.EqualFold(c.Set, "metaqa") {
			f.Entities = 500
		}
	}
	var err error
	if o.Training, err = f.Options(); err != nil {
		return o, err
	}
	o.Training.Published = f.Published
	switch {
	case c.Planner != "built-in" || c.Reader != "direct" || c.Algorithm != "optimised" || c.Leaked || c.Alone || c.Journal != "" || c.Workers != 0:
		return o, command.UsageError("--planner, --reader, --algorithm, --leaked, --alone, --journal and --workers are of --retriever pattern")
	case f.Topics != "" && f.Topics != topicsGiven && f.Topics != topicsLinked:
		return o, command.UsageError(fmt.Sprintf("--topics is %s or %s", topicsGiven, topicsLinked))
	case f.Generated != 0 && (f.Train != 0 || f.HeldWordings || f.Folds != 0):
		return o, command.UsageError("--generated learns from nothing but the graph; leave out --train, --held-wordings and --folds")
	case f.Folds == 1 || f.Folds < 0:
		return o, command.UsageError("--folds must be 2 at least")
	case f.Train < 0 || f.Generated < 0 || f.Seeds < 0:
		return o, command.UsageError("--train, --generated and --seeds cannot be below 0")
	}
	for _, m := range f.Mass {
		if m <= 0 || m > 1 {
			return o, command.UsageError(fmt.Sprintf("--mass %v is no probability above 0", m))
		}
	}
	return o, nil
}

// withoutGNN refuses the flags of trained networks where none is measured.
func (c *evalCommand) withoutGNN() error {
	if !reflect.ValueOf(c.evalGNNFlags).IsZero() {
		return command.UsageError("the options of networks and their training need --retriever gnn")
	}
	return nil
}

// gnnProgress says how far an evaluation is.
func gnnProgress(p eval.GNNProgress) string {
	text := present.ProgressText(fmt.Sprintf("%s, seed %d: %s", p.Part, p.Seed, p.Task), p.Done, p.Total, false)
	if p.Epoch != nil {
		return fmt.Sprintf("%s, seed %d: %s", p.Part, p.Seed, command.EpochText(*p.Epoch))
	}
	return text
}

// gnnRowText is a row as soon as it is measured.
func gnnRowText(r eval.GNNRow) string {
	s := r.Scores
	n := float64(max(1, s.N)) / 100
	return fmt.Sprintf("%s, seed %d: Hits@1 %.2f, Hit %.2f, F1 %.2f on %s; trained in %.1f s", r.Part, r.Seed,
		s.Hits1/n, s.Hit/n, s.F1/n, present.Plural(s.N, "question", "questions"), r.Trained.Seconds)
}
