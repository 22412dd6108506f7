package nn

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// network is a small one, of a table and two matrices, and the loss of an item.
func network(seed uint64) (*Params, func(t *Tape, item int) *Tensor) {
	p := NewParams(seed)
	table, w, bias := p.Table("words", 20, 9, 1), p.Normal("out", 9, 5, Fan(9)), p.Normal("bias", 1, 5, 0)
	y := []float32{0.5, 0, 0, 0.5, 0}
	return p, func(t *Tape, item int) *Tensor {
		words := []Term{{To: 0, From: int32(item % 20), Weight: 1}, {To: 0, From: int32(item * 7 % 20), Weight: 1}}
		h := t.Dropout(t.Sigmoid(t.Combine(t.Param(table), 1, words)), 0.2)
		return t.KL(t.AddRow(t.MatMul(h, t.Param(w)), t.Param(bias)), y, nil)
	}
}

// values are all weights one after the other.
func values(p *Params) []float32 {
	var all []float32
	for _, w := range p.All() {
		all = append(all, w.Data...)
	}
	return all
}

// train makes steps from one to another.
func train(tb testing.TB, tr *Trainer, adam *Adam, loss func(*Tape, int) *Tensor, from, to int) {
	tb.Helper()
	for s := from; s < to; s++ {
		adam.Rate = 1e-2 / float64(s+1)
		if _, err := tr.Step(11, uint64(s)<<32, func(t *Tape, i int) *Tensor { return loss(t, i+11*s) }); err != nil {
			tb.Fatalf("Step: %v", err)
		}
	}
}

func TestResumedTrainingIsTheUninterruptedOne(t *testing.T) {
	p, loss := network(1)
	adam := &Adam{Clip: 0.5}
	train(t, NewTrainer(p, adam), adam, loss, 0, 20)
	want := values(p)

	p, loss = network(1)
	adam = &Adam{Clip: 0.5}
	train(t, NewTrainer(p, adam), adam, loss, 0, 7)
	weights, state := p.Weights(), adam.State(p)

	p, loss = network(2) // from another seed: what was written is all there is
	adam = &Adam{Clip: 0.5}
	if err := errors.Join(p.SetWeights(weights), adam.SetState(p, state)); err != nil {
		t.Fatal(err)
	}
	train(t, NewTrainer(p, adam), adam, loss, 7, 20)
	if !slices.Equal(values(p), want) {
		t.Error("a training that was resumed after 7 of 20 steps ends with other weights than one in one go")
	}
}

func TestCheckpointOfNothing(t *testing.T) {
	p, fresh := NewParams(1), &Adam{}
	if err := errors.Join(p.SetWeights(p.Weights()), fresh.SetState(p, fresh.State(p))); err != nil {
		t.Errorf("SetWeights and SetState of an empty network = %v", err)
	}
	p, loss := network(1)
	used := &Adam{Rate: 1}
	train(t, NewTrainer(p, used), used, loss, 0, 1)
	if err := used.SetState(p, (&Adam{}).State(p)); err != nil || used.steps != 0 || used.mean[0][0] != 0 {
		t.Errorf("SetState of a fresh optimiser = %v with %d steps, want it fresh", err, used.steps)
	}
}

func TestCheckpointSaysWhatIsWrong(t *testing.T) {
	p, loss := network(1)
	adam := &Adam{Rate: 1e-3}
	train(t, NewTrainer(p, adam), adam, loss, 0, 1)
	weights, state := p.Weights(), adam.State(p)

	changed := func(b []byte, i int) []byte {
		b = slices.Clone(b)
		b[i] ^= 1
		return b
	}
	resealed := func(b []byte) []byte { return seal(slices.Clone(b[:len(b)-4])) }
	renamed := resealed(bytes.Replace(weights, []byte("bias"), []byte("Bias"), 1))
	other := NewParams(1)
	other.Normal("one", 2, 2, 1)

	for _, c := range []struct {
		name string
		set  func() error
		want string
	}{
		{"nothing", func() error { return p.SetWeights(nil) }, "another kind or version"},
		{"text", func() error { return p.SetWeights([]byte("a letter that somebody wrote")) }, "another kind or version"},
		{"weights as a state", func() error { return adam.SetState(p, weights) }, "another kind or version"},
		{"another version", func() error { return p.SetWeights(changed(weights, len(magic)-1)) }, "another kind or version"},
		{"one changed bit", func() error { return p.SetWeights(changed(weights, 200)) }, "checksum"},
		{"cut off", func() error { return p.SetWeights(weights[:len(weights)-9]) }, "checksum"},
		{"cut off and sealed", func() error { return p.SetWeights(resealed(weights[:len(weights)-9])) }, "cut off"},
		{"too long", func() error { return p.SetWeights(seal(slices.Clone(weights))) }, "4 bytes too many"},
		{"another name", func() error { return p.SetWeights(renamed) }, `weight 3 is "Bias" of 1×5, and "bias" of 1×5 in this network`},
		{"another network", func() error { return other.SetWeights(weights) }, "3 weights"},
		{"state of another network", func() error { return (&Adam{}).SetState(other, state) }, "3 weights"},
		{"state, cut off", func() error { return adam.SetState(p, resealed(state[:len(state)-9])) }, "cut off"},
		{"state, too long", func() error { return adam.SetState(p, seal(slices.Clone(state))) }, "4 bytes too many"},
	} {
		before, moments := values(p), slices.Clone(adam.mean[0])
		err := c.set()
		if !errors.Is(err, ErrCheckpoint) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want ErrCheckpoint with %q", c.name, err, c.want)
		}
		if !slices.Equal(values(p), before) || !slices.Equal(adam.mean[0], moments) {
			t.Errorf("%s: what could not be read changed the network", c.name)
		}
	}
}

