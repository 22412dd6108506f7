package index

import "context"

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
