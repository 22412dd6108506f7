package canvas

import (
	"image/color"

	"cairn/canvas/paint"
)

// Levels of detail, in view pixels.
const (
	nodeLabels = 400 // budget of a frame
	edgeLabels = 250
	tinyDisc   = 1   // below, a dot
	plainDisc  = 3   // below, no outline and no arrowheads
	namedDisc  = 5   // below, no label unless something is special about the node
	manyEdges  = 200 // more are paler, or they hide the nodes
	edgeZoom   = 0.6 // below, edges between discs have no labels
	leastText  = 11  // text is never smaller; what has no room for it is left out
	slotSize   = 8   // of the bitmap that keeps labels apart
)

// look says how much an item stands out.
type look uint8

const (
	usual look = iota
	faint
	strong
)

// scene draws a board through a lens into a display list, in device pixels.
type scene struct {
	*board
	list  *paint.List
	pal   Palette
	lens  lens
	px    float32 // device pixels per view pixel
	whole bool    // for an export: no budget for labels, groups with titles

	nodes []look
	edges []look
	named []naming // of cards, as far as they are drawn
	fits  map[fitKey][]string
	edge  int // the drawn edge of the selected one, -1
	slots occupancy
}

// draw fills the list. The scene's scratch memory is kept for the next time.
func (s *scene) draw() {
	s.pal = s.pal.For(&s.model)
	s.list.Reset(s.lens.w, s.lens.h, s.pal.Background)
	s.setLooks()
	if s.cards() {
		s.drawCards()
	} else {
		s.drawDiscs()
	}
}

// setLooks decides what stands out and what steps back: a citation first, then
// what is under the pointer.
func (s *scene) setLooks() {
	s.nodes = resized(s.nodes, len(s.model.Nodes))
	s.named = resized(s.named, len(s.model.Nodes))
	s.edges = resized(s.edges, len(s.model.Edges))
	if s.lit != nil {
		fillWith(s.nodes, faint)
		fillWith(s.edges, faint)
		for e, on := range s.lit {
			if on {
				s.edges[e] = strong
				s.nodes[s.model.Edges[e].From], s.nodes[s.model.Edges[e].To] = usual, usual
			}
		}
	}
	if h := s.hover; h >= 0 {
		if s.lit == nil {
			fillWith(s.nodes, faint)
			fillWith(s.edges, faint)
		}
		s.nodes[h] = usual
		for _, e := range s.near[h] {
			if s.edges[e] != strong {
				s.edges[e] = usual
			}
			s.nodes[s.model.Edges[e].From], s.nodes[s.model.Edges[e].To] = usual, usual
		}
	}
	for i, on := range s.now.selected {
		if on {
			s.nodes[i] = usual
		}
	}
	for _, e := range []int{s.over, s.now.edge} {
		if e >= 0 && s.edges[e] != strong {
			s.edges[e] = usual
		}
	}
	for e, lead := range s.grids.lead { // an edge stands out with any that it is drawn for
		if s.edges[lead] == faint || s.edges[e] == strong {
			s.edges[lead] = s.edges[e]
		}
	}
	if s.edge = s.now.edge; s.edge >= 0 {
		s.edge = s.grids.lead[s.edge]
	}
}

func resized[T any](in []T, n int) []T {
	if cap(in) < n {
		return make([]T, n)
	}
	in = in[:n]
	clear(in)
	return in
}

func fillWith[T any](in []T, v T) {
	for i := range in {
		in[i] = v
	}
}

// fade blends a colour towards what is behind it.
func (s *scene) fade(c color.NRGBA, l look) color.NRGBA {
	if l == faint {
		return mix(s.pal.Background, c, 0.38)
	}
	return c
}

// fadeText is fade for text, which must stay readable.
func (s *scene) fadeText(c color.NRGBA, l look) color.NRGBA {
	if l == faint {
		return mix(s.pal.Background, c, 0.62)
	}
	return c
}

func (s *scene) visible(b box) bool {
	const margin = 40
	seen := s.lens.seen().grown(margin / s.lens.zoom * s.px)
	return b.x1 >= seen.x0 && b.x0 <= seen.x1 && b.y1 >= seen.y0 && b.y0 <= seen.y1
}

// begin opens a group for an edge in an export.
func (s *scene) begin(e int) {
	if !s.whole {
		return
	}
	edge := &s.model.Edges[e]
	title := clean(s.model.Nodes[edge.From].Label) + " — " + clean(edge.Label) + " → " + clean(s.model.Nodes[edge.To].Label)
	if edge.Tag != "" {
		title += " [" + clean(edge.Tag) + "]"
	}
	if edge.Dashed && s.model.Dashed != "" {
		title += " · " + clean(s.model.Dashed)
	}
	s.list.Begin(edge.ID, title)
}

func (s *scene) beginNode(i int) {
	if !s.whole {
		return
	}
	n := &s.model.Nodes[i]
	title := clean(n.Label)
	if n.Type != "" {
		title += " · " + clean(n.Type)
	}
	if name := s.model.roleName(n.Role); name != "" {
		title += " · " + name
	}
	if mark := s.shapes[i].mark; mark != "" {
		title += " · " + mark
		if s.model.Level != "" {
			title += " (" + clean(s.model.Level) + ")"
		}
	}
	s.list.Begin(n.ID, title)
}

func (s *scene) end() {
	if s.whole {
		s.list.End()
	}
}

func (m *Model) roleName(r Role) string {
	switch r {
	case Known:
		return "in the question"
	case Variable:
		return "found on the way"
	case Answer:
		if m.Doubtful {
			return "uncertain answer"
		}
		return "answer"
	case Rest:
		return "not drawn"
	default:
		return ""
	}
}

