package app

import (
	"context"
	"slices"
	"strings"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/engine"
)

// shownDialog is a dialog and what it put over the window.
type shownDialog struct {
	dialog  dialog.Dialog
	overlay fyne.CanvasObject
	size    dialogSize
}

// newDialog makes a dialog with buttons at its foot; with one that closes it, where
// none are given. (That of Fyne's own dialogs keeps Escape to itself.)
func (w *window) newDialog(title string, content fyne.CanvasObject, buttons ...fyne.CanvasObject) *dialog.CustomDialog {
	d := dialog.NewCustomWithoutButtons(title, content, w.win)
	if len(buttons) == 0 {
		buttons = []fyne.CanvasObject{w.closeButton("Close")}
	}
	d.SetButtons(buttons)
	return d
}

// dialogSize is how much of the window a dialog takes.
type dialogSize int

const (
	small   dialogSize = iota // as much as its text needs
	large                     // most of the window, with its buttons in view
	largest                   // nearly all of it
)

// confirmDelete asks before something is deleted, which cannot be undone.
func (w *window) confirmDelete(title, text string, do func()) {
	yes := newButton("Delete", func() {
		w.closeTop()
		do()
	})
	yes.Importance = widget.DangerImportance
	w.showDialog(title, small, w.newDialog(title, wrapped(widget.NewLabel(text)), w.closeButton("Cancel"), yes))
}

// closeButton closes the dialog that it stands in.
func (w *window) closeButton(text string) *button {
	return newButton(text, func() { w.closeTop() })
}

// showDialog shows a dialog, unless one of the same name is open. It reports whether
// the dialog is shown.
func (w *window) showDialog(name string, size dialogSize, d dialog.Dialog) bool {
	overlays := w.win.Canvas().Overlays()
	if shown, ok := w.dialogs[name]; ok && slices.Contains(overlays.List(), shown.overlay) {
		return false
	}
	// Fyne leaves what lies below with its focus ring and its cursor.
	if below := w.win.Canvas().Focused(); below != nil {
		below.FocusLost()
	}
	d.SetOnClosed(func() {
		if again := w.win.Canvas().Focused(); again != nil {
			again.FocusGained()
		}
	})
	d.Resize(w.sizeOf(size))
	d.Show()
	if w.dialogs == nil {
		w.dialogs = map[string]shownDialog{}
	}
	w.dialogs[name] = shownDialog{d, overlays.Top(), size}
	w.focusPrimary()
	return true
}

// focusPrimary gives the focus to the button to press in the dialog on top, so that Return
// presses it.
func (w *window) focusPrimary() {
	on := w.win.Canvas()
	on.Unfocus()
	if top, ok := on.Overlays().Top().(*widget.PopUp); ok {
		if b := buttonIn(top.Content, func(b *button) bool { return b.Importance == widget.HighImportance }); b != nil {
			on.Focus(b)
		}
	}
}

// goBack presses the button of the dialog on top that goes back to its page before, and
// reports whether there is one.
func (w *window) goBack() bool {
	top, ok := w.win.Canvas().Overlays().Top().(*widget.PopUp)
	if !ok {
		return false
	}
	b := buttonIn(top.Content, func(b *button) bool { return strings.HasPrefix(b.Text, "Back") })
	if b != nil {
		b.Tapped(nil)
	}
	return b != nil
}

// buttonIn is the first button among those of o that is so and can be pressed; nil for none.
func buttonIn(o fyne.CanvasObject, is func(*button) bool) *button {
	if b, ok := o.(*button); ok && is(b) && !b.Disabled() {
		return b
	}
	for _, o := range within(o) {
		if b := buttonIn(o, is); b != nil && o.Visible() {
			return b
		}
	}
	return nil
}

// within are the objects that o is made of, as far as this window makes them.
func within(o fyne.CanvasObject) (objects []fyne.CanvasObject) {
	switch o := o.(type) {
	case *fyne.Container:
		return o.Objects
	case *container.Scroll:
		return []fyne.CanvasObject{o.Content}
	case *container.ThemeOverride:
		return []fyne.CanvasObject{o.Content}
	case *container.Split:
		return []fyne.CanvasObject{o.Leading, o.Trailing}
	case *widget.PopUp:
		return []fyne.CanvasObject{o.Content}
	case *panel:
		return []fyne.CanvasObject{o.content}
	case *pressable:
		return []fyne.CanvasObject{o.content}
	case *copyable:
		return []fyne.CanvasObject{o.content}
	case *flow:
		for _, w := range o.words {
			objects = append(objects, w.object)
		}
	}
	return objects
}

// scrollAround is the innermost part of root that scrolls and has o within; false where o is
// not in root.
func scrollAround(root, o fyne.CanvasObject) (inner *container.Scroll, found bool) {
	if root == o {
		return nil, true
	}
	for _, part := range within(root) {
		if inner, found = scrollAround(part, o); found {
			if s, ok := root.(*container.Scroll); ok && inner == nil {
				inner = s
			}
			return inner, true
		}
	}
	return nil, false
}

