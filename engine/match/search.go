package match

import (
	"cmp"
	"context"
	"math"
	"math/bits"

	"cairn/engine/kg"
)

type search struct {
	ctx   context.Context //nolint:containedctx // a search is one call
	g     *kg.Graph
	q     *Query
	nodes []node // as q.Nodes
	bonds []bond

	// For narrowing: the triples that it may still look at, the nodes with a list of
	// one, and a bit an entity, all clear between uses, made when needed.
	left   int
	single uint64
	marks  marks

	binding Binding
	bound   uint64 // bit i is set where node i is bound
	levels  []level
	at      [MaxNodes]int // levels[at[n]] binds node n, where that is bound
	// filled counts the levels whose edges have the triples of the binding.
	filled int
	taken  []kg.TripleID // by lowest, for a moment

	// found is called with every binding of the nodes, until it says no.
	found  func() bool
	stats  Stats
	budget int // work that is left; math.MaxInt where there is no limit
	spent  int // work since the context was asked
	halted bool
	err    error
}

// node is a node of the query with its candidates.
type node struct {
	set
	keep     func(kg.EntityID) bool // nil where the set holds none that it refuses
	distinct uint64
	bonds    []int // to other nodes
	loop     int   // the bond to itself, or -1
	version  int   // of the set, from 1
}

// bond is the set of edges that join two nodes, or a node to itself.
type bond struct {
	u, w  int
	edges []int
	// hard says that two entities may be neighbours by every edge and yet not joined:
	// triples may be refused, or have to differ.
	hard bool
	// fans[i] is where edges[i] leads from the end that was bound first.
	fans    []fan
	options [][]kg.TripleID // of each edge, while triples are chosen
	// agrees are the versions of the sets of u and w by which those at the other end
	// have been narrowed.
	agrees [2]int
}

// other returns the node at the far end of b from n.
func (b *bond) other(n int) int { return b.u + b.w - n }

// checkEvery is how much work goes by between two looks at the context: a filter of
// values takes a few microseconds.
const checkEvery = 1024

// search makes a search ready.
func (a Anchored) search(ctx context.Context, q *Query) (*search, error) {
	if err := q.Validate(a.Graph); err != nil {
		return nil, err
	}
	s := &search{
		ctx: ctx, g: a.Graph, q: q, budget: cmp.Or(a.Budget, math.MaxInt), nodes: make([]node, len(q.Nodes)), levels: make([]level, len(q.Nodes)),
		binding: Binding{Nodes: make([]kg.EntityID, len(q.Nodes)), Edges: make([]kg.TripleID, len(q.Edges))},
	}
	for i, n := range q.Nodes {
		s.nodes[i] = node{set: set{all: n.In == nil, ids: n.In}, keep: n.Keep, distinct: n.Distinct &^ (1 << i), loop: -1, version: 1}
	}
	for i := range q.Edges {
		s.tie(i)
	}
	for i := range s.bonds {
		b := &s.bonds[i]
		b.fans, b.options = make([]fan, len(b.edges)), make([][]kg.TripleID, len(b.edges))
		b.hard = len(b.edges) > 1 && !q.SharedTriples
		for _, e := range b.edges {
			b.hard = b.hard || q.Edges[e].Keep != nil
		}
	}
	return s, ctx.Err()
}

// tie puts an edge into the bond of its ends, made where it is the first.
func (s *search) tie(edge int) {
	u, w := s.q.Edges[edge].From, s.q.Edges[edge].To
	for i := range s.bonds {
		if b := &s.bonds[i]; b.u == u && b.w == w || b.u == w && b.w == u {
			b.edges = append(b.edges, edge)
			return
		}
	}
	b := len(s.bonds)
	s.bonds = append(s.bonds, bond{u: u, w: w, edges: []int{edge}})
	if u == w {
		s.nodes[u].loop = b
		return
	}
	s.nodes[u].bonds = append(s.nodes[u].bonds, b)
	s.nodes[w].bonds = append(s.nodes[w].bonds, b)
}

