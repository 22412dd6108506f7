package vec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// blocksOf codes rows in blocks of m, in two planes or one.
func blocksOf(rows []float32, dims, m int, both bool) []*Codes {
	var blocks []*Codes
	for ; len(rows) > 0; rows = rows[min(len(rows), m*dims):] {
		part := rows[:min(len(rows), m*dims)]
		c := Sketch(part, dims)
		if both {
			c = fine(part, dims)
		}
		blocks = append(blocks, c)
	}
	return blocks
}

// naiveNear is about the squared distance of row i from a vector of the length √norm2
// that is step·q.
func naiveNear(c *Codes, i int, q []int16, step, norm2 float64) float64 {
	return max(0, float64(c.norm[i])+norm2-512*step*float64(c.scale[i])*float64(naiveProduct(c, i, q)))
}

func TestBlocksNear(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 21))
	const n, m = 37, 16
	for _, dims := range []int{1, 3, 31, 32, 33, 64, 65, 256, 768, 4096} {
		for _, both := range []bool{true, false} {
			rows, x := normal(rng, n*dims, 1), normal(rng, dims, 1)
			clear(rows[:dims]) // the zero vector
			codes := blocksOf(rows, dims, m, both)
			blocks := NewBlocks(m, codes)
			query := NewQuery(x)
			five, row := codes[5/m], make([]int16, stride(dims))
			for j, h := range five.highRow(5 % m) {
				row[j] = int16(int8(h))
			}
			step, norm2 := 256*float64(five.scale[5%m]), float64(five.norm[5%m])
			var p Probe
			for _, count := range []int{0, 1, 2, 3, 4, 5, 8, n} {
				ids := make([]uint32, count)
				for i := range ids {
					ids[i] = uint32(n - 1 - i*7%n)
				}
				got := make([]float32, count)
				check := func(what string, q []int16, step, norm2 float64) {
					blocks.Near(got, &p, ids)
					for i, id := range ids {
						c, row := codes[id/m], int(id%m)
						want := naiveNear(c, row, q, step, norm2)
						if tol := 1e-6 * (norm2 + float64(c.norm[row])); math.Abs(float64(got[i])-want) > tol {
							t.Errorf("Near(D=%d, %d rows, %s to %d) = %v, want %v ± %v", dims, count, what, id, got[i], want, tol)
						}
					}
				}
				p.Set(query)
				check("a query", query.scan, query.scanScale, query.decoded.norm2)
				blocks.SetRow(&p, 5)
				check("row 5", row, step, norm2)
			}
		}
	}
}

func TestBlocksShapesPanic(t *testing.T) {
	rows := make([]float32, 6*4)
	good := blocksOf(rows, 4, 4, false)
	var p Probe
	for name, call := range map[string]func(){
		"no power of two":     func() { NewBlocks(3, good) },
		"a short first block": func() { NewBlocks(8, good) },
		"a long block":        func() { NewBlocks(2, good) },
		"no probe yet":        func() { NewBlocks(4, good).Near(make([]float32, 1), &Probe{}, []uint32{0}) },
		"an id beyond": func() {
			NewBlocks(4, good).SetRow(&p, 0)
			NewBlocks(4, good).Near(make([]float32, 1), &p, []uint32{6})
		},
		"a short dst": func() { NewBlocks(4, good).Near(nil, &p, []uint32{0}) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			call()
		})
	}
}

func BenchmarkBlocksNear(b *testing.B) {
	rng := rand.New(rand.NewPCG(23, 23))
	const dims, count, m = 256, 128, 4096
	for _, n := range []int{1 << 10, 1 << 18} { // in the cache, and not
		row := normal(rng, dims, 1)
		rows := make([]float32, n*dims)
		for i := range n {
			copy(rows[i*dims:], row)
		}
		codes := blocksOf(rows, dims, m, false)
		blocks := NewBlocks(m, codes)
		ids, dst := make([]uint32, count), make([]float32, count)
		query := NewQuery(row)
		var p Probe
		p.Set(query)
		b.Run(fmt.Sprintf("picked/n=%d/dim=%d", n, dims), func(b *testing.B) {
			b.SetBytes(count * dims)
			for b.Loop() {
				for i := range ids {
					ids[i] = uint32(rng.IntN(n))
				}
				blocks.Near(dst, &p, ids)
			}
		})
		b.Run(fmt.Sprintf("naive/n=%d/dim=%d", n, dims), func(b *testing.B) {
			b.SetBytes(count * dims)
			for b.Loop() {
				for i := range ids {
					ids[i] = uint32(rng.IntN(n))
				}
				for i, id := range ids {
					dst[i] = float32(naiveNear(codes[id/m], int(id%m), query.scan, query.scanScale, query.decoded.norm2))
				}
			}
		})
	}
}
