package canvas

import (
	"image/color"

	"cairn/canvas/paint"
)

// The map in a corner shows the whole graph and frames the part in view. It is there
// only while a part is out of view.
const (
	miniWidth  = 168
	miniHeight = 108
	miniMargin = 10
)

// mapBox is where the map stands, in view pixels; nowhere without one.
func (v *View) mapBox() box {
	size := v.room()
	if size.Width <= 2.2*miniWidth || size.Height <= 2.2*miniHeight || v.lens().seen().holds(v.board.extent()) {
		return nowhere
	}
	right, bottom := size.Width-miniMargin, size.Height-miniMargin
	return box{right - miniWidth, bottom - miniHeight, right, bottom}
}

// mapLens projects the whole graph onto the map.
func (v *View) mapLens() lens {
	m := v.mapBox().middle()
	return lens{camera: fitted(v.board.extent().grown(6), miniWidth-12, miniHeight-12, 1), w: 2 * m.X, h: 2 * m.Y}
}

// goOnMap centres the view on a point of the map.
func (v *View) goOnMap(p paint.Point) {
	c := v.board.now.camera
	c.centre = v.mapLens().world(p)
	v.see(c)
}

// minimap draws the map at a place of the view, through its lens.
func (s *scene) minimap(at box, l lens) {
	if at.empty() {
		return
	}
	px := s.px
	l.w, l.h, l.zoom = l.w*px, l.h*px, l.zoom*px
	at = box{at.x0 * px, at.y0 * px, at.x1 * px, at.y1 * px}
	s.list.RoundRect(at.x0, at.y0, at.w(), at.h(), 2*px, mix(s.pal.Background, s.pal.Card, 0.6), px, s.pal.Line, 0)
	for e := range s.model.Edges {
		if s.edgeHidden(e) {
			continue
		}
		c, width := mix(s.pal.Background, s.pal.Edge, 0.55), 0.8*px
		if s.lit != nil && s.lit[e] {
			c, width = s.pal.Lit, 1.6*px
		}
		s.list.Line(l.project(s.now.at[s.model.Edges[e].From]), l.project(s.now.at[s.model.Edges[e].To]), width, c)
	}
	for i, sh := range s.shapes {
		if s.now.hidden[i] {
			continue
		}
		line, fill := s.pal.role(s.model.Nodes[i].Role)
		c := l.project(s.now.at[i])
		if !s.cards() {
			if sh.hue >= 0 && s.model.Nodes[i].Role == Plain {
				line = s.pal.Hues[sh.hue]
			}
			s.list.Disc(c, max(sh.radius*l.zoom, 1.1*px), line, 0, line)
			continue
		}
		w, h := max(sh.w*l.zoom, 4*px), max(sh.h*l.zoom, 3*px)
		s.list.RoundRect(c.X-w/2, c.Y-h/2, w, h, 1.5*px, fill, px, line, 0)
	}
	seen := s.lens.seen()
	a, b := l.project(paint.Point{X: seen.x0, Y: seen.y0}), l.project(paint.Point{X: seen.x1, Y: seen.y1})
	x0, y0 := min(max(a.X, at.x0+px), at.x1-6*px), min(max(a.Y, at.y0+px), at.y1-6*px)
	x1, y1 := min(max(b.X, at.x0+6*px), at.x1-px), min(max(b.Y, at.y0+6*px), at.y1-px)
	fill := s.pal.Select
	fill.A = 28
	s.list.RoundRect(x0, y0, max(x1-x0, 4*px), max(y1-y0, 4*px), 2*px, fill, 0, fill, 0)
	s.list.RoundRect(x0, y0, max(x1-x0, 4*px), max(y1-y0, 4*px), 2*px, color.NRGBA{}, 1.5*px, s.pal.Select, 0)
}
