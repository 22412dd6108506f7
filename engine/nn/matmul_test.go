package nn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
)

// awkward are the lengths at which kernels go wrong: around the width of a vector
// and of a tile, and at the width of the networks.
var awkward = []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 49, 50, 51, 63, 64, 65}

// ways are with the kernels of this processor and without; see use.
var ways = []string{"kernels", "portable"}

// noise returns n numbers of the standard normal distribution.
func noise(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	return x
}

func TestMatMulAgreesWithLoops(t *testing.T) {
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			use(t, way)
			r := rand.New(rand.NewPCG(1, 1))
			for _, m := range []int{0, 1, 2, 5, 6, 7, 12, 50, 65} {
				for _, k := range []int{0, 1, 3, 50, 127, 128, 129, 300} {
					for _, n := range awkward {
						checkProducts(t, r, m, k, n)
					}
				}
			}
		})
	}
}

// checkProducts compares the three products with the loops that define them.
func checkProducts(t *testing.T, r *rand.Rand, m, k, n int) {
	t.Helper()
	a, b, before := noise(r, m*k), noise(r, k*n), noise(r, m*n)
	want, bound := make([]float64, m*n), make([]float64, m*n)
	for i := range m {
		for j := range n {
			sum, size := float64(before[i*n+j]), math.Abs(float64(before[i*n+j]))
			for l := range k {
				x := float64(a[i*k+l]) * float64(b[l*n+j])
				sum, size = sum+x, size+math.Abs(x)
			}
			// One rounding for each product and each sum, of no more than the sum of sizes.
			want[i*n+j], bound[i*n+j] = sum, float64(k+1)*0x1p-23*size
		}
	}
	for name, into := range map[string]func(c matrix){
		"a·b":  func(c matrix) { addMul(c, matrix{m, k, a}, matrix{k, n, b}) },
		"aᵀ·b": func(c matrix) { addMulTA(c, matrix{m, k, a}.transpose(make([]float32, m*k)), matrix{k, n, b}) },
		"a·bᵀ": func(c matrix) {
			bt := matrix{k, n, b}.transpose(make([]float32, k*n))
			addMulTB(c, matrix{m, k, a}, bt, make([]float32, k*n))
		},
	} {
		// What follows the matrix must stay as it is.
		data := append(append([]float32{}, before...), 1, 2, 3, 4, 5, 6, 7, 8)
		into(matrix{m, n, data[:m*n]})
		for i, w := range want {
			if got := float64(data[i]); math.Abs(got-w) > bound[i] {
				t.Fatalf("%s of %d×%d×%d: number %d = %v, want %v ± %v", name, m, k, n, i, got, w, bound[i])
			}
		}
		for i, x := range data[m*n:] {
			if x != float32(i+1) {
				t.Fatalf("%s of %d×%d×%d wrote behind its result", name, m, k, n)
			}
		}
	}
}

func TestRowOfProductDoesNotDependOnOthers(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	const m, k, n = 13, 50, 50
	a, b, all := noise(r, m*k), noise(r, k*n), make([]float32, m*n)
	addMul(matrix{m, n, all}, matrix{m, k, a}, matrix{k, n, b})
	for i := range m {
		one := make([]float32, n)
		addMul(matrix{1, n, one}, matrix{1, k, a[i*k : (i+1)*k]}, matrix{k, n, b})
		for j, x := range one {
			if fast && x != all[i*n+j] {
				t.Fatalf("row %d alone has %v at %d, and among others %v", i, x, j, all[i*n+j])
			}
		}
	}
}

func TestProductDoesNotDependOnCores(t *testing.T) {
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			use(t, way)
			r := rand.New(rand.NewPCG(2, 3))
			const m, k, n = 300, 130, 200
			a, b := noise(r, m*k), noise(r, k*n)
			var want []float32
			for _, cores := range []int{1, 2, 8} {
				was := runtime.GOMAXPROCS(cores)
				c := make([]float32, m*n)
				addMul(matrix{m, n, c}, matrix{m, k, a}, matrix{k, n, b})
				runtime.GOMAXPROCS(was)
				if want == nil {
					want = c
				} else if !slices.Equal(c, want) {
					t.Errorf("a product on %d cores differs from that on 1", cores)
				}
			}
		})
	}
}

// BenchmarkMatMul has the shapes of a network of width 50 over a region of 500
// entities, and of one word of a question.
func BenchmarkMatMul(b *testing.B) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, s := range []struct {
		name    string
		m, k, n int
	}{
		{"500x50x50", 500, 50, 50},
		{"50x500x50", 50, 500, 50},
		{"500x64x64", 500, 64, 64},
		{"10x64x150", 10, 64, 150},
		{"1x50x150", 1, 50, 150},
		{"1x50x50", 1, 50, 50},
		{"500x50x1", 500, 50, 1},
	} {
		x, y, z := noise(r, s.m*s.k), noise(r, s.k*s.n), make([]float32, s.m*s.n)
		ma, mb, mc := matrix{s.m, s.k, x}, matrix{s.k, s.n, y}, matrix{s.m, s.n, z}
		spare := make([]float32, s.k*s.n)
		run := func(name string, f func()) {
			b.Run(fmt.Sprintf("%s/%s", s.name, name), func(b *testing.B) {
				b.ReportMetric(0, "ns/op")
				for b.Loop() {
					f()
				}
				b.ReportMetric(float64(2*s.m*s.k*s.n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOPS")
			})
		}
		run("NN", func() { addMul(mc, ma, mb) })
		run("TN", func() { addMulTA(mc, matrix{s.k, s.m, x}, mb) })
		run("NT", func() { addMulTB(mc, ma, matrix{s.n, s.k, y}, spare) })
		run("gonum-NN", func() { blas32.Gemm(blas.NoTrans, blas.NoTrans, 1, ma.general(), mb.general(), 1, mc.general()) })
		run("gonum-TN", func() {
			blas32.Gemm(blas.Trans, blas.NoTrans, 1, matrix{s.k, s.m, x}.general(), mb.general(), 1, mc.general())
		})
		run("gonum-NT", func() {
			blas32.Gemm(blas.NoTrans, blas.Trans, 1, ma.general(), matrix{s.n, s.k, y}.general(), 1, mc.general())
		})
	}
}
