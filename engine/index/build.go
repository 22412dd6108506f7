package index

import (
	"context"
	"fmt"
	"log/slog"
)

// MinRecall is the share of the nearest 16 that an approximate index must find to
// be admitted.
const MinRecall = 0.98

// Options configure Build. The zero value means the exact index.
type Options struct {
	// Approximate asks for an HNSW where the probe admits one. The exact scan is
	// fast enough for most graphs, and no graph is linked without being asked for:
	// that takes minutes a million vectors.
	Approximate bool
	// MinRecall is the share of the nearest 16 that an approximate index must find
	// in the probe on these very vectors.
	//
	// The default value is MinRecall.
	MinRecall float64
	// HNSW configures the approximate index.
	HNSW HNSWOptions
	// Logger is told what was chosen and why.
	//
	// The default value logs nothing.
	Logger *slog.Logger
}

// Build returns an index of v, which it keeps and which must not change: the exact
// one, or an approximate one where that is asked for and admitted. It returns the
// context's error where it is cancelled.
func Build(ctx context.Context, v Vectors, o Options) (Index, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	flat := NewFlat(v)
	if !o.Approximate {
		return flat, nil
	}
	h, err := NewHNSW(ctx, flat, o.HNSW)
	if err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	return Admit(ctx, h, flat, o)
}

// Admit returns idx if the probe admits it, and exact if not. o.MinRecall and
// o.Logger are heeded.
func Admit(ctx context.Context, idx Index, exact Exact, o Options) (Index, error) {
	if o.MinRecall == 0 {
		o.MinRecall = MinRecall
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	recall, err := Probe(ctx, idx, exact, ProbeOptions{})
	if err != nil {
		return nil, fmt.Errorf("index %d vectors: %w", exact.Len(), err)
	}
	o.Logger.DebugContext(ctx, "approximate index probed",
		slog.Int("vectors", exact.Len()), slog.Float64("recall", recall), slog.Float64("min_recall", o.MinRecall))
	if recall < o.MinRecall {
		return exact, nil
	}
	return idx, nil
}
