package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"cairn/engine/internal/arrays"
	"cairn/engine/kg"
	"cairn/engine/match"
	"cairn/engine/match/paths"
	"cairn/internal/guard"
)

// pathIndex is the index of paths of one state of the graph, opened when it is first
// asked for.
type pathIndex struct {
	mu    sync.Mutex
	graph *kg.Graph // that it is of
	index *paths.Index
}

// kept is where the index of a state lies; empty for a graph in memory.
func (e *Engine) keptPaths(s *state) (file string, in arrays.Folder) {
	if e.store == nil {
		return "", in
	}
	in = arrays.Folder{Dir: e.store.CacheFolder(), Version: s.version}
	return in.Path("paths", paths.Counters{}.Name(), "idx"), in
}

// of returns the index of a state, or nil where there is none that can be used: it is
// made again by IndexPaths alone.
func (p *pathIndex) of(e *Engine, s *state) match.Engine {
	if s.without != nil { // the index is of the whole graph
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.graph != s.graph {
		p.graph, p.index = s.graph, nil
		if file, _ := e.keptPaths(s); file != "" {
			x, err := paths.Open(file, s.version, s.graph, paths.Counters{})
			if err == nil {
				p.index = x
			} else if !errors.Is(err, os.ErrNotExist) {
				guard.Log(e.opts.Logger, fmt.Errorf("open the index of paths: %w", err))
			}
		}
	}
	if p.index == nil {
		return nil
	}
	return p.index
}

// PathIndex is what IndexPaths made.
type PathIndex struct {
	Paths int           `json:"paths"`
	Bytes int           `json:"bytes"`
	Took  time.Duration `json:"took"`
	Notes []string      `json:"notes,omitempty"` // what it leaves out
}

// IndexPaths indexes the paths of the graph, for patterns in which nothing is known, and
// keeps the index beside the graph; that of a graph in memory lasts as long as that.
func (e *Engine) IndexPaths(ctx context.Context, ev *Events) (made *PathIndex, err error) {
	ctx, leave := e.join(ctx, &err)
	defer leave()
	s, start := e.now(), time.Now()
	o := paths.Options{}
	if progress := ev.progress("index the paths"); progress != nil {
		o.Progress = func(done, total int) { progress(int64(done), int64(total)) }
	}
	x, err := paths.Build(ctx, s.graph, o)
	if err != nil {
		return nil, fmt.Errorf("index the paths of the graph: %w", err)
	}
	if file, in := e.keptPaths(s); file != "" {
		if err := x.Write(ctx, file, s.version); err != nil {
			return nil, fmt.Errorf("keep the index of the paths: %w", err)
		}
		in.Prune("paths")
	}
	e.paths.mu.Lock()
	e.paths.graph, e.paths.index = s.graph, x
	e.paths.mu.Unlock()
	made = &PathIndex{Took: time.Since(start), Notes: x.Notes()}
	made.Paths, made.Bytes = x.Size()
	return made, nil
}

// DropPathIndex removes what IndexPaths kept, of former states too, and reports whether
// there was anything of this one.
func (e *Engine) DropPathIndex(context.Context) (bool, error) {
	s := e.now()
	e.paths.mu.Lock()
	e.paths.graph, e.paths.index = s.graph, nil
	e.paths.mu.Unlock()
	file, in := e.keptPaths(s)
	if file == "" {
		return false, nil
	}
	in.Prune("paths")
	err := os.Remove(file)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
