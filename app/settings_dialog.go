package app

import (
	"context"
	"log/slog"
	"os"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
)

// noModel is the choice of no model.
const noModel = "No model: built-in answers only"

// looks are the choices of a look, in words.
var looks = []struct {
	look  look
	words string
}{{lookSystem, "As the system"}, {lookLight, "Light"}, {lookDark, "Dark"}}

// showSettings shows what can be set. Every change takes effect at once.
func (w *window) showSettings() {
	var cancel context.CancelFunc
	stop := func() {
		if cancel != nil {
			cancel()
		}
	}

	found := wrapped(caption(""))
	models := widget.NewSelect([]string{noModel}, nil)
	host := widget.NewEntry()
	host.SetText(w.prefs.host())
	models.SetSelected(noModel)
	if m := w.prefs.model(); m != "" {
		models.SetOptions([]string{noModel, m})
		models.SetSelected(m)
	}
	models.OnChanged = func(choice string) {
		if choice == noModel {
			choice = ""
		}
		w.chooseModel(choice)
	}
	look := func() {
		stop()
		address := host.Text
		w.app.Preferences().SetString(prefHost, address)
		found.SetText("Looking …")
		cancel = w.jobs.start(func(ctx context.Context, post func(func())) {
			names, err := w.opener.Models(ctx, address)
			if ctx.Err() != nil {
				return
			}
			post(func() { w.showModels(found, models, names, err) })
		})
	}
	host.OnSubmitted = func(string) { look() }

	words := make([]string, len(looks))
	for i, l := range looks {
		words[i] = l.words
	}
	looksGroup := widget.NewRadioGroup(words, nil)
	looksGroup.Horizontal, looksGroup.Required = true, true
	for _, l := range looks {
		if l.look == w.prefs.look() {
			looksGroup.SetSelected(l.words)
		}
	}
	looksGroup.OnChanged = func(s string) {
		for _, l := range looks {
			if l.words == s {
				w.setLook(l.look)
			}
		}
	}

	folder := clipped(widget.NewLabel(w.prefs.folder()))
	change := widget.NewButton("Change …", func() { w.pickFolder(folder) })

	body := container.NewVBox(
		heading("Look"), looksGroup, widget.NewSeparator(),
		heading("Language model"),
		wrapped(caption("Cairn answers without one. A model that runs in Ollama on this computer can read freer questions and word the answers; every sentence of it is checked against the triples it cites. Nothing is sent anywhere but to the address below.")),
		container.NewBorder(nil, nil, widget.NewLabel("Ollama address"), widget.NewButton("Look for models", look), host),
		found,
		container.NewBorder(nil, nil, widget.NewLabel("Model"), nil, models), widget.NewSeparator(),
		heading("Data folder"),
		wrapped(caption("New graphs are kept here, one .cairn file each. Your own files are never changed.")),
		container.NewBorder(nil, nil, nil, container.NewHBox(change, widget.NewButton("Show", func() { w.openFile(w.prefs.folder()) })), folder),
	)
	d := dialog.NewCustom("Settings", "Close", container.NewVScroll(body), w.win)
	d.SetOnClosed(func() {
		stop()
		if h := host.Text; h != "" {
			w.app.Preferences().SetString(prefHost, h)
		}
	})
	w.place(d)
	d.Show()
	look()
}

// showModels shows what an Ollama has, or why it does not say.
func (w *window) showModels(found *widget.Label, models *widget.Select, names []string, err error) {
	if err != nil {
		sentence, remedy := w.explain("look for models", err)
		found.SetText(sentence + " " + remedy)
		return
	}
	if len(names) == 0 {
		found.SetText("Ollama answers, but has no model yet. Fetch one with “ollama pull”, then look again.")
		return
	}
	found.SetText(present.Plural(len(names), "model", "models") + " found.")
	options := append([]string{noModel}, names...)
	if m := w.prefs.model(); m != "" && !slices.Contains(options, m) {
		options = append(options, m)
	}
	models.SetOptions(options)
}

