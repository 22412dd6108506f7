package canvas

import (
	"image/color"
	"math"
	"slices"
	"strings"

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

// ---- cards

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
			if s.named[i] == unnamed && i != h && !s.now.hidden[i] && !s.shapes[i].cell && (s.weight(i) >= 2) == (least == 2) {
				s.nameOver(i, 110, false)
			}
		}
	}
}

// nameOver writes a name of a width over its card; below it, where that is the
// one under the pointer.
func (s *scene) nameOver(i int, width float32, below bool) {
	const margin = 6
	size := leastText * s.px
	text := cut(s.fonts(), s.shapes[i].label, size, true, min(width*s.px, s.lens.w-2*margin*s.px))
	w, c := s.list.Measure(text, size, true), s.lens.project(s.now.at[i])
	y := c.Y + size*0.36
	if half := s.shapes[i].h * s.lens.zoom / 2; below {
		if y = c.Y + half + 1.6*size; y > s.lens.h-margin*s.px {
			y = c.Y - half - 0.8*size
		}
	}
	at := paint.Point{X: min(max(c.X-w/2, margin*s.px), s.lens.w-w-margin*s.px), Y: y}
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
	if name := roleName(n.Role); name != "" {
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

// roleName says a role in words.
func roleName(r Role) string {
	switch r {
	case Known:
		return "in the question"
	case Variable:
		return "found on the way"
	case Answer:
		return "answer"
	case Rest:
		return "not drawn"
	default:
		return ""
	}
}

// edgeStyle is the colour and the width of an edge.
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

func (s *scene) cardEdge(e int, r *route) {
	c, width := s.edgeStyle(e)
	var buffer [32]paint.Point
	points := buffer[:0]
	for _, p := range r.points {
		points = append(points, s.lens.project(p))
	}
	s.arrow(points, c, width, s.dash(e), min(max(headLength*s.lens.zoom, 4.5*s.px), 16*s.px)*headGrowth(width, s.px))
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
	length := gapOf(p0, p1) + gapOf(p1, p2) + gapOf(p2, tip)
	back := paint.Bezier(p0, p1, p2, tip, max(1-head/max(length, 1), 0))
	dx, dy := tip.X-back.X, tip.Y-back.Y
	d := gapOf(tip, back)
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
	rows := min(int((h-1)/(size*pitch)), cardLines)
	if rows < 1 && h >= size { // just one
		rows = 1
	}
	if rows < 1 || limit-left < 3*size {
		return
	}
	key := fitKey{s.shapes[i].label, int(limit - left), rows}
	lines, ok := s.fits[key]
	if !ok {
		if s.fits == nil || len(s.fits) > manyFits {
			s.fits = map[fitKey][]string{}
		}
		lines = wrap(s.fonts(), key.label, size, true, float32(key.width), rows)
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

// fitKey is a label with the room it has: to break lines anew for each frame
// would take longer than to draw them.
type fitKey struct {
	label string
	width int
	rows  int
}

const manyFits = 4096

// textOf is the colour of a node's name.
func (s *scene) textOf(i int) color.NRGBA {
	if s.model.Nodes[i].Role == Rest {
		return s.pal.Muted
	}
	return s.pal.Text
}

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
	}
	size := max(typeSize*k, leastText*s.px)
	s.list.Text(cut(s.fonts(), sh.kind, size, false, limit-left-typeDot*k), paint.Point{X: left + typeDot*k, Y: top + 11*k}, size, false, muted)
}

func (s *scene) fonts() *paint.Fonts { return s.list.Fonts() }

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

// badge draws the mark of a role: a quotation mark for what the question names, a
// question mark for what was unknown, a tick for the answer.
func (s *scene) badge(r Role, c paint.Point, radius float32, fill color.NRGBA) {
	if radius < 2.5*s.px {
		return
	}
	on := s.pal.OnRole
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

// ---- discs

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

// label is text that has found its place.
type label struct {
	text    string
	at      paint.Point // baseline start
	w, size float32
	c       color.NRGBA
	bold    bool
	plate   bool
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

func (s *scene) discLabel(l label) {
	if l.plate {
		s.list.RoundRect(l.at.X-5*s.px, l.at.Y-l.size*1.02, l.w+10*s.px, l.size*1.42, 4*s.px, s.pal.Card, s.px, s.pal.Line, 0)
	}
	s.list.Text(l.text, l.at, l.size, l.bold, l.c)
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
			room := gapOf(s.now.at[edge.From], s.now.at[edge.To])*k - (s.shapes[edge.From].radius+s.shapes[edge.To].radius)*k
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
