package app

import (
	"image/color"

	"fyne.io/fyne/v2"
	fynecanvas "fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
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

// chipText is the size of its text.
const chipText = 12.5

// CreateRenderer implements fyne.Widget.
func (c *chip) CreateRenderer() fyne.WidgetRenderer {
	const insetX, insetY = 6, 1.5 // in Fyne units
	ground, text := fynecanvas.NewRectangle(color.Transparent), fynecanvas.NewText("", color.Black)
	text.TextSize, text.TextStyle.Bold, text.Alignment = chipText, true, fyne.TextAlignCenter
	ground.CornerRadius = 6
	within := container.New(margins{TopPadding: insetY, BottomPadding: insetY, LeftPadding: insetX, RightPadding: insetX}, text)
	return newPainted(container.NewStack(ground, within), func() {
		text.Text = c.text
		ground.FillColor, text.Color = theme.Color(colorChip), theme.Color(colorOnChip)
		if c.hovered || c.lit {
			ground.FillColor, text.Color = theme.Color(colorLit), theme.Color(colorOnLit)
		}
		ground.StrokeWidth = 0
		if c.focused {
			ground.StrokeWidth, ground.StrokeColor = 2, theme.Color(theme.ColorNamePrimary)
		}
	})
}
