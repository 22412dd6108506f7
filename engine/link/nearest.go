package link

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"cairn/engine/embed"
	"cairn/engine/index"
	"cairn/internal/wording"
)

// nearest finds the owners of the texts that are nearest to a text. Every
// distinct text is embedded once; one that the embedder has no vector for is not
// in the index, because the zero vector would be nearer to any text than most.
type nearest[ID ~uint32] struct {
	index  index.Batch
	rows   []uint32 // rows[r] is the text of the index's row r; nil where it is r
	at     []uint32 // owners[at[t]:at[t+1]] have text t, ascending
	owners []ID
	total  int // distinct owners
	// met, of *idSet, notes the owners that are found; nil where no owner has
	// several texts.
	met *sync.Pool
	// Of names in files: where those are, and the vectors.
	filed *filed
	scan  *index.Scan
	named func(id ID, text string) bool // whether text is a name of id, letter by letter
}

// newNearest embeds texts and keeps their vectors in memory.
func newNearest[ID ~uint32](ctx context.Context, emb embed.Embedder, t *tableBuilder[ID], tell func(n int)) (*nearest[ID], error) {
	n := &nearest[ID]{}
	n.at, n.owners = grouped(t.pairs, t.size())
	n.count()
	rows := index.Vectors{Dims: emb.Dims(), Rows: make([]float32, 0, t.size()*emb.Dims())}
	err := embedAll(ctx, emb, &t.dictionary, func(from int, vectors [][]float32) error {
		for i, v := range vectors {
			if n.hasRow(v, rows.Dims, from+i) {
				rows.Rows = append(rows.Rows, v...)
			}
		}
		tell(len(vectors))
		return nil
	})
	if err != nil {
		return nil, err
	}
	n.index = index.NewFlat(rows)
	return n, ctx.Err()
}

// count fills total and met.
func (n *nearest[ID]) count() {
	top := ID(0)
	for _, o := range n.owners {
		top = max(top, o)
	}
	seen := newIDSet[ID](int(top) + 1)
	for _, o := range n.owners {
		if !seen.add(o) {
			n.met = &sync.Pool{New: func() any { return newIDSet[ID](int(top) + 1) }}
		}
	}
	n.total = len(seen.members)
}

// hasRow reports whether the vector of a text is a row of the index, which those
// of texts without a vector are not. Texts come in order.
func (n *nearest[ID]) hasRow(v []float32, dims, text int) bool {
	if len(v) != dims {
		panic(badDims)
	}
	switch {
	case blank(v):
		if n.rows == nil { // so far, every row was its own text
			n.rows = make([]uint32, text, len(n.at)-1)
			for i := range n.rows {
				n.rows[i] = uint32(i)
			}
		}
		return false
	case n.rows != nil:
		n.rows = append(n.rows, uint32(text))
	}
	return true
}

const badDims = "link: an embedder's vector has another length than it says"

// find returns the k nearest owners of texts, of which queries are the vectors.
func (n *nearest[ID]) find(ctx context.Context, queries [][]float32, texts []string, k int, scale Scale) ([][]Neighbour[ID], error) {
	out := make([][]Neighbour[ID], len(texts))
	if k = min(k, n.total); k <= 0 {
		return out, ctx.Err()
	}
	var open []int // texts that are not settled
	for i, q := range queries {
		if !blank(q) {
			open = append(open, i)
		}
	}
	// An owner may have several texts, so that k texts may be too few; and where
	// the k-th distance is shared, all that share it are needed to tell the ties
	// by id.
	for ask := k + 1; len(open) > 0; ask *= 2 {
		hits, err := n.index.NearestAll(ctx, wording.Each(open, func(i int) []float32 { return queries[i] }), ask)
		if err != nil {
			return nil, fmt.Errorf("find the names nearest to %q: %w", texts[open[0]], err)
		}
		more := open[:0]
		for j, i := range open {
			found, used := n.expand(hits[j], k)
			if len(hits[j]) < ask || len(found) >= k && used < len(hits[j]) {
				out[i] = n.scaled(found[:min(k, len(found))], texts[i], scale)
			} else {
				more = append(more, i)
			}
		}
		open = more
	}
	return out, ctx.Err()
}

// scaled brings distances to the scale. A name that is the text itself is at
// distance 0, also with embedders that embed questions and names differently.
func (n *nearest[ID]) scaled(found []Neighbour[ID], text string, scale Scale) []Neighbour[ID] {
	if len(scale) == 0 {
		return found
	}
	for i, f := range found {
		if found[i].Distance = scale.Of(f.Distance); n.named(f.ID, text) {
			found[i].Distance = 0
		}
	}
	slices.SortFunc(found, func(a, b Neighbour[ID]) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.ID, b.ID))
	})
	return found
}

// expand turns hits into owners by (distance, id), each at its nearest text, and
// says how many hits it used: those up to the distance at which there are k owners,
// or all.
func (n *nearest[ID]) expand(hits []index.Hit, k int) (out []Neighbour[ID], used int) {
	out = make([]Neighbour[ID], 0, min(k, len(hits))+len(hits)/16+16)
	var met *idSet[ID]
	if n.met != nil {
		met = n.met.Get().(*idSet[ID]) //nolint:errcheck // the pool holds nothing else
		defer n.met.Put(met)
		defer met.clear()
	}
	// The owners of near texts lie far apart in memory. Many are fetched at a time,
	// with nothing to decide in between, so that the processor need not wait for each.
	var from, to [fetched]uint32
	var owner [fetched]ID
	group := 0 // where in out the owners at the present distance begin
	for ; used < len(hits); used++ {
		at := used % fetched
		if at == 0 {
			some := hits[used:min(used+fetched, len(hits))]
			for i, h := range some {
				t := h.ID
				if n.rows != nil {
					t = n.rows[t]
				}
				from[i], to[i] = n.at[t], n.at[t+1]
			}
			for i := range some {
				owner[i] = n.owners[from[i]] // every text has one
			}
		}
		distance := float64(hits[used].Distance)
		if len(out) > group && out[group].Distance != distance {
			sortByID(out[group:])
			if group = len(out); group >= k {
				return out, used
			}
		}
		if met == nil || met.add(owner[at]) {
			out = append(out, Neighbour[ID]{ID: owner[at], Distance: distance})
		}
		for _, o := range n.owners[from[at]+1 : to[at]] {
			if met == nil || met.add(o) {
				out = append(out, Neighbour[ID]{ID: o, Distance: distance})
			}
		}
	}
	sortByID(out[group:])
	return out, used
}

// fetched is how many hits' owners are fetched at a time.
const fetched = 128

func sortByID[ID ~uint32](ns []Neighbour[ID]) {
	if len(ns) > 1 {
		slices.SortFunc(ns, func(a, b Neighbour[ID]) int { return cmp.Compare(a.ID, b.ID) })
	}
}

// idSet is a set of ids that is cheap to empty: a bit for each id, and a list.
type idSet[ID ~uint32] struct {
	bits    []uint64
	members []ID
}

// newIDSet returns an empty set of ids below n.
func newIDSet[ID ~uint32](n int) *idSet[ID] {
	return &idSet[ID]{bits: make([]uint64, (n+63)/64)}
}

// add reports whether the set did not have id.
func (s *idSet[ID]) add(id ID) bool {
	word, bit := &s.bits[id/64], uint64(1)<<(id%64)
	if *word&bit != 0 {
		return false
	}
	*word |= bit
	s.members = append(s.members, id)
	return true
}

func (s *idSet[ID]) clear() {
	for _, id := range s.members {
		s.bits[id/64] = 0
	}
	s.members = s.members[:0]
}
