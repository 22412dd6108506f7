package canvas

import (
	"image/color"
	"math"

	"cairn/canvas/paint"
)

// drawPills draws the labels of edges: those of special ones above the cards,
// the others where they have room, or their tags alone.
func (s *scene) drawPills(ways []route, pass look, special bool) {
	scale := max(s.lens.zoom, s.px)
	for e := range ways {
		p := &s.pills[e]
		if p.w == 0 || s.edges[e] != pass || s.special(e) != special || s.edgeHidden(e) || !s.visible(ways[e].bounds) {
			continue
		}
		at := s.lens.project(ways[e].label)
		where, tag := around(at, p.w*scale, pillHeight*scale), around(at, p.tagWidth*scale, chipHeight*scale)
		switch {
		case special || s.lens.zoom >= s.px:
			s.pill(e, ways[e].label, scale)
		case s.slots.free(where):
			s.slots.take(where)
			s.pill(e, ways[e].label, scale)
		case p.tag != "" && s.slots.free(tag):
			s.slots.take(tag)
			s.chip(p.tag, tag, chipSize*scale, s.fade(s.pal.Chip, pass), s.fadeText(s.pal.ChipText, pass))
		}
	}
}

// chip draws the tag of an edge.
func (s *scene) chip(tag string, b box, size float32, fill, ink color.NRGBA) {
	s.list.RoundRect(b.x0, b.y0, b.w(), b.h(), b.h()/2, fill, 0, fill, 0)
	s.list.Text(tag, paint.Point{X: b.x0 + 4*size/chipSize, Y: (b.y0+b.y1)/2 + size*0.36}, size, true, ink)
}

// special tells whether an edge is cited, selected or under the pointer.
func (s *scene) special(e int) bool {
	return s.edges[e] == strong || e == s.edge || e == s.over
}

// pill draws the label of an edge at a point of the world, with text scaled by
// k device pixels per unit.
func (s *scene) pill(e int, at paint.Point, k float32) {
	p := &s.pills[e]
	if p.w == 0 {
		return
	}
	l := s.edges[e]
	line, back, text := s.fade(mix(s.pal.Background, s.pal.Edge, 0.5), l), s.pal.Pill, s.pal.Muted
	chip, chipText := s.fade(s.pal.Chip, l), s.fadeText(s.pal.ChipText, l)
	text = s.fadeText(text, l)
	switch {
	case l == strong:
		line, text, chip, chipText = s.pal.Lit, s.pal.Text, s.pal.Lit, s.pal.OnLit
	case e == s.edge:
		line, text = s.pal.Select, s.pal.Text
	case e == s.over:
		text = s.pal.Text
	}
	c := s.lens.project(at)
	w, h := p.w*k, pillHeight*k
	x, y := c.X-w/2, c.Y-h/2
	s.list.RoundRect(x, y, w, h, h/2, back, s.px, line, 0)
	x += pillPadX * k
	if p.tag != "" {
		x -= 3 * k
		s.chip(p.tag, box{x, c.Y - chipHeight*k/2, x + p.tagWidth*k, c.Y + chipHeight*k/2}, chipSize*k, chip, chipText)
		x += (p.tagWidth + 5) * k
	}
	s.list.Text(p.text, paint.Point{X: x, Y: c.Y + edgeSize*k*0.35}, edgeSize*k, false, text)
}

// label is text that has found its place.
type label struct {
	text    string
	at      paint.Point // baseline start
	w, size float32
	c       color.NRGBA
	bold    bool
	plate   bool
}

func (s *scene) discLabel(l label) {
	if l.plate {
		s.list.RoundRect(l.at.X-5*s.px, l.at.Y-l.size*1.02, l.w+10*s.px, l.size*1.42, 4*s.px, s.pal.Card, s.px, s.pal.Line, 0)
	}
	s.list.Text(l.text, l.at, l.size, l.bold, l.c)
}

// occupancy is a coarse bitmap of the places taken by labels.
type occupancy struct {
	cell float32
	w, h int
	bits []uint64
}

func (o *occupancy) reset(w, h, cell float32) {
	o.cell, o.w, o.h = cell, int(w/cell)+2, int(h/cell)+2
	o.bits = resized(o.bits, o.w*o.h/64+1)
}

// cells returns the cells a box touches, none for one outside.
func (o *occupancy) cells(b box) (x0, y0, x1, y1 int) {
	at := func(v float32) int { return int(math.Floor(float64(v / o.cell))) }
	return max(at(b.x0), 0), max(at(b.y0), 0), min(at(b.x1), o.w-1), min(at(b.y1), o.h-1)
}

func (o *occupancy) free(b box) bool {
	x0, y0, x1, y1 := o.cells(b)
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			if i := y*o.w + x; o.bits[i>>6]&(1<<(i&63)) != 0 {
				return false
			}
		}
	}
	return true
}

func (o *occupancy) take(b box) {
	x0, y0, x1, y1 := o.cells(b)
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			i := y*o.w + x
			o.bits[i>>6] |= 1 << (i & 63)
		}
	}
}
