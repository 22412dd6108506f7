package bench

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"cairn/engine/embed"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/simgrag"
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

	store *kg.Store // nil for a graph in memory
}

// Opening is how long the parts of opening a graph took.
type Opening struct {
	Graph time.Duration `json:"graph"` // the file and its adjacency
	Names time.Duration `json:"names"` // the vocabulary
}

// Total is the whole of it.
func (o Opening) Total() time.Duration { return o.Graph + o.Names }

// Close closes the graph's file.
func (w *World) Close() error {
	if w.store == nil {
		return nil
	}
	return w.store.Close()
}

// OpenWorld opens the .cairn file at path. progress may be nil.
func OpenWorld(ctx context.Context, path string, progress func(task string, done, total int64)) (w *World, err error) {
	began := time.Now()
	st, err := kg.OpenStore(ctx, path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			st.Close()
		}
	}()
	tell := func(task string) func(done, total int64) {
		return func(done, total int64) {
			if progress != nil {
				progress(task, done, total)
			}
		}
	}
	g, err := st.Graph(ctx, tell("open the graph"))
	if err != nil {
		return nil, err
	}
	graphed := time.Now()
	labels := func(yield func(string) bool) {
		for e := range kg.EntityID(g.Entities()) {
			if !yield(g.Label(e)) {
				return
			}
		}
	}
	emb := embed.NewLexical(labels, lexicon.Builtin())
	v, err := link.NewVocabulary(ctx, g, emb, tell("open the names"))
	if err != nil {
		return nil, fmt.Errorf("open the names of %s: %w", path, err)
	}
	return &World{
		Graph: g, Vocabulary: v, Embedder: v.Embedder(), Entity: st.EntityID, store: st,
		Opened: Opening{Graph: graphed.Sub(began), Names: time.Since(graphed)},
	}, nil
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
