package layout

import (
	"context"
	"math"
	"slices"
)

// splitColumns turns a layer with too many nodes into staggered columns:
//
//	a ─┬─ card 0 ─────
//	   ├──────┬─ card 1
//	   ├─ card 2 ─────
//	   ╰──────┴─ card 3
//
// Cards take turns; the edges to cards of later columns pass between the cards
// of the earlier ones, those from one vertex through the same gap together.
func (l *layering) splitColumns() {
	var layers [][]int
	moved := make([]int, len(l.layers)) // old layer → its first new one
	for k, layer := range l.layers {
		moved[k] = len(layers)
		cards := 0
		for _, u := range layer {
			if !l.v[u].pass {
				cards++
			}
		}
		columns := l.columnsFor(cards)
		if columns < 2 {
			layers = append(layers, layer)
			continue
		}
		layers = append(layers, l.stagger(layer, columns)...)
	}
	l.layers = layers
	for k, layer := range layers {
		for _, u := range layer {
			l.v[u].layer = k
		}
		l.number(k)
	}
}

// columnsFor makes a block of cards a little wider than high, as windows are:
// with its gap, a card of a column takes about three times its height in width.
func (l *layering) columnsFor(cards int) int {
	if cards <= l.o.Column {
		return 1
	}
	return max(2, int(math.Round(math.Sqrt(float64(cards)/float64(l.o.Column)*3.2))))
}

// edgesAt lists the edges by their vertices, so that their chains can grow.
func (l *layering) edgesAt() map[int][]int {
	at := map[int][]int{}
	for e, edge := range l.g.Edges {
		if l.v[edge.From].layer == l.v[edge.To].layer {
			continue
		}
		at[edge.From] = append(at[edge.From], e)
		at[edge.To] = append(at[edge.To], e)
		for _, pass := range l.chains[e] {
			at[pass] = append(at[pass], e)
		}
	}
	return at
}

// chainNeighbours returns what comes before and after vertex u on edge e, by
// rising layer; -1 where u is an end.
func (l *layering) chainNeighbours(e, u int) (before, after int) {
	edge := l.g.Edges[e]
	low, high := edge.From, edge.To
	if l.v[low].layer > l.v[high].layer {
		low, high = high, low
	}
	whole := append(append([]int{low}, l.chains[e]...), high)
	i := slices.Index(whole, u)
	before, after = -1, -1
	if i > 0 {
		before = whole[i-1]
	}
	if i+1 < len(whole) {
		after = whole[i+1]
	}
	return before, after
}

// stagger deals the cards of a layer out to columns. Passes of the layer stay in
// the first column and go straight on through the others.
func (l *layering) stagger(layer []int, columns int) [][]int {
	out := make([][]int, columns)
	edges := l.edgesAt()
	type gapKey struct{ column, neighbour, side int }
	shared := map[gapKey]int{} // the pass last put into a column for a neighbour
	// through returns the pass in a column for edges with one neighbour; a card
	// put into the column since then closes the gap.
	through := func(column, neighbour, side int) int {
		key := gapKey{column, neighbour, side}
		if pass, ok := shared[key]; ok && out[column][len(out[column])-1] == pass {
			return pass
		}
		l.v = append(l.v, vertex{height: passHeight, pass: true})
		pass := len(l.v) - 1
		out[column] = append(out[column], pass)
		shared[key] = pass
		return pass
	}
	card := 0
	for _, u := range layer {
		own := 0
		if !l.v[u].pass {
			own = card % columns
			card++
		}
		for _, e := range edges[u] {
			before, after := l.chainNeighbours(e, u)
			at := slices.Index(l.chains[e], u)
			if before >= 0 && own > 0 {
				chain := make([]int, own)
				previous := before
				for c := range own {
					chain[c] = through(c, before, -1)
					l.join(previous, chain[c])
					previous = chain[c]
				}
				l.unjoin(before, u)
				l.join(previous, u)
				at = l.extend(e, at, chain, true)
			}
			if after >= 0 && own < columns-1 {
				chain := make([]int, 0, columns-1-own)
				previous := u
				for c := own + 1; c < columns; c++ {
					pass := through(c, after, 1)
					chain = append(chain, pass)
					l.join(previous, pass)
					previous = pass
				}
				l.unjoin(u, after)
				l.join(previous, after)
				l.extend(e, at, chain, false)
			}
		}
		out[own] = append(out[own], u)
	}
	return out
}

// extend puts new passes before or after a vertex into the chain of e; at is the
// place of the vertex there, -1 where it is an end. It returns the new place.
func (l *layering) extend(e, at int, chain []int, before bool) int {
	switch {
	case at >= 0 && before:
		l.chains[e] = slices.Insert(l.chains[e], at, chain...)
		return at + len(chain)
	case at >= 0:
		l.chains[e] = slices.Insert(l.chains[e], at+1, chain...)
	case before: // the vertex is the right end
		l.chains[e] = append(l.chains[e], chain...)
	default: // it is the left end
		l.chains[e] = slices.Insert(l.chains[e], 0, chain...)
	}
	return at
}

func (l *layering) unjoin(low, high int) {
	if i := slices.Index(l.v[low].right, high); i >= 0 {
		l.v[low].right = slices.Delete(l.v[low].right, i, i+1)
	}
	if i := slices.Index(l.v[high].left, low); i >= 0 {
		l.v[high].left = slices.Delete(l.v[high].left, i, i+1)
	}
}