// work counts steps and looks at the context now and then. It reports whether to go on.
func (s *search) work(steps int) bool {
	if s.spent += steps; s.spent >= checkEvery {
		if s.budget -= s.spent; s.budget < 0 {
			s.err = ErrBudget
		}
		s.err, s.spent = cmp.Or(s.ctx.Err(), s.err), 0
		s.halted = s.halted || s.err != nil
	}
	return !s.halted
}

// end is what a search returns.
func (s *search) end() (Stats, error) {
	if s.err == nil {
		s.err = s.ctx.Err()
	}
	return s.stats, s.err
}

// extend binds the nodes that are still unbound in every way.
func (s *search) extend(depth int) {
	if depth == len(s.nodes) {
		s.stats.Found++
		s.halted = !s.found() || s.halted
		return
	}
	s.each(depth, s.next(), func() bool {
		s.extend(depth + 1)
		return !s.halted
	})
}

// each binds node n to every entity that fits what is bound, and calls then as long as
// that says so.
func (s *search) each(depth, n int, then func() bool) {
	l := &s.levels[depth]
	s.open(l, n)
	s.at[n] = depth
	for more := true; more; {
		e, ok := s.advance(l)
		if !ok {
			break
		}
		s.binding.Nodes[n] = e
		s.bound |= 1 << n
		s.filled = min(s.filled, depth)
		if s.spread(n, e) {
			more = then()
		}
		s.bound &^= 1 << n
	}
}

// next chooses the node to bind: one with a single candidate, else one beside what is
// bound with the fewest ways to be reached, else that with the fewest candidates.
func (s *search) next() int {
	best, least, beside := -1, 0, false
	for i := range s.nodes {
		if s.bound>>i&1 != 0 {
			continue
		}
		n := &s.nodes[i]
		size := n.size(s.g)
		near := size <= 1
		for _, bi := range n.bonds {
			if b := &s.bonds[bi]; s.bound>>b.other(i)&1 != 0 {
				near = true
				for j := range b.fans {
					size = min(size, b.fans[j].size)
				}
			}
		}
		if best < 0 || near && !beside || near == beside && size < least {
			best, least, beside = i, size, near
		}
	}
	return best
}

// spread finds where the edges of node n, bound to e, lead. It reports whether all of
// them lead anywhere.
func (s *search) spread(n int, e kg.EntityID) bool {
	for _, bi := range s.nodes[n].bonds {
		b := &s.bonds[bi]
		if s.bound>>b.other(n)&1 != 0 {
			continue
		}
		if s.gather(b, n, e) == 0 {
			return false
		}
	}
	return true
}

// gather finds where each edge of b leads from its end n, bound to e, and returns the
// length of the shortest.
func (s *search) gather(b *bond, n int, e kg.EntityID) int {
	least := -1
	for j, ei := range b.edges {
		f := &b.fans[j]
		f.gather(s.g, &s.q.Edges[ei], n, e)
		s.work(1 + len(f.runs))
		if least < 0 || f.size < least {
			least = f.size
		}
	}
	return least
}

// clashes reports whether e is bound to a node that n may not share it with.
func (s *search) clashes(n *node, e kg.EntityID) bool {
	for m := n.distinct & s.bound; m != 0; m &= m - 1 {
		if s.binding.Nodes[bits.TrailingZeros64(m)] == e {
			return true
		}
	}
	return false
}

// fill gives the edges the triples of the bound nodes, where they have not got them.
func (s *search) fill() {
	for ; s.filled < len(s.levels); s.filled++ {
		n := s.levels[s.filled].node
		if i := s.nodes[n].loop; i >= 0 {
			s.joins(&s.bonds[i], s.binding.Nodes[n], s.binding.Nodes[n])
		}
		for _, bi := range s.nodes[n].bonds {
			// Those of hard bonds were chosen when their second end was bound.
			if b := &s.bonds[bi]; !b.hard && s.at[b.other(n)] < s.filled {
				s.joins(b, s.binding.Nodes[b.u], s.binding.Nodes[b.w])
			}
		}
	}
}
