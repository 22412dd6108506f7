package canvas

import (
	"cmp"
	"math"
	"slices"

	"cairn/canvas/paint"
)

// route is the way of an edge through the world.
type route struct {
	points []paint.Point // cubic pieces, 1+3n points; ends at the tip of the head
	label  paint.Point   // the middle of the pill
	bounds box
}

// fan says where an edge stands among those that join the same two nodes.
type fan struct {
	offset float32 // …, -1, 0, 1, … seen from the lower index
	loop   int     // for an edge from a node to itself: 1, 2, …; else 0
	alone  bool
}

// fans numbers parallel edges, of those that are drawn.
func fans(m *Model, g *grids) []fan {
	count := map[[2]int]int{}
	pair := func(e *Edge) [2]int {
		from, to := g.place(e.From), g.place(e.To)
		return [2]int{min(from, to), max(from, to)}
	}
	for i := range m.Edges {
		if g.lead[i] == i {
			count[pair(&m.Edges[i])]++
		}
	}
	seen := map[[2]int]int{}
	out := make([]fan, len(m.Edges))
	for i := range m.Edges {
		if g.lead[i] != i {
			continue
		}
		e := &m.Edges[i]
		p := pair(e)
		k := seen[p]
		seen[p]++
		if e.From == e.To {
			out[i].loop = k + 1
			continue
		}
		out[i].offset = float32(k) - float32(count[p]-1)/2
		out[i].alone = count[p] == 1
	}
	return out
}

const (
	fanRoom   = 36 // between the middles of parallel edges, as far as control points move
	portRoom  = 10 // between the heads on one side of a card
	mostPorts = 6  // more meet in one point
	mostStubs = 8  // labels stacked beside one card
	stubPitch = pillHeight + 3
	stubStart = 20 // from the card to the level part
	stubCurve = 40 // at least, for the way on from there
	sideRoom  = 16 // between two cards for an edge to run from side to side
	elbowRoom = 42 // of an edge that leaves and enters on the same side
)

type side int8

const (
	right side = iota
	left
)

// end is where an edge meets a card: its tail's or its head's.
type end struct {
	edge int
	head bool
}

// router makes the routes of all edges between cards.
type router struct {
	*board
	cards []box           // of each node: its card, or the frame that it stands in
	ports map[end]float32 // height on the side of the card
	slots map[end]float32 // place on the side: …, -1, 0, 1, …
	share [][2]int        // of each edge: how many meet its tail's side, and its head's
	stubs []stub
}

// stub is where the label of an edge stands beside one of its cards: the edge
// runs level there. It is meant for edges that share both ends with others.
type stub struct {
	ok    bool
	label paint.Point
}

// routes returns the ways of all edges between cards.
func (b *board) makeRoutes() []route {
	n := len(b.model.Edges)
	r := router{board: b, cards: b.ends(), ports: map[end]float32{}, slots: map[end]float32{}, share: make([][2]int, n), stubs: make([]stub, n)}
	r.spreadPorts()
	out := make([]route, n)
	for e := range out {
		if b.grids.lead[e] == e {
			out[e].points = r.way(e)
		}
	}
	r.placeLabels(out)
	for e := range out {
		if out[e].points == nil {
			continue
		}
		out[e].bounds = boundsOf(out[e].points)
		if b.pills[e].w > 0 {
			out[e].bounds = out[e].bounds.union(around(out[e].label, b.pills[e].w, pillHeight))
		}
	}
	return out
}

func boundsOf(points []paint.Point) box {
	b := box{points[0].X, points[0].Y, points[0].X, points[0].Y}
	for _, p := range points[1:] {
		b = b.union(box{p.X, p.Y, p.X, p.Y})
	}
	return b
}

func (r *router) middle(i int) paint.Point { return r.cards[i].middle() }

// sides says on which sides an edge leaves and enters.
func (r *router) sides(e int) (out, in side) {
	edge := &r.model.Edges[e]
	from, to := r.cards[edge.From], r.cards[edge.To]
	if bends := r.now.bends[e]; len(bends) > 0 {
		out, in = right, left
		if bends[0].X < r.middle(edge.From).X {
			out = left
		}
		if bends[len(bends)-1].X > r.middle(edge.To).X {
			in = right
		}
		return out, in
	}
	switch {
	case to.x0-from.x1 >= sideRoom:
		return right, left
	case from.x0-to.x1 >= sideRoom:
		return left, right
	default:
		return right, right
	}
}

