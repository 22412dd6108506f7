package gnnrag

import (
	"cmp"
	"context"
	"math"
	"slices"

	"cairn/engine/evidence"
	"cairn/engine/kg"
)

// pathSteps caps the adjacency entries that the search for shortest paths looks at,
// for all seeds and answers together: a fifth of a second at worst.
const pathSteps = 1_000_000

// lowestProbability stands for that of entities without a score, whose logarithm
// would be infinite.
const lowestProbability = 1e-12

// shortestPaths returns all shortest paths from every seed to every answer
// (GNN-RAG §4.2) over the triples of a region, or over the whole graph where region
// is nil, whatever the directions of triples. Paths are ordered by answer, then by
// seed, both as given, then by rank: the sum of log p over the entities between the
// ends, higher first, then the ids along the path. Those of one seed and one answer
// are of one length. A seed has no path to itself, and an entity none to what it is
// not joined to.
//
// The completeness is CutByK where a seed and an answer have more than perAnswer
// paths, of which the first in rank are returned, and CutByBudget where so many steps
// did not suffice, so that answers may lack paths. It fails with the context's error
// only.
//
// It differs from the authors' code in: all triples that join two entities make up
// a hop, in their true directions, where theirs keeps the last relation that it
// meets; the graph is the one that was scored; the paths are capped and ranked.
func shortestPaths(ctx context.Context, g *kg.Graph, region *Region, seeds []kg.EntityID, answers, scores []scored, perAnswer, steps int) ([]evidence.Candidate, evidence.Completeness, error) {
	logs := make(map[kg.EntityID]float64, len(scores))
	for _, s := range scores {
		logs[s.Entity] = math.Log(max(s.Probability, lowestProbability))
	}
	f := newPathFinder(g, region, steps)
	f.most = perAnswer + 1
	f.log = func(e kg.EntityID) float64 {
		if l, ok := logs[e]; ok {
			return l
		}
		return math.Log(lowestProbability)
	}

	completeness := evidence.Exhaustive
	found := make([][]evidence.Candidate, len(answers))
	for _, seed := range distinct(seeds) {
		f.start(seed)
		for i, a := range answers {
			meet, err := f.between(ctx, a.Entity)
			if err != nil {
				return nil, 0, err
			}
			paths := f.best(meet)
			if len(paths) > perAnswer {
				paths = paths[:perAnswer]
				completeness = max(completeness, evidence.CutByK)
			}
			for _, p := range paths {
				found[i] = append(found[i], f.path(p.entities))
			}
		}
	}
	if f.cut {
		completeness = evidence.CutByBudget
	}
	return slices.Concat(found...), completeness, nil
}

// pathFinder finds the shortest paths from one seed after the other. A search goes
// from both ends, and the seed's side is kept for all answers.
type pathFinder struct {
	g      *kg.Graph
	region *Region
	steps  int  // adjacency entries that may still be looked at
	cut    bool // steps were not enough
	within int  // hops that paths have at most; 0 for any

	// entities[n] is the entity of node n, nodes the reverse. In a region these are
	// its local ids, and near[nearAt[n]:nearAt[n+1]] are the neighbours of n; over the
	// whole graph nodes are numbered as they are met.
	entities     []kg.EntityID
	nodes        map[kg.EntityID]int32
	nearAt, near []int32

	// most is how many ways to an entity are kept, and log ranks them; see best.
	most int
	log  func(kg.EntityID) float64
	ways map[int32][]way // the best ways from the seed to a node, where they were asked for

	seed, answer front
	// spent is how many entries the answers' sides have looked at since the seed's
	// last went on.
	spent int
}

// front is one side of a search: what lies within some hops of an entity.
type front struct {
	hops  int32   // that levels are complete to
	level []int32 // the nodes at that distance
	cost  int     // adjacency entries of level, which the next hop looks at

	// distance[n] is 1 more than the hops to node n, 0 for not met. links[last[n]]
	// begins the list of the nodes before n on shortest paths; 0 ends it.
	distance, last []int32
	links          []link
	met            []int32
}

// link is a node and the index of the next link.
type link struct{ node, next int32 }

