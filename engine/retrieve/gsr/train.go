package gsr

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/nn"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/learn"
	"cairn/engine/schema"
	"cairn/internal/wording"
)

// Options are the choices of a training; the zero value is the default.
type Options struct {
	// Start says what is started from. The default value is automatic.
	Start Start `json:"start,omitempty"`
	// Base names the base that is started from; a training fills it in.
	Base string `json:"base,omitempty"`
	// Width is d. The default value is 128.
	Width int `json:"width"`
	// Steps is the most steps of a chain. The default value is 3.
	Steps int `json:"steps"`
	// Chains says which chains questions teach. The default value is Selected.
	Chains learn.Regime `json:"chains"`
	// Beam is how many chains are kept while decoding, and read at most. The default
	// value is 5.
	Beam int `json:"beam"`
	// Free speaks chains that the graph does not have, too, as published.
	Free bool `json:"free,omitempty"`
	// Made is how many questions made out of the graph are learned from beside those
	// of a file, −1 for none. The default value is as many as there are, 3,000 at most,
	// less those of whose chains these show enough, but for rewordings.
	Made int `json:"made"`
	// Index is how many pseudo-questions of each step are learned from (§4.1, indexing
	// data), −1 for none. The default value is 10, fewer for more than 300 steps.
	Index int `json:"index"`
	// Epochs is how often the questions are gone through at most. The default value
	// depends on how many there are.
	Epochs int `json:"epochs"`
	// Rate is Adam's at its highest; it falls to a twentieth. The default value is 0.002.
	Rate float64 `json:"rate"`
	// Dropout is that of the layers. The default value is 0.1, or 0.2 for few questions.
	Dropout float64 `json:"dropout"`
	// Typed says that names are read as what types they have; a training fills it in. Bases
	// know no types.
	Typed bool   `json:"typed,omitempty"`
	Seed  uint64 `json:"seed"`
}

const (
	// longestChain is the most steps that a chain may have.
	longestChain = 8
	// batch is how many questions make a step of a training.
	batch = 16
	// madeBeside is how many questions are made beside those of a file, at most.
	madeBeside = 3000
	// indexed is how many pseudo-questions there are in all, about.
	indexed = 3000
	// visits is how many questions a training learns from, all epochs together.
	visits = 45_000
	// few is up to how many questions are so few that more is forgotten while learning.
	few = 1000
	// saidOften is how often questions take a step for made ones not to show it: as often as
	// pseudo-questions do.
	saidOften = 10
	// rewordings is how many made questions of each single step are learned from whatever the
	// labelled ones show: people word a step in more ways than these do.
	rewordings = 30
	// warm is how many steps of a training the rate takes to rise.
	warm = 50
)

// setDefaults fills what was left at its zero value, for n questions of a file or of the
// graph, over a graph.
func (o *Options) setDefaults(n int, g *kg.Graph) {
	o.Width = cmp.Or(o.Width, 128)
	o.Steps = cmp.Or(o.Steps, 3)
	o.Beam = cmp.Or(o.Beam, 5)
	o.Made = cmp.Or(o.Made, min(n, madeBeside))
	o.Index = cmp.Or(o.Index, min(10, max(1, indexed/max(1, 2*g.Relations()))))
	o.Chains = cmp.Or(o.Chains, learn.Selected)
	o.Rate = cmp.Or(o.Rate, 2e-3)
	if o.Dropout == 0 {
		if o.Dropout = 0.1; n < few {
			o.Dropout = 0.2
		}
	}
}

// check refuses choices that make no network.
func (o *Options) check() error {
	if err := checkWidth(o.Width); err != nil {
		return err
	}
	switch {
	case o.Steps < 1 || o.Steps > longestChain:
		return fmt.Errorf("a chain of %d steps cannot be learned: choose 1 to %d", o.Steps, longestChain)
	case o.Beam < 1 || o.Epochs < 0:
		return errors.New("the beam and the number of epochs must be above zero")
	case !slices.Contains(learn.Regimes, o.Chains):
		return fmt.Errorf("there are no chains %q; choose one of %v", o.Chains, learn.Regimes)
	case !(o.Rate > 0) || math.IsInf(o.Rate, 0):
		return fmt.Errorf("the learning rate %v must be above zero, such as 0.002", o.Rate)
	case !(o.Dropout >= 0 && o.Dropout < 1):
		return fmt.Errorf("the dropout %v must be at least 0 and below 1", o.Dropout)
	}
	return nil
}

