//go:build !windows

package index

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand" //nolint:depguard // coder/hnsw takes a generator of math/rand
	"slices"

	"github.com/coder/hnsw"

	"cairn/engine/internal/arrays"
	"cairn/engine/vec"
)

// Coder is an approximate index over coder/hnsw, which keeps copies of the vectors.
// It is safe for concurrent searches.
type Coder struct {
	graph *hnsw.Graph[uint32]
	dims  int
}

// coderDistance names the distance in files of coder/hnsw.
const coderDistance = "squared-l2" // orders as L2 does

func init() { hnsw.RegisterDistanceFunc(coderDistance, vec.SquaredL2) }

// NewCoder links the vectors of an exact index. coder/hnsw has no efConstruction: it
// links by the candidates of its searches. It returns the context's error where it is
// cancelled.
func NewCoder(ctx context.Context, exact Exact, o HNSWOptions) (*Coder, error) {
	o = o.withDefaults()
	g := &hnsw.Graph[uint32]{
		M: o.M, Ml: 1 / math.Log(float64(o.M)), EfSearch: o.EfConstruction,
		Distance: vec.SquaredL2, Rng: rand.New(rand.NewSource(int64(o.Seed))),
	}
	n := exact.Len()
	for i := range n {
		// The later ones take milliseconds each.
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if o.Progress != nil && i%100 == 0 {
			o.Progress(int64(i), int64(n))
		}
		row := make([]float32, exact.Dims())
		exact.Row(i, row)
		g.Add(hnsw.MakeNode(uint32(i), row))
	}
	if o.Progress != nil {
		o.Progress(int64(n), int64(n))
	}
	g.EfSearch = defaultEf
	return &Coder{graph: g, dims: exact.Dims()}, nil
}

// WithEf returns the same index with another number of candidates for searches.
func (c *Coder) WithEf(ef int) Near {
	g := *c.graph
	g.EfSearch = ef
	return &Coder{graph: &g, dims: c.dims}
}

// Len is the number of vectors.
func (c *Coder) Len() int { return c.graph.Len() }

// Nearest returns about the k nearest hits, nearest first, ties by id.
func (c *Coder) Nearest(ctx context.Context, query []float32, k int) ([]Hit, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	n := c.Len()
	if k = min(k, n); k <= 0 {
		return nil, nil
	}
	if len(query) != c.dims {
		return nil, wrongDims(n, query, c.dims)
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

// coderFormat is part of the tag of every file.
const coderFormat = "coder 1 "

// Save writes the graph to path, its vectors with it, whole or not at all.
func (c *Coder) Save(path, tag string) error {
	var b bytes.Buffer
	err := c.graph.Export(&b)
	if err == nil {
		err = arrays.Write(path, coderFormat+tag, b.Bytes())
	}
	if err != nil {
		return fmt.Errorf("save the links of %d vectors: %w", c.Len(), err)
	}
	return nil
}

// openCoder opens what Save wrote for the vectors of exact.
func openCoder(path, tag string, exact Exact) (*Coder, error) {
	c := &Coder{graph: &hnsw.Graph[uint32]{}, dims: exact.Dims()}
	err := arrays.Open(path, coderFormat+tag, func(sections [][]byte) error {
		if len(sections) != 1 {
			return arrays.ErrDamaged
		}
		if err := c.graph.Import(bytes.NewReader(sections[0])); err != nil {
			return fmt.Errorf("%w: %w", arrays.ErrDamaged, err)
		}
		if c.Len() != exact.Len() || c.Len() > 0 && c.graph.Dims() != c.dims {
			return arrays.ErrStale
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("open the links %s: %w", path, err)
	}
	return c, nil
}