// sealed is a body with head and checksum.
func sealed(kind byte, body []byte) []byte {
	return seal(append(append([]byte(magic), kind), body...))
}

// FuzzCheckpoint reads any bytes, and the same with a right head and checksum.
func FuzzCheckpoint(f *testing.F) {
	p, loss := network(1)
	adam := &Adam{Rate: 1e-3}
	train(f, NewTrainer(p, adam), adam, loss, 0, 1)
	f.Add(p.Weights())
	f.Add(adam.State(p))
	f.Add((&Adam{}).State(p))
	f.Add([]byte{3, 0, 0, 0, 255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, b []byte) {
		body := b
		if len(b) > len(magic)+5 {
			body = b[len(magic)+1 : len(b)-4]
		}
		for _, data := range [][]byte{b, sealed(kindWeights, body), sealed(kindAdam, body)} {
			q, _ := network(2)
			r, _ := network(3)
			before := values(q)
			switch err := q.SetWeights(data); {
			case err == nil && (r.SetWeights(q.Weights()) != nil || !bytes.Equal(r.Weights(), q.Weights())):
				t.Error("what SetWeights read is not what Weights writes")
			case err != nil && !errors.Is(err, ErrCheckpoint):
				t.Errorf("SetWeights = %v, want ErrCheckpoint", err)
			case err != nil && !slices.Equal(values(q), before):
				t.Error("SetWeights failed and changed the weights")
			}
			a := &Adam{}
			switch err := a.SetState(q, data); {
			case err == nil && !bytes.Equal(a.State(q), data):
				t.Error("State after SetState differs from what was read")
			case err != nil && !errors.Is(err, ErrCheckpoint):
				t.Errorf("SetState = %v, want ErrCheckpoint", err)
			}
		}
	})
}

func TestWeightsKeepEveryBit(t *testing.T) {
	p := NewParams(1)
	w := p.Normal("w", 1, 6, 0)
	copy(w.Data, []float32{0, float32(math.Copysign(0, -1)), math.MaxFloat32, math.SmallestNonzeroFloat32, float32(math.Inf(1)), 1.0 / 3})
	q := NewParams(2)
	got := q.Normal("w", 1, 6, 1)
	if err := q.SetWeights(p.Weights()); err != nil {
		t.Fatal(err)
	}
	for i, x := range w.Data {
		if math.Float32bits(got.Data[i]) != math.Float32bits(x) {
			t.Errorf("number %d reads as %v, want %v", i, got.Data[i], x)
		}
	}
}

func TestChangesCount(t *testing.T) {
	p, loss := network(1)
	adam := &Adam{}
	if p.Changes() != 0 {
		t.Errorf("new weights have changed %d times", p.Changes())
	}
	train(t, NewTrainer(p, adam), adam, loss, 0, 3)
	if p.Changes() != 3 {
		t.Errorf("after 3 steps the weights have changed %d times", p.Changes())
	}
	if err := p.SetWeights(p.Weights()); err != nil || p.Changes() != 4 {
		t.Errorf("after SetWeights, %v, the weights have changed %d times, want 4", err, p.Changes())
	}
	if err := p.SetWeights(nil); err == nil || p.Changes() != 4 {
		t.Errorf("after SetWeights of nothing, %v, the weights have changed %d times, want 4", err, p.Changes())
	}
}
