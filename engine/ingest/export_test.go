package ingest

import (
	"context"
	"io"

	"cairn/engine/kg"
)

// Stream imports text that is no file; name is what provenance will call it.
func Stream(ctx context.Context, st *kg.Store, name string, r io.ReadSeeker, size int64, o Options, ev *Events) (Report, error) {
	return importSource(ctx, st, &source{name: name, file: name, r: r, size: size, closer: func() error { return nil }}, o, ev)
}
