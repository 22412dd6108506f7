package layout

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// LayeredOptions says what stands where and how far apart.
type LayeredOptions struct {
	// First marks the nodes of the left column, Last those of the right one. With
	// no node in Last the layers follow the direction of the edges instead.
	First, Last []bool
	// GapX is the room between two layers beside that of the widest label
	// between them. The default value is 64.
	GapX float64
	// GapY is the room between two nodes of a layer. The default value is 18.
	GapY float64
	// Grids are nodes that stand in rows and columns, as one: they have the same
	// neighbours. A node belongs to one at most.
	Grids []Grid
	// Along marks the edges that run along another edge of their grid, and have no
	// way of their own.
	Along []bool
	// Room is what the picture is shown in; the grids get as many columns as let
	// it be shown largest. The default value is 1200×800.
	Room Size
}

// SetDefaults fills in the fields that are zero.
func (o *LayeredOptions) SetDefaults() {
	o.GapX = cmp.Or(o.GapX, 64)
	o.GapY = cmp.Or(o.GapY, 18)
	if o.Room.W <= 0 || o.Room.H <= 0 {
		o.Room = Size{W: 1200, H: 800}
	}
}

const (
	sweeps       = 24 // of crossing reduction
	settles      = 16 // of the coordinates
	passHeight   = 10 // room for an edge that passes a layer
	parallelRoom = 26 // between the labels of edges with the same ends
	loopRoom     = 46 // above and below a node with an edge to itself
)

// Layered places g from left to right, after Sugiyama, Tagawa and Toda (1981):
// layers, a point for each layer that an edge passes, fewer crossings by
// barycentres and neighbour swaps, then coordinates that keep the order and
// straighten edges. Layers are distances from the first nodes, taken without
// regard to direction, because a relation may point either way along a line of
// reasoning; the last nodes share the last layer.
//
// It fails only when ctx is done.
func Layered(ctx context.Context, g Graph, o LayeredOptions) (Result, error) {
	o.SetDefaults()
	if len(g.Nodes) == 0 {
		return Result{At: []Point{}, Bends: make([][]Point, len(g.Edges))}, nil
	}
	if len(o.Grids) > 0 {
		return gridded(ctx, g, o)
	}
	l := newLayering(g, o)
	l.assign()
	l.insertPasses()
	l.stackLabels()
	if err := l.reduceCrossings(ctx); err != nil {
		return Result{}, fmt.Errorf("order layers: %w", err)
	}
	l.setX()
	if err := l.settle(ctx); err != nil {
		return Result{}, fmt.Errorf("place layers: %w", err)
	}
	return l.result(), nil
}

// vertex is a node or a pass: the place where a long edge crosses a layer.
type vertex struct {
	layer  int
	height float64
	pass   bool
	x, y   float64
	order  int   // place within the layer
	left   []int // vertices of lower layers that it is joined with
	right  []int
}

type layering struct {
	g      Graph
	o      LayeredOptions
	v      []vertex // v[:len(g.Nodes)] are the nodes
	layers [][]int  // layers[k] lists vertices from top to bottom
	chains [][]int  // chains[e] are the passes of edge e, by rising layer
	width  []float64
	left   []float64 // left[k] is the x at which layer k begins
}

func newLayering(g Graph, o LayeredOptions) *layering {
	l := &layering{g: g, o: o, v: make([]vertex, len(g.Nodes)), chains: make([][]int, len(g.Edges))}
	parallel := map[[2]int]int{}
	for i, s := range g.Nodes {
		l.v[i].height = s.H
	}
	for _, e := range g.Edges {
		if e.From == e.To {
			l.v[e.From].height = max(l.v[e.From].height, g.Nodes[e.From].H+2*loopRoom)
			continue
		}
		pair := [2]int{min(e.From, e.To), max(e.From, e.To)}
		parallel[pair]++
		for _, n := range pair {
			l.v[n].height = max(l.v[n].height, float64(parallel[pair])*parallelRoom)
		}
	}
	return l
}

func marked(set []bool, i int) bool { return i < len(set) && set[i] }

// assign gives each node its layer.
func (l *layering) assign() {
	hasLast := false
	for i := range l.g.Nodes {
		hasLast = hasLast || marked(l.o.Last, i)
	}
	if hasLast {
		l.assignByDistance()
	} else {
		l.assignByDirection()
	}
}

