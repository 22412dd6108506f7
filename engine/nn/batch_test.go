package nn

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"cairn/internal/guard"
)

func TestSameSeedGivesSameWeightsOnAnyCores(t *testing.T) {
	var want []float32
	var lost float64
	for _, cores := range []int{1, 2, 8} {
		was := runtime.GOMAXPROCS(cores)
		p, loss := network(3)
		adam := &Adam{Clip: 0.5, Rate: 1e-2}
		tr := NewTrainer(p, adam)
		var sum float64
		for s := range 30 {
			n := []int{1, 5, 8, 19}[s%4]
			l, err := tr.Step(n, uint64(s)<<32, func(t *Tape, i int) *Tensor {
				time.Sleep(time.Duration((i*7+s)%3) * 10 * time.Microsecond) // who comes first is not to matter
				return loss(t, i+s)
			})
			if err != nil {
				t.Fatal(err)
			}
			sum += l
		}
		runtime.GOMAXPROCS(was)
		if want == nil {
			want, lost = values(p), sum
		} else if !slices.Equal(values(p), want) || sum != lost {
			t.Errorf("on %d cores the weights differ from those on 1, or the losses do (%v and %v)", cores, sum, lost)
		}
	}
}

func TestStepLearns(t *testing.T) {
	p, loss := network(4)
	adam := &Adam{Rate: 1e-2, Clip: 1}
	tr := NewTrainer(p, adam)
	var first, last float64
	for s := range 200 {
		l, err := tr.Step(8, uint64(s)<<32, loss)
		if err != nil {
			t.Fatal(err)
		}
		if s == 0 {
			first = l
		}
		last = l
	}
	if last > first/3 {
		t.Errorf("loss after 200 steps = %v, want less than a third of %v", last, first)
	}
}

func TestStepOfNothingChangesNothing(t *testing.T) {
	p, loss := network(5)
	before := values(p)
	if l, err := NewTrainer(p, &Adam{Rate: 1}).Step(0, 0, loss); l != 0 || err != nil || !slices.Equal(values(p), before) {
		t.Errorf("Step(0 items) = %v, %v, want 0 and the same weights", l, err)
	}
}

// bad makes the value or the gradient of a loss no number.
func bad(t *Tape, l *Tensor, value, gradient float64) *Tensor {
	o := t.New(1, 1)
	o.Data[0] = l.Data[0] + float32(value)
	t.Record(func() { l.Grad[0] += o.Grad[0] + float32(gradient) })
	return o
}

func TestWhatIsNoNumberLeavesTheWeights(t *testing.T) {
	for _, x := range []struct{ value, gradient float64 }{
		{math.NaN(), 0}, {math.Inf(1), 0}, {0, math.NaN()}, {0, math.Inf(-1)}, {0, 1e30},
	} {
		p, loss := network(6)
		adam := &Adam{Rate: 1e-2}
		tr := NewTrainer(p, adam)
		train(t, tr, adam, loss, 0, 2)
		before, state := values(p), adam.State(p)
		_, err := tr.Step(9, 1<<40, func(t *Tape, i int) *Tensor {
			if i == 6 {
				return bad(t, loss(t, i), x.value, x.gradient)
			}
			return loss(t, i)
		})
		if !errors.Is(err, ErrNotFinite) {
			t.Errorf("Step with value %v, gradient %v = %v, want ErrNotFinite", x.value, x.gradient, err)
		}
		if !slices.Equal(values(p), before) || !slices.Equal(adam.State(p), state) {
			t.Errorf("Step with value %v, gradient %v changed the weights or the optimiser", x.value, x.gradient)
		}
		// Nothing of it is left: the next step is as if it had not been.
		train(t, tr, adam, loss, 2, 3)
		q, loss := network(6)
		clean := &Adam{Rate: 1e-2}
		train(t, NewTrainer(q, clean), clean, loss, 0, 3)
		if !slices.Equal(values(p), values(q)) {
			t.Errorf("after value %v, gradient %v the next step goes elsewhere", x.value, x.gradient)
		}
	}
}

func TestPanicOfLossComesOut(t *testing.T) {
	p, loss := network(7)
	tr := NewTrainer(p, &Adam{Rate: 1e-2})
	before := values(p)
	func() {
		defer func() {
			got, ok := recover().(*guard.PanicError)
			if !ok || got.Value != "item 5 is broken" || !strings.Contains(string(got.Stack), "batch_test.go") {
				t.Errorf("Step panics with %v, want what the loss said and where", got)
			}
		}()
		_, err := tr.Step(20, 0, func(t *Tape, i int) *Tensor {
			if i == 5 {
				panic("item 5 is broken")
			}
			return loss(t, i)
		})
		t.Errorf("Step = %v, want a panic", err)
	}()
	if !slices.Equal(values(p), before) {
		t.Error("a step that panicked moved the weights")
	}
	if _, err := tr.Step(8, 1, loss); err != nil {
		t.Errorf("the step after a panic = %v", err)
	}
}

