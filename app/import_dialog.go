package app

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine/extract"
	"cairn/engine/ingest"
	"cairn/internal/guard"
	"cairn/internal/wording"
)

// importDialog takes files into a graph: choose, watch, and see counts that
// add up.
type importDialog struct {
	pages
	files []string
	into  *radio
	name  *entry
	named string              // what name was proposed
	looks map[string]fileLook // what each file looks like, by path, as far as known
	// readings are how the user wants tables to be read, by path.
	readings map[string]ingest.MappingFile
	starter  *button
	names    string // a file of names; empty for none
	server   serverForm
	fetched  map[string]fetchedFile // files that a server gave, by path
}

// showImport opens the import dialog with the files chosen so far.
func (w *window) showImport(files []string) {
	d := &importDialog{pages: w.newPages("Import"), files: files, looks: map[string]fileLook{}, readings: map[string]ingest.MappingFile{}, fetched: map[string]fetchedFile{}}
	d.dialog.SetOnClosed(func() {
		w.importing = nil
		if d.cancel != nil {
			d.cancel()
		}
	})
	d.choose()
	if w.showDialog("import", large, d.dialog) {
		w.importing = d
	}
}

// add takes more files, unless an import is under way.
func (d *importDialog) add(paths []string) {
	if d.cancel != nil {
		return
	}
	for _, path := range paths {
		if !slices.Contains(d.files, path) {
			d.files = append(d.files, path)
		}
	}
	d.choose()
}

// choose is the first page: which files, and into which graph.
func (d *importDialog) choose() {
	add := newIconButton("Choose files …", theme.FolderOpenIcon(), func() {
		d.w.pickFile(fileQuestion{title: "Choose files", confirm: "Choose", several: d.add})
	})
	start := primary(newIconButton("Import", theme.ConfirmIcon(), d.start))
	d.starter = start
	list := container.New(stacked)
	for _, f := range d.files {
		list.Add(d.fileRow(f))
	}
	var chosen fyne.CanvasObject = newQuote(list)
	if len(d.files) == 0 {
		start.Disable()
		add.Importance = widget.HighImportance
		chosen = newQuote(wrapped(caption("No file chosen yet. You can also drop files onto the window.")))
	}
	if d.name == nil {
		d.name = newEntry()
		d.into = newRadio(false, d.targets(), func(s string) {
			enable(d.name, s == intoNew)
		})
		d.into.setSelected(intoNew)
	}
	if d.name.Text == d.named && len(d.files) > 0 {
		d.named = nameForAll(d.files)
		d.name.SetText(d.named)
	}
	more := newFolded("A file of names", d.more())
	help := wrapped(caption(present.ImportHelp))
	body := container.NewVBox(help, chosen, container.NewHBox(add), d.target(), more)
	// It has its place also while it is of no use: the others must not move under the pointer.
	asTexts := newButton("Read as text with the model …", func() {
		d.dialog.Hide()
		d.w.showExtract(d.files)
	})
	enable(asTexts, len(d.files) > 0 && !slices.ContainsFunc(d.files, func(f string) bool { return !extract.Is(f) }))
	d.show(scrolled(body), d.w.closeButton("Cancel"), asTexts, start)
}

// target asks into which graph.
func (d *importDialog) target() fyne.CanvasObject {
	return container.NewVBox(d.into.box, container.NewBorder(nil, nil, widget.NewLabel("Name"), nil, d.name))
}

// path is the file of that graph, which has that name if it is new.
func (d *importDialog) path(name string) (string, error) {
	if d.into.Selected != intoNew {
		return d.w.session.Path(), nil
	}
	return d.w.newPath(name)
}

// newPath is where a new graph of a name is made.
func (w *window) newPath(name string) (string, error) {
	folder := w.prefs.folder()
	if folder == "" {
		return "", present.ErrNoHome
	}
	return freePath(folder, name), nil
}

// The choices of a target.
const intoNew = "A new graph"

func intoOpen(name string) string { return "Add to the open graph “" + name + "”" }

func (d *importDialog) targets() []string {
	targets := []string{intoNew}
	if d.w.session != nil {
		targets = append(targets, intoOpen(d.w.session.Name()))
	}
	return targets
}

