package app

import (
	"os"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	fynelayout "fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine/llm"
	bymodel "cairn/engine/plan/model"
)

// looks are the choices of a look, in words.
var looks = []struct {
	look  look
	words string
}{{lookSystem, "As the system"}, {lookLight, "Light"}, {lookDark, "Dark"}}

// showSettings shows what can be set. Every change takes effect at once.
func (w *window) showSettings() {
	words := make([]string, len(looks))
	for i, l := range looks {
		words[i] = l.words
	}
	looksGroup := newRadio(fynelayout.NewHBoxLayout(), words, nil)
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
	change := newButton("Change …", func() { w.pickFolder(folder) })

	var d *dialog.CustomDialog
	body := container.NewVBox(
		heading("Look"), looksGroup.box, widget.NewSeparator(),
		heading("Language model"),
		wrapped(caption("Cairn answers without one. A model that runs in Ollama on this computer can read freer questions and word the answers; every sentence of it is checked against the triples it cites.")),
		container.NewBorder(nil, nil, nil, container.NewHBox(
			newButton("Models …", func() { d.Hide(); w.showModels() }),
			newButton("Connections …", w.showConnections),
		), clipped(widget.NewLabel(w.modelWords()))), widget.NewSeparator(),
		heading("Data folder"),
		wrapped(caption("New graphs are kept here, one .cairn file each. Your own files are never changed.")),
		container.NewBorder(nil, nil, nil, container.NewHBox(change, newButton("Show", func() { w.openFile(w.prefs.folder()) })), folder),
	)
	d = w.newDialog("Settings", container.NewVScroll(body))
	w.place(d)
	w.showOnce("settings", d)
}

// modelWords says which models are in use.
func (w *window) modelWords() string {
	name := func(s string) string {
		if s == "" {
			return "built-in"
		}
		return present.Shorten(present.Printable(s), 40)
	}
	return "Questions and answers: " + name(w.prefs.model()) + " · Names: " + name(w.models.embedder())
}

// applyModel gives the open graph the chosen model.
func (w *window) applyModel() {
	name := w.prefs.model()
	w.status.setModel(name, w.models.missing != "")
	if w.session == nil {
		return
	}
	w.session.SetPlanning(bymodel.Options{Samples: w.prefs.samples(), Chains: w.prefs.chains()})
	if name == "" {
		w.session.SetModel(nil)
		return
	}
	m, err := w.chosenModel(name)
	if err != nil {
		sentence, remedy := w.explain("use the chosen model", err)
		w.status.setModel(name, true)
		w.status.say(strings.TrimSpace(sentence + " " + remedy))
		w.session.SetModel(nil)
		return
	}
	w.session.SetModel(m)
}

func (w *window) chosenModel(name string) (llm.Model, error) {
	server, err := w.opener.Server(w.prefs.host(), w.prefs.remote())
	if err != nil {
		return nil, err
	}
	return server.Model(name, w.prefs.context())
}

// pickFolder asks for another data folder.
func (w *window) pickFolder(shown *widget.Label) {
	w.pickFile(fileQuestion{title: "The folder for new graphs", confirm: "Use it", kind: folderToUse, chosen: func(path string) {
		if err := os.MkdirAll(path, 0o750); err != nil {
			w.fail("The folder cannot be used", "use a folder", err)
			return
		}
		w.app.Preferences().SetString(prefFolder, path)
		shown.SetText(path)
	}})
}

// shortcutRows are the keys, for the sheet and for those who read it.
var shortcutRows = [][2]string{
	{"Ctrl+L", "Go to the question"},
	{"Enter, Ctrl+Enter", "Ask"},
	{"Esc, Ctrl+.", "Stop"},
	{"Ctrl+J", "Ask the next retriever the same"},
	{"Ctrl+Shift+J", "Choose the next retriever"},
	{"↑ ↓ in the question", "Earlier questions"},
	{"Ctrl+1, 2, 3, 4", "Go to the answer, the evidence, how it matched, the picture"},
	{"↑ ↓ in the evidence", "Select a triple: its edge lights up, its source is shown"},
	{"Enter in the evidence", "Open its share of the distance"},
	{"Ctrl+O", "Open a graph"},
	{"Ctrl+I", "Import files"},
	{"Ctrl+Shift+I", "Read a text with the model"},
	{"Ctrl+Shift+R", "Train a retriever on this graph, and see those trained"},
	{"Ctrl+M", "See and change what the relations mean"},
	{"Ctrl+Shift+M", "Models: choose, test and pull"},
	{"Ctrl+Shift+E", "Export the report: the answer and its evidence as a page"},
	{"Ctrl+E", "Export the picture"},
	{"Ctrl+Z, Ctrl+Y", "Undo, redo (in the question while it is being typed)"},
	{"Ctrl+0, Ctrl+=, Ctrl+−", "Fit, zoom in, zoom out"},
	{"Ctrl+R, F5", "Lay out the picture again"},
	{"Arrows in the picture", "Walk from node to node"},
	{"Ctrl+Shift+Y", "Accept how the question was read, or take that back"},
	{"Ctrl+H", "Earlier questions of this graph, with their answers"},
	{"Ctrl+P", "See what the model was asked, and what it replied"},
	{"Ctrl+Shift+C", "Copy the answer with its citations"},
	{"Ctrl+T", "Light or dark"},
	{"Ctrl+,", "Settings"},
	{"Ctrl+/, F1", "This sheet"},
}

// showShortcuts shows the keys.
func (w *window) showShortcuts() {
	rows := container.New(stacked)
	for _, r := range shortcutRows {
		key := bold(r[0])
		rows.Add(container.NewBorder(nil, nil, container.New(fixedWidth(190), key), nil, clipped(widget.NewLabel(r[1]))))
	}
	d := w.newDialog("Keys", container.NewVScroll(rows))
	w.place(d)
	w.showOnce("keys", d)
}

// showAbout says what this is and where things are.
func (w *window) showAbout() {
	body := container.NewVBox(
		heading("Cairn "+w.version),
		wrapped(widget.NewLabel("Ask your own knowledge graph, and see the evidence. Everything happens on this computer; the only address ever contacted is the Ollama that you set.")),
		wrapped(caption("Graphs are kept in "+w.prefs.folder()+".")),
		wrapped(caption("Licence: Apache-2.0.")),
	)
	d := w.newDialog("About Cairn", body)
	d.SetIcon(theme.InfoIcon())
	d.Resize(fyne.NewSize(min(w.win.Canvas().Size().Width-60, 520), 10))
	w.showOnce("about", d)
}
