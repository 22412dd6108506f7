package query

import (
	"slices"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/match"
	"cairn/engine/pattern"
	"cairn/internal/wording"
)

const (
	// farthest is how long the shortest path may be where nothing bounds it, and beyond
	// how much longer further ones may be.
	farthest, beyond = 64, 3
	// viaFarthest is the same for paths that must visit something.
	viaFarthest = 12
	// mostPaths is how many paths are counted.
	mostPaths = 1000
	// unreached is the distance of what no path leads to yet.
	unreached = 255
)

// connection is the search for paths between two sets of entities.
//
//	rings   distances to the goals grow ring by ring, as far as paths of a length need
//	search  all paths of one length, the shortest length first: a step is taken only
//	        where the goal, and what is to be visited, can still be reached
//
// Paths of one length come in the order of their entities' ids.
type connection struct {
	*evaluation

	starts, goals []kg.EntityID
	avoid         map[kg.EntityID]bool
	toGoal        rings
	via           []rings // to each thing that must be visited
	least         []int   // of each of them, how far it is from the goals

	path  []kg.EntityID
	limit int // of paths
	paths [][]kg.EntityID
	more  bool
}

// rings are distances to some entities, known up to a radius.
type rings struct {
	from     []kg.EntityID
	distance []uint8
	frontier []kg.EntityID
	radius   int
	reached  int
}

// connect finds the shortest paths between the first node and the second.
func (x *evaluation) connect() {
	c := &connection{evaluation: x, starts: x.p.Nodes[0].Entities, goals: x.p.Nodes[1].Entities, avoid: map[kg.EntityID]bool{}}
	var asked pattern.Connection
	if x.p.Connection != nil {
		asked = *x.p.Connection
	}
	for _, n := range asked.Avoid {
		for _, e := range x.p.Nodes[n].Entities {
			c.avoid[e] = true
		}
	}
	bound, further := asked.Within, 0
	if bound == 0 {
		bound, further = farthest, beyond
		if len(asked.Via) > 0 {
			bound = viaFarthest
		}
	}
	bound = min(bound, unreached-1)
	c.limit = asked.K
	if asked.K == 0 {
		c.limit = mostPaths
	}
	c.toGoal = c.newRings(c.goals)
	for _, n := range asked.Via {
		v := c.newRings(x.p.Nodes[n].Entities)
		c.grow(&v, bound)
		c.via = append(c.via, v)
	}
	defer c.done() // what was found before a limit is worth showing
	for length := 1; length <= bound; length++ {
		c.grow(&c.toGoal, length-1) // as far as the first step may lead
		c.least = c.least[:0]
		for _, v := range c.via {
			least := unreached
			for _, e := range v.from {
				least = min(least, int(c.toGoal.distance[e]))
			}
			c.least = append(c.least, least)
		}
		before := len(c.paths)
		for _, s := range c.starts {
			if c.avoid[s] || slices.Contains(c.goals, s) {
				continue
			}
			c.path = append(c.path[:0], s)
			c.search(length)
		}
		x.step("%s of %s", wording.Count(len(c.paths)-before, "path", "paths"), wording.Count(length, "step", "steps"))
		if len(c.paths) >= c.limit || len(c.paths) > 0 && asked.K == 0 || len(c.toGoal.frontier) == 0 && !c.reached() {
			break
		}
		if before == 0 && len(c.paths) > 0 && further > 0 {
			bound = min(bound, length+further)
		}
	}
	if len(c.paths) == 0 {
		c.grow(&c.toGoal, bound)
		c.noPath(bound, asked)
	}
}

// done makes candidates of the paths.
func (c *connection) done() {
	x := c.evaluation
	x.found.Stats.Found = len(c.paths)
	for _, path := range c.paths[:min(len(c.paths), x.limits.Shown)] {
		var hops [][]kg.TripleID
		for i := range path[1:] {
			hops = append(hops, c.between(path[i], path[i+1]))
		}
		x.found.Candidates = append(x.found.Candidates, evidence.Path(path, hops, ""))
	}
	if c.more {
		x.note("There are more paths as long as the last.")
	}
}

