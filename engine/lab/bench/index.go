package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"cairn/engine/embed"
	"cairn/engine/index"
	"cairn/engine/lexicon"
	"cairn/engine/vec"
	"cairn/internal/guard"
)

// IndexOptions are the choices of Index. The zero value means the defaults.
type IndexOptions struct {
	// Peers are the indexes to measure, of IndexPeers.
	//
	// The default value is all that there are: hnswlib and faiss where their programs
	// are given, coder/hnsw where it compiles.
	Peers []string
	// HNSWLib is the program of engine/lab/hnswlib, FAISS that of engine/lab/peers.
	HNSWLib, FAISS string
	// Queries is how many names are looked up.
	//
	// The default value is 300.
	Queries int
	// K is how many names are asked for, and Wide how many of the exact indexes a
	// second time.
	//
	// The default values are 16, what a name is linked by, and 16,384, the k(n) of
	// SimGRAG's largest runs.
	K, Wide int
	// M, EfConstruction and Ef are those of the graphs of neighbours; Ef is varied.
	//
	// The default values are 64 and 512, those of the SimGRAG paper (C.1), and 64,
	// 128, 256 and 512.
	M, EfConstruction int
	Ef                []int
	// Limit is how long the building of an index may take.
	//
	// The default value is 5 minutes.
	Limit time.Duration
	// Seed draws the names and the errors in them.
	Seed uint64
	// Progress may be nil; a total of 0 is unknown.
	Progress func(task string, done, total int64)
}

func (o IndexOptions) withDefaults() IndexOptions {
	set := func(x *int, to int) {
		if *x == 0 {
			*x = to
		}
	}
	set(&o.Queries, 300)
	set(&o.K, 16)
	set(&o.Wide, 16_384)
	set(&o.M, 64)
	set(&o.EfConstruction, 512)
	if o.Ef == nil {
		o.Ef = []int{64, 128, 256, 512}
	}
	if o.Limit == 0 {
		o.Limit = 5 * time.Minute
	}
	if o.Progress == nil {
		o.Progress = func(string, int64, int64) {}
	}
	if len(o.Peers) == 0 {
		o.Peers = slices.DeleteFunc(slices.Clone(IndexPeers), func(p string) bool {
			return p == peerHNSWLib && o.HNSWLib == "" || p == peerFAISS && o.FAISS == "" || p == peerCoder && !hasCoder
		})
	}
	return o
}

// The indexes that are compared.
const (
	peerBrute   = "brute"
	peerFlat    = "flat"
	peerScan    = "scan"
	peerHNSW    = "hnsw"
	peerCoder   = "coder"
	peerHNSWLib = "hnswlib"
	peerFAISS   = "faiss"
)

// IndexPeers are the indexes that are compared: every distance in float32, the
// exact indexes of engine/index, its HNSW, coder/hnsw,
// hnswlib and faiss.
var IndexPeers = []string{peerBrute, peerFlat, peerScan, peerHNSW, peerCoder, peerHNSWLib, peerFAISS}

// IndexSet is what looking up names costs in one set of names.
type IndexSet struct {
	Name           string        `json:"name"`
	Vectors        int           `json:"vectors"` // distinct names
	Dims           int           `json:"dims"`
	Embedded       time.Duration `json:"embedded"` // how long that took
	Queries        int           `json:"queries"`
	Seed           uint64        `json:"seed"`
	K              int           `json:"k"`
	Wide           int           `json:"wide"`
	M              int           `json:"m"`
	EfConstruction int           `json:"ef_construction"`
	Limit          time.Duration `json:"limit"`
	Peers          []IndexPeer   `json:"peers"`
}

// IndexPeer is one index of the names.
type IndexPeer struct {
	Name  string        `json:"name"`
	Build time.Duration `json:"build"`
	// Processor is the time that processors worked for building, all together; 0
	// where the system does not tell.
	Processor time.Duration `json:"processor"`
	// Linked is how many vectors were in it when its time was over; all where it
	// was not, and 0 where it does not tell.
	Linked int  `json:"linked"`
	Cut    bool `json:"cut,omitempty"` // the time was over; nothing else was measured
	// Memory is what it holds, with its own copy of the vectors if it has one, and
	// Peak the most that building it took beside the float32 vectors; 0 where the
	// system does not tell. In bytes.
	Memory int64 `json:"memory"`
	Peak   int64 `json:"peak"`
	// File is the size of its file, and Open how long opening that takes; 0 where
	// it is not kept.
	File int64         `json:"file,omitempty"`
	Open time.Duration `json:"open,omitempty"`
	// Probed is the recall that the probe of engine/index finds at ef = 128; only of
	// approximate ones in this process.
	Probed   float64       `json:"probed,omitempty"`
	Searches []IndexSearch `json:"searches,omitempty"`
}

