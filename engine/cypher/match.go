package cypher

import (
	"cmp"
	"iter"
	"slices"
)

// search is a pattern that is being matched.
type search struct {
	x     *exec
	m     *matchPlan
	r     row
	at    []Node // by number, those that are filled
	used  []Rel
	steps []Step // those at the nodes on the way, which are still to be followed
	lent  trail  // of the match
	emit  func(row) bool
}

// match calls emit for every way in which the pattern matches, until it wants no more; so
// do those below, which report whether more is wanted. The row is used again.
func (m *matchPlan) match(x *exec, r row, emit func(row) bool) bool {
	for i := range m.edges {
		if e := &m.edges[i]; e.none && e.Least > 0 {
			return true
		}
	}
	for i := range m.nodes {
		if m.nodes[i].none {
			return true
		}
	}
	s := m.idle
	if m.idle = nil; s == nil || s.x != x {
		s = &search{x: x, m: m, at: make([]Node, len(m.nodes))}
	}
	s.r, s.emit, s.used, s.steps = r, emit, s.used[:0], s.steps[:0]
	more := s.step(0)
	m.idle = s
	return more
}

func (s *search) step(i int) bool {
	if i == len(s.m.ops) {
		return s.matched()
	}
	o := &s.m.ops[i]
	trail := s.r[0]
	more := true
	switch {
	case o.edge >= 0:
		more = s.follow(i, o)
	case o.node < 0:
		more = s.pass(i, o)
	case s.m.nodes[o.node].bound:
		var ok bool
		if s.at[o.node], ok = nodeIn(s.r[s.m.nodes[o.node].slot]); ok && s.fits(o.node, s.at[o.node]) {
			more = s.pass(i, o)
		}
	default:
		for node := range s.starts(o) {
			s.x.tick()
			if !s.fits(o.node, node) {
				continue
			}
			s.at[o.node] = node
			if more = s.pass(i, o); !more {
				break
			}
			s.r[0] = trail
		}
	}
	s.r[0] = trail
	return more
}

// pass goes on behind op i, where what it filled meets the conditions.
func (s *search) pass(i int, o *op) bool {
	s.x.tick()
	return !s.holds(o.conditions) || s.step(i+1)
}

// matched passes a match on.
func (s *search) matched() bool {
	s.write()
	for i := range s.m.paths {
		s.r[s.m.paths[i].slot] = s.walk(&s.m.paths[i])
	}
	if !s.holds(s.m.last) {
		return true
	}
	if len(s.used) > 0 {
		before, _ := s.r[0].(*trail)
		s.lent = trail{rels: s.used, before: before, lent: true}
		s.r[0] = &s.lent
	}
	return s.emit(s.r)
}

// write writes nodes into the row, before anything reads it.
func (s *search) write() {
	for i := range s.m.nodes {
		v := &s.m.nodes[i]
		if v.unread || v.bound {
			continue
		}
		if n, ok := s.r[v.slot].(Node); !ok || n != s.at[i] {
			s.r[v.slot] = s.at[i]
		}
	}
}

func (s *search) holds(all []condition) bool {
	if len(all) > 0 {
		s.write()
	}
	return !slices.ContainsFunc(all, func(k condition) bool { return truth(k.is(s.x, s.r)) != true })
}

// nodeIn returns the node that a slot has; nothing matches null.
func nodeIn(v any) (Node, bool) {
	switch v := v.(type) {
	case nil:
		return 0, false
	case Node:
		return v, true
	}
	panic(wrongType("InvalidArgumentType", "expected a node, found %s", kindOf(v)))
}

// fits reports whether a node has the labels that are asked for.
func (s *search) fits(n int, node Node) bool {
	return len(s.m.nodes[n].labels) == 0 || !slices.ContainsFunc(s.m.nodes[n].labels, func(l LabelID) bool { return !s.x.g.HasLabel(node, l) })
}

// starts walks the nodes at which a search may begin.
func (s *search) starts(o *op) iter.Seq[Node] {
	n := &s.m.nodes[o.node]
	if k := o.seek; k != nil {
		s.write()
		v := k.value(s.x, s.r)
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
		return slices.Values(slices.Compact(nodes))
	}
	if len(n.labels) > 0 {
		return s.x.g.NodesOf(slices.MinFunc(n.labels, func(a, b LabelID) int { return cmp.Compare(s.x.g.Size(a), s.x.g.Size(b)) }))
	}
	return s.x.g.Nodes()
}