// spreadPorts gives heads that enter a card on one side their own heights, in
// the order in which they come. Tails leave together unless they are parallel.
func (r *router) spreadPorts() {
	type meeting struct {
		end
		far float32 // the height of the other end
	}
	bySide := map[[2]int][]meeting{}
	for e := range r.model.Edges {
		edge := &r.model.Edges[e]
		if r.fans[e].loop > 0 || r.edgeHidden(e) {
			continue
		}
		out, in := r.sides(e)
		tail := meeting{end{e, false}, r.middle(edge.To).Y + r.fans[e].offset}
		head := meeting{end{e, true}, r.middle(edge.From).Y + r.fans[e].offset}
		if bends := r.now.bends[e]; len(bends) > 0 {
			tail.far, head.far = bends[0].Y, bends[len(bends)-1].Y
		}
		from, to := [2]int{r.grids.place(edge.From), int(out)}, [2]int{r.grids.place(edge.To), int(in)}
		bySide[from] = append(bySide[from], tail)
		bySide[to] = append(bySide[to], head)
	}
	for key, ends := range bySide {
		spread := false
		for _, x := range ends {
			spread = spread || x.head || !r.fans[x.edge].alone
			if x.head {
				r.share[x.edge][1] = len(ends)
			} else {
				r.share[x.edge][0] = len(ends)
			}
		}
		if len(ends) < 2 || len(ends) > mostStubs {
			continue
		}
		slices.SortStableFunc(ends, func(a, b meeting) int { return cmp.Or(cmp.Compare(a.far, b.far), cmp.Compare(a.edge, b.edge)) })
		step := min(portRoom, (r.cards[key[0]].h()-18)/float32(len(ends)-1))
		for i, x := range ends {
			r.slots[x.end] = float32(i) - float32(len(ends)-1)/2
			if spread && len(ends) <= mostPorts {
				r.ports[x.end] = step * r.slots[x.end]
			}
		}
	}
}

// way returns the cubic pieces of an edge.
func (r *router) way(e int) []paint.Point {
	edge := &r.model.Edges[e]
	if n := r.fans[e].loop; n > 0 {
		return loopWay(r.cards[edge.From], n)
	}
	out, in := r.sides(e)
	p := r.port(edge.From, end{e, false}, out)
	q := r.port(edge.To, end{e, true}, in)
	bends := r.withStub(e, p, q, out, in)
	if len(bends) == 0 {
		return r.oneCurve(e, p, q, out, in)
	}
	points := []paint.Point{p}
	previous, direction := p, sign(out)
	atTail, atHead := r.reaches(e)
	for i := 0; i+1 < len(bends); i += 2 {
		points = append(points, sCurve(previous, bends[i], direction, -direction, atTail, 1-atTail)...)
		points = append(points, sCurve(bends[i], bends[i+1], direction, -direction, 0.5, 0.5)...)
		previous, atTail = bends[i+1], 0.5
	}
	return append(points, sCurve(previous, q, direction, sign(in), 1-atHead, atHead)...)
}

// withStub returns the bends of an edge. One that has none gets two, between
// which it runs level for its label, beside the end that it shares with fewer
// others.
func (r *router) withStub(e int, p, q paint.Point, out, in side) []paint.Point {
	edge, w := &r.model.Edges[e], r.pills[e].w
	tails, heads := r.share[e][0], r.share[e][1]
	if len(r.now.bends[e]) > 0 || w == 0 || out == in || !r.fans[e].alone || tails < 2 || heads < 2 || min(tails, heads) > mostStubs {
		return r.now.bends[e]
	}
	near, direction, node, head, start := p, sign(out), edge.From, false, float32(stubStart)
	if heads < tails {
		near, direction, node, head, start = q, sign(in), edge.To, true, stubStart+headLength
	}
	if (q.X-p.X)*sign(out) < start+w+6+stubCurve {
		return nil
	}
	y := r.middle(node).Y + r.slots[end{e, head}]*stubPitch
	a, b := paint.Point{X: near.X + direction*start, Y: y}, paint.Point{X: near.X + direction*(start+w+6), Y: y}
	r.stubs[e] = stub{true, paint.Between(a, b, 0.5)}
	if head {
		return []paint.Point{b, a}
	}
	return []paint.Point{a, b}
}

// reaches says how far the control points of an edge lie from its ends, as a
// share of its width. Where many edges meet, they part soon and run level at
// their other ends, where there is room for labels.
func (r *router) reaches(e int) (atTail, atHead float32) {
	const many, near = 3, 0.3
	switch tails, heads := r.share[e][0], r.share[e][1]; {
	case tails > many && heads <= many:
		return near, 1 - near
	case heads > many && tails <= many:
		return 1 - near, near
	}
	return 0.5, 0.5
}

// oneCurve joins two ports with nothing in between.
func (r *router) oneCurve(e int, p, q paint.Point, out, in side) []paint.Point {
	shift := r.fans[e].offset * fanRoom
	if out == in { // an elbow beside both
		x := max(p.X, q.X) + elbowRoom + float32(math.Abs(float64(r.fans[e].offset)))*fanRoom + paint.Gap(p, q)*0.12
		return []paint.Point{p, {X: x, Y: p.Y}, {X: x, Y: q.Y}, q}
	}
	atTail, atHead := r.reaches(e)
	points := append([]paint.Point{p}, sCurve(p, q, sign(out), sign(in), atTail, atHead)...)
	points[1].Y += shift
	points[2].Y += shift
	return points
}

