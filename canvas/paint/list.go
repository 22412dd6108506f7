// Package paint turns a display list into pixels or SVG. It knows lines, curves,
// polygons, rounded boxes, discs and shaped text; it knows nothing of graphs or
// of widgets.
//
// A List is a picture: items in painting order, in device pixels, y downward.
// One goroutine fills a List; Raster may then paint it with several.
package paint

import "image/color"

// Color is straight (not premultiplied) RGBA.
type Color = color.NRGBA

// Point is a place on the picture, in device pixels.
type Point struct{ X, Y float32 }

// Kind says what an Item draws.
type Kind uint8

// The kinds of items.
const (
	Line      Kind = iota // P[0]–P[1], Width, Fill
	Path                  // cubic pieces through its points: 1+3n points; Width, Dash, Fill
	Polygon               // Fill
	RoundRect             // P[0] top left, P[1] size, Radius, Fill, Width and Stroke (inside), Dash
	Disc                  // P[0] centre, Radius, Fill, Width and Stroke (inside)
	Text                  // P[0] baseline start, Size, Bold, Fill
	Begin                 // opens a group named Text with the id ID; SVG only
	End                   // closes it
)

// Item is one thing to draw. Which fields count is said at its Kind.
type Item struct {
	Kind         Kind
	Bold         bool
	P            [2]Point
	Width        float32 // of the stroke
	Dash         float32 // length of dash and of gap; 0 draws a whole line
	Radius       float32
	Size         float32 // of the text
	Fill, Stroke Color
	Text, ID     string

	first, n               int32 // Points: pts[first : first+n]; Text: glyphs, once placed
	minX, minY, maxX, maxY float32
	run                    *run
}

// List is a display list.
type List struct {
	W, H       float32
	Background Color
	Items      []Item

	fonts  *Fonts
	pts    []Point
	glyphs []placed
}

// NewList returns an empty list whose text is shaped with f.
func NewList(f *Fonts) *List { return &List{fonts: f} }

// Reset empties the list and gives it a size and a background. Memory is kept.
func (l *List) Reset(w, h float32, background Color) {
	l.W, l.H, l.Background = w, h, background
	l.Items, l.pts = l.Items[:0], l.pts[:0]
}

// points returns the points of a Path or Polygon item.
func (l *List) points(it *Item) []Point { return l.pts[it.first : it.first+it.n] }

// Measure returns the width of s at the size given.
func (l *List) Measure(s string, size float32, bold bool) float32 {
	return l.fonts.Measure(s, size, bold)
}

func (l *List) add(it Item, grow float32) {
	it.minX -= grow
	it.minY -= grow
	it.maxX += grow
	it.maxY += grow
	l.Items = append(l.Items, it)
}

func (l *List) keep(it *Item, points []Point) {
	it.first, it.n = int32(len(l.pts)), int32(len(points))
	l.pts = append(l.pts, points...)
	it.minX, it.minY, it.maxX, it.maxY = points[0].X, points[0].Y, points[0].X, points[0].Y
	for _, p := range points[1:] {
		it.minX, it.minY = min(it.minX, p.X), min(it.minY, p.Y)
		it.maxX, it.maxY = max(it.maxX, p.X), max(it.maxY, p.Y)
	}
}

// Line adds a straight line with flat ends.
func (l *List) Line(a, b Point, width float32, c Color) {
	l.add(Item{
		Kind: Line, P: [2]Point{a, b}, Width: width, Fill: c,
		minX: min(a.X, b.X), minY: min(a.Y, b.Y), maxX: max(a.X, b.X), maxY: max(a.Y, b.Y),
	}, width/2+1)
}

// Path adds a curve through cubic pieces: the start, then two control points and
// an end for each. The points are copied.
func (l *List) Path(points []Point, width, dash float32, c Color) {
	if len(points) < 4 || (len(points)-1)%3 != 0 {
		panic(badShape)
	}
	it := Item{Kind: Path, Width: width, Dash: dash, Fill: c}
	l.keep(&it, points)
	l.add(it, width/2+1)
}

// Polygon adds a filled polygon of at least 3 points. The points are copied.
func (l *List) Polygon(points []Point, c Color) {
	if len(points) < 3 {
		panic(badShape)
	}
	it := Item{Kind: Polygon, Fill: c}
	l.keep(&it, points)
	l.add(it, 1)
}

// RoundRect adds a box with rounded corners. The stroke lies inside the box; a
// width of 0 leaves it out, a fill without alpha leaves the inside open.
func (l *List) RoundRect(x, y, w, h, radius float32, fill Color, width float32, stroke Color, dash float32) {
	l.add(Item{
		Kind: RoundRect, P: [2]Point{{x, y}, {w, h}}, Radius: min(radius, w/2, h/2), Fill: fill,
		Width: width, Stroke: stroke, Dash: dash,
		minX: x, minY: y, maxX: x + w, maxY: y + h,
	}, 1)
}

// Disc adds a circle. The stroke lies inside the radius.
func (l *List) Disc(c Point, radius float32, fill Color, width float32, stroke Color) {
	l.add(Item{
		Kind: Disc, P: [2]Point{c, {}}, Radius: radius, Fill: fill, Width: width, Stroke: stroke,
		minX: c.X - radius, minY: c.Y - radius, maxX: c.X + radius, maxY: c.Y + radius,
	}, 1)
}

// Text adds a line of text that begins at the baseline point p. It returns the
// text's width.
func (l *List) Text(s string, p Point, size float32, bold bool, c Color) float32 {
	if s == "" {
		return 0
	}
	r := l.fonts.shape(s, bold)
	w := r.advance * size
	l.add(Item{
		Kind: Text, Text: s, P: [2]Point{p, {w, 0}}, Size: size, Bold: bold, Fill: c, run: r,
		minX: p.X, minY: p.Y - size*1.2, maxX: p.X + w, maxY: p.Y + size*0.5,
	}, size*0.3)
	return w
}

// Begin opens a group: in SVG a <g> with the id in data-id and a <title>, which
// viewers show as a tooltip. Groups do not nest.
func (l *List) Begin(id, title string) {
	l.Items = append(l.Items, Item{Kind: Begin, ID: id, Text: title})
}

// End closes the group.
func (l *List) End() { l.Items = append(l.Items, Item{Kind: End}) }

// Fonts returns what the list shapes its text with.
func (l *List) Fonts() *Fonts { return l.fonts }