// follow fills an edge, and the node at its other end where that is open.
func (s *search) follow(i int, o *op) bool {
	e := &s.m.edges[o.edge]
	if e.bound {
		return s.given(e, o, func() bool { return s.pass(i, o) })
	}
	here, there := e.from, e.to
	out, in := e.Out, e.In
	if o.back {
		here, there, out, in = there, here, in, out
	}
	start := s.at[here]
	switch {
	case e.shortest:
		return s.shortest(e, start, func() bool { return s.pass(i, o) })
	case e.reach:
		return s.reach(e, start, out, in, func(n Node) bool { return s.arrive(i, o, there, n) })
	case e.Many:
		return s.wander(e, start, out, in, o.back, func(n Node) bool { return s.arrive(i, o, there, n) })
	}
	from, to := s.around(start, out, in, e.types)
	defer s.leave(from)
	for k := from; k < to; k++ {
		s.x.tick()
		step := s.steps[k]
		if slices.Contains(s.used, step.Rel) {
			continue
		}
		if !e.unread {
			s.r[e.slot] = step.Rel
		}
		s.used = append(s.used, step.Rel)
		more := s.arrive(i, o, there, step.To)
		s.used = s.used[:len(s.used)-1]
		if !more {
			return false
		}
	}
	return true
}

// arrive goes on behind op i at the end of its edge.
func (s *search) arrive(i int, o *op, there int, node Node) bool {
	switch {
	case o.node >= 0:
		if !s.fits(there, node) {
			return true
		}
		s.at[there] = node
	case s.at[there] != node:
		return true
	}
	trail := s.r[0]
	more := s.pass(i, o)
	s.r[0] = trail
	return more
}

// around lists the relationships at a node, from one place of s.steps to another; a loop
// comes once. leave takes them away.
func (s *search) around(n Node, out, in bool, types []TypeID) (from, to int) {
	from = len(s.steps)
	if out {
		s.steps = s.x.g.Expand(s.steps, n, true, types)
	}
	if in {
		middle := len(s.steps)
		s.steps = s.x.g.Expand(s.steps, n, false, types)
		if out {
			entering := slices.DeleteFunc(s.steps[middle:], func(x Step) bool { return x.To == n })
			s.steps = s.steps[:middle+len(entering)]
		}
	}
	return from, len(s.steps)
}

func (s *search) leave(from int) { s.steps = s.steps[:from] }

// wander follows paths of relationships, none twice.
func (s *search) wander(e *edgeVar, start Node, out, in, back bool, arrive func(Node) bool) bool {
	var rels []Rel
	var visit func(n Node) bool
	visit = func(n Node) bool {
		if len(rels) >= e.Least {
			if !e.unread {
				list := listOf(rels)
				if back {
					slices.Reverse(list)
				}
				s.r[e.slot] = list
			}
			before := len(s.used)
			s.used = append(s.used, rels...)
			more := arrive(n)
			s.used = s.used[:before]
			if !more {
				return false
			}
		}
		if e.Most >= 0 && len(rels) >= e.Most || e.none {
			return true
		}
		trail := s.r[0]
		from, to := s.around(n, out, in, e.types)
		defer s.leave(from)
		for k := from; k < to; k++ {
			s.x.tick()
			r, m := s.steps[k].Rel, s.steps[k].To
			if slices.Contains(s.used, r) || slices.Contains(rels, r) || !s.each(e, r) {
				continue
			}
			rels = append(rels, r)
			more := visit(m)
			rels = rels[:len(rels)-1]
			s.r[0] = trail
			if !more {
				return false
			}
		}
		return true
	}
	return visit(start)
}

// each reports whether a relationship of a path is as every one of it must be.
func (s *search) each(e *edgeVar, r Rel) bool {
	if len(e.each) == 0 {
		return true
	}
	s.r[e.inner] = r
	return s.holds(e.each)
}

