package ingest_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"cairn/engine/ingest"
)

// TestScale imports the file that CAIRN_BIG names and reports rate and memory.
func TestScale(t *testing.T) {
	path := os.Getenv("CAIRN_BIG")
	if path == "" {
		t.Skip("CAIRN_BIG names no file")
	}
	dir := os.Getenv("CAIRN_BIG_DIR")
	if dir == "" {
		dir = t.TempDir()
	}
	st := open(t, filepath.Join(dir, "big.cairn"))
	began := time.Now()
	r, err := ingest.File(t.Context(), st, path, ingest.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	imported := time.Since(began)
	t.Logf("import: %v in %v, %.0f triples/s, peak %s", r, imported, float64(r.Added)/imported.Seconds(), peak(t))
	began = time.Now()
	g := graph(t, st)
	built := time.Since(began)
	t.Logf("snapshot of %d entities, %d triples: %v; together %.0f triples/s, peak %s", g.Entities(), g.Triples(), built, float64(r.Added)/(imported+built).Seconds(), peak(t))
	runtime.GC()
	began = time.Now()
	graph(t, st)
	t.Logf("opened again in %v", time.Since(began))
}

// peak returns the peak resident memory as the system tells it.
func peak(t *testing.T) string {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return "unknown"
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			return strings.TrimSpace(rest)
		}
	}
	return "unknown"
}
