package schema

import (
	"cairn/engine/kg"
	"cairn/engine/lexicon"
)

// genderEdges is how many triples of an entity are looked at for its gender.
const genderEdges = 256

// GenderOf returns the gender of a person as far as the graph says it by a type or by a relation
// that isGender tells to be for it, "male" or "female"; "" where it does not.
func GenderOf(g *kg.Graph, e kg.EntityID, isGender func(kg.RelationID) bool) string {
	for _, t := range g.Types(e) {
		for _, w := range lexicon.Tokenize(g.TypeLabel(t)) {
			if gender := lexicon.Gender(w.Lower); gender != "" {
				return gender
			}
		}
	}
	out := g.Out(e)
	for _, x := range out[:min(len(out), genderEdges)] {
		if gender := lexicon.Gender(lexicon.Fold(g.Label(x.Entity))); gender != "" && isGender(g.Triple(x.Triple).Relation) {
			return gender
		}
	}
	return ""
}
