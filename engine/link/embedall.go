package link

import (
	"context"
	"runtime"
	"sync"

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
func embedAll(ctx context.Context, emb embed.Embedder, texts []string, put func(from int, vectors [][]float32) error) error {
	if _, ok := emb.(embed.Parallel); ok && len(texts) > parallelBatch {
		return embedParallel(ctx, emb, texts, put)
	}
	for from := 0; from < len(texts); from += batch {
		vectors, err := emb.Embed(ctx, embed.Document, texts[from:min(from+batch, len(texts))])
		if err != nil {
			return err
		}
		if err := put(from, vectors); err != nil {
			return err
		}
	}
	return nil
}

// embedded is one batch: what came of it is sent once.
type embedded struct {
	from   int
	result chan embeddedResult
}

type embeddedResult struct {
	vectors [][]float32
	err     error
}

func embedParallel(ctx context.Context, emb embed.Embedder, texts []string, put func(from int, vectors [][]float32) error) error {
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	workers := runtime.GOMAXPROCS(0)
	// Batches are taken from todo in any order, and put in that of order. Both
	// hold few, so that the vectors of few wait.
	todo, order := make(chan embedded), make(chan embedded, 2*workers)
	wg.Go(func() {
		defer close(todo)
		defer close(order)
		for from := 0; from < len(texts); from += parallelBatch {
			b := embedded{from, make(chan embeddedResult, 1)}
			select {
			case order <- b:
			case <-ctx.Done():
				return
			}
			select {
			case todo <- b:
			case <-ctx.Done():
				b.result <- embeddedResult{err: ctx.Err()}
				return
			}
		}
	})
	for range workers {
		wg.Go(func() {
			for b := range todo {
				vectors, err := emb.Embed(ctx, embed.Document, texts[b.from:min(b.from+parallelBatch, len(texts))])
				b.result <- embeddedResult{vectors, err}
			}
		})
	}
	for b := range order {
		r := <-b.result
		if r.err != nil {
			return r.err
		}
		if err := put(b.from, r.vectors); err != nil {
			return err
		}
	}
	return ctx.Err()
}
