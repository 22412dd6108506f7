package ingest_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"cairn/engine/ingest"
	"cairn/engine/lab/process"
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
	t.Logf("import: %v in %v, %.0f triples/s, peak %d MiB", r, imported, float64(r.Added)/imported.Seconds(), process.ReadMemory().Peak>>20)
	began = time.Now()
	g := graph(t, st)
	built := time.Since(began)
	t.Logf("snapshot of %d entities, %d triples: %v; together %.0f triples/s, peak %d MiB", g.Entities(), g.Triples(), built, float64(r.Added)/(imported+built).Seconds(), process.ReadMemory().Peak>>20)
	runtime.GC()
	began = time.Now()
	graph(t, st)
	t.Logf("opened again in %v", time.Since(began))
}
