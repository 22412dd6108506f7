package kg

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"sync/atomic"
)

// adjacency is one direction of a graph's edges, in compressed sparse rows.
type adjacency struct {
	at    []uint32 // edges[at[e]:at[e+1]] is the row of entity e
	edges []Edge   // each row sorted by (relation, neighbour, triple)

	// A hub has a table of its runs, the edges of one relation:
	// runs[runsAt[i]:runsAt[i+1]] is that of hubs[i], sorted by relation.
	hubs   []EntityID // ascending
	runsAt []uint32
	runs   []run

	// having[havingAt[r]:havingAt[r+1]] are the entities that have an edge of relation r,
	// ascending; there are none of a relation beyond.
	havingAt []uint32
	having   []EntityID
}

// run is where the edges of one relation begin in the row of a hub. They end
// where the next run or the row ends.
type run struct {
	relation RelationID
	at       uint32
}

// hubDegree is the number of edges from which an entity is a hub. A shorter row
// is a few pages at most, which a binary search crosses as quickly as a table.
const hubDegree = 256

// row returns the edges of e. Its capacity is its length, so that nobody's
// append writes into a mapped file.
func (a *adjacency) row(e EntityID) []Edge {
	lo, hi := a.at[e], a.at[e+1]
	return a.edges[lo:hi:hi]
}

func (a *adjacency) by(e EntityID, r RelationID) []Edge {
	row := a.row(e)
	if len(row) < hubDegree {
		return RelationRun(row, r)
	}
	runs := a.runsOf(e)
	i, found := slices.BinarySearchFunc(runs, r, func(x run, r RelationID) int { return cmp.Compare(x.relation, r) })
	if !found {
		return nil
	}
	end := a.at[e+1]
	if i+1 < len(runs) {
		end = runs[i+1].at
	}
	return a.edges[runs[i].at:end:end]
}

// runsOf returns the table of a hub.
func (a *adjacency) runsOf(hub EntityID) []run {
	i, _ := slices.BinarySearch(a.hubs, hub)
	return a.runs[a.runsAt[i]:a.runsAt[i+1]]
}

// of returns the entities that have an edge of r.
func (a *adjacency) of(r RelationID) []EntityID {
	if int(r) >= len(a.havingAt)-1 {
		return nil
	}
	lo, hi := a.havingAt[r], a.havingAt[r+1]
	return a.having[lo:hi:hi]
}

// relations walks the runs of e, by relation.
func (a *adjacency) relations(e EntityID) iter.Seq2[RelationID, []Edge] {
	return func(yield func(RelationID, []Edge) bool) {
		row := a.row(e)
		if len(row) >= hubDegree {
			runs, end := a.runsOf(e), a.at[e+1]
			for i, x := range runs {
				to := end
				if i+1 < len(runs) {
					to = runs[i+1].at
				}
				if !yield(x.relation, a.edges[x.at:to:to]) {
					return
				}
			}
			return
		}
		for len(row) > 0 {
			r := row[0].Relation
			n := RunLength(row, r)
			if !yield(r, row[:n:n]) {
				return
			}
			row = row[n:]
		}
	}
}

// RelationRun returns the edges of row, which is sorted by relation, with
// relation r.
func RelationRun(row []Edge, r RelationID) []Edge {
	lo, hi := 0, len(row)
	for lo < hi {
		if m := int(uint(lo+hi) / 2); row[m].Relation < r {
			lo = m + 1
		} else {
			hi = m
		}
	}
	end := lo + RunLength(row[lo:], r)
	return row[lo:end:end]
}

// RunLength returns how many edges at the start of row, which is sorted by
// relation and has none below r, have relation r. Runs are short beside the row,
// so the end is looked for in doubling steps.
func RunLength(row []Edge, r RelationID) int {
	known, step := 0, 1 // row[:known] has relation r
	for known+step <= len(row) && row[known+step-1].Relation == r {
		known += step
		step *= 2
	}
	end := min(known+step-1, len(row))
	for known < end {
		if m := int(uint(known+end) / 2); row[m].Relation == r {
			known = m + 1
		} else {
			end = m
		}
	}
	return known
}

