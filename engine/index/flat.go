package index

import (
	"context"
	"math"
	"sync/atomic"

	"cairn/engine/vec"
	"cairn/internal/guard"
	"cairn/internal/wording"
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

const (
	// codedFrom is the number of vectors from which codes pay: below it, one
	// pass over the numbers themselves is as fast.
	codedFrom = 2 * tile
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
	_ = guard.Each(context.Background(), len(codes.blocks), func(b int) {
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
	return first(f.NearestAll(ctx, [][]float32{query}, k))
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
	return f.scan(ctx, queries, k)
}

// codedScan computes the distances that the bounds leave in question.
func (f *Flat) codedScan(ctx context.Context, queries [][]float32, k int) ([][]Hit, error) {
	coded := wording.Each(queries, vec.NewQuery)
	found, err := f.codes.gather(ctx, coded, k)
	if err != nil {
		return nil, err
	}
	return f.nearest(ctx, found, queries, k)
}

// scan computes every distance.
func (f *Flat) scan(ctx context.Context, queries [][]float32, k int) ([][]Hit, error) {
	all := make([]candidate, f.Len())
	for i := range all {
		all[i].row = uint32(i)
	}
	found := make([][]candidate, len(queries))
	for q := range found {
		found[q] = all
	}
	return f.nearest(ctx, found, queries, k)
}

func (f *Flat) nearest(ctx context.Context, found [][]candidate, queries [][]float32, k int) ([][]Hit, error) {
	return nearest(ctx, found, k, func(q int, c candidate) float32 { return f.distance(c.row, queries[q], nil) })
}

func root(square float32) float32 { return float32(math.Sqrt(float64(square))) }
