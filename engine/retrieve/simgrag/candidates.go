package simgrag

import (
	"cmp"
	"slices"

	"cairn/engine/kg"
)

// listed is a set of candidates for a node: entities with their costs.
//
// With costs, entities are in the order of (cost, id), so that those within a
// limit are a prefix; without, in the order of their ids.
type listed struct {
	entities []kg.EntityID
	costs    []cost // costs[i] is that of entities[i]; nil means that all are 0
	of       table  // the same by entity, where there are costs
	// asked counts the look-ups, until they are worth an index.
	asked  int
	member []uint64 // bit e is set for entity e, where there are no costs
}

// few candidates are looked for one by one.
const few = 8

// costed makes a set of ids with distances, which vocabularies give in the
// order wanted; nil distances are 0. Of an entity that is there twice the
// nearer counts.
func costed(ids []kg.EntityID, distances []float64) (listed, error) {
	if distances == nil {
		return uncosted(ids), nil
	}
	l := listed{entities: ids, costs: make([]cost, len(ids))}
	zero := true
	for i, d := range distances {
		c, err := toCost(d)
		if err != nil {
			return l, err
		}
		l.costs[i], zero = c, zero && c == 0
	}
	if zero {
		return uncosted(ids), nil
	}
	l.order()
	l.distinct()
	return l, nil
}

// uncosted makes a set of entities that cost nothing.
func uncosted(ids []kg.EntityID) listed { return listed{entities: kg.Ascending(ids)} }

// order sorts by (cost, id). Distances come sorted, so that there is something
// to do only where two of them round to one cost or a planner gave them.
func (l *listed) order() {
	type candidate struct {
		id kg.EntityID
		c  cost
	}
	sorted := true
	for i := 1; i < len(l.costs) && sorted; i++ {
		a, b := l.costs[i-1], l.costs[i]
		sorted = a < b || (a == b && l.entities[i-1] < l.entities[i])
	}
	if sorted {
		return
	}
	cs := make([]candidate, len(l.costs))
	for i, c := range l.costs {
		cs[i] = candidate{l.entities[i], c}
	}
	slices.SortFunc(cs, func(a, b candidate) int { return cmp.Or(cmp.Compare(a.c, b.c), cmp.Compare(a.id, b.id)) })
	l.entities = make([]kg.EntityID, len(cs))
	for i, c := range cs {
		l.entities[i], l.costs[i] = c.id, c.c
	}
}

// distinct drops entities that are there already at a lower cost.
func (l *listed) distinct() {
	l.of.grow(2 * len(l.entities))
	kept := listed{entities: make([]kg.EntityID, 0, len(l.entities)), costs: make([]cost, 0, len(l.costs)), of: l.of}
	for i, e := range l.entities {
		if kept.of.get(e) == nil {
			kept.of.put(e, l.costs[i], false)
			kept.entities, kept.costs = append(kept.entities, e), append(kept.costs, l.costs[i])
		}
	}
	*l = kept
}

// least is the smallest cost.
func (l *listed) least() cost {
	if len(l.costs) == 0 {
		return 0
	}
	return l.costs[0]
}

func (l *listed) at(i int) cost {
	if l.costs == nil {
		return 0
	}
	return l.costs[i]
}

// within counts the candidates that cost most or less; they are the first.
func (l *listed) within(most cost) int {
	if l.costs == nil {
		return len(l.entities)
	}
	n, _ := slices.BinarySearch(l.costs, most+1)
	return n
}

// find returns the cost of an entity of a graph of n, and whether it is in the
// set: in constant time once there were some look-ups.
func (l *listed) find(e kg.EntityID, n int) (cost, bool) {
	if l.costs != nil {
		if c := l.of.get(e); c != nil {
			return c.cost, true
		}
		return 0, false
	}
	if l.member != nil {
		return 0, l.member[e/64]&(1<<(e%64)) != 0
	}
	// A bit each costs its bitmap to be cleared and filled; a search some 16 steps.
	const steps = 16
	if l.asked++; l.asked*steps > len(l.entities)+n/64 && len(l.entities) > few {
		l.mark(n)
	}
	_, ok := slices.BinarySearch(l.entities, e)
	return 0, ok
}

func (l *listed) mark(n int) {
	l.member = make([]uint64, n/64+1)
	for _, e := range l.entities {
		l.member[e/64] |= 1 << (e % 64)
	}
}

// keep drops the candidates that ok says no to.
func (l *listed) keep(ok func(kg.EntityID) bool) {
	kept := listed{}
	for i, e := range l.entities {
		if !ok(e) {
			continue
		}
		kept.entities = append(kept.entities, e)
		if l.costs != nil {
			kept.costs = append(kept.costs, l.costs[i])
		}
	}
	*l = kept
	if l.costs != nil {
		l.distinct()
	}
}
