package app

import (
	"context"
	"errors"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine"
	"cairn/engine/extract"
	"cairn/engine/kg"
	"cairn/internal/guard"
)

// extractDialog has a model read texts, lets the user review what it read, and
// adds what is accepted to the graph:
//
//	texts ─read─▶ statements ─review─▶ accepted ─add─▶ a layer of the graph
//
// What was read and decided is kept with the graph, so that every step can be
// left and come back to.
type extractDialog struct {
	pages
	files  []string
	known  []kg.Document  // texts read before
	review *extractReview // nil while none is shown
}

// What the dialog is called, and says where there is no model.
const (
	readText   = "Read a text with the model"
	needsModel = "Reading a text needs a language model, and none is selected."
)

// showExtract opens the dialog with the files chosen so far. The sample is no place for what is
// the user's own, unless they say so.
func (w *window) showExtract(files []string) {
	if w.session == nil || w.session.Name() == sampleName {
		w.chooseGraphFor(files)
		return
	}
	w.extractInto(files)
}

// extractInto opens the dialog on the graph that is open.
func (w *window) extractInto(files []string) {
	d := &extractDialog{pages: w.newPages(readText), files: files}
	d.dialog.SetOnClosed(func() {
		if d.cancel != nil {
			d.cancel()
		}
	})
	d.choose()
	if w.showDialog("texts", large, d.dialog) {
		d.load()
	}
}

// chooseGraphFor asks which graph is to get what texts say, where none of the user's own is
// open, and goes on with it.
func (w *window) chooseGraphFor(files []string) {
	if w.prefs.model() == "" { // an empty graph would be left behind
		models := primary(newButton("Models …", func() {
			w.closeTop()
			w.showModels().closed = func() {
				if w.prefs.model() != "" {
					w.showExtract(files)
				}
			}
		}))
		w.showDialog("model for texts", small, w.newDialog(readText, wrapped(widget.NewLabel(needsModel)), w.closeButton("Close"), models))
		return
	}
	name, texts, open := newEntry(), "a text", "no graph is open"
	name.SetText("texts")
	if len(files) > 0 {
		name.SetText(nameFor(files[0]))
		texts = present.List(baseNames(files))
	}
	if w.session != nil {
		open = "the open graph is the built-in sample"
	}
	said := "Statements read from " + texts + " are added to a graph once you accept them, but " + open + "."
	goOn := func(path string) {
		w.closeTop()
		w.first = func() { w.showExtract(files) }
		w.open(path)
	}
	start := func() {
		path, err := w.newPath(name.Text)
		if err != nil {
			w.fail("The graph was not created", "create a graph", err)
			return
		}
		goOn(path)
	}
	name.OnSubmitted = func(string) { start() }
	body := container.NewVBox(wrapped(widget.NewLabel(said)), container.NewBorder(nil, nil, widget.NewLabel("Name"), nil, name))
	buttons := []fyne.CanvasObject{w.closeButton("Cancel")}
	if w.session != nil {
		buttons = append(buttons, newButton("Use the sample", func() {
			w.closeTop()
			w.extractInto(files)
		}))
	}
	buttons = append(buttons, newButton("Open a graph …", func() {
		w.pickFile(fileQuestion{title: "Open a graph", confirm: "Open", endings: []string{graphEnding}, chosen: goOn})
	}), primary(newButton("Create the graph", start)))
	title := "Read a text into a new graph"
	if w.showDialog("graph for texts", small, w.newDialog(title, body, buttons...)) {
		w.win.Canvas().Focus(name)
	}
}

// load looks up which texts were read before.
func (d *extractDialog) load() {
	consult(d.w, "The earlier texts cannot be shown", "look up earlier texts",
		func(ctx context.Context, g openGraph) ([]kg.Document, error) { return g.Extractions(ctx) },
		func(known []kg.Document) {
			if d.known = known; d.review == nil && d.bar == nil {
				d.choose()
			}
		})
}

