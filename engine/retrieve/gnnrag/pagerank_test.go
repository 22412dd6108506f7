package gnnrag

import (
	"math"
	"slices"
	"testing"

	"cairn/engine/kg"
)

// densePageRank is the authors' loop over all entities: W as a list of steps, rows
// divided by degrees.
func densePageRank(g *kg.Graph, seeds []kg.EntityID, hub int) []float64 {
	s := make([]float64, g.Entities())
	for _, e := range seeds {
		s[e] = 1 / float64(len(seeds))
	}
	p := slices.Clone(s)
	for range 20 {
		next := make([]float64, len(p))
		for e := range next {
			next[e] = 0.8 * s[e]
		}
		pass := func(from, to kg.EntityID) {
			if g.Degree(from) <= hub || slices.Contains(seeds, from) {
				next[to] += 0.2 * p[from] / float64(g.Degree(from))
			}
		}
		for t := range kg.TripleID(g.Triples()) {
			x := g.Triple(t)
			pass(x.Head, x.Tail)
			pass(x.Tail, x.Head)
		}
		residual := 0.
		for e := range p {
			residual += math.Abs(p[e] - next[e])
		}
		p = next
		if residual < 1e-5 {
			break
		}
	}
	return p
}

func TestPageRankIsThatOfTheDenseLoop(t *testing.T) {
	for seed := range uint64(200) {
		g, seeds := randomWorld(seed)
		seeds = distinct(seeds)
		for _, o := range []RegionOptions{{PageRank: true}, {PageRank: true, Hub: 8}} {
			c := NewCutter(g, o)
			met, p, err := c.pageRank(t.Context(), &scratch{stamps: make([]uint64, g.Entities())}, seeds)
			if err != nil {
				t.Fatal(err)
			}
			got, want := make([]float64, g.Entities()), densePageRank(g, seeds, c.o.Hub)
			for i, e := range met {
				got[e] = p[i]
			}
			for e := range got {
				// What is not passed on: 1e-10 along each triple, in each of 20 turns.
				if tol := 1e-10*20*float64(g.Degree(kg.EntityID(e))) + 1e-15; math.Abs(got[e]-want[e]) > tol {
					t.Fatalf("seed %d, %+v: the rank of %d is %g, want %g", seed, o, e, got[e], want[e])
				}
			}
		}
	}
}

func TestRankedRegionsHoldTheHighestRanks(t *testing.T) {
	for seed := range uint64(200) {
		g, seeds := randomWorld(seed)
		p := densePageRank(g, distinct(seeds), noHub)
		r := mustCut(t, NewCutter(g, RegionOptions{PageRank: true, Entities: 30}), seeds)
		lowest := 1.
		for _, e := range r.Entities[r.Seeds:] {
			lowest = min(lowest, p[e])
		}
		if lowest < 1e-6-1e-8 {
			t.Errorf("seed %d: a rank of %g is in, want 1e-6 at least", seed, lowest)
		}
		for e, rank := range p {
			if !slices.Contains(r.Entities, kg.EntityID(e)) && rank > max(lowest, 1e-6)+1e-8 && len(r.Entities) > r.Seeds {
				t.Errorf("seed %d: entity %d of rank %g is left out, and one of %g is in", seed, e, rank, lowest)
			}
		}
		if facts := induced(g, r.Entities); !slices.Equal(r.Facts, facts) {
			t.Fatalf("seed %d: Facts = %v, want %v", seed, r.Facts, facts)
		}
	}
}
