package app

import (
	"image/color"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	fynecanvas "fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynelayout "fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/internal/wording"
)

// This file holds Fyne's controls as this window uses them. Fyne's own keep Escape to
// themselves while they have the focus; these give it to the window, which closes
// the dialog that they are in, or stops a question.

// gaveEscape gives Escape to the window that o is in, and reports whether k was that.
func gaveEscape(o fyne.CanvasObject, k *fyne.KeyEvent) bool {
	if k.Name != fyne.KeyEscape {
		return false
	}
	if c := fyne.CurrentApp().Driver().CanvasForObject(o); c != nil && c.OnTypedKey() != nil {
		c.OnTypedKey()(k)
	}
	return true
}

// fault is told of a control that panicked. The window sets it; a process has one.
var fault = func(err error) { panic(err) }

// safe is f, which Fyne calls where nothing catches a panic: one goes to fault.
func safe(f func()) func() {
	return func() {
		if f == nil {
			return
		}
		if err := guarded(f); err != nil {
			fault(err)
		}
	}
}

// button is Fyne's; Return presses it as Space does, and a ring shows that it has the focus.
type button struct {
	widget.Button
	focused bool
}

func newButton(text string, onTapped func()) *button { return newIconButton(text, nil, onTapped) }

func newIconButton(text string, icon fyne.Resource, onTapped func()) *button {
	b := &button{}
	b.Text, b.Icon, b.OnTapped = text, icon, onTapped
	b.ExtendBaseWidget(b)
	return b
}

// running makes a button stop what it has begun, or begin it again.
func (b *button) running(is bool, begins string) {
	if is {
		b.SetText("Stop")
		b.SetIcon(theme.MediaStopIcon())
		return
	}
	b.SetText(begins)
	b.SetIcon(theme.MediaPlayIcon())
}

// primary makes a button the one to press.
func primary(b *button) *button {
	b.Importance = widget.HighImportance
	return b
}

func (b *button) Tapped(e *fyne.PointEvent) { safe(func() { b.Button.Tapped(e) })() }

func (b *button) FocusGained() { b.focused = true; b.Button.FocusGained(); reveal(b) }

func (b *button) FocusLost() { b.focused = false; b.Button.FocusLost() }

func (b *button) CreateRenderer() fyne.WidgetRenderer {
	ring := fynecanvas.NewRectangle(color.Transparent)
	r := &ringed{b.Button.CreateRenderer(), ring, func() {
		ring.StrokeWidth, ring.CornerRadius = 0, theme.InputRadiusSize()
		if b.focused {
			ring.StrokeWidth, ring.StrokeColor = 2, theme.Color(theme.ColorNamePrimary)
			if b.Importance != widget.MediumImportance { // whose ground is of that colour
				ring.StrokeColor = theme.Color(theme.ColorNameForeground)
			}
		}
	}}
	r.paint()
	return r
}

// ringed draws a ring over what Fyne draws.
type ringed struct {
	fyne.WidgetRenderer
	ring  *fynecanvas.Rectangle
	paint func()
}

func (r *ringed) Objects() []fyne.CanvasObject {
	return append(slices.Clone(r.WidgetRenderer.Objects()), r.ring)
}

func (r *ringed) Layout(size fyne.Size) {
	r.ring.Resize(size)
	r.WidgetRenderer.Layout(size)
}

func (r *ringed) Refresh() {
	r.paint()
	r.ring.Refresh()
	r.WidgetRenderer.Refresh()
}

func (b *button) TypedKey(k *fyne.KeyEvent) {
	switch {
	case gaveEscape(b, k):
	case k.Name == fyne.KeyReturn, k.Name == fyne.KeyEnter, k.Name == fyne.KeySpace:
		b.Tapped(nil)
	}
}

// entry is Fyne's.
type entry struct{ widget.Entry }

func newEntry() *entry {
	e := &entry{}
	e.ExtendBaseWidget(e)
	e.Wrapping = fyne.TextWrap(fyne.TextTruncateClip)
	return e
}

// newField is an entry with a text in it, or a hint where there is none.
func newField(hint, text string, onChanged func(string)) *entry {
	e := newEntry()
	e.SetPlaceHolder(hint)
	e.SetText(text)
	e.OnChanged = onChanged
	return e
}

func (e *entry) FocusGained() { e.Entry.FocusGained(); reveal(e) }

func (e *entry) TypedKey(k *fyne.KeyEvent) {
	if !gaveEscape(e, k) {
		e.Entry.TypedKey(k)
	}
}

// goTo puts the cursor at a place of the text, from 1, where no line before it is too long to
// stand in one row.
func (e *entry) goTo(line, column int) {
	lines := strings.Split(e.Text, "\n")
	room := e.Size().Width - 4*theme.InnerPadding()
	for _, l := range lines[:min(line, len(lines))] {
		if fyne.MeasureText(l, theme.TextSize(), e.TextStyle).Width > room {
			return
		}
	}
	e.CursorRow, e.CursorColumn = line-1, column-1
	e.Refresh()
}

// AcceptsTab implements fyne.Tabbable: Tab leaves also a text of several lines.
func (e *entry) AcceptsTab() bool { return false }

// selectEntry is Fyne's.
type selectEntry struct{ widget.SelectEntry }

func newSelectEntry(options []string) *selectEntry {
	e := &selectEntry{}
	e.ExtendBaseWidget(e)
	e.Wrapping = fyne.TextWrap(fyne.TextTruncateClip)
	e.SetOptions(options)
	return e
}

