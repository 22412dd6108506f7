package app

import (
	"os"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine/llm"
	"cairn/engine/outbound"
	bymodel "cairn/engine/plan/model"
)

var lookWords = map[look]string{lookSystem: "Same as system", lookLight: "Light", lookDark: "Dark"}

var textSizeWords = map[textSize]string{textSmall: "Small", textNormal: "Normal", textLarge: "Large", textLargest: "Very large"}

// showSettings shows what can be set. Every change takes effect at once.
func (w *window) showSettings() {
	looks := newRadioOf(true, []look{lookSystem, lookLight, lookDark}, func(l look) string { return lookWords[l] }, w.prefs.look(), w.setLook)
	texts := newRadioOf(true, []textSize{textSmall, textNormal, textLarge, textLargest}, func(s textSize) string { return textSizeWords[s] }, w.prefs.textSize(), w.setTextSize)
	folder := clipped(widget.NewLabel(w.prefs.folder()))
	change := newButton("Change …", func() { w.pickFolder(folder) })

	body := container.NewVBox(
		heading("Appearance"), looks.box,
		container.NewHBox(widget.NewLabel("Text size"), texts.box), widget.NewSeparator(),
		heading("Language model"),
		wrapped(caption("Cairn works without one. A model running in Ollama on this computer can read more free-form questions and write the answers; each of its sentences is checked against the triples it cites.")),
		container.NewBorder(nil, nil, nil, container.NewHBox(
			newButton("Models …", func() { w.closeTop(); w.showModels() }),
			newButton("Connections …", w.showConnections),
		), clipped(widget.NewLabel(w.modelWords()))), widget.NewSeparator(),
		heading("Data folder"),
		wrapped(caption("New graphs are saved here, one .cairn file each. Your own files are never changed.")),
		container.NewBorder(nil, nil, nil, container.NewHBox(change, newButton("Show", func() { w.openFile(w.prefs.folder()) })), folder),
	)
	w.showDialog("settings", large, w.newDialog("Settings", scrolled(body)))
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
		w.status.setModel(name, true)
		w.status.say(w.said("use the chosen model", err))
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
	w.pickFile(fileQuestion{title: "Folder for new graphs", confirm: "Use this folder", kind: folderToUse, chosen: func(path string) {
		if err := os.MkdirAll(path, 0o750); err != nil {
			w.fail("The folder cannot be used", "use a folder", err)
			return
		}
		w.app.Preferences().SetString(prefFolder, path)
		shown.SetText(path)
	}})
}

// otherKeys are those that no menu holds.
var otherKeys = [][2]string{
	{"Enter", "Ask the question"},
	{"Esc", "Close a dialog or the details of a step, or stop"},
	{"↑ ↓ in the question", "Earlier questions"},
	{"↑ ↓ in the evidence", "Select a triple: highlights its edge and shows its source"},
	{"Enter in the evidence", "Show its share of the distance"},
	{"Delete in the evidence", "Ask again without the triple, or put it back"},
	{"Arrows in the picture", "Move from node to node"},
	{"F5", "Lay out the picture again"},
}

func (w *window) showShortcuts() {
	rows := slices.Clone(otherKeys)
	for _, menu := range w.win.MainMenu().Items {
		for _, it := range menu.Items {
			if s, ok := it.Shortcut.(fyne.KeyboardShortcut); ok {
				rows = append(rows, [2]string{keyName(s), strings.TrimSuffix(it.Label, " …")})
			}
		}
	}
	shown := container.New(stacked)
	for _, r := range rows {
		shown.Add(container.NewBorder(nil, nil, container.New(fixedWidth(190), bold(r[0])), nil, clipped(widget.NewLabel(r[1]))))
	}
	w.showDialog("keys", large, w.newDialog("Keys", scrolled(shown)))
}

// keyName is what a shortcut is called on this system.
func keyName(s fyne.KeyboardShortcut) string {
	var keys []string
	for _, m := range []struct {
		modifier fyne.KeyModifier
		name     string
	}{{fyne.KeyModifierControl, "Ctrl"}, {fyne.KeyModifierSuper, "Cmd"}, {fyne.KeyModifierAlt, "Alt"}, {fyne.KeyModifierShift, "Shift"}} {
		if s.Mod()&m.modifier != 0 {
			keys = append(keys, m.name)
		}
	}
	return strings.Join(append(keys, string(s.Key())), "+")
}

// showAbout says what this is and where things are.
func (w *window) showAbout() {
	body := container.NewVBox(
		heading("Cairn "+w.version),
		wrapped(widget.NewLabel("Ask your own knowledge graph, and see the evidence. Everything runs on this computer. Cairn contacts only your Ollama server and the servers you import from.")),
		wrapped(caption("Graphs are kept in "+w.prefs.folder()+".")),
		wrapped(caption("Licence: Apache-2.0.")),
	)
	d := w.newDialog("About Cairn", body)
	d.SetIcon(theme.InfoIcon())
	w.showDialog("about", small, d)
}

// showConnections shows every address that was contacted since the start.
func (w *window) showConnections() {
	sentence, rows := wrapped(bold("")), container.New(stacked)
	var text string
	look := func() {
		said, lines := present.Contacts(outbound.Process().Contacts())
		text = strings.Join(append([]string{said}, lines...), "\n")
		sentence.SetText(said)
		rows.RemoveAll()
		for _, l := range lines {
			rows.Add(wrapped(widget.NewLabel(l)))
		}
		rows.Refresh()
	}
	look()
	help := wrapped(caption("Cairn contacts only the Ollama address set under Models and the servers you import from, and lists them here. It never checks for updates or sends statistics. Ollama itself downloads models when you pull them."))
	ways := container.NewHBox(
		newIconButton("Refresh", theme.ViewRefreshIcon(), look),
		newIconButton("Copy", theme.ContentCopyIcon(), func() {
			w.app.Clipboard().SetContent(text)
			w.status.say("Copied the list of connections.")
		}),
	)
	w.showDialog("connections", large, w.newDialog("Connections", container.NewBorder(
		container.NewVBox(sentence, help), ways, nil, nil, scrolled(rows))))
}
