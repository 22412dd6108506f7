package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"cairn/engine/internal/arrays"
)

func gaussian(n, dims int, seed uint64) Vectors {
	rng := rand.New(rand.NewPCG(seed, seed))
	v := Vectors{Dims: dims, Rows: make([]float32, n*dims)}
	for i := range v.Rows {
		v.Rows[i] = float32(rng.NormFloat64())
	}
	return v
}

// write makes a file of v, added in pieces.
func write(tb testing.TB, path string, v Vectors, tag string) {
	tb.Helper()
	w, err := CreateScan(path, v.Dims, tag)
	if err != nil {
		tb.Fatalf("CreateScan: %v", err)
	}
	for from, piece := 0, 1; from < v.Len(); from, piece = from+piece, piece*2 {
		if err := w.Add(tb.Context(), v.Rows[from*v.Dims:min(from+piece, v.Len())*v.Dims]); err != nil {
			tb.Fatalf("Add: %v", err)
		}
	}
	if err := w.Close(tb.Context()); err != nil {
		tb.Fatalf("Close: %v", err)
	}
}

func TestScanFileHoldsTheScan(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, codeRows - 1, codeRows, codeRows + 1, 2*codeRows + 100} {
		v := gaussian(n, 20, uint64(n))
		path := filepath.Join(t.TempDir(), "vectors")
		write(t, path, v, "of a test")
		got, err := OpenScan(path, "of a test")
		if err != nil {
			t.Fatalf("OpenScan of %d vectors: %v", n, err)
		}
		want := NewScan(v)
		if got.Len() != n || got.Dims() != 20 {
			t.Fatalf("OpenScan = %d vectors of %d dimensions, want %d of 20", got.Len(), got.Dims(), n)
		}
		for i := range n {
			a, b := make([]float32, 20), make([]float32, 20)
			got.Row(i, a)
			want.Row(i, b)
			if !reflect.DeepEqual(a, b) {
				t.Fatalf("Row(%d) of %d = %v, want %v", i, n, a, b)
			}
		}
		query := gaussian(1, 20, 77).Rows
		a, err := got.Nearest(t.Context(), query, 50)
		if err != nil {
			t.Fatalf("Nearest: %v", err)
		}
		b, err := want.Nearest(t.Context(), query, 50)
		if err != nil || !reflect.DeepEqual(a, b) {
			t.Fatalf("Nearest in a file of %d = %v, want %v (%v)", n, a, b, err)
		}
		onlyFile(t, path)
	}
}

// onlyFile checks that nothing but the file at path is in its folder.
func onlyFile(t *testing.T, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != filepath.Base(path) {
			t.Errorf("%s is left in the folder", e.Name())
		}
	}
}

func TestScanWriterIsWholeOrNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vectors")
	w, err := CreateScan(path, 2, "")
	if err != nil {
		t.Fatalf("CreateScan: %v", err)
	}
	if err := w.Add(t.Context(), []float32{1, 2, 3, 4}); err != nil {
		t.Fatalf("Add: %v", err)
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1), 1e30} {
		if err := w.Add(t.Context(), []float32{1, 2, 3, float32(bad)}); err == nil {
			t.Errorf("Add(%v): no error", bad)
		}
	}
	if _, err := OpenScan(path, ""); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("OpenScan before Close = %v, want %v", err, fs.ErrNotExist)
	}
	if err := w.Close(t.Context()); err != nil {
		t.Fatalf("Close: %v", err)
	}
	s, err := OpenScan(path, "")
	if err != nil || s.Len() != 2 {
		t.Fatalf("OpenScan = %v, %v, want the 2 vectors that were taken", s, err)
	}
	w.Abort()

	gone, err := CreateScan(path+"2", 2, "")
	if err != nil {
		t.Fatalf("CreateScan: %v", err)
	}
	gone.Abort()
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if gone, err = CreateScan(path+"2", 2, ""); err != nil {
		t.Fatalf("CreateScan: %v", err)
	}
	if err := errors.Join(gone.Add(cancelled, make([]float32, 2)), gone.Close(cancelled)); !errors.Is(err, context.Canceled) {
		t.Errorf("Close, cancelled: %v", err)
	}
	onlyFile(t, path)

	if _, err := CreateScan(path, 0, ""); err == nil {
		t.Error("CreateScan of 0 dimensions: no error")
	}
	if _, err := CreateScan(filepath.Join(path, "below"), 3, ""); err == nil {
		t.Error("CreateScan in what is no folder: no error")
	}
}

func TestOpenScanOfAnotherTagIsStale(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vectors")
	write(t, path, gaussian(10, 3, 1), "yesterday")
	if _, err := OpenScan(path, "today"); !errors.Is(err, arrays.ErrStale) {
		t.Errorf("OpenScan = %v, want %v", err, arrays.ErrStale)
	}
}

// TestDamageIsFound turns over every byte of a small file, and cuts it at every
// length.
func TestDamageIsFound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vectors")
	write(t, path, gaussian(9, 3, 1), "")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	try := func(what string, b []byte) error {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := OpenScan(path, "")
		if what != "" && !errors.Is(err, arrays.ErrDamaged) && !errors.Is(err, arrays.ErrStale) {
			t.Errorf("%s: %v, want %v", what, err, arrays.ErrDamaged)
		}
		return err
	}
	for i := range whole {
		b := bytes.Clone(whole)
		b[i] ^= 0x20
		_ = try(fmt.Sprintf("with byte %d turned", i), b)
		_ = try(fmt.Sprintf("cut to %d bytes", i), whole[:i])
	}
	_ = try("with a byte more", append(slices.Clip(whole), 0))
	if err := try("", whole); err != nil {
		t.Errorf("mended: %v", err)
	}
}

// FuzzReadScan searches what opens, whatever is in the sections of a file.
func FuzzReadScan(f *testing.F) {
	for _, n := range []int{0, 1, 20} {
		path := filepath.Join(f.TempDir(), "vectors")
		write(f, path, gaussian(n, 5, 1), "")
		if err := arrays.Open(path, scanFormat, func(sections [][]byte) error {
			f.Add(sections[0], sections[1])
			return nil
		}); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, codes, numbers []byte) {
		s, err := readScan([][]byte{bytes.Clone(codes), bytes.Clone(numbers)}) // aligned as the allocator does
		if err != nil {
			if !errors.Is(err, arrays.ErrDamaged) {
				t.Errorf("readScan = %v, want ErrDamaged", err)
			}
			return
		}
		query := make([]float32, s.Dims())
		query[0] = 1
		hits, err := s.Nearest(t.Context(), query, 3)
		// Lengths that are no numbers are written by nobody; then no row is near.
		if err != nil || len(hits) > min(3, s.Len()) {
			t.Errorf("Nearest = %v, %v, want at most %d hits", hits, err, min(3, s.Len()))
		}
	})
}