// setX places the layers. Between two there is room for the widest label of the
// edges that end on either side of it.
func (l *layering) setX() {
	n := len(l.layers)
	l.width, l.left = make([]float64, n), make([]float64, n)
	for i, s := range l.g.Nodes {
		k := l.v[i].layer
		l.width[k] = max(l.width[k], s.W)
	}
	label := make([]float64, n) // label[k] is the room left of layer k
	for _, e := range l.g.Edges {
		low, high := min(l.v[e.From].layer, l.v[e.To].layer), max(l.v[e.From].layer, l.v[e.To].layer)
		if low == high {
			if low+1 < n {
				label[low+1] = max(label[low+1], e.Label.W/2)
			}
			continue
		}
		label[low+1] = max(label[low+1], e.Label.W)
		label[high] = max(label[high], e.Label.W)
	}
	x := 0.0
	for k := range n {
		if k > 0 {
			x += l.o.GapX + label[k] + l.fanRoom(k)
		}
		l.left[k] = x
		x += l.width[k]
	}
	for i := range l.v {
		k := l.v[i].layer
		l.v[i].x = l.left[k] + l.width[k]/2
		if i >= len(l.g.Nodes) {
			continue
		}
		// Columns are flush on the side where their edges are: the first to the
		// right, the last ones to the left.
		switch {
		case k == 0 && n > 1:
			l.v[i].x = l.left[k] + l.width[k] - l.g.Nodes[i].W/2
		case len(l.v[i].right) == 0:
			l.v[i].x = l.left[k] + l.g.Nodes[i].W/2
		}
	}
}

// fanRoom is more room left of layer k when many edges fan out or cross there,
// or they would run steeply through each other's labels.
func (l *layering) fanRoom(k int) float64 {
	const few, each, most, crossed = 5, 5.0, 110.0, 16.0
	edges := 0
	for _, u := range l.layers[k] {
		edges += len(l.v[u].left)
	}
	if len(l.layers[k]) > 3*len(l.layers[k-1]) || len(l.layers[k-1]) > 3*len(l.layers[k]) {
		return min(most, each*float64(max(edges-few, 0)))
	}
	return min(most, crossed*float64(max(edges-max(len(l.layers[k]), len(l.layers[k-1])), 0)))
}

// settle gives the vertices their heights: each wants to be level with its
// neighbours, none may come nearer to the next than their sizes allow.
func (l *layering) settle(ctx context.Context) error {
	for _, layer := range l.layers {
		y := 0.0
		for i, u := range layer {
			if i > 0 {
				y += l.separation(layer[i-1], u)
			}
			l.v[u].y = y
		}
		for _, u := range layer {
			l.v[u].y -= y / 2
		}
	}
	var want, weight []float64
	for round := range settles {
		if err := ctx.Err(); err != nil {
			return err
		}
		for step := range l.layers {
			k := step
			if round%2 == 1 {
				k = len(l.layers) - 1 - step
			}
			want, weight = want[:0], weight[:0]
			for _, u := range l.layers[k] {
				y, w := l.wish(u, round)
				want, weight = append(want, y), append(weight, w)
			}
			l.spread(l.layers[k], want, weight)
		}
	}
	return nil
}

// wish returns where a vertex wants to be and how much: level with the vertices
// on the side the sweep comes from, in the last rounds with those on both.
func (l *layering) wish(u, round int) (y, weight float64) {
	v := &l.v[u]
	sum, total := v.y*0.1, 0.1
	take := func(near []int) {
		for _, w := range near {
			pull := 1.0
			if v.pass && l.v[w].pass { // long edges run straight
				pull = 8
			}
			sum += l.v[w].y * pull
			total += pull
		}
	}
	both := round >= settles-4
	if both || round%2 == 0 {
		take(v.left)
	}
	if both || round%2 == 1 {
		take(v.right)
	}
	return sum / total, max(total, 1)
}

func (l *layering) separation(above, below int) float64 {
	gap := l.o.GapY
	if l.v[above].pass || l.v[below].pass {
		gap = l.o.GapY / 2
	}
	return (l.v[above].height+l.v[below].height)/2 + gap
}

// spread minimises the weighted squared distance from the wishes under the
// separations, by pooling neighbours that want to overlap.
func (l *layering) spread(layer []int, want, weight []float64) {
	type block struct {
		sum, weight float64
		count       int
	}
	var blocks []block
	offsets := make([]float64, len(layer))
	for i, u := range layer {
		if i > 0 {
			offsets[i] = offsets[i-1] + l.separation(layer[i-1], u)
		}
		blocks = append(blocks, block{(want[i] - offsets[i]) * weight[i], weight[i], 1})
		for n := len(blocks); n > 1 && blocks[n-2].sum/blocks[n-2].weight > blocks[n-1].sum/blocks[n-1].weight; n-- {
			last := blocks[n-1]
			blocks = blocks[:n-1]
			blocks[n-2].sum += last.sum
			blocks[n-2].weight += last.weight
			blocks[n-2].count += last.count
		}
	}
	i := 0
	for _, b := range blocks {
		for range b.count {
			l.v[layer[i]].y = b.sum/b.weight + offsets[i]
			i++
		}
	}
}
