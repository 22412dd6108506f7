package index

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"
	"sync/atomic"

	"cairn/engine/vec"
	"cairn/internal/guard"
)

const (
	// tile is how many rows are scanned between two looks at the context, and the
	// smallest piece of work: 1,024 rows of 256 numbers and three queries take
	// about 15 µs, and their products stay in the nearest cache.
	tile = 1024
	// codeRows is how many rows a block of codes has, a multiple of tile: blocks
	// of 256 dimensions are 2 MB, which is what a file is written in.
	codeRows = 4096
)

// rows are N coded vectors, in blocks of codeRows but for the last.
type rows struct {
	n, dims int
	blocks  []*vec.Codes
}

// at returns the codes that row i is in, and its place there.
func (r *rows) at(i int) (codes *vec.Codes, row int) { return r.blocks[i/codeRows], i % codeRows }

// candidate is a row that may be among the nearest.
type candidate struct {
	row     uint32
	product int32   // with the query, of the high plane
	lo, hi  float32 // of the squared distance
}

// A pass finds, of some rows and for each of its queries, those that the bounds of
// their distances leave in question.
//
//	tile of rows ─products─▶ ints ─within limit─▶ marks ─bounds─▶ candidates
//	                                    ▲                             │
//	                                    └── k-th smallest upper bound ┘
//
// No row whose lower bound is above the k-th smallest upper bound of any k rows is
// among the k nearest. The limit of each worker is that of the rows it has seen, or
// another worker's where that is lower; so what becomes a candidate depends on
// chance, but never whether one of the nearest does.
type pass struct {
	rows    *rows
	tiles   func(i int) (tile int) // the i-th tile of the pass
	count   int                    // of its tiles
	queries []*vec.Query
	k       int
	next    atomic.Int64    // the first tile of the pass that nobody has taken yet
	limits  []atomic.Uint32 // the lowest limit of each query, as bits of a float32
}

const (
	// sampled is one in how many tiles is looked at first, to know about where
	// the limit will be.
	sampled = 16
	// sampleFrom is the number of tiles from which that pays.
	sampleFrom = 16 * sampled
)

// gather returns the candidates of each query, k or more of them: k is above 0 and
// at most the number of rows.
//
// Of many rows a sample is scanned first. What is the limit for its share of the k
// nearest, and a few more, is about the limit for all; the others are scanned with
// it, which spares them nearly all candidates that a falling limit would have let
// in. If k rows turn out to be within it, it was a limit; if not, which is rare,
// all are scanned again from no limit at all.
func (r *rows) gather(ctx context.Context, queries []*vec.Query, k int) ([][]candidate, error) {
	tiles := (r.n + tile - 1) / tile
	every := func(i int) int { return i }
	if tiles < sampleFrom {
		found, _ := r.pass(ctx, queries, k, every, tiles, nil)
		return candidatesOf(found), ctx.Err()
	}
	share := k / sampled
	share += share/4 + 4*int(math.Sqrt(float64(share))) + 16
	count := (tiles + sampled - 1) / sampled
	sample, limits := r.pass(ctx, queries, share, func(i int) int { return i * sampled }, count, nil)
	// The tiles that are no multiple of sampled.
	found, _ := r.pass(ctx, queries, k, func(i int) int { return i + i/(sampled-1) + 1 }, tiles-count, limits)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	proven := true
	for q := range queries {
		found[q].candidates = append(found[q].candidates, sample[q].candidates...)
		found[q].prune(k, limits[q])
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		proven = proven && found[q].proven
	}
	if !proven {
		found, _ = r.pass(ctx, queries, k, every, tiles, nil)
	}
	return candidatesOf(found), ctx.Err()
}

// pass scans some tiles and returns a sieve a query, pruned, and their limits. It
// begins with the given limits, or with none.
func (r *rows) pass(ctx context.Context, queries []*vec.Query, k int, tiles func(i int) int, count int, limits []float32) ([]sieve, []float32) {
	p := &pass{rows: r, tiles: tiles, count: count, queries: queries, k: k, limits: make([]atomic.Uint32, len(queries))}
	for q := range p.limits {
		limit := float32(math.Inf(1))
		if limits != nil {
			limit = limits[q]
		}
		p.limits[q].Store(math.Float32bits(limit))
	}
	found := make([][]sieve, workers(count*tile))
	_ = guard.Each(context.Background(), len(found), func(worker int) { found[worker] = p.work(ctx) }) // each has sieves, also where ctx has ended
	limits = make([]float32, len(queries))
	_ = guard.Each(ctx, len(queries), func(q int) {
		for _, other := range found[1:] {
			found[0][q].candidates = append(found[0][q].candidates, other[q].candidates...)
		}
		found[0][q].prune(k, math.Float32frombits(p.limits[q].Load()))
		limits[q] = found[0][q].limit
	})
	return found[0], limits
}

func candidatesOf(found []sieve) [][]candidate {
	out := make([][]candidate, len(found))
	for q := range found {
		out[q] = found[q].candidates
	}
	return out
}

// work takes tiles until there are none left, and returns a sieve a query.
func (p *pass) work(ctx context.Context) []sieve {
	sieves := make([]sieve, len(p.queries))
	products, mask := make([]int32, tile*len(p.queries)), make([]byte, tile/8)
	for ctx.Err() == nil {
		i := int(p.next.Add(1)) - 1
		if i >= p.count {
			break
		}
		first := p.tiles(i) * tile
		codes, from := p.rows.at(first)
		n := min(tile, codes.Len()-from)
		codes.Products(products[:n*len(p.queries)], p.queries, from)
		for q, query := range p.queries {
			if ctx.Err() != nil {
				break
			}
			s := &sieves[q]
			s.limit = math.Float32frombits(p.limits[q].Load())
			s.add(codes, query, first, from, products[q*n:(q+1)*n], mask[:(n+7)/8])
			if len(s.candidates) > max(s.full, p.k) {
				s.prune(p.k, s.limit)
				lower(&p.limits[q], s.limit)
			}
		}
	}
	return sieves
}