// chooseModel sets the model by name; "" is none.
func (w *window) chooseModel(name string) {
	w.app.Preferences().SetString(prefModel, name)
	w.applyModel()
}

// applyModel gives the open graph the chosen model.
func (w *window) applyModel() {
	name := w.prefs.model()
	w.status.setModel(name)
	if w.session == nil {
		return
	}
	if name == "" {
		w.session.SetModel(nil)
		return
	}
	m, err := w.opener.Model(w.prefs.host(), name)
	if err != nil {
		w.log.Warn("use the chosen model", slog.Any("error", err))
		sentence, remedy := present.Explain(err)
		w.alert("The model cannot be used", sentence, remedy)
		w.status.setModel("")
		w.session.SetModel(nil)
		return
	}
	w.session.SetModel(m)
}

// pickFolder asks for another data folder.
func (w *window) pickFolder(shown *widget.Label) {
	d := dialog.NewFolderOpen(func(u fyne.ListableURI, err error) {
		if err != nil || u == nil {
			return
		}
		path := u.Path()
		if err := os.MkdirAll(path, 0o750); err != nil {
			sentence, remedy := w.explain("use a folder", err)
			w.alert("The folder cannot be used", sentence, remedy)
			return
		}
		w.app.Preferences().SetString(prefFolder, path)
		shown.SetText(path)
	}, w.win)
	w.place(d)
	d.Show()
}

// shortcutRows are the keys, for the sheet and for those who read it.
var shortcutRows = [][2]string{
	{"Ctrl+L", "Go to the question"},
	{"Enter, Ctrl+Enter", "Ask"},
	{"Esc, Ctrl+.", "Stop"},
	{"↑ ↓ in the question", "Earlier questions"},
	{"Ctrl+1, 2, 3, 4", "Go to the answer, the evidence, how it matched, the picture"},
	{"↑ ↓ in the evidence", "Select a triple: its edge lights up, its source is shown"},
	{"Enter in the evidence", "Open its share of the distance"},
	{"Ctrl+O", "Open a graph"},
	{"Ctrl+I", "Import files"},
	{"Ctrl+Shift+I", "Read a text with the model"},
	{"Ctrl+M", "See and change what the relations mean"},
	{"Ctrl+E", "Export the picture"},
	{"Ctrl+Z, Ctrl+Y", "Undo, redo (in the question while it is being typed)"},
	{"Ctrl+0, Ctrl+=, Ctrl+−", "Fit, zoom in, zoom out"},
	{"Ctrl+R, F5", "Lay the picture out anew"},
	{"Arrows in the picture", "Walk from node to node"},
	{"Ctrl+Shift+Y", "Accept how the question was read, or take that back"},
	{"Ctrl+P", "See what the model was asked, and what it replied"},
	{"Ctrl+Shift+C", "Copy the answer with its citations"},
	{"Ctrl+T", "Light or dark"},
	{"Ctrl+,", "Settings"},
	{"Ctrl+/, F1", "This sheet"},
}

// showShortcuts shows the keys.
func (w *window) showShortcuts() {
	rows := container.New(stacked{})
	for _, r := range shortcutRows {
		key := bold(r[0])
		rows.Add(container.NewBorder(nil, nil, container.New(fixedWidth(190), key), nil, clipped(widget.NewLabel(r[1]))))
	}
	d := dialog.NewCustom("Keys", "Close", container.NewVScroll(rows), w.win)
	w.place(d)
	d.Show()
}

// showAbout says what this is and where things are.
func (w *window) showAbout() {
	body := container.NewVBox(
		heading("Cairn "+w.version),
		wrapped(widget.NewLabel("Ask your own knowledge graph, and see the evidence. Everything happens on this computer; the only address ever contacted is the Ollama that you set.")),
		wrapped(caption("Graphs are kept in "+w.prefs.folder()+".")),
		wrapped(caption("Licence: Apache-2.0.")),
	)
	d := dialog.NewCustom("About Cairn", "Close", body, w.win)
	d.SetIcon(theme.InfoIcon())
	d.Resize(fyne.NewSize(min(w.win.Canvas().Size().Width-60, 520), 10))
	d.Show()
}
