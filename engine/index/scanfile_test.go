package index

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
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
		if err := w.Add(v.Rows[from*v.Dims : min(from+piece, v.Len())*v.Dims]); err != nil {
			tb.Fatalf("Add: %v", err)
		}
	}
	if err := w.Close(); err != nil {
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
		only(t, path)
	}
}

// only checks that nothing but the file at path is in its folder.
func only(t *testing.T, path string) {
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
	if err := w.Add([]float32{1, 2, 3, 4}); err != nil {
		t.Fatalf("Add: %v", err)
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1), 1e30} {
		if err := w.Add([]float32{1, 2, 3, float32(bad)}); err == nil {
			t.Errorf("Add(%v): no error", bad)
		}
	}
	if _, err := OpenScan(path, ""); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("OpenScan before Close = %v, want %v", err, fs.ErrNotExist)
	}
	if err := w.Close(); err != nil {
		t.Fatalf("Close: %v", err)
	}
	s, err := OpenScan(path, "")
	if err != nil || s.Len() != 2 {
		t.Fatalf("OpenScan = %v, %v, want the 2 vectors that were taken", s, err)
	}
	if err := errors.Join(w.Close(), w.Abort()); err != nil {
		t.Errorf("Close and Abort after Close: %v", err)
	}

	gone, err := CreateScan(path+"2", 2, "")
	if err != nil {
		t.Fatalf("CreateScan: %v", err)
	}
	if err := gone.Abort(); err != nil {
		t.Errorf("Abort: %v", err)
	}
	if gone.Close() == nil || gone.Add([]float32{1, 2}) == nil {
		t.Error("Close and Add after Abort: no error")
	}
	only(t, path)

	if _, err := CreateScan(path, 0, ""); err == nil {
		t.Error("CreateScan of 0 dimensions: no error")
	}
	if _, err := CreateScan(filepath.Join(path, "below"), 3, ""); err == nil {
		t.Error("CreateScan in what is no folder: no error")
	}
}

func TestScanWriterRefusesAfterAFailure(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vectors")
	w, err := CreateScan(path, 4, "")
	if err != nil {
		t.Fatalf("CreateScan: %v", err)
	}
	if err := w.f.Close(); err != nil { // what is written from now on fails
		t.Fatal(err)
	}
	if err := w.Add(make([]float32, 4*codeRows)); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("Add = %v, want %v", err, fs.ErrClosed)
	}
	if err := w.Close(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("Close = %v, want %v", err, fs.ErrClosed)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Stat after a failure = %v, want no file", err)
	}
}

func TestOpenScanOfAnotherTagIsStale(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vectors")
	write(t, path, gaussian(10, 3, 1), "yesterday")
	if _, err := OpenScan(path, "today"); !errors.Is(err, ErrStale) {
		t.Errorf("OpenScan = %v, want %v", err, ErrStale)
	}
}

// TestDamageIsFound turns over every byte of a small file, and cuts it at every
// length.
func TestDamageIsFound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vectors")
	write(t, path, gaussian(9, 3, 1), "")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range b {
		b[i] ^= 0x20
		if _, err := readScan(b, ""); !errors.Is(err, ErrDamaged) {
			t.Errorf("with byte %d turned: %v, want %v", i, err, ErrDamaged)
		}
		b[i] ^= 0x20
	}
	for i := range b {
		if _, err := readScan(b[:i], ""); !errors.Is(err, ErrDamaged) {
			t.Errorf("cut to %d bytes: %v, want %v", i, err, ErrDamaged)
		}
	}
	if _, err := readScan(append(slices.Clip(b), 0), ""); !errors.Is(err, ErrDamaged) {
		t.Errorf("with a byte more: %v, want %v", err, ErrDamaged)
	}
	if _, err := readScan(b, ""); err != nil {
		t.Errorf("mended: %v", err)
	}
}

// FuzzReadScan repairs the checksums of what it is given, so that everything
// behind them is reached, and searches what opens.
func FuzzReadScan(f *testing.F) {
	path := filepath.Join(f.TempDir(), "vectors")
	for _, n := range []int{0, 1, 20} {
		write(f, path, gaussian(n, 5, 1), "")
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		b = mend(b)
		s, err := readScan(b, "")
		if err != nil {
			if !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrStale) {
				t.Errorf("readScan = %v, want ErrDamaged or ErrStale", err)
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

// mend returns a copy of a file with the checksums that its bytes have.
func mend(b []byte) []byte {
	b = bytes.Clone(b) // which is aligned as the allocator does
	var h scanHead
	if _, err := binary.Decode(b, binary.NativeEndian, &h); err != nil || len(b) < scanTop {
		return b
	}
	if blocks, sums, ok := cut(b, int(min(max(h.Dims, 1), maxDims)), min(h.Vectors, maxVectors)); ok {
		for i, c := range blocks {
			binary.NativeEndian.PutUint32(sums[4*i:], crc32.Checksum(c.Bytes(), castagnoli))
		}
		h.Sums = crc32.Checksum(sums, castagnoli)
		top, err := binary.Append(nil, binary.NativeEndian, h)
		if err != nil {
			return b
		}
		copy(b, top)
	}
	binary.NativeEndian.PutUint32(b[scanTop-4:], crc32.Checksum(b[:scanTop-4], castagnoli))
	return b
}
