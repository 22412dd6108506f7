package paths

import (
	"context"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/match"
)

type search struct {
	x     *Index
	stop  func() error // the error of the context, once it has ended
	q     *match.Query
	nodes []node
	stats match.Stats
	taken []kg.TripleID // by holds, for a moment
}

// node is what is known of a node of the query.
type node struct {
	known bool        // it binds to ranks only, else it is a wildcard
	ranks []uint32    // ascending
	types []kg.TypeID // that all of ranks have
	sign  []uint8     // of its star
	fits  []verdict   // by rank, as far as it was looked at
}

type verdict uint8

const (
	unseen verdict = iota
	yes
	no
)

// prepare makes the nodes.
func (s *search) prepare() error {
	s.nodes = make([]node, len(s.q.Nodes))
	for i := range s.nodes {
		if err := s.know(i); err != nil {
			return err
		}
	}
	for i := range s.nodes {
		n := &s.nodes[i]
		n.sign, n.fits = make([]uint8, s.x.dims), make([]verdict, len(s.x.order))
		s.x.sign.Sign(s.star(i), n.sign)
	}
	return s.stop()
}

// know fills what follows from the entities that a node may bind to.
func (s *search) know(i int) error {
	n, from := &s.nodes[i], &s.q.Nodes[i]
	if from.In == nil {
		return nil
	}
	n.known = true
	for k, e := range from.In {
		if k%256 == 0 && s.stop() != nil {
			return s.stop()
		}
		if from.Keep != nil && !from.Keep(e) {
			continue
		}
		if e == kg.NoEntity {
			n.ranks, n.types = append(n.ranks, uint32(len(s.x.order))), nil
			continue
		}
		types := s.x.graph.Types(e)
		if len(n.ranks) == 0 {
			n.types = slices.Clone(types)
		} else if len(n.types) > 0 {
			n.types = slices.DeleteFunc(n.types, func(t kg.TypeID) bool { return !slices.Contains(types, t) })
		}
		n.ranks = append(n.ranks, s.x.rank[e])
	}
	return sorted(s.stop, n.ranks, func(a, b uint32) int { return int(a) - int(b) })
}

// may reports whether node i may bind to the entity of a rank, as far as the node alone
// and the star around it say.
func (s *search) may(i int, rank uint32) bool {
	n := &s.nodes[i]
	if n.fits[rank] == unseen {
		ok := dominates(s.x.signature(rank), n.sign)
		if ok && n.known {
			_, ok = slices.BinarySearch(n.ranks, rank)
		} else if keep := s.q.Nodes[i].Keep; ok && keep != nil {
			ok = keep(kg.EntityID(s.x.order[rank]))
		}
		n.fits[rank] = no
		if ok {
			n.fits[rank] = yes
		}
	}
	return n.fits[rank] == yes
}

// meets reports whether the node may bind to something within a box.
func (n *node) meets(low, high uint32, top []uint8) bool {
	if n.known {
		if at, _ := slices.BinarySearch(n.ranks, low); at == len(n.ranks) || n.ranks[at] > high {
			return false
		}
	}
	return dominates(top, n.sign)
}

// probe looks for a query path in one direction; the other is another probe's.
type probe struct {
	s      *search
	to     *route
	nodes  [3]int // of the columns of indexed paths
	turned bool
}

func (p *probe) meets(low, high path, top []uint8) bool {
	d := p.s.x.dims
	for c := range p.to.length + 1 {
		if !p.s.nodes[p.nodes[c]].meets(low[c], high[c], top[c*d:(c+1)*d]) {
			return false
		}
	}
	return true
}

// take keeps an indexed path that the query path may match.
func (p *probe) take(ranks path) {
	for c := range p.to.length + 1 {
		if !p.s.may(p.nodes[c], ranks[c]) {
			return
		}
	}
	if p.to.length == 1 && ranks[0] == ranks[1] && (p.turned || p.s.differ(p.nodes[0], p.nodes[1])) {
		return
	}
	p.to.candidates++
	if p.turned {
		last := p.to.length
		ranks[last-1], ranks[last] = ranks[last], ranks[last-1]
	}
	for _, k := range p.to.edges {
		e := &p.s.q.Edges[k]
		if !p.s.holds(e, ranks[slices.Index(p.to.nodes[:], e.From)], ranks[slices.Index(p.to.nodes[:], e.To)]) {
			return
		}
	}
	p.to.found = append(p.to.found, ranks)
}

