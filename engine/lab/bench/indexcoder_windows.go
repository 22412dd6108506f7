package bench

import (
	"context"
	"errors"
)

// hasCoder says that coder/hnsw compiles on this system.
const hasCoder = false

func (b *indexBench) coder(context.Context) (IndexPeer, error) {
	return IndexPeer{}, errors.New("coder/hnsw does not compile on Windows")
}