// reach visits every node that a path leads to, once. A way back to the start over the
// relationships of the way there is none: whether there is another is looked for last.
func (s *search) reach(e *edgeVar, start Node, out, in bool, arrive func(Node) bool) bool {
	both := out && in && e.Least == 1
	seen := map[Node]bool{start: both}
	layer := []Node{start}
	for depth := 0; len(layer) > 0; depth++ {
		if depth >= e.Least {
			for _, n := range layer {
				if !arrive(n) {
					return false
				}
			}
		}
		if e.Most >= 0 && depth >= e.Most || e.none {
			return true
		}
		var next []Node
		for _, n := range layer {
			from, to := s.around(n, out, in, e.types)
			for k := from; k < to; k++ {
				s.x.tick()
				step := s.steps[k]
				if !seen[step.To] && s.each(e, step.Rel) {
					seen[step.To] = true
					next = append(next, step.To)
				}
			}
			s.leave(from)
		}
		layer = next
	}
	return !both || s.wander(e, start, out, in, false, func(n Node) bool { return n != start || arrive(n) })
}

// given matches an edge whose relationships are known.
func (s *search) given(e *edgeVar, o *op, next func() bool) bool {
	v := s.r[e.slot]
	if v == nil {
		return true
	}
	list, ok := v.(List)
	if !ok {
		list = List{v}
	}
	var rels []Rel
	for _, x := range list {
		r, ok := x.(Rel)
		if !ok {
			panic(wrongType("InvalidArgumentType", "expected a relationship, found %s", kindOf(x)))
		}
		rels = append(rels, r)
	}
	if len(rels) < e.Least || e.Most >= 0 && len(rels) > e.Most {
		return true
	}
	for _, r := range rels {
		if slices.Contains(s.used, r) || len(e.types) > 0 && !s.typed(r, e.types) || !s.each(e, r) {
			return true
		}
	}
	before := len(s.used)
	s.used = append(s.used, rels...)
	defer func() { s.used = s.used[:before] }()
	try := func(start Node) bool {
		end := start
		for _, r := range rels {
			a, b := s.x.g.Ends(r)
			switch {
			case e.Out && a == end:
				end = b
			case e.In && b == end:
				end = a
			default:
				return true
			}
		}
		fill := func(n int, node Node) bool {
			if s.filled(o, n) {
				return s.at[n] == node
			}
			s.at[n] = node
			return s.fits(n, node)
		}
		return !fill(e.from, start) || !fill(e.to, end) || next()
	}
	if len(rels) == 0 {
		return !s.filled(o, e.from) || try(s.at[e.from])
	}
	a, b := s.x.g.Ends(rels[0])
	if e.Out && !try(a) {
		return false
	}
	return !e.In || e.Out && a == b || try(b)
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
func (s *search) shortest(e *edgeVar, start Node, next func() bool) bool {
	goal := s.at[e.to]
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
			from, to := s.around(n, e.Out, e.In, e.types)
			for k := from; k < to; k++ {
				s.x.tick()
				r, m := s.steps[k].Rel, s.steps[k].To
				at, seen := depth[m]
				if seen && at < d || !s.each(e, r) {
					continue
				}
				if !seen {
					depth[m] = d
					ahead = append(ahead, m)
				}
				before[m] = append(before[m], step{r, n})
				found = found || m == goal
			}
			s.leave(from)
		}
		layer = ahead
	}
	if !found || depth[goal] < e.Least {
		return true
	}
	var rels []Rel
	more := true
	var back func(n Node) (on bool)
	back = func(n Node) bool {
		if n == start {
			list := listOf(rels)
			slices.Reverse(list)
			s.r[e.slot] = list
			trail, before := s.r[0], len(s.used)
			s.used = append(s.used, rels...)
			more = next()
			s.used = s.used[:before]
			s.r[0] = trail
			return more && e.all
		}
		for _, p := range before[n] {
			rels = append(rels, p.rel)
			on := back(p.from)
			rels = rels[:len(rels)-1]
			if !on {
				return false
			}
		}
		return true
	}
	back(goal)
	return more
}

// walk puts a named path together.
func (s *search) walk(p *pathVar) any {
	at := s.at[p.start]
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
