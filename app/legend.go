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

// legendOf says what the marks in a picture mean.
func legendOf(m canvas.Model) []fyne.CanvasObject {
	marked := slices.ContainsFunc(m.Nodes, func(n canvas.Node) bool { return n.Mark != "" })
	known, variable, answer := "named in the question", "found on the way", "answer"
	if m.Doubtful {
		answer = "uncertain answer"
	}
	if marked { // there is one entry more to make room for
		known, variable = "in the question", "on the way"
	}
	var entries []fyne.CanvasObject
	for _, e := range []struct {
		role canvas.Role
		text string
	}{{canvas.Known, known}, {canvas.Variable, variable}, {canvas.Answer, answer}} {
		if slices.ContainsFunc(m.Nodes, func(n canvas.Node) bool { return n.Role == e.role }) {
			entries = append(entries, newSwatch(&m, e.role), caption(e.text))
		}
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
	of   *canvas.Model
	role canvas.Role
}

func newSwatch(of *canvas.Model, r canvas.Role) *swatch {
	s := &swatch{of: of, role: r}
	s.ExtendBaseWidget(s)
	return s
}

func (s *swatch) CreateRenderer() fyne.WidgetRenderer {
	box, mark := fynecanvas.NewRectangle(color.Transparent), fynecanvas.NewText("", color.Black)
	mark.TextSize, mark.Alignment, mark.TextStyle.Bold = 11, fyne.TextAlignCenter, true
	sized := container.NewGridWrap(fyne.NewSize(26, 17), container.NewStack(box, mark))
	return newPainted(container.NewCenter(sized), func() {
		pal := canvas.ThemePalette().For(s.of)
		switch s.role {
		case canvas.Known:
			box.FillColor, box.StrokeColor, box.StrokeWidth, box.CornerRadius, mark.Text = pal.KnownFill, pal.Known, 1.6, 2, "“"
		case canvas.Variable:
			box.FillColor, box.StrokeColor, box.StrokeWidth, box.CornerRadius, mark.Text = pal.VariableFill, pal.Variable, 1.2, 8, "?"
		case canvas.Answer:
			box.FillColor, box.StrokeColor, box.StrokeWidth, box.CornerRadius, mark.Text = pal.AnswerFill, pal.Answer, 2.4, 5, "✓"
			if s.of.Doubtful {
				mark.Text = "?"
			}
		case canvas.Plain, canvas.Rest: // not in the legend
		}
		mark.Color = box.StrokeColor
	})
}
