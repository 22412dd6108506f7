package query

import (
	"slices"
	"strings"

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
//	meet    the shortest length: rings about either end grow, where there is less to look
//	        at, until they meet
//	search  all paths of one length, the shortest length first: a step is taken only
//	        where the goal, and what is to be visited, can still be reached
//
// Paths of one length come in the order of their entities' ids.
type connection struct {
	*evaluation

	starts, goals []kg.EntityID
	avoid         map[kg.EntityID]bool
	kinds         map[string]kg.TypeID
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
	inner    [][]kg.EntityID // the rings within the frontier, from the middle
	radius   int
	reached  int
}

// connect finds the shortest paths between the first node and the second.
func (x *evaluation) connect() {
	c := &connection{evaluation: x, starts: x.p.Nodes[0].Entities, goals: x.p.Nodes[1].Entities, avoid: map[kg.EntityID]bool{}, kinds: map[string]kg.TypeID{}}
	for t := range kg.TypeID(x.g.NumTypes()) { //nolint:gosec // types are few
		c.kinds[x.g.TypeLabel(t)] = t
	}
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
		for _, e := range x.p.Nodes[n].Entities {
			delete(c.kinds, x.g.Label(e))
		}
		v := c.newRings(x.p.Nodes[n].Entities)
		c.grow(&v, bound)
		c.via = append(c.via, v)
	}
	defer c.done() // what was found before a limit is worth showing
	shortest, forget := 1, func() {}
	if len(c.via) == 0 {
		shortest, forget = c.meet(bound)
	}
	if shortest > 1 {
		x.step("0 paths of at most %s", wording.Count(shortest-1, "step", "steps"))
	}
	for length := shortest; length <= bound; length++ {
		if len(c.via) > 0 || length > shortest {
			forget()
			c.grow(&c.toGoal, length-1) // as far as the first step may lead
		}
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

// meet finds how long the shortest path is, at most bound, and makes the distances to the
// goals known of what lies on one. It returns bound+1 where there is none, and what takes
// those distances away that the rings about the goals have not come to.
func (c *connection) meet(bound int) (length int, forget func()) {
	begins := slices.DeleteFunc(slices.Clone(c.starts), func(e kg.EntityID) bool { return slices.Contains(c.goals, e) })
	toStart := c.newRings(begins)
	for toStart.radius+c.toGoal.radius < bound {
		r, other := &toStart, &c.toGoal
		if c.ahead(other) < c.ahead(r) {
			r, other = other, r
		}
		if len(r.frontier) == 0 {
			break
		}
		c.grow(r, r.radius+1)
		meets := func(e kg.EntityID) bool {
			return other.distance[e] != unreached && (other.radius == 0 || c.passes(e))
		}
		if !slices.ContainsFunc(r.frontier, meets) {
			continue
		}
		length = toStart.radius + c.toGoal.radius
		return length, c.mark(&toStart, length)
	}
	return bound + 1, func() {}
}

// ahead is how many edges leave the frontier.
func (c *connection) ahead(r *rings) (edges int) {
	for _, e := range r.frontier {
		if r.radius == 0 || c.passes(e) {
			edges += c.g.Degree(e)
		}
	}
	return edges
}

// mark makes the distances to the goals known of what lies on a path of the shortest length
// from the starts to where the rings meet: ring by ring, over the edges by which they grew.
func (c *connection) mark(toStart *rings, length int) (forget func()) {
	var marked []kg.EntityID
	for i := toStart.radius - 1; i >= 0; i-- {
		for _, e := range toStart.inner[i] {
			if i > 0 && !c.passes(e) || c.toGoal.distance[e] != unreached || !c.leads(e, length-i-1) {
				continue
			}
			c.toGoal.distance[e] = uint8(length - i) //nolint:gosec // a length is less than unreached
			marked = append(marked, e)
		}
	}
	return func() {
		for _, e := range marked {
			c.toGoal.distance[e] = unreached
		}
		marked = nil
	}
}

// leads reports whether a step from e leads to what is so far from the goals.
func (c *connection) leads(e kg.EntityID, distance int) bool {
	for _, row := range [2][]kg.Edge{c.g.Out(e), c.g.In(e)} {
		c.work(len(row) + 1)
		if slices.ContainsFunc(row, func(s kg.Edge) bool {
			return int(c.toGoal.distance[s.Entity]) == distance && (distance == 0 || c.passes(s.Entity))
		}) {
			return true
		}
	}
	return false
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
		x.note("There are more paths of the same length as the last.")
	}
}

// noPath says why there is none.
func (c *connection) noPath(bound int, asked pattern.Connection) {
	x := c.evaluation
	goal := c.evaluation.names(c.goals)
	switch reached := c.reached(); {
	case len(c.starts) == 0 || len(c.goals) == 0: // a name is unknown
	case !reached && len(c.toGoal.frontier) == 0 && len(asked.Avoid) == 0 && len(c.kinds) > 0:
		x.note("Nothing connects them, except for what kinds of things they are.")
	case !reached && len(c.toGoal.frontier) == 0 && len(asked.Avoid) == 0:
		x.note("They are in separate parts of the graph: %s connected to %s, but %s is not among them.", wording.Count(c.toGoal.reached, "entity is", "entities are"), goal, x.names(c.starts))
	case !reached && len(c.toGoal.frontier) == 0:
		x.note("Nothing else connects them.")
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
// such as a year or "yes", and what kind of thing something is, join what has nothing to do with each other.
func (c *connection) passes(e kg.EntityID) bool {
	return !c.avoid[e] && !c.g.IsLiteral(e) && (len(c.g.Out(e)) > 0 || !isValue(c.g.Label(e))) && !c.isKind(e)
}

// isKind reports whether an entity is the type of what leads to it.
func (c *connection) isKind(e kg.EntityID) bool {
	t, ok := c.kinds[c.g.Label(e)]
	return ok && slices.ContainsFunc(c.g.In(e), func(in kg.Edge) bool { return slices.Contains(c.g.Types(in.Entity), t) })
}

// isValue reports whether a label is a number, a date, yes or no.
func isValue(label string) bool {
	_, ok := kg.ParseValue(label)
	return ok || slices.ContainsFunc([]string{"yes", "no", "true", "false"}, func(w string) bool { return strings.EqualFold(w, label) })
}

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
		r.inner = append(r.inner, r.frontier)
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
	for _, e := range kg.Distinct(next) {
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
	return kg.Distinct(ts)
}
