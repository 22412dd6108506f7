package main

import (
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"

	"cairn/app/cli/command"
	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/lab/eval"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/gsr"
)

// teachFlags are the choices of an evaluation of what has to be trained. Their zero
// values are the defaults.
type teachFlags struct {
	Train        int      `help:"Learn from this many questions of each part's training split (default: 1,000)." placeholder:"N"`
	Together     bool     `help:"Train once for all parts over one graph, instead of once for each."`
	Generated    int      `help:"Learn only from this many questions that are made out of the graph." placeholder:"N"`
	HeldWordings bool     `help:"Hold one wording in five out of training, and measure only those."`
	Folds        int      `help:"Cut sets without a training split into this many parts, and measure each by what was learned from the others (default: 5)." placeholder:"N"`
	Seeds        int      `help:"Measure this many seeds of the training, from --first-seed on (default: 1)." placeholder:"N"`
	FirstSeed    uint64   `help:"The first seed of the training (default: --seed, which draws the questions)." placeholder:"N"`
	With         []string `help:"With --retriever auto: train these for it to ask (default: all that are trained)." placeholder:"ID"`
	Base         string   `help:"With --start base: the file of the base, as cairn-lab pretrain wrote it (default: that of the program)." placeholder:"FILE"`
	Published    bool     `help:"ReaRev as it was published: 2 stages, a rate of 0.0005, and regions of 2,000 entities by PageRank (500 for MetaQA)."`

	Set map[string]string `help:"Set an option that no form and no other flag has, such as index=0 for relation chains." placeholder:"NAME=VALUE"`

	command.OptionFlags
}

// newEvalCommand has the options of all methods that are trained.
func newEvalCommand() evalCommand {
	var c evalCommand
	var options []retrieve.Option
	for _, m := range retrieve.Trainables(engine.Methods()) {
		for _, o := range m.Options() {
			if !slices.ContainsFunc(options, func(x retrieve.Option) bool { return x.Name == o.Name }) {
				options = append(options, o)
			}
		}
	}
	c.OptionFlags = command.NewOptionFlags(options)
	return c
}

// methods are the ways to look for evidence, with the base that was named.
func (c *evalCommand) methods(s *command.Session) ([]retrieve.Method, error) {
	if c.Base == "" {
		return s.Methods, nil
	}
	file, err := os.ReadFile(c.Base)
	if err != nil {
		return nil, fmt.Errorf("read the base: %w", err)
	}
	if _, err := gsr.ReadBase(string(file)); err != nil {
		return nil, command.InputError(fmt.Sprintf("read the base %s: %v", c.Base, err))
	}
	list := slices.Clone(s.Methods)
	if list == nil {
		list = engine.Methods()
	}
	for i, m := range list {
		if _, ok := m.(gsr.Method); ok {
			list[i] = gsr.Method{Base: string(file)}
		}
	}
	return list, nil
}

// checked checks the flags against each other and against what the method can do, and
// returns what the method learns from.
func (c *evalCommand) checked(method retrieve.Info) (eval.Teaching, error) {
	f := c.teachFlags
	chosen, err := f.Chosen()
	if err != nil {
		return eval.Teaching{}, err
	}
	maps.Copy(chosen, f.Set)
	f.OptionFlags = command.OptionFlags{}
	if method.Seeded && (c.Planner != "built-in" || c.Algorithm != "optimised" || c.Alone) {
		return eval.Teaching{}, command.UsageError(fmt.Sprintf("%s follows no plan; leave out --planner, --algorithm and --alone", method.Who))
	}
	if !method.Trained && method.ID != engine.Auto {
		if !reflect.ValueOf(f).IsZero() || len(chosen) > 0 {
			return eval.Teaching{}, command.UsageError(fmt.Sprintf("%s is not trained: leave out the options of networks and their training, or choose another --retriever", method.Who))
		}
		return eval.Teaching{}, nil
	}
	t := eval.Teaching{
		Train: f.Train, Together: f.Together, Generated: f.Generated, HeldWordings: f.HeldWordings, Folds: f.Folds, Seeds: f.Seeds, First: f.FirstSeed, With: f.With,
	}
	if f.Published {
		set := retrieve.Values{"network": "rearev", "stages": "2", "region": "pagerank", "entities": "2000", "rate": "0.0005", "published": "yes"}
		if strings.EqualFold(c.Set, "metaqa") {
			set["entities"] = "500"
		}
		for name, value := range set {
			if chosen[name] != "" {
				return t, command.UsageError("--published sets the network, its stages, the rate and the regions; leave out --network, --stages, --rate, --region and --entities")
			}
			chosen[name] = value
		}
	}
	t.How.Chosen = chosen
	switch {
	case f.Generated != 0 && (f.Train != 0 || f.HeldWordings || f.Folds != 0):
		return t, command.UsageError("--generated learns from nothing but the graph; leave out --train, --held-wordings and --folds")
	case f.Folds == 1 || f.Folds < 0:
		return t, command.UsageError("--folds must be 2 at least")
	case f.Base != "" && c.Journal != "":
		return t, command.UsageError("--journal does not say which base was started from; leave it out with --base")
	case method.ID == engine.Auto && len(f.With) != 1 && len(chosen) > 0:
		return t, command.UsageError("options of a training are for one retriever: name it, as in --with gsr")
	case len(f.With) > 0 && method.ID != engine.Auto:
		return t, command.UsageError("--with is for --retriever auto")
	case f.Train < 0 || f.Generated < 0 || f.Seeds < 0:
		return t, command.UsageError("--train, --generated and --seeds cannot be below 0")
	}
	return t, nil
}

// rowText is a row as soon as it is measured.
func rowText(r eval.Row) string {
	if r.Scores == nil {
		return fmt.Sprintf("%s: %d of %s judged right", r.Group, r.Claims.Right, present.Plural(r.Claims.N, "claim", "claims"))
	}
	s := r.Scores
	n := float64(max(1, s.N)) / 100
	return fmt.Sprintf("%s: Hits@1 %.2f, Hit %.2f, F1 %.2f on %s", r.Group, s.Hits1/n, s.Hit/n, s.F1/n, present.Plural(s.N, "question", "questions"))
}
