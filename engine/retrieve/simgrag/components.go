package simgrag

import (
	"cmp"
	"slices"

	"cairn/engine/kg"
)

// run searches every connected component of the pattern and combines their
// matches. Where nothing is left to likeness and all matches are asked for, the join
// engine finds them.
//
// The authors' code concatenates the components' results, so that nothing ties
// them together; here a match binds all of them, at the sum of their costs.
func (q *query) run(m *meter, c *collector, o Options) error {
	if x, ok := q.exact(); ok && o.AllBest && o.Algorithm == Optimised {
		return q.join(x, m, c)
	}
	algorithm := optimised
	if o.Algorithm == Plain {
		algorithm = plain
	}
	components, err := q.components()
	if err != nil {
		return err
	}
	switch len(components) {
	case 0:
		return nil
	case 1:
		if algorithm(q, components[0], m, c) {
			m.pruned = max(m.pruned, 1)
		}
		return m.err
	}
	p := &product{q: q, m: m, out: c, bound: unbound(len(q.nodes))}
	for _, component := range components {
		l := &list{component: component, limit: o.MaxComponent}
		left := algorithm(q, component, m, l)
		if m.err != nil {
			return m.err
		}
		l.shrink()
		if c.cut = c.cut || l.cut || left; len(l.parts) == 0 {
			return nil
		}
		p.lists = append(p.lists, l)
	}
	// least[i] is the least cost of the components from i on.
	p.least = make([]cost, len(p.lists)+1)
	for i := len(p.lists) - 1; i >= 0; i-- {
		p.least[i] = p.least[i+1] + p.lists[i].parts[0].cost
	}
	p.combine(0, 0)
	return m.err
}

// components returns the parts of the pattern without nodes that stay unbound,
// which nothing is tied to.
func (q *query) components() ([][]int, error) {
	parts, err := q.p.Parts()
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(parts, func(part []int) bool { return q.nodes[part[0]].skip }), nil
}

// list keeps the best matches of one component.
type list struct {
	component []int
	limit     int
	parts     []part
	last      *part // where the list is full: a part after this one is not kept
	cut       bool
}

// part is a match of one component: nodes[i] is bound to its ith node.
type part struct {
	nodes []kg.EntityID
	cost  cost
}

func compareParts(a, b part) int {
	return cmp.Or(cmp.Compare(a.cost, b.cost), slices.Compare(a.nodes, b.nodes))
}

func (l *list) offer(nodes []kg.EntityID, c cost) {
	p := part{nodes: make([]kg.EntityID, len(l.component)), cost: c}
	for i, n := range l.component {
		p.nodes[i] = nodes[n]
	}
	if l.last != nil && compareParts(p, *l.last) > 0 {
		l.cut = true
		return
	}
	l.parts = append(l.parts, p)
	if len(l.parts) > 2*l.limit {
		l.shrink()
	}
}

// shrink sorts the parts and drops those over the limit.
func (l *list) shrink() {
	slices.SortFunc(l.parts, compareParts)
	if len(l.parts) > l.limit {
		l.parts, l.cut = l.parts[:l.limit], true
		last := l.parts[l.limit-1]
		l.last = &last
	}
}

func (l *list) ceiling() cost {
	if l.last == nil {
		return never
	}
	return l.last.cost
}

func (l *list) hopeless([]kg.EntityID, cost) bool { return false }

func (l *list) enough() bool { return len(l.parts) >= l.limit }

// product combines the matches of the components, cheapest first.
type product struct {
	q     *query
	m     *meter
	out   *collector
	lists []*list
	least []cost
	bound []kg.EntityID
}

func (p *product) combine(i int, sum cost) bool {
	if i == len(p.lists) {
		p.out.offer(p.bound, sum)
		return true
	}
	l := p.lists[i]
	defer func() {
		for _, n := range l.component {
			p.bound[n] = kg.NoEntity
		}
	}()
	for _, x := range l.parts {
		if !p.m.tick() {
			return false
		}
		if !p.place(l.component, x.nodes) {
			continue
		}
		if p.out.hopeless(p.bound, sum+x.cost+p.least[i+1]) {
			p.m.pruned++
			continue
		}
		if !p.combine(i+1, sum+x.cost) {
			return false
		}
	}
	return true
}

// place binds the nodes of a component and reports whether none of them shares
// an entity that it may not.
func (p *product) place(component []int, entities []kg.EntityID) bool {
	for _, n := range component {
		p.bound[n] = kg.NoEntity
	}
	for i, n := range component {
		if p.q.nodes[n].clashes(entities[i], p.bound) {
			return false
		}
		p.bound[n] = entities[i]
	}
	return true
}
