package vec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// ways are the two ways to compute a product, which must agree to the last bit.
var ways = []string{"kernels", "portable"}

// widths are awkward for unrolled loops, for padding and for sums of 32 bits.
var widths = []int{1, 3, 4, 5, 7, 8, 9, 31, 32, 33, 63, 64, 65, 255, 256, 257, 511, 513, 514, 515, 768, 4096}

func normal(rng *rand.Rand, n int, scale float32) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = scale * float32(rng.NormFloat64())
	}
	return x
}

// flat returns numbers that are all as large as can be, up to their signs.
func flat(n int, value float32) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = value
	}
	return x
}

// fine codes rows into two planes.
func fine(rows []float32, dims int) *Codes {
	c := NewCodes(dims, len(rows)/dims)
	for i := range c.n {
		c.Put(i, rows[i*dims:(i+1)*dims])
	}
	return c
}

func naiveProduct(c *Codes, i int, q []int16) int64 {
	var sum int64
	for j, h := range c.highRow(i) {
		sum += int64(int8(h)) * int64(q[j])
	}
	return sum
}

// naiveSquare is the squared distance of decoded vectors.
func naiveSquare(c *Codes, q *Query, i int) float64 {
	var sum float64
	for j := range c.dims {
		v := int(int8(c.highRow(i)[j]))<<8 + int(int8(c.lowRow(i)[j]))
		d := float64(c.scale[i])*float64(v) - q.scale*float64(q.fine[j])
		sum += d * d
	}
	return sum
}

func TestProductsEqualTheirNaiveTwin(t *testing.T) {
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			use(t, way)
			rng := rand.New(rand.NewPCG(1, 1))
			const n = 15
			for _, d := range widths {
				rows := normal(rng, n*d, 1)
				copy(rows, flat(d, 1)) // the largest products there are
				c := fine(rows, d)
				for count := range 7 {
					queries := make([]*Query, count)
					for i := range queries {
						queries[i] = NewQuery(normal(rng, d, 1))
					}
					if count > 1 {
						queries[0], queries[count-1] = NewQuery(flat(d, -1)), NewQuery(flat(d, 1))
					}
					for _, m := range []int{0, 1, 2, 3, 4, 5, 8, 11} {
						dst := make([]int32, count*m)
						c.Products(dst, queries, n-m)
						for j, q := range queries {
							for i := range m {
								if got, want := int64(dst[j*m+i]), naiveProduct(c, n-m+i, q.scan); got != want {
									t.Fatalf("Products, D=%d, %d queries, %d rows: query %d, row %d = %d, want %d", d, count, m, j, i, got, want)
								}
							}
						}
					}
				}
			}
		})
	}
}

func TestWithinEqualsItsNaiveTwin(t *testing.T) {
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			use(t, way)
			rng := rand.New(rand.NewPCG(2, 2))
			const n, d = 41, 24
			c := fine(normal(rng, n*d, 1), d)
			q := NewQuery(normal(rng, d, 1))
			product := make([]int32, n)
			c.Products(product, []*Query{q}, 0)
			for from := range n + 1 {
				for _, limit := range []float32{-1, 20, 40, 60, float32(math.Inf(1)), float32(math.NaN())} {
					mask := make([]byte, (n-from+7)/8)
					for i := range mask {
						mask[i] = 0xAA
					}
					c.Within(mask, product[from:], q, from, limit)
					for i := range 8 * len(mask) {
						got, want := mask[i/8]>>(i%8)&1 == 1, false
						if i < n-from {
							lo, _ := c.Bounds(q, from+i, product[from+i])
							want = !(lo > limit)
							// Rounding may mark a row that is not within, never miss one.
							if got && !want && lo <= limit*(1+1e-5) {
								want = true
							}
						}
						if got != want {
							t.Errorf("Within(from %d, limit %v) marks row %d: %v, want %v", from, limit, from+i, got, want)
						}
					}
				}
			}
		})
	}
}

