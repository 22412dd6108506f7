package paths

import (
	"cmp"
	"container/heap"
	"context"
	"math"
	"slices"
)

// fanout is how many paths a leaf of a tree holds, and how many nodes a node.
const fanout = 32

// tree is an R-tree packed without gaps: leaf i holds paths [32i, 32i+32), and node i of
// a level the nodes [32i, 32i+32) of the level below. Nodes of all levels, leaves first,
// the root last, have a box of ranks (that bound labels) and the upper corner of the box
// of signatures.
type tree struct {
	length    int    // of paths, in edges
	paths     []path // packed
	low, high []path // the box of ranks of each node
	tops      []uint8
	levels    []int // the first node of each level; made from the number of paths
}

// levelsOf is where the levels of a tree of n paths begin, and behind them the number of
// nodes.
func levelsOf(n int) []int {
	levels := []int{0}
	for n > 0 {
		nodes := (n + fanout - 1) / fanout
		levels = append(levels, levels[len(levels)-1]+nodes)
		if n = nodes; nodes == 1 {
			break
		}
	}
	return levels
}

// pack sorts the paths, which are ascending, by sort-tile-recursive packing (Leutenegger
// et al. 1997) and makes the nodes.
func (t *tree) pack(ctx context.Context, x *Index) error {
	n := len(t.paths)
	if t.length > 0 {
		tiles := pieces(t.paths, t.length+1)
		if err := parallel(ctx, len(tiles), func(i int) { tile(ctx, tiles[i], 1, t.length) }); err != nil {
			return err
		}
	}
	t.levels = levelsOf(n)
	nodes := t.levels[len(t.levels)-1]
	t.low, t.high = make([]path, nodes), make([]path, nodes)
	t.tops = make([]uint8, nodes*t.width(x))
	for level := range len(t.levels) - 1 {
		first := t.levels[level]
		if err := parallel(ctx, t.levels[level+1]-first, func(i int) { t.bound(x, level, i) }); err != nil {
			return err
		}
	}
	return nil
}

// width is how many numbers the signature of a path has.
func (t *tree) width(x *Index) int { return (t.length + 1) * x.dims }

// pieces cuts paths into slabs of whole leaves for the first of some columns: as many as
// a root of the number of leaves says.
func pieces(of []path, columns int) (slabs [][]path) {
	leaves := (len(of) + fanout - 1) / fanout
	count := int(math.Ceil(math.Pow(float64(leaves), 1/float64(columns))))
	size := fanout * ((leaves + count - 1) / max(count, 1))
	for ; len(of) > 0; of = of[min(size, len(of)):] {
		slabs = append(slabs, of[:min(size, len(of))])
	}
	return slabs
}

// tile sorts a slab by a column, and the slabs within it by those that follow.
func tile(ctx context.Context, slab []path, column, last int) {
	if sorted(ctx.Err, slab, func(a, b path) int {
		return cmp.Or(cmp.Compare(a[column], b[column]), slices.Compare(a[:], b[:]))
	}) != nil || column == last {
		return
	}
	for _, s := range pieces(slab, last-column+1) {
		tile(ctx, s, column+1, last)
	}
}

// bound makes the box of node i of a level from what lies below.
func (t *tree) bound(x *Index, level, i int) {
	at := t.levels[level] + i
	low, high, top := path{math.MaxUint32, math.MaxUint32, math.MaxUint32}, path{}, t.top(x, at)
	if level == 0 {
		for _, p := range t.paths[i*fanout : min((i+1)*fanout, len(t.paths))] {
			for c := range t.length + 1 {
				low[c], high[c] = min(low[c], p[c]), max(high[c], p[c])
				raise(top[c*x.dims:], x.signature(p[c]))
			}
		}
	} else {
		for n := t.levels[level-1] + i*fanout; n < min(t.levels[level-1]+(i+1)*fanout, t.levels[level]); n++ {
			for c := range t.length + 1 {
				low[c], high[c] = min(low[c], t.low[n][c]), max(high[c], t.high[n][c])
			}
			raise(top, t.top(x, n))
		}
	}
	t.low[at], t.high[at] = low, high
}

func (t *tree) top(x *Index, node int) []uint8 {
	w := t.width(x)
	return t.tops[node*w : (node+1)*w]
}

func (x *Index) signature(rank uint32) []uint8 {
	return x.signs[int(rank)*x.dims : (int(rank)+1)*x.dims]
}

func raise(a, b []uint8) {
	for i, n := range b {
		a[i] = max(a[i], n)
	}
}

// item is a node that waits to be visited, with the probes that may find something in it.
type item struct {
	key, level, node int // key is the L1 norm of the upper corner (SG-RAG §4.3)
	alive            []*probe
}

func (i item) compare(j item) int {
	return cmp.Or(cmp.Compare(j.key, i.key), cmp.Compare(i.level, j.level), cmp.Compare(i.node, j.node))
}

// queue is a heap of items, the largest key first.
type queue []item

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].compare(q[j]) < 0 }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }

// Push implements heap.Interface: what is pushed was appended before.
func (q *queue) Push(any) {}

// Pop implements heap.Interface: what is popped is taken from behind.
func (q *queue) Pop() any { return nil }

// visit walks the tree best first, all probes at once, and has them take the paths that
// they may match. The early stop of the paper, at keys below those of all probes, would
// never be reached: such nodes are not let in.
func (t *tree) visit(ctx context.Context, x *Index, probes []*probe) error {
	var q queue
	enter := func(level, node int, probes []*probe) {
		var alive []*probe
		for _, p := range probes {
			if p.meets(t.low[node], t.high[node], t.top(x, node)) {
				alive = append(alive, p)
			}
		}
		if len(alive) > 0 {
			key := 0
			for _, n := range t.top(x, node) {
				key += int(n)
			}
			q = append(q, item{key, level, node, alive})
			heap.Push(&q, nil)
		}
	}
	if len(t.paths) > 0 {
		enter(len(t.levels)-2, len(t.low)-1, probes)
	}
	for len(q) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		heap.Pop(&q)
		i := q[len(q)-1]
		q = q[:len(q)-1]
		first := (i.node - t.levels[i.level]) * fanout
		if i.level == 0 {
			for _, p := range t.paths[first:min(first+fanout, len(t.paths))] {
				for _, probe := range i.alive {
					probe.take(p)
				}
			}
			continue
		}
		below := t.levels[i.level-1]
		for n := below + first; n < min(below+first+fanout, t.levels[i.level]); n++ {
			enter(i.level-1, n, i.alive)
		}
	}
	return nil
}
