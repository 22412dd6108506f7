package link

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"cairn/engine/index"
)

// ErrFewNames is returned where names are too few to be kept in files: a scan of
// them takes a few milliseconds.
var ErrFewNames = errors.New("the graph has so few names that an index would not help")

// NameIndex is what IndexNames made.
type NameIndex struct {
	Kind  index.Kind    `json:"kind"`
	Names int           `json:"names"`
	Took  time.Duration `json:"took"`
	// Recall is the share of the nearest 16 that is found (index.Probe); Kept says
	// that this is enough to be used from the next opening on.
	Recall float64 `json:"recall"`
	Kept   bool    `json:"kept"`
	Bytes  int64   `json:"bytes"` // of the file
	// Scan and Search are how long it takes to find the nearest 16 of a name among
	// all, and by the links.
	Scan   time.Duration `json:"scan"`
	Search time.Duration `json:"search"`
}

// IndexNames links near names, by an index of a kind, and keeps the links beside the vectors:
// from the next opening on, few names are found by them, in a hundredth of the time
// and not quite exactly, and many still by a scan. Links that the probe does not
// admit are not kept. It takes minutes a million names and is never done unasked.
func (v *Vocabulary) IndexNames(ctx context.Context, kind index.Kind, o index.HNSWOptions) (*NameIndex, error) {
	n := v.entities
	if n.filed == nil {
		return nil, ErrFewNames
	}
	began := time.Now()
	near, err := index.NewNear(ctx, kind, n.scan, o)
	if err != nil {
		return nil, fmt.Errorf("index the names: %w", err)
	}
	made := &NameIndex{Kind: kind, Names: n.scan.Len(), Took: time.Since(began)}
	if made.Recall, err = index.Probe(ctx, near, n.scan); err != nil {
		return nil, fmt.Errorf("index the names: %w", err)
	}
	if made.Scan, err = lookUp(ctx, n.scan, n.scan); err != nil {
		return nil, err
	}
	if made.Search, err = lookUp(ctx, near, n.scan); err != nil {
		return nil, err
	}
	if made.Recall < index.MinRecall {
		return made, nil
	}
	if err := near.Save(n.filed.links, n.filed.tag); err != nil {
		return nil, fmt.Errorf("save the index of the names: %w", err)
	}
	info, err := os.Stat(n.filed.links)
	if err != nil {
		return nil, err
	}
	made.Kept, made.Bytes = true, info.Size()
	return made, nil
}

// lookUp returns how long idx takes to find the nearest 16 of a name, on average.
func lookUp(ctx context.Context, idx index.Index, names *index.Scan) (time.Duration, error) {
	const some, k = 20, 16
	query := make([]float32, names.Dims())
	began := time.Now()
	for i := range some {
		names.Row(i*(names.Len()-1)/some, query)
		if _, err := idx.Nearest(ctx, query, k); err != nil {
			return 0, err
		}
	}
	return time.Since(began) / some, nil
}

// DropNameIndex removes what IndexNames kept, and reports whether there was anything.
func (v *Vocabulary) DropNameIndex() (bool, error) {
	if v.entities.filed == nil {
		return false, nil
	}
	err := os.Remove(v.entities.filed.links)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