// naiveAdam is the optimiser as its authors print it, in float64: Algorithm 1 with the
// last three lines in the order of the end of §2, where ε is beside √v itself.
type naiveAdam struct {
	m, v []float64
	t    int
}

func (a *naiveAdam) step(w, g []float64, rate, clip float64) {
	if a.m == nil {
		a.m, a.v = make([]float64, len(w)), make([]float64, len(w))
	}
	a.t++
	var norm float64
	for _, x := range g {
		norm += x * x
	}
	norm = math.Sqrt(norm)
	for i, x := range g {
		if clip > 0 && norm > clip {
			x *= clip / norm
		}
		a.m[i] = 0.9*a.m[i] + 0.1*x
		a.v[i] = 0.999*a.v[i] + 0.001*x*x
		alpha := rate * math.Sqrt(1-math.Pow(0.999, float64(a.t))) / (1 - math.Pow(0.9, float64(a.t)))
		w[i] -= alpha * a.m[i] / (math.Sqrt(a.v[i]) + 1e-8)
	}
}

func TestAdamAgreesWithItsDefinition(t *testing.T) {
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			use(t, way)
			for _, n := range awkward[1:] {
				r := rand.New(rand.NewPCG(9, uint64(n)))
				p := NewParams(uint64(n))
				w := p.Normal("w", 1, n, 1)
				want := make([]float64, n)
				for i, x := range w.Data {
					want[i] = float64(x)
				}
				a, naive := &Adam{Clip: 3}, &naiveAdam{}
				for s := range 20 {
					a.Rate = 0.01 / float64(1+s)
					g := noise(r, n)
					exact := make([]float64, n)
					for i, x := range g {
						exact[i] = float64(x)
					}
					a.begin(p, math.Sqrt(squares(g)))(0, g)
					naive.step(want, exact, a.Rate, a.Clip)
				}
				for i, x := range w.Data {
					// Some roundings of 2⁻²⁴ of a weight of size 4 at most, and of a move of
					// 0.01, in each of 20 steps.
					if math.Abs(float64(x)-want[i]) > 20*4*0x1p-23 {
						t.Fatalf("weight %d of %d after 20 steps = %v, want %v", i, n, x, want[i])
					}
				}
			}
		})
	}
}

func TestAdamMovesByTheRateAtFirst(t *testing.T) {
	p := NewParams(1)
	w := p.Normal("w", 1, 3, 0)
	a := &Adam{Rate: 0.25}
	a.begin(p, 1)(0, []float32{10, -0.001, 0})
	for i, want := range []float32{-0.25, 0.25, 0} { // by hand: m̂/√v̂ = g/|g|
		if got := w.Data[i]; math.Abs(float64(got-want)) > 1e-4 {
			t.Errorf("weight %d after one step = %v, want %v", i, got, want)
		}
	}
}

// BenchmarkStep has the weights of a network of width 50 with a table of 2,700
// words, and hardly any loss to compute: what is left is what each step costs.
func BenchmarkStep(b *testing.B) {
	p := NewParams(1)
	table := p.Table("words", 2700, 50, 0.1)
	for i := range 58 {
		p.Normal(fmt.Sprint("w", i), 50, 50, 0.1)
	}
	tr := NewTrainer(p, &Adam{Rate: 1e-9, Clip: 1})
	y := make([]float32, 50)
	y[7] = 1
	for b.Loop() {
		_, err := tr.Step(8, 1, func(t *Tape, i int) *Tensor {
			return t.KL(t.Combine(t.Param(table), 1, []Term{{From: int32(i), Weight: 1}}), y, nil)
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// TestGradientsAreOfTheWeightsAsTheyAre: what a tape keeps of weights does not outlive them.
func TestGradientsAreOfTheWeightsAsTheyAre(t *testing.T) {
	p := NewParams(1)
	a, w := p.Normal("a", 7, 5, 1), p.Normal("w", 5, 9, 1)
	pass := func(tape *Tape) []float32 {
		before := slices.Clone(tape.Gradient(a))
		tape.Begin(true, 0)
		tape.Backward(tape.CrossEntropy(tape.MatMul(tape.Param(a), tape.Param(w)), make([]int, 7)), 1)
		after := slices.Clone(tape.Gradient(a))
		for i := range after {
			after[i] -= before[i]
		}
		return after
	}
	tape := NewTape(p)
	pass(tape)
	if err := p.SetWeights(otherWeights(p, w)); err != nil {
		t.Fatal(err)
	}
	got, want := pass(tape), pass(NewTape(p))
	for i := range got {
		if math.Abs(float64(got[i]-want[i])) > 1e-5 {
			t.Fatalf("after the weights have changed the gradients are %v, want %v", got, want)
		}
	}
}

// otherWeights are those of p with w the other way round.
func otherWeights(p *Params, w *Param) []byte {
	for i := range w.Data {
		w.Data[i] = -w.Data[i]
	}
	b := p.Weights()
	for i := range w.Data {
		w.Data[i] = -w.Data[i]
	}
	return b
}
