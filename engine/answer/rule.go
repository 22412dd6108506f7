package answer

import (
	"fmt"
	"slices"

	"cairn/engine/check"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/say"
	"cairn/internal/wording"
)

// byRule answers a claim that no triple says, but that follows from several by a rule: its
// relation goes on from thing to thing, and leads over others from the one name to the other. It
// is nil where there is no such rule, or where the last of the triples would not say the claim of
// what comes before it.
//
//	CML ─subtype of→ leukemia ─subtype of→ cancer     "CML is a subtype of cancer."
func byRule(g *kg.Graph, p *pattern.Pattern, claim *check.Claim) *Answer {
	if len(p.Edges) != 1 || len(p.Edges[0].Conditions) > 0 {
		return nil
	}
	e := p.Edges[0]
	heads, tails := p.Nodes[e.From].Entities, p.Nodes[e.To].Entities
	for _, r := range e.Fixed {
		if !lexicon.IsTransitive(lexicon.RelationWords(g.RelationKey(r))) {
			continue
		}
		for _, h := range heads {
			chain := chainOf(g, h, r, tails)
			if len(chain) < 2 {
				continue
			}
			last := chain[len(chain)-1]
			if claim.Unsaid([]kg.TripleID{last}, h, g.Triple(last).Head) != "" {
				continue
			}
			a := claimHolds(g, p, evidence.Candidate{Edges: chain})
			a.Sentences = append(a.Sentences, note(fmt.Sprintf("No triple says it by itself: it follows because %s goes on from thing to thing.",
				wording.Quote(say.Readable(g.RelationText(r))))))
			return a
		}
	}
	return nil
}

// chainOf returns the shortest chain of triples of a relation from a thing to one of some
// others; nil for none that is found within ruleLooked things.
func chainOf(g *kg.Graph, from kg.EntityID, r kg.RelationID, to []kg.EntityID) []kg.TripleID {
	const ruleLooked = 100_000
	by := map[kg.EntityID]kg.TripleID{from: kg.NoTriple}
	for todo := []kg.EntityID{from}; len(todo) > 0 && len(by) < ruleLooked; todo = todo[1:] {
		for _, x := range g.OutBy(todo[0], r) {
			if _, seen := by[x.Entity]; seen {
				continue
			}
			by[x.Entity] = x.Triple
			if !slices.Contains(to, x.Entity) {
				todo = append(todo, x.Entity)
				continue
			}
			var chain []kg.TripleID
			for t := x.Triple; t != kg.NoTriple; t = by[g.Triple(t).Head] {
				chain = append(chain, t)
			}
			slices.Reverse(chain)
			return chain
		}
	}
	return nil
}
