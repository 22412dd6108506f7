//go:build !windows

// coder/hnsw v0.6.1 does not compile on Windows: it saves files by a package that
// is empty there.

package index

import (
	"context"
	"math"
	"math/rand" //nolint:depguard // coder/hnsw takes a generator of math/rand
	"slices"

	"github.com/coder/hnsw"

	"cairn/engine/vec"
)

// CoderOptions configure NewCoder. The zero value means the defaults.
type CoderOptions struct {
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
	// Progress, which may be nil, is told how many vectors are in the graph and
	// how many there are, on the caller's goroutine.
	Progress func(done, total int64)
}

// Coder is an approximate index over coder/hnsw. Nothing uses one that Probe has
// not admitted. It is safe for concurrent searches.
type Coder struct {
	v     Vectors
	graph *hnsw.Graph[uint32]
}

// NewCoder returns an approximate index of v, which it keeps and which must not
// change. It returns the context's error where it is cancelled.
func NewCoder(ctx context.Context, v Vectors, o CoderOptions) (*Coder, error) {
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
		// The later ones take milliseconds each.
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if o.Progress != nil && i%100 == 0 {
			o.Progress(int64(i), int64(v.Len()))
		}
		g.Add(hnsw.MakeNode(uint32(i), v.Row(i)))
	}
	return &Coder{v: v, graph: g}, nil
}

// WithEf returns the same index with another number of candidates for searches.
func (c *Coder) WithEf(ef int) *Coder {
	g := *c.graph
	g.EfSearch = ef
	return &Coder{v: c.v, graph: &g}
}

// Len is the number of vectors.
func (c *Coder) Len() int { return c.v.Len() }

// Nearest returns about the k nearest hits, nearest first, ties by id.
func (c *Coder) Nearest(ctx context.Context, query []float32, k int) ([]Hit, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	n := c.Len()
	if k = min(k, n); k <= 0 {
		return nil, nil
	}
	if len(query) != c.v.Dims {
		return nil, wrongDims(n, query, c.v.Dims)
	}
	var hits []Hit
	// coder/hnsw keeps no more results than it is asked for while it searches.
	for _, node := range c.graph.Search(query, max(k, c.graph.EfSearch)) {
		hits = append(hits, Hit{ID: node.Key, Distance: root(vec.SquaredL2(node.Value, query))})
	}
	hits = finish(hits, len(hits))
	hits = slices.CompactFunc(hits, func(a, b Hit) bool { return a.ID == b.ID })
	return hits[:min(k, len(hits))], nil
}
