package app

import (
	"image/color"

	"fyne.io/fyne/v2"
	fynecanvas "fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynelayout "fyne.io/fyne/v2/layout"
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

func (s *panel) CreateRenderer() fyne.WidgetRenderer {
	ground := fynecanvas.NewRectangle(color.Transparent)
	return newPainted(container.NewStack(ground, inset(s.inset, s.content)), func() {
		ground.FillColor, ground.CornerRadius = theme.Color(s.ground), s.radius
		if s.border != "" {
			ground.StrokeColor, ground.StrokeWidth = theme.Color(s.border), 1
		}
	})
}

// painted renders a widget that is objects in colours of the theme, which paint sets.
type painted struct {
	fyne.WidgetRenderer
	paint func()
}

func newPainted(objects fyne.CanvasObject, paint func()) fyne.WidgetRenderer {
	paint()
	return painted{widget.NewSimpleRenderer(objects), paint}
}

func (r painted) Refresh() {
	r.paint()
	r.WidgetRenderer.Refresh()
}

// inset keeps an object off what surrounds it.
func inset(by float32, o fyne.CanvasObject) fyne.CanvasObject {
	return container.New(fynelayout.NewCustomPaddedLayout(by, by, by, by), o)
}

// enable lets a button be pressed, or not.
func enable(o fyne.Disableable, on bool) {
	if on {
		o.Enable()
	} else {
		o.Disable()
	}
}

// scrolled shows what may be longer than its place, beside a scroll bar.
func scrolled(o fyne.CanvasObject) *container.Scroll {
	return container.NewVScroll(container.New(margins{RightPadding: 12}, o))
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

func warning(l *widget.Label) *widget.Label {
	l.Importance = widget.WarningImportance
	return wrapped(l)
}

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
	show(l, text != "")
}

// captioned puts before a control what it is for.
func captioned(text string, o fyne.CanvasObject) fyne.CanvasObject {
	return container.NewBorder(nil, nil, caption(text), nil, o)
}
