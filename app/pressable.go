package app

import (
	"image/color"

	"fyne.io/fyne/v2"
	fynecanvas "fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// tappable is what can be pressed like a button: it takes the focus, answers to Enter
// and Space, and knows whether the pointer is on it.
type tappable struct {
	widget.BaseWidget
	self     fyne.CanvasObject // what embeds it, as Fyne knows it
	onTapped func()
	// onHover, if set, is told when the pointer comes and goes.
	onHover func(in bool)
	// onHint, if set, is given hint while the pointer or the focus is here, and
	// "" when it leaves.
	onHint func(string)
	hint   string

	hovered, focused, disabled bool
}

func (t *tappable) extend(self fyne.Widget) {
	t.self = self
	t.ExtendBaseWidget(self)
}

// setDisabled makes t deaf, or wakes it.
func (t *tappable) setDisabled(disabled bool) {
	if t.disabled != disabled {
		t.disabled = disabled
		t.Refresh()
	}
}

// Tapped implements fyne.Tappable.
func (t *tappable) Tapped(*fyne.PointEvent) {
	if t.onTapped != nil && !t.disabled {
		safe(t.onTapped)()
	}
}

// MouseIn implements desktop.Hoverable.
func (t *tappable) MouseIn(*desktop.MouseEvent) { t.hover(true) }

// MouseMoved implements desktop.Hoverable.
func (t *tappable) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (t *tappable) MouseOut() { t.hover(false) }

func (t *tappable) hover(in bool) {
	t.hovered = in
	t.changed()
	if t.onHover != nil {
		t.onHover(in)
	}
}

// Cursor implements desktop.Cursorable.
func (t *tappable) Cursor() desktop.Cursor { return desktop.PointerCursor }

// FocusGained implements fyne.Focusable.
func (t *tappable) FocusGained() { t.focused = true; t.changed() }

// FocusLost implements fyne.Focusable.
func (t *tappable) FocusLost() { t.focused = false; t.changed() }

// TypedRune implements fyne.Focusable.
func (t *tappable) TypedRune(rune) {}

// TypedKey implements fyne.Focusable.
func (t *tappable) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		t.Tapped(nil)
	default:
		gaveEscape(t.self, e)
	}
}

func (t *tappable) changed() {
	t.Refresh()
	switch {
	case t.onHint == nil:
	case t.hovered || t.focused:
		t.onHint(t.hint)
	default:
		t.onHint("")
	}
}

// pressable makes any content into a button, which shows when it is hovered, focused
// or chosen.
type pressable struct {
	tappable
	content fyne.CanvasObject
	ground  fyne.ThemeColorName // empty for none
	inset   float32
	chosen  bool
}

func newPressable(content fyne.CanvasObject, ground fyne.ThemeColorName, onTapped func()) *pressable {
	p := &pressable{content: content, ground: ground, inset: 4}
	p.onTapped = onTapped
	p.extend(p)
	return p
}

// setChosen marks p as the one that is open or selected.
func (p *pressable) setChosen(chosen bool) {
	if p.chosen != chosen {
		p.chosen = chosen
		p.Refresh()
	}
}

// CreateRenderer implements fyne.Widget.
func (p *pressable) CreateRenderer() fyne.WidgetRenderer {
	r := &pressableRenderer{
		p: p, ground: fynecanvas.NewRectangle(color.Transparent), wash: fynecanvas.NewRectangle(color.Transparent),
		veil: fynecanvas.NewRectangle(color.Transparent),
	}
	r.Refresh()
	return r
}

type pressableRenderer struct {
	p                  *pressable
	ground, wash, veil *fynecanvas.Rectangle // wash lies on the ground and says hovered or chosen
}

func (r *pressableRenderer) Layout(size fyne.Size) {
	r.ground.Resize(size)
	r.wash.Resize(size)
	r.veil.Resize(size)
	r.p.content.Move(fyne.NewSquareOffsetPos(r.p.inset))
	r.p.content.Resize(size.SubtractWidthHeight(2*r.p.inset, 2*r.p.inset))
}

func (r *pressableRenderer) MinSize() fyne.Size {
	return r.p.content.MinSize().AddWidthHeight(2*r.p.inset, 2*r.p.inset)
}

func (r *pressableRenderer) Refresh() {
	r.ground.CornerRadius, r.wash.CornerRadius = 7, 7
	r.ground.FillColor, r.ground.StrokeWidth = color.Transparent, 0
	if r.p.ground != "" {
		r.ground.FillColor = theme.Color(r.p.ground)
		r.ground.StrokeColor, r.ground.StrokeWidth = theme.Color(colorBorder), 1
	}
	r.wash.FillColor, r.wash.StrokeWidth = color.Transparent, 0
	switch {
	case r.p.chosen:
		r.wash.FillColor = theme.Color(theme.ColorNameSelection)
	case r.p.hovered:
		r.wash.FillColor = theme.Color(theme.ColorNameHover)
	}
	if r.p.focused {
		r.wash.StrokeColor, r.wash.StrokeWidth = theme.Color(theme.ColorNamePrimary), 2
	}
	if r.p.disabled {
		// A veil of the pane's colour dims whatever the content is.
		r.veil.FillColor = veil(theme.Color(colorSurface))
	} else {
		r.veil.FillColor = color.Transparent
	}
	r.ground.Refresh()
	r.wash.Refresh()
	r.veil.Refresh()
}

// veil is c at two thirds.
func veil(c color.Color) color.Color {
	const alpha = 0xa8
	n, ok := color.NRGBAModel.Convert(c).(color.NRGBA)
	if !ok {
		return color.Transparent
	}
	n.A = alpha
	return n
}

func (r *pressableRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.ground, r.wash, r.p.content, r.veil}
}

func (r *pressableRenderer) Destroy() {}

// iconButton is a small button that shows an icon and says in words, in the
// status line, what it does.
func iconButton(icon fyne.Resource, hint string, onHint func(string), onTapped func()) *pressable {
	p := newPressable(widget.NewIcon(icon), "", onTapped)
	p.inset, p.hint, p.onHint = 7, hint, onHint
	return p
}