// choose is the first page: texts to read, and those that were read before.
func (d *extractDialog) choose() {
	d.review, d.bar = nil, nil
	model := d.w.prefs.model()
	add := newIconButton("Choose a text …", theme.FolderOpenIcon(), func() {
		d.w.chooseData(extract.Endings, func(path string) {
			if !slices.Contains(d.files, path) {
				d.files = append(d.files, path)
			}
			d.choose()
		})
	})
	read := primary(newIconButton("Read", theme.MediaPlayIcon(), func() { d.read(d.files) }))
	help := "A model reads the text part by part and lists its statements, each with its place in the text. Nothing is added to the graph until you accept it, and it stays marked as read by a model. The text is sent only to your Ollama server."
	body := container.NewVBox(wrapped(caption(help)))
	switch {
	case model == "":
		read.Disable()
		body.Add(wrapped(widget.NewLabel(needsModel)))
		body.Add(container.NewHBox(primary(newButton("Models …", func() {
			d.w.showModels().closed = func() {
				if d.review == nil && d.bar == nil {
					d.choose()
				}
			}
		}))))
	case len(d.files) == 0:
		read.Disable()
		add.Importance = widget.HighImportance
		body.Add(newQuote(wrapped(caption("No text chosen yet (.txt or .md). You can also drop text files onto the window."))))
	default:
		read.SetText("Read with " + model)
		list := container.New(stacked)
		for _, f := range d.files {
			drop := iconButton(theme.CancelIcon(), "Remove this text from the list", d.w.status.hint, func() {
				d.files = slices.DeleteFunc(d.files, func(x string) bool { return x == f })
				d.choose()
			})
			list.Add(container.NewBorder(nil, nil, nil, drop, clipped(widget.NewLabel(f))))
		}
		body.Add(newQuote(list))
	}
	body.Add(container.NewHBox(add))
	if len(d.known) > 0 {
		body.Add(widget.NewSeparator())
		body.Add(heading("Read before"))
		for _, doc := range slices.Backward(d.known) {
			body.Add(d.knownRow(doc))
		}
	}
	d.show(scrolled(body), d.w.closeButton("Close"), read)
}

// knownRow is a text that was read before, with what can be done with it.
func (d *extractDialog) knownRow(doc kg.Document) fyne.CanvasObject {
	buttons := container.NewHBox(newButton("Review", func() { d.open(doc) }))
	if !doc.Complete() && doc.Model == d.w.prefs.model() {
		buttons.Add(newButton("Continue reading", func() { d.read([]string{doc.File}) }))
	}
	forget := newIconButton("", theme.DeleteIcon(), func() { d.forget(doc) })
	forget.Importance = widget.LowImportance
	buttons.Add(forget)
	return container.NewBorder(nil, nil, nil, container.NewCenter(buttons),
		container.New(stacked, clipped(bold(present.OneLine(doc.Name))), wrapped(caption(present.DocumentText(doc)))))
}

// forget asks, and drops a text with all that was decided on it.
func (d *extractDialog) forget(doc kg.Document) {
	question := "Everything read from “" + present.OneLine(doc.Name) + "” will be deleted, with your decisions. What was added to the graph stays."
	d.w.confirmDelete("Delete this text?", question, func() {
		d.w.change("The text was not deleted", "delete a text", func(ctx context.Context, g openGraph) error { return g.ForgetExtraction(ctx, doc.ID) }, d.load)
	})
}

// read is the second page: progress.
func (d *extractDialog) read(files []string) {
	d.showProgress("Reading "+present.List(baseNames(files)), "Starting …",
		"This takes seconds to minutes per page. If you stop, what was read is kept, and reading the same text again continues from there. Closing this dialog also stops it.")

	files = slices.Clone(files)
	d.cancel = d.w.use(func(ctx context.Context, g openGraph, post func(func())) {
		report, err := guard.Get(func() (engine.ExtractReport, error) { return g.ReadTexts(ctx, files, d.events(post, readingText)) })
		known, lookErr := g.Extractions(context.WithoutCancel(ctx))
		post(func() {
			d.cancel, d.bar = nil, nil
			if lookErr == nil {
				d.known = known
			}
			d.readDone(report, err)
		})
	})
}

