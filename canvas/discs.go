package canvas

import (
	"slices"

	"cairn/canvas/paint"
)

func (s *scene) drawDiscs() {
	k := s.lens.zoom
	s.slots.reset(s.lens.w, s.lens.h, slotSize*s.px)
	seen := s.lens.seen().grown(40 * s.px / k)
	for _, pass := range []look{faint, usual, strong} {
		for e := range s.model.Edges {
			if s.edges[e] == pass {
				s.discEdge(e, &seen)
			}
		}
	}
	s.reserveDiscs(&seen)
	labels := s.discLabels(&seen)
	s.discEdgeLabels(&seen, false)
	for _, pass := range []look{faint, usual} {
		for i := range s.shapes {
			if s.nodes[i] == pass && !s.now.hidden[i] && i != s.hover && discBox(s.now.at[i], s.shapes[i].radius).overlap(seen) > 0 {
				s.disc(i)
			}
		}
	}
	if s.hover >= 0 && !s.now.hidden[s.hover] {
		s.disc(s.hover)
	}
	s.discEdgeLabels(&seen, true)
	for _, l := range labels {
		s.discLabel(l)
	}
}

func discBox(c paint.Point, r float32) box { return around(c, 2*r, 2*r) }

// discEdge draws an edge between discs. In a large graph an edge is a hairline
// without a head where its target is too small to show one or out of view, and a
// pale one where it only passes through.
func (s *scene) discEdge(e int, seen *box) {
	edge := &s.model.Edges[e]
	p, q := s.now.at[edge.From], s.now.at[edge.To]
	if max(p.X, q.X) < seen.x0 || min(p.X, q.X) > seen.x1 || max(p.Y, q.Y) < seen.y0 || min(p.Y, q.Y) > seen.y1 || s.edgeHidden(e) {
		return
	}
	c, width := s.edgeStyle(e)
	k := s.lens.zoom
	if !s.special(e) && s.fans[e].loop == 0 {
		tiny := s.shapes[edge.To].radius*k < plainDisc*s.px
		away := len(s.model.Edges) > manyEdges && !seen.has(q)
		if tiny || away {
			if tiny || !seen.has(p) {
				c = mix(s.pal.Background, c, 0.6)
			}
			s.list.Line(s.lens.project(p), s.lens.project(q), min(width, s.px), c)
			return
		}
	}
	var scratch [4]paint.Point
	points := s.discWay(e, &scratch)
	for i := range points {
		points[i] = s.lens.project(points[i])
	}
	s.begin(e)
	s.arrow(points, c, width, s.dash(e), min(max(8*k, 4.5*s.px), 14*s.px)*headGrowth(width, s.px))
	s.end()
}

// disc draws one node; its role is its shape.
func (s *scene) disc(i int) {
	n, sh, l := &s.model.Nodes[i], &s.shapes[i], s.nodes[i]
	k := s.lens.zoom
	c := s.lens.project(s.now.at[i])
	r := sh.radius * k
	hue := s.pal.Line
	if sh.hue >= 0 {
		hue = s.pal.Hues[sh.hue]
	}
	line, roleFill := s.pal.role(n.Role)
	if n.Role != Plain {
		r = max(r, 4*s.px) // never lost among dots
	}
	hue, line, roleFill = s.fade(hue, l), s.fade(line, l), s.fade(roleFill, l)
	if s.now.selected[i] {
		s.list.Disc(c, r+max(4*k, 4*s.px), s.pal.Select, 0, s.pal.Select)
		s.list.Disc(c, r+max(2*k, 2*s.px), s.pal.Background, 0, s.pal.Background)
	}
	s.beginNode(i)
	switch {
	case n.Role == Known:
		s.list.RoundRect(c.X-r, c.Y-r, 2*r, 2*r, r*0.2, roleFill, max(r*0.22, 1.5*s.px), line, 0)
		s.badge(Known, c, r*0.6, line)
	case n.Role == Variable:
		s.list.Disc(c, r, roleFill, max(r*0.14, 1.2*s.px), line)
		s.badge(Variable, c, r*0.62, line)
	case n.Role == Answer:
		s.list.Disc(c, r+max(3*k, 1.5*s.px), line, 0, line)
		s.list.Disc(c, r, roleFill, 0, roleFill)
		s.badge(Answer, c, r*0.78, line)
	case r < tinyDisc*s.px:
		s.list.Disc(c, max(r, 0.9*s.px), hue, 0, hue)
	case r < plainDisc*s.px:
		s.list.Disc(c, r, hue, 0, hue)
	default:
		edge := mix(hue, s.pal.Background, 0.45)
		if i == s.hover {
			edge = s.pal.Text
		}
		s.list.Disc(c, r, hue, max(1.3*s.px, r*0.1), edge)
	}
	s.end()
	if s.now.pinned[i] && r > 4*s.px {
		s.pin(paint.Point{X: c.X + r*0.75, Y: c.Y - r*0.75}, max(k, 0.7*s.px)*0.8)
	}
}

