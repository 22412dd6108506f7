package index

import (
	"context"
	"fmt"
	"math"
	"math/rand" //nolint:depguard // coder/hnsw takes a generator of math/rand
	"slices"

	"github.com/coder/hnsw"

	"cairn/engine/vec"
)

// HNSWOptions configure HNSW. The zero value means the defaults.
type HNSWOptions struct {
	// M is how many neighbours a vector keeps in a layer.
	//
	// The default value is 16, that of coder/hnsw.
	M int
	// Ef is how many candidates a search keeps.
	//
	// The default value is 100.
	Ef int
	// Seed seeds the choice of layers.
	//
	// The default value is 0.
	Seed int64
}

// HNSW is an approximate index over coder/hnsw. Nothing uses one that Probe has
// not admitted. It is safe for concurrent searches.
type HNSW struct {
	v     Vectors
	graph *hnsw.Graph[uint32]
}

// NewHNSW returns an approximate index of v, which it keeps and which must not
// change. It returns the context's error where it is cancelled.
func NewHNSW(ctx context.Context, v Vectors, o HNSWOptions) (*HNSW, error) {
	if o.M == 0 {
		o.M = 16
	}
	if o.Ef == 0 {
		o.Ef = 100
	}
	g := &hnsw.Graph[uint32]{
		M: o.M, Ml: 1 / math.Log(float64(o.M)), EfSearch: o.Ef,
		Distance: vec.SquaredL2, // orders as L2 does
		Rng:      rand.New(rand.NewSource(o.Seed)),
	}
	for i := range v.Len() {
		if i%block == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		g.Add(hnsw.MakeNode(uint32(i), v.Row(i)))
	}
	return &HNSW{v: v, graph: g}, nil
}

// Len is the number of vectors.
func (h *HNSW) Len() int { return h.v.Len() }

// Nearest returns about the k nearest hits, nearest first, ties by id.
func (h *HNSW) Nearest(ctx context.Context, query []float32, k int) ([]Hit, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	n := h.Len()
	if k = min(k, n); k <= 0 {
		return nil, nil
	}
	if len(query) != h.v.Dims {
		return nil, fmt.Errorf("search %d vectors: the query has %d dimensions, the vectors have %d", n, len(query), h.v.Dims)
	}
	var hits []Hit
	// coder/hnsw keeps no more results than it is asked for while it searches.
	for _, node := range h.graph.Search(query, max(k, h.graph.EfSearch)) {
		hits = append(hits, Hit{ID: node.Key, Distance: root(vec.SquaredL2(node.Value, query))})
	}
	hits = finish(hits, len(hits))
	hits = slices.CompactFunc(hits, func(a, b Hit) bool { return a.ID == b.ID })
	return hits[:min(k, len(hits))], nil
}
