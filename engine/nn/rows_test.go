package nn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas/blas32"
)

func TestAxpyAndDotAgreeWithLoops(t *testing.T) {
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			use(t, way)
			r := rand.New(rand.NewPCG(3, 3))
			for _, n := range awkward {
				x, y := noise(r, n), noise(r, n+1)
				a := float32(r.NormFloat64())

				got, last := append([]float32{}, y...), y[n]
				axpy(a, x, got)
				for i := range x {
					want := float64(y[i]) + float64(a)*float64(x[i])
					tol := 0x1p-23 * (math.Abs(float64(y[i])) + math.Abs(float64(a)*float64(x[i])))
					if math.Abs(float64(got[i])-want) > tol {
						t.Errorf("axpy of %d: y[%d] = %v, want %v", n, i, got[i], want)
					}
				}
				if got[n] != last {
					t.Errorf("axpy of %d wrote behind y", n)
				}

				var want, size float64
				for i := range x {
					p := float64(x[i]) * float64(y[i])
					want, size = want+p, size+math.Abs(p)
				}
				if got := float64(dot(x, y)); math.Abs(got-want) > float64(n)*0x1p-23*size {
					t.Errorf("dot of %d = %v, want %v", n, got, want)
				}
			}
		})
	}
}

// twin is a kernel over three slices, and the loop that defines it.
type twin struct {
	name string
	fast func(dst, a, b []float32)
	loop func(dst, a, b *float64) // of one number
	// exact says that there is nothing to be rounded.
	exact bool
}

var twins = []twin{
	{"mulAdd", mulAdd, func(dst, a, b *float64) { *dst += *a * *b }, false},
	{"relu", func(dst, a, _ []float32) { relu(dst, a) }, func(dst, a, _ *float64) { *dst = max(*a, 0) }, true},
	{"addPositive", addPositive, func(dst, a, b *float64) {
		if *b > 0 {
			*dst += *a
		}
	}, false},
	{"gate", func(dst, a, _ []float32) { gate(dst, a, 1.5) }, func(dst, a, _ *float64) {
		if *a > 0 {
			*dst *= 1.5
		} else {
			*dst = 0
		}
	}, false},
}

func TestRowsAgreeWithLoops(t *testing.T) {
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			use(t, way)
			r := rand.New(rand.NewPCG(6, 6))
			for _, k := range twins {
				for _, n := range awkward {
					dst, a, b := noise(r, n+3), noise(r, n), noise(r, n)
					if n > 2 {
						a[1], b[2] = 0, 0
					}
					before := append([]float32{}, dst...)
					k.fast(dst[:n], a, b)
					for i, got := range dst {
						want := float64(before[i])
						if i < n {
							x, y := float64(a[i]), float64(b[i])
							k.loop(&want, &x, &y)
						}
						// One rounding of each of two terms, of which none is larger than 30.
						tolerance := 30 * 0x1p-23
						if k.exact || i >= n {
							tolerance = 0
						}
						if math.Abs(float64(got)-want) > tolerance {
							t.Errorf("%s of %d numbers: dst[%d] = %v, want %v", k.name, n, i, got, want)
						}
					}
				}
			}
		})
	}
}

func TestReluLeavesWhatIsNoNumber(t *testing.T) {
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			use(t, way)
			for _, n := range []int{1, 8, 11} {
				a, dst := make([]float32, n), make([]float32, n)
				a[n-1] = float32(math.NaN())
				relu(dst, a)
				if got := float64(dst[n-1]); !math.IsNaN(got) {
					t.Errorf("relu(NaN) = %v among %d, want NaN", got, n)
				}
			}
		})
	}
}

func TestDrawsAreTheSameEverywhere(t *testing.T) {
	if !fast {
		t.Skip("this processor has no AVX2, so there is one way to draw")
	}
	tape := NewTape(NewParams(1))
	tape.Begin(true, 9)
	r := rand.New(rand.NewPCG(7, 7))
	for _, n := range awkward {
		d, a := tape.draw(0.3, 2, 0), noise(r, n)
		kernel, loop := make([]float32, n), make([]float32, n)
		addDrawn(kernel, a, d)
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			use(t, "portable")
			addDrawn(loop, a, d)
		})
		for i := range a {
			if kernel[i] != loop[i] {
				t.Fatalf("number %d of %d drawn is %v, want %v", i, n, kernel[i], loop[i])
			}
		}
	}
}

