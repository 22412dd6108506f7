package match

import "cairn/engine/kg"

// parts returns the connected parts of the query, the nodes of each outwards from its
// first: from root, or else from the one with the fewest candidates.
func (s *search) parts(root int) (parts [][]int) {
	var seen uint64
	for seen != 1<<len(s.nodes)-1 {
		first := root
		if root < 0 || seen>>root&1 != 0 {
			first = -1
			for i := range s.nodes {
				if seen>>i&1 == 0 && (first < 0 || s.nodes[i].size(s.g) < s.nodes[first].size(s.g)) {
					first = i
				}
			}
		}
		part := []int{first}
		seen |= 1 << first
		for i := 0; i < len(part); i++ {
			for _, bi := range s.nodes[part[i]].bonds {
				if o := s.bonds[bi].other(part[i]); seen>>o&1 == 0 {
					seen |= 1 << o
					part = append(part, o)
				}
			}
		}
		parts = append(parts, part)
	}
	return parts
}

// acyclic reports whether no two nodes are joined in two ways, over different nodes.
func (s *search) acyclic() bool {
	bonds := 0
	for i := range s.bonds {
		if s.bonds[i].u != s.bonds[i].w {
			bonds++
		}
	}
	return bonds == len(s.nodes)-len(s.parts(-1))
}

// realisable reports whether every part of a query of several has a binding by itself:
// else each binding of one would be tried against another that has none.
func (s *search) realisable() bool {
	parts := s.parts(-1)
	if len(parts) == 1 {
		return true
	}
	found, all := s.found, uint64(1)<<len(s.nodes)-1
	s.found = func() bool { return false }
	defer func() {
		s.found, s.halted, s.bound, s.filled, s.stats.Found = found, s.err != nil, 0, 0, 0
	}()
	for i := range s.binding.Nodes {
		s.binding.Nodes[i] = kg.NoEntity
	}
	for _, part := range parts {
		s.bound, s.stats.Found, s.halted = all, 0, s.err != nil
		for _, n := range part {
			s.bound &^= 1 << n
			s.binding.Nodes[n] = kg.NoEntity
		}
		if s.extend(len(s.nodes) - len(part)); s.stats.Found == 0 {
			return false
		}
		for _, n := range part {
			s.binding.Nodes[n] = kg.NoEntity
		}
	}
	return true
}
