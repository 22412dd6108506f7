package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"cairn/app/present"
	"cairn/engine"
)

// mainMenu holds every command with its key. Keys stand here and not on the
// canvas because a focused entry swallows those.
func (w *window) mainMenu() *fyne.MainMenu {
	quit := item("Quit", fyne.KeyQ, fyne.KeyModifierShortcutDefault, w.close)
	quit.IsQuit = true
	return fyne.NewMainMenu(
		fyne.NewMenu("Graph",
			item("Open …", fyne.KeyO, fyne.KeyModifierShortcutDefault, w.chooseFile),
			item("Import files …", fyne.KeyI, fyne.KeyModifierShortcutDefault, func() { w.showImport(nil) }),
			item("Read a text with the model …", fyne.KeyI, fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift, func() { w.showExtract(nil) }),
			fyne.NewMenuItem("Built-in sample", w.openSample),
			item("Train a retriever …", fyne.KeyR, fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift, func() { w.showTrain() }),
			item("What the relations mean …", fyne.KeyM, fyne.KeyModifierShortcutDefault, w.showMapping),
			fyne.NewMenuItemSeparator(),
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
			item("Ask the other retriever the same", fyne.KeyJ, fyne.KeyModifierShortcutDefault, w.askOther),
			item("Pattern matching or trained network", fyne.KeyJ, fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift, w.switchRetriever),
			item("Accept this pattern, or take that back", fyne.KeyY, fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift, w.toggleAccepted),
			fyne.NewMenuItem("Accepted patterns …", w.showAccepted),
			item("What this graph was asked …", fyne.KeyH, fyne.KeyModifierShortcutDefault, w.showHistory),
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
			item("Lay out anew", fyne.KeyR, fyne.KeyModifierShortcutDefault, func() { w.figure.figure.Relayout() }),
			fyne.NewMenuItemSeparator(),
			item("Light or dark", fyne.KeyT, fyne.KeyModifierShortcutDefault, w.switchLook),
		),
		fyne.NewMenu("Help",
			item("Keys", fyne.KeySlash, fyne.KeyModifierShortcutDefault, w.showShortcuts),
			fyne.NewMenuItem("About Cairn", w.showAbout),
		),
	)
}

// item is a menu item with a key.
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
	if e := w.focusedEntry(); e != nil {
		e.Undo()
		return
	}
	w.figure.figure.Undo()
}

func (w *window) redo() {
	if e := w.focusedEntry(); e != nil {
		e.Redo()
		return
	}
	w.figure.figure.Redo()
}

func (w *window) focusedEntry() *widget.Entry {
	switch f := w.win.Canvas().Focused().(type) {
	case *questionEntry:
		return &f.Entry
	case *widget.Entry:
		return f
	}
	return nil
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

// firstFocusable looks through containers and our own widgets, in order.
func firstFocusable(o fyne.CanvasObject) fyne.Focusable {
	switch c := o.(type) {
	case fyne.Focusable:
		return c
	case *fyne.Container:
		for _, child := range c.Objects {
			if f := firstFocusable(child); f != nil {
				return f
			}
		}
	case *surface:
		return firstFocusable(c.content)
	case *flow:
		for _, word := range c.words {
			if f, ok := word.object.(fyne.Focusable); ok {
				return f
			}
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
