package app

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
)

// TestSaveCopy saves copies of the open graph by the dialog: under a new name, under
// one without the ending, and over a graph that is there, which stays.
func TestSaveCopy(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.ui(func() { r.saveCopy() })
		if got := r.status.message; got != "Open a graph first." {
			t.Errorf("without a graph: %q", got)
		}
		r.ui(func() { r.session = &session{openGraph: newFakeGraph(filepath.Join(dir, "world.cairn"))} })
		writeFile(t, filepath.Join(dir, "taken.cairn"), "before")
		for name, want := range map[string]string{"world copy.cairn": "copy", "other": "copy", "taken.cairn": "before"} {
			r.ui(r.saveCopy)
			r.saveAs(t, filepath.Join(dir, name), want == "before")
			path := filepath.Join(dir, name)
			if filepath.Ext(name) == "" {
				path += graphEnding
			}
			if b, err := os.ReadFile(path); err != nil || string(b) != want {
				t.Errorf("%s has %q, %v; want %q", path, b, err, want)
			}
		}
	})
}
