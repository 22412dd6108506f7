package app

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynelayout "fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine/ingest"
	"cairn/engine/remote"
	"cairn/internal/guard"
)

// serverForm is what the user says of a server. It goes with the dialog: nothing of it
// is kept in the settings, and the password nowhere.
type serverForm struct{ address, query, user, password *entry }

// fetchedFile is a file that a server gave.
type fetchedFile struct {
	origin string   // of ingest.Options
	notes  []string // on what was fetched
}

// showServer opens the import dialog with the page that asks for a server.
func (w *window) showServer() {
	w.showImport(nil)
	if w.importing == nil {
		return
	}
	w.importing.askServer("")
	w.win.Canvas().Focus(w.importing.server.address)
}

func newServerForm() serverForm {
	f := serverForm{newEntry(), newEntry(), newEntry(), newEntry()}
	f.address.SetPlaceHolder("https://host/sparql")
	f.query.SetPlaceHolder("Leave empty for every statement, or use SELECT ?s ?p ?o WHERE { … } without a LIMIT")
	f.query.MultiLine, f.query.Wrapping = true, fyne.TextWrapWord
	f.query.SetMinRowsVisible(3)
	f.user.SetPlaceHolder("Only if the server requires one")
	f.password.SetPlaceHolder("Sent to this server and never stored")
	f.password.Password = true
	return f
}

// askServer is the page that asks for a server; said is what went wrong with the one
// that stands there, empty for nothing.
func (d *importDialog) askServer(said string) {
	if d.server.address == nil {
		d.server = newServerForm()
		d.name.SetPlaceHolder("The host name, if left empty")
	}
	f := d.server
	look := newIconButton("Preview", theme.SearchIcon(), d.lookAtServer)
	start := primary(newIconButton("Import", theme.ConfirmIcon(), d.fetch))
	unencrypted := warning(widget.NewLabel(""))
	changed := func(string) {
		address := strings.TrimSpace(f.address.Text)
		enable(look, address != "")
		enable(start, address != "")
		server, err := remote.Open(address, remote.Options{}) // sends nothing
		if f.user.Text != "" && err == nil && !server.Encrypted() {
			setLabel(unencrypted, present.Unencrypted)
		} else {
			setLabel(unencrypted, "")
		}
	}
	f.address.OnChanged, f.user.OnChanged = changed, changed
	changed("")
	body := container.NewVBox(
		wrapped(caption("Fetches the graph of a SPARQL endpoint or a Neo4j server (bolt://host:7687/neo4j, or neo4j+http://host:7474/db/neo4j) page by page into a file next to the graph, then imports that file. No server is contacted until you press Preview or Import.")),
		container.New(fynelayout.NewFormLayout(),
			widget.NewLabel("Address"), f.address, widget.NewLabel("Query"), f.query,
			widget.NewLabel("User"), f.user, widget.NewLabel("Password"), f.password),
		unencrypted, d.target())
	if said != "" {
		body.Objects = append([]fyne.CanvasObject{warning(widget.NewLabel(said))}, body.Objects...)
	}
	d.show(scrolled(body), d.w.closeButton("Cancel"), look, start)
}

// endpoint is the server that the form names; nil after saying why there is none.
func (d *importDialog) endpoint() remote.Server {
	f := d.server
	server, err := remote.Open(f.address.Text, remote.Options{Query: f.query.Text, User: strings.TrimSpace(f.user.Text), Password: f.password.Text})
	if err != nil {
		d.askServer(d.w.said("import from a server", err))
		return nil
	}
	return server
}

// fromServer does something with a server while a page shows how far it has come, and
// then shows what done says. Where it fails, the form is there again.
func fromServer[T any](d *importDialog, server remote.Server, note string, do func(context.Context, func(task string, done, total int64)) (T, error), done func(T)) {
	d.showProgress("Asking "+server.Address(), "Starting …", note)
	d.bar.Hide() // how much there is, no server says
	d.cancel = d.w.jobs.start(func(ctx context.Context, post func(func())) {
		defer server.Close()
		got, err := guard.Get(func() (T, error) { return do(ctx, d.events(post, importingText).Progress) })
		if err == nil {
			err = ctx.Err()
		}
		post(func() {
			d.cancel = nil
			switch {
			case d.w.importing != d: // closed at the last moment
			case errors.Is(err, context.Canceled):
				d.askServer("Stopped. " + note)
			case err != nil:
				d.askServer(d.w.said("import from a server", err))
			default:
				done(got)
			}
		})
	})
}

// serverSample is the first page of a server.
type serverSample struct {
	remote.Fetched
	report ingest.Report
}

// lookAtServer shows what a server is asked, and what its first page gives.
func (d *importDialog) lookAtServer() {
	server := d.endpoint()
	if server == nil {
		return
	}
	fromServer(d, server, "A preview imports nothing.", func(ctx context.Context, _ func(string, int64, int64)) (s serverSample, err error) {
		dir, err := os.MkdirTemp("", "cairn-")
		if err != nil {
			return s, err
		}
		defer os.RemoveAll(dir)
		file := remote.File(server, filepath.Join(dir, "sample"))
		if s.Fetched, err = remote.Sample(ctx, server, file); err == nil {
			s.report, err = d.w.opener.Trial(ctx, file, ingest.Options{})
		}
		return s, err
	}, func(s serverSample) {
		body := container.NewVBox(
			wrapped(heading("The first page has "+present.Plural(s.Rows, "row", "rows"))),
			wrapped(caption(server.Address()+" is queried page by page, in a fixed order:")),
			newQuote(wrapped(widget.NewLabel(server.Query()))), reportRows(s.report))
		for _, note := range s.Notes() {
			body.Add(wrapped(caption(note)))
		}
		d.show(scrolled(body), newButton("Back", func() { d.askServer("") }), primary(newIconButton("Import", theme.ConfirmIcon(), d.fetch)))
	})
}

// fetch gets the statements of a server into a file, and imports that as any other.
func (d *importDialog) fetch() {
	server := d.endpoint()
	if server == nil {
		return
	}
	name := cmp.Or(strings.TrimSpace(d.name.Text), server.Host())
	graph, err := d.path(name)
	if err != nil {
		d.askServer(d.w.said("import from a server", err))
		return
	}
	file := remote.File(server, graph)
	fromServer(d, server, "What was fetched is kept: the same settings continue from there.", func(ctx context.Context, progress func(string, int64, int64)) ([]string, error) {
		if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
			return nil, err
		}
		return remote.FetchOnce(ctx, server, file, false, func(rows int64) { progress("rows fetched", rows, 0) })
	}, func(notes []string) {
		d.files, d.fetched[file] = []string{file}, fetchedFile{remote.Origin(server), notes}
		d.name.SetText(name)
		d.start()
	})
}
