package index

import (
	"context"
	"fmt"
	"math/rand/v2"
)

// ProbeOptions configure Probe. The zero value means the defaults.
type ProbeOptions struct {
	// Queries is how many of the indexed vectors are searched for.
	//
	// The default value is 100.
	Queries int
	// K is how many hits of each are compared: as many as will be asked for. A
	// graph that finds the nearest 16 may miss many of the nearest 1,000.
	//
	// The default value is 16, what a name is linked by.
	K int
	// Seed seeds the choice of vectors.
	//
	// The default value is 0.
	Seed uint64
}

// Probe measures how many of the true nearest vectors an index finds: the mean
// share, over a sample of slightly moved vectors of exact itself, of the K nearest
// that are also among idx's K. A vector as near as the last true hit counts, because
// ties are no one's fault. 1 is an exact index; no vectors give 1.
func Probe(ctx context.Context, idx Index, exact Exact, o ProbeOptions) (recall float64, err error) {
	if o.Queries == 0 {
		o.Queries = 100
	}
	if o.K == 0 {
		o.K = 16
	}
	if exact.Len() == 0 {
		return 1, nil
	}
	rng := rand.New(rand.NewPCG(o.Seed, 1))
	query := make([]float32, exact.Dims())
	for range o.Queries {
		exact.Row(rng.IntN(exact.Len()), query)
		for i, x := range query {
			query[i] = x + 0.02*float32(rng.NormFloat64()) // a misspelling away, not the vector itself
		}
		want, err := exact.Nearest(ctx, query, o.K)
		if err != nil {
			return 0, fmt.Errorf("probe the exact index: %w", err)
		}
		got, err := idx.Nearest(ctx, query, o.K)
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
	return recall / float64(o.Queries), nil
}
