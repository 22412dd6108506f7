package gnnrag

import "cairn/engine/kg"

// Bounds of hubLimit.
const (
	// meanReach is how many entities a walk of three hops from an entity of middling
	// degree should meet on average. It is a third of the default cap on regions:
	// degrees are skewed, and regions several times as large as the mean are common.
	meanReach = 2000. / 3
	// hubQuantile is the share of entities that are hubs at most: in a dense graph
	// most entities would be, and a walk would end where it began.
	hubQuantile = 0.01
)

// hubLimit returns the degree above which entities of a graph are hubs: years,
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
// MetaQA has 106, near the 100 that did best there by hand; FB15k-237, which is
// dense, 273. On MetaQA's 3-hop questions a region without a limit fills up with the
// films of a genre, and has no answer at all to one question in five; one with a
// limit of 50 lacks answers of one in twenty-five that only hubs lead to.
func hubLimit(g *kg.Graph) int {
	n := g.Entities()
	if n <= 2000 {
		return noHub
	}
	var counts []int // counts[d] is the number of entities of degree d
	for e := range kg.EntityID(n) {
		d := g.Degree(e)
		if d >= len(counts) {
			counts = append(counts, make([]int, d+1-len(counts))...)
		}
		counts[d]++
	}
	limit := 0
	within, opens := 0, 0. // entities of degree ≤ d, and Σ d·(d−1) over them
	sum := 2 * float64(g.Triples())
	for d, count := range counts {
		if count == 0 {
			continue
		}
		opens += float64(count) * float64(d) * float64(d-1)
		b := opens / max(sum, 1)
		if 1+sum/float64(n)*(1+b+b*b) > meanReach && float64(n-within) <= hubQuantile*float64(n) {
			return limit
		}
		limit, within = d, within+count
	}
	return noHub
}
