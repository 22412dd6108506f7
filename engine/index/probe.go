package index

import (
	"context"
	"fmt"
	"math/rand/v2"
)

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