// more are the choices that few files need.
func (d *importDialog) more() fyne.CanvasObject {
	names := clipped(widget.NewLabel("none"))
	if d.names != "" {
		names.SetText(d.names)
	}
	choose := newButton("Choose …", func() {
		d.w.chooseData(nil, func(path string) { d.names = path; names.SetText(path) })
	})
	return container.NewVBox(
		wrapped(caption("A second file that gives keys their names, with key, tab, name on each line.")),
		container.NewBorder(nil, nil, nil, choose, names),
	)
}

func (d *importDialog) choices(file string) ingest.Options {
	o := ingest.Options{Origin: d.fetched[file].origin}
	if m, ok := d.readings[file]; ok {
		m.Apply(&o)
	}
	if file == d.files[len(d.files)-1] {
		o.Labels = d.names
	}
	return o
}

// look finds out what a file looks like, and says so in its row.
func (d *importDialog) look(path string, into *widget.Label, columns *button) {
	shown := func(look fileLook) {
		into.Importance = widget.LowImportance
		if look.Wrong {
			into.Importance = widget.WarningImportance
		}
		into.SetText(strings.Join(look.Lines, "\n"))
		enable(columns, len(look.Format.Preview) > 0)
		enable(d.starter, !d.allWrong())
	}
	if known, ok := d.looks[path]; ok {
		shown(known)
		return
	}
	choices := d.choices(path)
	d.w.jobs.start(func(ctx context.Context, post func(func())) {
		look, err := guard.Get(func() (fileLook, error) { return d.w.opener.Sniff(ctx, []string{path}, choices) })
		if err != nil {
			_, remedy := present.Explain(err)
			if len(look.Format.Preview) > 0 {
				remedy = "Press “Columns …” to say what each column is."
			}
			look.Lines, look.Wrong = []string{strings.TrimSpace(present.WhatIsWrong(err) + " " + remedy)}, true
		}
		post(func() {
			d.looks[path] = look
			shown(look)
		})
	})
}

// allWrong reports whether none of the files can be read, whatever their columns mean.
func (d *importDialog) allWrong() bool {
	return !slices.ContainsFunc(d.files, func(f string) bool { return !d.looks[f].Wrong || len(d.looks[f].Format.Preview) > 0 })
}

func (d *importDialog) fileRow(path string) fyne.CanvasObject {
	facts := wrapped(caption("Reading its first lines …"))
	columns := newButton("Columns …", func() { d.columns(path, "", d.choices(path)) })
	columns.Disable()
	d.look(path, facts, columns)
	size := ""
	if info, err := os.Stat(path); err == nil {
		size = present.Bytes(info.Size())
	}
	drop := iconButton(theme.CancelIcon(), "Remove this file from the list", nil, func() {
		d.files = slices.DeleteFunc(d.files, func(f string) bool { return f == path })
		d.choose()
	})
	return container.New(stacked,
		container.NewBorder(nil, nil, nil, container.NewHBox(caption(size), columns, drop), clipped(widget.NewLabel(path))), facts)
}

// longestEnding is that of "records.parquet".
const longestEnding = len(".parquet")

// nameFor is a graph's name after the first file imported.
func nameFor(path string) string {
	name := filepath.Base(path)
	for range 2 { // as in films.nt.gz
		if ending := filepath.Ext(name); len(ending) < len(name) && len(ending) <= longestEnding && !strings.Contains(ending, " ") {
			name = strings.TrimSuffix(name, ending)
		}
	}
	return name
}

// nameForAll is a graph's name after the files imported: after their folder where there are several.
func nameForAll(paths []string) string {
	folder := filepath.Dir(paths[0])
	if len(paths) == 1 || slices.ContainsFunc(paths, func(p string) bool { return filepath.Dir(p) != folder }) {
		return nameFor(paths[0])
	}
	return filepath.Base(folder)
}

// safeName keeps of a name what any file system takes.
func safeName(name string) string {
	name = strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ' {
			return '-'
		}
		return r
	}, strings.TrimSpace(name))
	name = strings.Trim(name, ". ")
	if name == "" {
		return "graph"
	}
	return name
}