// IndexSearch is what searches in an index took and found.
type IndexSearch struct {
	K     int   `json:"k"`
	Ef    int   `json:"ef,omitempty"` // of a graph of neighbours
	Times Times `json:"times"`        // of a query
	// Recall is the mean share of the k nearest that are found. What is as near as
	// the last of them counts, as far as float32 can tell.
	Recall float64 `json:"recall"`
}

// Index compares indexes of names, which it embeds with the built-in embedder that
// has learnt from them. name says what they are. What was measured before an error,
// such as the context's, is returned with it.
func Index(ctx context.Context, name string, names []string, o IndexOptions) (*IndexSet, error) {
	o = o.withDefaults()
	set := &IndexSet{
		Name: name, Queries: o.Queries, Seed: o.Seed, K: o.K, Wide: o.Wide, M: o.M,
		EfConstruction: o.EfConstruction, Limit: o.Limit,
	}
	began := time.Now()
	b := &indexBench{o: o, set: set}
	if err := b.embed(ctx, names); err != nil {
		return set, err
	}
	set.Embedded = time.Since(began)
	if b.v.Len() == 0 {
		return set, errors.New("compare indexes: there are no names")
	}
	set.Vectors, set.Dims = b.v.Len(), b.v.Dims
	if err := b.findTruth(ctx); err != nil {
		return set, err
	}
	for _, peer := range o.Peers {
		measure, ok := map[string]func(context.Context) (IndexPeer, error){
			peerBrute: b.brute, peerFlat: b.flat, peerScan: b.scan, peerHNSW: b.hnsw, peerCoder: b.coder, peerHNSWLib: b.hnswlib, peerFAISS: b.faiss,
		}[peer]
		if !ok {
			return set, fmt.Errorf("compare indexes: there is no index %q", peer)
		}
		p, err := measure(ctx)
		if err != nil {
			return set, fmt.Errorf("measure the index %s: %w", peer, err)
		}
		p.Name = peer
		set.Peers = append(set.Peers, p)
	}
	return set, nil
}

// indexBench is one comparison.
type indexBench struct {
	o       IndexOptions
	set     *IndexSet
	v       index.Vectors
	queries [][]float32
	near    []float32 // of each query, the squared distance of the K-th nearest
	far     []float32 // of the first queries, that of the Wide-th
	bruteK  []time.Duration
	bruteW  []time.Duration
}

// wideQueries is how many of the queries ask for Wide.
const wideQueries = 50

// embed makes the vectors of the names that have one, and of the queries.
func (b *indexBench) embed(ctx context.Context, names []string) error {
	names = distinct(names)
	e := embed.NewLexical(slices.Values(names), lexicon.Builtin())
	b.v = index.Vectors{Dims: e.Dims(), Rows: make([]float32, 0, len(names)*e.Dims())}
	var kept []string
	const some = 4096
	for from := 0; from < len(names); from += some {
		b.o.Progress("embed the names", int64(from), int64(len(names)))
		part := names[from:min(from+some, len(names))]
		rows, err := e.Embed(ctx, embed.Document, part)
		if err != nil {
			return err
		}
		for i, row := range rows {
			if vec.Norm(row) > 0 {
				b.v.Rows = append(b.v.Rows, row...)
				kept = append(kept, part[i])
			}
		}
	}
	if len(kept) == 0 {
		return nil
	}
	rng := rand.New(rand.NewPCG(b.o.Seed, b.o.Seed))
	texts := make([]string, b.o.Queries)
	for i := range texts {
		texts[i] = changed(kept[rng.IntN(len(kept))], i, rng)
	}
	var err error
	b.queries, err = e.Embed(ctx, embed.Query, texts)
	return err
}

