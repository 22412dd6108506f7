package match

import (
	"math"
	"math/bits"
	"slices"

	"cairn/engine/kg"
)

// whole lets narrowing look at as many triples as there are.
const whole = math.MaxInt

// cheap is how many triples narrowing may look at before bindings are looked for: about
// a millisecond of work, or a part of what there is.
func (s *search) cheap() int { return min(1<<17, s.budget/4) }

// narrow shrinks the candidates of every node to those that agree with those of its
// neighbours one by one, as far as budget goes: first outwards from the nodes with the
// fewest, then inwards to root, or to the node with the fewest where root is -1. It
// reports whether every node has candidates left.
//
// With budget whole every node has a list in the end; then, without cycles, each entity
// of root's is part of a binding, but for nodes that may not share an entity.
func (s *search) narrow(root, budget int) bool {
	s.left = budget
	for i := range s.nodes {
		if !s.settle(i) {
			return false
		}
	}
	for _, part := range s.parts(root) {
		if !slices.ContainsFunc(part, func(n int) bool { return !s.nodes[n].all }) && !s.begin(part) {
			return false
		}
	}
	used := make([]bool, len(s.bonds))
	for i := range s.nodes {
		if n := &s.nodes[i]; budget != whole && n.all && n.keep == nil && n.loop < 0 && len(n.bonds) == 1 {
			used[n.bonds[0]] = true // to list what nothing else is asked of saves nothing
		}
	}
	for {
		b, from := s.rarest(used)
		if b < 0 {
			if budget == whole && s.seed(root) {
				continue
			}
			break
		}
		used[b] = true
		if !s.restrict(&s.bonds[b], from) {
			return false
		}
	}
	for i := range s.nodes {
		if n := &s.nodes[i]; !n.all && len(n.ids) == 0 {
			return false
		}
	}
	return !slices.ContainsFunc(s.parts(root), func(part []int) bool { return !s.inwards(part) })
}

// rarest returns the bond not used yet with the fewest candidates at one of its ends,
// and that end; -1 where no bond has any.
func (s *search) rarest(used []bool) (bond, from int) {
	bond = -1
	least := s.g.Entities() + 1
	for i := range s.bonds {
		b := &s.bonds[i]
		if used[i] || b.u == b.w {
			continue
		}
		for _, end := range [2]int{b.u, b.w} {
			if n := &s.nodes[end]; !n.all && len(n.ids) < least {
				bond, from, least = i, end, len(n.ids)
			}
		}
	}
	return bond, from
}

// begin lists the candidates of one node of a part that has no list: of the one of which
// the relations of an edge leave the fewest. It reports whether it has any.
func (s *search) begin(part []int) bool {
	at, edge, least := -1, (*Edge)(nil), s.g.Entities()
	for _, n := range part {
		for i := range s.q.Edges {
			e := &s.q.Edges[i]
			if e.Relations == nil || e.From != n && e.To != n {
				continue
			}
			if _, size := e.having(s.g, n); size < least {
				at, edge, least = n, e, size
			}
		}
	}
	if at < 0 {
		return true
	}
	x := &s.nodes[at]
	x.set = set{ids: edge.Having(s.g, at)}
	x.version++
	return s.settle(at)
}

// Having returns the entities that the relations of an edge leave node n, one of its ends,
// ascending. The edge has relations.
func (e *Edge) Having(g *kg.Graph, n int) []kg.EntityID {
	lists, _ := e.having(g, n)
	if len(lists) == 1 {
		return lists[0]
	}
	ids := slices.Concat(lists...)
	return kg.Distinct(ids)
}

// having is Having, a list for each relation and direction, and how many they are together.
func (e *Edge) having(g *kg.Graph, n int) (lists [][]kg.EntityID, size int) {
	add := func(list []kg.EntityID) { lists, size = append(lists, list), size+len(list) }
	for _, r := range e.Relations {
		if e.From == n || e.Either {
			add(g.Heads(r))
		}
		if e.To == n || e.Either {
			add(g.Tails(r))
		}
	}
	return lists, size
}

// seed lists the candidates of root, or else of the first node that has no list. It
// reports whether there was one.
func (s *search) seed(root int) bool {
	if root < 0 || !s.nodes[root].all {
		root = slices.IndexFunc(s.nodes, func(n node) bool { return n.all })
	}
	if root < 0 {
		return false
	}
	ids := []kg.EntityID{}
	for e := range kg.EntityID(s.g.Entities()) {
		if !s.work(1) {
			break
		}
		if s.allows(root, e) {
			ids = append(ids, e)
		}
	}
	s.list(root, ids)
	return true
}

// list makes ids, candidates of the node that it allows, all that it has.
func (s *search) list(n int, ids []kg.EntityID) {
	x := &s.nodes[n]
	x.keep = nil
	if x.all || len(ids) != len(x.ids) {
		x.set = set{ids: ids}
		x.version++
	}
	if len(ids) == 1 {
		s.single |= 1 << n
	}
}

// settle drops the candidates of a list that the node itself does not allow. It reports
// whether some are left.
func (s *search) settle(n int) bool {
	x := &s.nodes[n]
	if x.all {
		return true
	}
	if x.keep == nil && x.loop < 0 && x.distinct&s.single == 0 {
		s.list(n, x.ids)
		return len(x.ids) > 0
	}
	const dear = 8 // an entity that is looked at costs as much as some triples
	if len(x.ids) > s.left/dear {
		return true
	}
	s.left -= len(x.ids) * dear
	ids := make([]kg.EntityID, 0, len(x.ids))
	for _, e := range x.ids {
		if s.allows(n, e) {
			ids = append(ids, e)
		}
		if !s.work(1) {
			return false
		}
	}
	s.list(n, ids)
	return len(ids) > 0
}

