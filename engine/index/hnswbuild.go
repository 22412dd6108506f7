package index

import (
	"cmp"
	"context"
	"encoding/binary"
	"hash/maphash"
	"math"
	"slices"

	"cairn/engine/internal/splitmix"
	"cairn/internal/guard"
)

// batchSize is how many vectors are inserted together. Compared with each other one
// by one, which costs some hundredths of their searches, they find what they would
// have found one after another: with batches of 1, 32, 1,024 and 8,192 of 43,234
// names (M = 16, efConstruction = 100), a search with ef = 128 finds 0.963, 0.963,
// 0.965 and 0.969 of the nearest 16.
const batchSize = 256

// builder inserts vectors into a graph.
type builder struct {
	*HNSW
	workers int
	crew    []*linker // one a worker
	equal   []bool    // (N) whether an earlier vector equals this one
	batch   []chosen  // of the batch under way
	back    []backLink
}

// linker is one worker's memory.
type linker struct {
	*walker
	entries []key
	cands   []key
	kept    []uint32
}

// chosen are the neighbours that a vector of the batch has chosen, layer by layer.
type chosen struct {
	id    uint32
	links [][]uint32
}

// backLink asks to to link back to from.
type backLink struct {
	layer    uint32
	to, from uint32
}

// build links all vectors.
func (b *builder) build(ctx context.Context) error {
	n := b.Len()
	b.makeRoom(n)
	if err := b.findEqual(ctx); err != nil {
		return err
	}
	for range b.workers {
		b.crew = append(b.crew, &linker{walker: b.newWalker()})
	}
	tell := b.o.Progress
	if tell == nil {
		tell = func(int64, int64) {}
	}
	for at := 0; at < n; at += batchSize {
		tell(int64(at), int64(n))
		if err := b.insert(ctx, at, min(at+batchSize, n)); err != nil {
			return err
		}
	}
	if err := b.reach(ctx); err != nil {
		return err
	}
	tell(int64(n), int64(n))
	return nil
}

// makeRoom makes the arrays of n vectors and draws their layers.
func (b *builder) makeRoom(n int) {
	m, rows := b.o.M, 0
	b.level = make([]uint8, n)
	b.base = make([]uint32, n*(1+2*m))
	b.upAt = make([]uint32, n)
	b.same = make([]uint32, n)
	for i := range n {
		b.level[i] = levelOf(b.o.Seed, uint64(i), uint64(m))
		b.upAt[i] = uint32(rows)
		b.same[i] = noVector
		rows += int(b.level[i])
	}
	b.upper = make([]uint32, rows*(1+m))
}

// levelOf returns the highest layer of a vector: ⌊-ln(U)/ln(M)⌋ for a U that
// follows from seed and id (§4.1). It is at least l where U ≤ M^-l, which whole
// numbers decide.
func levelOf(seed, id, m uint64) uint8 {
	u := splitmix.Mix(splitmix.Mix(seed) + id)
	level := uint8(0)
	for limit := ^uint64(0) / m; u < limit; limit /= m {
		level++
	}
	return level
}

// findEqual hangs every vector that an earlier one equals on that one's list, which
// is in order of ids. It returns the context's error where it is cancelled.
func (b *builder) findEqual(ctx context.Context) error {
	n := b.Len()
	b.equal = make([]bool, n)
	last := make([]uint32, n) // of the list that begins with a vector
	for i := range last {
		last[i] = uint32(i)
	}
	firsts, seed := make(map[uint64]uint32, n), maphash.MakeSeed() // by hash, or the next one that is free
	row, other := make([]float32, b.exact.Dims()), make([]float32, b.exact.Dims())
	var text []byte
	for i := range uint32(n) {
		if i%tile == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		b.exact.Row(int(i), row)
		text = text[:0]
		for _, x := range row {
			text = binary.LittleEndian.AppendUint32(text, math.Float32bits(x+0)) // -0 is 0
		}
		for hash := maphash.Bytes(seed, text); ; hash++ {
			first, met := firsts[hash]
			if !met {
				firsts[hash] = i
				break
			}
			if b.exact.Row(int(first), other); slices.Equal(row, other) {
				b.same[last[first]] = i
				last[first], b.equal[i] = i, true
				break
			}
		}
	}
	return nil
}

// insert links the vectors from … to-1 (algorithm 1).
func (b *builder) insert(ctx context.Context, from, to int) error {
	b.batch = b.batch[:0]
	for i := from; i < to; i++ {
		if !b.equal[i] {
			b.batch = append(b.batch, chosen{id: uint32(i)})
		}
	}
	err := guard.Share(ctx, b.workers, len(b.batch), 1, func(worker, i, _ int) { b.choose(ctx, b.crew[worker], i) })
	if err != nil {
		return err
	}
	b.back = b.back[:0]
	for _, c := range b.batch {
		for layer, ids := range c.links {
			b.setNeighbours(c.id, layer, ids)
			for _, to := range ids {
				b.back = append(b.back, backLink{layer: uint32(layer), to: to, from: c.id})
			}
		}
		if level := uint32(b.level[c.id]); b.head.Entry == noVector || level > b.head.Top {
			b.head.Entry, b.head.Top = c.id, level
		}
	}
	return b.linkBack(ctx)
}