// holds reports whether some triple does for an edge between two ranks.
func (s *search) holds(e *match.Edge, from, to uint32) bool {
	s.stats.Considered++
	s.taken = e.Between(s.x.graph, s.taken[:0], kg.EntityID(s.x.order[from]), kg.EntityID(s.x.order[to]))
	return len(s.taken) > 0
}

// entity is the entity of a rank; that behind the last stands for no entity.
func (x *Index) entity(rank uint32) kg.EntityID {
	if int(rank) == len(x.order) {
		return kg.NoEntity
	}
	return kg.EntityID(x.order[rank])
}

// Each implements match.Engine.
func (x *Index) Each(ctx context.Context, q *match.Query, yield func(match.Binding) bool) (match.Stats, error) {
	s := &search{x: x, stop: ctx.Err, q: q}
	routes, err := s.candidates(ctx)
	if err != nil {
		return s.stats, err
	}
	return s.stats, s.join(ctx, routes, yield)
}

// wider is how much wider than the narrowest the nodes of paths are that are looked for
// together.
const wider = 4

// candidates plans the query and finds the candidates of each of its paths: first of those
// with the nodes that bind to fewest entities, which says what the others may bind to.
// That is not in the paper, which looks for all at once.
func (s *search) candidates(ctx context.Context) ([]*route, error) {
	if err := s.q.Validate(s.x.graph); err != nil {
		return nil, err
	}
	if err := s.prepare(); err != nil {
		return nil, err
	}
	routes, err := s.plan()
	if err != nil {
		return nil, err
	}
	for left := slices.Clone(routes); len(left) > 0; {
		least := slices.MinFunc(left, func(a, b *route) int { return s.width(a) - s.width(b) })
		most := wider * s.width(least)
		now := slices.DeleteFunc(slices.Clone(left), func(r *route) bool { return s.width(r) > most })
		left = slices.DeleteFunc(left, func(r *route) bool { return slices.Contains(now, r) })
		if err := s.find(ctx, now); err != nil {
			return nil, err
		}
		if len(left) > 0 {
			s.narrow(now)
		}
	}
	return routes, s.stop()
}

// width is how many entities the node of a path binds to that binds to fewest.
func (s *search) width(r *route) int {
	w := len(s.x.order)
	for _, i := range r.nodes[:r.length+1] {
		if n := &s.nodes[i]; n.known {
			w = min(w, len(n.ranks))
		}
	}
	return w
}

// narrow has nodes bind only to what the candidates of paths have for them.
func (s *search) narrow(routes []*route) {
	for _, r := range routes {
		for c, i := range r.nodes[:r.length+1] {
			n := &s.nodes[i]
			if n.known && len(n.ranks) <= len(r.found) || s.stop() != nil {
				continue
			}
			seen := make([]bool, len(s.x.order)+1)
			for _, p := range r.found {
				seen[p[c]] = true
			}
			n.known, n.ranks = true, nil
			for rank, ok := range seen {
				if ok {
					n.ranks = append(n.ranks, uint32(rank))
				}
			}
			clear(n.fits)
		}
	}
}

// find looks for the candidates of paths, of all at once.
func (s *search) find(ctx context.Context, routes []*route) error {
	var probes [3][]*probe
	for _, r := range routes {
		if n := &s.nodes[r.nodes[0]]; r.length == 0 && len(r.edges) == 0 && n.known {
			for _, rank := range n.ranks { // it may stay unbound, which is in no tree
				r.found = append(r.found, path{rank})
			}
			continue
		}
		probes[r.length] = append(probes[r.length], &probe{s: s, to: r, nodes: r.nodes})
		if l := r.length; l > 0 {
			nodes := r.nodes
			nodes[l-1], nodes[l] = nodes[l], nodes[l-1]
			probes[l] = append(probes[l], &probe{s: s, to: r, nodes: nodes, turned: true})
		}
	}
	for l := range probes {
		if len(probes[l]) > 0 {
			if err := s.x.trees[l].visit(ctx, s.x, probes[l]); err != nil {
				return err
			}
		}
	}
	return nil
}
