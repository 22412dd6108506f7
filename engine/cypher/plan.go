package cypher

import "slices"

type nodeVar struct {
	slot   int
	bound  bool // before the pattern
	labels []LabelID
	none   bool // a label that the graph does not have
	unread bool // nothing reads its slot
	// seeks are values that a property must have, for indexes.
	seeks []seek
}

// seek says that a property has a value, or one of the values of a list.
type seek struct {
	property string
	value    eval
	list     bool
	needs    []int // slots of the pattern
}

// edgeVar is a relationship of a pattern, or a path of them.
type edgeVar struct {
	EdgePattern
	slot     int
	bound    bool
	from, to int // in nodes
	types    []TypeID
	none     bool // types that the graph does not have
	shortest bool
	all      bool
	each     []condition // what must be so of every relationship of a path
	inner    int         // the slot in which each finds it
	reach    bool        // only whether there is a path matters
	unread   bool        // nothing reads its slot
}

type pathVar struct {
	slot  int
	start int   // in nodes
	edges []int // in edges
}

// condition is what must be so of a match; it can be asked once the slots that it needs
// are filled.
type condition struct {
	is    eval
	needs []int
}

type matchPlan struct {
	nodes      []nodeVar
	edges      []edgeVar
	paths      []pathVar
	conditions []condition
	fresh      []int // slots that it fills
	ops        []op
	last       []condition // those that need a named path
	idle       *search     // one that can be used again
}

// op is a step of a search.
type op struct {
	node, edge int   // what it fills; -1 for none
	back       bool  // the edge is followed from its second node to its first
	seek       *seek // where the search for a node begins; nil for its label, or everywhere
	conditions []condition
}

// pattern compiles path patterns with a condition. The names of s that are new are added.
func (c *compiler) pattern(paths []Path, where *Expr, s *scope) *matchPlan {
	m := &matchPlan{}
	before := s.inner()
	byName := map[string]int{}
	seen := map[string]bool{} // relationships of this pattern
	var properties []func()
	for pi := range paths {
		p := &paths[pi]
		path := pathVar{slot: -1}
		last := -1
		for i := range p.Nodes {
			n := c.node(m, &p.Nodes[i], s, before, byName, &properties)
			if i == 0 {
				path.start = n
			} else {
				e := c.edge(m, p, i-1, last, n, s, before, seen, &properties)
				path.edges = append(path.edges, e)
			}
			last = n
		}
		if p.Name != "" {
			path.slot = s.addNew(p.At, p.Name, walkKind).slot
			m.fresh = append(m.fresh, path.slot)
			m.paths = append(m.paths, path)
		}
	}
	for _, f := range properties {
		f()
	}
	if where != nil && where.aggregates() {
		panic(syntax(where.At, "InvalidAggregation", "WHERE cannot contain aggregates; put WITH before it"))
	}
	for _, e := range conjuncts(where) {
		f := c.where(e, s)
		m.conditions = append(m.conditions, condition{f, m.needs(e, s)})
		c.seekOf(m, e, s, byName)
	}
	c.order(m)
	return m
}

// conjuncts cuts a condition where AND joins it.
func conjuncts(e *Expr) []*Expr {
	switch {
	case e == nil:
		return nil
	case e.Kind == Binary && e.Name == "AND":
		return append(conjuncts(e.Args[0]), conjuncts(e.Args[1])...)
	}
	return []*Expr{e}
}

// node compiles a node of a pattern, and returns its number.
func (c *compiler) node(m *matchPlan, p *NodePattern, s, before *scope, byName map[string]int, later *[]func()) int {
	n, ok := byName[p.Name]
	if !ok || p.Name == "" {
		n = len(m.nodes)
		v := nodeVar{}
		old, known := s.vars[p.Name]
		switch {
		case p.Name == "":
			v.slot, v.unread = s.slot(), p.Properties == nil
			m.fresh = append(m.fresh, v.slot)
		case known:
			if old.kind != nodeKind && old.kind != unknown {
				panic(syntax(p.At, "VariableTypeConflict", "%s is %s, so it cannot be a node", p.Name, old.kind))
			}
			_, v.bound = before.vars[p.Name]
			v.slot = old.slot
		case s.fixed:
			panic(syntax(p.At, "UndefinedVariable", "%s is not defined", p.Name))
		default:
			v.slot = s.add(p.Name, nodeKind).slot
			m.fresh = append(m.fresh, v.slot)
		}
		m.nodes = append(m.nodes, v)
		if p.Name != "" {
			byName[p.Name] = n
		}
	}
	v := &m.nodes[n]
	for _, name := range p.Labels {
		l, ok := c.g.Label(name)
		v.none = v.none || !ok
		if !ok {
			labels, _, _ := c.g.Names()
			c.unknown("Nothing has the label "+name, name, labels)
			continue
		}
		v.labels = append(v.labels, l)
	}
	if p.Properties != nil {
		*later = append(*later, func() {
			c.properties(p.Properties, s, m.nodes[n].slot, m, func(name string, value eval, needs []int) {
				m.nodes[n].seeks = append(m.nodes[n].seeks, seek{name, value, false, needs})
			}, &m.conditions)
		})
	}
	return n
}

