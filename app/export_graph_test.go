package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
)

// TestExportGraph exports the open graph by the dialog, to one file and to a pair, over
// a table of the user's, which stays.
func TestExportGraph(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.ui(func() { r.session = &session{openGraph: newFakeGraph(filepath.Join(dir, "world.cairn"))} })
		writeFile(t, filepath.Join(dir, "mine_nodes.csv"), "before")
		for _, c := range [][2]string{{"world.nq", "graph"}, {"table_edges.csv", "graph"}, {"mine_nodes.csv", "before"}} {
			name, want := c[0], c[1]
			r.ui(r.exportGraph)
			r.saveAs(t, filepath.Join(dir, strings.NewReplacer("_edges", "", "_nodes", "").Replace(name)), false)
			if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(b) != want {
				t.Errorf("%s has %q, %v; want %q", name, b, err, want)
			}
			if want == "graph" && !strings.Contains(r.status.message, "cannot hold colours") {
				t.Errorf("the status says %q", r.status.message)
			}
		}
	})
}
