package arrays

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Folder is where files are kept that were made from one state of a graph. The
// zero value is nowhere.
//
// A file that is mapped cannot be replaced everywhere, so that the name of every
// file holds what it was made from, and a new state has new names.
type Folder struct {
	Dir     string
	Version string // of the graph
}

// Nowhere reports whether nothing can be kept.
func (f Folder) Nowhere() bool { return f.Dir == "" }

// Path returns the path of the file of a kind, such as "names", that was made
// with what key says, such as an embedder's id. ending has no dot.
func (f Folder) Path(kind, key, ending string) string {
	return filepath.Join(f.Dir, fmt.Sprintf("%s-%s-%s.%s", kind, hash(f.Version), hash(key), ending))
}

// Prune removes the files of a kind that were made from other states, and what
// writers that were killed left behind. What cannot be removed, because another
// program reads it, is left for the next time.
func (f Folder) Prune(kind string) {
	// The folder may be called anything, so that it cannot be part of a pattern.
	entries, err := os.ReadDir(f.Dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, kind+"-") {
			continue
		}
		other := !strings.HasPrefix(name, kind+"-"+hash(f.Version)+"-")
		if info, err := e.Info(); err == nil && (other || strings.HasSuffix(name, ".tmp")) && time.Since(info.ModTime()) > leftover(name) {
			_ = os.Remove(filepath.Join(f.Dir, name))
		}
	}
}

// leftover is how long a file must have lain untouched to be removed: one that is
// being written may be another program's.
func leftover(name string) time.Duration {
	if strings.HasSuffix(name, ".tmp") {
		return time.Hour
	}
	return 0
}

func hash(s string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s)) // never fails
	return fmt.Sprintf("%016x", h.Sum64())
}
