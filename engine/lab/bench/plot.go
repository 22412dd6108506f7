package bench

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Plot is a figure of one or more panels beside each other.
type Plot struct {
	Title string
	// Text says what the figure shows, for those who do not see it.
	Text string
	// Note stands below the curves' names; may be empty.
	Note   string
	Panels []Panel
}

// Panel is one pair of axes with its curves.
type Panel struct {
	Title  string
	X, Y   Axis
	Curves []Curve
}

// Axis is one axis.
type Axis struct {
	Label string
	// Log says that the axis is logarithmic; values that are not above 0 are then
	// left out.
	Log bool
	// Format writes the value of a tick.
	//
	// The default value writes the number.
	Format func(v float64) string
}

// Curve is a line through points, in their order, and fainter points around it.
type Curve struct {
	Name   string
	Points []PlotPoint
	Faint  []PlotPoint
}

// PlotPoint is a point of a curve. An open one is drawn hollow, for a bound
// rather than a value.
type PlotPoint struct {
	X, Y float64
	Open bool
}

// Sizes, in the units of the picture.
const (
	panelWidth   = 440.0
	plotLeft     = 80.0 // of the axes within a panel
	plotTop      = 64.0
	plotWidth    = 332.0
	plotHeight   = 260.0
	legendTop    = plotTop + plotHeight + 66
	legendRow    = 20.0
	legendColumn = 184.0
	markSize     = 4.0
)

// curveStyles are told apart by colour, by mark and by dash, so that no reader
// depends on colours alone. The colours are those of Okabe and Ito, darker for
// light pages and lighter for dark ones.
var curveStyles = []struct{ light, dark, mark, dash string }{
	{"#0060a0", "#6cb8f0", "circle", ""},
	{"#b84800", "#f09a50", "square", "6 3"},
	{"#00765a", "#3cc8a0", "triangle", "2 3"},
	{"#a03c78", "#e69ac8", "diamond", "8 3 2 3"},
	{"#6a5a00", "#e0d050", "cross", "10 4"},
	{"#444444", "#c8c8c8", "ring", "1 4"},
}

// WriteSVG writes the figure. The bytes depend on the figure alone.
func (p *Plot) WriteSVG(w io.Writer) error {
	rows := 0
	for _, panel := range p.Panels {
		rows = max(rows, (len(panel.Curves)+1)/2)
	}
	width, height := panelWidth*float64(max(1, len(p.Panels))), legendTop+legendRow*float64(rows)+28
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title desc" viewBox="0 0 %s %s" width="%s" height="%s">`+"\n",
		num(width), num(height), num(width), num(height))
	fmt.Fprintf(b, "<title id=\"title\">%s</title>\n<desc id=\"desc\">%s</desc>\n", html.EscapeString(p.Title), html.EscapeString(p.Text))
	writeStyle(b)
	fmt.Fprintf(b, "<rect class=\"page\" width=\"%s\" height=\"%s\"/>\n", num(width), num(height))
	fmt.Fprintf(b, "<text class=\"title\" x=\"%s\" y=\"24\" text-anchor=\"middle\">%s</text>\n", num(width/2), html.EscapeString(p.Title))
	for i, panel := range p.Panels {
		fmt.Fprintf(b, "<g transform=\"translate(%s 0)\">\n", num(panelWidth*float64(i)))
		panel.write(b)
		fmt.Fprint(b, "</g>\n")
	}
	if p.Note != "" {
		fmt.Fprintf(b, "<text x=\"%s\" y=\"%s\" text-anchor=\"middle\">%s</text>\n", num(width/2), num(height-12), html.EscapeString(p.Note))
	}
	fmt.Fprint(b, "</svg>\n")
	return b.Flush()
}