// properties compiles a map of what the node or relationship in a slot must have.
func (c *compiler) properties(e *Expr, s *scope, slot int, m *matchPlan, seekable func(string, eval, []int), into *[]condition) {
	if e.Kind == Param {
		panic(syntax(e.At, "InvalidParameterUse", "a parameter cannot replace all properties in MATCH; write {name: $%s.name}", e.Name))
	}
	for i, name := range e.Names {
		c.propertyNamed(name)
		value, _ := c.expr(e.Args[i], s)
		needs := m.needs(e.Args[i], s)
		if seekable != nil {
			seekable(name, value, needs)
		}
		*into = append(*into, condition{func(x *exec, r row) any {
			v := value(x, r)
			return equal(x.property(r, r[slot], name), v)
		}, append(needs, slot)})
	}
}

// edge compiles a relationship between nodes from and to, and returns its number.
func (c *compiler) edge(m *matchPlan, path *Path, at, from, to int, s, before *scope, seen map[string]bool, later *[]func()) int {
	p := &path.Edges[at]
	e := edgeVar{EdgePattern: *p, from: from, to: to, shortest: path.Shortest, all: path.All}
	k := relKind
	if p.Many {
		k = relsKind
		c.endless = c.endless || p.Most < 0 && !path.Shortest
	}
	old, known := s.vars[p.Name]
	switch {
	case p.Name == "":
		e.slot, e.unread = s.slot(), p.Properties == nil && path.Name == ""
		m.fresh = append(m.fresh, e.slot)
	case seen[p.Name]:
		panic(syntax(p.At, "RelationshipUniquenessViolation", "%s is used for two relationships in one pattern", p.Name))
	case known:
		if old.kind != k && old.kind != unknown && (k != relsKind || old.kind != listKind) {
			panic(syntax(p.At, "VariableTypeConflict", "%s is %s, so it cannot be %s", p.Name, old.kind, k))
		}
		if _, ok := before.vars[p.Name]; !ok {
			panic(syntax(p.At, "VariableTypeConflict", "%s is something else in this pattern", p.Name))
		}
		e.slot, e.bound = old.slot, true
	case s.fixed:
		panic(syntax(p.At, "UndefinedVariable", "%s is not defined", p.Name))
	default:
		e.slot = s.add(p.Name, k).slot
		m.fresh = append(m.fresh, e.slot)
	}
	seen[p.Name] = p.Name != ""
	for _, name := range p.Types {
		types := c.g.Types(name)
		if len(types) == 0 {
			_, names, _ := c.g.Names()
			c.unknown("No relationship has the type "+name, name, names)
		}
		e.types = append(e.types, types...)
	}
	e.none = len(p.Types) > 0 && len(e.types) == 0
	number := len(m.edges)
	if p.Properties != nil {
		e.inner = e.slot
		into := &m.conditions
		if p.Many {
			e.inner = s.slot()
		}
		*later = append(*later, func() {
			if p.Many {
				into = &m.edges[number].each
			}
			c.properties(p.Properties, s, m.edges[number].inner, m, nil, into)
		})
	}
	m.edges = append(m.edges, e)
	return number
}

// needs lists the slots of a pattern that an expression reads.
func (m *matchPlan) needs(e *Expr, s *scope) (slots []int) {
	e.names(func(name string) {
		if v, ok := s.vars[name]; ok && slices.Contains(m.fresh, v.slot) {
			slots = append(slots, v.slot)
		}
	}, func() { slots = append(slots, m.fresh...) })
	slices.Sort(slots)
	return slices.Compact(slots)
}

// names calls f for the names in an expression, and all where they are not known.
func (e *Expr) names(f func(string), all func()) {
	e.walk(func(e *Expr) bool {
		if e.Kind == Variable {
			f(e.Name)
		}
		if e.Query != nil {
			all()
		}
		for _, p := range e.Paths {
			for _, n := range p.Nodes {
				f(n.Name)
			}
			for _, r := range p.Edges {
				f(r.Name)
			}
		}
		return true
	})
}

