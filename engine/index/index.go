// Package index finds the nearest vectors.
//
//	Index   what every implementation does
//	Flat    exact, of vectors in memory; the reference
//	Scan    exact, of millions of vectors as codes, in memory or in a file
//	HNSW    approximate, a graph of neighbours; serves only where Probe admits it
//	Build   picks between them for the vectors at hand
package index

import (
	"cmp"
	"context"
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

// compareHits orders hits by distance, then by id.
func compareHits(a, b Hit) int {
	return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.ID, b.ID))
}
