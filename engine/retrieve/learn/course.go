package learn

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"math/rand/v2"
	"time"

	"cairn/engine/kg"
	"cairn/engine/nn"
	"cairn/engine/questions"
	"cairn/engine/retrieve"
)

// DevAtMost is how many held questions are asked after each epoch.
const DevAtMost = 500

// Course is a training of networks, one after the other, which answer together.
type Course struct {
	// Form is that of its checkpoints, and Print names its data and options: a
	// checkpoint is not resumed with others. See Fingerprint.
	Form  Form
	Print string
	// Parts are the names of the networks.
	Parts []string
	// Questions is how many a network learns from, Epochs how often at most, Batch how
	// many make a step.
	Questions, Epochs, Batch int
	// Tries is how many trainings are begun at most for one network. One that stalls is
	// begun again with another seed, which follows from Seed.
	Tries int
	// Whole goes through all epochs, whatever the held questions say: they do not ask all that
	// is learned, such as what made questions show, and the rate falls to the end.
	Whole bool
	Seed  uint64
	// Rate is Adam's at one of so many steps.
	Rate func(step, steps int) float64
	// New makes a network with weights drawn from a seed.
	New    func(ctx context.Context, part string, seed uint64) (Network, error)
	Events retrieve.TrainingEvents
}

// Network is a network that is trained.
type Network interface {
	Params() *nn.Params
	// Loss puts the loss of question i on a tape that trains, 1×1. It is called from
	// several goroutines.
	Loss(t *nn.Tape, i int) *nn.Tensor
	// Measure asks the held questions.
	Measure(ctx context.Context) (retrieve.Metrics, error)
}

// Trained is a network with its best weights.
type Trained struct {
	Part    string           `json:"encoder"` // as the first networks of this program had it
	Dev     retrieve.Metrics `json:"dev"`
	Weights []byte           `json:"-"`
}

// Outcome is what came of a training.
type Outcome struct {
	// Networks are those with weights; the last may be of a training that was stopped.
	Networks      []Trained
	Epochs, Tries int
	Seconds       float64
}

// Run trains. With state, as Events.Checkpoint was given it, it goes on where that was
// taken and ends with the weights that it would have had. Cancelled, or stopped by a
// loss that is no number any more (ErrDiverged), it returns what there is beside the
// error.
func (c Course) Run(ctx context.Context, state []byte) (Outcome, error) {
	run := &course{Course: c, began: time.Now()}
	if state != nil {
		if err := run.restore(state); err != nil {
			return Outcome{}, err
		}
	}
	err := run.all(ctx)
	if errors.Is(err, nn.ErrNotFinite) {
		err = fmt.Errorf("%w: %w", retrieve.ErrDiverged, err)
	}
	out := Outcome{Networks: run.done, Epochs: run.sum.Epochs, Tries: run.sum.Tries, Seconds: run.seconds()}
	if run.now.best != nil {
		out.Networks = append(out.Networks, Trained{c.Parts[len(run.done)], run.now.Dev, run.now.best})
	}
	return out, err
}

