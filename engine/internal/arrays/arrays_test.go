package arrays

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestWriteOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.arrays")
	numbers, words, none := []uint32{1, 2, 1 << 31}, []uint64{7, 1 << 63}, []uint16(nil)
	if err := Write(path, "tag", Bytes(numbers), Bytes(none), Bytes(words), []byte("text")); err != nil {
		t.Fatalf("Write: %v", err)
	}
	var s [][]byte
	err := Open(path, "tag", func(sections [][]byte) error { s = sections; return nil })
	if err != nil || len(s) != 4 {
		t.Fatalf("Open: %d sections, %v", len(s), err)
	}
	a, errA := Of[uint32](s[0])
	b, errB := Of[uint16](s[1])
	c, errC := Of[uint64](s[2])
	if err := errors.Join(errA, errB, errC); err != nil {
		t.Fatalf("Of: %v", err)
	}
	if !slices.Equal(a, numbers) || len(b) != 0 || !slices.Equal(c, words) || string(s[3]) != "text" {
		t.Errorf("read %v, %v, %v, %q", a, b, c, s[3])
	}
	if _, err := Of[uint64](s[0]); !errors.Is(err, ErrDamaged) {
		t.Errorf("Of 12 bytes as words of eight: %v, want %v", err, ErrDamaged)
	}
	if err := Open(path, "another", func([][]byte) error { return nil }); !errors.Is(err, ErrStale) {
		t.Errorf("Open with another tag: %v, want %v", err, ErrStale)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*.tmp")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestDamaged: whichever byte is wrong, and wherever the file is cut, nothing of
// it is used.
func TestDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.arrays")
	if err := Write(path, "tag", Bytes([]uint32{1, 2, 3}), []byte("some text")); err != nil {
		t.Fatalf("Write: %v", err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := read(whole, "tag"); err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		bad := slices.Clone(whole)
		bad[i] ^= 0x40
		if got, err := read(bad, "tag"); !errors.Is(err, ErrDamaged) {
			t.Errorf("byte %d wrong: read %v, %v, want %v", i, got, err, ErrDamaged)
		}
		if _, err := read(append(slices.Clone(whole), 0), "tag"); !errors.Is(err, ErrDamaged) {
			t.Errorf("a byte longer: %v, want %v", err, ErrDamaged)
		}
		if _, err := read(whole[:i], "tag"); !errors.Is(err, ErrDamaged) {
			t.Errorf("cut at %d: %v, want %v", i, err, ErrDamaged)
		}
	}
}

func FuzzRead(f *testing.F) {
	path := filepath.Join(f.TempDir(), "a.arrays")
	if err := Write(path, "tag", Bytes([]uint32{1, 2, 3}), []byte("some text")); err != nil {
		f.Fatalf("Write: %v", err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:40])
	f.Fuzz(func(t *testing.T, b []byte) {
		sections, err := read(b, "tag")
		if err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrStale) {
			t.Errorf("read: %v", err)
		}
		for _, s := range sections {
			if _, err := Of[uint32](s); err != nil && !errors.Is(err, ErrDamaged) {
				t.Errorf("Of: %v", err)
			}
		}
	})
}

func TestWriteNowhere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "missing", "a.arrays")
	if err := Write(path, "tag", nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Write = %v, want %v", err, os.ErrNotExist)
	}
}

func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "[a")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	old, current := Folder{dir, "1"}, Folder{dir, "2"}
	if (Folder{}).Nowhere() == old.Nowhere() {
		t.Error("the zero folder is somewhere, or another is nowhere")
	}
	paths := []string{old.Path("names", "a", "x"), current.Path("names", "a", "x"), current.Path("names", "b", "x"), old.Path("other", "a", "x")}
	leftover := current.Path("names", "a", "x") + "-1.tmp"
	for _, p := range append(slices.Clone(paths), leftover) {
		if err := os.WriteFile(p, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		long := time.Now().Add(-2 * time.Hour)
		if err := os.Chtimes(p, long, long); err != nil {
			t.Fatal(err)
		}
	}
	current.Prune("names")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range entries {
		left = append(left, filepath.Join(dir, e.Name()))
	}
	want := slices.Sorted(slices.Values(paths[1:]))
	if !slices.Equal(left, want) {
		t.Errorf("Prune left %v, want %v", left, want)
	}
}
