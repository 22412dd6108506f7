package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// Near is an approximate index: a graph of neighbours. Nothing uses one that Probe
// has not admitted.
type Near interface {
	Index
	// WithEf returns the same index with another number of candidates for searches:
	// more find more, and take longer.
	WithEf(ef int) Near
	// Save writes the graph to path, whole or not at all; tag says which vectors it
	// links.
	Save(path, tag string) error
}

// Kind names a Near for whoever chooses one.
type Kind string

// The kinds.
const (
	KindHNSW  Kind = "hnsw"       // our own
	KindCoder Kind = "coder-hnsw" // coder/hnsw, where it compiles
)

// NewNear links the vectors of an exact index.
func NewNear(ctx context.Context, kind Kind, exact Exact, o HNSWOptions) (Near, error) {
	switch kind {
	case KindHNSW:
		return NewHNSW(ctx, exact, o)
	case KindCoder:
		return NewCoder(ctx, exact, o)
	}
	return nil, fmt.Errorf("no index of the kind %q is known", kind)
}

// OpenNear opens what Save wrote, of whichever kind. The errors are those of OpenHNSW.
func OpenNear(path, tag string, exact Exact) (Near, error) {
	h, err := OpenHNSW(path, tag, exact)
	if err == nil {
		return h, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	c, other := openCoder(path, tag, exact)
	if other != nil {
		return nil, errors.Join(err, other)
	}
	return c, nil
}
