package canvas

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"runtime"
	"slices"

	"cairn/canvas/layout"
	"cairn/canvas/paint"
	"cairn/internal/wording"

	"fyne.io/fyne/v2/theme"
)

// sensiblePixels bounds a PNG.
const sensiblePixels = 36e6

// Picture is a model with a layout, to be written as a file. Its methods may be
// called on any goroutine: a large picture takes a second to write.
type Picture struct {
	board board
	fonts *paint.Fonts
}

// NewPicture lays m out. It needs no display and no running app.
func NewPicture(m Model) (*Picture, error) {
	f, err := bundledFonts()
	if err != nil {
		return nil, err
	}
	b, err := arranged(m, f)
	if err != nil {
		return nil, err
	}
	return &Picture{board: *b, fonts: f}, nil
}

// Picture captures what the view shows, as the user has arranged it. Hidden
// nodes are left out.
func (v *View) Picture() *Picture {
	v.settle()
	p := &Picture{board: *v.board, fonts: v.fonts}
	p.board.routes = nil
	p.board.lit = slices.Clone(p.board.lit)
	return p
}

// bundledFonts are those that come with the toolkit.
func bundledFonts() (*paint.Fonts, error) {
	return paint.NewFonts(theme.DefaultTextFont().Content(), theme.DefaultTextBoldFont().Content(),
		theme.DefaultSymbolFont().Content(), theme.DefaultTextMonospaceFont().Content())
}

// arranged measures and lays out a model.
func arranged(m Model, f *paint.Fonts) (*board, error) {
	b := newBoard(m, f)
	if f.WantsSystem() {
		f.LoadSystem()
		b = newBoard(m, f)
	}
	p := b.plan(nil, layout.Size{})
	a, err := p.compute(context.Background())
	if err != nil {
		return nil, fmt.Errorf("lay out the picture: %w", err)
	}
	b.place(a)
	return b, nil
}

// WritePNG writes the picture as a PNG file, two pixels to a layout unit unless
// that makes more than 36 megapixels.
func (p *Picture) WritePNG(w io.Writer, colours Palette) error {
	list := p.draw(colours, 2)
	if size := float64(list.W) * float64(list.H); size > sensiblePixels {
		list = p.draw(colours, 2*math.Sqrt(sensiblePixels/size))
	}
	img := image.NewRGBA(image.Rect(0, 0, int(list.W), int(list.H)))
	list.Raster(img, min(runtime.GOMAXPROCS(0), 8))
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(w, img); err != nil {
		return fmt.Errorf("write png: %w", err)
	}
	return nil
}

// WriteSVG writes the picture as an SVG file, text as text.
func (p *Picture) WriteSVG(w io.Writer, colours Palette) error {
	return p.draw(colours, 1).SVG(w, clean(cmp.Or(p.board.model.Title, "Evidence")))
}

const (
	exportMargin = 28
	titleSize    = 17
	noteSize     = 11
	legendRow    = 26
	leastWidth   = 420
	legendLeft   = 8 // in a view
)

// draw draws the board with title, legend and note, in scale pixels per layout unit.
func (p *Picture) draw(colours Palette, pixels float64) *paint.List {
	f, scale := p.fonts, float32(pixels)
	quiet := p.board // no pointer, no selection, no keyboard on paper
	quiet.hover, quiet.over = -1, -1
	quiet.now.selected, quiet.now.edge = make([]bool, len(quiet.shapes)), -1

	content := quiet.extent()
	if content.empty() {
		content = box{0, 0, leastWidth, 80}
	}
	w := max(content.w()+2*exportMargin, leastWidth)
	var title []string
	if t := clean(quiet.model.Title); t != "" {
		title = wrap(f, t, titleSize, w-2*exportMargin, 3)
	}
	legend := quiet.legend(f, w-2*exportMargin)
	note := clean(quiet.model.Note)
	head := float32(exportMargin)
	if len(title) > 0 {
		head += float32(len(title))*titleSize*1.35 + 14
	}
	foot := float32(exportMargin)
	if legend.rows > 0 {
		foot += float32(legend.rows)*legendRow + 14
	}
	if note != "" {
		foot += 20
	}
	h := content.h() + head + foot
	s := scene{
		board: &quiet, list: paint.NewList(f), pal: colours, px: scale, whole: true,
		lens: lens{w: float32(math.Ceil(float64(w * scale))), h: float32(math.Ceil(float64(h * scale)))},
	}
	// The middle of the content lies in the middle between head and foot.
	s.lens.zoom = scale
	s.lens.centre = content.middle()
	s.lens.centre.Y -= (head - foot) / 2
	s.draw()
	y := float32(exportMargin) + titleSize*0.9
	for _, row := range title {
		s.list.Text(row, paint.Point{X: exportMargin * scale, Y: y * scale}, titleSize*scale, true, colours.Text)
		y += titleSize * 1.35
	}
	y = h - foot + exportMargin + 6
	s.drawLegend(legend, exportMargin, y, scale)
	if note != "" {
		y = h - exportMargin + 4
		s.list.Text(cut(f, note, noteSize, false, w-2*exportMargin), paint.Point{X: exportMargin * scale, Y: y * scale}, noteSize*scale, false, colours.Muted)
	}
	return s.list
}

