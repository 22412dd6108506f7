//go:build !windows

package bench

import (
	"context"

	"cairn/engine/index"
)

// hasCoder says that coder/hnsw compiles on this system.
const hasCoder = true

// coder measures coder/hnsw. It has no efConstruction: it links by the ef of its
// searches.
func (b *indexBench) coder(ctx context.Context) (IndexPeer, error) {
	limited, cancel := context.WithTimeout(ctx, b.o.Limit)
	defer cancel()
	var p IndexPeer
	var c *index.Coder
	var err error
	p.Memory = b.hold(&p, func() {
		c, err = index.NewCoder(limited, b.v, index.CoderOptions{M: b.o.M, Ef: b.o.EfConstruction, Progress: func(done, total int64) {
			p.Linked = int(done)
			b.o.Progress("coder: link", done, total)
		}})
	}) + int64(4*len(b.v.Rows))
	if cut := b.cut(ctx, err, &p); cut || err != nil {
		return p, b.unlessCut(cut, err)
	}
	p.Linked = b.v.Len()
	return p, b.approximate(ctx, peerCoder, &p, index.NewFlat(b.v), func(ef int) index.Index { return c.WithEf(ef) })
}
