package app

import (
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	fynecanvas "fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"cairn/canvas"
)

// levelShown is how full the bar of the legend is.
const levelShown = 0.7

// legendOf says what the marks of a picture mean.
func legendOf(m canvas.Model) []fyne.CanvasObject {
	marked := slices.ContainsFunc(m.Nodes, func(n canvas.Node) bool { return n.Mark != "" })
	known, variable := "named in the question", "found on the way"
	if marked { // there is one entry more to make room for
		known, variable = "in the question", "on the way"
	}
	entries := []fyne.CanvasObject{
		newSwatch(canvas.Known), caption(known),
		newSwatch(canvas.Variable), caption(variable),
		newSwatch(canvas.Answer), caption("answer"),
	}
	if slices.ContainsFunc(m.Edges, func(e canvas.Edge) bool { return e.Dashed }) {
		entries = append(entries, bold("– –"), caption(m.Dashed))
	}
	if marked {
		entries = append(entries, container.New(fixedWidth(20), newLevel(levelShown)), caption(m.Level))
	}
	return entries
}

// swatch is a small node of the picture, in the colours and the outline of its
// role.
type swatch struct {
	widget.BaseWidget
	role canvas.Role
}

func newSwatch(r canvas.Role) *swatch {
	s := &swatch{role: r}
	s.ExtendBaseWidget(s)
	return s
}

// CreateRenderer implements fyne.Widget.
func (s *swatch) CreateRenderer() fyne.WidgetRenderer {
	r := &swatchRenderer{s: s, box: fynecanvas.NewRectangle(color.Transparent), mark: fynecanvas.NewText("", color.Black)}
	r.Refresh()
	return r
}

type swatchRenderer struct {
	s    *swatch
	box  *fynecanvas.Rectangle
	mark *fynecanvas.Text
}

// The swatch's measure in Fyne units.
const (
	swatchWidth  = 26
	swatchHeight = 17
)

func (r *swatchRenderer) Layout(size fyne.Size) {
	at := fyne.NewPos(4, (size.Height-swatchHeight)/2)
	r.box.Move(at)
	r.box.Resize(fyne.NewSize(swatchWidth, swatchHeight))
	r.mark.Move(at)
	r.mark.Resize(fyne.NewSize(swatchWidth, swatchHeight))
}

func (r *swatchRenderer) MinSize() fyne.Size { return fyne.NewSize(swatchWidth+4, swatchHeight) }

func (r *swatchRenderer) Refresh() {
	pal := canvas.ThemePalette()
	r.mark.TextSize, r.mark.Alignment, r.mark.TextStyle.Bold = 11, fyne.TextAlignCenter, true
	switch r.s.role {
	case canvas.Known:
		r.box.FillColor, r.box.StrokeColor, r.box.StrokeWidth, r.box.CornerRadius = pal.KnownFill, pal.Known, 1.6, 2
		r.mark.Text, r.mark.Color = "“", pal.Known
	case canvas.Variable:
		r.box.FillColor, r.box.StrokeColor, r.box.StrokeWidth, r.box.CornerRadius = pal.VariableFill, pal.Variable, 1.2, 8
		r.mark.Text, r.mark.Color = "?", pal.Variable
	case canvas.Answer:
		r.box.FillColor, r.box.StrokeColor, r.box.StrokeWidth, r.box.CornerRadius = pal.AnswerFill, pal.Answer, 2.4, 5
		r.mark.Text, r.mark.Color = "✓", pal.Answer
	case canvas.Plain, canvas.Rest:
		r.box.FillColor, r.box.StrokeColor, r.box.StrokeWidth, r.box.CornerRadius = pal.Card, pal.Line, 1, 5
	}
	r.box.Refresh()
	r.mark.Refresh()
}

func (r *swatchRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.box, r.mark} }

func (r *swatchRenderer) Destroy() {}
