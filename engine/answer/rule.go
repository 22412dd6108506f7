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
		name := lexicon.RelationWords(g.RelationKey(r))
		next, why := lexicon.IsSubclass, "whatever belongs to a kind also belongs to the kinds above it"
		goesOn := lexicon.IsTransitive(name)
		switch {
		case goesOn:
			next, why = func(n []string) bool { return slices.Equal(n, name) }, wording.Quote(say.Readable(g.RelationText(r)))+" is transitive"
		case !claim.IsKindOf(r):
			continue
		}
		for _, h := range heads {
			chain := chainOf(g, h, r, next, tails)
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

// chainOf returns the shortest chain of triples from a thing to one of some others, the first of
// a relation and the others of those whose names are next; nil for none that is found within
// ruleLooked things.
func chainOf(g *kg.Graph, from kg.EntityID, r kg.RelationID, next func(name []string) bool, to []kg.EntityID) []kg.TripleID {
	const ruleLooked = 100_000
	by := map[kg.EntityID]kg.TripleID{from: kg.NoTriple}
	for todo := []kg.EntityID{from}; len(todo) > 0 && len(by) < ruleLooked; todo = todo[1:] {
		for _, x := range g.Out(todo[0]) {
			_, seen := by[x.Entity]
			is := g.Triple(x.Triple).Relation
			if seen || todo[0] == from && is != r || todo[0] != from && !next(lexicon.RelationWords(g.RelationKey(is))) {
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