// noPath says why there is none.
func (c *connection) noPath(bound int, asked pattern.Connection) {
	x := c.evaluation
	goal := c.evaluation.names(c.goals)
	switch reached := c.reached(); {
	case len(c.starts) == 0 || len(c.goals) == 0: // a name is unknown
	case !reached && len(c.toGoal.frontier) == 0 && len(asked.Avoid) == 0:
		x.note("They lie on islands: %s connected with %s, and %s is not among them.", wording.Count(c.toGoal.reached, "thing is", "things are"), goal, x.names(c.starts))
	case !reached && len(c.toGoal.frontier) == 0:
		x.note("Without what is avoided nothing connects them.")
	default:
		x.note("No such path has at most %s.", wording.Count(bound, "step", "steps"))
	}
}

// reached reports whether anything leads from the starts to the goals, as far as that
// has been looked at.
func (c *connection) reached() bool {
	return slices.ContainsFunc(c.starts, func(e kg.EntityID) bool { return c.toGoal.distance[e] != unreached })
}

func (c *connection) newRings(from []kg.EntityID) rings {
	r := rings{from: from, distance: slices.Repeat([]uint8{unreached}, c.g.Entities())}
	for _, e := range from {
		if !c.avoid[e] {
			r.distance[e] = 0
			r.frontier = append(r.frontier, e)
		}
	}
	return r
}

// passes reports whether a path may go on from an entity that it does not end at: values
// such as a year join what has nothing to do with each other.
func (c *connection) passes(e kg.EntityID) bool { return !c.avoid[e] && !c.g.IsLiteral(e) }

// grow makes distances known up to a radius.
func (c *connection) grow(r *rings, radius int) {
	for ; r.radius < radius && len(r.frontier) > 0; r.radius++ {
		var next []kg.EntityID
		for _, e := range r.frontier {
			if r.radius > 0 && !c.passes(e) {
				continue
			}
			for _, row := range [2][]kg.Edge{c.g.Out(e), c.g.In(e)} {
				c.work(len(row) + 1)
				for _, s := range row {
					if r.distance[s.Entity] == unreached && !c.avoid[s.Entity] {
						r.distance[s.Entity] = uint8(r.radius + 1) //nolint:gosec // a radius is less than unreached
						r.reached++
						next = append(next, s.Entity)
					}
				}
			}
		}
		r.frontier = next
	}
}

// search finds the paths that go on from c.path with exactly so many steps.
func (c *connection) search(left int) {
	at := c.path[len(c.path)-1]
	if left == 0 {
		if c.toGoal.distance[at] == 0 && c.visitsAll() {
			if len(c.paths) == c.limit {
				c.more = true
			} else {
				c.paths = append(c.paths, slices.Clone(c.path))
			}
		}
		return
	}
	var next []kg.EntityID
	for _, row := range [2][]kg.Edge{c.g.Out(at), c.g.In(at)} {
		c.work(len(row) + 1)
		for _, s := range row {
			if int(c.toGoal.distance[s.Entity]) <= left-1 && (left == 1) == (c.toGoal.distance[s.Entity] == 0) {
				next = append(next, s.Entity)
			}
		}
	}
	slices.Sort(next)
	for _, e := range slices.Compact(next) {
		if c.more || slices.Contains(c.path, e) || slices.Contains(c.starts, e) || left > 1 && !c.passes(e) || !c.canReach(e, left-1) {
			continue
		}
		c.path = append(c.path, e)
		c.search(left - 1)
		c.path = c.path[:len(c.path)-1]
	}
}

// canReach reports whether from e, with so many steps left, the goals can be reached, and
// all that is still to be visited before.
func (c *connection) canReach(e kg.EntityID, left int) bool {
	if int(c.toGoal.distance[e]) > left {
		return false
	}
	for i, v := range c.via {
		if v.distance[e] > 0 && !slices.ContainsFunc(c.path, func(e kg.EntityID) bool { return v.distance[e] == 0 }) && int(v.distance[e])+c.least[i] > left {
			return false
		}
	}
	return true
}

func (c *connection) visitsAll() bool {
	return !slices.ContainsFunc(c.via, func(v rings) bool {
		return !slices.ContainsFunc(c.path, func(e kg.EntityID) bool { return v.distance[e] == 0 })
	})
}

// between returns the triples that join two entities, in either direction, ascending.
func (c *connection) between(a, b kg.EntityID) (ts []kg.TripleID) {
	if c.g.Degree(b) < c.g.Degree(a) {
		a, b = b, a
	}
	for _, s := range c.steps(match.Edge{Either: true}, a, true) {
		if s.Entity == b {
			ts = append(ts, s.Triple)
		}
	}
	slices.Sort(ts)
	return slices.Compact(ts)
}
