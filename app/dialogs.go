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

// newDialog makes a dialog with buttons at its foot; with one that closes it, where
// none are given. (That of Fyne's own dialogs keeps Escape to itself.)
func (w *window) newDialog(title string, content fyne.CanvasObject, buttons ...fyne.CanvasObject) *dialog.CustomDialog {
	d := dialog.NewCustomWithoutButtons(title, content, w.win)
	if len(buttons) == 0 {
		buttons = []fyne.CanvasObject{newButton("Close", d.Hide)}
	}
	d.SetButtons(buttons)
	return d
}

// confirm asks before something that cannot be undone; doing is what it does, in a
// word or two.
func (w *window) confirm(title, text, doing string, do func()) {
	var d *dialog.CustomDialog
	yes := newButton(doing, func() {
		d.Hide()
		do()
	})
	yes.Importance = widget.DangerImportance
	d = w.newDialog(title, wrapped(widget.NewLabel(text)), newButton("Cancel", func() { d.Hide() }), yes)
	d.Resize(fyne.NewSize(min(w.win.Canvas().Size().Width-60, 480), 10))
	w.showOnce(title, d)
}

// showOnce shows a dialog, unless one of the same name is open. It reports whether
// the dialog is shown.
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

// top is the dialog that lies over everything; false where there is none. A menu
// that is popped up goes away first, as it does for a click beside it.
func (w *window) top() (dialog.Dialog, bool) {
	overlays := w.win.Canvas().Overlays()
	for {
		top := overlays.Top()
		for _, shown := range w.dialogs {
			if top != nil && shown.overlay == top {
				return shown.dialog, true
			}
		}
		beside, ok := top.(fyne.Tappable)
		if !ok {
			return nil, false
		}
		beside.Tapped(&fyne.PointEvent{})
		if overlays.Top() == top {
			return nil, false
		}
	}
}

// modal reports whether a dialog is open.
func (w *window) modal() bool {
	_, open := w.top()
	return open
}

// closeTop closes the dialog that lies over everything, as its own button would,
// and reports whether there was one.
func (w *window) closeTop() bool {
	d, open := w.top()
	if open {
		d.Hide()
	}
	return open
}

// dialogList is a list that gives Escape away.
type dialogList struct{ widget.List }

func newDialogList(length func() int, create func() fyne.CanvasObject, update func(widget.ListItemID, fyne.CanvasObject)) *dialogList {
	l := &dialogList{}
	l.Length, l.CreateItem, l.UpdateItem = length, create, update
	l.ExtendBaseWidget(l)
	return l
}

// TypedKey implements fyne.Focusable.
func (l *dialogList) TypedKey(k *fyne.KeyEvent) {
	if !gaveEscape(l, k) {
		l.List.TypedKey(k)
	}
}
