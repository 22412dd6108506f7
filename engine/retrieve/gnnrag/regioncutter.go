package gnnrag

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"cairn/engine/evidence"
	"cairn/engine/kg"
)

// wide is the degree above which the triples of an entity are not gone through to
// find those among the entities of a region: the other ends' are.
const wide = 128

// Cutter cuts regions out of one graph. It is safe for concurrent use.
type Cutter struct {
	g *kg.Graph
	o RegionOptions // with defaults

	// among[e] are the triples that lead from e to another wide entity, where e is
	// one: the only ones that no other end finds.
	among map[kg.EntityID][]kg.Edge

	scratches sync.Pool // of *scratch
}

// NewCutter makes a cutter for a graph.
func NewCutter(g *kg.Graph, o RegionOptions) *Cutter {
	c := &Cutter{g: g, o: o.on(g), among: map[kg.EntityID][]kg.Edge{}}
	for e := range kg.EntityID(g.Entities()) {
		if g.Degree(e) <= wide {
			continue
		}
		for _, x := range g.Out(e) {
			if g.Degree(x.Entity) > wide {
				c.among[e] = append(c.among[e], x)
			}
		}
	}
	c.scratches.New = func() any { return &scratch{stamps: make([]uint64, g.Entities())} }
	return c
}

// Cut returns the region around seeds, which may repeat. The same seeds in the same
// order give the same region. It fails with the context's error only.
func (c *Cutter) Cut(ctx context.Context, seeds []kg.EntityID) (*Region, error) {
	s := c.scratches.Get().(*scratch) //nolint:errcheck // the pool holds nothing else
	defer c.scratches.Put(s)
	seeds = distinct(seeds)
	choose := c.within
	if c.o.PageRank {
		choose = c.ranked
	}
	r := &Region{Seeds: len(seeds)}
	var err error
	if r.Entities, r.Completeness, err = choose(ctx, s, seeds); err != nil {
		return nil, err
	}
	r.Facts, err = c.facts(ctx, s, r.Entities)
	return r, err
}

// distinct keeps the first of each entity.
func distinct(es []kg.EntityID) []kg.EntityID {
	return kg.With(nil, es...)
}

// facts returns the triples among entities, by triple id. What it costs depends on
// the entities that are not wide: a hub of 10,000 triples in a small region costs
// no more than any other entity, since its facts are found from their other ends.
func (c *Cutter) facts(ctx context.Context, s *scratch, entities []kg.EntityID) ([]Fact, error) {
	s.begin()
	for _, e := range entities {
		s.place(e)
	}
	found := s.facts[:0]
	for i, e := range entities {
		if i%checkEvery == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		local := int32(i)
		if c.g.Degree(e) > wide {
			for _, x := range c.among[e] {
				if tail, ok := s.local(x.Entity); ok {
					found = append(found, Fact{local, tail, x.Relation, x.Triple})
				}
			}
			continue
		}
		for _, x := range c.g.Out(e) {
			if tail, ok := s.local(x.Entity); ok {
				found = append(found, Fact{local, tail, x.Relation, x.Triple})
			}
		}
		for _, x := range c.g.In(e) {
			if head, ok := s.local(x.Entity); ok && c.g.Degree(x.Entity) > wide {
				found = append(found, Fact{head, local, x.Relation, x.Triple})
			}
		}
	}
	slices.SortFunc(found, func(a, b Fact) int { return cmp.Compare(a.Triple, b.Triple) })
	s.facts = found
	return slices.Clone(found), nil
}

// within returns the entities within Hops of the seeds, the seeds first and then by
// distance. Where they do not fit the cap, see rationed.
func (c *Cutter) within(ctx context.Context, s *scratch, seeds []kg.EntityID) ([]kg.EntityID, evidence.Completeness, error) {
	all, err := c.walk(ctx, s, seeds, func(int) {})
	if err != nil {
		return nil, 0, err
	}
	if len(all) <= max(c.o.Entities, len(seeds)) {
		return slices.Clone(all), evidence.Exhaustive, nil
	}
	kept, err := c.rationed(ctx, s, seeds)
	return kept, evidence.CutByBudget, err
}

