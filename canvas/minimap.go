package canvas

import (
	"image"
	"image/color"

	"cairn/canvas/paint"

	"fyne.io/fyne/v2"
	fynecanvas "fyne.io/fyne/v2/canvas"
)

// minimap shows the whole graph in a corner and frames the part in view. It is
// there only while a part is out of view. Its picture is painted when the graph
// changes; panning moves the frame.
type minimap struct {
	raster *fynecanvas.Raster
	frame  *fynecanvas.Rectangle
	image  *image.RGBA
	list   *paint.List
	at     fyne.Position
	shown  bool
}

func (m *minimap) create(v *View) {
	m.list = paint.NewList(v.fonts)
	m.raster = fynecanvas.NewRaster(func(w, h int) image.Image { return m.paint(v, w, h) })
	m.raster.ScaleMode = fynecanvas.ImageScalePixels
	m.frame = fynecanvas.NewRectangle(color.NRGBA{})
	m.frame.StrokeWidth = 1.5
	m.frame.CornerRadius = 2
	m.raster.Hide()
	m.frame.Hide()
}

func (m *minimap) layout(v *View) {
	size := v.Size()
	m.at = fyne.NewPos(size.Width-miniWidth-miniMargin, size.Height-miniHeight-miniMargin)
	m.raster.Move(m.at)
	m.raster.Resize(fyne.NewSize(miniWidth, miniHeight))
	m.sync(v)
}

// lens shows everything in the map, in its own view pixels.
func (m *minimap) lens(v *View) lens {
	return lens{camera: fitted(v.board.extent().grown(6), miniWidth-12, miniHeight-12, 1), w: miniWidth, h: miniHeight}
}

func (m *minimap) refresh(v *View) {
	if m.raster == nil {
		return
	}
	m.sync(v)
	if m.shown {
		m.raster.Refresh()
	}
}

// sync moves the frame, and shows the map only when it tells something.
func (m *minimap) sync(v *View) {
	if m.raster == nil {
		return
	}
	size := v.Size()
	l, seen := m.lens(v), v.lens().seen()
	show := !seen.holds(v.board.extent()) && size.Width > 2.2*miniWidth && size.Height > 2.2*miniHeight
	if show != m.shown {
		m.shown = show
		if show {
			m.raster.Show()
			m.frame.Show()
		} else {
			m.raster.Hide()
			m.frame.Hide()
		}
	}
	if !show {
		return
	}
	pal := ThemePalette()
	m.frame.StrokeColor = pal.Select
	fill := pal.Select
	fill.A = 28
	m.frame.FillColor = fill
	a, b := l.project(paint.Point{X: seen.x0, Y: seen.y0}), l.project(paint.Point{X: seen.x1, Y: seen.y1})
	x0, y0 := min(max(a.X, 1), miniWidth-6), min(max(a.Y, 1), miniHeight-6)
	x1, y1 := min(max(b.X, 6), miniWidth-1), min(max(b.Y, 6), miniHeight-1)
	m.frame.Move(fyne.NewPos(m.at.X+x0, m.at.Y+y0))
	m.frame.Resize(fyne.NewSize(max(x1-x0, 4), max(y1-y0, 4)))
	m.frame.Refresh()
}

func (m *minimap) hit(p paint.Point) bool {
	return m.shown && box{m.at.X, m.at.Y, m.at.X + miniWidth, m.at.Y + miniHeight}.has(p)
}

// goTo centres the view on a point of the map.
func (m *minimap) goTo(v *View, p paint.Point) {
	l := m.lens(v)
	c := v.board.now.camera
	c.centre = l.world(paint.Point{X: p.X - m.at.X, Y: p.Y - m.at.Y})
	v.see(c)
}

func (m *minimap) paint(v *View, w, h int) image.Image {
	if m.image == nil || m.image.Rect.Dx() != w || m.image.Rect.Dy() != h {
		m.image = image.NewRGBA(image.Rect(0, 0, w, h))
	}
	pal := ThemePalette()
	px := float32(w) / miniWidth
	l := m.lens(v)
	l.w, l.h = float32(w), float32(h)
	l.zoom *= px
	m.list.Reset(l.w, l.h, mix(pal.Background, pal.Card, 0.6))
	b := v.board
	for e := range b.model.Edges {
		if !b.edgeHidden(e) {
			c := mix(pal.Background, pal.Edge, 0.55)
			width := 0.8 * px
			if b.lit != nil && b.lit[e] {
				c, width = pal.Lit, 1.6*px
			}
			m.list.Line(l.project(b.now.at[b.model.Edges[e].From]), l.project(b.now.at[b.model.Edges[e].To]), width, c)
		}
	}
	cards := b.cards()
	for i := range b.shapes {
		if b.now.hidden[i] {
			continue
		}
		line, fill := pal.role(b.model.Nodes[i].Role)
		c := l.project(b.now.at[i])
		if !cards {
			if b.shapes[i].hue >= 0 && b.model.Nodes[i].Role == Plain {
				line = pal.Hues[b.shapes[i].hue]
			}
			m.list.Disc(c, max(b.shapes[i].radius*l.zoom, 1.1*px), line, 0, line)
			continue
		}
		bw, bh := max(b.shapes[i].w*l.zoom, 4*px), max(b.shapes[i].h*l.zoom, 3*px)
		m.list.RoundRect(c.X-bw/2, c.Y-bh/2, bw, bh, 1.5*px, fill, px, line, 0)
	}
	m.list.RoundRect(0, 0, l.w, l.h, 2*px, color.NRGBA{}, px, pal.Line, 0)
	m.list.Raster(m.image, 1)
	return m.image
}
