package index

import (
	"context"
	"math"
	"slices"

	"cairn/engine/vec"
)

// A key is a vector with its squared distance: the bits of the distance, which is
// not negative, above the id. Keys order by (distance, id), as hits do.
type key uint64

func newKey(distance float32, id uint32) key {
	return key(math.Float32bits(distance))<<32 | key(id)
}

func (k key) id() uint32 { return uint32(k) }

// farther orders a heap by the farthest first.
const farther = ^key(0)

// keys is a heap with the least key on top.
type keys []key

func (h *keys) push(k key) {
	heap := append(*h, k)
	i := len(heap) - 1
	for i > 0 {
		up := (i - 1) / 2
		if heap[up] <= k {
			break
		}
		heap[i] = heap[up]
		i = up
	}
	heap[i] = k
	*h = heap
}

func (h *keys) pop() key {
	heap := *h
	top, last := heap[0], heap[len(heap)-1]
	heap = heap[:len(heap)-1]
	if len(heap) > 0 {
		heap.sink(last)
	}
	*h = heap
	return top
}

// sink puts k where the top was.
func (h keys) sink(k key) {
	i := 0
	for {
		down := 2*i + 1
		if down >= len(h) {
			break
		}
		if down+1 < len(h) && h[down+1] < h[down] {
			down++
		}
		if k <= h[down] {
			break
		}
		h[i] = h[down]
		i = down
	}
	h[i] = k
}

// walker is what one search needs: it is used again from search to search.
type walker struct {
	seen  []uint16 // (N) the walk in which a vector was last seen
	walk  uint16
	probe vec.Probe // what the vectors are compared with
	query vec.Query
	open  keys // seen and not yet looked around at, nearest on top
	best  keys // the ef nearest so far, farthest on top: keys are inverted
	ids   []uint32
	near  []float32
	found []key // what walkLayer found, nearest first
}

// start forgets what the last walk saw.
func (w *walker) start() {
	if w.walk++; w.walk == 0 {
		clear(w.seen)
		w.walk = 1
	}
	w.open, w.best, w.ids = w.open[:0], w.best[:0], w.ids[:0]
}

// see reports whether the walk sees i for the first time.
func (w *walker) see(i uint32) bool {
	if w.seen[i] == w.walk {
		return false
	}
	w.seen[i] = w.walk
	return true
}

func (h *HNSW) newWalker() *walker {
	row := 1 + 2*h.o.M
	return &walker{
		seen: make([]uint16, h.Len()),
		ids:  make([]uint32, 0, row), near: make([]float32, row),
	}
}

// compare computes the squared distances of w.ids to w.probe.
func (h *HNSW) compare(w *walker) []float32 {
	if len(w.near) < len(w.ids) {
		w.near = make([]float32, len(w.ids))
	}
	near := w.near[:len(w.ids)]
	h.codes.Near(near, &w.probe, w.ids)
	return near
}

// walkLayer finds about the ef vectors of a layer that are nearest to w.probe,
// beginning at entries, at most ef, and leaves them in w.found, nearest first (algorithm 2).
// A context that is done ends it early.
func (h *HNSW) walkLayer(ctx context.Context, w *walker, entries []key, layer, ef int) {
	w.start()
	add := func(k key) {
		w.open.push(k)
		if len(w.best) < ef {
			w.best.push(k ^ farther)
		} else {
			w.best.sink(k ^ farther)
		}
	}
	for _, k := range entries {
		if w.see(k.id()) {
			add(k)
		}
	}
	for steps := 0; len(w.open) > 0; steps++ {
		at := w.open.pop()
		if len(w.best) >= ef && at > w.best[0]^farther {
			break
		}
		if steps%checkSteps == checkSteps-1 && ctx.Err() != nil {
			break
		}
		w.ids = w.ids[:0]
		for _, i := range h.neighbours(at.id(), layer) {
			if w.see(i) {
				w.ids = append(w.ids, i)
			}
		}
		for j, d := range h.compare(w) {
			if k := newKey(d, w.ids[j]); len(w.best) < ef || k < w.best[0]^farther {
				add(k)
			}
		}
	}
	w.found = w.found[:0]
	for _, k := range w.best {
		w.found = append(w.found, k^farther)
	}
	slices.Sort(w.found)
}

// checkSteps is how many vectors are looked around at between two looks at the
// context: each takes some microseconds.
const checkSteps = 64

// descend walks from the entry down to above a layer, and returns where it came to.
func (h *HNSW) descend(w *walker, above int) key {
	w.ids = append(w.ids[:0], h.head.Entry)
	at := newKey(h.compare(w)[0], h.head.Entry)
	for layer := int(h.head.Top); layer > above; layer-- {
		for moved := true; moved; {
			moved = false
			w.ids = append(w.ids[:0], h.neighbours(at.id(), layer)...)
			for j, d := range h.compare(w) {
				if k := newKey(d, w.ids[j]); k < at {
					at, moved = k, true
				}
			}
		}
	}
	return at
}

// Nearest returns about the k nearest hits, nearest first, ties by id (algorithm
// 5). Their distances are those of the vectors, not of codes.
func (h *HNSW) Nearest(ctx context.Context, query []float32, k int) ([]Hit, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if k = min(k, h.Len()); k <= 0 {
		return nil, nil
	}
	switch {
	case len(query) != h.exact.Dims():
		return nil, wrongDims(h.Len(), query, h.exact.Dims())
	case !vec.Codable(query):
		return nil, uncodable(h.Len())
	}
	w, ok := h.walkers.Get().(*walker)
	if !ok {
		w = h.newWalker()
	}
	defer h.walkers.Put(w)
	w.query.Set(query)
	w.probe.Set(&w.query)
	h.walkLayer(ctx, w, []key{h.descend(w, 0)}, 0, max(k, h.ef))
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	// All that were found are compared exactly: of vectors much nearer to each other
	// than to zero, high bytes tell no order.
	hits := make([]Hit, 0, len(w.found))
	for _, f := range w.found {
		d := h.exact.distance(f.id(), query, &w.query)
		left := k // of equal vectors, the first ones are enough
		for i := f.id(); i != noVector && left > 0; i = h.same[i] {
			hits = append(hits, Hit{ID: i, Distance: d})
			left--
		}
	}
	return finish(hits, k), nil
}
