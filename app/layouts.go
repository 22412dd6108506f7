package app

import (
	"fyne.io/fyne/v2"
	fynelayout "fyne.io/fyne/v2/layout"
)

// tight sets objects side by side so that the padding of labels overlaps.
var tight = fynelayout.NewCustomPaddedHBoxLayout(-6)

// stacked sets labels under each other so that their own padding overlaps.
var stacked = fynelayout.NewCustomPaddedVBoxLayout(-10)

// fixed gives its one object a width or a height of its own; 0 leaves it.
type fixed fyne.Size

func fixedWidth(w float32) fyne.Layout  { return fixed{Width: w} }
func fixedHeight(h float32) fyne.Layout { return fixed{Height: h} }

// Layout implements fyne.Layout.
func (fixed) Layout(objects []fyne.CanvasObject, size fyne.Size) { objects[0].Resize(size) }

// MinSize implements fyne.Layout.
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