func TestExpIsAccurate(t *testing.T) {
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			use(t, way)
			var a []float32
			for x := -87.33; x <= 88.37; x += 0.0137 {
				a = append(a, float32(x))
			}
			a = append(a, 0, 1e-30, -1e-7, float32(math.Ln2), float32(-math.Ln2/2))
			dst := make([]float32, len(a))
			exp(dst, a)
			for i, x := range a {
				want := math.Exp(float64(x))
				if got := float64(dst[i]); math.Abs(got-want) > 0x1p-22*want {
					t.Errorf("exp(%v) = %v, want %v", x, got, want)
				}
			}
			inf := float32(math.Inf(1))
			ends := []float32{-inf, -200, -88, 89, inf, float32(math.NaN())}
			exp(ends, ends)
			if ends[0] != 0 || ends[1] != 0 || ends[2] != 0 || !(ends[3] > 2e38) || ends[3] != ends[4] || ends[5] == ends[5] {
				t.Errorf("exp(-∞, -200, -88, 89, ∞, NaN) = %v, want 0, 0, 0, e^88.4 twice, NaN", ends)
			}
		})
	}
}

func TestSigmoidAndTanhAreAccurate(t *testing.T) {
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			use(t, way)
			for _, n := range awkward {
				a, s, h := make([]float32, n), make([]float32, n), make([]float32, n)
				for i := range a {
					a[i] = float32(i-n/2) * 0.7
				}
				sigmoid(s, a)
				tanh(h, a)
				for i, x := range a {
					// A result of 1 at most, of three operations.
					if want := 1 / (1 + math.Exp(-float64(x))); math.Abs(float64(s[i])-want) > 3*0x1p-23 {
						t.Errorf("sigmoid(%v) = %v, want %v", x, s[i], want)
					}
					if want := math.Tanh(float64(x)); math.Abs(float64(h[i])-want) > 6*0x1p-23 {
						t.Errorf("tanh(%v) = %v, want %v", x, h[i], want)
					}
				}
			}
		})
	}
}

// Fifty numbers of a row of 50 are drawn by eight generators: neither numbers that
// stand beside each other nor rows should be alike.
func TestDrawsAreIndependent(t *testing.T) {
	tape := NewTape(NewParams(1))
	tape.Begin(true, 10)
	const n = 1 << 16
	ones, drawn := make([]float32, n), make([]float32, n)
	for i := range ones {
		ones[i] = 1
	}
	addDrawn(drawn, ones, tape.draw(0.5, 1, -1))
	for _, lag := range []int{1, 2, 7, 8, 9, 16, 49, 50, 51, 64, 400} {
		// The mean of n products of ±1 has the standard deviation 1/√n = 1/256.
		if got := float64(dot(drawn[:n-lag], drawn[lag:])) / n; math.Abs(got) > 4.5/256 {
			t.Errorf("correlation of draws %d apart = %v, want about 0", lag, got)
		}
	}
}

func BenchmarkRows(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, n := range []int{16, 50, 64, 256} {
		x, y := noise(r, n), noise(r, n)
		vx, vy := blas32.Vector{N: n, Inc: 1, Data: x}, blas32.Vector{N: n, Inc: 1, Data: y}
		var sink float32
		for name, f := range map[string]func(){
			"axpy": func() { axpy(1e-9, x, y) }, "gonum-axpy": func() { blas32.Axpy(1e-9, vx, vy) },
			"dot": func() { sink += dot(x, y) }, "gonum-dot": func() { sink += blas32.Dot(vx, vy) },
		} {
			b.Run(fmt.Sprintf("n=%d/%s", n, name), func(b *testing.B) {
				for b.Loop() {
					f()
				}
			})
		}
	}
}

// BenchmarkPasses goes once over a matrix of 500×50.
func BenchmarkPasses(b *testing.B) {
	r := rand.New(rand.NewPCG(8, 8))
	const n = 500 * 50
	dst, x, y := noise(r, n), noise(r, n), noise(r, n)
	tape := NewTape(NewParams(1))
	tape.Begin(true, 1)
	for _, f := range []struct {
		name string
		do   func()
	}{
		{"clear", func() { clear(dst) }},
		{"axpy", func() { axpy(1e-9, x, dst) }},
		{"mulAdd", func() { mulAdd(dst, x, y) }},
		{"relu", func() { relu(dst, x) }},
		{"addPositive", func() { addPositive(dst, x, y) }},
		{"gate", func() { gate(dst, x, 1) }},
		{"addDrawn", func() { addDrawn(dst, x, tape.draw(0.1, 1, 0)) }},
	} {
		b.Run(f.name, func(b *testing.B) {
			b.SetBytes(4 * n)
			for b.Loop() {
				f.do()
			}
		})
	}
}
