package answer

import (
	"slices"

	"cairn/engine/check"
	"cairn/engine/evidence"
	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/pattern"
	"cairn/engine/say"
	"cairn/internal/wording"
)

// ruleLooked is how many things are looked at for what a claim follows from.
const ruleLooked = 100_000

// byRule answers a claim that no triple says, but that follows from several by a rule: its
// relation goes on from thing to thing, and leads over others from the one name to the other, or
// it says a kind above that of which the thing is. It
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
		name := lexicon.RelationWords(g.RelationName(r))
		next, why := lexicon.IsSubclass, "whatever belongs to a kind also belongs to the kinds above it"
		goesOn := lexicon.IsTransitive(name)
		switch {
		case goesOn:
			next, why = func(n []string) bool { return slices.Equal(n, name) }, wording.Quote(say.Readable(g.RelationText(r)))+" is transitive"
		case lexicon.Places(name) && !claim.IsKindOf(r):
			next = func(n []string) bool { return lexicon.IsInside(n) && n[0] != "parent" && n[0] != "child" } // who owns a firm does not own its parent
			why = "what is in a place or a part is also in the wider one"
		case !claim.IsKindOf(r):
			continue
		}
		for _, h := range heads {
			follows := func(at kg.EntityID, is kg.RelationID) bool {
				return is == r && at == h || at != h && next(lexicon.RelationWords(g.RelationName(is)))
			}
			chain := g.Chain(h, follows, func(e kg.EntityID) bool { return slices.Contains(tails, e) }, ruleLooked)
			if len(chain) < 2 {
				continue
			}
			said, last := chain[len(chain)-1], g.Triple(chain[len(chain)-1])
			claimed, value := h, last.Head
			if !goesOn {
				said, claimed, value = chain[0], last.Tail, g.Triple(chain[0]).Tail
			}
			if claim.Unsaid([]kg.TripleID{said}, claimed, value) != "" {
				continue
			}
			a := claimHolds(g, p, evidence.Candidate{Edges: chain})
			a.Sentences = append(a.Sentences, note("No single triple says this: it follows because "+why+"."))
			return a
		}
	}
	return nil
}
