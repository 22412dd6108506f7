package answer

import (
	"fmt"
	"slices"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/say"
	"cairn/internal/wording"
)

// Against lists what of a graph speaks against triples: another value where the relation has
// one only, the opposite of the same two things, and what is said of a later time. Statements
// that are of different times do not clash.
func Against(g *kg.Graph, triples []kg.TripleID) []evidence.Against {
	s := newSingles(g)
	var out []evidence.Against
	for _, t := range triples {
		x := g.Triple(t)
		for r, edges := range g.RelationsOut(x.Head) {
			for _, e := range edges {
				if e.Entity == x.Tail && lexicon.Opposed(lexicon.RelationWords(g.RelationName(x.Relation)), lexicon.RelationWords(g.RelationName(r))) {
					out = append(out, evidence.Against{Triple: e.Triple, Of: t, Reason: "It says the opposite."})
				}
			}
		}
		n := s.of(x.Relation, false)
		if !n.enough() {
			continue
		}
		for _, e := range g.Along(x.Head, x.Relation, false) {
			if slices.Contains(triples, e.Triple) || s.sameThing(e.Entity, []kg.EntityID{x.Tail}) {
				continue
			}
			reason := fmt.Sprintf("“%s” has a single value for %.0f%% of the %d entities that have it.", say.Readable(g.RelationText(x.Relation)), 100*n.part(), n.all)
			switch here, there := timesOf(g, t), timesOf(g, e.Triple); {
			case len(here) == 0 || len(there) == 0:
			case slices.Min(there) > slices.Max(here):
				reason = "It applies to a later time."
			default:
				continue
			}
			out = append(out, evidence.Against{Triple: e.Triple, Of: t, Reason: reason})
		}
	}
	return out
}

// timesOf returns the dates and years that the statements of a triple say, as years.
func timesOf(g *kg.Graph, t kg.TripleID) (years []float64) {
	const first, last = 1000, 2100 // what looks like a year
	for said := range g.Statements(t) {
		for _, p := range said {
			if v, ok := p.Extent(); ok && (v.Kind == kg.DateValue || v.Unit == "" && v.Number >= first && v.Number <= last) {
				years = append(years, v.Number)
			}
		}
	}
	return years
}

// SeveralOfOneName says in a sentence that one of some entities seems to be several things of one
// name: it has several numbers or dates by a relation of which nearly everything has one. (Things
// need not exclude each other: a place lies in another.) What is so at different times is no such
// value. Empty where none seems so.
func SeveralOfOneName(g *kg.Graph, es []kg.EntityID) string {
	s := newSingles(g)
	for _, e := range es {
		for r, edges := range g.RelationsOut(e) {
			differ := slices.ContainsFunc(edges, func(x kg.Edge) bool {
				return say.IsValue(g, x.Entity) && !s.sameThing(x.Entity, []kg.EntityID{edges[0].Entity})
			})
			dated := slices.ContainsFunc(edges, func(x kg.Edge) bool { return len(timesOf(g, x.Triple)) > 0 })
			if !differ || dated || g.IsSymmetric(r) {
				continue
			}
			if n := s.of(r, false); n.enough() {
				return fmt.Sprintf("%s may be several things of one name: it has %d values by “%s”, and %.0f%% of all have one.",
					wording.Quote(say.Name(g, e)), len(edges), say.Readable(g.RelationText(r)), 100*n.part())
			}
		}
	}
	return ""
}
