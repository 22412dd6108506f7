package app

import (
	"image/color"

	"fyne.io/fyne/v2"
	fynecanvas "fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// panel is rounded ground, thin border, content inset.
type panel struct {
	widget.BaseWidget
	content fyne.CanvasObject
	ground  fyne.ThemeColorName
	border  fyne.ThemeColorName // empty for none
	inset   float32
	radius  float32
}

const paneRadius = 9

func newPanel(content fyne.CanvasObject, ground fyne.ThemeColorName, inset float32) *panel {
	s := &panel{content: content, ground: ground, border: colorBorder, inset: inset, radius: paneRadius}
	s.ExtendBaseWidget(s)
	return s
}

// newPane is a panel that holds one of the window's panes.
func newPane(content fyne.CanvasObject) *panel { return newPanel(content, colorSurface, 6) }

// newQuote is a panel for a quotation within a pane.
func newQuote(content fyne.CanvasObject) *panel {
	s := newPanel(content, colorSunken, 4)
	s.border, s.radius = "", 6
	return s
}

// CreateRenderer implements fyne.Widget.
func (s *panel) CreateRenderer() fyne.WidgetRenderer {
	r := &panelRenderer{s: s, ground: fynecanvas.NewRectangle(color.Transparent)}
	r.Refresh()
	return r
}

type panelRenderer struct {
	s      *panel
	ground *fynecanvas.Rectangle
}

func (r *panelRenderer) Layout(size fyne.Size) {
	r.ground.Resize(size)
	r.s.content.Move(fyne.NewSquareOffsetPos(r.s.inset))
	r.s.content.Resize(size.SubtractWidthHeight(2*r.s.inset, 2*r.s.inset))
}

func (r *panelRenderer) MinSize() fyne.Size {
	return r.s.content.MinSize().AddWidthHeight(2*r.s.inset, 2*r.s.inset)
}

func (r *panelRenderer) Refresh() {
	r.ground.FillColor = theme.Color(r.s.ground)
	r.ground.CornerRadius = r.s.radius
	r.ground.StrokeWidth = 0
	if r.s.border != "" {
		r.ground.StrokeColor, r.ground.StrokeWidth = theme.Color(r.s.border), 1
	}
	r.ground.Refresh()
}

func (r *panelRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.ground, r.s.content}
}

func (r *panelRenderer) Destroy() {}

// enable lets a button be pressed, or not.
func enable(b *button, on bool) {
	if on {
		b.Enable()
	} else {
		b.Disable()
	}
}

// caption is small secondary text.
func caption(text string) *widget.Label {
	l := widget.NewLabel(text)
	l.SizeName, l.Importance = theme.SizeNameCaptionText, widget.LowImportance
	return l
}

// wrapped lets a label break its lines at words.
func wrapped(l *widget.Label) *widget.Label {
	l.Wrapping = fyne.TextWrapWord
	return l
}

// clipped ends a label that is too wide with an ellipsis.
func clipped(l *widget.Label) *widget.Label {
	l.Truncation = fyne.TextTruncateEllipsis
	return l
}

// bold is a label in bold.
func bold(text string) *widget.Label {
	return widget.NewLabelWithStyle(text, fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
}

// heading is the title of a pane.
func heading(text string) *widget.Label {
	l := bold(text)
	l.SizeName = theme.SizeNameSubHeadingText
	return l
}

// setLabel changes a label and shows it only where there is something to say.
func setLabel(l *widget.Label, text string) {
	l.SetText(text)
	if text == "" {
		l.Hide()
	} else {
		l.Show()
	}
}