// freePath is the path for a new graph of that name in a folder, with a number
// where the name is taken.
func freePath(folder, name string) string {
	name = safeName(name)
	path := filepath.Join(folder, name+graphEnding)
	for i := 2; ; i++ {
		if _, err := os.Stat(path); err != nil {
			return path
		}
		path = filepath.Join(folder, name+" "+strconv.Itoa(i)+graphEnding)
	}
}

// start shows a page of progress and looks at the files as they would be read. It imports
// them, or asks for the columns of one where that is not sure.
func (d *importDialog) start() {
	d.dialog.Resize(d.w.sizeOf(large))
	files := slices.Clone(d.files)
	choices := map[string]ingest.Options{}
	for _, f := range files {
		choices[f] = d.choices(f)
	}
	d.showProgress("Importing "+present.List(baseNames(files)), "Reading the first rows …",
		"If you stop, what was added so far is kept; importing the same file again adds only the rest.")
	d.cancel = d.w.jobs.start(func(ctx context.Context, post func(func())) {
		next := func() { d.begin(files, choices) }
		if all, err := guard.Get(func() (fileLook, error) { return d.w.opener.Sniff(ctx, files, together(files, choices)) }); err != nil || all.Asks != "" {
			for _, f := range files { // together they do not tell enough
				look, err := guard.Get(func() (fileLook, error) { return d.w.opener.Sniff(ctx, []string{f}, choices[f]) })
				asks := look.Asks
				if errors.Is(err, ingest.ErrColumns) {
					asks = present.WhatIsWrong(err)
				}
				if asks != "" && len(look.Format.Preview) > 0 { // the import says what else is wrong
					next = func() { d.columns(f, asks, choices[f]) }
					break
				}
			}
		}
		post(func() {
			switch {
			case d.w.importing != d: // closed
			case d.stopped:
				d.cancel = nil
				d.choose()
			default:
				next()
			}
		})
	})
}

// begin imports the files.
func (d *importDialog) begin(files []string, choices map[string]ingest.Options) {
	if d.into.Selected == intoNew {
		path, err := d.path(d.name.Text)
		if err != nil {
			d.finished(ingest.Report{}, err)
			return
		}
		d.intoNew(files, choices, path)
		return
	}
	d.cancel = d.w.use(func(ctx context.Context, g openGraph, post func(func())) {
		r, err := guard.Get(func() (ingest.Report, error) {
			return d.importAll(ctx, g, files, choices, post)
		})
		post(func() {
			d.finished(r, err)
			if d.w.session != nil && d.w.session.openGraph == g && r.Added > 0 {
				d.w.refreshGraph()
			}
		})
	})
}

// intoNew imports into a graph that is made for it, which is opened if anything
// came in.
func (d *importDialog) intoNew(files []string, choices map[string]ingest.Options, path string) {
	w, connect := d.w, d.w.models.connect()
	d.cancel = w.jobs.start(func(ctx context.Context, post func(func())) {
		g, err := guard.Get(func() (openGraph, error) { return w.opener.Open(ctx, path, connect, d.events(post, importingText)) })
		if err != nil {
			post(func() { d.finished(ingest.Report{}, err) })
			return
		}
		w.openGraphs.add(g)
		r, err := guard.Get(func() (ingest.Report, error) {
			return d.importAll(ctx, g, files, choices, post)
		})
		if r.Added == 0 {
			// Nothing came in: the empty file that was just made goes again.
			if w.openGraphs.close(g) == nil {
				os.Remove(path)
				os.RemoveAll(path + ".d")
			}
			post(func() { d.finished(r, err) })
			return
		}
		post(func() {
			w.opening.begin()
			w.show(g)
			d.finished(r, err)
		})
	})
}

// importAll imports files, one after the other where they are read differently.
func (d *importDialog) importAll(ctx context.Context, g openGraph, files []string, choices map[string]ingest.Options, post func(func())) (total ingest.Report, err error) {
	for len(files) > 0 && err == nil {
		n := 1
		for n < len(files) && choices[files[n-1]].Origin == choices[files[n]].Origin {
			n++
		}
		var r ingest.Report
		r, err = g.Import(ctx, files[:n], together(files[:n], choices), d.events(post, importingText))
		total, files = total.Plus(r), files[n:]
	}
	return total, err
}

