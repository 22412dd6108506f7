package vec_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"cairn/engine/vec"
)

// lengths are awkward for unrolled loops and for words of eight.
var lengths = []int{0, 1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 63, 64, 65, 255, 256, 257, 768}

func random(rng *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	return x
}

func naiveDot(a, b []float32) (sum, size float64) {
	for i := range a {
		p := float64(a[i]) * float64(b[i])
		sum += p
		size += math.Abs(p)
	}
	return sum, size
}

func naiveSquaredL2(a, b []float32) (sum float64) {
	for i := range a {
		d := float64(a[i]) - float64(b[i])
		sum += d * d
	}
	return sum
}

// tolerance is what rounding n float32 operations may cost at the given size.
func tolerance(n int, size float64) float64 { return float64(n+2) * size / (1 << 24) }

func TestKernelsEqualTheirNaiveTwins(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range lengths {
		a, b := random(rng, n), random(rng, n)
		want, size := naiveDot(a, b)
		if got := vec.Dot(a, b); math.Abs(float64(got)-want) > tolerance(n, size) {
			t.Errorf("Dot(%d numbers) = %v, want %v", n, got, want)
		}
		want = naiveSquaredL2(a, b)
		if got := vec.SquaredL2(a, b); math.Abs(float64(got)-want) > tolerance(2*n, want) {
			t.Errorf("SquaredL2(%d numbers) = %v, want %v", n, got, want)
		}
	}
}

func TestNormalize(t *testing.T) {
	tests := []struct {
		name string
		in   []float32
		want float64 // length
	}{
		{"nothing", nil, 0},
		{"zeros", []float32{0, 0}, 0},
		{"one", []float32{-5}, 1},
		{"tiny", []float32{1e-30, 1e-30}, 1},
		{"huge", []float32{1e30, 1e30}, 1},
		{"infinite", []float32{float32(math.Inf(1)), 1}, 0},
		{"not a number", []float32{float32(math.NaN()), 1}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			vec.Normalize(tt.in)
			if got := float64(vec.Norm(tt.in)); math.Abs(got-tt.want) > 1e-6 {
				t.Errorf("Norm after Normalize = %v, want %v (%v)", got, tt.want, tt.in)
			}
		})
	}
}

func TestShapesPanic(t *testing.T) {
	tests := []struct {
		name string
		call func()
	}{
		{"Dot", func() { vec.Dot(make([]float32, 2), make([]float32, 3)) }},
		{"SquaredL2", func() { vec.SquaredL2(make([]float32, 2), make([]float32, 3)) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Errorf("%s with shapes that differ did not panic", tt.name)
				}
			}()
			tt.call()
		})
	}
}

// sink keeps the compiler from dropping what is measured.
var sink float32

func BenchmarkDot(b *testing.B) {
	rng := rand.New(rand.NewPCG(5, 5))
	for _, d := range []int{64, 256, 768, 4096} {
		x, y := random(rng, d), random(rng, d)
		b.Run(fmt.Sprintf("naive/dim=%d", d), func(b *testing.B) {
			b.SetBytes(int64(8 * d))
			for b.Loop() {
				var s float32
				for i := range x {
					s += x[i] * y[i]
				}
				sink = s
			}
		})
		b.Run(fmt.Sprintf("fast/dim=%d", d), func(b *testing.B) {
			b.SetBytes(int64(8 * d))
			for b.Loop() {
				sink = vec.Dot(x, y)
			}
		})
	}
}