// walk goes breadth first from seeds, not past hubs, for Hops or until the cap is
// passed, and returns the entities of whole levels in the order in which they are
// met. level is told how many there are when each level is complete. The entities
// are s's and hold until its next walk; so do their local ids, their places.
func (c *Cutter) walk(ctx context.Context, s *scratch, seeds []kg.EntityID, level func(n int)) ([]kg.EntityID, error) {
	s.begin()
	met := s.met[:0]
	for _, e := range seeds {
		s.place(e)
		met = append(met, e)
	}
	level(len(met))
	for hop, from := 0, 0; hop < c.o.Hops && from < len(met) && len(met) <= c.o.Entities; hop++ {
		to := len(met)
		for i := from; i < to; i++ {
			if i%checkEvery == 0 {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
			}
			e := met[i]
			if hop > 0 && c.g.Degree(e) > c.o.Hub {
				continue
			}
			for _, edges := range [...][]kg.Edge{c.g.Out(e), c.g.In(e)} {
				for _, x := range edges {
					if _, old := s.local(x.Entity); !old {
						s.place(x.Entity)
						met = append(met, x.Entity)
					}
				}
			}
		}
		from = to
		level(len(met))
	}
	s.met = met
	return met, nil
}

// rationed returns as many entities as the cap allows, in turns: each seed takes
// the nearest entity to it that none has taken yet, and of equally near ones that
// which a random walk from it meets with the highest probability: the entity that
// it is joined to by many paths, and not one of the thousands of a hub. A seed with
// nothing left gives its turns to the others, so that none starves beside one that
// is a hub.
func (c *Cutter) rationed(ctx context.Context, s *scratch, seeds []kg.EntityID) ([]kg.EntityID, error) {
	reaches := make([][]kg.EntityID, len(seeds))
	for i := range seeds {
		var err error
		if reaches[i], err = c.reach(ctx, s, seeds[i]); err != nil {
			return nil, err
		}
	}
	s.begin()
	kept := slices.Clone(seeds)
	for _, e := range seeds {
		s.place(e)
	}
	for took := true; took; {
		took = false
		for i := range reaches {
			for len(reaches[i]) > 0 && len(kept) < c.o.Entities {
				e := reaches[i][0]
				reaches[i] = reaches[i][1:]
				if _, taken := s.local(e); taken {
					continue
				}
				s.place(e)
				kept = append(kept, e)
				took = true
				break
			}
		}
	}
	return kept, nil
}

// reach returns the entities that one seed would have in a region of its own: by
// distance, then by the probability of a random walk along the shortest paths, then
// by id.
func (c *Cutter) reach(ctx context.Context, s *scratch, seed kg.EntityID) ([]kg.EntityID, error) {
	ends := []int{0} // ends[h] is where the entities at distance h end, from h = 1
	met, err := c.walk(ctx, s, []kg.EntityID{seed}, func(n int) { ends = append(ends, n) })
	if err != nil {
		return nil, err
	}
	mass := make([]float64, len(met))
	mass[0] = 1
	for h := 1; h+1 < len(ends); h++ {
		for i := ends[h-1]; i < ends[h]; i++ {
			e := met[i]
			if h > 1 && c.g.Degree(e) > c.o.Hub {
				continue
			}
			part := mass[i] / float64(max(c.g.Degree(e), 1))
			for _, edges := range [...][]kg.Edge{c.g.Out(e), c.g.In(e)} {
				for _, x := range edges {
					if at, ok := s.local(x.Entity); ok && int(at) >= ends[h] {
						mass[at] += part
					}
				}
			}
		}
	}
	order := make([]int, len(met))
	for i := range order {
		order[i] = i
	}
	for h := 2; h < len(ends); h++ {
		slices.SortFunc(order[ends[h-1]:ends[h]], func(a, b int) int {
			return cmp.Or(cmp.Compare(mass[b], mass[a]), cmp.Compare(met[a], met[b]))
		})
	}
	out := make([]kg.EntityID, min(len(met), c.o.Entities))
	for i := range out {
		out[i] = met[order[i]]
	}
	return out, nil
}

// checkEvery is how many entities are gone through between two looks at the context.
const checkEvery = 256

// scratch is the memory of one cut, used again by the next.
type scratch struct {
	// stamps[e] is the generation in which e was given a local id (upper half), and
	// that id (lower half), so that nothing need be cleared between generations.
	stamps     []uint64
	generation uint32
	placed     uint32

	met   []kg.EntityID
	facts []Fact
	rank  ranks
}

// begin forgets all local ids.
func (s *scratch) begin() {
	s.placed = 0
	s.generation++
	if s.generation == 0 { // after 2³² generations old stamps would count again
		clear(s.stamps)
		s.generation = 1
	}
}

// place gives an entity without a local id the next one.
func (s *scratch) place(e kg.EntityID) {
	s.stamps[e] = uint64(s.generation)<<32 | uint64(s.placed)
	s.placed++
}

// local returns the local id of an entity, and whether it has one.
func (s *scratch) local(e kg.EntityID) (int32, bool) {
	stamp := s.stamps[e]
	return int32(uint32(stamp)), uint32(stamp>>32) == s.generation
}
