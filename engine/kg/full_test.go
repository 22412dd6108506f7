package kg

import (
	"errors"
	"path/filepath"
	"testing"
)

// A store that opened for reading because the disk is full says so where it is
// written to, and does not speak of permissions.
func TestWritingOnAFullDisk(t *testing.T) {
	s, err := OpenStore(t.Context(), filepath.Join(t.TempDir(), "g.cairn"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.readOnly, s.diskFull = true, true
	if err := s.SetSetting(t.Context(), "k", "v"); !errors.Is(err, ErrDiskFull) || errors.Is(err, ErrReadOnly) {
		t.Errorf("SetSetting: %v, want ErrDiskFull", err)
	}
	if _, err := s.NewWriter(t.Context(), Layer{}, nil); !errors.Is(err, ErrDiskFull) {
		t.Errorf("NewWriter: %v, want ErrDiskFull", err)
	}
}
