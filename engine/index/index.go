// Package index finds the nearest vectors.
//
//	Index   what every implementation does
//	Flat    exact, of vectors in memory; the reference
//	Scan    exact, of millions of vectors as codes, in memory or in a file
//	Near    approximate, a graph of neighbours; serves only where Probe admits it
//	HNSW    our own Near
//	Coder   a Near by coder/hnsw
//	Mixed   a Near for few hits, an exact index for more
package index

import (
	"cmp"
	"context"
	"slices"

	"cairn/engine/vec"
)

// Hit is one answer of an index: the id of a vector and its L2 distance to the
// query, lower is closer.
type Hit struct {
	ID       uint32
	Distance float32
}

// Index finds nearest vectors; its implementations are Flat and Scan, which are
// exact, and approximate ones that passed Probe.
type Index interface {
	// Nearest returns the k nearest hits, nearest first, ties by id.
	Nearest(ctx context.Context, query []float32, k int) ([]Hit, error)
	// Len is the number of vectors.
	Len() int
}

// Batch is an Index that answers several queries faster together than one after
// the other; those that scan all vectors do.
type Batch interface {
	Index
	// NearestAll returns for each query what Nearest does.
	NearestAll(ctx context.Context, queries [][]float32, k int) ([][]Hit, error)
}

// Exact is an index that misses nothing and shows its vectors: Flat or Scan.
type Exact interface {
	Batch
	// Dims is the number of dimensions, D.
	Dims() int
	// Row writes vector i, or what stands for it, to dst (D).
	Row(i int, dst []float32)
	// coded returns codes of the vectors, if they can be coded.
	coded() (codes rows, ok bool)
	// distance is that of vector i in hits of query, which coded holds too.
	distance(i uint32, query []float32, coded *vec.Query) float32
}

// first returns the hits of the first query.
func first(hits [][]Hit, err error) ([]Hit, error) {
	if err != nil {
		return nil, err
	}
	return hits[0], nil
}

// compareHits orders hits by distance, then by id.
func compareHits(a, b Hit) int {
	return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.ID, b.ID))
}

// finish sorts hits and keeps k.
func finish(hits []Hit, k int) []Hit {
	slices.SortFunc(hits, compareHits)
	return hits[:min(k, len(hits))]
}
