package gnnrag

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"cairn/engine/nn"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/learn"
)

// Options are the choices of a training; the zero value is the default.
type Options struct {
	// Kind is the network. The default value is Flow.
	Kind Kind `json:"kind"`
	// Encoders are what networks read words by: "tokens" learns the vectors of words
	// and of their parts, "lexical" reads those of the built-in embedder, and any
	// other is the id of an embedder. One network is trained for each; several
	// answer together (GNN-RAG §4.5, the ensemble).
	//
	// The default value is tokens.
	Encoders []string      `json:"encoders"`
	Region   RegionOptions `json:"region"` // not of Flow
	// Width is d. The default value is 50, the paper's.
	Width int `json:"width"`
	// Instructions, Layers and Stages are K, L and T. The default values are 3, 3
	// and 1: the paper has 3, 3 and 2 for MetaQA.
	Instructions int `json:"instructions"`
	Layers       int `json:"layers"` // of Flow: its steps
	Stages       int `json:"stages"`
	// Published makes ReaRev as the paper has it, without what we changed so that it
	// trains sooner and at more seeds.
	Published bool `json:"published,omitempty"`
	// Epochs is how often the questions are gone through at most. The default value
	// depends on the kind and on how many questions there are.
	Epochs int `json:"epochs"`
	// Batch is how many questions make a step. The default value is 8, the paper's.
	Batch int `json:"batch"`
	// Rate is Adam's at the beginning; it falls linearly to a tenth. The default
	// value is 0.002 (the paper has 0.0005, for vectors of a language model).
	Rate float64 `json:"rate"`
	// Seed is that of the weights, the order and the dropout. A training that stalls
	// is begun again with another one that follows from it.
	Seed uint64 `json:"seed"`
	// Tries is how many trainings are begun at most for one network. The default
	// value is 4.
	Tries int `json:"tries"`
}

// setDefaults fills what was left at its zero value, for n questions.
func (o *Options) setDefaults(n int) {
	def := func(v *int, d int) {
		if *v == 0 {
			*v = d
		}
	}
	o.Kind = cmp.Or(o.Kind, Flow)
	if len(o.Encoders) == 0 {
		o.Encoders = []string{tokensEncoder}
	}
	def(&o.Width, 50)
	def(&o.Instructions, 3)
	def(&o.Layers, 3)
	def(&o.Stages, 1)
	// Learning is a matter of steps rather than of epochs.
	visits := 20_000
	if o.Kind == Flow {
		visits = 60_000 // it takes a quarter of a millisecond for each, and stops where it has learned all
	}
	def(&o.Epochs, min(max(visits/max(n, 1), 3), 60))
	def(&o.Batch, 8)
	def(&o.Tries, 4)
	o.Rate = cmp.Or(o.Rate, 2e-3)
}

// check refuses choices that make no network.
func (o *Options) check() error {
	if !slices.Contains(kinds, o.Kind) {
		return fmt.Errorf("there is no network %q; choose one of %v", o.Kind, kinds)
	}
	for _, v := range []int{o.Width, o.Instructions, o.Layers, o.Stages, o.Epochs, o.Batch, o.Tries, o.Region.Hops, o.Region.Hub, o.Region.Entities} {
		if v < 0 {
			return fmt.Errorf("%d is too small: sizes and numbers of passes must be above zero", v)
		}
	}
	if o.Rate < 0 || math.IsNaN(o.Rate) || math.IsInf(o.Rate, 0) {
		return fmt.Errorf("the learning rate %v must be above zero, such as 0.002", o.Rate)
	}
	if o.Width%2 == 1 {
		return fmt.Errorf("the width %d is odd: words are read from both sides, with half of it each", o.Width)
	}
	return nil
}

// modelForm is that of encoded models and checkpoints.
const modelForm learn.Form = "cairn-gnn\x01"

// Train trains a model on examples, and measures it on held ones, which pick the
// best weights and the moment to stop; where none are held, training examples do.
// With state, as a Checkpoint was given, it goes on where that was taken and ends
// with the weights that it would have had. Cancelled, or stopped by a loss that is
// no number any more (retrieve.ErrDiverged), it returns the best weights so far beside
// the error, where there are some.
func Train(ctx context.Context, w retrieve.World, train, held []questions.Example, o Options, state []byte, ev *retrieve.TrainingEvents) (*Model, error) {
	o.setDefaults(len(train))
	if err := o.check(); err != nil {
		return nil, err
	}
	if ev == nil {
		ev = &retrieve.TrainingEvents{}
	}
	tr := &training{world: w, o: o, ev: ev}
	fingerprint := learn.Fingerprint(w.Graph, train, held, o)
	if err := tr.prepare(ctx, train, held); err != nil {
		return nil, err
	}
	out, err := learn.Course{
		Form: modelForm, Print: fingerprint, Parts: o.Encoders, Questions: len(tr.data.train), Epochs: o.Epochs, Batch: o.Batch, Tries: o.Tries, Seed: o.Seed,
		Rate: func(step, steps int) float64 { return o.Rate * (1 - 0.9*float64(step)/float64(steps)) },
		New:  tr.network, Events: *ev,
	}.Run(ctx, state)
	if len(out.Networks) == 0 {
		return nil, err
	}
	m, measured := tr.model(context.WithoutCancel(ctx), out)
	return m, errors.Join(err, measured)
}

type training struct {
	world retrieve.World
	o     Options
	ev    *retrieve.TrainingEvents
	data  *dataSet
	vocab *learn.Vocabulary
	held  int // questions that it is measured on and not trained on
}

func (tr *training) network(ctx context.Context, encoder string, seed uint64) (learn.Network, error) {
	m, err := newMember(ctx, seed, encoder, tr.vocab, tr.world, tr.o)
	if err != nil {
		return nil, err
	}
	return trainee{m, tr.data}, tr.data.read(ctx, m.enc, tr.ev.Progress)
}

// trainee is a network with the questions that it learns from.
type trainee struct {
	*member

	data *dataSet
}

func (t trainee) Params() *nn.Params { return t.net.params() }

func (t trainee) Loss(tape *nn.Tape, i int) *nn.Tensor {
	return t.net.loss(tape, t.data.ready(t.data.train[i]))
}

func (t trainee) Measure(ctx context.Context) (retrieve.Metrics, error) {
	return t.data.measure(ctx, t.member, t.data.dev)
}
