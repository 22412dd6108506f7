package layout

import "context"

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