// together are the choices by which files are imported as one: tables tell more beside each other.
func together(files []string, choices map[string]ingest.Options) ingest.Options {
	o := choices[files[len(files)-1]]
	if len(files) == 1 {
		return o
	}
	all := ingest.Options{Origin: o.Origin, Labels: o.Labels, Languages: o.Languages, AcceptGuess: o.AcceptGuess, Files: map[string]ingest.Options{}}
	for _, f := range files {
		if choices[f].Reading != nil {
			all.Files[f] = choices[f]
		}
	}
	return all
}

func importingText(task string, done, total int64) string {
	return present.ProgressText(task, done, total, strings.HasPrefix(task, "import"))
}

// finished is the last page: counts that add up, or what went wrong.
func (d *importDialog) finished(r ingest.Report, err error) {
	d.cancel = nil
	body := container.NewVBox()
	if err != nil {
		head, said := "The import did not finish", d.w.said("import", err)
		if errors.Is(err, context.Canceled) {
			head, said = "Stopped", "You stopped the import. What was added so far is kept."
			if r.Added == 0 {
				said = "You stopped the import. Nothing was added."
			}
		}
		if d.w.importing != d { // closed
			d.w.status.say(said)
		}
		body.Add(heading(head))
		body.Add(wrapped(widget.NewLabel(said)))
	} else {
		body.Add(wrapped(heading(present.ImportSentence(d.files, r))))
	}
	if err == nil && r.Added > 0 {
		d.questions(body)
	}
	if err == nil || r.Read > 0 {
		body.Add(reportRows(r))
	}
	if err == nil {
		d.keepMappings(body)
	}
	notes := slices.Clone(r.Notes)
	for _, f := range d.files {
		notes = append(notes, d.fetched[f].notes...)
	}
	for _, n := range notes {
		body.Add(wrapped(caption(n)))
	}
	if r.RejectsFile != "" && r.Rejected > 0 {
		body.Add(wrapped(caption("Rejected lines, with the reasons: " + r.RejectsFile)))
		body.Add(container.NewHBox(newButton("Open the list of rejected lines", func() {
			d.w.openFile(r.RejectsFile)
		})))
	}
	switch {
	case r.Added > 0:
		d.show(scrolled(body), primary(d.w.closeButton("Done")))
	case err != nil:
		d.show(scrolled(body), d.w.closeButton("Close"), primary(newButton("Back", d.choose)))
	default:
		d.show(scrolled(body), newButton("Back", d.choose), primary(d.w.closeButton("Done")))
	}
}

// questions offers the first ones to ask.
func (d *importDialog) questions(body *fyne.Container) {
	if d.w.session == nil {
		return
	}
	examples := d.w.session.Examples()
	if len(examples) > 0 {
		body.Add(caption("Ask a first question:"))
	}
	for _, text := range examples[:min(len(examples), 3)] {
		body.Add(container.NewHBox(newChip(text, func() {
			d.dialog.Hide()
			d.w.question.put(text)
		})))
	}
}

// keepMappings keeps how the user read tables, for files of the same shape.
func (d *importDialog) keepMappings(body *fyne.Container) {
	for _, file := range d.files {
		m, ok := d.readings[file]
		if !ok {
			continue
		}
		path, err := d.w.opener.Keep(m)
		if err != nil {
			body.Add(wrapped(caption("The mapping of " + m.For + " was not saved. " + d.w.said("keep a mapping", err))))
			continue
		}
		body.Add(wrapped(caption("How the columns of " + m.For + " are read is saved in " + path + ", and offered for files with the same columns.")))
	}
}

func countRow(row present.CountRow) fyne.CanvasObject {
	label, count := widget.NewLabel(row.Label), widget.NewLabel(row.Count)
	label.TextStyle.Bold, count.TextStyle.Bold = row.Total, row.Total
	count.Alignment = fyne.TextAlignTrailing
	return container.NewBorder(nil, nil, container.NewHBox(
		container.New(fixedWidth(110), label), container.New(fixedWidth(130), count),
	), nil, clipped(caption(row.Note)))
}

func baseNames(paths []string) []string {
	return wording.Each(paths, filepath.Base)
}

// openFile shows a file with the program that the desktop has for it.
func (w *window) openFile(path string) {
	if err := w.app.OpenURL(&url.URL{Scheme: "file", Path: path}); err != nil {
		w.alert("No program to show the file", "It is at "+path+".", "")
	}
}
