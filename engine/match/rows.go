package match

import (
	"slices"

	"cairn/engine/kg"
)

// fan is where an edge leads from a bound entity: stretches of the graph's rows, each
// of one relation and direction, ascending by neighbour.
type fan struct {
	runs [][]kg.Edge
	size int // triples
}

func (f *fan) add(run []kg.Edge) {
	if len(run) > 0 {
		f.runs = append(f.runs, run)
		f.size += len(run)
	}
}

// gather makes the fan of edge e from its end n, bound to a.
func (f *fan) gather(g *kg.Graph, e *Edge, n int, a kg.EntityID) {
	f.runs, f.size = f.runs[:0], 0
	out, in := e.From == n || e.Either, e.To == n || e.Either
	if e.Relations != nil && len(e.Relations) <= few {
		for _, r := range e.Relations {
			if out {
				f.add(g.OutBy(a, r))
			}
			if in {
				f.add(g.InBy(a, r))
			}
		}
		return
	}
	if out {
		for r, run := range g.RelationsOut(a) {
			if e.has(r) {
				f.add(run)
			}
		}
	}
	if in {
		for r, run := range g.RelationsIn(a) {
			if e.has(r) {
				f.add(run)
			}
		}
	}
}

// has reports whether a triple of the edge may have relation r.
func (e *Edge) has(r kg.RelationID) bool {
	if e.Relations == nil {
		return true
	}
	return kg.Holds(e.Relations, r)
}

// leapIDs is kg.Leap for a list of entities.
func leapIDs(ids []kg.EntityID, e kg.EntityID) []kg.EntityID {
	if len(ids) == 0 || ids[0] >= e {
		return ids
	}
	known, step := 0, 1
	for known+step < len(ids) && ids[known+step] < e {
		known += step
		step *= 2
	}
	lo, _ := slices.BinarySearch(ids[known+1:min(known+step, len(ids))], e)
	return ids[known+1+lo:]
}

// joins reports whether the edges of b have triples between u and w, the entities of
// its ends, and gives them to the binding: the lowest, in the order of the edges.
func (s *search) joins(b *bond, u, w kg.EntityID) bool {
	if len(b.edges) == 1 || s.q.SharedTriples {
		for _, ei := range b.edges {
			e := &s.q.Edges[ei]
			from, to := b.along(e, u, w)
			if s.binding.Edges[ei] = s.lowest(e, from, to); s.binding.Edges[ei] == kg.NoTriple {
				return false
			}
		}
		return true
	}
	for i, ei := range b.edges {
		e := &s.q.Edges[ei]
		from, to := b.along(e, u, w)
		if b.options[i] = e.Between(s.g, b.options[i][:0], from, to); len(b.options[i]) == 0 {
			return false
		}
		slices.Sort(b.options[i])
	}
	return s.assign(b, 0)
}

// along returns the entities of b's ends in the order of its edge's.
func (b *bond) along(e *Edge, u, w kg.EntityID) (from, to kg.EntityID) {
	if e.From != b.u {
		return w, u
	}
	return u, w
}

// pair is joins with the entity of end n first.
func (s *search) pair(b *bond, n int, e, other kg.EntityID) bool {
	if b.u != n {
		e, other = other, e
	}
	return s.joins(b, e, other)
}

// assign chooses different triples for the edges of b from the ith on. Patterns have
// two or three edges between two nodes, so it tries everything.
func (s *search) assign(b *bond, i int) bool {
	if i == len(b.edges) {
		return true
	}
next:
	for _, t := range b.options[i] {
		for _, ei := range b.edges[:i] {
			if s.binding.Edges[ei] == t {
				continue next
			}
		}
		s.binding.Edges[b.edges[i]] = t
		if s.work(1) && s.assign(b, i+1) {
			return true
		}
	}
	return false
}

// lowest returns the lowest triple that e may take between two entities, or NoTriple.
func (s *search) lowest(e *Edge, from, to kg.EntityID) kg.TripleID {
	best := kg.NoTriple
	s.taken = e.Between(s.g, s.taken[:0], from, to)
	for _, t := range s.taken {
		best = min(best, t)
	}
	return best
}

// Between appends the triples that an edge may take between two entities, in no order.
func (e *Edge) Between(g *kg.Graph, list []kg.TripleID, from, to kg.EntityID) []kg.TripleID {
	begin := len(list)
	list = e.directed(g, list, from, to)
	if e.Either && from != to {
		list = e.directed(g, list, to, from)
	}
	if e.Keep == nil {
		return list
	}
	kept := list[:begin]
	for _, t := range list[begin:] {
		if e.Keep(t) {
			kept = append(kept, t)
		}
	}
	return kept
}

// directed appends the triples from head to tail that have a relation of e.
func (e *Edge) directed(g *kg.Graph, list []kg.TripleID, head, tail kg.EntityID) []kg.TripleID {
	const short = 64 // edges, which are searched without asking for fewer at the other end
	if e.Relations != nil && len(e.Relations) <= few {
		for _, r := range e.Relations {
			run, end := g.OutBy(head, r), tail
			if len(run) > short {
				if in := g.InBy(tail, r); len(in) < len(run) {
					run, end = in, head
				}
			}
			list = pick(list, run, end)
		}
		return list
	}
	if len(g.Out(head)) <= len(g.In(tail)) {
		for r, run := range g.RelationsOut(head) {
			if e.has(r) {
				list = pick(list, run, tail)
			}
		}
		return list
	}
	for r, run := range g.RelationsIn(tail) {
		if e.has(r) {
			list = pick(list, run, head)
		}
	}
	return list
}

// pick appends the triples of a run that lead to e.
func pick(list []kg.TripleID, run []kg.Edge, e kg.EntityID) []kg.TripleID {
	for run = kg.Leap(run, e); len(run) > 0 && run[0].Entity == e; run = run[1:] {
		list = append(list, run[0].Triple)
	}
	return list
}
