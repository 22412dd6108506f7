package link

import (
	"context"

	"cairn/engine/embed"
)

const (
	// batch is how many texts are embedded at a time.
	batch = 64
	// parallelBatch is how many, where several goroutines embed: some 3 ms of the
	// built-in embedder.
	parallelBatch = 1024
)

// embedAll embeds texts a batch at a time and gives put the vectors, in order, on
// the caller's goroutine. An embedder that can is used on all processors.
func embedAll(ctx context.Context, emb embed.Embedder, texts *dictionary, put func(from int, vectors [][]float32) error) error {
	from := 0
	next := func(vectors [][]float32) error {
		if err := put(from, vectors); err != nil {
			return err
		}
		from += len(vectors)
		return nil
	}
	if _, ok := emb.(embed.Parallel); ok {
		return inOrder(ctx, texts.size(), parallelBatch, func(ctx context.Context, from, to int) ([][]float32, error) {
			return emb.Embed(ctx, embed.Document, texts.between(from, to))
		}, next)
	}
	for from < texts.size() {
		vectors, err := emb.Embed(ctx, embed.Document, texts.between(from, min(from+batch, texts.size())))
		if err != nil {
			return err
		}
		if err := next(vectors); err != nil {
			return err
		}
	}
	return nil
}
