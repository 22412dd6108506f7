package canvas

import (
	"context"
	"math"
	"slices"

	"cairn/canvas/layout"
	"cairn/canvas/paint"
)

// board is a model with everything that is needed to draw it and to find things
// on it. It has no widget: a View owns one, and so does each export.
type board struct {
	model  Model
	shapes []shape
	pills  []pill
	fans   []fan
	grids  grids
	wears  [][]shape      // what the nodes can look like, by the dresses
	worn   int            // index of shapes there
	near   [][]int        // near[i] are the edges of node i
	byID   map[string]int // node
	edgeID map[string]int
	now    state
	lit    []bool // edges of a citation; nil without one
	hover  int    // node under the pointer, -1
	over   int    // edge under the pointer, -1

	routes []route // between cards; made when asked for

	// The legend of a view, and what it was made for.
	key       *legend
	keyWidth  float32
	keyHidden *bool
}

// state is what the user changes. A state is never changed in place while it is
// in the history: an action replaces the slices it changes.
type state struct {
	at       []paint.Point // of the nodes
	bends    [][]paint.Point
	pinned   []bool
	hidden   []bool
	selected []bool // nodes
	edge     int    // selected edge, -1
	cursor   int    // node that the keyboard is at, -1
	camera   camera
	moved    bool // the user chose the camera: no more fitting by itself
}

// newBoard measures a model. Edges whose ends do not exist are left out.
func newBoard(m Model, f *paint.Fonts) *board {
	edges := make([]Edge, 0, len(m.Edges))
	for _, e := range m.Edges {
		if e.From >= 0 && e.From < len(m.Nodes) && e.To >= 0 && e.To < len(m.Nodes) {
			edges = append(edges, e)
		}
	}
	m.Edges = edges
	n := len(m.Nodes)
	b := &board{
		model: m, hover: -1, over: -1,
		near: make([][]int, n), byID: make(map[string]int, n), edgeID: make(map[string]int, len(edges)),
		now: state{
			at: make([]paint.Point, n), bends: make([][]paint.Point, len(edges)),
			pinned: make([]bool, n), hidden: make([]bool, n), selected: make([]bool, n),
			edge: -1, cursor: -1, camera: camera{zoom: 1},
		},
	}
	for i := range m.Nodes {
		b.byID[m.Nodes[i].ID] = i
	}
	for i := range edges {
		b.edgeID[edges[i].ID] = i
		b.near[edges[i].From] = append(b.near[edges[i].From], i)
		if edges[i].To != edges[i].From {
			b.near[edges[i].To] = append(b.near[edges[i].To], i)
		}
	}
	b.grids = findGrids(&b.model)
	b.measure(f)
	b.fans = fans(&b.model, &b.grids)
	return b
}

// dress is a way for cards to look. The first in which a picture can be shown
// with its texts readable is taken.
type dress struct {
	slim   bool // without types
	narrow bool // and with names on more lines
	gapX   float64
	gapY   float64
	// The room of names and of labels, which shrink less than the cards.
	slack float32
	pills float64
}

var dresses = [...]dress{
	{},
	{slim: true, gapX: 64, gapY: 8, slack: 1.18, pills: 1.3},
	{slim: true, narrow: true, gapX: 30, gapY: 8, slack: 1.35, pills: 1},
}

// measure makes the shapes; it is done again when there are more fonts.
func (b *board) measure(f *paint.Fonts) {
	b.wears = nil // a layout may be reading the old ones
	for _, d := range dresses {
		b.wears = append(b.wears, b.measured(f, d))
		if !b.cards() {
			break
		}
	}
	b.shapes = b.wears[b.worn]
	b.pills = measurePills(&b.model, &b.grids, f)
}

// cards tells whether nodes are cards; in a picture without layers they are discs.
func (b *board) cards() bool { return b.model.Layered }

// edgeHidden tells whether an edge is not drawn: an end of it is hidden, and
// those of all edges that it is drawn for, or it is drawn by another.
func (b *board) edgeHidden(e int) bool {
	return !slices.ContainsFunc(b.grids.with[e], func(w int) bool {
		return !b.now.hidden[b.model.Edges[w].From] && !b.now.hidden[b.model.Edges[w].To]
	})
}

// arrangement is a finished layout, for one of the dresses.
type arrangement struct {
	worn  int
	at    []paint.Point
	bends [][]paint.Point
}

// plan is a layout that is still to be computed, away from the board.
type plan struct {
	graph   layout.Graph
	layered bool
	wide    layout.LayeredOptions
	loose   layout.ForceOptions
	wears   [][]shape
	keep    []paint.Point // positions of the pinned nodes
	pinned  []bool
}

