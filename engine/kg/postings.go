package kg

import (
	"context"
	"slices"
	"sync/atomic"

	"cairn/internal/guard"
)

// setAliases gives name i to entity owner[i]; each entity's names keep the order
// given. The labels must be there.
func (g *Graph) setAliases(owner []EntityID, names *texts) {
	g.aliasAt = make([]uint32, g.labels.size()+1)
	for _, e := range owner {
		g.aliasAt[e+1]++
	}
	addUp(g.aliasAt)
	next := slices.Clone(g.aliasAt)
	order := make([]uint32, len(owner))
	for i, e := range owner {
		order[next[e]] = uint32(i)
		next[e]++
	}
	g.aliases = texts{at: make([]uint64, 1, len(owner)+1), bytes: make([]byte, 0, len(names.bytes))}
	lo, kept := uint32(0), uint32(0) // of the entity, in order and of all
	for e := range g.aliasAt[1:] {
		hi, first := g.aliasAt[e+1], kept
	next:
		for _, i := range order[lo:hi] {
			name := names.get(int(i))
			for j := first; j < kept; j++ { // several layers may give the same name
				if g.aliases.get(int(j)) == name {
					continue next
				}
			}
			g.aliases.add(name)
			kept++
		}
		lo = hi
		g.aliasAt[e+1] = kept
	}
}

// setTypes gives type kinds[i] to entity owner[i], for n entities. The pairs are
// sorted by (entity, type), each once. The types' labels must be there.
func (g *Graph) setTypes(n int, owner []EntityID, kinds []TypeID) {
	g.types = kinds
	g.typeAt = make([]uint32, n+1)
	g.ofTypeAt = make([]uint32, len(g.typeLabels)+1)
	for i, e := range owner {
		g.typeAt[e+1]++
		g.ofTypeAt[kinds[i]+1]++
	}
	addUp(g.typeAt)
	addUp(g.ofTypeAt)
	next := slices.Clone(g.ofTypeAt)
	g.ofType = make([]EntityID, len(owner))
	for i, e := range owner {
		g.ofType[next[kinds[i]]] = e
		next[kinds[i]]++
	}
}

// setEdges makes both directions of the adjacency of n entities from the triples.
// done grows by twice their number. The only error is that of ctx.
func (g *Graph) setEdges(ctx context.Context, n int, done *atomic.Int64) error {
	var both guard.Group
	var outErr, inErr error
	both.Go(func() {
		g.out, outErr = newAdjacency(ctx, n, g, func(t Triple) (EntityID, EntityID) { return t.Head, t.Tail }, done)
	})
	both.Go(func() {
		g.in, inErr = newAdjacency(ctx, n, g, func(t Triple) (EntityID, EntityID) { return t.Tail, t.Head }, done)
	})
	both.Wait()
	if outErr != nil {
		return outErr
	}
	return inErr
}
