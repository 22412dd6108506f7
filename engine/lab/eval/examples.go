package eval

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cairn/engine"
	"cairn/engine/plan"
	"cairn/engine/questions"
)

// Example is what a plan's confidence can be judged by: what spoke against the reading of
// one question, and whether its answer was right.
type Example struct {
	// Graph names what is left out together: graphs of one schema are one.
	Graph string
	Set   string
	// Question and Reading are for people.
	Question, Reading string
	// Forget is the share of the relations, in percent, that lost what the lexicon knows of
	// them.
	Forget int
	// Held says that the question is not to be fitted by.
	Held bool
	// Signs are what speaks against the first reading, by name.
	Signs map[string]float64
	// Sure says that the answer came without a doubt and a caution, but for the bar that is
	// set on the confidence; Above that it came so with the bar as it is.
	Sure, Above bool
	Right       bool // the first answer
	// Confidence is the plan's; 0 where it has none, which no bar touches.
	Confidence float64
}

// GatherOptions are the choices of Gather.
type GatherOptions struct {
	Dir   string // the folder that holds the data sets
	Field string // the folder that holds the graphs of people, with what they asked
	// Graphs are those of Field that are asked; all, if empty.
	Graphs []string
	// Sample is how many questions of each part are asked to fit by, and how many others are
	// held; of each copy.
	Sample int
	// Progress, if set, is told what is being asked.
	Progress func(task string, done, total int64)
}

// forgets are the copies of each graph: as it is, and with shares of its relations
// forgotten. Which ones are is drawn several times, for a graph may have few.
var forgets = []struct{ share, draws int }{{0, 1}, {50, 4}, {90, 4}}

// confidenceSets are the sets that are gathered, with the graph that each is over.
var confidenceSets = []struct{ set, graph string }{
	{"metaqa", "films"},
	{"pathquestion", "people"},
	{"worldcup", "football"},
	{"webqsp", "Freebase"},
	{"cwq", "Freebase"},
	{"umls", "UMLS"},
	{"nations", "nations"},
	{"air-routes", "air routes"},
}

// madeSets have no questions of their own: they are made out of the graph.
var madeSets = map[string][]Source{
	"umls":       {{File: "small-kgs/umls_text/train.tsv"}},
	"nations":    {{File: "small-kgs/nations/train.txt"}},
	"air-routes": {{File: "air-routes/air-routes-latest-nodes.csv"}, {File: "air-routes/air-routes-latest-edges.csv"}},
}

// Gather asks questions of many sets, and of copies of their graphs that forget.
func Gather(ctx context.Context, o GatherOptions) ([]Example, error) {
	tmp, err := os.MkdirTemp("", "cairn-confidence-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the graphs: %w", err)
	}
	defer os.RemoveAll(tmp)
	var all []Example
	for i, s := range confidenceSets {
		d := &Dataset{Name: s.set, KG: madeSets[s.set], Groups: []Group{madePart()}}
		if d.KG == nil {
			if d, err = Find(s.set); err != nil {
				return nil, err
			}
		}
		for j, g := range d.Groups {
			c := gatherer{o: o, graph: s.graph, set: d.Name + " " + g.Name}
			found, err := c.gather(ctx, filepath.Join(tmp, fmt.Sprintf("%d-%d.cairn", i, j)), d, g)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.set, err)
			}
			all = append(all, found...)
		}
	}
	graphs, err := FieldGraphs(o.Field, o.Graphs...)
	if err != nil {
		return nil, err
	}
	for _, f := range graphs {
		c := gatherer{o: o, graph: f.Name, set: "field " + f.Name}
		found, err := c.gatherField(ctx, filepath.Join(tmp, f.Name+".cairn"), &f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.set, err)
		}
		all = append(all, found...)
	}
	return all, nil
}

// trial is a question that a plan's confidence is judged by.
type trial struct {
	text    string
	isRight func(*engine.Run) bool // the answer
}

// gatherer gathers one part of a set.
type gatherer struct {
	o          GatherOptions
	graph, set string
	eng        *engine.Engine
}

