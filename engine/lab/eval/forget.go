package eval

import (
	"math/rand/v2"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/plan/words"
)

// forgetful returns meanings for a share of a graph's relations, in percent: none of
// the lexicon's, and for a quarter of them no words of their own names either, unless
// these are kept. A graph with them stands in for one whose schema the lexicon has never
// seen: the published sets are solved, and teach nothing.
func forgetful(g *kg.Graph, share int, wordsKept bool, seed uint64) []words.Override {
	rng := rand.New(rand.NewPCG(seed, 1))
	var out []words.Override
	for r := range kg.RelationID(g.Relations()) {
		x := 100 * rng.Float64()
		if x >= float64(share) {
			continue
		}
		o := words.Override{RelationKey: g.RelationKey(r), Words: lexicon.RelationWords(g.RelationName(r))}
		if x < float64(share)/4 && !wordsKept {
			o.Words = nil
		}
		out = append(out, o)
	}
	return out
}
