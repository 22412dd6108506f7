package nn_test

import (
	"math"
	"slices"
	"testing"

	"cairn/engine/nn"
	"cairn/internal/testing/gradcheck"
)

// operation is one way to use an operation, over inputs that are weights.
type operation struct {
	name   string
	shapes [][2]int // of the inputs
	do     func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor
}

var operations = []operation{
	{"MatMul", [][2]int{{7, 5}, {5, 9}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return t.MatMul(in[0], in[1]) }},
	{"MatMul one row", [][2]int{{1, 5}, {5, 9}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return t.MatMul(in[0], in[1]) }},
	{"MatMul one column", [][2]int{{7, 17}, {17, 1}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return t.MatMul(in[0], in[1]) }},
	{"MatMul with itself", [][2]int{{6, 6}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return t.MatMul(in[0], in[0]) }},
	{"Add", [][2]int{{3, 5}, {3, 5}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return t.Add(in[0], in[1]) }},
	{"Sub", [][2]int{{3, 5}, {3, 5}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return t.Sub(in[0], in[1]) }},
	{"Mul", [][2]int{{3, 5}, {3, 5}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return t.Mul(in[0], in[1]) }},
	{"Mul with itself", [][2]int{{3, 5}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return t.Mul(in[0], in[0]) }},
	{"AddRow", [][2]int{{4, 9}, {1, 9}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return t.AddRow(in[0], in[1]) }},
	{"MulRow", [][2]int{{4, 9}, {1, 9}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return t.MulRow(in[0], in[1]) }},
	{"Scale", [][2]int{{3, 5}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return t.Scale(in[0], -1.5) }},
	{"ReLU", [][2]int{{5, 9}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return t.ReLU(in[0]) }},
	{"Sigmoid", [][2]int{{3, 5}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return t.Sigmoid(in[0]) }},
	{"Dropout", [][2]int{{5, 9}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return t.Dropout(in[0], 0.4) }},
	{"Concat", [][2]int{{3, 5}, {3, 1}, {3, 4}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return t.Concat(in...) }},
	{"Concat with itself", [][2]int{{3, 5}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return t.Concat(in[0], in[0]) }},
	{"Stack", [][2]int{{3, 5}, {1, 5}, {4, 5}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return t.Stack(in...) }},
	{"Rows", [][2]int{{6, 5}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return square(t, t.Rows(in[0], 2, 5)) }},
	{"As", [][2]int{{6, 5}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return square(t, in[0].As(3, 10)) }},
	{"Combine", [][2]int{{4, 9}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return t.Combine(in[0], 3, terms) }},
	{"Pass", [][2]int{{5, 1}, {3, 9}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return t.Pass(in[0], in[1], 6, messages) }},
	{"Settle", [][2]int{{5, 7}, {7, 9}, {5, 1}, {3, 9}, {1, 9}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor {
		return t.Settle(t.MatMul(in[0], in[1]), in[2], in[3], messages, in[4], 0.3)
	}},
	{"Softmax", [][2]int{{1, 9}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return t.Softmax(in[0], nil) }},
	{"Softmax of a column, masked", [][2]int{{9, 1}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return t.Softmax(in[0], []int32{0, 5}) }},
	{"MatMulT", [][2]int{{7, 5}, {9, 5}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return t.MatMulT(in[0], in[1]) }},
	{"MatMulT few rows", [][2]int{{2, 5}, {9, 5}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return t.MatMulT(in[0], in[1]) }},
	{"Norm", [][2]int{{3, 9}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return t.Norm(in[0], nil) }},
	{"Norm with a gain", [][2]int{{3, 9}, {1, 9}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return t.Norm(in[0], in[1]) }},
	{"Attend", [][2]int{{3, 8}, {5, 8}, {5, 6}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return t.Attend(in[0], in[1], in[2], 2, false) }},
	{"Attend to what came before", [][2]int{{4, 8}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return t.Attend(in[0], in[0], in[0], 4, true) }},
	{"Peaks", [][2]int{{3, 7}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return t.Peaks(in[0], []int32{0, 0, 3, 4, 7}) }},
	{"Stretch", [][2]int{{3, 5}, {1, 1}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return t.Stretch(in[0], in[1]) }},
	{"CrossEntropy", [][2]int{{3, 5}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return t.CrossEntropy(in[0], []int{4, 0, 4}) }},
	{"KL", [][2]int{{6, 1}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return t.KL(in[0], target, nil) }},
	{"KL, masked", [][2]int{{6, 1}}, func(t *nn.Tape, in []*nn.Tensor) *nn.Tensor { return t.KL(in[0], target, []int32{0, 3}) }},
}

var (
	// Row 2 is a sum of the same row twice, row 1 stays zero, and row 1 is not read.
	terms    = []nn.Term{{To: 0, From: 3, Weight: 0.5}, {To: 2, From: 2, Weight: -1}, {To: 2, From: 2, Weight: 2}, {To: 0, From: 0, Weight: 1}}
	messages = []nn.Message{{From: 0, To: 1, Vector: 2}, {From: 1, To: 0, Vector: 2}, {From: 4, To: 1, Vector: 0}, {From: 3, To: 3, Vector: 0}}
	target   = []float32{0, 0.25, 0.5, 0, 0, 0.25}
)

// square makes the gradient of what is in a depend on a.
func square(t *nn.Tape, a *nn.Tensor) *nn.Tensor { return t.Mul(a, a) }

func TestGradientsOfOperations(t *testing.T) {
	for _, op := range operations {
		t.Run(op.name, func(t *testing.T) {
			p := nn.NewParams(7)
			var inputs []*nn.Param
			for _, s := range op.shapes {
				inputs = append(inputs, p.Normal("input"+string(rune('0'+len(inputs))), s[0], s[1], 1))
			}
			gradcheck.CheckGradients(t, p, func(t *nn.Tape) *nn.Tensor {
				var in []*nn.Tensor
				for _, w := range inputs {
					in = append(in, t.Param(w))
				}
				return op.do(t, in)
			})
		})
	}
}

func TestMemoryIsUsedAgain(t *testing.T) {
	for _, op := range operations {
		p := nn.NewParams(7)
		var weights []*nn.Param
		for i, s := range op.shapes {
			weights = append(weights, p.Normal(string(rune('a'+i)), s[0], s[1], 1))
		}
		tape := nn.NewTape(p)
		run := func() []float32 {
			tape.Begin(true, 1)
			var in []*nn.Tensor
			for _, w := range weights {
				in = append(in, tape.Param(w))
			}
			o := op.do(tape, in)
			return append(append([]float32{}, o.Data...), o.Grad...)
		}
		want := run()
		tape.Spoil()
		if got := run(); !slices.Equal(got, want) {
			t.Errorf("%s on a tape that was used before = %v, want %v", op.name, got, want)
		}
	}
}

func TestGradientsOfTable(t *testing.T) {
	p := nn.NewParams(8)
	table, w := p.Table("table", 40, 9, 1), p.Normal("w", 9, 5, 1)
	words := []nn.Term{{To: 0, From: 39, Weight: 1}, {To: 1, From: 7, Weight: 0.5}, {To: 1, From: 39, Weight: 0.5}}
	gradcheck.CheckGradients(t, p, func(t *nn.Tape) *nn.Tensor {
		return t.Sigmoid(t.MatMul(t.Combine(t.Param(table), 2, words), t.Param(w)))
	})
}

func TestGradientsOfGRU(t *testing.T) {
	for name, reverse := range map[string]bool{"forwards": false, "backwards": true} {
		t.Run(name, func(t *testing.T) {
			for _, n := range []int{0, 1, 2, 5} {
				p := nn.NewParams(9)
				x, u := p.Normal("x", n, 6, 1), nn.NewGRU(p, "gru", 6, 4)
				gradcheck.CheckGradients(t, p, func(t *nn.Tape) *nn.Tensor { return u.Run(t, t.Param(x), reverse) })
			}
		})
	}
}

// A network in which most operations meet, so that gradients are added where a
// value is used twice.
func TestGradientsOfNetwork(t *testing.T) {
	p := nn.NewParams(10)
	table, u := p.Table("words", 30, 8, 1), nn.NewGRU(p, "gru", 8, 8)
	key, scale, bias := p.Normal("key", 8, 8, nn.Fan(8)), p.Normal("scale", 1, 8, 1), p.Normal("bias", 1, 8, 0)
	out := p.Normal("out", 16, 1, nn.Fan(16))
	words := []nn.Term{{To: 0, From: 3, Weight: 1}, {To: 1, From: 4, Weight: 1}, {To: 2, From: 5, Weight: 1}, {To: 3, From: 3, Weight: 1}, {To: 4, From: 9, Weight: 1}, {To: 5, From: 1, Weight: 1}}
	gradcheck.CheckGradients(t, p, func(t *nn.Tape) *nn.Tensor {
		states := t.Dropout(u.Run(t, t.Combine(t.Param(table), 6, words), false), 0.2)
		keys := t.MatMul(t.MulRow(states, t.Param(scale)), t.Param(key))
		attention := t.Softmax(t.MatMul(keys, t.Rows(states, 5, 6).As(8, 1)), nil)
		read := t.Pass(attention, states, 6, messages)
		both := t.ReLU(t.AddRow(t.Sub(read, t.Scale(keys, 0.5)), t.Param(bias)))
		return t.KL(t.MatMul(t.Concat(both, states), t.Param(out)), target, []int32{0})
	})
}

func TestGRUReadsBothWays(t *testing.T) {
	p := nn.NewParams(11)
	u := nn.NewGRU(p, "gru", 3, 4)
	x, mirrored := p.Normal("x", 5, 3, 1), p.Normal("mirrored", 5, 3, 0)
	for i := range 5 {
		copy(mirrored.Data[i*3:], x.Data[(4-i)*3:(5-i)*3])
	}
	tape := nn.NewTape(p)
	tape.Begin(false, 0)
	forwards, backwards := u.Run(tape, tape.Param(x), false), u.Run(tape, tape.Param(mirrored), true)
	for i := range 5 {
		for j := range 4 {
			if got, want := backwards.Row(4 - i)[j], forwards.Row(i)[j]; got != want {
				t.Errorf("state after word %d, read backwards, = %v, want %v", i, got, want)
			}
		}
	}
}

func TestMaskedTakesNoPart(t *testing.T) {
	p := nn.NewParams(12)
	tape := nn.NewTape(p)
	tape.Begin(false, 0)
	a := tape.New(4, 1)
	copy(a.Data, []float32{1, 100, 2, 3})
	got := tape.Softmax(a, []int32{1}).Data
	b := tape.New(3, 1)
	copy(b.Data, []float32{1, 2, 3})
	want := tape.Softmax(b, nil).Data
	if got[1] != 0 || got[0] != want[0] || got[2] != want[1] || got[3] != want[2] {
		t.Errorf("Softmax(1, masked, 2, 3) = %v, want %v with 0 between", got, want)
	}
	if got := tape.Softmax(a, []int32{0, 1, 2, 3}).Data; got[0] != 0 || got[3] != 0 {
		t.Errorf("Softmax with all masked = %v, want zeros", got)
	}
	k, l := tape.KL(a, []float32{0.5, 0, 0.5, 0}, []int32{1}), tape.KL(b, []float32{0.5, 0.5, 0}, nil)
	if k.Data[0] != l.Data[0] {
		t.Errorf("KL with a masked score = %v, want %v as without it", k.Data[0], l.Data[0])
	}
}

func TestKLOfSelfIsZero(t *testing.T) {
	tape := nn.NewTape(nn.NewParams(13))
	tape.Begin(false, 0)
	a := tape.New(1, 3)
	for i, y := range []float64{0.2, 0.3, 0.5} {
		a.Data[i] = float32(math.Log(y))
	}
	if got := float64(tape.KL(a, []float32{0.2, 0.3, 0.5}, nil).Data[0]); math.Abs(got) > 1e-6 {
		t.Errorf("KL of a distribution from itself = %v, want 0", got)
	}
}

func TestDropoutKeepsMean(t *testing.T) {
	tape := nn.NewTape(nn.NewParams(14))
	tape.Begin(true, 3)
	a := tape.New(100, 100)
	for i := range a.Data {
		a.Data[i] = 1
	}
	var sum float64
	var zeros int
	for _, x := range tape.Dropout(a, 0.3).Data {
		sum += float64(x)
		if x == 0 {
			zeros++
		}
	}
	// The number of zeros has the standard deviation √(10000·0.3·0.7) = 46.
	if math.Abs(sum/10000-1) > 5*0.0046/0.7 || math.Abs(float64(zeros)-3000) > 5*46 {
		t.Errorf("Dropout(ones, 0.3) has mean %v and %d zeros, want about 1 and 3000", sum/10000, zeros)
	}
	tape.Begin(false, 3)
	if b := tape.New(2, 2); tape.Dropout(b, 0.3) != b {
		t.Error("Dropout on a tape that does not train changes its input")
	}
}

func TestSettleIsWhatItIsMadeOf(t *testing.T) {
	p := nn.NewParams(17)
	a, b := p.Normal("a", 5, 7, 1), p.Normal("b", 7, 9, 1)
	from, v, bias := p.Normal("from", 5, 1, 1), p.Normal("v", 3, 9, 1), p.Normal("bias", 1, 9, 1)
	for _, rate := range []float64{0, 0.4} {
		t1, t2 := nn.NewTape(p), nn.NewTape(p)
		t1.Begin(true, 5)
		one := t1.Settle(t1.MatMul(t1.Param(a), t1.Param(b)), t1.Param(from), t1.Param(v), messages, t1.Param(bias), rate)
		t2.Begin(true, 5)
		sum := t2.Add(t2.MatMul(t2.Param(a), t2.Param(b)), t2.Pass(t2.Param(from), t2.Param(v), 5, messages))
		many := t2.Dropout(t2.ReLU(t2.AddRow(sum, t2.Param(bias))), rate)
		for i, got := range one.Data {
			if want := many.Data[i]; math.Abs(float64(got-want)) > 1e-5 {
				t.Errorf("Settle(…, rate %g)[%d] = %v, want %v", rate, i, got, want)
			}
		}
	}
}

func TestTableIsReadByCombineAlone(t *testing.T) {
	p := nn.NewParams(15)
	table := p.Table("table", 4, 2, 1)
	tape := nn.NewTape(p)
	for name, use := range map[string]func(a *nn.Tensor) *nn.Tensor{
		"Rows":  func(a *nn.Tensor) *nn.Tensor { return tape.Softmax(tape.Rows(a, 0, 2), nil) },
		"As":    func(a *nn.Tensor) *nn.Tensor { return tape.Softmax(a.As(8, 1), nil) },
		"Scale": func(a *nn.Tensor) *nn.Tensor { return tape.Scale(a, 2) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s of a table lost its gradient, want a panic", name)
				}
			}()
			tape.Begin(true, 0)
			o := use(tape.Param(table))
			tape.Backward(tape.MatMul(o.As(1, len(o.Data)), o.As(len(o.Data), 1)), 1)
		}()
	}
}