// TestBoundsHoldTheDistance is what makes a scan of codes exact: the true squared
// distance never leaves the bounds, nor is its row unmarked at that limit.
func TestBoundsHoldTheDistance(t *testing.T) {
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			use(t, way)
			rng := rand.New(rand.NewPCG(3, 3))
			const n = 40
			for _, d := range widths {
				for _, scale := range []float32{0, 1e-42, 1e-25, 1e-18, 1e-3, 1, 1e3, 1e12} {
					rows, x := normal(rng, n*d, scale), normal(rng, d, scale)
					for i := range rows {
						switch rng.IntN(4) {
						case 0:
							rows[i] = 0
						case 1:
							rows[i] *= 100
						}
					}
					copy(rows, x)                // row 0 is the query itself
					copy(rows[d:], flat(d, 1e3)) // and row 1 much longer than the others
					if d > 600 && scale == 1 {
						x = flat(d, 3) // a query that is scanned by its upper bits
						x[0] = 2.9
					}
					q := NewQuery(x)
					sketch, planes := Sketch(rows, d), fine(rows, d)
					products := make([]int32, n)
					for i := range n {
						hold(t, sketch, q, products, i, float64(SquaredL2(rows[i*d:(i+1)*d], x)))
						hold(t, planes, q, products, i, planes.SquaredL2(q, i))
					}
				}
			}
		})
	}
}

func hold(t *testing.T, c *Codes, q *Query, products []int32, i int, want float64) {
	t.Helper()
	c.Products(products, []*Query{q}, 0)
	lo, hi := c.Bounds(q, i, products[i])
	if float64(lo) > want || float64(hi) < want {
		t.Fatalf("Bounds, D=%d: row %d = [%v, %v], want to hold %v", c.dims, i, lo, hi, want)
	}
	mask := make([]byte, (len(products)+7)/8)
	c.Within(mask, products, q, 0, float32(want))
	if mask[i/8]>>(i%8)&1 == 0 {
		t.Fatalf("Within, D=%d: row %d is not within %v, which is its distance", c.dims, i, want)
	}
}

func TestBoundsAreTight(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	const n, d = 1000, 256
	rows, x := normal(rng, n*d, 1), normal(rng, d, 1)
	for i := range n {
		Normalize(rows[i*d : (i+1)*d])
	}
	Normalize(x)
	q := NewQuery(x)
	for name, c := range map[string]*Codes{"planes": fine(rows, d), "sketch": Sketch(rows, d)} {
		product := make([]int32, n)
		c.Products(product, []*Query{q}, 0)
		for i := range n {
			// A unit vector of 256 numbers, the largest of which is about 3/16, is
			// coded in steps of 3/16/127: an error of 0.007, which counts four times.
			if lo, hi := c.Bounds(q, i, product[i]); hi-lo > 0.045 {
				t.Fatalf("Bounds, %s: row %d is %v wide, want at most 0.045", name, i, hi-lo)
			}
		}
	}
}

func TestSquaredL2IsThatOfTheDecodedVectors(t *testing.T) {
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			use(t, way)
			rng := rand.New(rand.NewPCG(5, 5))
			const n = 12
			for _, d := range widths {
				rows := normal(rng, n*d, 1)
				copy(rows[d:], flat(d, -7))
				c := fine(rows, d)
				product := make([]int32, n)
				for i, x := range [][]float32{rows[:d], flat(d, 7), normal(rng, d, 0.1), make([]float32, d)} {
					q := NewQuery(x)
					c.Products(product, []*Query{q}, 0)
					for r := range n {
						want := naiveSquare(c, q, r)
						tol := 1e-12 * (q.decoded.norm2 + float64(c.norm[r]))
						got := c.SquaredL2(q, r)
						if math.Abs(got-want) > tol {
							t.Fatalf("SquaredL2, D=%d: query %d, row %d = %v, want %v", d, i, r, got, want)
						}
						if decided := c.Decide(q, r, product[r]); decided != got {
							t.Fatalf("Decide, D=%d: query %d, row %d = %v, want %v", d, i, r, decided, got)
						}
					}
				}
				if got := c.SquaredL2(NewQuery(rows[:d]), 0); got != 0 {
					t.Errorf("SquaredL2 of a vector from itself, D=%d = %v, want 0", d, got)
				}
			}
		})
	}
}

func TestRowDecodes(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, d := range widths {
		rows := normal(rng, 3*d, 1)
		c := fine(rows, d)
		got := make([]float32, d)
		for i := range 3 {
			c.Row(i, got)
			for j, x := range rows[i*d : (i+1)*d] {
				if math.Abs(float64(got[j]-x)) > 0.51*float64(c.scale[i]) {
					t.Fatalf("Row(%d), D=%d: number %d = %v, want %v ± %v", i, d, j, got[j], x, c.scale[i]/2)
				}
			}
		}
	}
}

func TestCodesLieInTheirBytes(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for _, n := range []int{0, 1, 7, 8, 9} {
		c := fine(normal(rng, n*20, 1), 20)
		if len(c.Bytes()) != CodesSize(20, n) {
			t.Fatalf("Bytes of %d codes: %d, want %d", n, len(c.Bytes()), CodesSize(20, n))
		}
		again := CodesIn(c.Bytes(), 20, n)
		q := NewQuery(normal(rng, 20, 1))
		for i := range n {
			if got, want := again.SquaredL2(q, i), c.SquaredL2(q, i); got != want {
				t.Errorf("SquaredL2 of row %d of %d in the same bytes = %v, want %v", i, n, got, want)
			}
		}
	}
}