func writeStyle(w io.Writer) {
	fmt.Fprint(w, "<style>\n"+
		"text { font: 12px system-ui, sans-serif; fill: #222 }\n.title { font-size: 15px; font-weight: 600 }\n.head { font-weight: 600 }\n"+
		".page { fill: #fff }\n.grid { stroke: #ddd; stroke-width: 1 }\n.axis { stroke: #666; stroke-width: 1; fill: none }\n")
	for i, s := range curveStyles {
		fmt.Fprintf(w, ".c%d { stroke: %s; fill: %s }\n", i, s.light, s.light)
	}
	fmt.Fprint(w, "@media (prefers-color-scheme: dark) {\n"+
		"text { fill: #ddd }\n.page { fill: #16181c }\n.grid { stroke: #33373d }\n.axis { stroke: #999 }\n")
	for i, s := range curveStyles {
		fmt.Fprintf(w, ".c%d { stroke: %s; fill: %s }\n", i, s.dark, s.dark)
	}
	// Classes rather than attributes, which these rules would override.
	fmt.Fprint(w, "}\n.line { fill: none; stroke-width: 2 }\n.open { fill: none; stroke-width: 1.5 }\n.faint { opacity: 0.35 }\n</style>\n")
}

func (p *Panel) write(w io.Writer) {
	x := newScale(p.X, p.values(func(q PlotPoint) float64 { return q.X }), plotLeft, plotLeft+plotWidth)
	y := newScale(p.Y, p.values(func(q PlotPoint) float64 { return q.Y }), plotTop+plotHeight, plotTop)
	fmt.Fprintf(w, "<text class=\"head\" x=\"%s\" y=\"50\" text-anchor=\"middle\">%s</text>\n", num(plotLeft+plotWidth/2), html.EscapeString(p.Title))
	for _, t := range x.ticks {
		at := num(x.at(t.value))
		fmt.Fprintf(w, "<path class=\"grid\" d=\"M%s %sV%s\"/>\n", at, num(plotTop), num(plotTop+plotHeight))
		if t.named {
			fmt.Fprintf(w, "<text x=\"%s\" y=\"%s\" text-anchor=\"middle\">%s</text>\n", at, num(plotTop+plotHeight+18), html.EscapeString(x.format(t.value)))
		}
	}
	for _, t := range y.ticks {
		at := y.at(t.value)
		fmt.Fprintf(w, "<path class=\"grid\" d=\"M%s %sH%s\"/>\n", num(plotLeft), num(at), num(plotLeft+plotWidth))
		if t.named {
			fmt.Fprintf(w, "<text x=\"%s\" y=\"%s\" text-anchor=\"end\">%s</text>\n", num(plotLeft-8), num(at+4), html.EscapeString(y.format(t.value)))
		}
	}
	fmt.Fprintf(w, "<path class=\"axis\" d=\"M%s %sV%sH%s\"/>\n", num(plotLeft), num(plotTop), num(plotTop+plotHeight), num(plotLeft+plotWidth))
	fmt.Fprintf(w, "<text x=\"%s\" y=\"%s\" text-anchor=\"middle\">%s</text>\n", num(plotLeft+plotWidth/2), num(plotTop+plotHeight+40), html.EscapeString(p.X.Label))
	fmt.Fprintf(w, "<text transform=\"translate(14 %s) rotate(-90)\" text-anchor=\"middle\">%s</text>\n", num(plotTop+plotHeight/2), html.EscapeString(p.Y.Label))
	for i, c := range p.Curves {
		c.write(w, i, p, func(q PlotPoint) (float64, float64) { return x.at(q.X), y.at(q.Y) })
		at := fmt.Sprintf("translate(%s %s)", num(plotLeft-48+legendColumn*1.1*float64(i%2)), num(legendTop+legendRow*float64(i/2)))
		fmt.Fprintf(w, "<g transform=\"%s\">", at)
		(&Curve{Points: []PlotPoint{{X: 0}, {X: 28}}}).line(w, i, func(q PlotPoint) (float64, float64) { return q.X, 0 })
		mark(w, i, 14, 0, false)
		fmt.Fprintf(w, "<text x=\"36\" y=\"4\">%s</text></g>\n", html.EscapeString(c.Name))
	}
}

