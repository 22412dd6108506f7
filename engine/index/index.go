// Package index finds the nearest vectors.
package index

import "context"

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
