package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"cairn/app/present"
	"cairn/engine"
)

// mainMenu holds every command with its key. Keys stand here and not on the
// canvas because a focused entry swallows those.
func (w *window) mainMenu() *fyne.MainMenu {
	quit := item("Quit", fyne.KeyQ, fyne.KeyModifierShortcutDefault, w.close)
	quit.IsQuit = true
	menu := fyne.NewMainMenu(
		fyne.NewMenu("Graph",
			item("Open …", fyne.KeyO, fyne.KeyModifierShortcutDefault, w.chooseFile),
			item("Import files …", fyne.KeyI, fyne.KeyModifierShortcutDefault, func() { w.showImport(nil) }),
			fyne.NewMenuItem("Import from a server …", w.showServer),
			item("Read a text with the model …", fyne.KeyI, fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift, func() { w.showExtract(nil) }),
			fyne.NewMenuItem("Built-in sample", w.openSample),
			fyne.NewMenuItem("Save a copy …", w.saveCopy),
			fyne.NewMenuItem("Export the graph …", w.exportGraph),
			item("Train a retriever …", fyne.KeyR, fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift, func() { w.showTrain() }),
			item("What the relations mean …", fyne.KeyM, fyne.KeyModifierShortcutDefault, w.showMapping),
			fyne.NewMenuItemSeparator(),
			item("Export report …", fyne.KeyE, fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift, w.exportReport),
			item("Export picture …", fyne.KeyE, fyne.KeyModifierShortcutDefault, w.exportPicture),
			fyne.NewMenuItemSeparator(),
			item("Models …", fyne.KeyM, fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift, func() { w.showModels() }),
			fyne.NewMenuItem("Connections …", w.showConnections),
			item("Settings …", fyne.KeyComma, fyne.KeyModifierShortcutDefault, w.showSettings),
			quit,
		),
		fyne.NewMenu("Edit",
			shortcut("Undo", &fyne.ShortcutUndo{}, w.undo),
			shortcut("Redo", &fyne.ShortcutRedo{}, w.redo),
			fyne.NewMenuItemSeparator(),
			item("Copy answer", fyne.KeyC, fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift, w.copyAnswer),
		),
		fyne.NewMenu("Ask",
			item("Go to the question", fyne.KeyL, fyne.KeyModifierShortcutDefault, w.focusQuestion),
			item("Ask", fyne.KeyReturn, fyne.KeyModifierShortcutDefault, func() { w.question.submit() }),
			item("Ask the next retriever", fyne.KeyJ, fyne.KeyModifierShortcutDefault, w.askOther),
			item("Compare all retrievers …", fyne.KeyK, fyne.KeyModifierShortcutDefault, w.showCompare),
			item("Select the next retriever", fyne.KeyJ, fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift, w.switchRetriever),
			item("Accept this pattern, or undo that", fyne.KeyY, fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift, w.toggleAccepted),
			item("Query in Cypher …", fyne.KeyU, fyne.KeyModifierShortcutDefault, w.showCypher),
			item("Question templates …", fyne.KeyU, fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift, w.showTemplates),
			fyne.NewMenuItem("Accepted patterns …", w.showAccepted),
			item("Earlier questions …", fyne.KeyH, fyne.KeyModifierShortcutDefault, w.showHistory),
			item("Stop", fyne.KeyPeriod, fyne.KeyModifierShortcutDefault, w.stop),
		),
		fyne.NewMenu("View",
			item("Answer", fyne.Key1, fyne.KeyModifierShortcutDefault, w.focusAnswer),
			item("Evidence", fyne.Key2, fyne.KeyModifierShortcutDefault, w.focusEvidence),
			item("How it matched", fyne.Key3, fyne.KeyModifierShortcutDefault, func() { w.tabs.choose(1); w.win.Canvas().Focus(w.tabs.buttons[1]) }),
			item("Picture", fyne.Key4, fyne.KeyModifierShortcutDefault, w.focusFigure),
			item("What the model was asked …", fyne.KeyP, fyne.KeyModifierShortcutDefault, func() { w.showPrompts(engine.StageLink) }),
			fyne.NewMenuItemSeparator(),
			item("Fit", fyne.Key0, fyne.KeyModifierShortcutDefault, func() { w.figure.figure.Fit() }),
			item("Zoom in", fyne.KeyEqual, fyne.KeyModifierShortcutDefault, func() { w.figure.figure.ZoomIn() }),
			item("Zoom out", fyne.KeyMinus, fyne.KeyModifierShortcutDefault, func() { w.figure.figure.ZoomOut() }),
			item("Lay out again", fyne.KeyR, fyne.KeyModifierShortcutDefault, func() { w.figure.figure.Relayout() }),
			fyne.NewMenuItemSeparator(),
			item("Switch light and dark", fyne.KeyT, fyne.KeyModifierShortcutDefault, w.switchLook),
		),
		fyne.NewMenu("Help",
			item("Keys", fyne.KeySlash, fyne.KeyModifierShortcutDefault, w.showShortcuts),
			fyne.NewMenuItem("About Cairn", w.showAbout),
		),
	)
	for _, m := range menu.Items {
		for _, it := range m.Items {
			switch it.Shortcut.(type) {
			case *fyne.ShortcutUndo, *fyne.ShortcutRedo: // of a text in a dialog as well
			default:
				if !it.IsQuit && !it.IsSeparator {
					it.Action = w.command(it.Action)
				}
			}
		}
	}
	return menu
}

