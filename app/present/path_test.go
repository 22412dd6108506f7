package present

import (
	"path/filepath"
	"testing"
)

func TestPath(t *testing.T) {
	home := filepath.Join(t.TempDir(), "anna")
	t.Setenv("HOME", home)
	for _, tt := range []struct{ path, want string }{
		{filepath.Join(home, "graphs", "films.cairn"), filepath.Join("~", "graphs", "films.cairn")},
		{home + "-old", home + "-old"},
		{filepath.Join("graphs", "films.cairn"), filepath.Join("graphs", "films.cairn")},
	} {
		if got := Path(tt.path); got != tt.want {
			t.Errorf("Path(%q) = %q, want %q", tt.path, got, tt.want)
		}
	}
}