// values are those of all points that lie on the panel.
func (p *Panel) values(of func(q PlotPoint) float64) []float64 {
	var vs []float64
	for _, c := range p.Curves {
		for _, q := range slices.Concat(c.Points, c.Faint) {
			if p.shows(q) {
				vs = append(vs, of(q))
			}
		}
	}
	return vs
}

func (p *Panel) shows(q PlotPoint) bool {
	return (!p.X.Log || q.X > 0) && (!p.Y.Log || q.Y > 0)
}

func (c *Curve) write(w io.Writer, i int, p *Panel, on func(q PlotPoint) (x, y float64)) {
	shown := func(points []PlotPoint) []PlotPoint {
		return slices.DeleteFunc(slices.Clone(points), func(q PlotPoint) bool { return !p.shows(q) })
	}
	fmt.Fprintf(w, "<g><title>%s</title>", html.EscapeString(c.Name))
	for _, q := range shown(c.Faint) {
		x, y := on(q)
		fmt.Fprintf(w, "<circle class=\"c%d faint\" cx=\"%s\" cy=\"%s\" r=\"2\"/>", i%len(curveStyles), num(x), num(y))
	}
	points := shown(c.Points)
	(&Curve{Points: points}).line(w, i, on)
	for _, q := range points {
		x, y := on(q)
		mark(w, i, x, y, q.Open)
	}
	fmt.Fprint(w, "</g>\n")
}

// line draws the curve's line.
func (c *Curve) line(w io.Writer, i int, on func(q PlotPoint) (x, y float64)) {
	if len(c.Points) < 2 {
		return
	}
	var d strings.Builder
	for j, q := range c.Points {
		x, y := on(q)
		command := "L"
		if j == 0 {
			command = "M"
		}
		d.WriteString(command + num(x) + " " + num(y))
	}
	s := curveStyles[i%len(curveStyles)]
	fmt.Fprintf(w, "<path class=\"c%d line\" stroke-dasharray=\"%s\" d=\"%s\"/>", i%len(curveStyles), orNone(s.dash), d.String())
}

func orNone(dash string) string {
	if dash == "" {
		return "none"
	}
	return dash
}

// mark draws the mark of curve i at a point.
func mark(w io.Writer, i int, x, y float64, open bool) {
	class := fmt.Sprintf("c%d", i%len(curveStyles))
	if open {
		class += " open"
	}
	path := func(d string, args ...float64) {
		texts := make([]any, len(args))
		for j, a := range args {
			texts[j] = num(a)
		}
		fmt.Fprintf(w, "<path class=\"%s\" d=\"%s\"/>", class, fmt.Sprintf(d, texts...))
	}
	r := markSize
	switch curveStyles[i%len(curveStyles)].mark {
	case "square":
		path("M%s %sH%sV%sH%sZ", x-r, y-r, x+r, y+r, x-r)
	case "triangle":
		path("M%s %sL%s %sL%s %sZ", x, y-r-1, x+r+1, y+r, x-r-1, y+r)
	case "diamond":
		path("M%s %sL%s %sL%s %sL%s %sZ", x, y-r-1, x+r+1, y, x, y+r+1, x-r-1, y)
	case "cross":
		path("M%s %sL%s %sM%s %sL%s %s", x-r, y-r, x+r, y+r, x-r, y+r, x+r, y-r)
	case "ring":
		fmt.Fprintf(w, "<circle class=\"%s open\" cx=\"%s\" cy=\"%s\" r=\"%s\"/>", class, num(x), num(y), num(r+1))
	default:
		fmt.Fprintf(w, "<circle class=\"%s\" cx=\"%s\" cy=\"%s\" r=\"%s\"/>", class, num(x), num(y), num(r))
	}
}

// num writes a length with one decimal at most.
func num(v float64) string {
	return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64)
}