// legend says what the marks of a picture mean.
type legend struct {
	entries []legendEntry
	rows    int
}

type legendEntry struct {
	role Role
	hue  int    // ≥ 0 for a type
	tag  string // for the chip of an edge
	dash bool   // for a dashed edge
	bar  bool   // for the level of a node
	text string
	w    float32
	x    float32
	row  int
}

const legendSize = 11

// legend lists the roles, the types and the tags that occur, on rows no wider
// than width.
func (b *board) legend(f *paint.Fonts, width float32) legend {
	var l legend
	var roles [Rest + 1]bool
	dashed, marked, tag := false, false, ""
	types := map[int][]string{}
	most := 0
	for i := range b.model.Nodes {
		if b.now.hidden[i] {
			continue
		}
		n := &b.model.Nodes[i]
		marked = marked || b.shapes[i].mark != ""
		if n.Role >= Plain && n.Role <= Rest {
			roles[n.Role] = true
		}
		if hue := b.shapes[i].hue; hue >= 0 && !slices.Contains(types[hue], n.Type) {
			types[hue] = append(types[hue], n.Type)
			most = max(most, hue+1)
		}
	}
	for e := range b.model.Edges {
		if tag == "" && !b.edgeHidden(e) {
			tag = cut(f, clean(b.model.Edges[e].Tag), chipSize, true, 24)
		}
		dashed = dashed || b.model.Edges[e].Dashed && !b.edgeHidden(e)
	}
	for r := Known; r <= Answer; r++ {
		if roles[r] {
			name := b.model.roleName(r)
			l.entries = append(l.entries, legendEntry{role: r, hue: -1, text: wording.Capital(name)})
		}
	}
	if tag != "" && b.model.Tags != "" {
		l.entries = append(l.entries, legendEntry{hue: -1, tag: tag, text: cut(f, wording.Capital(clean(b.model.Tags)), legendSize, false, 220)})
	}
	if dashed && b.model.Dashed != "" {
		l.entries = append(l.entries, legendEntry{hue: -1, dash: true, text: cut(f, wording.Capital(clean(b.model.Dashed)), legendSize, false, 220)})
	}
	if marked && b.model.Level != "" {
		l.entries = append(l.entries, legendEntry{hue: -1, bar: true, text: cut(f, wording.Capital(clean(b.model.Level)), legendSize, false, 320)})
	}
	if !b.cards() { // cards name their types
		for hue := range most {
			if len(types[hue]) == 0 { // all of them are hidden
				continue
			}
			name := types[hue][0]
			if len(types[hue]) > 1 {
				name = "Other types"
			}
			l.entries = append(l.entries, legendEntry{hue: hue, text: cut(f, clean(name), legendSize, false, 140)})
		}
	}
	x := float32(0)
	for i := range l.entries {
		e := &l.entries[i]
		e.w = 34 + f.Measure(e.text, legendSize, false) + 22
		if x > 0 && x+e.w > width {
			l.rows++
			x = 0
		}
		e.x, e.row = x, l.rows
		x += e.w
	}
	if len(l.entries) > 0 {
		l.rows++
	}
	return l
}

func (s *scene) drawLegend(l legend, left, top, k float32) {
	for _, e := range l.entries {
		x, y := (left+e.x)*k, (top+float32(e.row)*legendRow)*k
		text := s.pal.Muted
		switch {
		case e.tag != "":
			w := s.list.Measure(e.tag, chipSize, true) + 8
			s.chip(e.tag, around(paint.Point{X: x + 13*k, Y: y}, w*k, chipHeight*k), chipSize*k, s.pal.Chip, s.pal.ChipText)
		case e.dash:
			a, b := paint.Point{X: x, Y: y}, paint.Point{X: x + 26*k, Y: y}
			s.list.Path([]paint.Point{a, paint.Between(a, b, 1./3), paint.Between(a, b, 2./3), b}, 1.5*k, 4*k, s.pal.Edge)
		case e.bar:
			s.list.RoundRect(x, y-2.5*k, 26*k, 5*k, 2.5*k, mix(s.pal.Background, s.pal.Line, 0.6), 0, color.NRGBA{}, 0)
			s.list.RoundRect(x, y-2.5*k, 18*k, 5*k, 2.5*k, s.pal.Answer, 0, color.NRGBA{}, 0)
		case e.hue >= 0:
			s.list.Disc(paint.Point{X: x + 16*k, Y: y}, 6*k, s.pal.Hues[e.hue], 0, color.NRGBA{})
		default:
			line, swatch := s.pal.role(e.role)
			radius, width, dash := float32(5), float32(2.4), float32(0)
			switch e.role {
			case Known:
				radius, width = 2, 1.6
			case Variable:
				radius, width, dash = 8, 1.4, 4
			default:
			}
			s.list.RoundRect(x, y-9*k, 26*k, 18*k, radius*k, swatch, width*k, line, dash*k)
			s.badge(e.role, paint.Point{X: x + 13*k, Y: y}, 5.5*k, line)
		}
		s.list.Text(e.text, paint.Point{X: x + 33*k, Y: y + 3.8*k}, legendSize*k, false, text)
	}
}
