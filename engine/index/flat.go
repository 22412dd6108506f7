package index

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"cairn/engine/vec"
)

// Vectors are N vectors of D dimensions, row-major; the id of a vector is its
// row.
type Vectors struct {
	Dims int
	Rows []float32 // (N,D)
}

// Len returns N.
func (v Vectors) Len() int {
	if v.Dims == 0 {
		return 0
	}
	return len(v.Rows) / v.Dims
}

// Row returns vector i, which must not be modified.
func (v Vectors) Row(i int) []float32 { return v.Rows[i*v.Dims : (i+1)*v.Dims] }

// Pack copies vectors of equal length into one slice. It panics where lengths
// differ.
func Pack(dims int, vectors [][]float32) Vectors {
	v := Vectors{Dims: dims, Rows: make([]float32, 0, dims*len(vectors))}
	for _, x := range vectors {
		if len(x) != dims {
			panic(fmt.Sprintf("index: a vector has %d dimensions, want %d", len(x), dims))
		}
		v.Rows = append(v.Rows, x...)
	}
	return v
}

const (
	// block is how many rows are scanned between two looks at the context, and
	// the smallest piece of work: 1,024 rows of 256 numbers take about 50 µs.
	block = 1024
	// codedFrom is the number of vectors from which codes pay: below it, one
	// pass over the numbers themselves is as fast.
	codedFrom = 2 * block
	// codedShare is the largest share of all vectors asked for, 1/codedShare,
	// at which codes pay: with more, too many are compared twice.
	codedShare = 16
)

// Flat is the exact index. It bounds every distance by quantised codes and
// computes those that the bounds leave in question, so that its hits are those
// of a full scan at a fraction of the memory traffic. It is immutable and safe
// for concurrent use.
type Flat struct {
	v     Vectors
	codes *vec.Codes // nil for few vectors
}

// NewFlat returns an index of v, which it keeps and which must not change.
func NewFlat(v Vectors) *Flat {
	f := &Flat{v: v}
	if v.Len() >= codedFrom {
		f.codes = vec.NewCodes(v.Rows, v.Dims)
	}
	return f
}

// Len is the number of vectors.
func (f *Flat) Len() int { return f.v.Len() }

// Nearest returns the k nearest hits, nearest first, ties by id; all vectors
// where k is larger than their number. The result does not depend on the
// number of processors. It returns the context's error where it is cancelled.
func (f *Flat) Nearest(ctx context.Context, query []float32, k int) ([]Hit, error) {
	n := f.Len()
	if k = min(k, n); k <= 0 {
		return nil, ctx.Err()
	}
	if len(query) != f.v.Dims {
		return nil, fmt.Errorf("search %d vectors: the query has %d dimensions, the vectors have %d", n, len(query), f.v.Dims)
	}
	if f.codes == nil || k > n/codedShare {
		return f.scan(ctx, query, k)
	}
	return f.codedScan(ctx, query, k)
}

// scan computes every distance.
func (f *Flat) scan(ctx context.Context, query []float32, k int) ([]Hit, error) {
	parts := make([][]Hit, workers(f.Len()))
	err := inBlocks(ctx, f.Len(), len(parts), func() func(int, int, int) {
		var nearest worst
		square := make([]float32, block)
		return func(part, from, to int) {
			rows := f.v.Rows[from*f.v.Dims : to*f.v.Dims]
			vec.SquaredL2Rows(square[:to-from], rows, query)
			for i, d := range square[:to-from] {
				nearest.add(k, Hit{ID: uint32(from + i), Distance: root(d)})
			}
			parts[part] = nearest
		}
	})
	if err != nil {
		return nil, err
	}
	return finish(slices.Concat(parts...), k), nil
}

// bounded is a row whose distance may be among the k smallest.
type bounded struct {
	row uint32
	lo  float32 // at most the squared distance
}

// codedScan bounds every distance and computes those in question: no row
// whose lower bound exceeds the k-th smallest upper bound is a hit.
func (f *Flat) codedScan(ctx context.Context, query []float32, k int) ([]Hit, error) {
	coded := f.codes.Query(query)
	n := workers(f.Len())
	uppers, maybes := make([][]Hit, n), make([][]bounded, n)
	err := inBlocks(ctx, f.Len(), n, func() func(int, int, int) {
		var upper worst
		var maybe []bounded
		limit := float32(math.Inf(1))
		lo, hi := make([]float32, block), make([]float32, block)
		return func(part, from, to int) {
			f.codes.Bounds(lo[:to-from], hi[:to-from], coded, from)
			for i, l := range lo[:to-from] {
				if l > limit {
					continue
				}
				maybe = append(maybe, bounded{uint32(from + i), l})
				if upper.add(k, Hit{ID: uint32(from + i), Distance: hi[i]}) && len(upper) == k {
					limit = upper[0].Distance
				}
			}
			uppers[part], maybes[part] = upper, maybe
		}
	})
	if err != nil {
		return nil, err
	}
	best := finish(slices.Concat(uppers...), k)
	// Squared distances that differ may have the same root and tie.
	limit := best[len(best)-1].Distance * (1 + 1e-6)
	var hits []Hit
	for _, part := range maybes {
		for i, m := range part {
			if i%block == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if m.lo <= limit {
				hits = append(hits, Hit{ID: m.row, Distance: root(vec.SquaredL2(f.v.Row(int(m.row)), query))})
			}
		}
	}
	return finish(hits, k), nil
}

// workers returns how many goroutines scan n rows.
func workers(n int) int {
	return max(1, min(runtime.GOMAXPROCS(0), n/(4*block)))
}

// inBlocks calls work(part, from, to) for consecutive blocks of n rows, each
// part on its own goroutine with its own work from newWork, and stops where the
// context is cancelled.
func inBlocks(ctx context.Context, n, parts int, newWork func() func(part, from, to int)) error {
	run := func(part int) {
		work := newWork()
		end := n * (part + 1) / parts
		for from := n * part / parts; from < end && ctx.Err() == nil; from += block {
			work(part, from, min(from+block, end))
		}
	}
	var wg sync.WaitGroup
	for part := 1; part < parts; part++ {
		wg.Go(func() { run(part) })
	}
	run(0)
	wg.Wait()
	return ctx.Err()
}

// finish sorts hits and keeps k.
func finish(hits []Hit, k int) []Hit {
	slices.SortFunc(hits, compareHits)
	return hits[:min(k, len(hits))]
}

func root(square float32) float32 { return float32(math.Sqrt(float64(square))) }

// worst is a heap of hits with the worst on top.
type worst []Hit

// add puts h among the k best and reports whether it belongs there.
func (w *worst) add(k int, h Hit) bool {
	heap := *w
	if len(heap) < k {
		heap = append(heap, h)
		for i := len(heap) - 1; i > 0; {
			up := (i - 1) / 2
			if compareHits(heap[i], heap[up]) <= 0 {
				break
			}
			heap[i], heap[up] = heap[up], heap[i]
			i = up
		}
		*w = heap
		return true
	}
	if compareHits(h, heap[0]) >= 0 {
		return false
	}
	for i := 0; ; {
		down := 2*i + 1
		if down >= len(heap) {
			heap[i] = h
			return true
		}
		if down+1 < len(heap) && compareHits(heap[down+1], heap[down]) > 0 {
			down++
		}
		if compareHits(h, heap[down]) >= 0 {
			heap[i] = h
			return true
		}
		heap[i] = heap[down]
		i = down
	}
}
