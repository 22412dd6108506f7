package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/engine/ingest"
	"cairn/engine/kg"
)

// TestImportGoesOn opens a graph in which a large import was cut short to go on with
// it: the graph is read once, afterwards, whether the import added anything or not.
func TestImportGoesOn(t *testing.T) {
	dir := t.TempDir()
	file, path := filepath.Join(dir, "x.nt"), filepath.Join(dir, "x.cairn")
	var text strings.Builder
	const lines = 30000
	for i := range lines {
		fmt.Fprintf(&text, "<http://x.org/%d> <http://x.org/next> <http://x.org/%d> .\n", i, i+1)
	}
	if err := os.WriteFile(file, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	cutShort := func(at int) {
		t.Helper()
		st, err := kg.OpenStore(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		st.SetLargeImport(100)
		ctx, cancel := context.WithCancel(t.Context())
		told := 0
		_, err = ingest.File(ctx, st, file, ingest.Options{BatchSize: 1000}, &ingest.Events{Progress: func(int64, int64) {
			if told++; told == at {
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("File = %v, want a cancel", err)
		}
		if cut, err := st.CutShort(t.Context()); !cut || err != nil {
			t.Fatalf("CutShort = %t, %v", cut, err)
		}
		if err := st.Close(); err != nil {
			t.Fatal(err)
		}
	}
	open := func(first bool) *Engine {
		t.Helper()
		e, err := Open(t.Context(), path, Options{ImportFirst: first}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	for _, at := range []int{10, 28} {
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		cutShort(at)
		e := open(true)
		if n := e.Graph().Triples(); n != 0 {
			t.Errorf("%d triples before the import", n)
		}
		r, err := e.Import(t.Context(), []string{file}, ingest.Options{}, nil)
		if err != nil || r.Added == 0 || r.Added+r.Duplicate != lines || e.Graph().Triples() != lines {
			t.Errorf("cut short at %d: %v, %v; %d triples", at, r, err, e.Graph().Triples())
		}
		if _, ok, err := e.store.EntityID(t.Context(), "http://x.org/9"); !ok || err != nil {
			t.Errorf("EntityID = %t, %v", ok, err)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
	// One that is cut short again is not read then either.
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
	cutShort(10)
	again := open(true)
	ctx, cancel := context.WithCancel(t.Context())
	told := 0
	r, err := again.Import(ctx, []string{file}, ingest.Options{BatchSize: 1000}, &Events{Progress: func(task string, _, _ int64) {
		if strings.HasPrefix(task, "import ") {
			told++
		}
		if told == 25 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || r.Added == 0 || !again.Unread() || again.Graph().Triples() != 0 {
		t.Errorf("cut short again: %v, %v; %d triples, unread %t", r, err, again.Graph().Triples(), again.Unread())
	}
	if r, err = again.Import(t.Context(), []string{file}, ingest.Options{}, nil); err != nil || again.Unread() || again.Graph().Triples() != lines {
		t.Errorf("gone on with: %v, %v; %d triples, unread %t", r, err, again.Graph().Triples(), again.Unread())
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	// What is whole is read at once, and an import that adds nothing reads what
	// was cut short all the same.
	e := open(true)
	if n := e.Graph().Triples(); n != lines {
		t.Errorf("%d triples of a whole graph", n)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
	cutShort(20)
	e = open(true)
	defer e.Close()
	r, err = e.Import(t.Context(), []string{filepath.Join(dir, "missing.nt")}, ingest.Options{}, nil)
	if err == nil || r.Added != 0 || e.Graph().Triples() == 0 {
		t.Errorf("Import of nothing: %v, %v; %d triples", r, err, e.Graph().Triples())
	}
}