func newPathFinder(g *kg.Graph, region *Region, steps int) *pathFinder {
	f := &pathFinder{g: g, region: region, steps: steps, nodes: map[kg.EntityID]int32{}}
	if region == nil {
		return f
	}
	f.entities = region.Entities
	for n, e := range region.Entities {
		f.nodes[e] = int32(n)
	}
	f.nearAt = make([]int32, len(f.entities)+1)
	for _, x := range region.Facts {
		f.nearAt[x.Head]++
		f.nearAt[x.Tail]++
	}
	var sum int32
	for n, count := range f.nearAt {
		sum += count
		f.nearAt[n] = sum
	}
	f.near = make([]int32, sum)
	for _, x := range region.Facts { // from the ends of the rows to their beginnings
		f.nearAt[x.Head]--
		f.near[f.nearAt[x.Head]] = x.Tail
		f.nearAt[x.Tail]--
		f.near[f.nearAt[x.Tail]] = x.Head
	}
	return f
}

// node returns the node of an entity; none has -1.
func (f *pathFinder) node(e kg.EntityID) int32 {
	n, ok := f.nodes[e]
	switch {
	case ok:
		return n
	case f.region != nil:
		return -1
	}
	n = int32(len(f.entities))
	f.nodes[e] = n
	f.entities = append(f.entities, e)
	return n
}

// degree is how many neighbours each looks at.
func (f *pathFinder) degree(n int32) int {
	if f.region != nil {
		return int(f.nearAt[n+1] - f.nearAt[n])
	}
	return f.g.Degree(f.entities[n])
}

// each visits the neighbours of a node, some of them several times.
func (f *pathFinder) each(n int32, visit func(m int32)) {
	if f.region != nil {
		for _, m := range f.near[f.nearAt[n]:f.nearAt[n+1]] {
			visit(m)
		}
		return
	}
	e := f.entities[n]
	for _, x := range f.g.Out(e) {
		visit(f.node(x.Entity))
	}
	for _, x := range f.g.In(e) {
		visit(f.node(x.Entity))
	}
}

// start begins with another seed.
func (f *pathFinder) start(seed kg.EntityID) {
	f.spent = 0
	f.ways = map[int32][]way{}
	f.begin(&f.seed, f.node(seed))
}

// begin forgets what lies around another node; n is -1 for nothing at all.
func (f *pathFinder) begin(s *front, n int32) {
	for _, m := range s.met {
		s.distance[m], s.last[m] = 0, 0
	}
	s.hops, s.cost = 0, 0
	s.level, s.met, s.links = nil, s.met[:0], append(s.links[:0], link{})
	if n >= 0 {
		s.level = []int32{n}
		s.cost = f.degree(n)
		s.grow(len(f.entities))
		s.distance[n] = 1
		s.met = append(s.met, n)
	}
}

// grow makes room for n nodes.
func (s *front) grow(n int) {
	for len(s.distance) < n {
		s.distance = append(s.distance, 0)
		s.last = append(s.last, 0)
	}
}

// far returns the hops to a node, -1 for a node that was not met.
func (s *front) far(n int32) int32 {
	if int(n) >= len(s.distance) {
		return -1
	}
	return s.distance[n] - 1
}

// advance goes one hop on, all of it.
func (f *pathFinder) advance(ctx context.Context, s *front) error {
	s.hops++
	var next []int32
	cost := 0
	for i, n := range s.level {
		if i%checkEvery == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		f.each(n, func(m int32) {
			s.grow(len(f.entities))
			switch s.distance[m] {
			case 0:
				s.distance[m] = s.hops + 1
				s.met = append(s.met, m)
				next = append(next, m)
				cost += f.degree(m)
			case s.hops + 1:
				if s.links[s.last[m]].node == n {
					return // joined by several triples
				}
			default:
				return
			}
			s.links = append(s.links, link{n, s.last[m]})
			s.last[m] = int32(len(s.links) - 1)
		})
	}
	f.steps -= s.cost
	s.level, s.cost = next, cost
	return nil
}