// reveal scrolls o into view, which has got the focus by a key.
func reveal(o fyne.CanvasObject) {
	driver := fyne.CurrentApp().Driver()
	c := driver.CanvasForObject(o)
	if c == nil {
		return
	}
	root := c.Content()
	if top := c.Overlays().Top(); top != nil {
		root = top
	}
	s, _ := scrollAround(root, o)
	if s == nil {
		return
	}
	above := driver.AbsolutePositionForObject(o).Y - driver.AbsolutePositionForObject(s).Y
	below := above + o.Size().Height - s.Size().Height
	if by := min(above, max(below, 0)); by != 0 {
		s.ScrollToOffset(s.Offset.AddXY(0, by))
	}
}

func (w *window) sizeOf(size dialogSize) fyne.Size {
	s := w.win.Canvas().Size()
	switch size {
	case large:
		return fyne.NewSize(min(s.Width-40, 860), min(s.Height-60, 600))
	case largest:
		return fyne.NewSize(min(s.Width-30, 1150), s.Height-40)
	case small:
	}
	return fyne.NewSize(min(s.Width-60, 480), 10)
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

// pages is a dialog that goes from page to page, some of which show how far something
// has come.
type pages struct {
	w      *window
	dialog *dialog.CustomDialog
	page   *fyne.Container
	cancel context.CancelFunc // of what is under way; nil for nothing
	// stopped says that the user stopped what is under way.
	stopped bool
	bar     *widget.ProgressBar
	text    *widget.Label // what is being done
}

func (w *window) newPages(title string) pages {
	page := container.NewStack()
	return pages{w: w, dialog: w.newDialog(title, page), page: page}
}

func (p *pages) show(body fyne.CanvasObject, buttons ...fyne.CanvasObject) {
	p.page.Objects = []fyne.CanvasObject{body}
	p.page.Refresh()
	p.dialog.SetButtons(buttons)
	if top, _ := p.w.top(); top == dialog.Dialog(p.dialog) {
		p.w.focusPrimary()
	}
}

// showProgress shows a page that says what is being done and how far it has come;
// where there is a note, with a button that stops it.
func (p *pages) showProgress(title, begun, note string) {
	p.stopped, p.bar, p.text = false, widget.NewProgressBar(), wrapped(widget.NewLabel(begun))
	body := container.NewVBox(widget.NewLabel(title), p.bar, p.text)
	if note == "" {
		p.show(body)
		return
	}
	body.Add(wrapped(caption(note)))
	p.show(body, newIconButton("Stop", theme.MediaStopIcon(), func() {
		p.stopped = true
		p.cancel()
	}))
}

// events move the bar; words says what is being done.
func (p *pages) events(post func(func()), words func(task string, done, total int64) string) *engine.Events {
	return progressEvents(post, func(task string, done, total int64) {
		if p.bar == nil {
			return
		}
		p.text.SetText(words(task, done, total))
		if total > 0 {
			p.bar.SetValue(float64(done) / float64(total))
		}
	})
}

// list is Fyne's; it gives Escape away.
type list struct{ widget.List }

// newList makes a list. create makes a row and gives its parts, which update fills.
func newList[P any](length func() int, create func() (fyne.CanvasObject, P), update func(id int, parts P)) *list {
	l := &list{}
	setRows(&l.List, length, create, update)
	l.ExtendBaseWidget(l)
	return l
}

// newRowList makes a list whose selection follows the arrow keys.
func newRowList[P any](length func() int, create func() (fyne.CanvasObject, P), update func(id int, parts P)) *rowList {
	l := &rowList{selected: -1}
	setRows(&l.List, length, create, update)
	l.ExtendBaseWidget(l)
	return l
}

func setRows[P any](l *widget.List, length func() int, create func() (fyne.CanvasObject, P), update func(id int, parts P)) {
	var made sync.Map // of the parts by row: Fyne measures rows on other goroutines, too
	l.Length = length
	l.CreateItem = func() fyne.CanvasObject {
		row, parts := create()
		made.Store(row, parts)
		return row
	}
	l.UpdateItem = func(id widget.ListItemID, row fyne.CanvasObject) {
		if parts, ok := made.Load(row); ok {
			update(id, parts.(P)) //nolint:errcheck // all that is stored are parts
		}
	}
}

func (l *list) TypedKey(k *fyne.KeyEvent) {
	if !gaveEscape(l, k) {
		l.List.TypedKey(k)
	}
}

// twoLines are a name in bold and what there is to say of it.
type twoLines struct{ name, about *widget.Label }

func newTwoLines() (fyne.CanvasObject, twoLines) {
	t := twoLines{clipped(bold("")), clipped(caption(""))}
	return container.New(stacked, t.name, t.about), t
}
