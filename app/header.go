package app

import (
	"cmp"
	"log/slog"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine/kg"
)

// header names the open graph, switches to another one, and holds what belongs
// to the whole window.
type header struct {
	root     fyne.CanvasObject
	switcher *button
	counts   *widget.Label
	w        *window
}

func newHeader(icon fyne.Resource, w *window) *header {
	h := &header{w: w, counts: clipped(caption(""))}
	h.switcher = newIconButton("No graph open", theme.MenuDropDownIcon(), h.showSwitcher)
	h.switcher.IconPlacement = widget.ButtonIconTrailingText
	var left []fyne.CanvasObject
	if icon != nil {
		left = append(left, container.NewCenter(container.NewGridWrap(fyne.NewSquareSize(26), widget.NewIcon(icon))))
	}
	left = append(left, h.switcher)
	add := newIconButton("Import", theme.FolderOpenIcon(), func() { w.showImport(nil) })
	right := container.NewHBox(
		add,
		iconButton(theme.ColorChromaticIcon(), "Switch between light and dark (Ctrl+T)", w.status.hint, w.switchLook),
		iconButton(theme.SettingsIcon(), "Settings (Ctrl+,)", w.status.hint, w.showSettings),
	)
	h.root = container.NewBorder(nil, nil, container.NewHBox(left...), right, h.counts)
	return h
}

// show names a graph and says how large it is.
func (h *header) show(name string, g *kg.Graph) {
	if g == nil {
		h.switcher.SetText("No graph open")
		h.counts.SetText("")
		return
	}
	h.switcher.SetText(present.Shorten(name, 40))
	entities, triples := g.Count()
	h.counts.SetText(strings.Join([]string{
		present.Plural(triples, "triple", "triples"),
		present.Plural(entities, "entity", "entities"),
		present.Plural(g.Relations(), "relation", "relations"),
	}, " · "))
}

func (h *header) showSwitcher() {
	var items []*fyne.MenuItem
	for _, path := range h.w.prefs.recent() {
		it := fyne.NewMenuItem(graphName(path), func() { h.w.open(path) })
		it.Checked = path == h.w.path()
		items = append(items, it)
	}
	if len(items) > 0 {
		items = append(items, fyne.NewMenuItemSeparator())
	}
	items = append(items,
		fyne.NewMenuItem("Built-in sample", h.w.openSample),
		fyne.NewMenuItemSeparator(),
		fyne.NewMenuItem("Open a graph …", h.w.chooseFile),
		fyne.NewMenuItem("Import files …", func() { h.w.showImport(nil) }),
	)
	showMenuBelow(h.switcher, items)
}

// graphName is a graph's name for people: its file's, without folder and
// ending.
func graphName(path string) string {
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}

// statusLine is the foot of the window: what was said last, or what the thing
// under the pointer does.
type statusLine struct {
	root    fyne.CanvasObject
	text    *widget.Label
	model   *widget.Label
	work    *widget.Label // a training under way
	working *pressable    // holds it
	message string
	log     *slog.Logger
}

// newStatusLine makes the foot; models and training open their panels.
func newStatusLine(log *slog.Logger, models, training func()) *statusLine {
	s := &statusLine{log: log, text: clipped(caption("")), model: caption(""), work: caption("")}
	open := newPressable(s.model, "", models).hinted(0, "Models: choose, test or get one (Ctrl+Shift+M)", s.hint)
	s.working = newPressable(s.work, "", training).hinted(0, "Training in progress: show it (Ctrl+Shift+R)", s.hint)
	s.root = container.NewBorder(nil, nil, nil, container.NewHBox(s.working, open), s.text)
	s.setTraining("")
	return s
}

// say sets the message that stays.
func (s *statusLine) say(message string) {
	s.message = message
	s.log.Debug("said", slog.String("text", message)) // also for whoever drives the window
	s.text.SetText(message)
}

// hint shows a text while it is not empty, then the message again.
func (s *statusLine) hint(text string) {
	text = cmp.Or(text, s.message)
	s.text.SetText(text)
}

// setTraining says how far a training has come; empty for none.
func (s *statusLine) setTraining(text string) {
	s.work.SetText(text)
	show(s.working, text != "")
}

// setModel says which model takes part, or would if it could be used now.
func (s *statusLine) setModel(name string, missing bool) {
	switch {
	case name == "":
		s.model.SetText("built-in, no model")
	case missing:
		s.model.SetText("model: " + present.Shorten(name, 40) + ", unavailable")
	default:
		s.model.SetText("model: " + present.Shorten(name, 40))
	}
}
