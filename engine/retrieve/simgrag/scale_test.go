package simgrag_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/retrieve/simgrag"
)

// skewed is a graph like DBpedia in what matching feels: 4.3 edges an entity, of
// few relations mostly, and tails so unequal that the first has a tenth of all.
var skewed = sync.OnceValue(func() *kg.Graph {
	const entities, relations = 43_000, 522
	r := rand.New(rand.NewPCG(1, 1))
	var b kg.Builder
	for e := range entities {
		b.Entity(fmt.Sprint(e))
	}
	relation := rand.NewZipf(r, 1.2, 4, relations-1)
	tail := rand.NewZipf(r, 1.1, 2, entities-1)
	for range entities * 43 / 10 {
		b.Add(fmt.Sprint(r.IntN(entities)), fmt.Sprintf("relation %d", relation.Uint64()), fmt.Sprint(tail.Uint64()*7919%entities))
	}
	return b.Graph()
})

// scaleGraph returns the graph of the benchmarks: a small one, or that of the
// file CAIRN_BENCH_GRAPH.
func scaleGraph(b *testing.B) *kg.Graph {
	b.Helper()
	path := os.Getenv("CAIRN_BENCH_GRAPH")
	if path == "" {
		return skewed()
	}
	s, err := kg.OpenStore(b.Context(), path)
	if err != nil {
		b.Fatalf("OpenStore: %v", err)
	}
	b.Cleanup(func() { _ = s.Close() })
	g, err := s.Graph(b.Context(), nil)
	if err != nil {
		b.Fatalf("Graph: %v", err)
	}
	return g
}

// strangers is a vocabulary whose names mean what "entity 5" or "relation 5"
// says, at a small distance, and any others at distances as the built-in
// embedder gives them in a graph of a million.
type strangers struct{ g *kg.Graph }

func (v strangers) EntitiesAll(_ context.Context, texts []string, k int) ([][]link.Neighbour[kg.EntityID], error) {
	all := make([][]link.Neighbour[kg.EntityID], len(texts))
	for i, text := range texts {
		all[i] = near[kg.EntityID](text, v.g.Entities(), k, 0.7)
	}
	return all, nil
}

func (v strangers) Relations(_ context.Context, text string, k int) ([]link.Neighbour[kg.RelationID], error) {
	return near[kg.RelationID](text, v.g.Relations(), k, 0.9), nil
}

func (v strangers) Types(context.Context, string, int) ([]link.Neighbour[kg.TypeID], error) {
	return nil, nil
}

// near lists k of n ids: the one that the text ends in, and others from some
// distance on to 1.3, more and more of them.
func near[ID ~uint32](text string, n, k int, from float64) []link.Neighbour[ID] {
	var id uint32
	_, _ = fmt.Sscan(text[strings.LastIndexByte(text, ' ')+1:], &id)
	k = min(k, n)
	r := rand.New(rand.NewPCG(uint64(id), uint64(n)))
	out := make([]link.Neighbour[ID], 0, k)
	seen := map[uint32]bool{id: true}
	out = append(out, link.Neighbour[ID]{ID: ID(id), Distance: float64(r.IntN(5)) / 10})
	for len(out) < k {
		x := uint32(r.IntN(n))
		if seen[x] {
			continue
		}
		seen[x] = true
		d := from + (1.3-from)*math.Log(float64(1+len(out)))/math.Log(16384)
		out = append(out, link.Neighbour[ID]{ID: ID(x), Distance: d})
	}
	slices.SortFunc(out, func(a, b link.Neighbour[ID]) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// cutPattern cuts a chain, a star or a cycle out of the graph. Its relations are
// named, and so are its nodes, but for some of them.
func cutPattern(r *rand.Rand, g *kg.Graph) (p *pattern.Pattern, form string) {
	shape, n := r.IntN(3), 2+r.IntN(3)
	if shape > 0 {
		n = max(n, 3)
	}
	for {
		p = &pattern.Pattern{Asked: -1}
		bound := []kg.EntityID{kg.EntityID(r.IntN(g.Entities()))}
		for i := 1; i < n; i++ {
			from := i - 1
			if shape == 1 {
				from = 0
			}
			out := g.Out(bound[from])
			if len(out) == 0 {
				break
			}
			x := out[r.IntN(len(out))]
			if slices.Contains(bound, x.Entity) {
				break
			}
			p.Edges = append(p.Edges, pattern.Edge{From: from, To: i, Relation: fmt.Sprintf("relation %d", x.Relation)})
			bound = append(bound, x.Entity)
		}
		if len(bound) < n {
			continue
		}
		if shape == 2 {
			p.Edges = append(p.Edges, pattern.Edge{From: n - 1, To: 0, Relation: fmt.Sprintf("relation %d", r.IntN(g.Relations()))})
		}
		known := 0
		for i, e := range bound {
			if i == r.IntN(n) || r.IntN(3) == 0 && known > 0 {
				p.Nodes = append(p.Nodes, pattern.Node{Text: fmt.Sprintf("?%d", i), Variable: true})
				continue
			}
			known++
			p.Nodes = append(p.Nodes, pattern.Node{Text: fmt.Sprintf("entity %d", e)})
		}
		if known > 0 {
			return p, fmt.Sprintf("%s of %d, %d known", []string{"chain", "star", "cycle"}[shape], n, known)
		}
	}
}

// BenchmarkScale measures matching alone with the paper's numbers for DBpedia,
// both algorithms on the same patterns; the plain one is given a second for each.
func BenchmarkScale(b *testing.B) {
	g := scaleGraph(b)
	for _, a := range algorithms {
		b.Run(fmt.Sprintf("entities=%d/%s", g.Entities(), a), func(b *testing.B) {
			r := rand.New(rand.NewPCG(3, 3))
			var took []time.Duration
			late := 0
			for b.Loop() {
				p, form := cutPattern(r, g)
				res, err := simgrag.Search(b.Context(), g, p, strangers{g}, simgrag.Options{
					NodeCandidates: 16384, RelationCandidates: 512, Algorithm: a, MaxWallTime: time.Second, Budget: -1,
				})
				if err != nil {
					b.Fatalf("%s: Search: %v", form, err)
				}
				if res.Completeness == evidence.TimedOut {
					late++
				}
				took = append(took, res.Stats.Duration-res.Stats.LookUp)
			}
			slices.Sort(took)
			ms := func(d time.Duration) float64 { return float64(d) / 1e6 }
			b.ReportMetric(ms(took[len(took)/2]), "p50-ms")
			b.ReportMetric(ms(took[len(took)*99/100]), "p99-ms")
			b.ReportMetric(float64(late)/float64(len(took)), "cut-off")
		})
	}
}