// newAdjacency builds one direction of the adjacency of n entities by counting
// sort on the row, then by sorting each row. done grows by the number of triples
// as the work goes on. The only error is that of ctx.
func newAdjacency(ctx context.Context, n int, g *Graph, ends func(Triple) (row, neighbour EntityID), done *atomic.Int64) (adjacency, error) {
	triples := g.triples
	a := adjacency{at: make([]uint32, n+1), edges: make([]Edge, len(triples)-count(g.off))}
	for lo := 0; lo < len(triples); lo += checkEvery {
		if err := ctx.Err(); err != nil {
			return a, err
		}
		for i, t := range triples[lo:min(lo+checkEvery, len(triples))] {
			if !g.Off(TripleID(lo + i)) {
				row, _ := ends(t)
				a.at[row+1]++
			}
		}
	}
	addUp(a.at)
	next := slices.Clone(a.at[:n])
	for lo := 0; lo < len(triples); lo += checkEvery {
		if err := ctx.Err(); err != nil {
			return a, err
		}
		hi := min(lo+checkEvery, len(triples))
		for i, t := range triples[lo:hi] {
			if g.Off(TripleID(lo + i)) {
				continue
			}
			row, neighbour := ends(t)
			a.edges[next[row]] = Edge{Relation: t.Relation, Entity: neighbour, Triple: TripleID(lo + i)}
			next[row]++
		}
		done.Add(int64(hi-lo) / 2)
	}
	for lo := 0; lo < n; lo += checkEvery {
		if err := ctx.Err(); err != nil {
			return a, err
		}
		hi := min(lo+checkEvery, n)
		for e := lo; e < hi; e++ {
			sortRow(a.edges[a.at[e]:a.at[e+1]])
		}
		done.Add(int64(a.at[hi]-a.at[lo]) / 2)
	}
	a.tabulate()
	return a, ctx.Err()
}

// without returns the edges that are not of a triple which is off.
func (a *adjacency) without(off func(TripleID) bool) adjacency {
	left := adjacency{at: make([]uint32, len(a.at)), edges: make([]Edge, 0, len(a.edges))}
	for e := range EntityID(len(a.at) - 1) {
		for _, x := range a.row(e) {
			if !off(x.Triple) {
				left.edges = append(left.edges, x)
			}
		}
		left.at[e+1] = uint32(len(left.edges))
	}
	left.tabulate()
	return left
}

// tabulate makes the tables of the hubs and of the relations.
func (a *adjacency) tabulate() {
	a.runsAt = []uint32{0}
	for e := range EntityID(len(a.at) - 1) {
		row := a.row(e)
		if len(row) < hubDegree {
			continue
		}
		for at := 0; at < len(row); {
			r := row[at].Relation
			a.runs = append(a.runs, run{r, a.at[e] + uint32(at)})
			at += RunLength(row[at:], r)
		}
		a.hubs = append(a.hubs, e)
		a.runsAt = append(a.runsAt, uint32(len(a.runs)))
	}
	a.havingAt = []uint32{0}
	for e := range EntityID(len(a.at) - 1) {
		for r := range a.relations(e) {
			for len(a.havingAt) < int(r)+2 {
				a.havingAt = append(a.havingAt, 0)
			}
			a.havingAt[r+1]++
		}
	}
	addUp(a.havingAt)
	a.having = make([]EntityID, a.havingAt[len(a.havingAt)-1])
	next := slices.Clone(a.havingAt)
	for e := range EntityID(len(a.at) - 1) {
		for r := range a.relations(e) {
			a.having[next[r]] = e
			next[r]++
		}
	}
}

// sortRow sorts the edges of one row, which come by triple.
func sortRow(row []Edge) {
	const short = 16 // most rows are, and an insertion sort keeps the order of triples
	if len(row) > short {
		slices.SortFunc(row, compareEdges)
		return
	}
	for i := 1; i < len(row); i++ {
		x := row[i]
		key := x.key()
		at := i
		for ; at > 0 && row[at-1].key() > key; at-- {
			row[at] = row[at-1]
		}
		row[at] = x
	}
}

// key orders edges by (relation, neighbour).
func (e Edge) key() uint64 { return uint64(e.Relation)<<32 | uint64(e.Entity) }

func compareEdges(a, b Edge) int {
	if x, y := a.key(), b.key(); x != y {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(a.Triple, b.Triple)
}

// addUp turns counts, each one place to the right, into offsets.
func addUp(at []uint32) {
	for i := 1; i < len(at); i++ {
		at[i] += at[i-1]
	}
}
