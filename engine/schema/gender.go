package schema

import (
	"strings"

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
		if gender := GenderValue(g.Label(x.Entity)); gender != "" && isGender(g.Triple(x.Triple).Relation) {
			return gender
		}
	}
	return ""
}

// GenderValue returns the gender that the value of a relation for it stands for: "F" is female; "" for
// none.
func GenderValue(label string) string {
	label = strings.Trim(lexicon.Fold(label), `"`)
	for _, gender := range []string{"male", "female"} {
		if label == gender[:1] {
			return gender
		}
	}
	return lexicon.Gender(label)
}
