package app

import (
	"image/color"

	"fyne.io/fyne/v2"
	fynecanvas "fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// chip is a small mark that can be pressed, such as the citation T1. It takes
// the focus and answers to Enter and Space.
type chip struct {
	widget.BaseWidget
	text     string
	onTapped func()
	// onHover, if set, is told when the pointer comes and goes.
	onHover func(in bool)

	hovered, focused bool
	lit              bool // what it stands for is selected
}

func newChip(text string, onTapped func()) *chip {
	c := &chip{text: text, onTapped: onTapped}
	c.ExtendBaseWidget(c)
	return c
}

// Tapped implements fyne.Tappable.
func (c *chip) Tapped(*fyne.PointEvent) {
	if c.onTapped != nil {
		c.onTapped()
	}
}

// MouseIn implements desktop.Hoverable.
func (c *chip) MouseIn(*desktop.MouseEvent) { c.hover(true) }

// MouseMoved implements desktop.Hoverable.
func (c *chip) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (c *chip) MouseOut() { c.hover(false) }

func (c *chip) hover(in bool) {
	c.hovered = in
	c.Refresh()
	if c.onHover != nil {
		c.onHover(in)
	}
}

// Cursor implements desktop.Cursorable.
func (c *chip) Cursor() desktop.Cursor { return desktop.PointerCursor }

// FocusGained implements fyne.Focusable.
func (c *chip) FocusGained() { c.focused = true; c.Refresh() }

// FocusLost implements fyne.Focusable.
func (c *chip) FocusLost() { c.focused = false; c.Refresh() }

// TypedRune implements fyne.Focusable.
func (c *chip) TypedRune(rune) {}

// TypedKey implements fyne.Focusable.
func (c *chip) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		c.Tapped(nil)
	default:
		gaveEscape(c, e)
	}
}

// CreateRenderer implements fyne.Widget.
func (c *chip) CreateRenderer() fyne.WidgetRenderer {
	r := &chipRenderer{c: c, ground: fynecanvas.NewRectangle(color.Transparent), text: fynecanvas.NewText(c.text, color.Black)}
	r.Refresh()
	return r
}

type chipRenderer struct {
	c      *chip
	ground *fynecanvas.Rectangle
	text   *fynecanvas.Text
}

// The chip's measure in Fyne units.
const (
	chipText   = 12.5
	chipInsetX = 6
	chipInsetY = 1.5
)

func (r *chipRenderer) Layout(size fyne.Size) {
	r.ground.Resize(size)
	r.text.Move(fyne.NewPos(chipInsetX, chipInsetY))
	r.text.Resize(size.SubtractWidthHeight(2*chipInsetX, 2*chipInsetY))
}

func (r *chipRenderer) MinSize() fyne.Size {
	return r.text.MinSize().AddWidthHeight(2*chipInsetX, 2*chipInsetY)
}

func (r *chipRenderer) Refresh() {
	r.text.Text, r.text.TextSize, r.text.TextStyle.Bold = r.c.text, chipText, true
	r.text.Alignment = fyne.TextAlignCenter
	r.ground.CornerRadius = 6
	r.ground.FillColor, r.text.Color = theme.Color(colorChip), theme.Color(colorOnChip)
	if r.c.hovered || r.c.lit {
		r.ground.FillColor, r.text.Color = theme.Color(colorLit), theme.Color(colorOnLit)
	}
	r.ground.StrokeWidth = 0
	if r.c.focused {
		r.ground.StrokeWidth, r.ground.StrokeColor = 2, theme.Color(theme.ColorNamePrimary)
	}
	r.ground.Refresh()
	r.text.Refresh()
}

func (r *chipRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.ground, r.text} }

func (r *chipRenderer) Destroy() {}
