package mapped

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestOpen(t *testing.T) {
	want := bytes.Repeat([]byte("cairn"), 4000)
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, want, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, least := range []int64{1, Least} {
		f, err := open(path, least)
		if err != nil {
			t.Fatalf("open(least %d): %v", least, err)
		}
		if !bytes.Equal(f.Bytes(), want) {
			t.Errorf("open(least %d) has other bytes than the file", least)
		}
		if able := runtime.GOOS == "linux" || runtime.GOOS == "darwin" || runtime.GOOS == "windows"; able && f.Mapped() != (least == 1) {
			t.Errorf("open(least %d).Mapped() = %v", least, f.Mapped())
		}
		if f.Forget(); !bytes.Equal(f.Bytes(), want) {
			t.Errorf("open(least %d) has other bytes after Forget", least)
		}
		for lo := 0; lo < len(want); lo += 1777 {
			for hi := lo; hi <= len(want); hi += 3001 {
				f.ForgetPart(f.Bytes()[lo:hi])
			}
		}
		if !bytes.Equal(f.Bytes(), want) {
			t.Errorf("open(least %d) has other bytes after ForgetPart", least)
		}
		if err := f.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		if err := f.Close(); err != nil {
			t.Errorf("Close, again: %v", err)
		}
	}
}

func TestOpenEmptyAndMissing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if _, err := Open(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Open(missing) = %v, want %v", err, fs.ErrNotExist)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := open(path, 0)
	if err != nil || len(f.Bytes()) != 0 {
		t.Errorf("open(empty) = %v, %v", f, err)
	}
}