// allows reports whether the node may be bound to e, one of its candidates, as far as e
// alone tells.
func (s *search) allows(n int, e kg.EntityID) bool {
	x := &s.nodes[n]
	if x.keep != nil && !x.keep(e) || x.loop >= 0 && !s.joins(&s.bonds[x.loop], e, e) {
		return false
	}
	for m := x.distinct & s.single; m != 0; m &= m - 1 {
		if s.nodes[bits.TrailingZeros64(m)].ids[0] == e {
			return false
		}
	}
	return true
}

// inwards narrows the nodes of a part, which come outwards from its first, each by those
// that lie further out. It reports whether candidates are left.
func (s *search) inwards(part []int) bool {
	for i := len(part) - 1; i > 0; i-- {
		n := part[i]
		if s.nodes[n].all {
			continue
		}
		for _, bi := range s.nodes[n].bonds {
			if b := &s.bonds[bi]; slices.Contains(part[:i], b.other(n)) && !s.restrict(b, n) {
				return false
			}
		}
	}
	return true
}

// restrict narrows the node at the far end of b from a node that has a list: from the
// side that has less to look at, or not at all where that is over budget. It reports
// whether candidates are left.
func (s *search) restrict(b *bond, from int) bool {
	to := b.other(from)
	m, n := &s.nodes[from], &s.nodes[to]
	side := 0
	if from != b.u {
		side = 1
	}
	if b.agrees[side] == m.version {
		return true // it has been, and the list is the same
	}
	if n.all {
		if !s.flood(b, from) {
			return !s.halted
		}
	} else {
		there := s.reach(b, from, s.left)
		back := s.reach(b, to, min(there, s.left))
		if min(there, back) > s.left || s.halted {
			return !s.halted
		}
		if there <= back {
			s.flood(b, from)
		} else {
			s.left -= back
			s.probe(b, from)
		}
	}
	b.agrees[side] = m.version
	return len(n.ids) > 0 && !s.halted
}

// reach counts the triples that lead over b from the candidates of its end n, or a
// little more than most where there are more.
func (s *search) reach(b *bond, n, most int) (size int) {
	for _, e := range s.nodes[n].ids {
		if size += 1 + s.gather(b, n, e); size > most || s.halted {
			break
		}
	}
	return size
}

// probe keeps those candidates at the far end that lead to one of from's.
func (s *search) probe(b *bond, from int) {
	to := b.other(from)
	m := &s.nodes[from]
	sure := len(b.edges) == 1 && !b.hard
	var kept []kg.EntityID
	var e kg.EntityID
	does := func(x kg.EntityID) bool { return m.has(x, s.g) && (sure || s.pair(b, to, e, x)) }
	for _, e = range s.nodes[to].ids {
		if s.halted {
			break
		}
		s.gather(b, to, e)
		if s.leads(b, does) && s.allows(to, e) {
			kept = append(kept, e)
		}
	}
	s.list(to, kept)
}

// leads reports whether b leads from the entity that it was gathered for to one that
// does.
func (s *search) leads(b *bond, does func(kg.EntityID) bool) bool {
	for _, run := range b.shortest().runs {
		for _, x := range run {
			if !s.work(1) {
				return false
			}
			if does(x.Entity) {
				return true
			}
		}
	}
	return false
}

// shortest returns the fan of b with the fewest triples.
func (b *bond) shortest() *fan {
	least := &b.fans[0]
	for i := range b.fans {
		if f := &b.fans[i]; f.size < least.size {
			least = f
		}
	}
	return least
}

// flood makes those that from's candidates lead to the candidates at the far end. It
// gives up, and reports so, where they are too many to look at.
func (s *search) flood(b *bond, from int) bool {
	const short = 4096 // are sorted as quickly as marked
	to := b.other(from)
	n := &s.nodes[to]
	sure := len(b.edges) == 1 && !b.hard
	marking := false
	before := s.left
	var out []kg.EntityID
	var e kg.EntityID
	take := func(x kg.EntityID) bool {
		if marking && s.marks.has(x) || !n.has(x, s.g) || !s.allows(to, x) || !sure && !s.pair(b, from, e, x) {
			return false
		}
		if out = append(out, x); marking {
			s.marks.add(x)
		} else if len(out) == short {
			if marking = true; s.marks == nil {
				s.marks = make(marks, s.g.Entities()/64+1)
			}
			out = s.marks.addAll(out)
		}
		return false
	}
	for _, e = range s.nodes[from].ids {
		if s.left -= 1 + s.gather(b, from, e); s.left < 0 || s.halted {
			break
		}
		s.leads(b, take)
	}
	if marking {
		out = s.marks.drain(out)
	} else {
		out = kg.Distinct(out)
	}
	if s.left < 0 || s.halted {
		s.left = before / 2 // for those that are not too many
		return false
	}
	s.list(to, out)
	return true
}

// mayClash reports whether two nodes that may not share an entity have one in common.
func (s *search) mayClash() bool {
	for i := range s.nodes {
		for j := range i {
			if s.nodes[i].distinct>>j&1 != 0 && !disjoint(s.nodes[i].ids, s.nodes[j].ids) {
				return true
			}
		}
	}
	return false
}
