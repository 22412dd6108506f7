package simgrag

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"cairn/engine/kg"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/retrieve"
)

// maxNodes bounds a pattern: conflicts between nodes are kept as bits of a word.
const maxNodes = 64

// cost is a distance in billionths. Whole numbers make sums independent of
// their order, so that both algorithms agree on ties.
type cost int64

const (
	costUnit = 1e9
	// never is the cost of what cannot be; sums of a few do not overflow.
	never = cost(1) << 56
)

func toCost(distance float64) (cost, error) {
	if math.IsNaN(distance) || distance < 0 || distance > 1e6 {
		return 0, fmt.Errorf("%w: distance %v", ErrPattern, distance)
	}
	return cost(math.Round(distance * costUnit)), nil
}

func (c cost) distance() float64 { return float64(c) / costUnit }

// query is a pattern with its candidates: C(n) and C(r) of §5.1.
type query struct {
	g     *kg.Graph
	p     *pattern.Pattern
	nodes []queryNode // as p.Nodes
	edges []queryEdge // as p.Edges
	bonds []bond
	notes []string
	// lookedUp is the time that the vocabulary took.
	lookedUp time.Duration
}

// queryNode is a node of the pattern with the entities that it may bind to: any
// (free), those of some types (kinds), or those of a list.
type queryNode struct {
	// skip marks a variable that nothing restricts and nothing asks for: it is
	// left unbound.
	skip bool
	// free says that any entity may bind, at no cost.
	free  bool
	kinds *kinds
	listed
	// conflicts has bit j set where this node and node j may not share an entity.
	conflicts uint64
	// filters are those still to be checked of every entity.
	filters []pattern.Filter
	bonds   []int // those that end here, indices into query.bonds
}

// bond is the set of pattern edges that join two nodes (or a node to itself).
type bond struct {
	u, w  int   // u <= w
	edges []int // indices into query.edges
	least cost  // sum of the edges' least
}

// other returns the node at the far end of b from n.
func (b *bond) other(n int) int { return b.u + b.w - n }

func compile(ctx context.Context, g *kg.Graph, p *pattern.Pattern, v Vocabulary, o Options) (*query, error) {
	if err := check(g, p); err != nil {
		return nil, err
	}
	q := &query{g: g, p: p, nodes: make([]queryNode, len(p.Nodes)), edges: make([]queryEdge, len(p.Edges))}
	for i, e := range p.Edges {
		qe, err := q.compileEdge(ctx, e, v, o)
		if err != nil {
			return nil, err
		}
		q.edges[i] = qe
		q.tie(i)
	}
	names, err := q.lookUp(ctx, v, o)
	if err != nil {
		return nil, err
	}
	for i := range p.Nodes {
		if err := q.compileNode(ctx, i, names, v, o); err != nil {
			return nil, err
		}
	}
	for i := range q.bonds {
		for _, e := range q.bonds[i].edges {
			q.bonds[i].least += q.edges[e].least
		}
	}
	return q, nil
}

// check reports whether p can be matched in g at all.
func check(g *kg.Graph, p *pattern.Pattern) error {
	if len(p.Nodes) > maxNodes {
		return fmt.Errorf("%w: %d nodes, at most %d can be matched; ask in parts", ErrPattern, len(p.Nodes), maxNodes)
	}
	if err := p.Check(g); err != nil {
		return fmt.Errorf("%w: %w", ErrPattern, err)
	}
	return nil
}

// tie puts edge e into the bond of its ends, made where it is the first.
func (q *query) tie(e int) {
	u, w := min(q.edges[e].From, q.edges[e].To), max(q.edges[e].From, q.edges[e].To)
	for i := range q.bonds {
		if q.bonds[i].u == u && q.bonds[i].w == w {
			q.bonds[i].edges = append(q.bonds[i].edges, e)
			return
		}
	}
	b := len(q.bonds)
	q.bonds = append(q.bonds, bond{u: u, w: w, edges: []int{e}})
	q.nodes[u].bonds = append(q.nodes[u].bonds, b)
	if w != u {
		q.nodes[w].bonds = append(q.nodes[w].bonds, b)
	}
}

func (q *query) compileEdge(ctx context.Context, e pattern.Edge, v Vocabulary, o Options) (queryEdge, error) {
	qe := queryEdge{Edge: e, said: pattern.NewTest(q.g, e.Conditions)}
	switch {
	case len(e.Fixed) > 0:
		qe.fix(e.Fixed, q.g.Relations())
		return qe, nil
	case e.Relation == "":
		qe.any = true
		return qe, nil
	case v == nil:
		return qe, fmt.Errorf("relation %q: %w", e.Relation, ErrNoVocabulary)
	}
	start := time.Now()
	near, err := v.Relations(ctx, e.Relation, o.RelationCandidates)
	q.lookedUp += time.Since(start)
	if err != nil {
		return qe, fmt.Errorf("look up relation %q: %w", e.Relation, err)
	}
	return qe, qe.allow(near, q.g.Relations())
}

// names are the entities near to texts.
type names map[string][]link.Neighbour[kg.EntityID]