// plan captures what a layout needs. start holds positions to begin with, NaN
// where unknown; nil begins anew. room is what the picture is shown in.
func (b *board) plan(start []paint.Point, room layout.Size) plan {
	p := plan{
		graph: b.graph(), layered: b.cards(),
		wears: b.wears, keep: b.now.at, pinned: b.now.pinned,
	}
	n := len(b.model.Nodes)
	p.wide.First, p.wide.Last = make([]bool, n), make([]bool, n)
	for i := range b.model.Nodes {
		p.wide.First[i] = b.model.Nodes[i].Role == Known
		p.wide.Last[i] = b.model.Nodes[i].Role == Answer || b.model.Nodes[i].Role == Rest
	}
	b.grids.options(&p.wide)
	p.wide.Room = room
	p.wide.SetDefaults()
	p.loose.Fixed = b.now.pinned
	if start != nil {
		p.loose.Iterations = 80
		p.loose.Start = make([]layout.Point, n)
		for i, q := range start {
			p.loose.Start[i] = layout.Point{X: float64(q.X), Y: float64(q.Y)}
		}
	}
	return p
}

// compute runs the layout. It fails only when ctx is done.
func (p *plan) compute(ctx context.Context) (arrangement, error) {
	var r layout.Result
	var err error
	worn := 0
	if p.layered {
		r, worn, err = p.readable(ctx)
	} else {
		r.At, err = layout.Force(ctx, p.graph, p.loose)
		r.Bends = make([][]layout.Point, len(p.graph.Edges))
	}
	if err != nil {
		return arrangement{}, err
	}
	a := arrangement{worn: worn, at: make([]paint.Point, len(r.At)), bends: make([][]paint.Point, len(r.Bends))}
	for i, q := range r.At {
		a.at[i] = paint.Point{X: float32(q.X), Y: float32(q.Y)}
		if p.layered && p.pinned[i] {
			a.at[i] = p.keep[i]
		}
	}
	for e, bends := range r.Bends {
		edge := p.graph.Edges[e]
		if p.pinned[edge.From] || p.pinned[edge.To] {
			continue // the way was made for another place
		}
		for _, q := range bends {
			a.bends[e] = append(a.bends[e], paint.Point{X: float32(q.X), Y: float32(q.Y)})
		}
	}
	return a, nil
}

// readable lays the cards out in the first dress that can be shown large enough
// to be read, or in the one that gives names the most room.
func (p *plan) readable(ctx context.Context) (best layout.Result, worn int, err error) {
	const worth = 1.05 // less is no reason to show less
	largest := 0.0
	for i, wear := range p.wears {
		o, g := p.wide, p.graph
		if d := dresses[i]; d.slim {
			o.GapX, o.GapY = d.gapX, d.gapY
			g.Edges = slices.Clone(g.Edges)
			for e := range g.Edges {
				g.Edges[e].Label.W *= d.pills
			}
		}
		g.Nodes = make([]layout.Size, len(wear))
		for n := range wear {
			g.Nodes[n] = layout.Size{W: float64(wear[n].w), H: float64(wear[n].h)}
		}
		r, err := layout.Layered(ctx, g, o)
		if err != nil {
			return r, i, err
		}
		if len(wear) == 0 {
			return r, i, nil
		}
		scale := r.Scale(g.Nodes, layout.Size{W: o.Room.W - 2*fitMargin, H: o.Room.H - 2*fitMargin})
		if scale*labelSize >= leastText {
			return r, i, nil
		}
		if room := scale * max(1, float64(dresses[i].slack)); room > largest*worth {
			best, worn, largest = r, i, room
		}
	}
	return best, worn, nil
}

// place takes over an arrangement.
func (b *board) place(a arrangement) {
	b.wear(a.worn)
	b.now.at, b.now.bends = a.at, a.bends
	b.routes = nil
}

// wear gives the nodes the look of a dress.
func (b *board) wear(i int) { b.worn, b.shapes = i, b.wears[i] }

// ways returns the routes of all edges, for cards.
func (b *board) ways() []route {
	if b.routes == nil {
		b.routes = b.makeRoutes()
	}
	return b.routes
}

// bounds is the part of the world that a node takes.
func (b *board) bounds(i int) box { return around(b.now.at[i], b.shapes[i].w, b.shapes[i].h) }

