package cypher

import (
	"cmp"
	"errors"
	"iter"
	"slices"
)

// errStop ends a search that has found enough.
var errStop = errors.New("enough was found")

// nodeVar is a node of a pattern.
type nodeVar struct {
	slot   int
	bound  bool // before the pattern
	labels []LabelID
	none   bool // a label that the graph does not have
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
}

// pathVar is a named path.
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

// matchPlan is what MATCH looks for.
type matchPlan struct {
	nodes      []nodeVar
	edges      []edgeVar
	paths      []pathVar
	conditions []condition
	fresh      []int // slots that it fills
	ops        []op
	last       []condition // those that need a named path
}

// op is a step of a search.
type op struct {
	node, edge int   // what it fills; -1 for none
	back       bool  // the edge is followed from its second node to its first
	seek       *seek // where the search for a node begins; nil for its label, or everywhere
	conditions []condition
}

// pattern compiles path patterns with a condition. The names of s that are new are added.
func (c *compiler) pattern(paths []Path, where *Expr, s *scope) (*matchPlan, error) {
	m := &matchPlan{}
	before := s.inner()
	byName := map[string]int{}
	seen := map[string]bool{} // relationships of this pattern
	var properties []func() error
	for pi := range paths {
		p := &paths[pi]
		path := pathVar{slot: -1}
		last := -1
		for i := range p.Nodes {
			n, err := c.node(m, &p.Nodes[i], s, before, byName, &properties)
			if err != nil {
				return nil, err
			}
			if i == 0 {
				path.start = n
			} else {
				e, err := c.edge(m, p, i-1, last, n, s, before, seen, &properties)
				if err != nil {
					return nil, err
				}
				path.edges = append(path.edges, e)
			}
			last = n
		}
		if p.Name != "" {
			if _, ok := s.vars[p.Name]; ok {
				return nil, syntax(p.At, "VariableAlreadyBound", "%s is the name of something else already", p.Name)
			}
			path.slot = s.add(p.Name, walkKind).slot
			m.fresh = append(m.fresh, path.slot)
			m.paths = append(m.paths, path)
		}
	}
	for _, f := range properties {
		if err := f(); err != nil {
			return nil, err
		}
	}
	if where != nil && where.aggregates() {
		return nil, syntax(where.At, "InvalidAggregation", "WHERE cannot count or sum rows; put WITH before it")
	}
	for _, e := range conjuncts(where) {
		f, err := c.where(e, s)
		if err != nil {
			return nil, err
		}
		m.conditions = append(m.conditions, condition{f, m.needs(e, s)})
		if err := c.seekOf(m, e, s, byName); err != nil {
			return nil, err
		}
	}
	c.order(m)
	return m, nil
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
func (c *compiler) node(m *matchPlan, p *NodePattern, s, before *scope, byName map[string]int, later *[]func() error) (int, error) {
	n, ok := byName[p.Name]
	if !ok || p.Name == "" {
		n = len(m.nodes)
		v := nodeVar{}
		old, known := s.vars[p.Name]
		switch {
		case p.Name == "":
			v.slot = s.slot()
			m.fresh = append(m.fresh, v.slot)
		case known:
			if old.kind != nodeKind && old.kind != unknown {
				return 0, syntax(p.At, "VariableTypeConflict", "%s is %s, and cannot be a node", p.Name, old.kind)
			}
			_, v.bound = before.vars[p.Name]
			v.slot = old.slot
		case s.fixed:
			return 0, syntax(p.At, "UndefinedVariable", "%s is not defined", p.Name)
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
		*later = append(*later, func() error {
			return c.properties(p.Properties, s, m.nodes[n].slot, m, func(name string, value eval, needs []int) {
				m.nodes[n].seeks = append(m.nodes[n].seeks, seek{name, value, false, needs})
			}, &m.conditions)
		})
	}
	return n, nil
}

// properties compiles a map of what the node or relationship in a slot must have.
func (c *compiler) properties(e *Expr, s *scope, slot int, m *matchPlan, seekable func(string, eval, []int), into *[]condition) error {
	if e.Kind == Param {
		return syntax(e.At, "InvalidParameterUse", "a parameter cannot stand for all properties in MATCH; write {name: $%s.name}", e.Name)
	}
	for i, name := range e.Names {
		c.propertyNamed(name)
		value, _, err := c.expr(e.Args[i], s)
		if err != nil {
			return err
		}
		needs := m.needs(e.Args[i], s)
		if seekable != nil {
			seekable(name, value, needs)
		}
		*into = append(*into, condition{func(x *exec, r row) (any, error) {
			v, err := value(x, r)
			if err != nil {
				return nil, err
			}
			has, err := x.property(r, r[slot], name)
			return equal(has, v), err
		}, append(needs, slot)})
	}
	return nil
}

// edge compiles a relationship between nodes from and to, and returns its number.
func (c *compiler) edge(m *matchPlan, path *Path, at, from, to int, s, before *scope, seen map[string]bool, later *[]func() error) (int, error) {
	p := &path.Edges[at]
	e := edgeVar{EdgePattern: *p, from: from, to: to, shortest: path.Shortest, all: path.All}
	if !p.Many {
		e.Least, e.Most = 1, 1
	}
	k := relKind
	if p.Many {
		k = relsKind
	}
	old, known := s.vars[p.Name]
	switch {
	case p.Name == "":
		e.slot = s.slot()
		m.fresh = append(m.fresh, e.slot)
	case seen[p.Name]:
		return 0, syntax(p.At, "RelationshipUniquenessViolation", "%s stands for two relationships of one pattern", p.Name)
	case known:
		if old.kind != k && old.kind != unknown && (k != relsKind || old.kind != listKind) {
			return 0, syntax(p.At, "VariableTypeConflict", "%s is %s, and cannot be %s", p.Name, old.kind, k)
		}
		if _, ok := before.vars[p.Name]; !ok {
			return 0, syntax(p.At, "VariableTypeConflict", "%s is something else in this pattern", p.Name)
		}
		e.slot, e.bound = old.slot, true
	case s.fixed:
		return 0, syntax(p.At, "UndefinedVariable", "%s is not defined", p.Name)
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
		m.edges = append(m.edges, e)
		*later = append(*later, func() error {
			if p.Many {
				into = &m.edges[number].each
			}
			return c.properties(p.Properties, s, m.edges[number].inner, m, nil, into)
		})
		return number, nil
	}
	m.edges = append(m.edges, e)
	return number, nil
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
func (c *compiler) seekOf(m *matchPlan, e *Expr, s *scope, byName map[string]int) error {
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
		return nil
	}
	n, ok := byName[of.Args[0].Name]
	if !ok {
		return nil
	}
	f, _, err := c.expr(value, s)
	m.nodes[n].seeks = append(m.nodes[n].seeks, seek{of.Name, f, list, m.needs(value, s)})
	return err
}

// order decides where the search begins and how it goes on: from what is known, over
// single relationships before paths, and from the rarest where nothing is known.
func (c *compiler) order(m *matchPlan) {
	filled := map[int]bool{}
	for i := range m.nodes {
		if m.nodes[i].bound {
			filled[m.nodes[i].slot] = true
		}
	}
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
				c.note("Parts of a pattern that nothing joins are combined each with each.")
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

// search is a pattern that is being matched.
type search struct {
	x    *exec
	m    *matchPlan
	r    row
	used []Rel
	emit func(row) error
}

// match calls emit for every way in which the pattern matches. The row is used again.
func (m *matchPlan) match(x *exec, r row, emit func(row) error) error {
	s := &search{x: x, m: m, r: r, emit: emit}
	for _, e := range m.edges {
		if e.none && e.Least > 0 {
			return nil
		}
	}
	for _, n := range m.nodes {
		if n.none {
			return nil
		}
	}
	return s.step(0)
}

// step does the ops from i on.
func (s *search) step(i int) error {
	if i == len(s.m.ops) {
		for _, p := range s.m.paths {
			s.r[p.slot] = s.walk(&p)
		}
		if ok, err := s.holds(s.m.last); !ok {
			return err
		}
		if len(s.used) > 0 {
			s.x.tread(s.r, slices.Clone(s.used)...)
		}
		return s.emit(s.r)
	}
	o := &s.m.ops[i]
	trail := s.r[0]
	next := func() error {
		if err := s.x.tick(); err != nil {
			return err
		}
		if ok, err := s.holds(o.conditions); !ok {
			return err
		}
		return s.step(i + 1)
	}
	var err error
	switch {
	case o.edge >= 0:
		err = s.follow(o, next)
	case o.node < 0:
		err = next()
	case s.m.nodes[o.node].bound:
		var n Node
		var ok bool
		if n, ok, err = nodeIn(s.r[s.m.nodes[o.node].slot]); ok && s.fits(o.node, n) {
			err = next()
		}
	default:
		starts, fail := s.starts(o)
		if fail != nil {
			return fail
		}
		for node := range starts {
			if err = s.x.tick(); err != nil {
				break
			}
			if !s.fits(o.node, node) {
				continue
			}
			s.r[s.m.nodes[o.node].slot] = node
			if err = next(); err != nil {
				break
			}
			s.r[0] = trail
		}
	}
	s.r[0] = trail
	return err
}

// holds reports whether all conditions are met.
func (s *search) holds(all []condition) (bool, error) {
	for _, k := range all {
		if v, err := truth(k.is(s.x, s.r)); err != nil || v != true {
			return false, err
		}
	}
	return true, nil
}

// nodeIn returns the node that a slot has; nothing matches null.
func nodeIn(v any) (Node, bool, error) {
	switch v := v.(type) {
	case nil:
		return 0, false, nil
	case Node:
		return v, true, nil
	}
	return 0, false, wrongType("InvalidArgumentType", "expected a node, found %s", kindOf(v))
}

// fits reports whether a node has the labels that are asked for.
func (s *search) fits(n int, node Node) bool {
	return !slices.ContainsFunc(s.m.nodes[n].labels, func(l LabelID) bool { return !s.x.g.HasLabel(node, l) })
}

// starts walks the nodes at which a search may begin.
func (s *search) starts(o *op) (iter.Seq[Node], error) {
	n := &s.m.nodes[o.node]
	if k := o.seek; k != nil {
		v, err := k.value(s.x, s.r)
		if err != nil {
			return nil, err
		}
		values := List{v}
		if k.list {
			values, _ = v.(List)
		}
		var nodes []Node
		for _, v := range values {
			if some, ok := s.x.g.NodesWith(k.property, v); ok && v != nil {
				nodes = slices.AppendSeq(nodes, some)
			}
		}
		slices.Sort(nodes)
		return slices.Values(slices.Compact(nodes)), nil
	}
	if len(n.labels) > 0 {
		return s.x.g.NodesOf(slices.MinFunc(n.labels, func(a, b LabelID) int { return cmp.Compare(s.x.g.Size(a), s.x.g.Size(b)) })), nil
	}
	return s.x.g.Nodes(), nil
}

// follow fills an edge, and the node at its other end where that is open.
func (s *search) follow(o *op, next func() error) error {
	e := &s.m.edges[o.edge]
	if e.bound {
		return s.given(e, o, next)
	}
	here, there := e.from, e.to
	out, in := e.Out, e.In
	if o.back {
		here, there, out, in = there, here, in, out
	}
	start, ok, err := nodeIn(s.r[s.m.nodes[here].slot])
	if !ok {
		return err
	}
	arrive := func(node Node) error {
		if o.node < 0 {
			if other, ok, err := nodeIn(s.r[s.m.nodes[there].slot]); !ok || other != node {
				return err
			}
			return next()
		}
		if !s.fits(there, node) {
			return nil
		}
		s.r[s.m.nodes[there].slot] = node
		return next()
	}
	switch {
	case e.shortest:
		return s.shortest(e, start, next)
	case e.reach:
		return s.reach(e, start, out, in, arrive)
	case e.Many:
		return s.wander(e, start, out, in, o.back, arrive)
	}
	trail := s.r[0]
	for r, node := range s.around(start, out, in, e.types) {
		if err := s.x.tick(); err != nil {
			return err
		}
		if slices.Contains(s.used, r) {
			continue
		}
		s.r[e.slot] = r
		s.used = append(s.used, r)
		err := arrive(node)
		s.used = s.used[:len(s.used)-1]
		s.r[0] = trail
		if err != nil {
			return err
		}
	}
	return nil
}

// around walks the relationships at a node; a loop comes once.
func (s *search) around(n Node, out, in bool, types []TypeID) iter.Seq2[Rel, Node] {
	return func(yield func(Rel, Node) bool) {
		if out {
			for r, m := range s.x.g.Expand(n, true, types) {
				if !yield(r, m) {
					return
				}
			}
		}
		if in {
			for r, m := range s.x.g.Expand(n, false, types) {
				if out && m == n {
					continue
				}
				if !yield(r, m) {
					return
				}
			}
		}
	}
}

// wander follows paths of relationships, none twice.
func (s *search) wander(e *edgeVar, start Node, out, in, back bool, arrive func(Node) error) error {
	var rels []Rel
	var visit func(n Node) error
	visit = func(n Node) error {
		if len(rels) >= e.Least {
			list := relList(rels)
			if back {
				slices.Reverse(list)
			}
			s.r[e.slot] = list
			before := len(s.used)
			s.used = append(s.used, rels...)
			err := arrive(n)
			s.used = s.used[:before]
			if err != nil {
				return err
			}
		}
		if e.Most >= 0 && len(rels) >= e.Most || e.none {
			return nil
		}
		trail := s.r[0]
		for r, m := range s.around(n, out, in, e.types) {
			if err := s.x.tick(); err != nil {
				return err
			}
			if slices.Contains(s.used, r) || slices.Contains(rels, r) {
				continue
			}
			if ok, err := s.each(e, r); err != nil {
				return err
			} else if !ok {
				continue
			}
			rels = append(rels, r)
			err := visit(m)
			rels = rels[:len(rels)-1]
			s.r[0] = trail
			if err != nil {
				return err
			}
		}
		return nil
	}
	return visit(start)
}

// each reports whether a relationship of a path is as every one of it must be.
func (s *search) each(e *edgeVar, r Rel) (bool, error) {
	if len(e.each) == 0 {
		return true, nil
	}
	s.r[e.inner] = r
	return s.holds(e.each)
}

// reach visits every node that a path leads to, once. A way back to the start over the
// relationships of the way there is none: whether there is another is looked for last.
func (s *search) reach(e *edgeVar, start Node, out, in bool, arrive func(Node) error) error {
	both := out && in && e.Least == 1
	seen := map[Node]bool{start: both}
	layer := []Node{start}
	for depth := 0; len(layer) > 0; depth++ {
		if depth >= e.Least {
			for _, n := range layer {
				if err := arrive(n); err != nil {
					return err
				}
			}
		}
		if e.Most >= 0 && depth >= e.Most || e.none {
			return nil
		}
		var next []Node
		for _, n := range layer {
			for r, m := range s.around(n, out, in, e.types) {
				if err := s.x.tick(); err != nil {
					return err
				}
				if seen[m] {
					continue
				}
				if ok, err := s.each(e, r); err != nil {
					return err
				} else if ok {
					seen[m] = true
					next = append(next, m)
				}
			}
		}
		layer = next
	}
	if !both {
		return nil
	}
	return s.wander(e, start, out, in, false, func(n Node) error {
		if n != start {
			return nil
		}
		return arrive(n)
	})
}

// given matches an edge whose relationships are known.
func (s *search) given(e *edgeVar, o *op, next func() error) error {
	v := s.r[e.slot]
	if v == nil {
		return nil
	}
	var rels []Rel
	switch v := v.(type) {
	case Rel:
		rels = []Rel{v}
	case List:
		for _, x := range v {
			r, ok := x.(Rel)
			if !ok {
				return wrongType("InvalidArgumentType", "expected a relationship, found %s", kindOf(x))
			}
			rels = append(rels, r)
		}
	default:
		return wrongType("InvalidArgumentType", "expected a relationship, found %s", kindOf(v))
	}
	if len(rels) < e.Least || e.Most >= 0 && len(rels) > e.Most {
		return nil
	}
	for _, r := range rels {
		if slices.Contains(s.used, r) || len(e.types) > 0 && !s.typed(r, e.types) {
			return nil
		}
		if ok, err := s.each(e, r); err != nil || !ok {
			return err
		}
	}
	before := len(s.used)
	s.used = append(s.used, rels...)
	defer func() { s.used = s.used[:before] }()
	from, to := &s.m.nodes[e.from], &s.m.nodes[e.to]
	try := func(start Node) error {
		end := start
		for _, r := range rels {
			a, b := s.x.g.Ends(r)
			switch {
			case e.Out && a == end:
				end = b
			case e.In && b == end:
				end = a
			default:
				return nil
			}
		}
		fill := func(n int, v *nodeVar, node Node) bool {
			if known, ok, _ := nodeIn(s.r[v.slot]); ok && s.filled(o, n) {
				return known == node
			}
			s.r[v.slot] = node
			return s.fits(n, node)
		}
		if !fill(e.from, from, start) || !fill(e.to, to, end) {
			return nil
		}
		return next()
	}
	if len(rels) == 0 {
		n, ok, err := nodeIn(s.r[from.slot])
		if !ok {
			return err
		}
		return try(n)
	}
	a, b := s.x.g.Ends(rels[0])
	if e.Out {
		if err := try(a); err != nil {
			return err
		}
	}
	if e.In && (!e.Out || a != b) {
		return try(b)
	}
	return nil
}

// filled reports whether a node has been filled before an op.
func (s *search) filled(o *op, n int) bool {
	if s.m.nodes[n].bound {
		return true
	}
	for i := range s.m.ops {
		p := &s.m.ops[i]
		if p == o {
			return false
		}
		if p.node == n || p.edge >= 0 && (s.m.edges[p.edge].from == n || s.m.edges[p.edge].to == n) {
			return true
		}
	}
	return false
}

func (s *search) typed(r Rel, types []TypeID) bool {
	name := s.x.g.Type(r)
	return slices.ContainsFunc(types, func(t TypeID) bool { return slices.Contains(s.x.g.Types(name), t) })
}

// shortest matches the shortest paths between two nodes that are filled, or one of them.
func (s *search) shortest(e *edgeVar, start Node, next func() error) error {
	goal, ok, err := nodeIn(s.r[s.m.nodes[e.to].slot])
	if !ok {
		return err
	}
	type step struct {
		rel  Rel
		from Node
	}
	before := map[Node][]step{start: nil}
	depth := map[Node]int{start: 0}
	layer := []Node{start}
	found := start == goal && e.Least == 0
	for d := 1; !found && len(layer) > 0 && (e.Most < 0 || d <= e.Most); d++ {
		var ahead []Node
		for _, n := range layer {
			for r, m := range s.around(n, e.Out, e.In, e.types) {
				if err := s.x.tick(); err != nil {
					return err
				}
				at, seen := depth[m]
				if seen && at < d {
					continue
				}
				if ok, err := s.each(e, r); err != nil {
					return err
				} else if !ok {
					continue
				}
				if !seen {
					depth[m] = d
					ahead = append(ahead, m)
				}
				before[m] = append(before[m], step{r, n})
				found = found || m == goal
			}
		}
		layer = ahead
	}
	if !found || depth[goal] < e.Least {
		return nil
	}
	var rels []Rel
	var back func(n Node) error
	back = func(n Node) error {
		if n == start {
			list := relList(rels)
			slices.Reverse(list)
			s.r[e.slot] = list
			trail, before := s.r[0], len(s.used)
			s.used = append(s.used, rels...)
			err := next()
			s.used = s.used[:before]
			s.r[0] = trail
			if err == nil && !e.all {
				return errStop
			}
			return err
		}
		for _, p := range before[n] {
			rels = append(rels, p.rel)
			err := back(p.from)
			rels = rels[:len(rels)-1]
			if err != nil {
				return err
			}
		}
		return nil
	}
	if err := back(goal); err != nil && (e.all || !errors.Is(err, errStop)) {
		return err
	}
	return nil
}

// walk puts a named path together.
func (s *search) walk(p *pathVar) any {
	at, ok, _ := nodeIn(s.r[s.m.nodes[p.start].slot])
	if !ok {
		return nil
	}
	w := Walk{Nodes: []Node{at}}
	step := func(r Rel) {
		from, to := s.x.g.Ends(r)
		if at == from {
			at = to
		} else {
			at = from
		}
		w.Rels, w.Nodes = append(w.Rels, r), append(w.Nodes, at)
	}
	for _, e := range p.edges {
		switch v := s.r[s.m.edges[e].slot].(type) {
		case Rel:
			step(v)
		case List:
			for _, r := range v {
				if r, ok := r.(Rel); ok {
					step(r)
				}
			}
		}
	}
	return w
}
