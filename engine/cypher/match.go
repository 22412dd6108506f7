package cypher

import (
	"cmp"
	"errors"
	"iter"
	"slices"
)

// errStop ends a search that has found enough.
var errStop = errors.New("enough was found")

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
			list := listOf(rels)
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
			list := listOf(rels)
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
