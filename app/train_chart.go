package app

import (
	"image/color"
	"math"
	"strconv"

	"fyne.io/fyne/v2"
	fynecanvas "fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"cairn/app/present"
	"cairn/canvas"
)

// chart draws one measure of a training over its epochs: a line for each try, the
// best epoch ringed, a cross where a try stalled.
//
//	title: which way is better
//	1.0 ┤      ╭──◯ 0.93
//	0.5 ┤  ╭───╯
//	0.0 ┼──┴───┴───┴──
//	     1     5     10
//	     epochs
type chart struct {
	root   *fyne.Container
	title  string
	fixed  bool // the scale ends at 1; otherwise at the largest value
	value  func(present.CurvePoint) float64
	curves []present.Curve
	epochs int
}

func newChart(title string, fixed bool, value func(present.CurvePoint) float64) *chart {
	c := &chart{title: title, fixed: fixed, value: value}
	c.root = container.New(c)
	return c
}

// newCharts are the two measures of a training.
func newCharts() (loss, first *chart) {
	loss = newChart("Loss (lower is better)", false, func(p present.CurvePoint) float64 { return p.Loss })
	first = newChart("Correct first answers, H@1 (higher is better)", true, func(p present.CurvePoint) float64 { return p.H1 })
	return loss, first
}

// show draws the tries of a training, on an axis of at least so many epochs.
func (c *chart) show(curves []present.Curve, epochs int) {
	c.curves, c.epochs = curves, epochs
	for _, curve := range curves {
		for _, p := range curve.Points {
			c.epochs = max(c.epochs, p.At)
		}
	}
	c.root.Refresh() // which lays it out
}

// The chart's measures in Fyne units.
const (
	chartLeft   = 42 // of the numbers of the scale
	chartTop    = 24 // of the title
	chartBottom = 34 // of the numbers and the name of the axis below
	chartRight  = 14
	chartText   = 11
	chartDots   = 60 // points; more are not marked one by one
)

// MinSize implements fyne.Layout.
func (c *chart) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(200, 150) }

// Layout implements fyne.Layout. It makes everything anew: that is a few hundred lines at most.
func (c *chart) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	c.root.Objects = nil
	c.text(c.title, fyne.NewPos(0, 0), fyne.TextAlignLeading, theme.ColorNameForeground, true)
	a := axes{
		left: chartLeft, right: size.Width - chartRight, top: chartTop, bottom: size.Height - chartBottom,
		epochs: max(2, c.epochs), highest: c.highest(),
	}
	if a.right <= a.left || a.bottom <= a.top {
		return
	}
	c.scale(a)
	for i, curve := range c.curves {
		c.name(a, curve, i)
	}
	for _, curve := range c.curves {
		c.curve(a, curve)
	}
	if len(c.curves) == 0 {
		c.text("No measurements yet.", fyne.NewPos((a.left+a.right)/2, a.top+(a.bottom-a.top)/4-8), fyne.TextAlignCenter, colorMuted, false)
	}
}

// axes turn epochs and values into places.
type axes struct {
	left, right, top, bottom float32
	epochs                   int
	highest                  float64
}

func (a axes) x(at int) float32 {
	return a.left + (a.right-a.left)*float32(at-1)/float32(a.epochs-1)
}

func (a axes) y(v float64) float32 {
	return a.bottom - (a.bottom-a.top)*float32(min(max(v/a.highest, 0), 1))
}

// highest is the upper end of the scale, a round number.
func (c *chart) highest() float64 {
	if c.fixed {
		return 1
	}
	top := 0.0
	for _, curve := range c.curves {
		for _, p := range curve.Points {
			if v := c.value(p); !math.IsNaN(v) && !math.IsInf(v, 0) {
				top = max(top, v)
			}
		}
	}
	if top <= 0 {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(top)))
	for _, step := range []float64{1, 1.5, 2, 3, 4, 5, 6, 8, 10} {
		if top <= step*unit*(1+1e-9) {
			return step * unit
		}
	}
	return 10 * unit
}

// scale draws the grid with its numbers, and says what runs along it.
func (c *chart) scale(a axes) {
	grid := theme.Color(colorBorder)
	for _, part := range []float64{0, 0.5, 1} {
		y := a.y(part * a.highest)
		c.line(fyne.NewPos(a.left, y), fyne.NewPos(a.right, y), grid, 1)
		c.text(strconv.FormatFloat(part*a.highest, 'g', 3, 64), fyne.NewPos(a.left-6, y-8), fyne.TextAlignTrailing, colorMuted, false)
	}
	for _, at := range ticks(a.epochs) {
		x := a.x(at)
		c.line(fyne.NewPos(x, a.bottom), fyne.NewPos(x, a.bottom+4), grid, 1)
		c.text(present.Count(at), fyne.NewPos(x, a.bottom+4), fyne.TextAlignCenter, colorMuted, false)
	}
	c.text("epochs (passes through the questions)", fyne.NewPos((a.left+a.right)/2, a.bottom+17), fyne.TextAlignCenter, colorMuted, false)
}