func TestWrongShapesPanic(t *testing.T) {
	tape := nn.NewTape(nn.NewParams(16))
	tape.Begin(false, 0)
	a, b := tape.New(2, 3), tape.New(2, 2)
	for name, op := range map[string]func(){
		"MatMul":   func() { tape.MatMul(a, b) },
		"Add":      func() { tape.Add(a, b) },
		"Sub":      func() { tape.Sub(a, b) },
		"Mul":      func() { tape.Mul(a, b) },
		"AddRow":   func() { tape.AddRow(a, b) },
		"MulRow":   func() { tape.MulRow(a, tape.New(1, 2)) },
		"Concat":   func() { tape.Concat(a, tape.New(3, 3)) },
		"Stack":    func() { tape.Stack(a, b) },
		"Rows":     func() { tape.Rows(a, 1, 3) },
		"As":       func() { a.As(5, 1) },
		"KL":       func() { tape.KL(a, []float32{1}, nil) },
		"Backward": func() { tape.Backward(a, 1) },
	} {
		func() {
			defer func() {
				if got, ok := recover().(string); !ok || got[:3+len(name)] != "nn."+name {
					t.Errorf("%s of wrong shapes panics with %q, want one that begins with nn.%s", name, got, name)
				}
			}()
			op()
		}()
	}
}
