//go:build !windows

package bench

import (
	"context"

	"cairn/engine/index"
)

// hasCoder says that coder/hnsw compiles on this system.
const hasCoder = true

// coder measures coder/hnsw, which keeps its own copies of the vectors.
func (b *indexBench) coder(ctx context.Context) (IndexPeer, error) {
	limited, cancel := context.WithTimeout(ctx, b.o.Limit)
	defer cancel()
	var p IndexPeer
	flat := index.NewFlat(b.v)
	var c *index.Coder
	var err error
	p.Memory = b.hold(&p, func() {
		c, err = index.NewCoder(limited, flat, index.HNSWOptions{M: b.o.M, EfConstruction: b.o.EfConstruction, Progress: func(done, total int64) {
			p.Linked = int(done)
			b.o.Progress("coder: link", done, total)
		}})
	})
	if cut := b.cut(ctx, err, &p); cut || err != nil {
		return p, b.unlessCut(cut, err)
	}
	p.Linked = b.v.Len()
	return p, b.approximate(ctx, peerCoder, &p, flat, func(ef int) index.Index { return c.WithEf(ef) })
}