// checkWidth refuses widths that make no network.
func checkWidth(d int) error {
	if d < 2*heads || d%(2*heads) != 0 {
		return fmt.Errorf("the width %d must be a multiple of %d", d, 2*heads)
	}
	return nil
}

// modelForm is that of encoded models and checkpoints.
const modelForm learn.Form = "cairn-gsr\x01"

type training struct {
	asked retrieve.Training
	o     Options
	base  *base // nil for nothing
	fills bool  // made questions are those that labelled ones leave room for: see filling
	model model // in the making
	steps []schema.Step
	names *names
	walks *learn.Walkers
	items []item
	held  []questions.Example
}

// item is a question read from one of the things that it names, with the chains that it
// teaches.
type item struct {
	example *questions.Example
	span    int // the name's; allSpans where there is one
	topics  []kg.EntityID
	chains  [][]schema.Step
	leads   []learn.Lead // what may be its chains, until that is settled
}

// train trains a model. Cancelled, or with retrieve.ErrDiverged, it returns the best so far
// beside the error, where there is one.
func train(ctx context.Context, asked retrieve.Training, o Options, base string) (*model, error) {
	g := asked.World.Graph
	from, err := o.start(base, asked.Train)
	if err != nil {
		return nil, err
	}
	fills := o.Made == 0
	o.Typed = from == nil && g.NumTypes() > 0
	o.setDefaults(len(asked.Train), g)
	if err := o.check(); err != nil {
		return nil, err
	}
	tr := &training{asked: asked, o: o, base: from, fills: fills}
	if err := tr.prepare(ctx); err != nil {
		return nil, err
	}
	if o.Start == baseAlone {
		return tr.alone(ctx)
	}
	out, err := learn.Course{
		Form: modelForm, Print: learn.Fingerprint(g, asked.Train, asked.Held, o), Parts: []string{""}, Questions: len(tr.items), Epochs: tr.epochs(),
		Batch: batch, Tries: 1, Whole: true, Seed: o.Seed, Rate: tr.rate, New: tr.network, Events: asked.TrainingEvents,
	}.Run(ctx, asked.State)
	if len(out.Networks) == 0 {
		return nil, err
	}
	return tr.finish(context.WithoutCancel(ctx), out, err)
}

func (tr *training) epochs() int {
	if tr.o.Epochs > 0 {
		return tr.o.Epochs
	}
	return min(max(visits/len(tr.items), 2), 25)
}

// rate rises for some steps, and then falls.
func (tr *training) rate(step, steps int) float64 {
	return tr.o.Rate * min(1, float64(step+1)/warm) * (1 - 0.95*float64(step)/float64(steps))
}

// prepare gathers what is learned from and finds the chains that it teaches.
func (tr *training) prepare(ctx context.Context) error {
	g, asked := tr.asked.World.Graph, &tr.asked
	tr.model = model{Returns: learn.Return(asked.Train)}
	tr.walks = &learn.Walkers{Graph: g, Returns: tr.model.Returns}
	silent, err := tr.mine(ctx, asked.Train)
	if err != nil {
		return err
	}
	tr.model.About.Questions = len(asked.Train)
	if len(tr.items) == 0 {
		return fmt.Errorf("%w: no chain of %s leads from what the questions name to their answers", retrieve.ErrNothingToLearn,
			wording.Count(tr.o.Steps, "step", "steps"))
	}
	if n := len(asked.Train); silent > 0 && asked.Notes != nil {
		asked.Notes([]string{fmt.Sprintf("No chain leads to the answers of %s of %s, so nothing is learned from them.", wording.Number(silent), wording.Count(n, "question", "questions"))})
	}
	var beside []questions.Example
	ofFile := slices.ContainsFunc(asked.Train, func(x questions.Example) bool { return !x.Made })
	if ofFile && asked.Make != nil && tr.o.Made > 0 {
		beside = asked.Make(ctx, tr.o.Made, tr.o.Seed)
		if tr.fills {
			beside = slices.DeleteFunc(beside, tr.filling())
		}
	}
	if tr.o.Index > 0 {
		beside = append(beside, questions.Frames(g, tr.o.Index, tr.o.Seed)...)
	}
	if _, err := tr.mine(ctx, beside); err != nil {
		return err
	}
	train := slices.Concat(asked.Train, beside)
	tr.model.vocab = learn.NewVocabulary(train, g)
	if tr.base != nil {
		tr.model.taught = tr.model.vocab
		tr.model.vocab = tr.model.vocab.Grown(tr.base.vocab)
		tr.model.About.Notes = append(tr.model.About.Notes, tr.base.describe()+".")
	}
	tr.held = asked.Held
	if tr.model.About.Held = min(len(tr.held), learn.DevAtMost); len(tr.held) == 0 {
		tr.held = asked.Train
	}
	tr.held = questions.Spread(tr.held, learn.DevAtMost)
	tr.steps = stepsOf(g)
	return nil
}

