package layout

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// ForceOptions tunes Force.
type ForceOptions struct {
	// Start is where the nodes begin; nil spreads them on a sunflower. A node
	// whose Start is NaN begins beside its neighbours.
	Start []Point
	// Fixed nodes keep their Start.
	Fixed []bool
	// Iterations is how often forces are applied. The default value is 200.
	Iterations int
	// Gap is kept free round each node. The default value is 14.
	Gap float64
}

// SetDefaults fills in the fields that are zero.
func (o *ForceOptions) SetDefaults() {
	if o.Iterations == 0 {
		o.Iterations = 200
	}
	if o.Gap == 0 {
		o.Gap = 14
	}
}

const (
	// theta is how small a far cell must look to count as one body (Barnes and
	// Hut 1986).
	theta = 0.9
	// gravity draws everything to the middle, or parts without edges between
	// them would drift apart for ever.
	gravity = 0.8
	// golden is the angle of a sunflower, in radians.
	golden = 2.399963229728653
	// labelRounds bounds how often nodes are pushed apart for labels; not every
	// label of a dense graph finds room.
	labelRounds = 80
)

// Force places g by forces after Fruchterman and Reingold (1991): edges pull
// with d²/k, all nodes push with k²/d, steps shrink. Pushes of far nodes are
// summed by Barnes and Hut's quadtree. Nothing is random. In the end overlapping
// nodes are pushed apart.
//
// It fails only when ctx is done.
func Force(ctx context.Context, g Graph, o ForceOptions) ([]Point, error) {
	o.SetDefaults()
	n := len(g.Nodes)
	if n == 0 {
		return []Point{}, nil
	}
	k, stretch := g.spring()
	at := g.start(o, k, stretch)
	f := force{g: g, o: o, k: k, at: at, push: make([]Point, n)}
	step := 2 * k
	if o.Start != nil {
		step = k / 2 // a picture that is known already should not jump
	}
	cool := math.Pow(0.5/step, 1/float64(o.Iterations))
	for range o.Iterations {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("place by forces: %w", err)
		}
		f.round(step)
		step *= cool
	}
	for i := range at {
		at[i].X *= stretch
	}
	for range labelRounds {
		if !g.makeLabelRoom(at, o) {
			break
		}
		pushPairs(g.Nodes, at, o, byX(at), g.widest())
	}
	if err := separate(ctx, g, at, o); err != nil {
		return nil, fmt.Errorf("push nodes apart: %w", err)
	}
	return at, nil
}

// spring returns the length that edges want, and how much wider than high the
// space is: cards are wider than high, and so must be the room between them.
func (g *Graph) spring() (k, stretch float64) {
	var w, h, label float64
	for _, s := range g.Nodes {
		w += s.W
		h += s.H
	}
	w, h = w/float64(len(g.Nodes)), h/float64(len(g.Nodes))
	for _, e := range g.Edges {
		label += e.Label.W
	}
	if len(g.Edges) > 0 {
		label /= float64(len(g.Edges))
	}
	stretch = min(max(math.Sqrt(w/h), 1), 1.8)
	return max(70, h*1.9, (w+label)/stretch*0.9), stretch
}

func (g *Graph) start(o ForceOptions, k, stretch float64) []Point {
	at := make([]Point, len(g.Nodes))
	var late []int
	for i := range at {
		switch {
		case i >= len(o.Start):
			a, r := float64(i)*golden, 0.6*k*math.Sqrt(float64(i))
			at[i] = Point{r * math.Cos(a), r * math.Sin(a)}
		case math.IsNaN(o.Start[i].X) || math.IsNaN(o.Start[i].Y):
			late = append(late, i)
			at[i] = Point{math.NaN(), 0}
		default:
			at[i] = Point{o.Start[i].X / stretch, o.Start[i].Y}
		}
	}
	if len(late) == 0 {
		return at
	}
	adjacent := g.neighbours()
	for order, i := range late {
		var sum Point
		count := 0.0
		for _, w := range adjacent[i] {
			if !math.IsNaN(at[w].X) {
				sum.X += at[w].X
				sum.Y += at[w].Y
				count++
			}
		}
		a := float64(order) * golden
		r := 0.6 * k
		if count == 0 {
			count, r = 1, 0.6*k*math.Sqrt(float64(i))
		}
		at[i] = Point{sum.X/count + r*math.Cos(a), sum.Y/count + r*math.Sin(a)}
	}
	return at
}

