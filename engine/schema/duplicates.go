package schema

import (
	"cmp"
	"context"
	"slices"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
)

const (
	// duplicateShare is the share of the larger relation's triples that must be
	// in the other for the two to say the same.
	duplicateShare = 0.95
	// duplicateMin is how many triples a relation must have for a coincidence
	// to be out of the question, unless its name says that it is an inverse.
	duplicateMin = 20
	// duplicateSample is how many triples are compared before all are.
	duplicateSample = 64
)

// findDuplicates fills canonical and twins: of relations that say the same, or
// the same backwards, one is kept. That is the one with more triples, then the
// one with the shorter name, then the lower id.
func (s *Schema) findDuplicates(ctx context.Context) error {
	triples := byRelation(s.g)
	order, names := make([]kg.RelationID, s.g.Relations()), make([]lexicon.RelationName, s.g.Relations())
	for r := range order {
		order[r], names[r] = kg.RelationID(r), lexicon.ParseRelation(s.g.RelationName(kg.RelationID(r)))
	}
	slices.SortFunc(order, func(a, b kg.RelationID) int {
		return cmp.Or(
			cmp.Compare(len(triples[b]), len(triples[a])),
			cmp.Compare(len(s.g.RelationKey(a)), len(s.g.RelationKey(b))),
			cmp.Compare(a, b))
	})
	for i, r := range order {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.canonical[Forward(r)], s.canonical[Forward(r).Back()] = Forward(r), Forward(r).Back()
		s.twins[r] = []kg.RelationID{r}
		n := len(triples[r])
		// order is by size, so that the relations to compare with stand directly
		// before: those at most 1/duplicateShare times as large.
		for j := i - 1; j >= 0 && duplicateShare*float64(len(triples[order[j]])) <= float64(n); j-- {
			kept := order[j]
			if !s.IsKept(kept) || n == 0 || s.g.IsSymmetric(r) != s.g.IsSymmetric(kept) {
				continue
			}
			enough := n > duplicateMin || isNamedInverse(names[r], names[kept])
			if enough && s.isContained(triples[r], kept, true) {
				s.canonical[Forward(r)], s.canonical[Forward(r).Back()] = s.canonical[Forward(kept).Back()], Forward(kept)
				s.twins[r] = nil
				break
			}
			if n > duplicateMin && s.isContained(triples[r], kept, false) {
				s.canonical[Forward(r)], s.canonical[Forward(r).Back()] = Forward(kept), s.canonical[Forward(kept).Back()]
				s.twins[kept], s.twins[r] = append(s.twins[kept], r), nil
				break
			}
		}
		if s.IsKept(r) && (s.g.IsSymmetric(r) || n > duplicateMin && s.isContained(triples[r], r, true)) {
			s.canonical[Forward(r).Back()] = Forward(r) // it says the same in both directions
		}
	}
	return nil
}

// byRelation returns the triples of each relation, ascending, in one array.
func byRelation(g *kg.Graph) [][]kg.TripleID {
	ends := make([]int, g.Relations()+1)
	for t := range g.Live() {
		ends[g.Triple(t).Relation+1]++
	}
	all, triples := make([]kg.TripleID, g.Triples()), make([][]kg.TripleID, g.Relations())
	for r := range triples {
		triples[r] = all[ends[r] : ends[r] : ends[r]+ends[r+1]]
		ends[r+1] += ends[r]
	}
	for t := range g.Live() {
		r := g.Triple(t).Relation
		triples[r] = append(triples[r], t)
	}
	return triples
}

// isNamedInverse reports whether the name of one relation says that it is the
// other read backwards.
func isNamedInverse(a, b lexicon.RelationName) bool {
	return a.Inverse != b.Inverse && slices.Equal(a.Property, b.Property)
}

// isContained reports whether duplicateShare of the triples are also triples of
// r, turned round where turn says so.
func (s *Schema) isContained(triples []kg.TripleID, r kg.RelationID, turn bool) bool {
	allowed := len(triples) - int(duplicateShare*float64(len(triples)))
	missing := 0
	stride := max(1, len(triples)/duplicateSample)
	for pass := range 2 { // a sample first, then all
		if pass == 1 {
			missing, stride = 0, 1
		}
		for i := 0; i < len(triples); i += stride {
			t := s.g.Triple(triples[i])
			t.Relation = r
			if turn {
				t.Head, t.Tail = t.Tail, t.Head
			}
			if _, ok := s.g.Find(t); !ok {
				if missing++; missing > allowed || pass == 0 && missing*4 > duplicateSample {
					return false
				}
			}
		}
	}
	return true
}
