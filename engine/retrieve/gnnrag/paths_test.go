package gnnrag

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/internal/testing/testkg"
)

// everyPath lists the shortest paths between two entities over some triples, by
// brute force: distances level by level, then all walks that keep to them.
func everyPath(g *kg.Graph, triples []kg.TripleID, from, to kg.EntityID) [][]kg.EntityID {
	near := map[kg.EntityID]map[kg.EntityID]bool{}
	for _, t := range triples {
		x := g.Triple(t)
		for _, step := range [][2]kg.EntityID{{x.Head, x.Tail}, {x.Tail, x.Head}} {
			if near[step[0]] == nil {
				near[step[0]] = map[kg.EntityID]bool{}
			}
			near[step[0]][step[1]] = true
		}
	}
	at := map[kg.EntityID]int{to: 0}
	for queue := []kg.EntityID{to}; len(queue) > 0; queue = queue[1:] {
		for e := range near[queue[0]] {
			if _, old := at[e]; !old {
				at[e] = at[queue[0]] + 1
				queue = append(queue, e)
			}
		}
	}
	var out [][]kg.EntityID
	var walk func(path []kg.EntityID)
	walk = func(path []kg.EntityID) {
		e := path[len(path)-1]
		if e == to {
			out = append(out, slices.Clone(path))
			return
		}
		for next := range near[e] {
			if at[next] == at[e]-1 {
				walk(append(path, next))
			}
		}
	}
	if _, joined := at[from]; joined && from != to {
		walk([]kg.EntityID{from})
	}
	return out
}

// expectedPaths ranks what brute force finds and fills in the triples.
func expectedPaths(g *kg.Graph, triples []kg.TripleID, seeds []kg.EntityID, answers []scored, log func(kg.EntityID) float64, perAnswer int) (out []evidence.Candidate, cut bool) {
	for _, a := range answers {
		for _, seed := range distinct(seeds) {
			var ways []way
			for _, es := range everyPath(g, triples, seed, a.Entity) {
				w := way{entities: es}
				for _, e := range es[1 : len(es)-1] {
					w.score += log(e)
				}
				ways = append(ways, w)
			}
			slices.SortFunc(ways, compareWays)
			if len(ways) > perAnswer {
				ways, cut = ways[:perAnswer], true
			}
			for _, w := range ways {
				var hops [][]kg.TripleID
				for i := 1; i < len(w.entities); i++ {
					var hop []kg.TripleID
					for _, t := range triples {
						x := g.Triple(t)
						if ends := [2]kg.EntityID{w.entities[i-1], w.entities[i]}; ends == [2]kg.EntityID{x.Head, x.Tail} || ends == [2]kg.EntityID{x.Tail, x.Head} {
							hop = append(hop, t)
						}
					}
					hops = append(hops, hop)
				}
				out = append(out, evidence.Path(w.entities, hops, "graph network"))
			}
		}
	}
	return out, cut
}

func TestShortestPathsAreThoseOfBruteForce(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 2))
		g, seeds := randomWorld(seed)
		if seed%2 == 0 {
			g, _ = testkg.Random(seed)
			seeds = []kg.EntityID{kg.EntityID(r.IntN(g.Entities())), kg.EntityID(r.IntN(g.Entities()))}
		}
		var answers, scores []scored
		for range 1 + r.IntN(8) {
			answers = append(answers, scored{Entity: kg.EntityID(r.IntN(g.Entities()))})
		}
		for e := range g.Entities() {
			if r.IntN(3) > 0 { // few values, so that ties are common
				scores = append(scores, scored{Entity: kg.EntityID(e), Probability: []float64{0, 0.1, 0.2}[r.IntN(3)]})
			}
		}
		log := func(e kg.EntityID) float64 {
			for _, s := range scores {
				if s.Entity == e {
					return math.Log(max(s.Probability, lowestProbability))
				}
			}
			return math.Log(lowestProbability)
		}
		region := mustCut(t, NewCutter(g, RegionOptions{Hops: 2, Hub: 20, Entities: 100}), seeds)
		inRegion := make([]kg.TripleID, len(region.Facts))
		for i, x := range region.Facts {
			inRegion[i] = x.Triple
		}
		all := make([]kg.TripleID, g.Triples())
		for i := range all {
			all[i] = kg.TripleID(i)
		}
		for _, over := range []struct {
			region  *Region
			triples []kg.TripleID
		}{{nil, all}, {region, inRegion}} {
			for _, most := range []int{1, 2, 1000} {
				got, completeness, err := shortestPaths(t.Context(), g, over.region, seeds, answers, scores, most, pathSteps)
				if err != nil {
					t.Fatal(err)
				}
				want, cut := expectedPaths(g, over.triples, seeds, answers, log, most)
				if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
					t.Fatalf("seed %d, region %t, at most %d: shortestPaths(%v, %v) =\n%v, want\n%v", seed, over.region != nil, most, seeds, answers, got, want)
				}
				if wantCut := map[bool]evidence.Completeness{true: evidence.CutByK}[cut]; completeness != wantCut {
					t.Fatalf("seed %d, at most %d: %v, want %v", seed, most, completeness, wantCut)
				}
			}
		}
	}
}