// stepsOf are all steps over a graph, ascending.
func stepsOf(g *kg.Graph) (steps []schema.Step) {
	for s := range schema.Step(2 * g.Relations()) {
		steps = append(steps, s)
	}
	return steps
}

// together is how many questions settle among themselves which chains they teach.
const together = 20_000

// mine finds the chains of examples, on all cores, and keeps those that teach something.
// It counts the others.
func (tr *training) mine(ctx context.Context, train []questions.Example) (silent int, err error) {
	told := 0
	for some := range slices.Chunk(train, together) {
		found := make([][]item, len(some))
		err := learn.Each(ctx, len(some), func(i int) { found[i] = tr.itemsOf(&some[i]) }, func(done int) {
			if tr.asked.Progress != nil {
				tr.asked.Progress("find the chains that lead to answers", int64(told+done), int64(len(train)))
			}
		})
		if err != nil {
			return silent, err
		}
		told += len(some)
		for _, its := range found {
			if len(its) == 0 {
				silent++
			}
		}
		its := slices.Concat(found...)
		tr.agree(its)
		tr.items = append(tr.items, its...)
	}
	return silent, nil
}

// itemsOf reads a question from each of the things that it names, if chains lead from there.
func (tr *training) itemsOf(x *questions.Example) (out []item) {
	named := learn.NamesOf(tr.asked.World.Graph, *x)
	for _, n := range named {
		it := item{example: x, span: n.Span, topics: n.Seeds}
		if len(named) == 1 {
			it.span = allSpans
		}
		k := tr.walks.Take()
		switch {
		case len(x.Legs) > 0:
			it.chains = taught(x, n.Seeds)
		case tr.o.Chains == learn.Selected:
			it.leads = k.Leads(n.Seeds, x.Answers, tr.o.Steps)
		default:
			it.chains = k.Chains(n.Seeds, x.Answers, tr.o.Steps, tr.o.Chains)
		}
		tr.walks.Put(k)
		if len(it.chains)+len(it.leads) > 0 {
			out = append(out, it)
		}
	}
	return out
}

// agree settles which of their leads items teach.
func (tr *training) agree(items []item) {
	var clues []learn.Clue
	var of []*item
	for i := range items {
		if it := &items[i]; len(it.leads) > 0 {
			clues, of = append(clues, learn.ClueOf(*it.example, it.leads)), append(of, it)
		}
	}
	for i, chains := range learn.Agree(tr.asked.World.Graph, clues) {
		of[i].chains, of[i].leads = chains, nil
	}
}

// place is where a chain takes a step.
type place struct {
	hops, at int // of a chain of how many steps the how manieth
	step     schema.Step
	joined   bool // the question names other things, too
}

