package synth

import (
	"fmt"
	"slices"
)

// Purposes tell the streams of one entity apart.
const (
	purposeEdges = 1 + iota
	purposeCloses
	purposeName
	purposeQuery
)

// edge is an edge of a place: its relation and the place of its tail.
type edge struct {
	relation int32
	tail     int
}

// closing is how many of a hundred edges beyond an entity's first lead where two
// others lead too: e→a and a→b, so e→b.
const closing = 15

// maxDegree is the most edges that an entity of this world has.
func (w *World) maxDegree() int {
	return min(max(int(isqrt(uint64(w.o.Entities)))*2/3, 40), 2_000)
}

// shareEdges gives each family its edges and each of its entities a number of
// them, so that their sum is Options.Edges. The numbers follow Yule's distribution
// (Simon, Biometrika 1955) with exponent 3: of entities with the mean A, a share
// of A(A+1) / ((k+A)(k+A+1)) have k edges or more.
func (w *World) shareEdges() error {
	var total uint64
	largest := 0
	for i := range w.families {
		total += uint64(w.families[i].n) * uint64(w.families[i].degree)
		if w.families[i].n > w.families[largest].n {
			largest = i
		}
	}
	counts := make([]int, len(w.families))
	left := w.o.Edges
	for i := range w.families {
		f := &w.families[i]
		counts[i] = int(uint64(w.o.Edges) * (uint64(f.n) * uint64(f.degree)) / total)
		left -= counts[i]
	}
	counts[largest] += left
	for i := range w.families {
		f := &w.families[i]
		if counts[i] > f.n*w.maxDegree()/2 {
			return fmt.Errorf("%w: %d edges are too many for %d entities", ErrOptions, w.o.Edges, w.o.Entities)
		}
		f.shareEdges(counts[i], w.maxDegree())
	}
	return nil
}

// shareEdges fills atLeast so that its sum is edges.
func (f *family) shareEdges(edges, most int) {
	const unit = 1024
	a := uint64(edges) * unit / uint64(f.n)
	f.atLeast = make([]int, most)
	left := edges
	for k := range f.atLeast {
		x := uint64(k+1)*unit + a
		// The quotient first, so that nothing overflows.
		f.atLeast[k] = int(uint64(f.n) * (a * (a + unit) << 10 / x) / (x + unit) >> 10)
		left -= f.atLeast[k]
	}
	// What rounding and the largest number cut off goes to the small numbers.
	for k, room := 0, f.n; left > 0; k++ {
		more := min(left, (room-f.atLeast[k]+1)/2)
		room = f.atLeast[k]
		f.atLeast[k] += more
		left -= more
		if k == most-1 {
			k, room = -1, f.n
		}
	}
}

