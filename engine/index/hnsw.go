package index

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"sync"

	"cairn/engine/vec"
)

// HNSWOptions configure NewHNSW and NewCoder. The zero value means the defaults.
type HNSWOptions struct {
	// M is how many neighbours a new vector is linked to in each layer; a vector
	// keeps at most M in an upper layer and 2M in the lowest.
	//
	// The default value is 64, that of the SimGRAG paper (appendix C.1).
	M int
	// EfConstruction is how many candidates the neighbours are chosen from.
	//
	// The default value is 512, that of the SimGRAG paper (appendix C.1).
	EfConstruction int
	// Seed seeds the choice of layers.
	//
	// The default value is 0.
	Seed uint64
	// Progress, which may be nil, is told how many vectors are in the graph and
	// how many there are, on the caller's goroutine.
	Progress func(done, total int64)
}

func (o HNSWOptions) withDefaults() HNSWOptions {
	o.M = cmp.Or(o.M, 64)
	o.EfConstruction = cmp.Or(o.EfConstruction, 512)
	return o
}

// defaultEf is how many candidates a search keeps unless WithEf says otherwise: eight
// times 16, as in the SimGRAG paper (C.1).
const defaultEf = 128

// maxM bounds what options and damaged files can ask for.
const maxM = 1024

// HNSW is an approximate index: a graph in which near vectors are linked, searched
// from coarse to fine. It is immutable and safe for concurrent use.
//
//	layer 2   a                     e          few vectors, far apart
//	layer 1   a       c             e
//	layer 0   a   b   c   d1=d2     e   f      every vector that no other equals
//
// From Malkov and Yashunin, "Efficient and Robust Approximate Nearest Neighbor
// Search Using Hierarchical Navigable Small World Graphs" (TPAMI 2020): insertion
// is algorithm 1, the search of a layer 2, the choice of neighbours 4, a search 5.
//
// It differs from the paper in:
//
//   - Vectors are inserted in batches. Those of a batch search the graph as it was
//     before, all at once, and compare themselves with each other one by one; then
//     they are linked in the order of their ids. So all processors build, without a
//     lock, and the graph is the same on any number of them.
//   - A vector that equals another is not linked but named by it: a thousand equal
//     ones would else be each other's only neighbours and cut themselves off.
//   - Vectors are compared by the high bytes of their codes; what is found is compared
//     again as the exact index does.
//   - What no chain of links leads to when all are linked is linked once more.
//
// Nothing uses one that Probe has not admitted.
type HNSW struct {
	exact Exact
	codes vec.Blocks
	o     HNSWOptions
	ef    int // candidates that a search keeps
	links
	walkers *sync.Pool // of *walker
}

// links are the graph, in flat arrays as they lie in a file. N vectors.
type links struct {
	head  linksHead
	level []uint8  // (N) the highest layer of a vector
	base  []uint32 // (N,1+2M) layer 0: how many neighbours, then they
	upAt  []uint32 // (N) where in upper the layers of a vector begin, in rows
	upper []uint32 // (·,1+M) layers 1, 2, … of a vector, one after another
	same  []uint32 // (N) the next vector that equals this one, or noVector
}

// linksHead is what the arrays are read by.
type linksHead struct {
	N, Dims, M uint32
	Entry      uint32 // a vector of the highest layer; noVector where there are none
	Top        uint32 // the highest layer
}

// noVector is no vector's id.
const noVector = ^uint32(0)

// neighbours returns the links of vector i in a layer that it is in, or has none of.
func (l *links) neighbours(i uint32, layer int) []uint32 {
	row := l.row(i, layer)
	return row[1 : 1+row[0]]
}

// row returns the place of a vector's links in a layer.
func (l *links) row(i uint32, layer int) []uint32 {
	m := int(l.head.M)
	if layer == 0 {
		at := int(i) * (1 + 2*m)
		return l.base[at : at+1+2*m]
	}
	at := (int(l.upAt[i]) + layer - 1) * (1 + m)
	return l.upper[at : at+1+m]
}

// NewHNSW links the vectors of an exact index, which it keeps. It returns the
// context's error where it is cancelled.
func NewHNSW(ctx context.Context, exact Exact, o HNSWOptions) (*HNSW, error) {
	o = o.withDefaults()
	n := exact.Len()
	switch {
	case o.M < 2 || o.M > maxM || o.EfConstruction < 1:
		return nil, fmt.Errorf("link %d vectors: M = %d, efConstruction = %d make no graph: M is 2 to %d, efConstruction at least 1",
			n, o.M, o.EfConstruction, maxM)
	case uint64(n) >= uint64(noVector):
		return nil, fmt.Errorf("link %d vectors: more than %d cannot be told apart", n, noVector-1)
	}
	h := &HNSW{o: o, ef: defaultEf}
	h.head = linksHead{N: uint32(n), Dims: uint32(exact.Dims()), M: uint32(o.M), Entry: noVector}
	if err := h.attach(exact); err != nil {
		return nil, err
	}
	b := builder{HNSW: h, workers: max(1, runtime.GOMAXPROCS(0))}
	if err := b.build(ctx); err != nil {
		return nil, fmt.Errorf("link %d vectors: %w", n, err)
	}
	return h, nil
}

// WithEf returns the same index with another number of candidates for searches.
func (h *HNSW) WithEf(ef int) Near {
	g := *h
	g.ef = max(1, ef)
	return &g
}

// Len is the number of vectors.
func (h *HNSW) Len() int { return int(h.head.N) }

// attach makes the vectors of exact those that h links.
func (h *HNSW) attach(exact Exact) error {
	coded, ok := exact.coded()
	if !ok {
		return fmt.Errorf("link %d vectors: some have numbers that are not finite or too large", exact.Len())
	}
	h.exact, h.codes, h.walkers = exact, vec.NewBlocks(codeRows, coded.blocks), new(sync.Pool)
	return nil
}