// filling returns what reports whether a made question is left out: where every step of its
// chains, at its place in a chain as long, was often said, by the items so far and the made
// questions that are not left out. These are for what people's own do not show. Of what
// is shown well, more would only take up time, and not say it as people here do; but for
// rewordings of single steps.
func (tr *training) filling() (leftOut func(questions.Example) bool) {
	said, reworded := map[place]int{}, map[schema.Step]int{}
	places := func(chains [][]schema.Step, joined bool) (out []place) {
		for _, c := range chains {
			for i, s := range c {
				out = append(out, place{len(c), i, s, joined})
			}
		}
		return out
	}
	for _, it := range tr.items {
		for _, p := range places(it.chains, it.span != allSpans) {
			said[p]++
		}
	}
	return func(x questions.Example) bool {
		chains := wording.Each(x.Legs, func(l questions.Leg) []schema.Step { return l.Steps })
		in := places(chains, len(chains) > 1)
		if len(in) == 1 && reworded[in[0].step] < rewordings {
			reworded[in[0].step]++
			return false
		}
		if !slices.ContainsFunc(in, func(p place) bool { return said[p] < saidOften }) {
			return true
		}
		for _, p := range in {
			said[p]++
		}
		return false
	}
}

// taught are the chains of an example that says its legs, from some of its topics.
func taught(x *questions.Example, from []kg.EntityID) [][]schema.Step {
	for _, l := range x.Legs {
		if slices.Contains(from, l.Entity) && len(l.Steps) <= longestChain {
			return [][]schema.Step{l.Steps}
		}
	}
	return nil
}

func (tr *training) network(_ context.Context, _ string, seed uint64) (learn.Network, error) {
	n := newNet(tr.o, tr.model.vocab, seed)
	if tr.base != nil {
		n.begin(tr.base.net)
	}
	return tr.trainee(n), nil
}

// trainee has a network learn from the questions.
func (tr *training) trainee(n *net) *trainee {
	tr.names = n.names(tr.asked.World.Graph, tr.model.vocab)
	t := &trainee{tr, n, make([]words, len(tr.items)), make([][][]lexicon.Token, len(tr.items))}
	for i, it := range tr.items {
		tokens, span := learn.TokensOf(*it.example)
		t.kinds[i] = tr.o.kinds(tr.asked.World.Graph, *it.example)
		t.words[i] = n.words(tokens, span, it.span, t.kinds[i])
	}
	return t
}

// trainee is a network with the questions that it learns from.
type trainee struct {
	*training

	net   *net
	words []words             // by item
	kinds [][][]lexicon.Token // by item
}

func (t *trainee) Params() *nn.Params { return t.net.p }

const (
	// nearby is up to how many steps are all told apart while training; of more those
	// are that leave the sets of the chain, and random ones.
	nearby, random = 160, 60
	// alongside is how many steps that leave the sets of a chain are told apart, at most.
	alongside = 300
	// nameless is the share of the questions in which relations have their names alone.
	nameless = 0.3
)

func (t *trainee) Loss(tape *nn.Tape, i int) *nn.Tensor {
	it, rng := &t.items[i], tape.Rand()
	said := it.chains[rng.IntN(len(it.chains))]
	steps := t.steps
	if len(steps) > nearby {
		steps = t.choices(it, said, rng.IntN)
	}
	chain := make([]int, len(said))
	for j, s := range said {
		chain[j], _ = slices.BinarySearch(steps, s)
	}
	own := rng.Float64() >= nameless
	words := t.words[i]
	if float64(len(said))*rng.Float64() < slipping {
		tokens, span := slipped(it.example, rng)
		words = t.net.words(tokens, span, it.span, t.kinds[i])
	}
	return t.net.loss(tape, words, t.names, steps, chain, own, rng)
}

// choices are the steps that a chain is told from.
func (t *trainee) choices(it *item, said []schema.Step, draw func(int) int) []schema.Step {
	k := t.walks.Take()
	defer t.walks.Put(k)
	set := it.topics
	out := k.Leaving(set)
	for _, s := range said {
		set = k.Follow(set, s, it.topics)
		out = append(out, k.Leaving(set)...)
		for len(out) > alongside {
			i := draw(len(out))
			out[i] = out[len(out)-1]
			out = out[:len(out)-1]
		}
	}
	out = append(out, said...)
	for range random {
		out = append(out, t.steps[draw(len(t.steps))])
	}
	return kg.Distinct(out)
}

func (t *trainee) Measure(ctx context.Context) (retrieve.Metrics, error) {
	s := newSpeaker(t.net, t.names, t.walks, t.o)
	ms, _, err := s.measure(ctx, t.held)
	return learn.Mean(ms), err
}