// lower makes limit the shared one unless that is lower.
func lower(shared *atomic.Uint32, limit float32) {
	for {
		was := shared.Load()
		if math.Float32frombits(was) <= limit || shared.CompareAndSwap(was, math.Float32bits(limit)) {
			return
		}
	}
}

// sieve keeps the candidates of one query that one worker has seen.
type sieve struct {
	candidates []candidate
	full       int     // prune above this many
	limit      float32 // rows whose lo is above it are dropped
	proven     bool    // none of those is among the nearest
	uppers     []float32
}

// add adds the rows of a tile that are within the limit.
//
//	first     the number of the tile's first row among all rows
//	from      its number among the codes
//	products  (M), those of the query with the tile
//	mask      (⌈M/8⌉), overwritten
func (s *sieve) add(codes *vec.Codes, query *vec.Query, first, from int, products []int32, mask []byte) {
	codes.Within(mask, products, query, from, s.limit)
	for i, marks := range mask {
		for row := 8 * i; marks != 0; row, marks = row+1, marks>>1 {
			if marks&1 == 0 {
				continue
			}
			lo, hi := codes.Bounds(query, from+row, products[row])
			if lo <= s.limit {
				s.candidates = append(s.candidates, candidate{uint32(first + row), products[row], lo, hi})
			}
		}
	}
}

// prune lowers the limit to the k-th smallest upper bound, where there are k, and
// drops what is above it. Half as many more are let in before the next time, so
// that a row is looked at a few times at most.
func (s *sieve) prune(k int, limit float32) {
	if len(s.candidates) >= k {
		s.uppers = s.uppers[:0]
		for _, c := range s.candidates {
			s.uppers = append(s.uppers, c.hi)
		}
		// Squared distances that differ may have the same root and tie.
		upper := nth(s.uppers, k-1) * (1 + 1e-6)
		s.proven = s.proven || upper <= limit
		limit = min(limit, upper)
	}
	kept := s.candidates[:0]
	for _, c := range s.candidates {
		if c.lo <= limit {
			kept = append(kept, c)
		}
	}
	s.candidates, s.limit = kept, limit
	s.full = len(kept) + max(len(kept)/2, 256)
}

// nearest turns candidates into the k nearest hits of each query, nearest first,
// ties by id; distance computes that of a candidate.
func nearest(ctx context.Context, found [][]candidate, k int, distance func(query int, c candidate) float32) ([][]Hit, error) {
	keys := make([][]uint64, len(found))
	for q, candidates := range found {
		// A hit as one number that orders as hits do: distances are not negative.
		keys[q] = make([]uint64, len(candidates))
		err := inTiles(ctx, len(candidates), func(from, to int) {
			for i, c := range candidates[from:to] {
				keys[q][from+i] = uint64(math.Float32bits(distance(q, c)))<<32 | uint64(c.row)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	hits := make([][]Hit, len(found))
	err := guard.Each(ctx, len(found), func(q int) {
		best := keys[q]
		if k < len(best) {
			nth(best, k)
			best = best[:k]
		}
		slices.Sort(best)
		hits[q] = make([]Hit, len(best))
		for i, key := range best {
			hits[q][i] = Hit{ID: uint32(key), Distance: math.Float32frombits(uint32(key >> 32))}
		}
	})
	return hits, err
}

// workers returns how many goroutines scan n rows.
func workers(n int) int {
	return max(1, min(runtime.GOMAXPROCS(0), n/(4*tile)))
}

// inTiles calls work(from, to) for all tiles of n rows, on several goroutines, and
// stops where the context is cancelled.
func inTiles(ctx context.Context, n int, work func(from, to int)) error {
	return guard.Share(ctx, workers(n), n, tile, func(_, from, to int) { work(from, to) })
}

// nth returns the value that x would have at place k if it were sorted, without
// sorting it: it moves what is smaller before it, what is larger behind, and looks
// at about three times as many numbers as there are. There must be no NaN.
func nth[T cmp.Ordered](x []T, k int) T {
	lo, hi := 0, len(x) // the place is within x[lo:hi]
	for random := uint64(len(x)); ; {
		if hi-lo < 2 {
			return x[k]
		}
		// The middle one of three that are picked the same way every time, but
		// not so that an order of the numbers can make all of them bad.
		var three [3]T
		for i := range three {
			random = random*6364136223846793005 + 1442695040888963407
			three[i] = x[lo+int((random>>33)%uint64(hi-lo))]
		}
		pivot := max(min(three[0], three[1]), min(max(three[0], three[1]), three[2]))
		// x[lo:same] is below the pivot, x[same:at] equals it, x[above:hi] is above.
		same, above := lo, hi
		for at := lo; at < above; {
			switch v := x[at]; {
			case v < pivot:
				x[at], x[same] = x[same], v
				same++
				at++
			case v > pivot:
				above--
				x[at], x[above] = x[above], v
			default:
				at++
			}
		}
		switch {
		case k < same:
			hi = same
		case k >= above:
			lo = above
		default:
			return pivot
		}
	}
}
