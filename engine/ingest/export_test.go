package ingest

import (
	"context"
	"fmt"
	"io"

	"cairn/engine/kg"
)

// Stream imports text that is no file; name is what provenance will call it.
func Stream(ctx context.Context, st *kg.Store, name string, r io.ReadSeeker, size int64, o Options, ev *Events) (Report, error) {
	return importSource(ctx, st, &source{name: name, file: name, r: r, size: size, closer: func() error { return nil }}, o, ev)
}

// Check returns an error where the counts do not add up, which would be a
// mistake of this program.
func (r Report) Check() error {
	if sum := r.Added + r.Duplicate + r.Rejected + r.Skipped; sum != r.Read || r.Named+r.Unknown > r.Skipped {
		return fmt.Errorf("import of %s: read %d lines, but accounted for %d (added %d, duplicate %d, rejected %d, skipped %d, of these named %d, unknown %d)",
			r.File, r.Read, sum, r.Added, r.Duplicate, r.Rejected, r.Skipped, r.Named, r.Unknown)
	}
	return nil
}
