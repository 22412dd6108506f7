package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"cairn/engine/ingest"
	"cairn/engine/internal/arrays"
	"cairn/engine/internal/beside"
	"cairn/engine/kg"
)

// CheckReport is what Check found.
type CheckReport struct {
	kg.CheckReport
	Cache        []string `json:"cache"`         // the files of the folder beside the graph that were read
	DamagedCache []string `json:"damaged_cache"` // those among them that are damaged; they are made anew
	// Kept is where the damaged file is, after a repair.
	Kept string `json:"kept,omitempty"`
	// Missed is what of history, vectors and networks the repair could not save.
	Missed []string `json:"missed,omitempty"`
}

// Sound reports whether nothing is damaged.
func (r *CheckReport) Sound() bool { return r.CheckReport.Sound() && len(r.DamagedCache) == 0 }

// Check reads all of a graph's file, and of what is kept beside it, and says what is
// damaged. With repair it makes good what can be; what cannot be is an error, with
// nothing changed. The report is that of the state before. The graph must not be open
// in this process.
func Check(ctx context.Context, path string, repair bool, ev *Events) (CheckReport, error) {
	found, err := kg.Check(ctx, path, ev.progress("check the graph"))
	r := CheckReport{CheckReport: found, Cache: []string{}, DamagedCache: []string{}}
	if err == nil {
		err = r.checkCache(ctx, beside.Folder(path))
	}
	if err != nil || !repair || r.Sound() {
		return r, err
	}
	if !r.CheckReport.Sound() {
		if r.Kept, r.Missed, err = kg.Repair(ctx, path, rereader(ev), ev.progress("repair the graph")); err != nil {
			return r, err
		}
	}
	for _, name := range r.DamagedCache {
		err = errors.Join(err, os.Remove(filepath.Join(beside.Folder(path), name)))
	}
	return r, err
}

// rereader imports sources into a new graph as they were imported before. How one was
// read follows from its content, as it mostly does; where that comes out otherwise than
// it is written down, it fails.
func rereader(ev *Events) kg.Reread {
	return func(ctx context.Context, sources []kg.Source, into string) (err error) {
		st, err := kg.OpenStore(ctx, into)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, st.Close()) }()
		defer func() { _ = os.Remove(ingest.RejectsPath(into)) }() // which the graph has already
		for i, s := range sources {
			o := ingest.Options{AcceptGuess: true}
			if strings.HasPrefix(s.Mapping, string(ingest.Labels)) {
				o.Kind = ingest.Labels
			}
			if _, languages, ok := strings.Cut(s.Mapping, ", languages "); ok {
				o.Languages = strings.Fields(languages)
			}
			_, o.Table, _ = strings.Cut(s.Mapping, ", table ")
			told := &ingest.Events{Progress: ev.progress("read " + s.Name + " again")}
			if _, err := ingest.Files(ctx, st, strings.Split(s.File, "\n"), o, told); err != nil {
				return err
			}
			now, err := st.Sources(ctx)
			if err != nil {
				return err
			}
			if len(now) != i+1 || now[i].Hash != s.Hash || now[i].Mapping != s.Mapping {
				return fmt.Errorf("%s has changed, or was read differently", s.File)
			}
		}
		return nil
	}
}

// checkCache reads the files in the folder beside a graph.
func (r *CheckReport) checkCache(ctx context.Context, dir string) error {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, f := range files {
		path := filepath.Join(dir, f.Name())
		if f.IsDir() || strings.HasSuffix(f.Name(), ".tmp") {
			continue
		}
		r.Cache = append(r.Cache, f.Name())
		if err := arrays.Verify(path); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			r.DamagedCache = append(r.DamagedCache, f.Name())
		}
	}
	return nil
}

// Backup copies the graph into an empty file while it is in use; see kg.Store.Backup.
func (e *Engine) Backup(ctx context.Context, into string, ev *Events) error {
	if e.store == nil {
		return ErrInMemory
	}
	return e.store.Backup(ctx, into, ev.progress("copy the graph"))
}

// Notices returns sentences for the user about what of the graph's file works less
// well than it could; nil where all is well.
func (e *Engine) Notices() []string {
	if e.store == nil {
		return nil
	}
	return e.store.Notices()
}