// readDone goes on to the review, or says why there is none.
func (d *extractDialog) readDone(r engine.ExtractReport, err error) {
	if err == nil && len(r.Documents) > 0 && len(r.Problems) == 0 {
		d.files = nil
		d.open(r.Documents[0])
		return
	}
	body := container.NewVBox()
	head, said := "The text was read only in part", ""
	switch {
	case errors.Is(err, context.Canceled):
		head, said = "Stopped", "You stopped reading. What was read so far is kept."
	case err != nil:
		head = "The text was not read to the end"
		said = d.w.said("read a text", err)
	}
	body.Add(wrapped(heading(head)))
	if said != "" {
		body.Add(wrapped(widget.NewLabel(said)))
	}
	for _, p := range r.Problems {
		body.Add(wrapped(caption(present.Sentence(p))))
	}
	buttons := []fyne.CanvasObject{newButton("Back", d.choose)}
	if i := slices.IndexFunc(r.Documents, func(doc kg.Document) bool { return len(doc.Statements) > 0 }); i >= 0 {
		doc := r.Documents[i]
		body.Add(wrapped(caption(present.DocumentText(doc))))
		review := primary(newButton("Review what was read", func() { d.open(doc) }))
		buttons = append(buttons, review)
	}
	d.show(scrolled(body), buttons...)
}

// open looks up what a text says, and shows it for review.
func (d *extractDialog) open(doc kg.Document) {
	d.review = nil
	bar := widget.NewProgressBar() // not shown: it stands for this look, which Back gives up
	d.bar, d.text = bar, widget.NewLabel("")
	back := newButton("Back", func() {
		d.cancel()
		d.choose()
	})
	d.show(container.NewVBox(widget.NewLabel("Looking up its names in the graph …")), back)
	d.cancel = d.w.use(func(ctx context.Context, g openGraph, post func(func())) {
		var rows []present.StatementRow
		var names map[present.NameID]*present.NameRow
		err := guard.Do(func() (err error) {
			rows, names, err = lookUp(ctx, g, doc.ID)
			return err
		})
		if ctx.Err() != nil {
			return
		}
		post(func() {
			if d.bar != bar {
				return
			}
			d.cancel, d.bar = nil, nil
			if err != nil {
				d.choose()
				d.failed("review a text", err)
				return
			}
			d.review = newExtractReview(d, doc, rows, names)
			d.review.show()
		})
	})
}

func lookUp(ctx context.Context, g openGraph, document int64) ([]present.StatementRow, map[present.NameID]*present.NameRow, error) {
	statements, err := g.Statements(ctx, document)
	if err != nil {
		return nil, nil, err
	}
	proposals, err := g.Proposals(ctx, document)
	if err != nil {
		return nil, nil, err
	}
	return present.StatementRows(statements), present.NameRows(proposals), nil
}

// add adds what was accepted to the graph, and says what came of it.
func (d *extractDialog) add(doc kg.Document) {
	d.showProgress("Adding what “"+present.OneLine(doc.Name)+"” says", "Adding …", "")
	d.w.use(func(ctx context.Context, g openGraph, post func(func())) {
		added, err := guard.Get(func() (extract.Added, error) { return g.AddExtracted(ctx, doc.ID, d.events(post, readingText)) })
		post(func() {
			d.bar = nil
			if d.w.session != nil && d.w.session.openGraph == g && added.Added > 0 {
				d.w.refreshGraph()
			}
			d.added(doc, added, err)
		})
	})
}

// added is the last page: counts, or what went wrong.
func (d *extractDialog) added(doc kg.Document, a extract.Added, err error) {
	body := container.NewVBox()
	if err != nil {
		body.Add(wrapped(heading("Nothing was added")))
		body.Add(wrapped(widget.NewLabel(d.w.said("add what a text says", err))))
	} else {
		body.Add(wrapped(heading(present.Plural(a.Added, "triple", "triples") + " added from " + present.OneLine(doc.Name))))
		table := container.New(stacked)
		for _, row := range present.AddedRows(a) {
			table.Add(countRow(row))
		}
		body.Add(newQuote(table))
	}
	done := primary(d.w.closeButton("Done"))
	d.show(scrolled(body), newButton("Back to the review", func() { d.open(doc) }), done)
	d.load()
}

func (d *extractDialog) failed(doing string, err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	d.w.fail("Something went wrong", doing, err)
}