// extent is the part of the world that holds everything shown.
func (b *board) extent() box {
	out := b.extentOf(func(int) bool { return true })
	if !b.cards() {
		out.y1 += lineHeight
		return out
	}
	for g := range b.grids.all {
		out = out.union(b.frame(g))
	}
	for e, r := range b.ways() {
		if !b.edgeHidden(e) {
			out = out.union(r.bounds)
		}
	}
	return out
}

// extentOf is the part of the world that holds some of the nodes shown.
func (b *board) extentOf(which func(i int) bool) box {
	out := nowhere
	for i := range b.shapes {
		if !b.now.hidden[i] && which(i) {
			out = out.union(b.bounds(i))
		}
	}
	return out
}

// nodeAt returns the node under a point of the world, the last one painted
// first, or -1. slack widens small discs.
func (b *board) nodeAt(p paint.Point, slack float32) int {
	cards := b.cards()
	for i := range slices.Backward(b.shapes) {
		if b.now.hidden[i] {
			continue
		}
		if cards {
			if b.bounds(i).grown(slack / 2).has(p) {
				return i
			}
			continue
		}
		dx, dy := p.X-b.now.at[i].X, p.Y-b.now.at[i].Y
		reach := b.shapes[i].radius + slack
		if dx*dx+dy*dy <= reach*reach {
			return i
		}
	}
	return -1
}

// edgeAt returns the edge nearest to a point of the world within slack, or -1.
// The label of an edge between cards counts as the edge.
func (b *board) edgeAt(p paint.Point, slack float32) int {
	best, nearest := -1, slack
	var ways []route
	if b.cards() {
		ways = b.ways()
	}
	var scratch [4]paint.Point
	for e := range b.model.Edges {
		if b.edgeHidden(e) {
			continue
		}
		var points []paint.Point
		if ways == nil {
			points = b.discWay(e, &scratch)
		} else {
			if b.pills[e].w > 0 && around(ways[e].label, b.pills[e].w, pillHeight).has(p) {
				return e
			}
			points = ways[e].points
		}
		if !boundsOf(points).grown(slack).has(p) {
			continue
		}
		along := samples(points)
		for i := 1; i < len(along); i++ {
			if d := fromSegment(p, along[i-1], along[i]); d < nearest {
				best, nearest = e, d
			}
		}
	}
	return best
}

// fromSegment is the distance of p from the straight line a–b.
func fromSegment(p, a, b paint.Point) float32 {
	dx, dy := b.X-a.X, b.Y-a.Y
	t := float32(0)
	if d2 := dx*dx + dy*dy; d2 > 0 {
		t = min(max(((p.X-a.X)*dx+(p.Y-a.Y)*dy)/d2, 0), 1)
	}
	return paint.Gap(p, paint.Point{X: a.X + dx*t, Y: a.Y + dy*t})
}

// discWay is the cubic of an edge between discs, from rim to rim, in scratch.
func (b *board) discWay(e int, scratch *[4]paint.Point) []paint.Point {
	edge := &b.model.Edges[e]
	p, q := b.now.at[edge.From], b.now.at[edge.To]
	rp, rq := b.shapes[edge.From].radius, b.shapes[edge.To].radius
	if n := float32(b.fans[e].loop); n > 0 {
		size := rp*1.6 + 14 + 8*n
		const slant = 0.5
		s, c := float32(math.Sin(slant)), float32(math.Cos(slant))
		*scratch = [4]paint.Point{
			{X: p.X - rp*s, Y: p.Y - rp*c},
			{X: p.X - size*s*1.3, Y: p.Y - rp*c - size},
			{X: p.X + size*s*1.3, Y: p.Y - rp*c - size},
			{X: p.X + rp*s, Y: p.Y - rp*c},
		}
		return scratch[:]
	}
	length := paint.Gap(p, q)
	if length <= rp+rq {
		*scratch = [4]paint.Point{p, p, q, q}
		return scratch[:]
	}
	shift := b.fans[e].offset * 22
	if edge.From > edge.To {
		shift = -shift
	}
	ux, uy := (q.X-p.X)/length, (q.Y-p.Y)/length
	a := paint.Point{X: p.X + ux*length/3 - uy*shift, Y: p.Y + uy*length/3 + ux*shift}
	d := paint.Point{X: p.X + ux*length*2/3 - uy*shift, Y: p.Y + uy*length*2/3 + ux*shift}
	toward := func(from, to paint.Point, by float32) paint.Point {
		g := max(paint.Gap(from, to), 1e-3)
		return paint.Point{X: from.X + (to.X-from.X)/g*by, Y: from.Y + (to.Y-from.Y)/g*by}
	}
	*scratch = [4]paint.Point{toward(p, a, rp), a, d, toward(q, d, rq)}
	return scratch[:]
}
