package bench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"cairn/engine"
	"cairn/engine/embed"
	"cairn/engine/kg"
	"cairn/engine/retrieve/simgrag"
)

// World is a graph that is open, and what its names are looked up in.
type World struct {
	Graph      *kg.Graph
	Vocabulary simgrag.Vocabulary
	// Embedder is the vocabulary's, so that its time can be told apart.
	Embedder embed.Embedder
	// Entity returns the entity with a key.
	Entity func(ctx context.Context, key string) (kg.EntityID, bool, error)
	// Opened is how long the parts of opening took.
	Opened Opening

	engine *engine.Engine // nil for a graph in memory
	store  *kg.Store      // of Entity
}

// Opening is how long the parts of opening a graph took.
type Opening struct {
	Graph time.Duration `json:"graph"` // the file and its adjacency; of a small graph the names as well
	Names time.Duration `json:"names"` // the vectors of the names
}

// Total is the whole of it.
func (o Opening) Total() time.Duration { return o.Graph + o.Names }

// Close closes the graph's file.
func (w *World) Close() error {
	if w.engine == nil {
		return nil
	}
	return errors.Join(w.store.Close(), w.engine.Close())
}

// OpenWorld opens the .cairn file at path as questions do. progress may be nil.
func OpenWorld(ctx context.Context, path string, progress func(task string, done, total int64)) (*World, error) {
	ev := &engine.Events{Progress: progress}
	began := time.Now()
	e, err := engine.Open(ctx, path, engine.Options{}, ev)
	if err != nil {
		return nil, err
	}
	graphed := time.Now()
	v, err := e.Vocabulary(ctx, ev)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the names of %s: %w", path, err), e.Close())
	}
	opened := Opening{Graph: graphed.Sub(began), Names: time.Since(graphed)}
	st, err := kg.OpenStore(ctx, path)
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return &World{Graph: e.Graph(), Vocabulary: v, Embedder: v.Embedder(), Entity: st.EntityID, Opened: opened, engine: e, store: st}, nil
}

// sizeOnDisk returns the bytes of the file at path, and of the folder beside it
// that holds what can be made again; 0 for what is not there.
func sizeOnDisk(path string) (file, cache int64) {
	if st, err := os.Stat(path); err == nil {
		file = st.Size()
	}
	// What cannot be read is not counted.
	_ = filepath.WalkDir(path+".d", func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				cache += info.Size()
			}
		}
		return nil
	})
	return file, cache
}
