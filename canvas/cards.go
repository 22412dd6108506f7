package canvas

import (
	"image/color"
	"slices"
	"strings"

	"cairn/canvas/paint"
)

func (s *scene) drawCards() {
	ways := s.ways()
	for _, pass := range []look{faint, usual, strong} {
		for e := range ways {
			if s.edges[e] == pass && !s.edgeHidden(e) && s.visible(ways[e].bounds) {
				s.begin(e)
				s.cardEdge(e, &ways[e])
				s.end()
			}
		}
	}
	s.reserveCards()
	for _, pass := range []look{usual, faint} {
		s.drawPills(ways, pass, false)
	}
	for g := range s.grids.all {
		s.drawFrame(g)
	}
	order := make([]int, 0, len(s.shapes))
	for i := range s.shapes {
		if !s.now.hidden[i] && i != s.hover {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return s.depth(a) - s.depth(b) })
	if s.hover >= 0 && !s.now.hidden[s.hover] {
		order = append(order, s.hover)
	}
	for _, i := range order {
		if s.visible(around(s.now.at[i], s.shapes[i].w+20, s.shapes[i].h+20)) {
			s.beginNode(i)
			s.card(i)
			s.end()
		}
	}
	for _, pass := range []look{faint, usual, strong} {
		s.drawPills(ways, pass, true)
	}
	s.nameCards()
}

// naming says how much of a card's name it shows.
type naming uint8

const (
	unnamed naming = iota
	inPart
	inFull
)

// nameCards writes names over cards that are too small to hold one, as many as
// have room, and the whole name of the card under the pointer.
func (s *scene) nameCards() {
	h := s.hover
	if h >= 0 && !s.now.hidden[h] && s.named[h] != inFull {
		s.nameOver(h, 2*labelSize*cardWidth, true)
	}
	if !s.crowded() {
		return
	}
	s.slots.reset(s.lens.w, s.lens.h, slotSize*s.px/2)
	for g := range s.grids.all {
		s.nameFrame(g)
	}
	for _, least := range []int{2, 1} { // those with a role first
		for i := range s.shapes {
			if s.named[i] != inFull && i != h && !s.now.hidden[i] && !s.shapes[i].cell && (s.weight(i) >= 2) == (least == 2) {
				s.nameOver(i, nameWidth, false)
			}
		}
	}
}

// nameWidth is how much room a name has over a card that is too small for it.
const nameWidth = 110

// nameOver writes a name of a width over its card; below it, where that is the
// one under the pointer. A card that shows a part of it has no use for another part.
func (s *scene) nameOver(i int, width float32, below bool) {
	const margin = 6
	size := leastText * s.px
	text := cut(s.fonts(), s.shapes[i].label, size, true, min(width*s.px, s.lens.w-2*margin*s.px))
	if s.named[i] == inPart && !below && text != s.shapes[i].label {
		return
	}
	w, c := s.list.Measure(text, size, true), s.lens.project(s.now.at[i])
	y := c.Y + size*0.36
	if half := s.shapes[i].h * s.lens.zoom / 2; below {
		if y = c.Y + half + 1.6*size; y > s.lens.h-margin*s.px {
			y = c.Y - half - 0.8*size
		}
	}
	left := c.X - w/2
	if s.named[i] == inPart && !below { // it covers that part
		left = max(left, c.X+s.shapes[i].w*s.lens.zoom/2-w)
	}
	at := paint.Point{X: min(max(left, margin*s.px), s.lens.w-w-margin*s.px), Y: y}
	where := box{at.X, at.Y - size*0.8, at.X + w, at.Y + size*0.2}
	if !below && !s.slots.free(where) {
		return
	}
	s.slots.take(where)
	s.discLabel(label{text: text, w: w, size: size, bold: true, c: s.fadeText(s.textOf(i), s.nodes[i]), plate: true, at: at})
}

// crowded tells whether the cards are shown so small that their texts need more
// room than they were laid out with.
func (s *scene) crowded() bool { return labelSize*s.lens.zoom < leastText*s.px }

// reserveCards keeps the labels of edges off the cards.
func (s *scene) reserveCards() {
	s.slots.reset(s.lens.w, s.lens.h, slotSize*s.px)
	if s.lens.zoom >= s.px { // the layout did
		return
	}
	for i, c := range s.ends() {
		if !s.now.hidden[i] && s.grids.place(i) == i {
			s.slots.take(around(s.lens.project(c.middle()), c.w()*s.lens.zoom, c.h()*s.lens.zoom))
		}
	}
}

// depth orders cards: faint ones below, selected ones on top.
func (s *scene) depth(i int) int {
	switch {
	case s.now.selected[i]:
		return 2
	case s.nodes[i] == faint:
		return 0
	}
	return 1
}

