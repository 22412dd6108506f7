package match

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/pattern"
)

// Anchored is the engine that joins sorted adjacency, the rarest first.
//
//	narrow   the candidates of every node shrink to those that agree with their
//	         neighbours one by one (semi-joins), as far as that is cheap
//	extend   again and again the node with the fewest ways to be bound is bound to
//	         what lies in the rows of all its bound neighbours at once, by leaping from
//	         one to the next in step (Veldhuizen, "Leapfrog Triejoin", over
//	         kg.Graph's rows)
//
// It is worst-case optimal but for the order, which is chosen anew for every binding by
// the real sizes of the rows. Nothing is allocated for a binding.
//
// Bindings do not come in the order of their ids.
type Anchored struct {
	Graph *kg.Graph
	// Budget is how many entities and triples an evaluation may look at, about; 0 is no
	// limit. It ends with ErrBudget where that is not enough.
	Budget int
}

// ErrBudget is returned for an evaluation that takes more work than it may.
var ErrBudget = errors.New("the query exceeds its work limit")

// Each implements Engine.
func (a Anchored) Each(ctx context.Context, q *Query, yield func(Binding) bool) (Stats, error) {
	s, err := a.search(ctx, q)
	if err != nil {
		return Stats{}, err
	}
	return s.bindings(yield)
}

// Answers returns the entities that a node of q is bound to in some binding, ascending:
// all where limit is 0 or less, else the first. Stats.Found counts them.
//
// Bindings are not enumerated. Where q has no cycles and no two nodes that may not
// share an entity could, candidates are narrowed until they are the answers, which
// takes time in the triples about them, however many bindings there are. Else each
// candidate is an answer once one binding of it is found. It fails as Each does.
func (a Anchored) Answers(ctx context.Context, q *Query, node, limit int) ([]kg.EntityID, Stats, error) {
	s, err := a.search(ctx, q)
	if err != nil {
		return nil, Stats{}, err
	}
	if node < 0 || node >= len(q.Nodes) {
		return nil, Stats{}, fmt.Errorf("%w: asked node %d of %d", ErrQuery, node, len(q.Nodes))
	}
	var out []kg.EntityID
	budget := s.cheap()
	if s.acyclic() {
		budget = whole
	}
	switch possible := s.narrow(node, budget); {
	case !possible:
	case budget == whole && !s.mayClash():
		out = slices.Clone(s.nodes[node].ids)
		if limit > 0 {
			out = out[:min(limit, len(out))]
		}
	case s.realisable():
		s.found = func() bool {
			out = append(out, s.binding.Nodes[node])
			return false
		}
		s.each(0, node, func() bool {
			s.extend(1)
			s.halted = s.err != nil
			return !s.halted && (limit <= 0 || len(out) < limit)
		})
	}
	s.stats.Found = len(out)
	stats, err := s.end()
	return out, stats, err
}

// Leads returns what the asked node of a pattern is bound to, ascending; of more than the
// budget allows to look at, one, and nothing of a pattern that leaves something open.
func (a Anchored) Leads(ctx context.Context, p *pattern.Pattern) []kg.EntityID {
	q, err := Compile(a.Graph, p)
	if err != nil {
		return nil
	}
	es, _, err := a.Answers(ctx, q, p.Asked, 0)
	if errors.Is(err, ErrBudget) {
		if first, ok, _ := First(ctx, a, q); ok {
			es = []kg.EntityID{first.Nodes[p.Asked]}
		}
	}
	return es
}

// First returns the first binding of q that an engine yields, and whether there is one.
// The binding is the caller's.
func First(ctx context.Context, e Engine, q *Query) (first Binding, ok bool, err error) {
	_, err = e.Each(ctx, q, func(b Binding) bool {
		first, ok = Binding{slices.Clone(b.Nodes), slices.Clone(b.Edges)}, true
		return false
	})
	return first, ok, err
}

// Validate fails with ErrQuery where q cannot be evaluated in g.
func (q *Query) Validate(g *kg.Graph) error {
	switch n := len(q.Nodes); {
	case n == 0:
		return fmt.Errorf("%w: it has no nodes", ErrQuery)
	case n > MaxNodes:
		return fmt.Errorf("%w: %d nodes, at most %d can be matched", ErrQuery, n, MaxNodes)
	}
	joined := make([]bool, len(q.Nodes))
	for i, e := range q.Edges {
		if min(e.From, e.To) < 0 || max(e.From, e.To) >= len(q.Nodes) {
			return fmt.Errorf("%w: edge %d joins nodes %d and %d of %d", ErrQuery, i, e.From, e.To, len(q.Nodes))
		}
		if n := len(e.Relations); !slices.IsSorted(e.Relations) || n > 0 && int(e.Relations[n-1]) >= g.Relations() {
			return fmt.Errorf("%w: edge %d has relations that are not ascending or not among the graph's %d", ErrQuery, i, g.Relations())
		}
		joined[e.From], joined[e.To] = true, true
	}
	for i, n := range q.Nodes {
		if !kg.IsAscending(n.In) {
			return fmt.Errorf("%w: the entities of node %d are not ascending", ErrQuery, i)
		}
		// A node that nothing joins may stay unbound.
		if k := len(n.In); k > 0 && int(n.In[k-1]) >= g.Entities() && (joined[i] || n.In[k-1] != kg.NoEntity) {
			return fmt.Errorf("%w: node %d has entity %d of %d", ErrQuery, i, n.In[k-1], g.Entities())
		}
	}
	return nil
}
