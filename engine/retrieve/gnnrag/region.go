package gnnrag

import (
	"cmp"
	"fmt"
	"math"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/internal/wording"
)

// Region is the part of a graph that a network reasons over, in local ids.
type Region struct {
	// Entities[i] is the entity with local id i; the seeds come first, each once.
	Entities []kg.EntityID
	// Seeds is the number of seeds.
	Seeds int
	// Facts are the triples among Entities, by triple id.
	Facts []Fact
	// Completeness is CutByBudget where more entities were within reach.
	Completeness evidence.Completeness

	lanes lanes // see Region.routes
}

// Fact is a triple in local ids.
type Fact struct {
	Head, Tail int32
	Relation   kg.RelationID
	Triple     kg.TripleID
}

// RegionOptions say how regions are cut out; the zero value is the default.
type RegionOptions struct {
	// PageRank takes the entities of the highest personalised PageRank, the paper's
	// way, instead of those within some hops.
	PageRank bool `json:"page_rank,omitempty"`
	// Hops is how far from the seeds a region reaches; PageRank has no such limit.
	// The default value is 3.
	Hops int `json:"hops"`
	// Hub is the degree above which an entity is in a region but not gone on from,
	// unless it is a seed. A question whose path runs through a hub loses its answers,
	// which Coverage shows; a higher limit brings them back, and larger regions.
	//
	// The default value is derived from the graph: see hubLimit. With PageRank it is
	// no limit, as in the paper.
	Hub int `json:"hub"`
	// Entities caps a region. The default value is 2,000.
	Entities int `json:"entities"`
}

// noHub is a hub limit that no entity is above.
const noHub = math.MaxInt

// on fills in the defaults for a graph.
func (o RegionOptions) on(g *kg.Graph) RegionOptions {
	o.Hops = cmp.Or(o.Hops, 3)
	o.Entities = cmp.Or(o.Entities, 2000)
	switch {
	case o.Hub > 0:
	case o.PageRank:
		o.Hub = noHub
	default:
		o.Hub = hubLimit(g)
	}
	return o
}

// Describe says in words how regions of a graph are cut out: "3 hops, not past
// entities of more than 100 triples, at most 2,000 entities".
func (o RegionOptions) Describe(g *kg.Graph) string {
	o = o.on(g)
	var hubs string
	if o.Hub != noHub {
		hubs = fmt.Sprintf(", without expanding entities of more than %s triples", wording.Number(o.Hub))
	}
	if o.PageRank {
		return fmt.Sprintf("the %s entities with the highest personalised PageRank%s", wording.Number(o.Entities), hubs)
	}
	return fmt.Sprintf("%s%s, at most %s entities", hops(o.Hops), hubs, wording.Number(o.Entities))
}

// hops writes a number of hops for people.
func hops(n int) string { return wording.Count(n, "hop", "hops") }
