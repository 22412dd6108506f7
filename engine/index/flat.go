package index

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

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
	codedShare = 2
)

// Flat is the exact index of vectors in memory. It bounds every distance by codes
// of one byte a number and computes those that the bounds leave in question, so
// that its hits are those of a full scan at a fraction of the memory traffic. It
// is immutable and safe for concurrent use.
type Flat struct {
	v     Vectors
	codes rows // without rows where there are few, or some that cannot be coded
}

// NewFlat returns an index of v, which it keeps and which must not change.
func NewFlat(v Vectors) *Flat {
	f := &Flat{v: v}
	if v.Len() >= codedFrom {
		f.codes, _ = sketch(v)
	}
	return f
}

// sketch returns codes that bound the distances of v, unless some of the vectors
// cannot be coded.
func sketch(v Vectors) (codes rows, ok bool) {
	codes = rows{n: v.Len(), dims: v.Dims, blocks: make([]*vec.Codes, (v.Len()+codeRows-1)/codeRows)}
	var uncodable atomic.Bool
	spread(len(codes.blocks), func(b int) {
		from, to := b*codeRows, min((b+1)*codeRows, v.Len())
		for i := from; i < to; i++ {
			if !vec.Codable(v.Row(i)) {
				uncodable.Store(true)
				return
			}
		}
		codes.blocks[b] = vec.Sketch(v.Rows[from*v.Dims:to*v.Dims], v.Dims)
	})
	if uncodable.Load() {
		return rows{}, false
	}
	return codes, true
}

// Len is the number of vectors.
func (f *Flat) Len() int { return f.v.Len() }

// Dims is the number of dimensions.
func (f *Flat) Dims() int { return f.v.Dims }

// Row writes vector i to dst (D).
func (f *Flat) Row(i int, dst []float32) { copy(dst, f.v.Row(i)) }

func (f *Flat) coded() (codes rows, ok bool) {
	if f.codes.n > 0 || f.Len() == 0 {
		return f.codes, true
	}
	return sketch(f.v)
}

func (f *Flat) distance(i uint32, query []float32, _ *vec.Query) float32 {
	return root(vec.SquaredL2(f.v.Row(int(i)), query))
}

// Nearest returns the k nearest hits, nearest first, ties by id; all vectors
// where k is larger than their number. The result does not depend on the
// number of processors. It returns the context's error where it is cancelled.
func (f *Flat) Nearest(ctx context.Context, query []float32, k int) ([]Hit, error) {
	hits, err := f.NearestAll(ctx, [][]float32{query}, k)
	if err != nil {
		return nil, err
	}
	return hits[0], nil
}

// NearestAll returns for each query what Nearest does, in one pass over the
// codes.
func (f *Flat) NearestAll(ctx context.Context, queries [][]float32, k int) ([][]Hit, error) {
	n := f.Len()
	if k = min(k, n); k <= 0 {
		return make([][]Hit, len(queries)), ctx.Err()
	}
	codable := true
	for _, q := range queries {
		if len(q) != f.v.Dims {
			return nil, wrongDims(n, q, f.v.Dims)
		}
		codable = codable && vec.Codable(q)
	}
	if f.codes.n > 0 && codable && k <= n/codedShare {
		return f.codedScan(ctx, queries, k)
	}
	hits := make([][]Hit, len(queries))
	for i, q := range queries {
		var err error
		if hits[i], err = f.scan(ctx, q, k); err != nil {
			return nil, err
		}
	}
	return hits, nil
}

// codedScan computes the distances that the bounds leave in question.
func (f *Flat) codedScan(ctx context.Context, queries [][]float32, k int) ([][]Hit, error) {
	coded := make([]*vec.Query, len(queries))
	for i, q := range queries {
		coded[i] = vec.NewQuery(q)
	}
	found, err := f.codes.gather(ctx, coded, k)
	if err != nil {
		return nil, err
	}
	return nearest(ctx, found, k, func(q int, c candidate) float32 {
		return root(vec.SquaredL2(f.v.Row(int(c.row)), queries[q]))
	})
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
