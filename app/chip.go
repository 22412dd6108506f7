package app

import (
	"image/color"

	"fyne.io/fyne/v2"
	fynecanvas "fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
)

// chip is a small mark that can be pressed, such as the citation T1.
type chip struct {
	tappable
	text string
	lit  bool // what it stands for is selected
}

func newChip(text string, onTapped func()) *chip {
	c := &chip{text: text}
	c.onTapped = onTapped
	c.extend(c)
	return c
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