func (c *gatherer) gather(ctx context.Context, path string, d *Dataset, g Group) (all []Example, err error) {
	sources := d.KG
	if g.KG != nil {
		sources = g.KG
	}
	if c.eng, _, err = open(ctx, path, c.o.Dir, sources, engine.Options{}); err != nil {
		return nil, err
	}
	defer c.eng.Close()
	var qs []Question
	if g.Made {
		qs, err = c.made(ctx)
	} else {
		qs, err = g.Load(c.o.Dir)
	}
	if err != nil {
		return nil, err
	}
	var trials []trial
	for _, q := range qs {
		trials = append(trials, trial{q.Text, func(run *engine.Run) bool {
			answers := answerLabels(c.eng.Graph(), run)
			return len(answers) > 0 && slices.Contains(q.Gold, answers[0])
		}})
	}
	return c.askCopies(ctx, trials)
}

// gatherField takes the questions of a graph of people that have a list for an answer.
func (c *gatherer) gatherField(ctx context.Context, path string, f *FieldGraph) (all []Example, err error) {
	if c.eng, err = f.open(ctx, path); err != nil {
		return nil, err
	}
	defer c.eng.Close()
	var trials []trial
	for _, q := range f.Questions {
		if q.Gold != "yes" && q.Gold != "no" && !strings.HasPrefix(q.Gold, "*") {
			trials = append(trials, trial{q.Text, func(run *engine.Run) bool { return q.outcome(run) == sureRight || q.outcome(run) == doubtRight }})
		}
	}
	return c.askCopies(ctx, trials)
}

// askCopies asks of the graph as it is, and of copies that forget.
func (c *gatherer) askCopies(ctx context.Context, trials []trial) (all []Example, err error) {
	for _, f := range forgets {
		for held, half := range halves(trials) {
			for draw := range f.draws {
				seed := uint64(1 + 100*held + draw) // held copies forget other relations
				if err := c.eng.SetOverrides(ctx, forgetful(c.eng.Graph(), f.share, false, seed), nil); err != nil {
					return nil, err
				}
				for _, t := range sample(half, max(1, c.o.Sample/f.draws), seed) {
					x, err := c.ask(ctx, t)
					if err != nil {
						return nil, err
					}
					x.Forget, x.Held = f.share, held == 1
					all = append(all, x)
				}
				if c.o.Progress != nil {
					c.o.Progress(fmt.Sprintf("%s, %d %% forgotten", c.set, f.share), int64(len(all)), int64(2*len(forgets)*min(c.o.Sample, len(trials)/2)))
				}
			}
		}
	}
	return all, nil
}

// halves parts questions into those to fit by and those that are held.
func halves[T any](qs []T) (out [2][]T) {
	for i, q := range qs {
		out[i%2] = append(out[i%2], q)
	}
	return out
}

// made makes questions out of the graph, in the words of its planner.
func (c *gatherer) made(ctx context.Context) ([]Question, error) {
	p, err := c.eng.Planner(ctx)
	if err != nil {
		return nil, err
	}
	speaker, ok := p.(questions.Planner)
	if !ok {
		return nil, errors.New("questions are made in the words of the built-in planner")
	}
	var qs []Question
	g := c.eng.Graph()
	for _, m := range questions.NewMaker(speaker).Teach(ctx, 2*c.o.Sample, 1) {
		q := Question{Text: m.Text}
		for _, e := range m.Answers {
			q.Gold = append(q.Gold, g.Label(e))
		}
		qs = append(qs, q)
	}
	return qs, ctx.Err()
}

func (c *gatherer) ask(ctx context.Context, t trial) (Example, error) {
	run, err := c.eng.Ask(ctx, t.text, engine.AskOptions{NoModel: true}, nil)
	if err != nil {
		return Example{}, err
	}
	x := Example{Graph: c.graph, Set: c.set, Question: t.text, Confidence: run.Plan.Confidence, Signs: map[string]float64{}}
	if run.Reading >= 0 {
		x.Reading = run.Plan.Readings[run.Reading].Text
	}
	for _, s := range run.Plan.Signs {
		x.Signs[s.Name] = s.Much
	}
	answers := answerLabels(c.eng.Graph(), run)
	calm := len(answers) > 0 && run.Calm()
	x.Above = calm && run.Plan.Doubt == plan.Sure
	x.Sure = x.Above || calm && run.Plan.Barred
	x.Right = t.isRight(run)
	return x, nil
}