func sign(s side) float32 {
	if s == left {
		return -1
	}
	return 1
}

// sCurve leaves p level in the direction out and arrives level on the side in of
// q; the start is not repeated. a and b are the reaches of the control points.
func sCurve(p, q paint.Point, out, in, a, b float32) []paint.Point {
	width := max(float32(math.Abs(float64(q.X-p.X))), 24)
	return []paint.Point{{X: p.X + out*width*a, Y: p.Y}, {X: q.X + in*width*b, Y: q.Y}, q}
}

func (r *router) port(node int, e end, s side) paint.Point {
	c := r.cards[node]
	p := paint.Point{X: c.x1, Y: r.middle(node).Y + r.ports[e]}
	if s == left {
		p.X = c.x0
	}
	return p
}

// loopWay leaves the top of a card and comes back to it.
func loopWay(c box, n int) []paint.Point {
	size := 30 + 14*float32(n)
	x := c.x1 - min(26, c.w()/3)
	p, q := paint.Point{X: x - 9 - 4*float32(n), Y: c.y0}, paint.Point{X: x + 9, Y: c.y0}
	return []paint.Point{p, {X: p.X - size*0.35, Y: c.y0 - size}, {X: q.X + size*0.35, Y: c.y0 - size}, q}
}

// placeLabels puts the pills onto their edges where they hide neither a card
// nor each other: near the target of edges that fan out from one card, near the
// start of those that run together, else in the middle.
func (r *router) placeLabels(routes []route) {
	var taken []box
	for i := range r.shapes {
		if r.grids.place(i) == i && (!r.now.hidden[i] || r.grids.node[i] >= 0) {
			taken = append(taken, r.cards[i].grown(2))
		}
	}
	for e := range routes {
		p := r.pills[e]
		if p.w == 0 || r.edgeHidden(e) {
			continue
		}
		line := measured(samples(routes[e].points))
		wish := line.total() / 2
		if r.fans[e].alone {
			switch tails, heads := r.share[e][0], r.share[e][1]; {
			case tails > 1 && heads == 1:
				wish = max(line.total()-p.w/2-headLength-5, wish*0.8)
			case heads > 1 && tails == 1:
				wish = min(p.w/2+8, wish*1.2)
			}
		}
		spot := r.stubs[e].label
		if !r.stubs[e].ok {
			spot = line.freeSpot(wish, p.w, taken)
		}
		routes[e].label = spot
		taken = append(taken, around(spot, p.w, pillHeight).grown(2))
	}
}

// samples are points along a route, about evenly spaced.
func samples(points []paint.Point) []paint.Point {
	const each = 16
	out := []paint.Point{points[0]}
	for i := 1; i+2 < len(points); i += 3 {
		for k := 1; k <= each; k++ {
			out = append(out, paint.Bezier(points[i-1], points[i], points[i+1], points[i+2], float32(k)/each))
		}
	}
	return out
}

// polyline is a way in small steps; length[i] is how far points[i] is from the
// start.
type polyline struct {
	points []paint.Point
	length []float32
}

func measured(points []paint.Point) polyline {
	l := polyline{points: points, length: make([]float32, len(points))}
	for i := 1; i < len(points); i++ {
		l.length[i] = l.length[i-1] + paint.Gap(points[i-1], points[i])
	}
	return l
}

func (l *polyline) total() float32 { return l.length[len(l.length)-1] }

// at is the point a distance from the start.
func (l *polyline) at(distance float32) paint.Point {
	for i := 1; i < len(l.points); i++ {
		if l.length[i] >= distance {
			return paint.Between(l.points[i-1], l.points[i], (distance-l.length[i-1])/max(l.length[i]-l.length[i-1], 1e-3))
		}
	}
	return l.points[len(l.points)-1]
}

// freeSpot returns the point nearest to the wish, a distance from the start,
// where a pill of width w covers nothing, or else the least.
func (l *polyline) freeSpot(wish, w float32, taken []box) paint.Point {
	const step = 9
	best, least := l.at(wish), float32(math.Inf(1))
	for n := range int(l.total()/step)*2 + 1 {
		// wish, then one step back and forth, then two …
		away := float32((n+1)/2) * step
		if n%2 == 0 {
			away = -away
		}
		where := wish + away
		if where < 0 || where > l.total() {
			continue
		}
		p := l.at(where)
		here, cover := around(p, w, pillHeight), float32(0)
		for _, t := range taken {
			cover += here.overlap(t)
		}
		if cover < least {
			best, least = p, cover
		}
		if cover == 0 {
			break
		}
	}
	return best
}