// distinct returns the texts, each once, in order.
func distinct(texts []string) []string {
	seen := make(map[string]bool, len(texts))
	var out []string
	for _, t := range texts {
		if !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	return out
}

// findTruth computes every distance, in float32, and how long that takes.
func (b *indexBench) findTruth(ctx context.Context) error {
	k, wide := min(b.o.K, b.v.Len()), min(b.o.Wide, b.v.Len())
	squares, scratch := make([]float32, b.v.Len()), make([]float32, b.v.Len())
	find := func(q []float32, k int) (float32, time.Duration) {
		began := time.Now()
		b.allSquares(squares, q)
		copy(scratch, squares)
		return selectNth(scratch, k-1), time.Since(began)
	}
	for i, q := range b.queries {
		if err := ctx.Err(); err != nil {
			return err
		}
		b.o.Progress("compare all vectors", int64(i), int64(len(b.queries)))
		limit, took := find(q, k)
		b.near, b.bruteK = append(b.near, limit), append(b.bruteK, took)
		if i < wideQueries {
			limit, took := find(q, wide)
			b.far, b.bruteW = append(b.far, limit), append(b.bruteW, took)
		}
	}
	return nil
}

// allSquares computes the squared distances of all vectors to q, on all processors.
func (b *indexBench) allSquares(dst, q []float32) {
	parts := runtime.GOMAXPROCS(0)
	var all guard.Group
	for part := range parts {
		from, to := part*b.v.Len()/parts, (part+1)*b.v.Len()/parts
		all.Go(func() {
			for i := from; i < to; i++ {
				dst[i] = vec.SquaredL2(b.v.Row(i), q)
			}
		})
	}
	all.Wait()
}

// selectNth returns the n-th smallest of the numbers, from 0, which it moves.
func selectNth(x []float32, n int) float32 {
	for len(x) > 16 {
		pivot := median(x[0], x[len(x)/2], x[len(x)-1])
		below, above := 0, len(x) // x[:below] < pivot, x[above:] > pivot
		for i := 0; i < above; {
			switch {
			case x[i] < pivot:
				x[i], x[below] = x[below], x[i]
				below++
				i++
			case x[i] > pivot:
				above--
				x[i], x[above] = x[above], x[i]
			default:
				i++
			}
		}
		switch {
		case n < below:
			x = x[:below]
		case n >= above:
			x, n = x[above:], n-above
		default:
			return pivot
		}
	}
	slices.Sort(x)
	return x[n]
}

func median(a, b, c float32) float32 {
	return max(min(a, b), min(max(a, b), c))
}

// recall is the share of the k nearest to query i that are among ids.
func (b *indexBench) recall(i, k int, ids []uint32) float64 {
	limit := b.near[i]
	if k != b.o.K {
		limit = b.far[i]
	}
	// A sum of D squares in four lanes is wrong by D/4+4 roundings at most. Names with
	// nothing in common are all equally far, so that at a large k many are that close.
	limit *= 1 + float32(b.v.Dims/4+4)/(1<<24)
	found := 0
	seen := make(map[uint32]bool, len(ids))
	for _, id := range ids {
		if !seen[id] && vec.SquaredL2(b.v.Row(int(id)), b.queries[i]) <= limit {
			found++
		}
		seen[id] = true
	}
	return math.Min(1, float64(found)/float64(min(k, b.v.Len())))
}

// search measures searches for k vectors.
func (b *indexBench) search(ctx context.Context, task string, idx index.Index, k, ef int) (IndexSearch, error) {
	s := IndexSearch{K: k, Ef: ef}
	n := len(b.queries)
	if k != b.o.K {
		n = len(b.far)
	}
	var took []time.Duration
	for i, q := range b.queries[:n] {
		b.o.Progress(task, int64(i), int64(n))
		began := time.Now()
		hits, err := idx.Nearest(ctx, q, k)
		took = append(took, time.Since(began))
		if err != nil {
			return s, err
		}
		ids := make([]uint32, len(hits))
		for j, h := range hits {
			ids[j] = h.ID
		}
		s.Recall += b.recall(i, k, ids) / float64(n)
	}
	s.Times = timesOf(took)
	return s, nil
}
