// Package index finds the nearest vectors.
//
//	Index   what every implementation does
//	Flat    exact: compares the query with every vector; the reference
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

// Index finds nearest vectors; its implementations are Flat, which is exact,
// and approximate ones that passed Probe.
type Index interface {
	// Nearest returns the k nearest hits, nearest first, ties by id.
	Nearest(ctx context.Context, query []float32, k int) ([]Hit, error)
	// Len is the number of vectors.
	Len() int
}

// compareHits orders hits by distance, then by id.
func compareHits(a, b Hit) int {
	return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.ID, b.ID))
}