func (s *scene) cardEdge(e int, r *route) {
	c, width := s.edgeStyle(e)
	var buffer [32]paint.Point
	points := buffer[:0]
	for _, p := range r.points {
		points = append(points, s.lens.project(p))
	}
	s.arrow(points, c, width, s.dash(e), min(max(headLength*s.lens.zoom, 4.5*s.px), 16*s.px)*headGrowth(width, s.px))
}

// card draws one node as a card.
func (s *scene) card(i int) {
	n, sh, l := &s.model.Nodes[i], &s.shapes[i], s.nodes[i]
	k := s.lens.zoom
	c := s.lens.project(s.now.at[i])
	w, h := sh.w*k, sh.h*k
	x, y := c.X-w/2, c.Y-h/2
	line, cardFill := s.pal.role(n.Role)
	if l == faint {
		line, cardFill = s.fade(line, l), mix(s.pal.Background, cardFill, 0.5)
	}
	if i == s.hover {
		cardFill = mix(cardFill, line, 0.1)
	}
	s.rings(i, x, y, w, h, k)
	if sh.cell && n.Role != Rest { // the frame has the outline of the role
		line, width := mix(cardFill, line, 0.35), max(k, s.px)
		if mark, ok := s.markOf(i); ok {
			line, width = mark, 2.2*width
		}
		s.list.RoundRect(x, y, w, h, 5*k, cardFill, width, line, 0)
	} else {
		s.box(n.Role, x, y, w, h, cardFill, line)
	}
	compact := s.crowded()
	left, limit, badge := x+padX*k, x+w-padX*k*0.6, 8.5*k
	switch {
	case sh.cell:
		left, limit = x+slimX*k, x+w-slimX*k*0.5
	case compact: // every pixel counts
		left, limit, badge = x+9*k, x+w-5*k, 8*k
	}
	if n.Role != Plain && n.Role != Rest && !sh.cell {
		s.badge(n.Role, paint.Point{X: left + badge*0.9, Y: c.Y}, badge, line)
		left += badge * 2.6
	}
	if compact {
		middle := c.Y
		if s.shapes[i].mark != "" { // above the bar
			middle -= markHeight * k / 3
		}
		s.compactText(i, left, limit, middle)
	} else {
		s.cardText(i, left, limit, c.Y, cardFill)
	}
	s.level(i, left, limit, y+h, line, compact)
	if s.now.pinned[i] {
		s.pin(paint.Point{X: x + w - 3*k, Y: y + 3*k}, k)
	}
}

// box draws the outline of a role: roles differ in shape as well as in colour.
func (s *scene) box(r Role, x, y, w, h float32, fill, line color.NRGBA) {
	k := s.lens.zoom
	switch r {
	case Known: // square, double outline
		s.list.RoundRect(x, y, w, h, 3*k, fill, max(1.8*k, 1.2*s.px), line, 0)
		if in := 4 * k; in > 2.5*s.px {
			s.list.RoundRect(x+in, y+in, w-2*in, h-2*in, 1*k, color.NRGBA{}, max(0.8*k, 0.8*s.px), mix(fill, line, 0.55), 0)
		}
	case Variable: // round, dashed
		s.list.RoundRect(x, y, w, h, min(16*k, h/2), fill, max(1.6*k, 1.2*s.px), line, max(5*k, 2.5*s.px))
	case Answer: // thick
		s.list.RoundRect(x, y, w, h, 10*k, fill, max(3*k, 2*s.px), line, 0)
	case Rest: // a stack of sheets
		for _, under := range []float32{6, 3} {
			s.list.RoundRect(x+under*k, y+under*k, w-2*under*k, h, 4*k, fill, max(k, s.px), mix(fill, line, 0.7), 0)
		}
		s.list.RoundRect(x, y, w, h, 4*k, fill, max(k, s.px), line, 0)
	default:
		s.list.RoundRect(x, y, w, h, 8*k, fill, max(1.2*k, s.px), line, 0)
	}
}

// markOf is the colour of a node in a frame at an edge that is cited or selected:
// the edge itself is drawn for all nodes of the frame.
func (s *scene) markOf(i int) (color.NRGBA, bool) {
	for _, e := range s.near[i] {
		switch {
		case s.edges[e] == strong && s.lit[e]:
			return s.pal.Lit, true
		case e == s.now.edge:
			return s.pal.Select, true
		}
	}
	return color.NRGBA{}, false
}

