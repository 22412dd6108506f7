package app

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
)

// showOnce shows a dialog, unless one of the same name is open: the keys of the menu
// work above dialogs as well. It reports whether the dialog is shown.
func (w *window) showOnce(name string, d dialog.Dialog) bool {
	overlays := w.win.Canvas().Overlays()
	if shown, ok := w.dialogs[name]; ok && slices.Contains(overlays.List(), shown) {
		return false
	}
	d.Show()
	if w.dialogs == nil {
		w.dialogs = map[string]fyne.CanvasObject{}
	}
	w.dialogs[name] = overlays.Top()
	return true
}
