package gnnrag

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"cairn/engine/kg"
	"cairn/engine/nn"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
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
	if o.Kind == "" {
		o.Kind = Flow
	}
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
	if o.Rate == 0 {
		o.Rate = 2e-3
	}
}

// check refuses choices that make no network.
func (o *Options) check() error {
	if !slices.Contains(Kinds, o.Kind) {
		return fmt.Errorf("there is no network %q; choose one of %v", o.Kind, Kinds)
	}
	for _, v := range []int{o.Width, o.Instructions, o.Layers, o.Stages, o.Epochs, o.Batch, o.Tries, o.Region.Hops, o.Region.Hub, o.Region.Entities} {
		if v < 0 {
			return fmt.Errorf("%d is too few: sizes and numbers of passes must be above zero", v)
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

const (
	// devAtMost is how many held questions are asked after each epoch.
	devAtMost = 500
	// checkpointEvery is the least time between two checkpoints.
	checkpointEvery = 5 * time.Second
)

// Train trains a model on examples, and measures it on held ones, which pick the
// best weights and the moment to stop; where none are held, training examples do.
// With state, as a Checkpoint was given, it goes on where that was taken and ends
// with the weights that it would have had. Cancelled, or stopped by a loss that is
// no number any more (nn.ErrNotFinite), it returns the best weights so far beside
// the error, where there are some.
func Train(ctx context.Context, w retrieve.World, train, held []questions.Example, o Options, state []byte, ev *retrieve.TrainingEvents) (*Model, error) {
	o.setDefaults(len(train))
	if err := o.check(); err != nil {
		return nil, err
	}
	if ev == nil {
		ev = &retrieve.TrainingEvents{}
	}
	tr := &training{world: w, o: o, ev: ev, began: time.Now(), print: fingerprint(w.Graph, train, held, o)}
	if err := tr.prepare(ctx, train, held); err != nil {
		return nil, err
	}
	if state != nil {
		if err := tr.restore(state); err != nil {
			return nil, err
		}
	}
	err := tr.run(ctx)
	if err != nil && tr.now.best == nil && len(tr.done) == 0 {
		return nil, err
	}
	m, measured := tr.model(context.WithoutCancel(ctx))
	return m, errors.Join(err, measured)
}

// training is a training under way.
type training struct {
	world retrieve.World
	o     Options
	ev    *retrieve.TrainingEvents
	began time.Time
	print string
	data  *dataSet
	vocab *vocabulary
	held  int // questions that it is measured on and not trained on

	// What a checkpoint holds: the networks that are trained, and the one that is.
	done []trained
	now  progress
	sofar

	last  []byte    // the latest state, and whether it was handed out
	saved time.Time // when a state was last handed out
	fresh bool
}

// sofar is what adds up over the whole training.
type sofar struct {
	Epochs  int     `json:"epochs"`
	Tries   int     `json:"tries"`
	Seconds float64 `json:"seconds"` // of earlier runs
}

// trained is a network with its best weights.
type trained struct {
	Encoder string           `json:"encoder"`
	Dev     retrieve.Metrics `json:"dev"`
	weights []byte
}

// progress is how far the network is that is being trained.
type progress struct {
	Try    int              `json:"try"`
	Epoch  int              `json:"epoch"`  // epochs of this try that are over
	Losses []float64        `json:"losses"` // of this try, by epoch
	Dev    retrieve.Metrics `json:"dev"`    // of best
	Tried  retrieve.Metrics `json:"tried"`  // the best of this try
	Since  int              `json:"since"`  // epochs since this try got better

	best          []byte // weights, of all tries
	weights, adam []byte // now
}

// seconds is how long the training has taken.
func (tr *training) seconds() float64 { return tr.Seconds + time.Since(tr.began).Seconds() }

// run trains what is left to train.
func (tr *training) run(ctx context.Context) (err error) {
	defer func() { err = errors.Join(err, tr.handOut(true)) }()
	for len(tr.done) < len(tr.o.Encoders) {
		if err := tr.network(ctx, tr.o.Encoders[len(tr.done)]); err != nil {
			return err
		}
		tr.done = append(tr.done, trained{tr.o.Encoders[len(tr.done)], tr.now.Dev, tr.now.best})
		tr.now = progress{}
	}
	return nil
}

// network trains one network: with another seed where one stalls.
func (tr *training) network(ctx context.Context, encoder string) error {
	for tr.now.Try < tr.o.Tries {
		stalled, err := tr.try(ctx, encoder)
		if err != nil {
			return err
		}
		if !stalled {
			return nil
		}
		tr.now = progress{Try: tr.now.Try + 1, Dev: tr.now.Dev, best: tr.now.best}
	}
	return nil
}

// trySeed is the seed of a try: that of the options for the first.
func (tr *training) trySeed() uint64 {
	seed := tr.o.Seed + 1
	if n := tr.now.Try; n > 0 {
		seed = rand.New(rand.NewPCG(seed, uint64(n))).Uint64()
	}
	return seed
}

// try trains a network from one seed, from where it is.
func (tr *training) try(ctx context.Context, encoder string) (stalled bool, err error) {
	seed := tr.trySeed()
	m, err := newMember(ctx, seed, encoder, tr.vocab, tr.world, tr.o)
	if err != nil {
		return false, err
	}
	if err := tr.data.read(ctx, m.enc, tr.ev.Progress); err != nil {
		return false, err
	}
	adam := &nn.Adam{Clip: 1}
	if tr.now.Epoch > 0 {
		if err := errors.Join(m.net.params().SetWeights(tr.now.weights), adam.SetState(m.net.params(), tr.now.adam)); err != nil {
			return false, fmt.Errorf("%w: %w", retrieve.ErrResume, err)
		}
	} else {
		tr.Tries++
	}
	steps := nn.NewTrainer(m.net.params(), adam)
	for tr.now.Epoch < tr.o.Epochs {
		loss, err := tr.epoch(ctx, m, steps, adam, seed)
		if err != nil {
			return false, err
		}
		dev, err := tr.data.measure(ctx, m, tr.data.dev)
		if err != nil {
			return false, err
		}
		now := &tr.now
		now.Epoch++
		tr.Epochs++
		now.Losses = append(now.Losses, loss)
		now.Since++
		if now.Epoch == 1 || better(dev, now.Tried) {
			now.Tried, now.Since = dev, 0
		}
		e := retrieve.Epoch{
			Part: len(tr.done) + 1, Parts: len(tr.o.Encoders), Try: now.Try + 1, Epoch: now.Epoch, Epochs: tr.o.Epochs,
			Loss: loss, Dev: &dev, Best: now.best == nil || preferred(dev, now.Dev), Seconds: tr.seconds(),
		}
		if e.Best {
			now.best, now.Dev = m.net.params().Weights(), dev
		}
		e.Stalled = now.stalled(tr.o.Epochs) && now.Try+1 < tr.o.Tries
		now.weights, now.adam = m.net.params().Weights(), adam.State(m.net.params())
		if tr.ev.Epoch != nil {
			tr.ev.Epoch(e)
		}
		if e.Stalled {
			return true, nil
		}
		if tr.last, err = tr.state(); err != nil {
			return false, err
		}
		tr.fresh = true
		if err := tr.handOut(false); err != nil {
			return false, err
		}
		if now.settled(tr.o.Epochs) {
			break
		}
	}
	return false, nil
}

// epoch goes through all questions once and returns their mean loss.
func (tr *training) epoch(ctx context.Context, m *member, steps *nn.Trainer, adam *nn.Adam, seed uint64) (float64, error) {
	train := tr.data.train
	// The order and the dropout depend on the epoch alone, so that a training that
	// is resumed goes on as it would have.
	order := rand.New(rand.NewPCG(seed, uint64(tr.now.Epoch+1))).Perm(len(train))
	perEpoch := (len(train) + tr.o.Batch - 1) / tr.o.Batch
	var sum float64
	for b := range perEpoch {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		batch := order[b*tr.o.Batch : min((b+1)*tr.o.Batch, len(train))]
		step := tr.now.Epoch*perEpoch + b
		adam.Rate = tr.o.Rate * (1 - 0.9*float64(step)/float64(tr.o.Epochs*perEpoch))
		loss, err := steps.Step(len(batch), seed+uint64(step*tr.o.Batch), func(t *nn.Tape, i int) *nn.Tensor {
			return m.net.loss(t, tr.data.ready(train[batch[i]]))
		})
		if err != nil {
			return 0, err
		}
		sum += loss * float64(len(batch))
		if tr.ev.Progress != nil && b%16 == 0 {
			tr.ev.Progress(fmt.Sprintf("epoch %d of %d", tr.now.Epoch+1, tr.o.Epochs), int64(b), int64(perEpoch))
		}
	}
	return sum / float64(len(train)), nil
}

// handOut gives the latest state to whoever keeps it, when it is time.
func (tr *training) handOut(last bool) error {
	if tr.ev.Checkpoint == nil || !tr.fresh || !last && time.Since(tr.saved) < checkpointEvery {
		return nil
	}
	tr.saved, tr.fresh = time.Now(), false
	return tr.ev.Checkpoint(tr.last)
}

// fingerprint names a training's data and options, so that a state is not resumed
// with others.
func fingerprint(g *kg.Graph, train, held []questions.Example, o Options) string {
	h := sha256.New()
	b, _ := json.Marshal(o) // it has no values that cannot be written
	h.Write(b)
	sizes := []int{g.Entities(), g.Relations(), g.Triples(), len(train), len(held)}
	for _, n := range sizes {
		number(h, uint64(n))
	}
	for _, xs := range [][]questions.Example{train, held} {
		for _, x := range xs {
			number(h, uint64(len(x.Text)))
			h.Write([]byte(x.Text))
			for _, es := range [][]kg.EntityID{x.Topics, x.Answers} {
				number(h, uint64(len(es)))
				for _, e := range es {
					number(h, uint64(e))
				}
			}
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

func number(h hash.Hash, n uint64) { h.Write(binary.LittleEndian.AppendUint64(nil, n)) }
