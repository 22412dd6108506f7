package nn_test

import (
	"fmt"

	"cairn/engine/nn"
)

// A network of two layers learns the exclusive or.
func Example() {
	p := nn.NewParams(1)
	hidden, bias := p.Normal("hidden", 2, 8, nn.Fan(2)), p.Normal("bias", 1, 8, 0)
	out := p.Normal("out", 8, 2, nn.Fan(8))
	// scores are of "they are equal" and "they differ", for one pair of numbers.
	scores := func(t *nn.Tape, a, b float32) *nn.Tensor {
		x := t.New(1, 2)
		copy(x.Data, []float32{a, b})
		h := t.ReLU(t.AddRow(t.MatMul(x, t.Param(hidden)), t.Param(bias)))
		return t.MatMul(h, t.Param(out))
	}
	pairs := [][2]float32{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	targets := [][]float32{{1, 0}, {0, 1}, {0, 1}, {1, 0}}

	trainer := nn.NewTrainer(p, &nn.Adam{Rate: 0.05, Clip: 1})
	for step := range uint64(200) {
		_, err := trainer.Step(len(pairs), 4*step, func(t *nn.Tape, i int) *nn.Tensor {
			return t.KL(scores(t, pairs[i][0], pairs[i][1]), targets[i], nil)
		})
		if err != nil {
			fmt.Println(err)
			return
		}
	}

	t := nn.NewTape(p)
	for _, x := range pairs {
		t.Begin(false, 0)
		s := scores(t, x[0], x[1])
		fmt.Println(x[0], "xor", x[1], "is true:", s.Data[1] > s.Data[0])
	}
	// Output:
	// 0 xor 0 is true: false
	// 0 xor 1 is true: true
	// 1 xor 0 is true: true
	// 1 xor 1 is true: false
}
