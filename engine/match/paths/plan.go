package paths

import (
	"cmp"
	"math/bits"
	"slices"
)

type route struct {
	length int
	nodes  [3]int // as the columns of a path; -1 behind the last
	edges  []int  // of the query between them
	covers []int  // pairs of neighbouring nodes, in columns: indices into pairs
	weight int    // −6 · the mean degree of its nodes

	candidates int    // paths with signatures that dominate (both directions)
	found      []path // those whose edges are there
}

// maxRoutes bounds the paths of a query that a plan chooses from; where there are more,
// it is cut into edges.
const maxRoutes = 2048

// plan covers all edges of the query with paths (SG-RAG appendix E, Algorithm 4):
// starting at a node of the highest degree, each time the path that is joined to those
// before, covers most that is not covered, overlaps least and has the least weight. Of
// the plans from every first path, it is the one of fewest paths, then least weight,
// which includes that of the first path. Mean degrees do not reward more paths, as sums
// would. Nodes that no path reaches become paths of one entity.
func (s *search) plan() ([]*route, error) {
	pairs, near := s.pairs()
	all := s.routes(pairs, near)
	start := 0
	for i := range near {
		if bits.OnesCount64(near[i]) > bits.OnesCount64(near[start]) {
			start = i
		}
	}
	var best []*route
	tries := max(1, 1<<20/(1+len(all)*len(pairs)))
	for _, first := range all {
		if !first.has(start) || tries == 0 {
			continue
		}
		tries--
		if err := s.stop(); err != nil {
			return nil, err
		}
		if p := cover(first, all, len(pairs)); best == nil || cmp.Or(cmp.Compare(len(p), len(best)), cmp.Compare(weight(p), weight(best))) < 0 {
			best = p
		}
	}
	var reached uint64
	for _, r := range best {
		reached |= r.mask()
	}
	for i := range s.nodes {
		if reached>>i&1 == 0 {
			best = append(best, s.route(near, i))
		}
	}
	return best, nil
}

// pairs are the pairs of nodes that edges join, self-loops aside, and the neighbours of
// each node.
func (s *search) pairs() (pairs [][2]int, near []uint64) {
	near = make([]uint64, len(s.nodes))
	for _, e := range s.q.Edges {
		if e.From != e.To && near[e.From]>>e.To&1 == 0 {
			pairs = append(pairs, [2]int{min(e.From, e.To), max(e.From, e.To)})
			near[e.From] |= 1 << e.To
			near[e.To] |= 1 << e.From
		}
	}
	slices.SortFunc(pairs, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	return pairs, near
}

// routes are the paths of the query that the index has, longest first, then
// lexicographic. Those of three nodes must be sure to bind to three entities.
func (s *search) routes(pairs [][2]int, near []uint64) (all []*route) {
	for m := range near {
		for a := range near {
			for b := a + 1; s.x.deep() && b < len(near); b++ {
				if near[m]>>a&1 != 0 && near[m]>>b&1 != 0 && s.differ(m, a) && s.differ(m, b) && s.differ(a, b) {
					all = append(all, s.route(near, m, a, b))
				}
			}
		}
		if len(all) > maxRoutes {
			all = nil
			break
		}
	}
	for _, p := range pairs {
		all = append(all, s.route(near, p[0], p[1]))
	}
	for _, r := range all {
		for c := 1; c <= r.length; c++ {
			at, _ := slices.BinarySearchFunc(pairs, [2]int{min(r.nodes[0], r.nodes[c]), max(r.nodes[0], r.nodes[c])},
				func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
			r.covers = append(r.covers, at)
		}
	}
	return all
}

func (s *search) route(near []uint64, nodes ...int) *route {
	r := &route{length: len(nodes) - 1, nodes: [3]int{-1, -1, -1}}
	copy(r.nodes[:], nodes)
	for _, n := range nodes {
		r.weight -= 6 / len(nodes) * bits.OnesCount64(near[n])
	}
	for k, e := range s.q.Edges {
		if r.has(e.From) && r.has(e.To) {
			r.edges = append(r.edges, k)
		}
	}
	return r
}

func (r *route) has(n int) bool { return slices.Contains(r.nodes[:r.length+1], n) }

func (r *route) mask() (m uint64) {
	for _, n := range r.nodes[:r.length+1] {
		m |= 1 << n
	}
	return m
}

// cover is the plan that begins with a path.
func cover(first *route, all []*route, pairs int) []*route {
	covered, left, reached := make([]bool, pairs), pairs, uint64(0)
	var plan []*route
	for next := first; next != nil; {
		plan = append(plan, next)
		reached |= next.mask()
		for _, c := range next.covers {
			if !covered[c] {
				covered[c] = true
				left--
			}
		}
		next = nil
		var least [4]int
		for _, r := range all {
			fresh := 0
			for _, c := range r.covers {
				if !covered[c] {
					fresh++
				}
			}
			apart := 0
			if r.mask()&reached == 0 {
				apart = 1
			}
			if key := [4]int{apart, -fresh, len(r.covers) - fresh, r.weight}; fresh > 0 && (next == nil || slices.Compare(key[:], least[:]) < 0) {
				next, least = r, key
			}
		}
	}
	return plan
}

func weight(plan []*route) (w int) {
	for _, r := range plan {
		w += r.weight
	}
	return w
}
