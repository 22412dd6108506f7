package simgrag

import (
	"slices"

	"cairn/engine/kg"
)

// plain is Algorithm 1 on one component of the pattern: the edges in the order
// of a depth-first walk from the node with the fewest candidates, every match
// enumerated, nothing pruned. It leaves nothing out.
func plain(q *query, component []int, m *meter, out sink) (left bool) {
	root := component[0]
	for _, n := range component[1:] {
		if q.nodes[n].size(q.g) < q.nodes[root].size(q.g) {
			root = n
		}
	}
	w := &plainSearch{q: q, m: m, out: out, component: component, bound: unbound(len(q.nodes))}
	w.walk(root, make([]bool, len(q.nodes)), make([]bool, len(q.edges)))
	w.q.nodes[root].each(w.q.g, func(e kg.EntityID, _ cost) bool { return w.start(root, e) })
	return false
}

type plainSearch struct {
	q         *query
	m         *meter
	out       sink
	component []int
	list      []plainEdge // L, line 2
	bound     []kg.EntityID
}

// plainEdge is an edge of the pattern in the direction of the walk.
type plainEdge struct{ edge, from, to int }

// walk appends the edges of the component in depth-first order from n.
func (w *plainSearch) walk(n int, seen, used []bool) {
	seen[n] = true
	for i := range w.q.edges {
		e := &w.q.edges[i]
		if used[i] || (e.From != n && e.To != n) {
			continue
		}
		used[i] = true
		to := e.From + e.To - n
		w.list = append(w.list, plainEdge{i, n, to})
		if !seen[to] {
			w.walk(to, seen, used)
		}
	}
}

func (w *plainSearch) start(n int, e kg.EntityID) bool {
	if !w.m.tick() {
		return false
	}
	if _, ok := w.q.nodes[n].costOf(w.q.g, e); !ok {
		return true
	}
	w.bound[n] = e
	ok := w.expand(0)
	w.bound[n] = kg.NoEntity
	return ok
}

// expand is the function Expand, lines 7 to 16.
func (w *plainSearch) expand(i int) bool {
	if i == len(w.list) {
		if c, ok := w.q.componentCost(w.component, w.bound); ok {
			w.out.offer(w.bound, c)
		}
		return true
	}
	l := w.list[i]
	if w.bound[l.to] != kg.NoEntity {
		// The edge closes a cycle; finish checks that it is there.
		return w.expand(i + 1)
	}
	var next []kg.EntityID
	h := w.bound[l.from]
	for _, x := range slices.Concat(w.q.g.Out(h), w.q.g.In(h)) {
		if _, ok := w.q.edges[l.edge].costOf(x.Relation); ok {
			next = append(next, x.Entity)
		}
	}
	for _, e := range kg.Distinct(next) {
		if !w.m.tick() {
			return false
		}
		if !w.fits(l.to, e) {
			continue
		}
		w.bound[l.to] = e
		ok := w.expand(i + 1)
		w.bound[l.to] = kg.NoEntity
		if !ok {
			return false
		}
	}
	return true
}

// fits is lines 14 and 15: e is a candidate of node n and contradicts nothing.
func (w *plainSearch) fits(n int, e kg.EntityID) bool {
	_, ok := w.q.nodes[n].costOf(w.q.g, e)
	return ok && !w.q.nodes[n].clashes(e, w.bound)
}

// componentCost is Equation (3) on one component of the pattern.
func (q *query) componentCost(component []int, nodes []kg.EntityID) (total cost, ok bool) {
	for _, n := range component {
		c, fits := q.nodes[n].costOf(q.g, nodes[n])
		if !fits {
			return 0, false
		}
		total += c
	}
	for i := range q.bonds {
		b := &q.bonds[i]
		if !slices.Contains(component, b.u) {
			continue
		}
		_, c, fits := q.assign(b, nodes[b.u], nodes[b.w])
		if !fits {
			return 0, false
		}
		total += c
	}
	return total, true
}
