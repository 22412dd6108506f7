package app

import (
	"context"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2"

	"cairn/engine/remote"
	"cairn/internal/testing/fakesparql"
)

// TestImportFromServer looks at a server, is refused, stops a fetch, goes on with it by
// the same entries, and asks what came in; the password is written nowhere.
func TestImportFromServer(t *testing.T) {
	server := fakesparql.New(t, fakesparql.Chain(30))
	server.Cap = 20
	var hold atomic.Bool
	held := make(chan struct{}, 1)
	server.Instead = func(_ int, w http.ResponseWriter, r *http.Request) bool {
		if _, password, _ := r.BasicAuth(); password != "secret" {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return true
		}
		if hold.Load() && strings.HasSuffix(r.FormValue("query"), "OFFSET 40") {
			held <- struct{}{}
			<-r.Context().Done()
			return true
		}
		return false
	}
	r := newRig(t)
	r.window.opener = engineOpener{slog.New(slog.DiscardHandler)}
	// As in a real window, what is posted waits a little: the work has ended by then.
	r.jobs = newJobs(func(f func()) { time.AfterFunc(time.Millisecond, func() { r.ui(f) }) }, func(err error) { t.Error(err) })
	defer r.close()
	var top fyne.CanvasObject
	r.ui(func() {
		for _, it := range r.win.MainMenu().Items[0].Items {
			if it.Label == "Import from a server …" {
				it.Action()
			}
		}
		top = r.win.Canvas().Overlays().Top()
	})
	said := func(want string) {
		t.Helper()
		got := ""
		for range 1000 {
			if got = r.read(func() string { return labels(top) }); strings.Contains(got, want) {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Fatalf("it never says %q but:\n%s", want, got)
	}
	press := func(text string) { r.ui(func() { tapButton(t, top, text) }) }
	r.ui(func() {
		f := r.importing.server
		f.address.SetText("ftp://host")
		tapButton(t, top, "Preview")
		if got := labels(top); !strings.Contains(got, "must begin with http://") {
			t.Errorf("of another address:\n%s", got)
		}
		f.address.SetText(server.URL)
		f.user.SetText("ann")
		if got := labels(top); !strings.Contains(got, "unencrypted") {
			t.Errorf("of a password on http://:\n%s", got)
		}
		tapButton(t, top, "Import")
	})
	said("“who are you?”")
	r.ui(func() { r.importing.server.password.SetText("secret") })
	press("Preview")
	said("The first page has 20 rows")
	if got := r.read(func() string { return labels(top) }); !strings.Contains(got, "SELECT ?s ?p ?o") || !strings.Contains(got, "next") {
		t.Errorf("the look says:\n%s", got)
	}
	hold.Store(true)
	press("Import")
	<-held
	said("Rows fetched")
	press("Stop")
	said("Stopped.")
	folder := r.prefs.folder()
	if made, _ := filepath.Glob(filepath.Join(folder, "*.cairn")); len(made) > 0 {
		t.Errorf("a fetch that was stopped made %v", made)
	}
	hold.Store(false)
	press("Import")
	said("40 rows were already fetched in an earlier attempt.")
	r.ui(func() {
		if r.session == nil || len(r.session.Examples()) == 0 || r.session.Name() != "127.0.0.1" {
			t.Fatalf("there is nothing to ask of %+v", r.session)
		}
		info, err := r.session.Info(t.Context())
		if err != nil || len(info.Sources) != 1 || !strings.Contains(info.Sources[0].Mapping, "from "+server.URL+", asked SELECT") {
			t.Errorf("layers %+v, %v", info.Sources, err)
		}
		server, err := remote.Open(server.URL, remote.Options{})
		if err != nil || !remote.Whole(remote.File(server, r.session.Path())) {
			t.Errorf("the fetched file is not beside %s, %v", r.session.Path(), err)
		}
	})
	// The same entries again, into the graph that is now open: the file is there.
	asked := len(server.Queries())
	r.ui(func() {
		r.closeTop()
		r.showServer()
		top = r.win.Canvas().Overlays().Top()
		r.importing.into.setSelected(intoOpen("127.0.0.1"))
		r.importing.server.address.SetText(server.URL)
		tapButton(t, top, "Import")
	})
	said("Already fetched, so the server is not contacted")
	if len(server.Queries()) != asked {
		t.Error("the server was asked again")
	}
	files, _ := filepath.Glob(filepath.Join(folder, "*"))
	for _, f := range files {
		if b, err := os.ReadFile(f); err == nil && strings.Contains(string(b), "secret") {
			t.Errorf("%s holds the password", f)
		}
	}
}

// TestCloseWhileFetching closes the dialog, and with it what it asks.
func TestCloseWhileFetching(t *testing.T) {
	gone := make(chan struct{})
	server := fakesparql.New(t, nil)
	server.Instead = func(_ int, _ http.ResponseWriter, r *http.Request) bool {
		<-r.Context().Done()
		close(gone)
		return true
	}
	r := newRig(t)
	defer r.close()
	r.ui(func() {
		r.showServer()
		r.importing.server.address.SetText(server.URL)
		r.importing.fetch()
	})
	for len(server.Queries()) == 0 {
		time.Sleep(time.Millisecond)
	}
	r.ui(func() { r.closeTop() })
	<-gone
	if r.read(func() string { return strings.Repeat("x", len(r.opener.opened)) }) != "" {
		t.Error("a graph was made")
	}
}

// TestCloseAtTheLastMoment closes the dialog when all is fetched: nothing is imported.
func TestCloseAtTheLastMoment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		last := make(chan struct{})
		imported := false
		r.ui(func() {
			r.showServer()
			d := r.importing
			d.server.address.SetText("http://127.0.0.1:1/")
			fromServer(d, d.endpoint(), "", func(context.Context, func(string, int64, int64)) (int, error) {
				<-last
				return 1, nil
			}, func(int) { imported = true })
			r.closeTop()
		})
		close(last)
		synctest.Wait()
		r.ui(func() {
			if imported || r.importing != nil {
				t.Error("what was fetched for a dialog that is closed goes on")
			}
		})
		r.close()
	})
}
