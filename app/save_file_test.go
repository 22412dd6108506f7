package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/adrg/xdg"

	"cairn/canvas"
	"cairn/engine/kg"
)

// saveAs types a path into the dialog that is open and saves; where a file is there,
// the dialog asks.
func (r *rig) saveAs(tb testing.TB, path string, there bool) {
	tb.Helper()
	top := r.win.Canvas().Overlays().Top()
	press := func(button string) {
		r.ui(func() { tapButton(tb, top, button) })
		synctest.Wait()
	}
	r.ui(func() {
		for _, p := range seen(top) {
			if e, ok := p.object.(*pathEntry); ok {
				e.SetText(path)
			}
		}
	})
	synctest.Wait()
	press("Save")
	if there {
		press("Replace")
	}
}

// TestExportsKeepTheGraphAndItsSources exports by the dialog, as a user does, over
// the graph, over its source and over a file of the user's.
func TestExportsKeepTheGraphAndItsSources(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		for _, name := range []string{"g.png", "g.svg", "mine.png"} {
			writeFile(t, filepath.Join(dir, name), "before")
		}
		graph := newFakeGraph(filepath.Join(dir, "g.png"))
		graph.sources = []kg.Source{{File: filepath.Join(dir, "g.svg")}}
		r.ui(func() {
			r.session = &session{openGraph: graph}
			r.figure.show(canvas.Model{Nodes: []canvas.Node{{ID: "a"}}}, "", "")
		})
		for name, want := range map[string]string{"g.png": "before", "g.svg": "before", "mine.png": "png", "new.svg": "svg", "new.PNG": "png"} {
			path := filepath.Join(dir, name)
			r.ui(r.exportPicture)
			r.saveAs(t, path, want == "before" || name == "mine.png")
			if got, err := os.ReadFile(path); err != nil || string(got) != want {
				t.Errorf("%s has %q, %v after an export; want %q", name, got, err, want)
			}
			said := r.read(func() string { return r.status.text.Text })
			if strings.Contains(said, "not written") != (want == "before") {
				t.Errorf("after an export to %s it says %q", name, said)
			}
		}
	})
}

// TestReportIsWrittenAndOpened exports the answer on view, under a name to which the
// ending is added.
func TestReportIsWrittenAndOpened(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.ui(r.openSample)
		synctest.Wait()
		r.ui(r.exportReport)
		if got := r.read(func() string { return r.status.message }); r.modal() || got != "There is no answer to report yet." {
			t.Errorf("before a question: %q", got)
		}
		r.ui(func() { r.question.put("What is the capital of Austria?") })
		synctest.Wait()
		path := filepath.Join(dir, "vienna.html")
		for _, there := range []bool{false, true} {
			r.ui(r.exportReport)
			r.saveAs(t, filepath.Join(dir, "vienna"), there)
			page, err := os.ReadFile(path)
			if err != nil || !strings.Contains(string(page), "<html") || !strings.Contains(string(page), "What is the capital of Austria?") {
				t.Errorf("the page begins %.80q, %v", page, err)
			}
			if got := r.read(func() string { return r.status.message }); got != "Wrote the report to "+path+"." {
				t.Errorf("status = %q", got)
			}
		}
		if r.shown != path {
			t.Errorf("opened %q, want the page", r.shown)
		}
		r.close()
	})
}