func (s *scene) edgeStyle(e int) (c color.NRGBA, width float32) {
	width = min(max(1.5*s.lens.zoom, 0.9*s.px), 3*s.px)
	c = s.pal.Edge
	switch {
	case s.edges[e] == strong:
		return s.pal.Lit, width * 2.1
	case e == s.edge:
		return s.pal.Select, width * 1.8
	case e == s.over:
		return mix(s.pal.Edge, s.pal.Text, 0.6), width * 1.5
	}
	if len(s.model.Edges) > manyEdges {
		c = mix(s.pal.Background, c, 0.7)
		width = min(width, 1.2*s.px)
	}
	return s.fade(c, s.edges[e]), width
}

// dash is the length of the dashes of an edge; 0 for a whole line.
func (s *scene) dash(e int) float32 {
	if !s.model.Edges[e].Dashed {
		return 0
	}
	return min(max(dashLength*s.lens.zoom, 3*s.px), 9*s.px)
}

// dashLength is the length of an edge's dashes and gaps, at zoom 1.
const dashLength = 6

// headGrowth makes the head of a wide edge larger.
func headGrowth(width, px float32) float32 { return 1 + max(width/px-1.5, 0)*0.22 }

// arrow draws a curve that ends in a head with its tip at the last point. It
// changes points.
func (s *scene) arrow(points []paint.Point, c color.NRGBA, width, dash, head float32) {
	n := len(points)
	tip := points[n-1]
	// The head looks along the curve at its own length from the tip.
	p0, p1, p2 := points[n-4], points[n-3], points[n-2]
	length := paint.Gap(p0, p1) + paint.Gap(p1, p2) + paint.Gap(p2, tip)
	back := paint.Bezier(p0, p1, p2, tip, max(1-head/max(length, 1), 0))
	dx, dy := tip.X-back.X, tip.Y-back.Y
	d := paint.Gap(tip, back)
	if d < 0.5 {
		return
	}
	dx, dy = dx/d, dy/d
	base := paint.Point{X: tip.X - dx*head*0.8, Y: tip.Y - dy*head*0.8}
	points[n-2].X += base.X - tip.X
	points[n-2].Y += base.Y - tip.Y
	points[n-1] = base
	s.list.Path(points, width, dash, c)
	h := head * 0.44
	foot := paint.Point{X: tip.X - dx*head, Y: tip.Y - dy*head}
	s.list.Polygon([]paint.Point{tip, {X: foot.X - dy*h, Y: foot.Y + dx*h}, {X: foot.X + dy*h, Y: foot.Y - dx*h}}, c)
}

// textOf is the colour of a node's name.
func (s *scene) textOf(i int) color.NRGBA {
	if s.model.Nodes[i].Role == Rest {
		return s.pal.Muted
	}
	return s.pal.Text
}

func (s *scene) fonts() *paint.Fonts { return s.list.Fonts() }

// badge draws the mark of a role: a quotation mark for what the question names, a
// question mark for what was unknown, a tick for the answer.
func (s *scene) badge(r Role, c paint.Point, radius float32, fill color.NRGBA) {
	if radius < 2.5*s.px {
		return
	}
	on := s.pal.OnRole
	if r == Answer && s.model.Doubtful {
		r = Variable // a question mark
	}
	switch r {
	case Known:
		s.list.RoundRect(c.X-radius, c.Y-radius, 2*radius, 2*radius, radius*0.25, fill, 0, fill, 0)
		// Two marks, as round a word that is quoted.
		for _, dx := range []float32{-0.42, 0.18} {
			x := c.X + (dx+0.12)*radius
			s.list.Disc(paint.Point{X: x, Y: c.Y + 0.12*radius}, radius*0.24, on, 0, on)
			s.list.Line(paint.Point{X: x - 0.1*radius, Y: c.Y + 0.1*radius}, paint.Point{X: x + 0.18*radius, Y: c.Y - 0.42*radius}, radius*0.2, on)
		}
	case Variable:
		s.list.Disc(c, radius, fill, 0, fill)
		size := radius * 1.45
		w := s.list.Measure("?", size, true)
		s.list.Text("?", paint.Point{X: c.X - w/2, Y: c.Y + size*0.36}, size, true, on)
	case Answer:
		s.list.Disc(c, radius, fill, 0, fill)
		w := radius * 0.28
		a := paint.Point{X: c.X - 0.46*radius, Y: c.Y + 0.02*radius}
		m := paint.Point{X: c.X - 0.12*radius, Y: c.Y + 0.36*radius}
		z := paint.Point{X: c.X + 0.46*radius, Y: c.Y - 0.34*radius}
		s.list.Line(a, paint.Point{X: m.X + w*0.35, Y: m.Y + w*0.35}, w, on)
		s.list.Line(paint.Point{X: m.X - w*0.35, Y: m.Y + w*0.35}, z, w, on)
	default:
	}
}

// pin marks a node that the user has put where it is.
func (s *scene) pin(c paint.Point, k float32) {
	k = max(k, 0.8*s.px)
	s.list.Line(paint.Point{X: c.X - 1*k, Y: c.Y + 1*k}, paint.Point{X: c.X - 7*k, Y: c.Y + 8*k}, 1.6*k, s.pal.Text)
	s.list.Disc(c, 5*k, s.pal.Text, 0, s.pal.Text)
	s.list.Disc(paint.Point{X: c.X + 1.2*k, Y: c.Y - 1.4*k}, 1.5*k, s.pal.Background, 0, s.pal.Background)
}
