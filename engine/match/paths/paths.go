// Package paths is the exact engine of SG-RAG (§4.2 and appendices C to F, after GNN-PE):
// an index of short paths under dominance signatures.
//
//	Graph ─Build─▶ Index ─Each─▶ bindings, those that naive.Engine finds
//
//	Signature  numbers of the star around an entity; a star has no less of any of them
//	           than what is a part of it
//	path       1, 2 or 3 entities in a row; it can be the image of a query path only where
//	           each of its stars dominates that of the query node
//	tree       an R-tree, packed from sorted paths (STR), over ranks and signatures
//
// Where it differs from the paper: signatures are integers and monotone by
// construction, since training to zero loss and comparing floats lets matches slip;
// nodes whose label is unknown are wildcards and their star is counted without it, in
// place of trying every label; the plan covers all edges rather than all nodes; the loss
// of eq. 15 has the sign that eq. 14 asks for; every edge is checked at the end.
package paths

import (
	"cmp"
	"context"
	"fmt"

	"cairn/engine/internal/arrays"
	"cairn/engine/kg"
)

var (
	// errStale is returned for an index of another graph, another state of it or
	// another signature: build it again.
	errStale = arrays.ErrStale
	// ErrDamaged is returned for a file that cannot be used: build it again.
	ErrDamaged = arrays.ErrDamaged
)

// defaultMaxPaths is how many paths of three entities are indexed where Options name no
// other number: 240 MB of them.
const defaultMaxPaths = 20_000_000

// Options are how an index is built.
type Options struct {
	Signature Signature // Counters{} where nil
	// MaxPaths bounds the paths of three entities. Where hubs make more of them, none is
	// indexed, and queries are cut into edges. 0 is defaultMaxPaths.
	MaxPaths int
	// Progress, which may be nil, is told how many paths of how many are in place.
	Progress func(done, total int)
}

// Index finds bindings of queries over one graph. It implements match.Engine and is safe
// for concurrent use.
type Index struct {
	graph *kg.Graph
	sign  Signature
	dims  int        // of a signature
	order []uint32   // the entity of each rank
	rank  []uint32   // the rank of each entity
	signs []uint8    // by rank: (N, dims)
	trees [3]tree    // of paths of 1, 2 and 3 entities
	note  string     // see Notes
	adj   [][]uint32 // neighbours by rank, ascending, each once; nil once it is built
}

// Notes says in sentences what the index leaves out.
func (x *Index) Notes() []string {
	if x.deep() {
		return nil
	}
	return []string{x.note}
}

// deep reports whether paths of three entities are indexed.
func (x *Index) deep() bool { return x.note == "" }

// Size is how many paths the index holds and the bytes that it takes.
func (x *Index) Size() (paths, bytes int) {
	bytes = 4*(len(x.order)+len(x.rank)) + len(x.signs)
	for i := range x.trees {
		t := &x.trees[i]
		paths += len(t.paths)
		bytes += 12*(len(t.paths)+len(t.low)+len(t.high)) + len(t.tops)
	}
	return paths, bytes
}

// Build indexes the paths of a graph. It fails with the context's error.
func Build(ctx context.Context, g *kg.Graph, o Options) (*Index, error) {
	if o.Signature == nil {
		o.Signature = Counters{}
	}
	o.MaxPaths = cmp.Or(o.MaxPaths, defaultMaxPaths)
	x := &Index{graph: g, sign: o.Signature, dims: o.Signature.Dims()}
	if err := x.arrange(ctx); err != nil {
		return nil, err
	}
	if err := x.neighbours(ctx); err != nil {
		return nil, err
	}
	defer func() { x.adj = nil }()
	counts := x.count()
	if counts[2] > o.MaxPaths {
		x.note = fmt.Sprintf("Paths of three entities are not indexed: hubs make %d of them. Queries are cut into edges, which is slower and finds the same.", counts[2])
		counts[2] = 0
	}
	total, done := counts[0]+counts[1]+counts[2], 0
	for l := range x.trees {
		t := &x.trees[l]
		t.length, t.paths = l, make([]path, 0, counts[l])
		var err error
		if counts[l] > 0 {
			err = x.enumerate(ctx, l, func(p path) { t.paths = append(t.paths, p) })
		}
		if err == nil {
			err = t.pack(ctx, x)
		}
		if err != nil {
			return nil, err
		}
		done += counts[l]
		if o.Progress != nil {
			o.Progress(done, total)
		}
	}
	return x, nil
}