// assignByDistance takes the distance from the first nodes. A part of the graph without any
// is measured from those farthest from its last nodes, or from its first node by index.
func (l *layering) assignByDistance() {
	adjacent := l.g.neighbours()
	var queue []int
	walk := func(distance []int) {
		for head := 0; head < len(queue); head++ {
			for _, w := range adjacent[queue[head]] {
				if distance[w] < 0 {
					distance[w] = distance[queue[head]] + 1
					queue = append(queue, w)
				}
			}
		}
		queue = queue[:0]
	}
	begin := func(distance []int, i int) {
		distance[i] = 0
		queue = append(queue, i)
	}
	distance, away := make([]int, len(l.g.Nodes)), make([]int, len(l.g.Nodes)) // away from the last nodes
	for i := range distance {
		distance[i], away[i] = -1, -1
		if marked(l.o.First, i) {
			begin(distance, i)
		}
	}
	walk(distance)
	for i := range away {
		if marked(l.o.Last, i) {
			begin(away, i)
		}
	}
	walk(away)
	for i := range distance {
		farther := func(w int) bool { return away[w] > away[i] }
		if distance[i] < 0 && away[i] > 0 && !slices.ContainsFunc(adjacent[i], farther) {
			begin(distance, i)
		}
	}
	walk(distance)
	for i := range distance {
		if distance[i] < 0 && !marked(l.o.Last, i) {
			begin(distance, i)
			walk(distance)
		}
	}
	last := 0
	for i, d := range distance {
		switch {
		case marked(l.o.First, i):
		case marked(l.o.Last, i):
			last = max(last, d, 1)
		default:
			last = max(last, d+1)
		}
	}
	for i, d := range distance {
		l.v[i].layer = max(d, 0)
		if marked(l.o.Last, i) && !marked(l.o.First, i) {
			l.v[i].layer = last
		}
	}
}

// assignByDirection takes the longest path from a source, after edges that close
// a cycle are turned round.
func (l *layering) assignByDirection() {
	n := len(l.g.Nodes)
	out := make([][]int, n)
	for _, e := range l.g.Edges {
		if e.From != e.To {
			out[e.From] = append(out[e.From], e.To)
		}
	}
	const (
		fresh = iota
		open
		done
	)
	state := make([]int8, n)
	forward := make([][]int, n) // acyclic
	var finished []int          // in order of completion
	var visit func(u int)       // as deep as the longest path, of a graph that a person can read
	visit = func(u int) {
		state[u] = open
		for _, w := range out[u] {
			if state[w] == open {
				forward[w] = append(forward[w], u)
				continue
			}
			forward[u] = append(forward[u], w)
			if state[w] == fresh {
				visit(w)
			}
		}
		state[u] = done
		finished = append(finished, u)
	}
	for _, first := range []bool{true, false} {
		for i := range n {
			if state[i] == fresh && marked(l.o.First, i) == first {
				visit(i)
			}
		}
	}
	for _, u := range slices.Backward(finished) { // sources first
		for _, w := range forward[u] {
			l.v[w].layer = max(l.v[w].layer, l.v[u].layer+1)
		}
	}
	for _, u := range finished { // sinks first: draw sources up to their targets
		nearest := -1
		for _, w := range forward[u] {
			if nearest < 0 || l.v[w].layer < nearest {
				nearest = l.v[w].layer
			}
		}
		if nearest > 0 {
			l.v[u].layer = max(l.v[u].layer, nearest-1)
		}
	}
	lowest := n
	for i := range n {
		lowest = min(lowest, l.v[i].layer)
	}
	for i := range n {
		l.v[i].layer -= lowest
	}
}

// join links two vertices of different layers.
func (l *layering) join(low, high int) {
	l.v[low].right = append(l.v[low].right, high)
	l.v[high].left = append(l.v[high].left, low)
}

// insertPasses puts a pass into each layer between the ends of an edge and fills
// the layers.
func (l *layering) insertPasses() {
	for e, edge := range l.g.Edges {
		low, high := edge.From, edge.To
		if l.v[low].layer > l.v[high].layer {
			low, high = high, low
		}
		if l.v[low].layer == l.v[high].layer {
			continue
		}
		previous := low
		for k := l.v[low].layer + 1; k < l.v[high].layer; k++ {
			l.v = append(l.v, vertex{layer: k, height: max(passHeight, edge.Label.H), pass: true})
			pass := len(l.v) - 1
			l.chains[e] = append(l.chains[e], pass)
			l.join(previous, pass)
			previous = pass
		}
		l.join(previous, high)
	}
	count := 0
	for i := range l.v {
		count = max(count, l.v[i].layer+1)
	}
	l.layers = make([][]int, count)
	for i := range l.v {
		k := l.v[i].layer
		l.v[i].order = len(l.layers[k])
		l.layers[k] = append(l.layers[k], i)
	}
}

// stackLabels makes room beside a node for the labels of its edges, one above the
// other, where the edges share both their ends with others: in the middle they
// would cross each other.
func (l *layering) stackLabels() {
	const most, gap = 8, 3
	beside := func(u, w int) int { // edges on the side of u where w lies
		if l.v[w].layer > l.v[u].layer {
			return len(l.v[u].right)
		}
		return len(l.v[u].left)
	}
	for _, e := range l.g.Edges {
		if l.v[e.From].layer == l.v[e.To].layer || e.Label.H == 0 {
			continue
		}
		node, count := e.From, beside(e.From, e.To)
		other := beside(e.To, e.From)
		if count < 2 || other < 2 {
			continue
		}
		if other < count {
			node, count = e.To, other
		}
		if count <= most {
			l.v[node].height = max(l.v[node].height, float64(count)*(e.Label.H+gap))
		}
	}
}