type course struct {
	Course

	began time.Time

	// What a checkpoint holds: the networks that are trained, and the one that is.
	done []Trained
	now  progress
	sum  sofar

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
func (c *course) seconds() float64 { return c.sum.Seconds + time.Since(c.began).Seconds() }

// all trains what is left to train.
func (c *course) all(ctx context.Context) (err error) {
	defer func() { err = errors.Join(err, c.handOut(true)) }()
	for len(c.done) < len(c.Parts) {
		if err := c.network(ctx, c.Parts[len(c.done)]); err != nil {
			return err
		}
		c.done = append(c.done, Trained{c.Parts[len(c.done)], c.now.Dev, c.now.best})
		c.now = progress{}
	}
	return nil
}

// network trains one network: with another seed where one stalls.
func (c *course) network(ctx context.Context, part string) error {
	for c.now.Try < c.Tries {
		stalled, err := c.try(ctx, part)
		if err != nil {
			return err
		}
		if !stalled {
			return nil
		}
		c.now = progress{Try: c.now.Try + 1, Dev: c.now.Dev, best: c.now.best}
	}
	return nil
}

// trySeed is the seed of a try: that of the course for the first.
func (c *course) trySeed() uint64 {
	seed := c.Seed + 1
	if n := c.now.Try; n > 0 {
		seed = rand.New(rand.NewPCG(seed, uint64(n))).Uint64()
	}
	return seed
}

// try trains a network from one seed, from where it is.
func (c *course) try(ctx context.Context, part string) (stalled bool, err error) {
	seed := c.trySeed()
	net, err := c.New(ctx, part, seed)
	if err != nil {
		return false, err
	}
	adam := &nn.Adam{Clip: 1}
	if c.now.Epoch > 0 {
		if err := errors.Join(net.Params().SetWeights(c.now.weights), adam.SetState(net.Params(), c.now.adam)); err != nil {
			return false, fmt.Errorf("%w: %w", retrieve.ErrResume, err)
		}
	} else {
		c.sum.Tries++
	}
	steps := nn.NewTrainer(net.Params(), adam)
	for c.now.Epoch < c.Epochs {
		loss, err := c.epoch(ctx, net, steps, adam, seed)
		if err != nil {
			return false, err
		}
		dev, err := net.Measure(ctx)
		if err != nil {
			return false, err
		}
		if c.note(loss, dev, net, adam).Stalled {
			return true, nil
		}
		if c.last, err = c.state(); err != nil {
			return false, err
		}
		c.fresh = true
		if err := c.handOut(false); err != nil {
			return false, err
		}
		if !c.Whole && c.now.settled(c.Epochs) {
			break
		}
	}
	return false, nil
}

// note takes up what an epoch came to, and tells of it.
func (c *course) note(loss float64, dev retrieve.Metrics, net Network, adam *nn.Adam) retrieve.Epoch {
	now := &c.now
	now.Epoch++
	c.sum.Epochs++
	now.Losses = append(now.Losses, loss)
	now.Since++
	if now.Epoch == 1 || better(dev, now.Tried) {
		now.Tried, now.Since = dev, 0
	}
	e := retrieve.Epoch{ // among equals the later weights are the best: they have learned longer
		Part: len(c.done) + 1, Parts: len(c.Parts), Try: now.Try + 1, Epoch: now.Epoch, Epochs: c.Epochs,
		Loss: loss, Dev: &dev, Best: now.best == nil || !better(now.Dev, dev), Seconds: c.seconds(),
	}
	if e.Best {
		now.best, now.Dev = net.Params().Weights(), dev
	}
	e.Stalled = now.stalled(c.Epochs) && now.Try+1 < c.Tries
	now.weights, now.adam = net.Params().Weights(), adam.State(net.Params())
	if c.Events.Epoch != nil {
		c.Events.Epoch(e)
	}
	return e
}

// epoch goes through all questions once and returns their mean loss.
func (c *course) epoch(ctx context.Context, net Network, steps *nn.Trainer, adam *nn.Adam, seed uint64) (float64, error) {
	// The order and the dropout depend on the epoch alone, so that a training that
	// is resumed goes on as it would have.
	order := rand.New(rand.NewPCG(seed, uint64(c.now.Epoch+1))).Perm(c.Questions)
	perEpoch := (c.Questions + c.Batch - 1) / c.Batch
	var sum float64
	for b := range perEpoch {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		batch := order[b*c.Batch : min((b+1)*c.Batch, c.Questions)]
		step := c.now.Epoch*perEpoch + b
		adam.Rate = c.Rate(step, c.Epochs*perEpoch)
		loss, err := steps.Step(len(batch), seed+uint64(step*c.Batch), func(t *nn.Tape, i int) *nn.Tensor {
			return net.Loss(t, batch[i])
		})
		if err != nil {
			return 0, err
		}
		sum += loss * float64(len(batch))
		if c.Events.Progress != nil && b%16 == 0 {
			c.Events.Progress(fmt.Sprintf("epoch %d of %d", c.now.Epoch+1, c.Epochs), int64(b), int64(perEpoch))
		}
	}
	return sum / float64(c.Questions), nil
}

// Fingerprint names a training's data and options, so that a state is not resumed
// with others.
func Fingerprint(g *kg.Graph, train, held []questions.Example, options any) string {
	h := sha256.New()
	b, _ := json.Marshal(options) // they have no values that cannot be written
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