// ticks are the epochs that are numbered: the first, the last and some between.
func ticks(epochs int) []int {
	const most = 5
	step := max(1, int(math.Ceil(float64(epochs-1)/most)))
	var at []int
	for t := 1; t < epochs; t += step {
		at = append(at, t)
	}
	if n := len(at); n > 1 && epochs-at[n-1] < step {
		at = at[:n-1] // or its number would touch the last one
	}
	return append(at, epochs)
}

// name divides a try from the one before it, and names it.
func (c *chart) name(a axes, of present.Curve, index int) {
	if of.Name == "" || len(of.Points) == 0 {
		return
	}
	x := a.x(of.Points[0].At)
	if index > 0 {
		c.line(fyne.NewPos(x-2, a.top), fyne.NewPos(x-2, a.bottom), theme.Color(colorBorder), 1)
	}
	c.text(of.Name, fyne.NewPos(min(x, a.right-textWidth(of.Name))+2, a.top-2), fyne.TextAlignLeading, colorMuted, false)
}

// curve draws one try. Those that stalled are grey.
func (c *chart) curve(a axes, of present.Curve) {
	hues := canvas.ThemePalette().Hues
	var ink color.Color = hues[(of.Part-1)%len(hues)]
	width := float32(2)
	if of.Stalled {
		ink, width = theme.Color(colorMuted), 1.2
	}
	var from fyne.Position
	var last, best present.CurvePoint
	drawn := false
	for _, p := range of.Points {
		v := c.value(p)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		to := fyne.NewPos(a.x(p.At), a.y(v))
		if drawn {
			c.line(from, to, ink, width)
		}
		if len(of.Points) <= chartDots {
			c.dot(to, 2.2, ink, ink)
		}
		from, last, drawn = to, p, true
		if p.Best {
			best = p
		}
	}
	switch {
	case !drawn:
	case of.Stalled:
		c.text("✗", fyne.NewPos(from.X, from.Y-8), fyne.TextAlignCenter, colorMuted, true)
	case c.fixed && best.At > 0:
		c.dot(fyne.NewPos(a.x(best.At), a.y(c.value(best))), 5, color.Transparent, ink) // a ring
		c.write(a, best)
	default:
		c.write(a, last)
	}
}

// write writes a point's value beside it, within the chart.
func (c *chart) write(a axes, p present.CurvePoint) {
	v := c.value(p)
	text := strconv.FormatFloat(v, 'f', 2, 64)
	x, y := a.x(p.At), a.y(v)-20
	if y < a.top {
		y = a.y(v) + 5
	}
	if right := x + 8 + textWidth(text); !c.fixed && right < a.right { // a line that falls comes from above
		c.text(text, fyne.NewPos(x+8, a.y(v)-8), fyne.TextAlignLeading, theme.ColorNameForeground, true)
		return
	}
	half := textWidth(text) / 2
	c.text(text, fyne.NewPos(min(max(x, a.left+half), a.right-half+4), y), fyne.TextAlignCenter, theme.ColorNameForeground, true)
}

func textWidth(s string) float32 {
	return fyne.MeasureText(s, chartText, fyne.TextStyle{Bold: true}).Width
}

func (c *chart) line(from, to fyne.Position, ink color.Color, width float32) {
	l := fynecanvas.NewLine(ink)
	l.Position1, l.Position2, l.StrokeWidth = from, to, width
	c.root.Objects = append(c.root.Objects, l)
}

func (c *chart) dot(at fyne.Position, radius float32, fill, stroke color.Color) {
	d := fynecanvas.NewCircle(fill)
	d.StrokeColor, d.StrokeWidth = stroke, 1.6
	d.Move(at.SubtractXY(radius, radius))
	d.Resize(fyne.NewSquareSize(2 * radius))
	c.root.Objects = append(c.root.Objects, d)
}

// text writes a text from, to or around a place, by its alignment.
func (c *chart) text(s string, at fyne.Position, align fyne.TextAlign, ink fyne.ThemeColorName, strong bool) {
	t := fynecanvas.NewText(s, theme.Color(ink))
	t.TextSize, t.TextStyle.Bold = chartText, strong
	m := t.MinSize()
	switch align {
	case fyne.TextAlignCenter:
		at.X -= m.Width / 2
	case fyne.TextAlignTrailing:
		at.X -= m.Width
	case fyne.TextAlignLeading:
	}
	t.Move(pixelsOf(c.root).snap(at.X, at.Y))
	t.Resize(m)
	c.root.Objects = append(c.root.Objects, t)
}
