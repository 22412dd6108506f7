package paths

import (
	"cmp"
	"context"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/match"
)

// step joins the candidates of one path to what is bound by those before it.
type step struct {
	columns []int // of a candidate, those of bound nodes first
	nodes   []int // of the columns
	shared  int   // how many of them are bound before
	found   []path
	edges   []int // of the query, that it closes and that its path does not hold
}

// join joins the candidates of all paths on the nodes that they share, and yields what
// meets every edge.
func (s *search) join(ctx context.Context, routes []*route, yield func(match.Binding) bool) error {
	if err := s.reduce(routes); err != nil {
		return err
	}
	steps, err := s.steps(routes)
	if err != nil {
		return err
	}
	ranks, nodes := make([]uint32, len(s.nodes)), make([]kg.EntityID, len(s.nodes))
	checked, err := match.Anchored{Graph: s.x.graph}.Pin(ctx, s.q)
	if err != nil {
		return err
	}
	var bind func(at int, bound uint64) bool
	bind = func(at int, bound uint64) bool {
		if at == len(steps) {
			for i, r := range ranks {
				nodes[i] = s.x.entity(r)
			}
			b, ok := checked.Fill(nodes)
			if !ok {
				return true
			}
			s.stats.Found++
			return yield(b)
		}
		st := &steps[at]
		lo, hi := st.fitting(ranks)
		for _, p := range st.found[lo:hi] {
			if s.stats.Considered++; s.stop() != nil {
				return false
			}
			if now, ok := s.put(st, p, ranks, bound); ok && !bind(at+1, now) {
				return false
			}
		}
		return true
	}
	bind(0, 0)
	return s.stop()
}

// put binds the nodes of a step that are not bound, and reports whether they differ from
// the others where they must, and have the edges to them.
func (s *search) put(st *step, p path, ranks []uint32, bound uint64) (now uint64, ok bool) {
	for i := st.shared; i < len(st.nodes); i++ {
		n, r := st.nodes[i], p[st.columns[i]]
		for j := range ranks {
			if bound>>j&1 != 0 && ranks[j] == r && s.q.Nodes[n].Distinct>>j&1 != 0 {
				return 0, false
			}
		}
		ranks[n] = r
		bound |= 1 << n
	}
	for _, k := range st.edges {
		e := &s.q.Edges[k]
		if !s.holds(e, ranks[e.From], ranks[e.To]) {
			return 0, false
		}
	}
	return bound, true
}

// fitting is the range of candidates that agree with what is bound.
func (st *step) fitting(ranks []uint32) (lo, hi int) {
	lo, _ = slices.BinarySearchFunc(st.found, 0, func(p path, _ int) int { return st.compare(p, ranks) })
	n, _ := slices.BinarySearchFunc(st.found[lo:], 1, func(p path, _ int) int { return st.compare(p, ranks)*2 - 1 })
	return lo, lo + n
}

func (st *step) compare(p path, ranks []uint32) int {
	for i := range st.shared {
		if c := cmp.Compare(p[st.columns[i]], ranks[st.nodes[i]]); c != 0 {
			return c
		}
	}
	return 0
}

// steps orders the paths for joining: the fewest candidates first, then always one that
// shares a node with those before, where there is one. Candidates are sorted for it.
func (s *search) steps(routes []*route) (steps []step, err error) {
	var bound uint64
	left := slices.Clone(routes)
	for len(left) > 0 {
		next := slices.MinFunc(left, func(a, b *route) int {
			return cmp.Or(-cmp.Compare(min(1, a.mask()&bound), min(1, b.mask()&bound)), cmp.Compare(len(a.found), len(b.found)))
		})
		left = slices.DeleteFunc(left, func(r *route) bool { return r == next })
		st := step{found: next.found}
		for _, before := range []bool{true, false} {
			for c, n := range next.nodes[:next.length+1] {
				if bound>>n&1 != 0 == before {
					st.columns, st.nodes = append(st.columns, c), append(st.nodes, n)
				}
			}
			if before {
				st.shared = len(st.nodes)
			}
		}
		now := bound | next.mask()
		for k, e := range s.q.Edges {
			if has := func(m uint64) bool { return (m>>e.From)&(m>>e.To)&1 != 0 }; has(now) && !has(bound) && !slices.Contains(next.edges, k) {
				st.edges = append(st.edges, k)
			}
		}
		bound = now
		if err := sorted(s.stop, st.found, func(a, b path) int {
			for _, c := range st.columns {
				if d := cmp.Compare(a[c], b[c]); d != 0 {
					return d
				}
			}
			return 0
		}); err != nil {
			return nil, err
		}
		steps = append(steps, st)
	}
	return steps, nil
}

// reduce drops candidates with an entity that no candidate of another path has for the
// same node, a few times over: semi-joins.
func (s *search) reduce(routes []*route) error {
	const rounds = 3
	for range rounds {
		for n := range s.nodes {
			seen, count := make([]uint16, len(s.x.order)+1), uint16(0) // in how many of the paths so far
			for _, r := range routes {
				c := slices.Index(r.nodes[:r.length+1], n)
				if c < 0 {
					continue
				}
				if err := s.stop(); err != nil {
					return err
				}
				for _, p := range r.found {
					if seen[p[c]] == count {
						seen[p[c]]++
					}
				}
				count++
			}
			for _, r := range routes {
				if c := slices.Index(r.nodes[:r.length+1], n); c >= 0 && count > 1 && s.stop() == nil {
					r.found = slices.DeleteFunc(r.found, func(p path) bool { return seen[p[c]] != count })
				}
			}
		}
	}
	return nil
}