// TestAllRelationsMakeUpAHop has two relations between two entities, one of them
// also the other way round, and a loop that leads nowhere.
func TestAllRelationsMakeUpAHop(t *testing.T) {
	var b kg.Builder
	directed, wrote := b.Add("film", "directed_by", "person"), b.Add("film", "written_by", "person")
	known := b.Add("person", "known_for", "film")
	b.Add("film", "remake_of", "film")
	year := b.Add("film", "release_year", "1999")
	g := b.Graph()
	got, _, err := shortestPaths(t.Context(), g, nil, []kg.EntityID{b.Entity("person")},
		[]scored{{Entity: b.Entity("1999")}}, nil, pathsPerAnswer, pathSteps)
	want := []evidence.Candidate{evidence.Path(
		[]kg.EntityID{b.Entity("person"), b.Entity("film"), b.Entity("1999")}, [][]kg.TripleID{{directed, wrote, known}, {year}}, "graph network",
	)}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("shortestPaths = %v, %v, want %v", got, err, want)
	}
}

func TestAnswersWithoutAPath(t *testing.T) {
	var b kg.Builder
	b.Add("a", "to", "b")
	b.Add("c", "to", "d")
	lone := b.Entity("lone")
	g := b.Graph()
	a, d := b.Entity("a"), b.Entity("d")
	for _, tt := range []struct {
		name         string
		seed, answer kg.EntityID
	}{{"another part", a, d}, {"the seed itself", a, a}, {"a seed without triples", lone, a}, {"an answer without triples", a, lone}} {
		region := mustCut(t, NewCutter(g, RegionOptions{}), []kg.EntityID{tt.seed})
		for _, over := range []*Region{nil, region} {
			got, completeness, err := shortestPaths(t.Context(), g, over, []kg.EntityID{tt.seed}, []scored{{Entity: tt.answer}}, nil, pathsPerAnswer, pathSteps)
			if len(got) > 0 || completeness != evidence.Exhaustive || err != nil {
				t.Errorf("%s: shortestPaths = %v, %v, %v, want none, complete", tt.name, got, completeness, err)
			}
		}
	}
	// An answer that is a seed has paths from the other seeds.
	got, _, err := shortestPaths(t.Context(), g, nil, []kg.EntityID{a, b.Entity("b")}, []scored{{Entity: a}}, nil, pathsPerAnswer, pathSteps)
	if err != nil || len(got) != 1 || got[0].Nodes[0] != b.Entity("b") {
		t.Errorf("shortestPaths to a seed = %v, %v, want the path from the other", got, err)
	}
}

