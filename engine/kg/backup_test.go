package kg_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// alone copies the graph's file, and nothing beside it, and returns how many
// triples that has.
func alone(t *testing.T, path string) int {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "alone.cairn")
	if err := os.WriteFile(copied, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return graph(t, open(t, copied)).Triples()
}

// TestFileAloneIsTheGraph: with the end of an import, and soon after a small
// change, a copy of the one file holds everything, though the graph is still open.
func TestFileAloneIsTheGraph(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.cairn")
	st := open(t, path)
	fill(t, st, "x.tsv", [3]string{"a", "r", "b"}, [3]string{"b", "r", "c"})
	if n := alone(t, path); n != 2 {
		t.Errorf("%d triples in the file alone after an import, want 2", n)
	}
	if err := st.SetSetting(t.Context(), "k", "v"); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		time.Sleep(50 * time.Millisecond)
		if b, err := os.ReadFile(path); err == nil && strings.Contains(string(b), "\x0fkv") {
			return
		}
	}
	t.Error("a setting is not in the file alone after five seconds")
}

func TestBackup(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.cairn")
	st := open(t, path)
	fill(t, st, "x.tsv", [3]string{"a", "r", "b"})
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	defer cancel()
	for i, ctx := range []context.Context{t.Context(), ended} {
		target := filepath.Join(dir, fmt.Sprint("copy ", i))
		if err := os.WriteFile(target, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		steps := 0
		err := st.Backup(ctx, target, func(done, total int64) { steps++ })
		cancel()
		if i == 1 {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("cancelled: %v", err)
			}
			continue
		}
		if err != nil || steps == 0 {
			t.Fatalf("Backup: %v after %d steps", err, steps)
		}
		if info, err := os.Stat(target); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("the copy has mode %v, %v, want that of the graph", info.Mode(), err)
		}
		if n := alone(t, target); n != 1 {
			t.Errorf("%d triples in the copy, want 1", n)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*-*")); err != nil || len(left) > 2 { // the graph's own
		t.Errorf("left behind: %q, %v", left, err)
	}
}

// TestCacheIsAsPrivateAsTheGraph: nobody reads in the cache what the graph's
// permissions keep from them.
func TestCacheIsAsPrivateAsTheGraph(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such permissions")
	}
	path := made(t, 10)
	modes := func() (dir, file os.FileMode) {
		for at, mode := range map[string]*os.FileMode{path + ".d": &dir, snapshotOf(t, path): &file} {
			info, err := os.Stat(at)
			if err != nil {
				t.Fatal(err)
			}
			*mode = info.Mode().Perm()
		}
		return dir, file
	}
	graphMode := func(mode os.FileMode) {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	// A cache that others could read is closed when the graph is opened next.
	graphMode(0o600)
	st := open(t, path)
	if dir, _ := modes(); dir != 0o700 {
		t.Errorf("the folder that was there has mode %v, want 0700", dir)
	}
	for mode, want := range map[os.FileMode][2]os.FileMode{0o600: {0o700, 0o600}, 0o640: {0o750, 0o640}, 0o664: {0o775, 0o664}} {
		graphMode(mode)
		if err := os.RemoveAll(path + ".d"); err != nil {
			t.Fatal(err)
		}
		graph(t, st)
		dir, file := modes()
		if dir&^want[0] != 0 || file&^want[1] != 0 || dir&0o700 != 0o700 {
			t.Errorf("of a graph with mode %v the cache has %v and %v, want no more than %v", mode, dir, file, want)
		}
	}
}