type force struct {
	g    Graph
	o    ForceOptions
	k    float64
	at   []Point
	push []Point
	tree tree
	work []int32
}

// round applies all forces once; no node moves farther than step.
func (f *force) round(step float64) {
	f.tree.build(f.at)
	for i := range f.at {
		p := f.repulsion(int32(i))
		f.push[i] = Point{p.X - f.at[i].X*gravity, p.Y - f.at[i].Y*gravity}
	}
	for _, e := range f.g.Edges {
		a, b := f.at[e.From], f.at[e.To]
		dx, dy := a.X-b.X, a.Y-b.Y
		pull := math.Hypot(dx, dy) / f.k
		f.push[e.From].X -= dx * pull
		f.push[e.From].Y -= dy * pull
		f.push[e.To].X += dx * pull
		f.push[e.To].Y += dy * pull
	}
	for i := range f.at {
		if marked(f.o.Fixed, i) {
			continue
		}
		length := math.Hypot(f.push[i].X, f.push[i].Y)
		if length < 1e-9 {
			continue
		}
		scale := min(length, step) / length
		f.at[i].X += f.push[i].X * scale
		f.at[i].Y += f.push[i].Y * scale
	}
}

// repulsion sums k²·m/d² × (distance vector) over the cells of the tree.
func (f *force) repulsion(i int32) Point {
	var sum Point
	p := f.at[i]
	f.work = append(f.work[:0], 0)
	for len(f.work) > 0 {
		c := &f.tree.cells[f.work[len(f.work)-1]]
		f.work = f.work[:len(f.work)-1]
		if c.body == i && c.mass == 1 {
			continue
		}
		dx, dy := p.X-c.sum.X/c.mass, p.Y-c.sum.Y/c.mass
		d2 := dx*dx + dy*dy
		size := 2 * c.half
		if c.leaf() || size*size < theta*theta*d2 {
			if d2 < 1e-4 { // on top of each other: part in a direction of one's own
				a := float64(i) * golden
				dx, dy, d2 = 0.03*math.Cos(a), 0.03*math.Sin(a), 1e-3
			}
			push := f.k * f.k * c.mass / d2
			sum.X += dx * push
			sum.Y += dy * push
			continue
		}
		for _, child := range c.child {
			if child != 0 {
				f.work = append(f.work, child)
			}
		}
	}
	return sum
}

// cell is a square of the quadtree. The root is no cell's child, so 0 means none.
type cell struct {
	middle Point
	half   float64
	sum    Point // of the bodies' positions
	mass   float64
	child  [4]int32
	body   int32 // of a leaf
}

func (c *cell) leaf() bool { return c.child == [4]int32{} }

type tree struct{ cells []cell }

// deepest stops splitting where bodies coincide.
const deepest = 40

func (t *tree) build(at []Point) {
	lo, hi := at[0], at[0]
	for _, p := range at {
		lo = Point{min(lo.X, p.X), min(lo.Y, p.Y)}
		hi = Point{max(hi.X, p.X), max(hi.Y, p.Y)}
	}
	half := max(hi.X-lo.X, hi.Y-lo.Y)/2 + 1e-3
	t.cells = append(t.cells[:0], cell{middle: Point{(lo.X + hi.X) / 2, (lo.Y + hi.Y) / 2}, half: half})
	for i, p := range at {
		t.insert(int32(i), p, at)
	}
}

func (t *tree) insert(body int32, p Point, at []Point) {
	k := int32(0)
	for depth := 0; ; depth++ {
		c := &t.cells[k]
		alone := c.mass == 0
		resident, wasLeaf := c.body, c.leaf()
		c.mass++
		c.sum.X += p.X
		c.sum.Y += p.Y
		if alone {
			c.body = body
			return
		}
		if depth >= deepest {
			return
		}
		if wasLeaf {
			q := at[resident]
			down := t.into(k, q)
			t.cells[down].mass, t.cells[down].sum, t.cells[down].body = 1, q, resident
		}
		k = t.into(k, p)
	}
}

// into returns the child of cell k that holds p, made where missing.
func (t *tree) into(k int32, p Point) int32 {
	c := t.cells[k]
	quarter := 0
	middle := Point{c.middle.X - c.half/2, c.middle.Y - c.half/2}
	if p.X > c.middle.X {
		quarter |= 1
		middle.X += c.half
	}
	if p.Y > c.middle.Y {
		quarter |= 2
		middle.Y += c.half
	}
	if c.child[quarter] == 0 {
		t.cells = append(t.cells, cell{middle: middle, half: c.half / 2})
		t.cells[k].child[quarter] = int32(len(t.cells) - 1)
	}
	return t.cells[k].child[quarter]
}