// TestLongWaysThroughHubsStayBounded has two hubs with the same 5,000 neighbours,
// and so 5,000 shortest paths from beyond the one to beyond the other.
func TestLongWaysThroughHubsStayBounded(t *testing.T) {
	var b kg.Builder
	for i := range 5000 {
		leaf := fmt.Sprint("leaf ", i)
		b.Add(leaf, "is", "hub")
		b.Add(leaf, "is", "other hub")
	}
	b.Add("hub", "in", "start")
	b.Add("other hub", "in", "end")
	g := b.Graph()
	seeds, answers := []kg.EntityID{b.Entity("start")}, []scored{{Entity: b.Entity("end")}}
	got, completeness, err := shortestPaths(t.Context(), g, nil, seeds, answers, nil, pathsPerAnswer, pathSteps)
	if err != nil || len(got) != 8 || completeness != evidence.CutByK {
		t.Errorf("shortestPaths has %d paths, %v, %v, want 8, cut", len(got), completeness, err)
	}
	got, completeness, err = shortestPaths(t.Context(), g, nil, seeds, answers, nil, pathsPerAnswer, 1000)
	if err != nil || len(got) != 0 || completeness != evidence.CutByBudget {
		t.Errorf("shortestPaths with 1,000 steps = %v, %v, %v, want none, cut", got, completeness, err)
	}
	// From a leaf to what lies behind the hub, and back: it is the hub's other side
	// that the search goes on from.
	for _, ends := range [][2]string{{"start", "hub"}, {"hub", "start"}, {"leaf 7", "hub"}, {"hub", "leaf 7"}} {
		got, completeness, err = shortestPaths(t.Context(), g, nil, []kg.EntityID{b.Entity(ends[0])},
			[]scored{{Entity: b.Entity(ends[1])}}, nil, pathsPerAnswer, 10)
		if err != nil || len(got) != 1 || completeness != evidence.Exhaustive {
			t.Errorf("shortestPaths of %v with 10 steps = %v, %v, %v, want one, complete", ends, got, completeness, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err = shortestPaths(ctx, g, nil, seeds, answers, nil, pathsPerAnswer, pathSteps); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: shortestPaths = %v, want the context's error", err)
	}
}

func TestJoiningLooksFromTheSideThatIsLess(t *testing.T) {
	var b kg.Builder
	var want []kg.TripleID
	for i := range 200 {
		b.Add("hub", "has", fmt.Sprint(i))
		b.Add(fmt.Sprint(i), "of", "other hub")
	}
	want = append(want, b.Add("hub", "has", "other hub"), b.Add("other hub", "of", "hub"))
	g := b.Graph()
	for _, ends := range [][2]string{{"hub", "other hub"}, {"other hub", "hub"}} {
		if got := g.Joining(b.Entity(ends[0]), b.Entity(ends[1])); !slices.Equal(got, want) {
			t.Errorf("joining(%v) = %v, want %v", ends, got, want)
		}
	}
	loop := b.Add("hub", "has", "hub")
	if got := b.Graph().Joining(b.Entity("hub"), b.Entity("hub")); !slices.Equal(got, []kg.TripleID{loop}) {
		t.Errorf("joining(hub, hub) = %v, want its loop, once", got)
	}
}

// BenchmarkPaths finds the paths of MetaQA's 3-hop dev questions to all of their
// answers, within regions and over the whole graph.
func BenchmarkPaths(b *testing.B) {
	g, hops := metaQA(b)
	type question struct {
		seeds   []kg.EntityID
		answers []scored
		region  *Region
	}
	c := NewCutter(g, RegionOptions{})
	var qs []question
	for _, x := range hops[3] {
		r, err := c.Cut(b.Context(), x.Topics)
		if err != nil {
			b.Fatal(err)
		}
		q := question{seeds: x.Topics, region: r}
		for _, e := range x.Answers {
			q.answers = append(q.answers, scored{Entity: e, Probability: 1 / float64(len(x.Answers))})
		}
		qs = append(qs, q)
	}
	for _, whole := range []bool{false, true} {
		b.Run(map[bool]string{false: "region", true: "whole"}[whole], func(b *testing.B) {
			b.ReportAllocs()
			found, cut := 0, 0
			for i := 0; b.Loop(); i++ {
				q := qs[i%len(qs)]
				if whole {
					q.region = nil
				}
				paths, completeness, err := shortestPaths(b.Context(), g, q.region, q.seeds, q.answers, q.answers, pathsPerAnswer, pathSteps)
				if err != nil {
					b.Fatal(err)
				}
				found += len(paths)
				if completeness == evidence.CutByBudget {
					cut++
				}
			}
			b.ReportMetric(float64(found)/float64(b.N), "paths/op")
			b.ReportMetric(float64(cut)/float64(b.N), "cut/op")
		})
	}
}
