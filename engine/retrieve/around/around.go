// Package around holds what the methods share that rank triples one by one: the triples
// around what a question names, where each of them leads to, and the path to it.
//
//	seeds ─gnnrag.Cutter─▶ Region ─In─▶ Triples ─a score for each─▶ the best ─Leads, Path─▶ answers with evidence
package around

import (
	"slices"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/retrieve/gnnrag"
)

// Triples are the triples of a region, with how far they lie from the seeds.
type Triples struct {
	*gnnrag.Region
	// Far[i] is how many triples lie between the nearest seed and the entity with local id
	// i, whatever their direction; -1 where none of the region lead there.
	Far []int32
}

// In measures how far the entities of a region lie from its seeds.
func In(r *gnnrag.Region) Triples {
	t := Triples{Region: r, Far: make([]int32, len(r.Entities))}
	for i := r.Seeds; i < len(t.Far); i++ {
		t.Far[i] = -1
	}
	for hop, met := int32(1), true; met; hop++ {
		met = false
		reach := func(from, to int32) {
			if t.Far[from] == hop-1 && t.Far[to] < 0 {
				t.Far[to], met = hop, true
			}
		}
		for _, f := range r.Facts {
			reach(f.Head, f.Tail)
			reach(f.Tail, f.Head)
		}
	}
	return t
}

// Lead is where a triple leads to, away from the seeds, in local ids.
type Lead struct{ From, To int32 }

// Leads are where a triple leads to: from its nearer end to the farther one, both ways
// where both are equally far. None leads to a seed.
func (t Triples) Leads(f gnnrag.Fact) []Lead {
	a, b := f.Head, f.Tail
	switch near, far := t.Far[a], t.Far[b]; {
	case a == b || near < 0 || near == 0 && far == 0:
		return nil
	case near < far:
		return []Lead{{a, b}}
	case far < near:
		return []Lead{{b, a}}
	}
	return []Lead{{a, b}, {b, a}}
}

// Back says of each entity which triple leads to it, as an index of Facts: of those that
// come one hop nearer to a seed the one with the highest score; -1 for none.
func (t Triples) Back(scores []float64) []int32 {
	back := make([]int32, len(t.Far))
	for i := range back {
		back[i] = -1
	}
	for i, f := range t.Facts {
		for _, l := range t.Leads(f) {
			if at := back[l.To]; t.Far[l.From] < t.Far[l.To] && (at < 0 || scores[i] > scores[at]) {
				back[l.To] = int32(i)
			}
		}
	}
	return back
}

// Path is the way from a seed over what Back says to a lead of fact, and over that.
func (t Triples) Path(l Lead, fact gnnrag.Fact, back []int32, source string) evidence.Candidate {
	nodes, hops := []kg.EntityID{t.Entities[l.To]}, [][]kg.TripleID{{fact.Triple}}
	at := l.From
	for back[at] >= 0 {
		f := t.Facts[back[at]]
		nodes, hops = append(nodes, t.Entities[at]), append(hops, []kg.TripleID{f.Triple})
		at = f.Head + f.Tail - at
	}
	nodes = append(nodes, t.Entities[at])
	slices.Reverse(nodes)
	slices.Reverse(hops)
	return evidence.Path(nodes, hops, source)
}
