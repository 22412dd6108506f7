package gnnrag

import (
	"cmp"
	"context"
	"math"
	"slices"

	"cairn/engine/evidence"
	"cairn/engine/kg"
)

// The published setting of the PageRank that cuts regions: prepare_data.py of NSM
// (He et al. 2021), which GNN-RAG §4.1 calls PageRank-Nibble.
const (
	restart         = 0.8  // probability of going back to the seeds
	rankIterations  = 20   // at most
	rankResidual    = 1e-5 // Σ|change| at which to stop
	rankCut         = 1e-6 // entities of a lower rank are left out
	rankNotPassedOn = 1e-10
)

// ranks are the PageRanks of the entities met so far, by local id.
type ranks struct{ now, next []float64 }

// ranked returns the entities of the highest personalised PageRank, the seeds first
// and then by rank, ties by id:
//
//	p ← 0.8·s + 0.2·Wᵀp, from p = s, uniform over the seeds,
//
// where W is the adjacency in both directions, multiplicity kept, its rows divided
// by the degrees; at most 20 times, until Σ|change| < 1e-5. Entities below 1e-6 are
// left out.
//
// It differs from the authors' code in: less than 1e-10 is not passed on along a
// triple, so that only entities that matter are touched (the rank of an entity with
// d neighbours of that kind is less by d·1e-10 at most); seeds are always in; hubs
// may pass nothing on, where Hub is set; the cap is 2,000 for every graph (theirs is
// 500 for MetaQA).
func (c *Cutter) ranked(ctx context.Context, s *scratch, seeds []kg.EntityID) ([]kg.EntityID, evidence.Completeness, error) {
	met, p, err := c.pageRank(ctx, s, seeds)
	if err != nil {
		return nil, 0, err
	}
	order := make([]int, 0, len(met)-len(seeds))
	for i := len(seeds); i < len(met); i++ {
		if p[i] >= rankCut {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(p[b], p[a]), cmp.Compare(met[a], met[b]))
	})
	room, completeness := max(c.o.Entities-len(seeds), 0), evidence.Exhaustive
	if len(order) > room {
		order, completeness = order[:room], evidence.CutByBudget
	}
	kept := slices.Clone(met[:len(seeds)])
	for _, i := range order {
		kept = append(kept, met[i])
	}
	return kept, completeness, nil
}

// pageRank returns the entities that PageRank was passed on to, the seeds first, and
// their ranks. Both are s's.
func (c *Cutter) pageRank(ctx context.Context, s *scratch, seeds []kg.EntityID) ([]kg.EntityID, []float64, error) {
	s.begin()
	met, now, next := s.met[:0], s.rank.now[:0], s.rank.next[:0]
	meet := func(e kg.EntityID) {
		s.place(e)
		met, now, next = append(met, e), append(now, 0), append(next, 0)
	}
	defer func() { s.met, s.rank = met, ranks{now, next} }()
	for _, e := range seeds {
		meet(e)
	}
	for i := range seeds {
		now[i] = 1 / float64(len(seeds))
	}
	for range rankIterations {
		clear(next)
		for i := range seeds {
			next[i] = restart / float64(len(seeds))
		}
		for i, n := 0, len(met); i < n; i++ {
			if i%checkEvery == 0 {
				if err := ctx.Err(); err != nil {
					return nil, nil, err
				}
			}
			degree := c.g.Degree(met[i])
			part := (1 - restart) * now[i] / float64(max(degree, 1))
			if part < rankNotPassedOn || i >= len(seeds) && degree > c.o.Hub {
				continue
			}
			for _, edges := range [...][]kg.Edge{c.g.Out(met[i]), c.g.In(met[i])} {
				for _, x := range edges {
					at, ok := s.local(x.Entity)
					if !ok {
						at = int32(len(met))
						meet(x.Entity)
					}
					next[at] += part
				}
			}
		}
		var residual float64
		for i := range now {
			residual += math.Abs(next[i] - now[i])
		}
		now, next = next, now
		if residual < rankResidual {
			break
		}
	}
	return met, now, nil
}