// reduceCrossings sorts the layers by the barycentre of their neighbours, left
// and right in turn, swaps neighbours where that helps, and keeps the best.
func (l *layering) reduceCrossings(ctx context.Context) error {
	best, fewest := l.orders(), l.crossings()
	bary := make([]float64, len(l.v))
	for sweep := 0; sweep < sweeps && fewest > 0; sweep++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		toRight := sweep%2 == 0
		for step := range l.layers {
			k := step
			if !toRight {
				k = len(l.layers) - 1 - step
			}
			l.sortLayer(k, toRight, bary)
		}
		l.swapNeighbours()
		if c := l.crossings(); c < fewest {
			best, fewest = l.orders(), c
		}
	}
	for k := range l.layers {
		slices.SortFunc(l.layers[k], func(a, b int) int { return best[a] - best[b] })
		l.number(k)
	}
	return nil
}

func (l *layering) sortLayer(k int, fromLeft bool, bary []float64) {
	for i, u := range l.layers[k] {
		near := l.v[u].right
		if fromLeft {
			near = l.v[u].left
		}
		bary[u] = float64(i)
		if len(near) > 0 {
			sum := 0.0
			for _, w := range near {
				sum += float64(l.v[w].order)
			}
			bary[u] = sum / float64(len(near))
		}
	}
	slices.SortStableFunc(l.layers[k], func(a, b int) int { return cmp.Compare(bary[a], bary[b]) })
	l.number(k)
}

func (l *layering) number(k int) {
	for i, u := range l.layers[k] {
		l.v[u].order = i
	}
}

func (l *layering) orders() []int {
	out := make([]int, len(l.v))
	for i := range l.v {
		out[i] = l.v[i].order
	}
	return out
}

// swapNeighbours exchanges two vertices next to each other as long as that
// removes crossings. Layers too long for a quadratic count are left alone.
func (l *layering) swapNeighbours() {
	const longest = 60
	for k, layer := range l.layers {
		if len(layer) > longest {
			continue
		}
		for improved, rounds := true, 0; improved && rounds < 6; rounds++ {
			improved = false
			for i := range len(layer) - 1 {
				a, b := layer[i], layer[i+1]
				now := l.pairCrossings(l.v[a].left, l.v[b].left) + l.pairCrossings(l.v[a].right, l.v[b].right)
				then := l.pairCrossings(l.v[b].left, l.v[a].left) + l.pairCrossings(l.v[b].right, l.v[a].right)
				if then < now {
					layer[i], layer[i+1] = b, a
					l.v[a].order, l.v[b].order = i+1, i
					improved = true
				}
			}
		}
		l.number(k)
	}
}

// pairCrossings counts the crossings of the edges of two vertices of a layer,
// the upper one's to above and the lower one's to below.
func (l *layering) pairCrossings(above, below []int) int {
	count := 0
	for _, a := range above {
		for _, b := range below {
			if l.v[a].order > l.v[b].order {
				count++
			}
		}
	}
	return count
}

// crossings counts inversions between each two layers with a binary indexed
// tree.
func (l *layering) crossings() int {
	count := 0
	var ends []int
	for k := range len(l.layers) - 1 {
		ends = ends[:0]
		for _, u := range l.layers[k] {
			from := len(ends)
			for _, w := range l.v[u].right {
				ends = append(ends, l.v[w].order)
			}
			slices.Sort(ends[from:])
		}
		tree := make([]int, len(l.layers[k+1])+1)
		for _, end := range slices.Backward(ends) {
			for j := end; j > 0; j -= j & -j {
				count += tree[j]
			}
			for j := end + 1; j < len(tree); j += j & -j {
				tree[j]++
			}
		}
	}
	return count
}

// result reads off the positions.
func (l *layering) result() Result {
	r := Result{At: make([]Point, len(l.g.Nodes)), Bends: make([][]Point, len(l.g.Edges))}
	for i := range r.At {
		r.At[i] = Point{l.v[i].x, l.v[i].y}
	}
	for e, chain := range l.chains {
		for _, pass := range chain {
			k := l.v[pass].layer
			r.Bends[e] = append(r.Bends[e], Point{l.left[k], l.v[pass].y}, Point{l.left[k] + l.width[k], l.v[pass].y})
		}
		if l.v[l.g.Edges[e].From].layer > l.v[l.g.Edges[e].To].layer {
			slices.Reverse(r.Bends[e])
		}
	}
	return r
}
