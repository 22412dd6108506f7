package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
)

// Near is an approximate index: a graph of neighbours. Nothing uses one that Probe
// has not admitted.
type Near interface {
	Index
	// WithEf returns the same index with another number of candidates for searches:
	// more find more, and take longer.
	WithEf(ef int) Near
	// Save writes the graph to path, whole or not at all; tag says which vectors it
	// links.
	Save(path, tag string) error
}

// Kind names a Near for whoever chooses one.
type Kind string

// The kinds.
const (
	KindHNSW  Kind = "hnsw"       // our own
	KindCoder Kind = "coder-hnsw" // coder/hnsw, where it compiles
)

// NewNear links the vectors of an exact index.
func NewNear(ctx context.Context, kind Kind, exact Exact, o HNSWOptions) (Near, error) {
	switch kind {
	case KindHNSW:
		return NewHNSW(ctx, exact, o)
	case KindCoder:
		return NewCoder(ctx, exact, o)
	}
	return nil, fmt.Errorf("unknown kind of index %q", kind)
}

// OpenNear opens what Save wrote, of whichever kind. The errors are those of OpenHNSW.
func OpenNear(path, tag string, exact Exact) (Near, error) {
	h, err := OpenHNSW(path, tag, exact)
	if err == nil {
		return h, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	c, other := openCoder(path, tag, exact)
	if other != nil {
		return nil, errors.Join(err, other)
	}
	return c, nil
}

// Mixed looks for few vectors in a graph of neighbours, and for many by a scan: the
// more are asked for, the longer a graph takes and the more of them it misses.
type Mixed struct {
	near  Near
	exact Exact
}

const (
	// mixedUpTo is the most that a graph is asked for: Probe looks at 16.
	mixedUpTo = 64
	// efOfK is how many candidates a search keeps for each hit, as in the SimGRAG
	// paper (C.1).
	efOfK = 8
)

// NewMixed returns an index of the vectors of exact, which near links.
func NewMixed(near Near, exact Exact) *Mixed { return &Mixed{near, exact} }

// Len is the number of vectors.
func (m *Mixed) Len() int { return m.exact.Len() }

// Nearest returns the k nearest hits, nearest first, ties by id; where k is small,
// about those.
func (m *Mixed) Nearest(ctx context.Context, query []float32, k int) ([]Hit, error) {
	if k > mixedUpTo {
		return m.exact.Nearest(ctx, query, k)
	}
	return m.near.WithEf(max(defaultEf, efOfK*k)).Nearest(ctx, query, k)
}

// NearestAll returns for each query what Nearest does.
func (m *Mixed) NearestAll(ctx context.Context, queries [][]float32, k int) ([][]Hit, error) {
	if k > mixedUpTo {
		return m.exact.NearestAll(ctx, queries, k)
	}
	out := make([][]Hit, len(queries))
	for i, q := range queries {
		var err error
		if out[i], err = m.Nearest(ctx, q, k); err != nil {
			return nil, err
		}
	}
	return out, nil
}

const (
	// MinRecall is the share of the nearest 16 that an approximate index must find to
	// be admitted.
	MinRecall = 0.98
	// probes is how many of the indexed vectors Probe searches for.
	probes = 100
	// probedFor is how many hits of each are compared: what a name is linked by. A
	// graph that finds the nearest 16 may miss many of the nearest 1,000.
	probedFor = 16
)

// Probe measures how many of the true nearest vectors an index finds: the mean
// share, over a sample of slightly moved vectors of exact itself, of the 16 nearest
// that are also among idx's 16. A vector as near as the last true hit counts, because
// ties are no one's fault. 1 is an exact index; no vectors give 1.
func Probe(ctx context.Context, idx Index, exact Exact) (recall float64, err error) {
	if exact.Len() == 0 {
		return 1, nil
	}
	rng := rand.New(rand.NewPCG(0, 1))
	query := make([]float32, exact.Dims())
	for range probes {
		exact.Row(rng.IntN(exact.Len()), query)
		for i, x := range query {
			query[i] = x + 0.02*float32(rng.NormFloat64()) // a misspelling away, not the vector itself
		}
		want, err := exact.Nearest(ctx, query, probedFor)
		if err != nil {
			return 0, fmt.Errorf("probe the exact index: %w", err)
		}
		got, err := idx.Nearest(ctx, query, probedFor)
		if err != nil {
			return 0, fmt.Errorf("probe the index: %w", err)
		}
		found := 0
		for _, h := range got {
			if h.Distance <= want[len(want)-1].Distance {
				found++
			}
		}
		recall += min(1, float64(found)/float64(len(want)))
	}
	return recall / probes, nil
}
