package vec_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"cairn/engine/vec"
)

// blocksOf codes rows in blocks of m, in two planes or one.
func blocksOf(rows []float32, dims, m int, fine bool) []*vec.Codes {
	var blocks []*vec.Codes
	for ; len(rows) > 0; rows = rows[min(len(rows), m*dims):] {
		part := rows[:min(len(rows), m*dims)]
		c := vec.Sketch(part, dims)
		if fine {
			c = vec.NewCodes(dims, len(part)/dims)
			for i := range c.Len() {
				c.Put(i, part[i*dims:(i+1)*dims])
			}
		}
		blocks = append(blocks, c)
	}
	return blocks
}

// TestBlocksNear: distances are those of Codes.Near and Codes.Between, but for
// rounding and for a query's low bits.
func TestBlocksNear(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 21))
	const n, m = 37, 16
	for _, dims := range []int{1, 3, 31, 32, 33, 64, 65, 256, 768, 4096} {
		for _, fine := range []bool{true, false} {
			rows, x := random(rng, n*dims), random(rng, dims)
			clear(rows[:dims]) // the zero vector
			codes := blocksOf(rows, dims, m, fine)
			blocks := vec.NewBlocks(m, codes)
			query := vec.NewQuery(x)
			var p vec.Probe
			for _, count := range []int{0, 1, 2, 3, 4, 5, 8, n} {
				ids := make([]uint32, count)
				for i := range ids {
					ids[i] = uint32(n - 1 - i*7%n)
				}
				got := make([]float32, count)
				p.Set(query)
				blocks.Near(got, &p, ids)
				for i, id := range ids {
					want := max(0, codes[id/m].Near(query, int(id%m)))
					if math.Abs(float64(got[i]-want)) > 1e-4*float64(dims) {
						t.Errorf("Near(D=%d, %d rows, row %d) = %v, want %v", dims, count, id, got[i], want)
					}
				}
				blocks.SetRow(&p, 5)
				blocks.Near(got, &p, ids)
				for i, id := range ids {
					want := max(0, codes[5/m].Between(5, codes[id/m], int(id%m)))
					if math.Abs(float64(got[i]-want)) > 1e-4*float64(dims) {
						t.Errorf("Near(D=%d, %d rows, row 5 to %d) = %v, want %v", dims, count, id, got[i], want)
					}
				}
			}
		}
	}
}

func TestBlocksShapesPanic(t *testing.T) {
	rows := make([]float32, 6*4)
	good := blocksOf(rows, 4, 4, false)
	var p vec.Probe
	for name, call := range map[string]func(){
		"no power of two":     func() { vec.NewBlocks(3, good) },
		"a short first block": func() { vec.NewBlocks(8, good) },
		"a long block":        func() { vec.NewBlocks(2, good) },
		"no probe yet":        func() { vec.NewBlocks(4, good).Near(make([]float32, 1), &p, []uint32{0}) },
		"an id beyond": func() {
			vec.NewBlocks(4, good).SetRow(&p, 0)
			vec.NewBlocks(4, good).Near(make([]float32, 1), &p, []uint32{6})
		},
		"a short dst": func() { vec.NewBlocks(4, good).Near(nil, &p, []uint32{0}) },
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
		row := random(rng, dims)
		rows := make([]float32, n*dims)
		for i := range n {
			copy(rows[i*dims:], row)
		}
		codes := blocksOf(rows, dims, m, false)
		blocks := vec.NewBlocks(m, codes)
		ids, dst := make([]uint32, count), make([]float32, count)
		query := vec.NewQuery(row)
		var p vec.Probe
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
		b.Run(fmt.Sprintf("single/n=%d/dim=%d", n, dims), func(b *testing.B) {
			b.SetBytes(count * dims)
			for b.Loop() {
				for i := range ids {
					ids[i] = uint32(rng.IntN(n))
				}
				for i, id := range ids {
					dst[i] = codes[id/m].Near(query, int(id%m))
				}
			}
		})
	}
}
