package index

import (
	"context"
	"fmt"
	"log/slog"
)

// Options configure Build. The zero value means the defaults.
type Options struct {
	// HNSWFrom is the number of vectors from which an approximate index is
	// tried; below it the exact scan is fast enough. Negative means never.
	//
	// The default value is 300,000: an exact search of 256 dimensions then
	// takes about 10 ms on two cores.
	HNSWFrom int
	// MinRecall is the recall@10 that an approximate index must reach in the
	// probe on these very vectors.
	//
	// The default value is 0.95.
	MinRecall float64
	// HNSW configures the approximate index.
	HNSW HNSWOptions
	// Logger is told what was chosen and why.
	//
	// The default value logs nothing.
	Logger *slog.Logger
}

// Build returns an index of v, which it keeps and which must not change: an
// approximate one where there are many vectors and the probe admits it, the
// exact one otherwise. It returns the context's error where it is cancelled.
func Build(ctx context.Context, v Vectors, o Options) (Index, error) {
	if o.HNSWFrom == 0 {
		o.HNSWFrom = 300_000
	}
	if o.MinRecall == 0 {
		o.MinRecall = 0.95
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	flat := NewFlat(v)
	if o.HNSWFrom < 0 || flat.Len() < o.HNSWFrom {
		return flat, nil
	}
	// A graph that fails on a few of the vectors is not worth the minutes that
	// it takes to build it on all of them.
	few := NewFlat(sample(v, sampleSize))
	for _, f := range []*Flat{few, flat} {
		idx, err := NewHNSW(ctx, f.v, o.HNSW)
		if err != nil {
			return nil, fmt.Errorf("index %d vectors: %w", f.Len(), err)
		}
		recall, err := Probe(ctx, idx, f, ProbeOptions{})
		if err != nil {
			return nil, fmt.Errorf("index %d vectors: %w", f.Len(), err)
		}
		o.Logger.DebugContext(ctx, "approximate index probed",
			slog.Int("vectors", f.Len()), slog.Float64("recall", recall), slog.Float64("min_recall", o.MinRecall))
		switch {
		case recall < o.MinRecall:
			return flat, nil
		case f == flat:
			return idx, nil
		}
	}
	return flat, nil
}

// sampleSize is how many vectors the first probe looks at; at 2,000 the known
// fault of coder/hnsw v0.6.1 shows plainly.
const sampleSize = 2000

// sample returns about n of the vectors, evenly spaced.
func sample(v Vectors, n int) Vectors {
	step := max(1, v.Len()/n)
	few := Vectors{Dims: v.Dims}
	for i := 0; i < v.Len(); i += step {
		few.Rows = append(few.Rows, v.Row(i)...)
	}
	return few
}
