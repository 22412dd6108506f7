package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// copyable offers to copy what it shows, by a click with the second button. It is
// no part of flow because Fyne gives every click to the innermost object that hears
// any: text that hears the second button would swallow the first within a pressable.
type copyable struct {
	widget.BaseWidget
	content fyne.CanvasObject
	onCopy  func()
}

func newCopyable(content fyne.CanvasObject, onCopy func()) *copyable {
	c := &copyable{content: content, onCopy: onCopy}
	c.ExtendBaseWidget(c)
	return c
}

// TappedSecondary implements fyne.SecondaryTappable.
func (c *copyable) TappedSecondary(e *fyne.PointEvent) {
	if on := fyne.CurrentApp().Driver().CanvasForObject(c); on != nil {
		copyThis := fyne.NewMenuItemWithIcon("Copy this sentence", theme.ContentCopyIcon(), c.onCopy)
		widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", copyThis), on, e.AbsolutePosition)
	}
}

// CreateRenderer implements fyne.Widget.
func (c *copyable) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(c.content) }
