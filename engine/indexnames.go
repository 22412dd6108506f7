package engine

import (
	"context"
	"errors"
	"fmt"

	"cairn/engine/index"
	"cairn/engine/link"
)

// IndexNames links near names of a large graph, so that few are found by the links
// from the next opening on: faster than by a scan, and not quite exactly. It is only
// done on request, takes minutes a million names, and keeps nothing that
// index.Probe does not admit; see link.Vocabulary.IndexNames. The error is
// link.ErrFewNames for a graph that does not need it.
func (e *Engine) IndexNames(ctx context.Context, kind index.Kind, o index.HNSWOptions, ev *Events) (*link.NameIndex, error) {
	v, err := e.Vocabulary(ctx, ev)
	if err != nil {
		return nil, err
	}
	o.Progress = ev.progress("link the names")
	made, err := v.IndexNames(ctx, kind, o)
	if err != nil && !errors.Is(err, link.ErrFewNames) {
		return nil, fmt.Errorf("index the names of the graph: %w", err)
	}
	return made, err
}

// DropNameIndex removes what IndexNames kept, and reports whether there was anything.
func (e *Engine) DropNameIndex(ctx context.Context, ev *Events) (bool, error) {
	v, err := e.Vocabulary(ctx, ev)
	if err != nil {
		return false, err
	}
	return v.DropNameIndex()
}