// reserveDiscs keeps labels off the larger discs.
func (s *scene) reserveDiscs(seen *box) {
	k := s.lens.zoom
	for i := range s.shapes {
		r := s.shapes[i].radius * k
		if r < namedDisc*s.px || s.now.hidden[i] || discBox(s.now.at[i], s.shapes[i].radius).overlap(*seen) == 0 {
			continue
		}
		s.slots.take(around(s.lens.project(s.now.at[i]), 1.4*r, 1.4*r))
	}
}

// discLabels finds places for the labels of discs, the important ones first.
func (s *scene) discLabels(seen *box) []label {
	k := s.lens.zoom
	order := make([]int, 0, len(s.shapes))
	for i := range s.shapes {
		if s.now.hidden[i] || !seen.has(s.now.at[i]) {
			continue
		}
		if s.weight(i) < 2 && (s.shapes[i].radius*k < namedDisc*s.px || s.nodes[i] == faint && s.hover >= 0) {
			continue
		}
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if d := s.weight(b) - s.weight(a); d != 0 {
			return d
		}
		return len(s.near[b]) - len(s.near[a])
	})
	size := min(max(labelSize*k, leastText*s.px), 20*s.px)
	if s.whole {
		size = max(labelSize*k, leastText*s.px)
	}
	var out []label
	for _, i := range order {
		if len(out) >= nodeLabels && !s.whole {
			break
		}
		sh, weight := &s.shapes[i], s.weight(i)
		text := sh.short
		if i == s.hover {
			text = clean(s.model.Nodes[i].Label)
			if sh.mark != "" {
				text += " · " + sh.mark
			}
		}
		bold, w := weight >= 2, sh.width*size
		if bold {
			w = s.list.Measure(text, size, true)
		}
		c := s.lens.project(s.now.at[i])
		r := max(sh.radius*k, s.px)
		l := label{text: text, w: w, size: size, bold: bold, c: s.fadeText(s.pal.Text, s.nodes[i]), plate: weight >= 3}
		places := []paint.Point{
			{X: c.X - w/2, Y: c.Y + r + size*1.05},
			{X: c.X - w/2, Y: c.Y - r - size*0.35},
			{X: c.X + r + size*0.35, Y: c.Y + size*0.35},
			{X: c.X - r - size*0.35 - w, Y: c.Y + size*0.35},
		}
		for n, at := range places {
			where := box{at.X, at.Y - size*0.9, at.X + w, at.Y + size*0.25}
			if s.slots.free(where) || weight >= 3 && n == 0 {
				s.slots.take(where)
				l.at = at
				out = append(out, l)
				break
			}
		}
	}
	return out
}

// weight ranks labels: 4 under the pointer, 3 selected, 2 with a role or at a
// cited edge, 1 others.
func (s *scene) weight(i int) int {
	switch {
	case i == s.hover:
		return 4
	case s.now.selected[i]:
		return 3
	case s.model.Nodes[i].Role != Plain, s.lit != nil && s.nodes[i] == usual:
		return 2
	}
	return 1
}

// discEdgeLabels puts pills onto edges that are long enough, or onto the special
// ones.
func (s *scene) discEdgeLabels(seen *box, wantSpecial bool) {
	k := s.lens.zoom
	placed := 0
	for _, pass := range []look{strong, usual} {
		for e := range s.model.Edges {
			special := s.special(e)
			if special != wantSpecial || s.edges[e] != pass || s.edgeHidden(e) || s.pills[e].w == 0 || !special && k < edgeZoom*s.px {
				continue
			}
			if placed >= edgeLabels && !s.whole {
				return
			}
			edge := &s.model.Edges[e]
			var scratch [4]paint.Point
			points := s.discWay(e, &scratch)
			middle := paint.Bezier(points[0], points[1], points[2], points[3], 0.5)
			scale := max(min(k, 1.4*s.px), s.px)
			w := s.pills[e].w * scale
			room := paint.Gap(s.now.at[edge.From], s.now.at[edge.To])*k - (s.shapes[edge.From].radius+s.shapes[edge.To].radius)*k
			where := around(s.lens.project(middle), w, pillHeight*scale)
			if !seen.has(middle) || !special && (s.fans[e].loop == 0 && room < w+12*s.px || !s.slots.free(where)) {
				continue
			}
			s.slots.take(where)
			s.pill(e, middle, scale)
			placed++
		}
	}
}
