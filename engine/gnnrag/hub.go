package gnnrag

import (
	"slices"

	"cairn/engine/kg"
)

// Bounds of HubLimit.
const (
	// meanReach is how many entities a walk of three hops from an entity of middling
	// degree should meet on average. It is a third of the default cap on regions:
	// degrees are skewed, and regions several times as large as the mean are common.
	meanReach = 2000. / 3
	// hubQuantile is the share of entities that are hubs at most: in a dense graph
	// most entities would be, and a walk would end where it began.
	hubQuantile = 0.01
)

// HubLimit returns the degree above which entities of a graph are hubs: years,
// genres, countries, whose neighbours have little to do with each other. It is the
// highest degree H for which a walk that does not go on from hubs stays small,
//
//	1 + m·(1 + b + b²) ≤ 2,000/3,  b = Σ_{d ≤ H} d·(d−1) / Σ d
//
// where d are the degrees of the entities, m is their mean, and b is how many
// further entities a step along a random triple opens up. At most one entity in a
// hundred is a hub, and none in a graph of at most 2,000 entities, which fits into
// a region.
//
// MetaQA comes out at 102; the experiments on which regions are built had 100 there.
func HubLimit(g *kg.Graph) int {
	n := g.Entities()
	if n <= 2000 {
		return noHub
	}
	degrees := make([]int, n)
	var sum float64
	for e := range degrees {
		degrees[e] = g.Degree(kg.EntityID(e))
		sum += float64(degrees[e])
	}
	slices.Sort(degrees)
	at := 0
	for opens := 0.; at < n; at++ {
		d := float64(degrees[at])
		opens += d * (d - 1)
		if b := opens / max(sum, 1); 1+sum/float64(n)*(1+b+b*b) > meanReach {
			break
		}
	}
	if at == n {
		return noHub
	}
	return max(degrees[max(at-1, 0)], degrees[int(float64(n-1)*(1-hubQuantile))])
}
