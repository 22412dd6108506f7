package ingest

import (
	"context"
	"fmt"
	"io"

	"cairn/engine/kg"
)

// Stream imports text that is no file; name is what provenance will call it.
func Stream(ctx context.Context, st *kg.Store, name string, r io.ReadSeeker, size int64, o Options, ev *Events) (Report, error) {
	src := &source{name: name, file: name, begin: fromStart(r), size: size, closer: func() error { return nil }}
	fs := &fileSet{}
	o.setDefaults()
	if err := fs.add(ctx, src, &o); err != nil {
		return Report{File: name}, err
	}
	return importFiles(ctx, st, fs, o, ev)
}

// Check returns an error where the counts do not add up, which would be a
// mistake of this program.
func (r Report) Check() error {
	if r.Used+r.Rejected+r.Skipped != r.Read || r.Named+r.Unknown > r.Skipped || r.Added+r.Duplicate < r.Used {
		return fmt.Errorf("import of %s does not add up: %v (of the skipped named %d, unknown %d)", r.File, r, r.Named, r.Unknown)
	}
	return nil
}