func TestPutTwice(t *testing.T) {
	c := NewCodes(3, 1)
	c.Put(0, []float32{9, 8, 7})
	c.Put(0, []float32{0, 0, 1})
	if got := c.SquaredL2(NewQuery([]float32{0, 0, 1}), 0); got != 0 {
		t.Errorf("SquaredL2 after a second Put = %v, want 0", got)
	}
}

func TestCodable(t *testing.T) {
	for x, want := range map[float32]bool{0: true, 1e-45: true, 1e14: true, 1e16: false, float32(math.Inf(1)): false, float32(math.NaN()): false} {
		if got := Codable([]float32{1, x}); got != want {
			t.Errorf("Codable(1, %v) = %v, want %v", x, got, want)
		}
	}
}

func TestCodesPanicOnShapes(t *testing.T) {
	c, q := NewCodes(2, 3), NewQuery([]float32{1, 2})
	for name, call := range map[string]func(){
		"Sketch":         func() { Sketch(make([]float32, 5), 2) },
		"CodesIn":        func() { CodesIn(make([]byte, 32), 2, 3) },
		"Put":            func() { c.Put(0, make([]float32, 3)) },
		"Row":            func() { c.Row(0, make([]float32, 3)) },
		"Products, past": func() { c.Products(make([]int32, 4), []*Query{q}, 0) },
		"Products, dims": func() { c.Products(make([]int32, 3), []*Query{NewQuery(make([]float32, 3))}, 0) },
		"Within, mask":   func() { c.Within(make([]byte, 2), make([]int32, 3), q, 0, 1) },
		"Within, past":   func() { c.Within(make([]byte, 1), make([]int32, 3), q, 1, 1) },
		"SquaredL2":      func() { c.SquaredL2(NewQuery(make([]float32, 40)), 0) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("shapes that differ did not panic")
				}
			}()
			call()
		})
	}
}

// counted keeps the compiler from dropping what is measured.
var counted int64

func BenchmarkProducts(b *testing.B) {
	rng := rand.New(rand.NewPCG(9, 9))
	const n = 1024
	for _, d := range []int{64, 256, 768} {
		c := fine(normal(rng, n*d, 1), d)
		for _, way := range append([]string{"naive"}, ways...) {
			for _, count := range []int{1, 2, 3, 4} {
				b.Run(fmt.Sprintf("%s/n=%d/dim=%d/queries=%d", way, n, d, count), func(b *testing.B) {
					if way != "naive" {
						use(b, way)
					}
					queries := make([]*Query, count)
					for i := range queries {
						queries[i] = NewQuery(normal(rng, d, 1))
					}
					dst := make([]int32, n*count)
					b.SetBytes(int64(n * d))
					for b.Loop() {
						if way != "naive" {
							c.Products(dst, queries, 0)
							continue
						}
						for _, q := range queries {
							for i := range n {
								counted += naiveProduct(c, i, q.scan)
							}
						}
					}
				})
			}
		}
	}
}

func BenchmarkWithin(b *testing.B) {
	rng := rand.New(rand.NewPCG(10, 10))
	const n, d = 1024, 256
	c := fine(normal(rng, n*d, 1), d)
	for _, way := range ways {
		b.Run(way, func(b *testing.B) {
			use(b, way)
			q := NewQuery(normal(rng, d, 1))
			products, mask := make([]int32, n), make([]byte, n/8)
			c.Products(products, []*Query{q}, 0)
			b.SetBytes(16 * n)
			for b.Loop() {
				c.Within(mask, products, q, 0, 200)
			}
		})
	}
}

func BenchmarkRow(b *testing.B) {
	rng := rand.New(rand.NewPCG(11, 11))
	const n, d = 64, 256
	rows := normal(rng, n*d, 1)
	c := fine(rows, d)
	q := NewQuery(rows[:d])
	for name, call := range map[string]func(i int){
		"SquaredL2": func(i int) { c.SquaredL2(q, i) },
		"Put":       func(i int) { c.Put(i, rows[i*d:(i+1)*d]) },
		"Set":       func(i int) { q.Set(rows[i*d : (i+1)*d]) },
		"float32":   func(i int) { SquaredL2(rows[:d], rows[i*d:(i+1)*d]) },
	} {
		b.Run(name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				call(i % n)
			}
		})
	}
}
