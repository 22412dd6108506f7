package paths

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/match"
)

func TestFile(t *testing.T) {
	for seed := range uint64(200) {
		g, q := world(seed)
		x := build(t, g, Options{MaxPaths: int(seed%2)*100 - 1})
		path := filepath.Join(t.TempDir(), "paths.arrays")
		if err := x.Write(t.Context(), path, "v1"); err != nil {
			t.Fatal(err)
		}
		y, err := Open(path, "v1", g, Counters{})
		if err != nil {
			t.Fatal(err)
		}
		if a, b := bindings(t, x, q), bindings(t, y, q); !slices.Equal(a, b) || !slices.Equal(x.Notes(), y.Notes()) {
			t.Fatalf("seed %d: built %v, read %v", seed, a, b)
		}
	}
}

// TestBuildIsDeterministic builds on one processor and on several: the files are the same.
func TestBuildIsDeterministic(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var b kg.Builder
	for range 3000 {
		b.Add(fmt.Sprint(r.IntN(500)), fmt.Sprint("r", r.IntN(3)), fmt.Sprint(r.IntN(1+r.IntN(500))))
	}
	g := b.Graph()
	var files [3][]byte
	for i := range files {
		before := runtime.GOMAXPROCS(1 + 2*i)
		x := build(t, g, Options{})
		runtime.GOMAXPROCS(before)
		path := filepath.Join(t.TempDir(), "paths.arrays")
		err := x.Write(t.Context(), path, "v1")
		if err == nil {
			files[i], err = os.ReadFile(path)
		}
		if n, _ := x.Size(); err != nil || n < 10_000 {
			t.Fatalf("%d paths, %v", n, err)
		}
	}
	if !bytes.Equal(files[0], files[1]) || !bytes.Equal(files[0], files[2]) {
		t.Error("the number of processors shows")
	}
}

func TestFileOfSomethingElse(t *testing.T) {
	g, path := star(100), filepath.Join(t.TempDir(), "paths.arrays")
	if _, err := Open(path, "v1", g, Counters{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if err := build(t, g, Options{}).Write(t.Context(), path, "v1"); err != nil {
		t.Fatal(err)
	}
	for _, other := range []struct {
		what, version string
		g             *kg.Graph
		s             Signature
	}{
		{"another version", "v2", g, Counters{}},
		{"another signature", "v1", g, Counters{Buckets: 3}},
		{"another graph", "v1", star(99), Counters{}},
	} {
		if _, err := Open(path, other.version, other.g, other.s); !errors.Is(err, errStale) {
			t.Errorf("%s: %v, want ErrStale", other.what, err)
		}
	}
}

// TestDamagedFile changes and cuts a file everywhere: it is refused.
func TestDamagedFile(t *testing.T) {
	g, path := star(40), filepath.Join(t.TempDir(), "paths.arrays")
	if err := build(t, g, Options{}).Write(t.Context(), path, "v1"); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	try := func(what string, at int, b []byte) {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		x, err := Open(path, "v1", g, Counters{})
		if err == nil {
			_, err = x.Each(t.Context(), &match.Query{Nodes: make([]match.Node, 1)}, func(match.Binding) bool { return true })
			t.Fatalf("%s at %d of %d is not seen (%v)", what, at, len(whole), err)
		}
		if !errors.Is(err, ErrDamaged) && !errors.Is(err, errStale) {
			t.Fatalf("%s at %d: %v", what, at, err)
		}
	}
	for at := 0; at < len(whole); at += 1 + len(whole)/500 {
		b := slices.Clone(whole)
		b[at] ^= 0x40
		try("a change", at, b)
		try("a cut", at, whole[:at])
	}
}