// lookUp finds the entities that the known nodes may mean that nothing has
// linked yet, all in one go.
func (q *query) lookUp(ctx context.Context, v Vocabulary, o Options) (names, error) {
	var texts []string
	for _, n := range q.p.Nodes {
		if !n.Variable && len(n.Entities) == 0 && !slices.Contains(texts, n.Text) {
			texts = append(texts, n.Text)
		}
	}
	switch {
	case len(texts) == 0:
		return nil, nil
	case v == nil:
		return nil, fmt.Errorf("%q: %w", texts[0], ErrNoVocabulary)
	}
	start := time.Now()
	near, err := v.EntitiesAll(ctx, texts, o.NodeCandidates)
	q.lookedUp += time.Since(start)
	if err != nil {
		return nil, fmt.Errorf("look up names: %w", err)
	}
	found := names{}
	for i, t := range texts {
		found[t] = near[i]
	}
	return found, nil
}

func (q *query) compileNode(ctx context.Context, i int, found names, v Vocabulary, o Options) error {
	n, pn := &q.nodes[i], q.p.Nodes[i]
	n.conflicts, n.filters = q.p.Apart(i), q.p.FiltersOf(i)
	var err error
	switch {
	case pn.Variable:
		err = q.compileVariable(ctx, i, v, o)
	case len(pn.Entities) > 0:
		n.listed, err = costed(pn.Entities, pn.Distances)
	default:
		err = n.near(found[pn.Text])
	}
	if err != nil {
		return err
	}
	return n.prune(ctx, q.g)
}

// near makes the neighbours of the node's name its candidates.
func (n *queryNode) near(found []link.Neighbour[kg.EntityID]) (err error) {
	ids := make([]kg.EntityID, len(found))
	distances := make([]float64, len(found))
	for i, c := range found {
		ids[i], distances[i] = c.ID, c.Distance
	}
	n.listed, err = costed(ids, distances)
	return err
}

// compileVariable restricts a variable to what the planner said, or to the
// types that its hint means (appendix C.1).
func (q *query) compileVariable(ctx context.Context, i int, v Vocabulary, o Options) error {
	n, pn := &q.nodes[i], q.p.Nodes[i]
	switch {
	case pn.Within != nil:
		n.listed = uncosted(pn.Within)
		return nil
	case pn.Type != "" && v != nil && o.TypeDistance >= 0 && q.g.NumTypes() > 0:
		start := time.Now()
		near, err := v.Types(ctx, pn.Type, o.TypeCandidates)
		q.lookedUp += time.Since(start)
		if err != nil {
			return fmt.Errorf("look up type %q: %w", pn.Type, err)
		}
		of, said := retrieve.Kinds(q.g, pn, near, o.TypeDistance)
		q.notes = append(q.notes, said)
		if len(of) > 0 {
			n.limit(q.g, of)
			return nil
		}
	}
	n.free = true
	n.skip = len(n.bonds) == 0 && i != q.p.Asked
	return nil
}

// prune drops the candidates that fail the node's filters, where they are few
// enough to look at every one of them.
func (n *queryNode) prune(ctx context.Context, g *kg.Graph) error {
	const many = 4096
	if n.free || n.kinds != nil || len(n.filters) == 0 || len(n.entities) > many {
		return nil
	}
	n.keep(func(e kg.EntityID) bool { return pattern.Passes(g, e, n.filters) })
	n.filters = nil
	return ctx.Err()
}

// possible reports whether every node has a candidate.
func (q *query) possible() bool {
	for i := range q.nodes {
		if q.nodes[i].size(q.g) == 0 && !q.nodes[i].skip {
			return false
		}
	}
	return true
}

// costOf returns the cost of binding the node to e, and whether it may bind.
func (n *queryNode) costOf(g *kg.Graph, e kg.EntityID) (cost, bool) {
	c, ok := n.allows(g, e)
	return c, ok && pattern.Passes(g, e, n.filters)
}

// allows is costOf but for the filters, which are dear.
func (n *queryNode) allows(g *kg.Graph, e kg.EntityID) (cost, bool) {
	switch {
	case n.free:
		return 0, true
	case n.kinds != nil:
		return 0, n.kinds.holds(g, e)
	}
	return n.find(e, g.Entities())
}

// size is the number of entities that the node may bind to, or a little more.
func (n *queryNode) size(g *kg.Graph) int {
	switch {
	case n.free:
		return g.Entities()
	case n.kinds != nil:
		return n.kinds.size
	}
	return len(n.entities)
}

// each calls f with every entity that the node may bind to, and its cost, the
// cheapest first, as long as f says so. Filters are not looked at.
func (n *queryNode) each(g *kg.Graph, f func(kg.EntityID, cost) bool) {
	switch {
	case n.free:
		for e := range kg.EntityID(g.Entities()) {
			if !f(e, 0) {
				return
			}
		}
		return
	case n.kinds != nil:
		n.kinds.each(g, func(e kg.EntityID) bool { return f(e, 0) })
		return
	}
	for i, e := range n.entities {
		if !f(e, n.at(i)) {
			return
		}
	}
}