func (e *selectEntry) TypedKey(k *fyne.KeyEvent) {
	if !gaveEscape(e, k) {
		e.SelectEntry.TypedKey(k)
	}
}

// checkbox is Fyne's.
type checkbox struct{ widget.Check }

func newCheck(text string, onChanged func(bool)) *checkbox {
	c := &checkbox{}
	c.Text, c.OnChanged = text, onChanged
	c.ExtendBaseWidget(c)
	return c
}

func (c *checkbox) Tapped(e *fyne.PointEvent) { safe(func() { c.Check.Tapped(e) })() }

func (c *checkbox) FocusGained() { c.Check.FocusGained(); reveal(c) }

func (c *checkbox) TypedKey(k *fyne.KeyEvent) {
	if !gaveEscape(c, k) {
		c.Check.TypedKey(k)
	}
}

// selector is Fyne's Select.
type selector struct{ widget.Select }

func newSelector(options []string) *selector {
	s := &selector{}
	s.Options, s.PlaceHolder = options, "(Select one)"
	s.ExtendBaseWidget(s)
	return s
}

func (s *selector) FocusGained() { s.Select.FocusGained(); reveal(s) }

func (s *selector) TypedKey(k *fyne.KeyEvent) {
	if !gaveEscape(s, k) {
		s.Select.TypedKey(k)
	}
}

// newChoice is a selector of one of several values.
func newChoice[T comparable](values []T, words func(T) string, chosen T, choose func(T)) *selector {
	texts := wording.Each(values, words)
	s := newSelector(texts)
	s.SetSelectedIndex(slices.Index(values, chosen))
	s.OnChanged = func(string) { choose(values[s.SelectedIndex()]) }
	return s
}

// radio is a choice of one, as pressables. (What Fyne's own is made of takes the
// focus, and cannot be told to give Escape away.)
type radio struct {
	box       *fyne.Container
	Selected  string // empty for none
	OnChanged func(string)
	icons     map[string]*widget.Icon // by option
	rows      []*pressable
}

// newRadio lists options under each other, where long ones take several lines, or in a row.
func newRadio(inRow bool, options []string, onChanged func(string)) *radio {
	layout := stacked
	if inRow {
		layout = fynelayout.NewHBoxLayout()
	}
	r := &radio{box: container.New(layout), OnChanged: onChanged, icons: map[string]*widget.Icon{}}
	for _, option := range options {
		icon := widget.NewIcon(theme.RadioButtonIcon())
		label := widget.NewLabel(option)
		if !inRow {
			label = wrapped(label)
		}
		named := container.NewBorder(nil, nil, icon, nil, label)
		row := newPressable(named, "", func() { r.setSelected(option) })
		row.inset = 1
		r.icons[option], r.rows = icon, append(r.rows, row)
		r.box.Add(row)
	}
	return r
}

// newRadioOf is a choice of one of several values.
func newRadioOf[T comparable](inRow bool, values []T, words func(T) string, chosen T, choose func(T)) *radio {
	texts := wording.Each(values, words)
	r := newRadio(inRow, texts, nil)
	r.setSelected(texts[slices.Index(values, chosen)])
	r.OnChanged = func(text string) { choose(values[slices.Index(texts, text)]) }
	return r
}

// setSelected chooses an option; "" none.
func (r *radio) setSelected(option string) {
	if option == r.Selected {
		return
	}
	if old := r.icons[r.Selected]; old != nil {
		old.SetResource(theme.RadioButtonIcon())
	}
	if chosen := r.icons[option]; chosen != nil {
		chosen.SetResource(theme.RadioButtonCheckedIcon())
	}
	r.Selected = option
	if r.OnChanged != nil {
		r.OnChanged(option)
	}
}

// newFolded is a line that shows what belongs to it when it is pressed, and hides it
// when it is pressed again.
func newFolded(title string, content fyne.CanvasObject) fyne.CanvasObject {
	icon := widget.NewIcon(theme.MenuExpandIcon())
	var box *fyne.Container
	line := newPressable(container.NewHBox(icon, bold(title)), "", func() {
		if content.Visible() {
			content.Hide()
			icon.SetResource(theme.MenuExpandIcon())
		} else {
			content.Show()
			icon.SetResource(theme.MenuDropDownIcon())
		}
		box.Refresh()
	})
	content.Hide()
	box = container.NewVBox(line, content)
	return box
}

// tight sets objects side by side so that the padding of labels overlaps.
var tight = fynelayout.NewCustomPaddedHBoxLayout(-6)

// stacked sets labels under each other so that their own padding overlaps.
var stacked = fynelayout.NewCustomPaddedVBoxLayout(-10)

// fixed gives its one object a width or a height of its own; 0 leaves it.
type fixed fyne.Size

func fixedWidth(w float32) fyne.Layout  { return fixed{Width: w} }
func fixedHeight(h float32) fyne.Layout { return fixed{Height: h} }

func (fixed) Layout(objects []fyne.CanvasObject, size fyne.Size) { objects[0].Resize(size) }

func (f fixed) MinSize(objects []fyne.CanvasObject) fyne.Size {
	m := objects[0].MinSize()
	if f.Width > 0 {
		m.Width = f.Width
	}
	if f.Height > 0 {
		m.Height = f.Height
	}
	return m
}

// margins insets its objects by different amounts on each side.
type margins = fynelayout.CustomPaddedLayout
