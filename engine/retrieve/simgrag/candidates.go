package simgrag

import (
	"cmp"
	"math/bits"
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
	// asked counts the look-ups, until they are worth an index.
	asked  int
	slots  []slot   // a hash table, where there are costs
	shift  uint     // of the table's hash
	member []uint64 // bit e is set for entity e, where there are no costs
}

// slot is a place of a hash table; at is one more than an index, 0 is empty.
type slot struct {
	id kg.EntityID
	at uint32
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
func uncosted(ids []kg.EntityID) listed {
	if !ascending(ids) {
		ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	}
	return listed{entities: ids}
}

// ascending reports whether every id is larger than the one before.
func ascending(ids []kg.EntityID) bool {
	for i := 1; i < len(ids); i++ {
		if ids[i] <= ids[i-1] {
			return false
		}
	}
	return true
}

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
	if !l.hash() {
		return
	}
	var ids []kg.EntityID
	var costs []cost
	for i, e := range l.entities {
		if first, _ := l.probe(e); first == i {
			ids, costs = append(ids, e), append(costs, l.costs[i])
		}
	}
	*l = listed{entities: ids, costs: costs}
	l.hash()
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
		i, ok := l.probe(e)
		if !ok {
			return 0, false
		}
		return l.costs[i], true
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

// hash makes the table, where one pays, and reports whether an entity is there
// twice; the first counts.
func (l *listed) hash() (twice bool) {
	n := len(l.entities)
	if n <= few {
		for i, e := range l.entities {
			twice = twice || slices.Contains(l.entities[:i], e)
		}
		return twice
	}
	size := 1 << bits.Len(uint(2*n-1))
	l.slots, l.shift = make([]slot, size), uint(32-bits.Len(uint(size-1)))
	for i, e := range l.entities {
		at := spread(e) >> l.shift
		for l.slots[at].at != 0 && l.slots[at].id != e {
			at = (at + 1) & uint32(size-1)
		}
		if l.slots[at].at != 0 {
			twice = true
			continue
		}
		l.slots[at] = slot{e, uint32(i) + 1}
	}
	return twice
}

// spread is Knuth's multiplicative hash: neighbouring ids land far apart.
func spread(e kg.EntityID) uint32 { return uint32(e) * 2654435769 }

// probe returns the index of e in entities.
func (l *listed) probe(e kg.EntityID) (int, bool) {
	if l.slots == nil {
		i := slices.Index(l.entities, e)
		return i, i >= 0
	}
	last := uint32(len(l.slots) - 1)
	for at := spread(e) >> l.shift; ; at = (at + 1) & last {
		switch s := l.slots[at]; {
		case s.at == 0:
			return 0, false
		case s.id == e:
			return int(s.at - 1), true
		}
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
		l.hash()
	}
}
