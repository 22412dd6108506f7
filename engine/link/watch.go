package link

import (
	"context"
	"sync/atomic"
)

// Watch notes, for one question, how its texts were looked up. Once an embedder
// has failed, the vocabulary behind it answers the whole rest of the question,
// because distances of two embedders do not add up. It is safe for concurrent
// use; a nil *Watch notes nothing.
type Watch struct {
	lookups atomic.Int64
	err     atomic.Pointer[error]
}

// Lookups is how many texts were looked up by their vectors.
func (w *Watch) Lookups() int {
	if w == nil {
		return 0
	}
	return int(w.lookups.Load())
}

// Err is why the embedder failed, the first time; nil where it did not.
func (w *Watch) Err() error {
	if w == nil {
		return nil
	}
	if err := w.err.Load(); err != nil {
		return *err
	}
	return nil
}

func (w *Watch) looked(texts int) {
	if w != nil {
		w.lookups.Add(int64(texts))
	}
}

func (w *Watch) failed(err error) {
	if w != nil {
		w.err.CompareAndSwap(nil, &err)
	}
}

type watchKey struct{}

// WithWatch returns a context in which vocabularies note what they do in w.
func WithWatch(ctx context.Context, w *Watch) context.Context {
	return context.WithValue(ctx, watchKey{}, w)
}

func watchOf(ctx context.Context) *Watch {
	w, _ := ctx.Value(watchKey{}).(*Watch)
	return w
}
