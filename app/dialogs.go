package app

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/widget"
)

// shownDialog is a dialog and what it put over the window.
type shownDialog struct {
	dialog  dialog.Dialog
	overlay fyne.CanvasObject
}

// showOnce shows a dialog, unless one of the same name is open: the keys of the menu
// work above dialogs as well. It reports whether the dialog is shown.
func (w *window) showOnce(name string, d dialog.Dialog) bool {
	overlays := w.win.Canvas().Overlays()
	if shown, ok := w.dialogs[name]; ok && slices.Contains(overlays.List(), shown.overlay) {
		return false
	}
	d.Show()
	if w.dialogs == nil {
		w.dialogs = map[string]shownDialog{}
	}
	w.dialogs[name] = shownDialog{d, overlays.Top()}
	return true
}

// closeTop closes the dialog that lies over everything, as its own button would,
// and reports whether there was one.
func (w *window) closeTop() bool {
	top := w.win.Canvas().Overlays().Top()
	for _, shown := range w.dialogs {
		if top != nil && shown.overlay == top {
			shown.dialog.Hide()
			return true
		}
	}
	return false
}

// dialogList is a list in a dialog, which Escape closes: Fyne's own list keeps that
// key to itself while it has the focus.
type dialogList struct {
	widget.List
	onEscape func()
}

func newDialogList(onEscape func(), length func() int, create func() fyne.CanvasObject, update func(widget.ListItemID, fyne.CanvasObject)) *dialogList {
	l := &dialogList{onEscape: onEscape}
	l.Length, l.CreateItem, l.UpdateItem = length, create, update
	l.ExtendBaseWidget(l)
	return l
}

// TypedKey implements fyne.Focusable.
func (l *dialogList) TypedKey(e *fyne.KeyEvent) {
	if e.Name == fyne.KeyEscape {
		l.onEscape()
		return
	}
	l.List.TypedKey(e)
}

// dialogButton is a button of a dialog that gets the focus by itself: Return presses
// it and Escape closes the dialog, which Fyne's own button keeps to itself.
type dialogButton struct {
	widget.Button
	onEscape func()
}

func newDialogButton(text string, icon fyne.Resource, onEscape, onTapped func()) *dialogButton {
	b := &dialogButton{onEscape: onEscape}
	b.Text, b.Icon, b.OnTapped = text, icon, onTapped
	b.ExtendBaseWidget(b)
	return b
}

// TypedKey implements fyne.Focusable.
func (b *dialogButton) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyEscape:
		b.onEscape()
	case fyne.KeyReturn, fyne.KeyEnter:
		b.OnTapped()
	default:
		b.Button.TypedKey(e)
	}
}