func (b *builder) setNeighbours(i uint32, layer int, ids []uint32) {
	row := b.row(i, layer)
	row[0] = uint32(copy(row[1:], ids))
}

// choose finds the neighbours of the i-th vector of the batch.
func (b *builder) choose(ctx context.Context, l *linker, i int) {
	c := &b.batch[i]
	level := int(b.level[c.id])
	c.links = make([][]uint32, level+1)
	b.codes.SetRow(&l.probe, c.id)
	l.entries = l.entries[:0]
	if b.head.Entry != noVector {
		l.entries = append(l.entries, b.descend(l.walker, level))
	}
	for layer := level; layer >= 0; layer-- {
		l.cands = l.cands[:0]
		if len(l.entries) > 0 && layer <= int(b.head.Top) {
			b.walkLayer(ctx, l.walker, l.entries, layer, b.o.EfConstruction)
			l.entries = append(l.entries[:0], l.found...)
			l.cands = append(l.cands, l.found...)
		}
		b.addPeers(l, i, layer)
		slices.Sort(l.cands)
		l.cands = l.cands[:min(len(l.cands), b.o.EfConstruction)]
		b.selectNeighbours(l, b.o.M)
		c.links[layer] = slices.Clone(l.kept)
		b.codes.SetRow(&l.probe, c.id) // selection has compared others
	}
}

// addPeers adds the other vectors of the batch to the candidates.
func (b *builder) addPeers(l *linker, self, layer int) {
	l.ids = l.ids[:0]
	for j := range b.batch {
		// Not a copy of chosen: its links are another worker's.
		if id := b.batch[j].id; j != self && int(b.level[id]) >= layer {
			l.ids = append(l.ids, id)
		}
	}
	for j, d := range b.compare(l.walker) {
		l.cands = append(l.cands, newKey(d, l.ids[j]))
	}
}

// selectNeighbours keeps up to m of l.cands, which are in order, in l.kept: those
// that no kept one is nearer to than the vector that they are candidates of, so that
// they lead into different directions (algorithm 4). None of the others is kept: with
// the nearest of them filled in (keepPrunedConnections), building takes half as long
// again, and a search finds the same share in the same time.
func (b *builder) selectNeighbours(l *linker, m int) {
	l.kept = l.kept[:0]
	for left := l.cands; len(left) > 0 && len(l.kept) < m; {
		kept := left[0].id()
		l.kept = append(l.kept, kept)
		l.ids = l.ids[:0]
		for _, c := range left[1:] {
			l.ids = append(l.ids, c.id())
		}
		b.codes.SetRow(&l.probe, kept)
		rest := left[:0]
		for j, d := range b.compare(l.walker) {
			if c := left[1+j]; newKey(d, 0) >= c&^key(noVector) {
				rest = append(rest, c)
			}
		}
		left = rest
	}
}

// linkBack links the chosen neighbours to those that chose them. Every vector's
// links are one worker's, so that none waits for another.
func (b *builder) linkBack(ctx context.Context) error {
	slices.SortFunc(b.back, func(x, y backLink) int {
		return cmp.Or(cmp.Compare(x.layer, y.layer), cmp.Compare(x.to, y.to), cmp.Compare(x.from, y.from))
	})
	var at []int // where each vector's begin
	for i, l := range b.back {
		if i == 0 || l.layer != b.back[i-1].layer || l.to != b.back[i-1].to {
			at = append(at, i)
		}
	}
	at = append(at, len(b.back))
	return guard.Share(ctx, b.workers, len(at)-1, 1, func(worker, i, _ int) {
		b.addLinks(b.crew[worker], b.back[at[i]:at[i+1]])
	})
}

// addLinks adds links to one vector in one layer. Where there is no room for all,
// it chooses among the old and the new.
func (b *builder) addLinks(l *linker, back []backLink) {
	to, layer := back[0].to, int(back[0].layer)
	row := b.row(to, layer)
	l.ids = append(l.ids[:0], row[1:1+row[0]]...)
	for _, x := range back {
		// Two of one batch may have chosen each other.
		if !slices.Contains(row[1:1+row[0]], x.from) {
			l.ids = append(l.ids, x.from)
		}
	}
	if room := len(row) - 1; len(l.ids) > room {
		b.codes.SetRow(&l.probe, to)
		l.cands = l.cands[:0]
		for j, d := range b.compare(l.walker) {
			l.cands = append(l.cands, newKey(d, l.ids[j]))
		}
		slices.Sort(l.cands)
		b.selectNeighbours(l, room)
		l.ids = append(l.ids[:0], l.kept...)
	}
	row[0] = uint32(copy(row[1:], l.ids))
}