// degree returns the number of edges of a place.
func (w *World) degree(place int) int {
	f := &w.families[w.types[w.typeOf(place)].family]
	i := f.scatter.of(place - f.first)
	lo, hi := 0, len(f.atLeast)
	for lo < hi {
		mid := (lo + hi) / 2
		if f.atLeast[mid] > i {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// findClosers lists, by family and type, the rules that can lead from one to the
// other, and makes the draws of rules.
func (w *World) findClosers() {
	for i := range w.families {
		f := &w.families[i]
		weights := make([]uint64, len(f.rules))
		f.closes = make([][]int32, len(w.types))
		for r, ru := range f.rules {
			weights[r] = ru.weight
			for _, t := range ru.types {
				f.closes[t] = append(f.closes[t], int32(r))
			}
		}
		f.pick = newAlias(weights)
	}
}

// walker computes edges. It belongs to one goroutine.
type walker struct {
	w    *World
	seen tripleSet
	near []edge // of another place
}

func (w *World) newWalker() *walker { return &walker{w: w} }

// closers is how many of the edges of a place close triangles.
func (w *World) closers(place, degree int) int {
	if degree < 2 {
		return 0
	}
	s := newStream(w.o.Seed, purposeCloses, place)
	return ((degree-1)*closing + s.below(100)) / 100
}

// edges appends the edges of a place to dst, no two the same and none a loop.
func (k *walker) edges(dst []edge, place int) []edge {
	from := len(dst)
	d := k.w.degree(place)
	base := d - k.w.closers(place, d)
	dst = k.base(dst, place, base)
	if base == d {
		return dst
	}
	k.seen.reset(d)
	for _, e := range dst[from:] {
		k.seen.add(e)
	}
	s := newStream(k.w.o.Seed, purposeCloses, place)
	s.next()
	for i := base; i < d; i++ {
		e, ok := k.closer(&s, dst[from:from+base], place)
		if !ok {
			e = k.fresh(&s, place)
		}
		dst = append(dst, e)
	}
	return dst
}

// closer returns an edge from place to where an edge of a neighbour leads, found
// by a few tries.
func (k *walker) closer(s *stream, base []edge, place int) (edge, bool) {
	w := k.w
	f := &w.families[w.types[w.typeOf(place)].family]
	for range 6 {
		a := base[s.below(min(len(base), 8))].tail
		if a >= w.subjects {
			continue
		}
		d := w.degree(a)
		d -= w.closers(a, d)
		if d == 0 {
			continue
		}
		j := s.below(min(d, 3))
		// The edges of a must not depend on those of place.
		k.near = k.prefix(k.near[:0], a, j+1)
		b := k.near[j].tail
		rules := f.closes[w.typeOf(b)]
		if b == place || len(rules) == 0 {
			continue
		}
		e := edge{f.rules[rules[s.skewed(len(rules), 2)]].relation, b}
		if k.seen.add(e) {
			return e, true
		}
	}
	return edge{}, false
}

// fresh returns an edge that place does not have yet.
func (k *walker) fresh(s *stream, place int) edge {
	f := &k.w.families[k.w.types[k.w.typeOf(place)].family]
	for try := 0; ; try++ {
		ru := &f.rules[f.pick.draw(s)]
		e := edge{ru.relation, k.w.target(s, ru, try)}
		if e.tail != place && k.seen.add(e) {
			return e
		}
	}
}

// target draws the tail of an edge: the more tries it takes, the less the best
// known are preferred.
func (w *World) target(s *stream, ru *rule, try int) int {
	t := &w.types[ru.types[ru.pick.draw(s)]]
	return t.first + s.skewed(t.n, max(ru.skew-try/4, 1))
}

// base appends the first n edges of a place, of those that close nothing.
func (k *walker) base(dst []edge, place, n int) []edge {
	k.seen.reset(n)
	return k.w.draw(dst, place, n, &k.seen)
}

// prefix is base for few edges of another place, beside those in seen.
func (k *walker) prefix(dst []edge, place, n int) []edge {
	return k.w.draw(dst, place, n, nil)
}

// draw appends n edges of a place. Where seen is nil they are compared one by one.
func (w *World) draw(dst []edge, place, n int, seen *tripleSet) []edge {
	from := len(dst)
	f := &w.families[w.types[w.typeOf(place)].family]
	s := newStream(w.o.Seed, purposeEdges, place)
	var ru *rule
	for try := 0; len(dst)-from < n; {
		// A relation that a head has many times goes on for a while; another is
		// seldom repeated.
		if ru == nil || try > 0 || !ru.many || s.below(10) < 4 {
			ru = &f.rules[f.pick.draw(&s)]
			for again := 0; again < 5 && !ru.many && holds(dst[from:], ru.relation); again++ {
				ru = &f.rules[f.pick.draw(&s)]
			}
		}
		e := edge{ru.relation, w.target(&s, ru, try)}
		if e.tail == place || !isNew(dst[from:], e, seen) {
			try++
			continue
		}
		try = 0
		dst = append(dst, e)
	}
	return dst
}

// holds reports whether one of the first edges has a relation.
func holds(edges []edge, relation int32) bool {
	for _, e := range edges[:min(len(edges), 32)] {
		if e.relation == relation {
			return true
		}
	}
	return false
}

func isNew(edges []edge, e edge, seen *tripleSet) bool {
	if seen != nil {
		return seen.add(e)
	}
	return !slices.Contains(edges, e)
}

// tripleSet is a set of edges of one head.
type tripleSet struct {
	slots []uint64 // edge+1, 0 for none
	mask  uint64
}

// reset empties the set and makes room for n edges.
func (t *tripleSet) reset(n int) {
	size := 16
	for size < 2*n {
		size *= 2
	}
	if len(t.slots) < size {
		t.slots = make([]uint64, size)
	}
	t.mask = uint64(size - 1)
	clear(t.slots[:size])
}

// add reports whether e was not in the set.
func (t *tripleSet) add(e edge) bool {
	key := uint64(e.tail)<<16 | uint64(e.relation) + 1
	for i := mix(key) & t.mask; ; i = (i + 1) & t.mask {
		switch t.slots[i] {
		case 0:
			t.slots[i] = key
			return true
		case key:
			return false
		}
	}
}
