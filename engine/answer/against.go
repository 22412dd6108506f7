package answer

import (
	"fmt"
	"slices"

	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/say"
)

// Against lists what of a graph speaks against triples: another value where the relation has
// one only, the opposite of the same two things, and what is said of a later time. Statements
// that are of different times do not clash.
func Against(g *kg.Graph, triples []kg.TripleID) []evidence.Against {
	s := singles{g: g, known: map[kg.RelationID][2]share{}}
	var out []evidence.Against
	for _, t := range triples {
		x := g.Triple(t)
		for r, edges := range g.RelationsOut(x.Head) {
			for _, e := range edges {
				if e.Entity == x.Tail && lexicon.Opposed(lexicon.RelationWords(g.RelationKey(x.Relation)), lexicon.RelationWords(g.RelationKey(r))) {
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
			reason := fmt.Sprintf("“%s” has a single value for %.0f%% of the %d entities that have it.", say.Readable(g.RelationText(x.Relation)), 100*float64(n.single)/float64(n.all), n.all)
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