// between goes on from both ends until they meet, and returns the nodes that they
// meet at: one on each shortest path. It returns none where there is no path, or
// none could be found.
func (f *pathFinder) between(ctx context.Context, answer kg.EntityID) ([]int32, error) {
	to := f.node(answer)
	if to < 0 || f.seed.far(to) == 0 {
		return nil, nil
	}
	f.begin(&f.answer, to)
	for {
		if meet := f.meet(); len(meet) > 0 {
			return meet, nil
		}
		if len(f.seed.level) == 0 || len(f.answer.level) == 0 {
			return nil, nil
		}
		if f.within > 0 && int(f.seed.hops+f.answer.hops) >= f.within {
			return nil, nil
		}
		// The cheaper side goes on; but what the answers have spent is as good as
		// spent by the seed, whose side is of use to all of them.
		side := &f.answer
		if f.seed.cost <= min(f.answer.cost+f.spent, f.steps) {
			side = &f.seed
		}
		if side.cost > f.steps {
			f.cut = true
			return nil, nil
		}
		if side == &f.seed {
			f.spent = 0
		} else {
			f.spent += side.cost
		}
		if err := f.advance(ctx, side); err != nil {
			return nil, err
		}
	}
}

// meet returns the nodes at which the two sides meet: those of the answer's last
// level that the seed's side knows. All are equally far from the seed: a nearer one
// would have met a level before.
func (f *pathFinder) meet() []int32 {
	var meet []int32
	for _, n := range f.answer.level {
		if f.seed.far(n) >= 0 {
			meet = append(meet, n)
		}
	}
	return meet
}

// visit visits the nodes that are one hop nearer than n, on shortest paths to it.
func (s *front) visit(n int32, f func(m int32)) {
	for l := s.last[n]; l > 0; l = s.links[l].next {
		f(s.links[l].node)
	}
}

// way is a path in the making.
type way struct {
	entities []kg.EntityID
	// score is the sum of log p over the entities but the first and the last.
	score float64
}

func compareWays(a, b way) int {
	return cmp.Or(cmp.Compare(b.score, a.score), slices.Compare(a.entities, b.entities))
}

// best returns the paths through the nodes at which the sides met that come first
// in rank. What comes first on the way to an entity does so beyond it too, so that
// most ways to each suffice.
func (f *pathFinder) best(meet []int32) []way {
	if len(meet) == 0 {
		return nil
	}
	from := make(map[int32][]way, len(meet))
	for _, n := range meet {
		from[n] = f.fromSeed(n)
	}
	for range f.answer.hops {
		to := map[int32][]way{}
		for n, ways := range from {
			f.answer.visit(n, func(next int32) { to[next] = f.extend(to[next], ways, next) })
		}
		for n, ways := range to {
			to[n] = f.first(ways)
		}
		from = to
	}
	for _, ways := range from { // the answer's
		return ways
	}
	return nil
}

// fromSeed returns the best ways from the seed to a node on its side.
func (f *pathFinder) fromSeed(n int32) []way {
	if ways, ok := f.ways[n]; ok {
		return ways
	}
	var ways []way
	if f.seed.far(n) == 0 {
		ways = []way{{entities: []kg.EntityID{f.entities[n]}}}
	}
	f.seed.visit(n, func(before int32) { ways = f.extend(ways, f.fromSeed(before), n) })
	f.ways[n] = f.first(ways)
	return f.ways[n]
}

// extend adds ways, each with one more node.
func (f *pathFinder) extend(to, ways []way, n int32) []way {
	for _, w := range ways {
		score := w.score
		if len(w.entities) > 1 {
			score += f.log(w.entities[len(w.entities)-1])
		}
		to = append(to, way{append(slices.Clip(w.entities), f.entities[n]), score})
	}
	return to
}

// first returns those of ways that come first in rank.
func (f *pathFinder) first(ways []way) []way {
	slices.SortFunc(ways, compareWays)
	return ways[:min(f.most, len(ways))]
}

// path fills in the triples.
func (f *pathFinder) path(entities []kg.EntityID) evidence.Candidate {
	hops := make([][]kg.TripleID, len(entities)-1)
	for i := range hops {
		hops[i] = f.g.Joining(entities[i], entities[i+1])
	}
	return evidence.Path(entities, hops, "graph network")
}
