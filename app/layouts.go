package app

import (
	"fyne.io/fyne/v2"
	fynelayout "fyne.io/fyne/v2/layout"
)

// equalWidths sets objects side by side, all of one width.
type equalWidths struct{ gap float32 }

// Layout implements fyne.Layout.
func (l equalWidths) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	n := float32(len(objects))
	width := (size.Width - l.gap*(n-1)) / n
	for i, o := range objects {
		o.Move(fyne.NewPos(float32(i)*(width+l.gap), 0))
		o.Resize(fyne.NewSize(width, size.Height))
	}
}

// MinSize implements fyne.Layout.
func (l equalWidths) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var m fyne.Size
	for _, o := range objects {
		m = m.Max(o.MinSize())
	}
	n := float32(len(objects))
	return fyne.NewSize(m.Width*n+l.gap*(n-1), m.Height)
}

// tight sets objects side by side at their own widths without padding, the last
// one at the right end where it may be cut off by none.
type tight struct{}

const iconSide = 16

// Layout implements fyne.Layout.
func (tight) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	var x float32
	for i, o := range objects {
		m := o.MinSize()
		if i == 0 {
			o.Move(fyne.NewPos(4, (size.Height-iconSide)/2))
			o.Resize(fyne.NewSquareSize(iconSide))
			x = iconSide
			continue
		}
		at := x
		if i == len(objects)-1 {
			at = max(x, size.Width-m.Width)
		}
		o.Move(fyne.NewPos(at, (size.Height-m.Height)/2))
		o.Resize(m)
		x += m.Width - 6
	}
}

// MinSize implements fyne.Layout.
func (tight) MinSize(objects []fyne.CanvasObject) fyne.Size {
	m := fyne.NewSize(iconSide, iconSide)
	for _, o := range objects[1:] {
		s := o.MinSize()
		m.Width += s.Width - 6
		m.Height = max(m.Height, s.Height)
	}
	return m
}

// stacked sets labels under each other so that their own padding overlaps.
var stacked = fynelayout.NewCustomPaddedVBoxLayout(-10)

// fixedHeight gives its one object a height of its own.
type fixedHeight float32

// Layout implements fyne.Layout.
func (h fixedHeight) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Resize(size)
	}
}

// MinSize implements fyne.Layout.
func (h fixedHeight) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(objects[0].MinSize().Width, float32(h))
}

// margins insets its objects by different amounts on each side.
type margins = fynelayout.CustomPaddedLayout