// seekOf takes note of a condition that says what a property is.
func (c *compiler) seekOf(m *matchPlan, e *Expr, s *scope, byName map[string]int) {
	var of, value *Expr
	list := false
	switch {
	case e.Kind == Compare && len(e.Names) == 1 && e.Names[0] == "=":
		if of, value = e.Args[0], e.Args[1]; of.Kind != Property {
			of, value = value, of
		}
	case e.Kind == Binary && e.Name == "IN":
		of, value, list = e.Args[0], e.Args[1], true
	}
	if of == nil || of.Kind != Property || of.Args[0].Kind != Variable {
		return
	}
	n, ok := byName[of.Args[0].Name]
	if !ok {
		return
	}
	f, _ := c.expr(value, s)
	m.nodes[n].seeks = append(m.nodes[n].seeks, seek{of.Name, f, list, m.needs(value, s)})
}

// order decides where the search begins and how it goes on: from what is known, over
// single relationships before paths, and from the rarest where nothing is known.
func (c *compiler) order(m *matchPlan) {
	filled := map[int]bool{}
	asked := make([]bool, len(m.conditions))
	add := func(o op) {
		if o.node >= 0 {
			filled[m.nodes[o.node].slot] = true
		}
		if o.edge >= 0 {
			filled[m.edges[o.edge].slot] = true
		}
		for i, k := range m.conditions {
			if !asked[i] && !slices.ContainsFunc(k.needs, func(s int) bool { return slices.Contains(m.fresh, s) && !filled[s] }) {
				asked[i] = true
				o.conditions = append(o.conditions, k)
			}
		}
		m.ops = append(m.ops, o)
	}
	known := func(n int) bool { return filled[m.nodes[n].slot] }
	// What is bound is looked at first: it may be null, or have the wrong label.
	for i := range m.nodes {
		if m.nodes[i].bound {
			add(op{node: i, edge: -1})
		}
	}
	done := make([]bool, len(m.edges))
	for {
		best, cost := -1, 0
		for i, e := range m.edges {
			if done[i] {
				continue
			}
			k := edgeCost(&e, known(e.from), known(e.to))
			if k > 0 && (best < 0 || k < cost) {
				best, cost = i, k
			}
		}
		if best < 0 {
			start, seek := c.cheapest(m, filled)
			if start < 0 {
				break
			}
			if len(m.ops) > 0 && !slices.ContainsFunc(m.edges, func(e edgeVar) bool { return e.shortest }) {
				c.note("The pattern has unconnected parts, so every match of one is combined with every match of the others.")
			}
			add(op{node: start, edge: -1, seek: seek})
			continue
		}
		e := &m.edges[best]
		done[best] = true
		back := !known(e.from)
		o := op{node: -1, edge: best, back: back}
		switch {
		case e.bound && back && !known(e.to):
			filled[m.nodes[e.from].slot], o.back = true, false
			o.node = e.to
		case back:
			o.node = e.from
		case !known(e.to):
			o.node = e.to
		}
		add(o)
	}
	if len(m.ops) == 0 {
		add(op{node: -1, edge: -1})
	}
	for i, k := range m.conditions {
		if !asked[i] {
			m.last = append(m.last, k)
		}
	}
}

// edgeCost says how soon an edge is followed; 0 where it cannot be yet.
func edgeCost(e *edgeVar, from, to bool) int {
	switch {
	case e.shortest && (!from || !to):
		return 0
	case e.bound:
		return 1
	case e.shortest:
		return 6
	case from && to && !e.Many:
		return 2
	case (from || to) && !e.Many:
		return 3
	case from && to:
		return 4
	case from || to:
		return 5
	}
	return 0
}

// cheapest returns the node at which few may begin, or -1 where all are filled, and how
// an index finds it.
func (c *compiler) cheapest(m *matchPlan, filled map[int]bool) (best int, by *seek) {
	best = -1
	least := 0
	for i := range m.nodes {
		n := &m.nodes[i]
		if filled[n.slot] {
			continue
		}
		cost := 1 << 40
		for _, l := range n.labels {
			cost = min(cost, c.g.Size(l)+2)
		}
		var found *seek
		for j := range n.seeks {
			k := &n.seeks[j]
			if _, ok := c.g.NodesWith(k.property, ""); ok && !slices.ContainsFunc(k.needs, func(s int) bool { return !filled[s] }) {
				found, cost = k, 1
			}
		}
		if n.none {
			cost = 0
		}
		if best < 0 || cost < least {
			best, least, by = i, cost, found
		}
	}
	return best, by
}