// command is do where no dialog is open: the keys of the menu work above dialogs, too.
func (w *window) command(do func()) func() {
	return func() {
		if w.modal() {
			w.status.say("Close the open dialog first (Esc).")
			return
		}
		safe(do)()
	}
}

func item(label string, key fyne.KeyName, modifier fyne.KeyModifier, do func()) *fyne.MenuItem {
	return shortcut(label, &desktop.CustomShortcut{KeyName: key, Modifier: modifier}, do)
}

func shortcut(label string, s fyne.Shortcut, do func()) *fyne.MenuItem {
	it := fyne.NewMenuItem(label, do)
	it.Shortcut = s
	return it
}

// undo undoes in the entry that has the focus, else in the picture.
func (w *window) undo() {
	if e, ok := w.focusedText(); ok {
		e.Undo()
	} else if !w.modal() {
		w.figure.figure.Undo()
	}
}

func (w *window) redo() {
	if e, ok := w.focusedText(); ok {
		e.Redo()
	} else if !w.modal() {
		w.figure.figure.Redo()
	}
}

// undoer is what an entry and the picture have in common.
type undoer interface {
	Undo()
	Redo()
}

func (w *window) focusedText() (undoer, bool) {
	e, ok := w.win.Canvas().Focused().(undoer)
	return e, ok
}

func (w *window) focusQuestion() {
	w.win.Canvas().Focus(w.question.entry)
	w.question.entry.TypedShortcut(&fyne.ShortcutSelectAll{})
}

// focusAnswer moves the focus to the first thing in the answer that takes it.
func (w *window) focusAnswer() {
	if f := firstFocusable(w.answer.box); f != nil {
		w.win.Canvas().Focus(f)
	}
}

func (w *window) focusEvidence() {
	w.tabs.choose(0)
	w.win.Canvas().Focus(w.evidence.list)
}

func (w *window) focusFigure() {
	if f, ok := w.figure.figure.(fyne.Focusable); ok && w.figure.figure.Visible() {
		w.win.Canvas().Focus(f)
	}
}

// firstFocusable is the first of the objects in o that can take the focus; nil for none.
func firstFocusable(o fyne.CanvasObject) fyne.Focusable {
	if f, ok := o.(fyne.Focusable); ok {
		return f
	}
	for _, part := range within(o) {
		if f := firstFocusable(part); f != nil {
			return f
		}
	}
	return nil
}

// copyAnswer puts the answer with its citations and triples on the clipboard.
func (w *window) copyAnswer() {
	if w.run == nil || w.session == nil {
		w.status.say("There is no answer to copy yet.")
		return
	}
	w.app.Clipboard().SetContent(present.AnswerText(w.session.Graph(), w.run))
	w.status.say("Copied the answer with its citations and triples.")
}
