package simgrag

import (
	"cmp"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/pattern"
)

// queryEdge is an edge of the pattern with the relations that it may have.
type queryEdge struct {
	pattern.Edge
	any       bool            // any relation, at no cost
	relations []kg.RelationID // ascending, where any is false
	costs     []cost          // of relations; nil means that all are 0
	byID      []cost          // indexed by RelationID, never where it is not allowed; nil where relations are few
	least     cost
	// said is what a statement of the triple must say; nil for nothing. Bounds on what
	// edges cost leave it out, which keeps them bounds.
	said *pattern.Test
}

// fix sets the relations that the edge must have one of, at no cost.
func (e *queryEdge) fix(ids []kg.RelationID, n int) {
	e.relations = slices.Compact(slices.Sorted(slices.Values(ids)))
	if len(e.relations) > few {
		e.byID = slices.Repeat([]cost{never}, n)
		for _, r := range e.relations {
			e.byID[r] = 0
		}
	}
}

// allow sets the relations that the edge may have, out of n, with their
// distances. Of a relation that is there twice the nearer counts.
func (e *queryEdge) allow(near []link.Neighbour[kg.RelationID], n int) error {
	byID := slices.Repeat([]cost{never}, n)
	e.least = never
	for _, x := range near {
		c, err := toCost(x.Distance)
		if err != nil {
			return err
		}
		byID[x.ID] = min(byID[x.ID], c)
		e.least = min(e.least, c)
	}
	nonzero := false
	for r, c := range byID {
		if c != never {
			e.relations, e.costs = append(e.relations, kg.RelationID(r)), append(e.costs, c)
			nonzero = nonzero || c != 0
		}
	}
	if !nonzero {
		e.costs, e.least = nil, 0
	}
	if len(e.relations) > few {
		e.byID = byID
	}
	return nil
}

func (e *queryEdge) at(i int) cost {
	if e.costs == nil {
		return 0
	}
	return e.costs[i]
}

// costOf returns the cost of relation r for the edge, and whether it is allowed.
func (e *queryEdge) costOf(r kg.RelationID) (cost, bool) {
	switch {
	case e.any:
		return 0, true
	case e.byID != nil:
		return e.byID[r], e.byID[r] != never
	}
	if i := slices.Index(e.relations, r); i >= 0 {
		return e.at(i), true
	}
	return 0, false
}

// forward reports whether the edge must lie along its triple.
func (e *queryEdge) forward() bool { return e.Direction == pattern.Forward }

// run is a stretch of an adjacency list with one relation, ascending by entity.
type run struct {
	edges []kg.Edge
	cost  cost // of the relation
}

func compareRuns(a, b run) int { return cmp.Compare(a.cost, b.cost) }

// gather appends the runs that lead from entity a, bound to node n, over edge e
// and cost most or less, and returns the least cost of those left out for
// costing more, or never.
func (q *query) gather(list []run, e *queryEdge, n int, a kg.EntityID, most cost) ([]run, cost) {
	left := never
	if !e.forward() || e.From == n {
		list, left = e.split(list, q.g.Out(a), most)
	}
	if !e.forward() || e.To == n {
		var l cost
		list, l = e.split(list, q.g.In(a), most)
		left = min(left, l)
	}
	return list, left
}

// split appends the runs of one adjacency list that the edge may use.
func (e *queryEdge) split(list []run, all []kg.Edge, most cost) (_ []run, left cost) {
	left = never
	if !e.any && len(e.relations) <= few && len(all) > few {
		for i, r := range e.relations {
			c := e.at(i)
			switch edges := kg.RelationRun(all, r); {
			case len(edges) == 0:
			case c > most:
				left = min(left, c)
			default:
				list = append(list, run{edges, c})
			}
		}
		return list, left
	}
	for len(all) > 0 {
		n := kg.RunLength(all, all[0].Relation)
		c, ok := e.costOf(all[0].Relation)
		switch {
		case !ok:
		case c > most:
			left = min(left, c)
		default:
			list = append(list, run{all[:n], c})
		}
		all = all[n:]
	}
	return list, left
}

// in reports whether the run leads to e.
func (r run) in(e kg.EntityID) (kg.TripleID, bool) {
	i, ok := slices.BinarySearchFunc(r.edges, e, func(x kg.Edge, e kg.EntityID) int { return cmp.Compare(x.Entity, e) })
	if !ok {
		return kg.NoTriple, false
	}
	return r.edges[i].Triple, true
}