// level draws the bar of a node between left and right, above the card's bottom,
// and its number where there is room to read it.
func (s *scene) level(i int, left, right, bottom float32, fill color.NRGBA, compact bool) {
	sh := &s.shapes[i]
	if sh.mark == "" {
		return
	}
	k := s.lens.zoom
	thick, y := max(4*k, 2*s.px), bottom-(sh.padY+4)*k
	if compact {
		y = bottom - 9*k
	} else {
		right -= 4 * k
		size := max(markSize*k, leastText*s.px)
		w := sh.markW * size / markSize
		s.list.Text(sh.mark, paint.Point{X: right - w, Y: y + size*0.36}, size, true, s.fadeText(s.pal.Text, s.nodes[i]))
		right -= w + 7*k
	}
	length := right - left
	s.list.RoundRect(left, y-thick/2, length, thick, thick/2, s.fade(mix(s.pal.Background, s.pal.Line, 0.8), s.nodes[i]), 0, color.NRGBA{}, 0)
	if filled := length * sh.level; filled > 0.5*s.px {
		s.list.RoundRect(left, y-thick/2, max(filled, thick), thick, thick/2, fill, 0, color.NRGBA{}, 0)
	}
}

// compactText writes the label alone, on as many lines as there is room for:
// label and type would be too small to read.
func (s *scene) compactText(i int, left, limit, middle float32) {
	const pitch = 1.2
	size := leastText * s.px
	h := s.shapes[i].h * s.lens.zoom
	if h < size || limit-left < 3*size {
		return
	}
	rows := min(1+int((h-size)/(size*pitch)), cardLines)
	key := fitKey{s.shapes[i].label, int(limit - left), rows}
	lines, ok := s.fits[key]
	if !ok {
		if s.fits == nil || len(s.fits) > manyFits {
			s.fits = map[fitKey][]string{}
		}
		lines = wrap(s.fonts(), key.label, size, float32(key.width), rows)
		if s.breaksWord(key.label, size, float32(key.width)) {
			lines = []string{cut(s.fonts(), key.label, size, true, float32(key.width))}
		}
		s.fits[key] = lines
	}
	if s.named[i] = inFull; strings.HasSuffix(lines[len(lines)-1], "…") {
		s.named[i] = inPart
	}
	y := middle - size*pitch*float32(len(lines)-1)/2
	for _, line := range lines {
		s.list.Text(line, paint.Point{X: left, Y: y + size*0.36}, size, true, s.fadeText(s.textOf(i), s.nodes[i]))
		y += size * pitch
	}
}

// breaksWord tells whether a word of a label is wider than a line.
func (s *scene) breaksWord(label string, size, width float32) bool {
	return slices.ContainsFunc(breakable(label), func(word string) bool {
		return s.fonts().Measure(strings.TrimRight(word, " "), size, true) > width
	})
}

// fitKey is a label with the room it has: to break lines anew for each frame
// would take longer than to draw them.
type fitKey struct {
	label string
	width int
	rows  int
}

const manyFits = 4096

// cardText writes label and type.
func (s *scene) cardText(i int, left, limit, middle float32, behind color.NRGBA) {
	sh, l := &s.shapes[i], s.nodes[i]
	k := s.lens.zoom
	text, muted := s.fadeText(s.textOf(i), l), s.fadeText(s.pal.Muted, l)
	top := middle - sh.h*k/2 + sh.padY*k
	if s.named[i] = inFull; strings.HasSuffix(sh.lines[len(sh.lines)-1], "…") {
		s.named[i] = inPart
	}
	for _, row := range sh.lines {
		s.list.Text(row, paint.Point{X: left, Y: top + 13*k}, labelSize*k, true, text)
		top += lineHeight * k
	}
	if sh.kind == "" {
		return
	}
	if sh.hue >= 0 {
		hue := s.pal.Hues[sh.hue]
		if l == faint {
			hue = mix(behind, hue, 0.5)
		}
		s.list.Disc(paint.Point{X: left + 3*k, Y: top + 7.5*k}, 3*k, hue, 0, hue)
		left += typeDot * k
	}
	size := max(typeSize*k, leastText*s.px)
	s.list.Text(cut(s.fonts(), sh.kind, size, false, limit-left), paint.Point{X: left, Y: top + 11*k}, size, false, muted)
}

// rings show selection and the keyboard's place.
func (s *scene) rings(i int, x, y, w, h, k float32) {
	if !s.now.selected[i] {
		return
	}
	for _, ring := range []struct {
		out float32
		c   color.NRGBA
	}{{max(5*k, 4*s.px), s.pal.Select}, {max(2.5*k, 1.8*s.px), s.pal.Background}} {
		o := ring.out
		s.list.RoundRect(x-o, y-o, w+2*o, h+2*o, 10*k+o, ring.c, 0, ring.c, 0)
	}
}
