package nn

import "testing"

// BenchmarkGRU reads a question of 10 words in one direction, and back.
func BenchmarkGRU(b *testing.B) {
	p := NewParams(1)
	u, x := NewGRU(p, "gru", 50, 25), p.Normal("x", 10, 50, 1)
	out := p.Normal("y", 25, 1, 1)
	t := NewTape(p)
	for _, training := range []bool{false, true} {
		name := map[bool]string{false: "asking", true: "training"}[training]
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				t.Begin(training, 1)
				l := t.MatMul(t.Rows(u.Run(t, t.Param(x), false), 9, 10), t.Param(out))
				if training {
					t.Backward(l, 1)
				}
			}
		})
	}
}

// BenchmarkSoftmax goes over the entities of a region.
func BenchmarkSoftmax(b *testing.B) {
	t := NewTape(NewParams(1))
	for b.Loop() {
		t.Begin(false, 0)
		t.Softmax(t.New(500, 1), []int32{0})
	}
}