// separate moves nodes apart until none overlap: each overlapping pair by the
// shorter way, half each. When that does not come to an end, everything is
// scaled up a little first; a large graph soon, because pushing many nodes about
// would spoil its shape. Fixed nodes stay, also when they overlap.
func separate(ctx context.Context, g Graph, at []Point, o ForceOptions) error {
	const small, tries = 150, 40
	rounds, scale := 240, 1.15
	if len(at) > small {
		rounds, scale = 8, 1.1
	}
	widest := g.widest()
	for range tries {
		for range rounds {
			if err := ctx.Err(); err != nil {
				return err
			}
			if !pushPairs(g.Nodes, at, o, byX(at), widest) {
				return nil
			}
		}
		for i := range at {
			if !marked(o.Fixed, i) {
				at[i].X *= scale
				at[i].Y *= scale
			}
		}
	}
	return nil
}

// byX lists the nodes from left to right.
func byX(at []Point) []int {
	order := make([]int, len(at))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(at[a].X, at[b].X), a-b)
	})
	return order
}

func (g *Graph) widest() float64 {
	w := 0.0
	for _, s := range g.Nodes {
		w = max(w, s.W)
	}
	return w
}

// makeLabelRoom pushes the ends of edges apart whose labels have no room between
// them, once. It tells whether there was any.
func (g *Graph) makeLabelRoom(at []Point, o ForceOptions) bool {
	const arrow, share = 26, 0.3 // room for the head; of the push that is done at once
	moved := false
	for _, e := range g.Edges {
		if e.Label.W == 0 || e.From == e.To {
			continue
		}
		a, b := g.Nodes[e.From], g.Nodes[e.To]
		dx, dy := at[e.To].X-at[e.From].X, at[e.To].Y-at[e.From].Y
		length := math.Hypot(dx, dy)
		if length < 1e-6 {
			continue
		}
		cos, sin := math.Abs(dx)/length, math.Abs(dy)/length
		// How far the borders are from the middles along the edge.
		reach := func(s Size) float64 { return min(s.W/2/max(cos, 1e-9), s.H/2/max(sin, 1e-9)) }
		label := min(e.Label.W/max(cos, 1e-9), e.Label.H/max(sin, 1e-9))
		lack := reach(a) + reach(b) + label + arrow - length
		if lack <= 1 {
			continue
		}
		moved = true
		ux, uy := dx/length*lack*share, dy/length*lack*share
		if !marked(o.Fixed, e.From) {
			at[e.From].X -= ux
			at[e.From].Y -= uy
		}
		if !marked(o.Fixed, e.To) {
			at[e.To].X += ux
			at[e.To].Y += uy
		}
	}
	return moved
}

// pushPairs parts all pairs that overlap, once. It tells whether there was any.
func pushPairs(size []Size, at []Point, o ForceOptions, order []int, widest float64) bool {
	const slack = 0.01
	moved := false
	for a, i := range order {
		for _, j := range order[a+1:] {
			dx, dy := at[j].X-at[i].X, at[j].Y-at[i].Y
			if dx > widest+o.Gap {
				break
			}
			overX := (size[i].W+size[j].W)/2 + o.Gap - math.Abs(dx)
			overY := (size[i].H+size[j].H)/2 + o.Gap - math.Abs(dy)
			if overX <= slack || overY <= slack {
				continue
			}
			shareI, shareJ := 0.5, 0.5
			switch {
			case marked(o.Fixed, i) && marked(o.Fixed, j):
				continue
			case marked(o.Fixed, i):
				shareI, shareJ = 0, 1
			case marked(o.Fixed, j):
				shareI, shareJ = 1, 0
			}
			moved = true
			// A little more than needed, so that the rounds come to an end.
			if overX < overY {
				by := math.Copysign(overX+slack, dx)
				at[i].X -= by * shareI
				at[j].X += by * shareJ
				continue
			}
			by := math.Copysign(overY+slack, dy)
			if dy == 0 && i > j {
				by = -by
			}
			at[i].Y -= by * shareI
			at[j].Y += by * shareJ
		}
	}
	return moved
}
