package gnnrag

import (
	"cairn/engine/evidence"
	"cairn/engine/kg"
)

// Region is the part of a graph that a network reasons over, in local ids.
type Region struct {
	// Entities[i] is the entity with local id i; the seeds come first.
	Entities []kg.EntityID
	// Seeds is the number of seeds.
	Seeds int
	// Facts are the triples among Entities, by triple id.
	Facts []Fact
	// Completeness is CutByBudget where more entities were within reach.
	Completeness evidence.Completeness
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
	// Hops is how far from the seeds a region reaches. The default value is 3.
	Hops int `json:"hops"`
	// Hub is the degree above which an entity is in a region but not gone on from,
	// unless it is a seed. The default value is derived from the graph: see HubLimit.
	Hub int `json:"hub"`
	// Entities caps a region. The default value is 2,000.
	Entities int `json:"entities"`
}
