package layout

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/barneshut"
	"gonum.org/v1/gonum/spatial/r2"
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
}

const (
	// nodeGap is kept free round each node.
	nodeGap = 14
	// theta is how small a far cell must look to count as one body (Barnes and
	// Hut 1986).
	theta = 0.9
	// gravity draws everything to the middle, or parts without edges between
	// them would drift apart for ever.
	gravity = 0.8
	// golden is the angle of a sunflower, in radians.
	golden = 2.399963229728653
)

// Force places g by forces after Fruchterman and Reingold (1991): edges pull
// with d²/k, all nodes push with k²/d, steps shrink. Pushes of far nodes are
// summed by Barnes and Hut's quadtree, of gonum. Nothing is random. In the end overlapping
// nodes are pushed apart.
//
// It fails only when ctx is done, or where a place is no number.
func Force(ctx context.Context, g Graph, o ForceOptions) ([]Point, error) {
	o.Iterations = cmp.Or(o.Iterations, 200)
	if len(g.Nodes) == 0 {
		return []Point{}, nil
	}
	k := g.spring()
	at := g.start(o, k)
	f := newForce(g, o, k, at)
	step := 2 * k
	if o.Start != nil {
		step = k / 2 // a picture that is known already should not jump
	}
	cool := math.Pow(0.5/step, 1/float64(o.Iterations))
	for range o.Iterations {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("place by forces: %w", err)
		}
		if err := f.round(step); err != nil {
			return nil, fmt.Errorf("place by forces: %w", err)
		}
		step *= cool
	}
	if err := separate(ctx, g, at, o); err != nil {
		return nil, fmt.Errorf("push nodes apart: %w", err)
	}
	return at, nil
}

// spring returns the length that edges want.
func (g *Graph) spring() float64 {
	var w, h float64
	for _, s := range g.Nodes {
		w += s.W
		h += s.H
	}
	n := float64(len(g.Nodes))
	return max(70, h/n*1.9, w/n*0.9)
}

func (g *Graph) start(o ForceOptions, k float64) []Point {
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
			at[i] = o.Start[i]
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
	g     Graph
	o     ForceOptions
	k     float64
	at    []Point
	push  []Point
	plane barneshut.Plane
}

// body is a node as what pushes others.
type body struct {
	at *Point
	id int
}

// Coord2 implements barneshut.Particle2. No two bodies may be in one place: each is a
// hair off, by its number.
func (b body) Coord2() r2.Vec { return r2.Vec{X: b.at.X + float64(b.id)*1e-6, Y: b.at.Y} }

func (body) Mass() float64 { return 1 }

func newForce(g Graph, o ForceOptions, k float64, at []Point) *force {
	f := &force{g: g, o: o, k: k, at: at, push: make([]Point, len(at))}
	for i := range at {
		f.plane.Particles = append(f.plane.Particles, body{&at[i], i})
	}
	return f
}

// round applies all forces once; no node moves farther than step.
func (f *force) round(step float64) error {
	if err := f.plane.Reset(); err != nil {
		return err
	}
	for i, b := range f.plane.Particles {
		p := f.plane.ForceOn(b, theta, f.repel)
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
	return nil
}

// repel is k²·m/d² × (distance vector), the force on p of a mass to which it is v.
func (f *force) repel(p, _ barneshut.Particle2, _, mass float64, v r2.Vec) r2.Vec {
	d2 := v.X*v.X + v.Y*v.Y
	switch {
	case d2 == 0: // p itself
		return r2.Vec{}
	case d2 < 1e-4: // on top of each other: part in a direction of one's own
		i := p.(body).id //nolint:errcheck // all are
		a := float64(i) * golden
		v, d2 = r2.Vec{X: -0.03 * math.Cos(a), Y: -0.03 * math.Sin(a)}, 1e-3
	}
	push := -f.k * f.k * mass / d2
	return r2.Vec{X: v.X * push, Y: v.Y * push}
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

// pushPairs parts all pairs that overlap, once. It tells whether there was any.
func pushPairs(size []Size, at []Point, o ForceOptions, order []int, widest float64) bool {
	const slack = 0.01
	moved := false
	for a, i := range order {
		for _, j := range order[a+1:] {
			dx, dy := at[j].X-at[i].X, at[j].Y-at[i].Y
			if dx > widest+nodeGap {
				break
			}
			overX := (size[i].W+size[j].W)/2 + nodeGap - math.Abs(dx)
			overY := (size[i].H+size[j].H)/2 + nodeGap - math.Abs(dy)
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
