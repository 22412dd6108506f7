package engine

import "testing"

// TestShortNames: a word that the graph lacks is read as what is short for it in the names of
// relations, for sure only where more than that one word speaks for the relation.
func TestShortNames(t *testing.T) {
	askAll(t, `
		Lady May|is a|hybrid
		Blue Ember|is a|hybrid
		Dusky Pearl|is a|hybrid
		Lady May|seed_par|Dusky Pearl
		Lady May|pollen_par|Snow Queen
		Dusky Pearl|seed_par|Snow Queen
		Dusky Pearl|pollen_par|Blue Ember
		Lady May|reg_by|Moreno
		Blue Ember|reg_by|Tanaka
		Lady May|regYr|1995
		Blue Ember|regYr|1967
		Dusky Pearl|regYr|1974
		Lady May|flColour|white
		Blue Ember|flColour|violet
		Lady May|has_awd|FCC
		House 1|avgTemp_C|18
		House 2|avgTemp_C|24
	`, []inquiry{
		{"What is the seed parent of Lady May?", "Dusky Pearl"},
		{"When was Lady May registered?", "1995"},
		{"In which year was Blue Ember registered?", "1967"},
		{"What is the flower colour of Lady May?", "white"},
		{"What is the average temperature of House 2?", "24"},
		{"Who registered Lady May?", ""}, // one word alone
		{"Which awards does Lady May have?", ""},
		{"Which region is Lady May registered in?", ""}, // two words for one
	})
	askAll(t, `
		Ann|art|Cubism
		Ann|part of|Blue Group
		Ann|count|7
		Ann|size_cm|3
	`, []inquiry{
		{"Which artist is Ann?", ""},
		{"Who is the partner of Ann?", ""},
		{"Where does Ann come from?", ""},
	})
}

// TestSuperlativesOfKinds: of "the lightest mission" the mission is what is light, though the name
// of a relation has that word. Who has the most of a value may be no person.
func TestSuperlativesOfKinds(t *testing.T) {
	askAll(t, `
		Alpha : mission
		Beta : mission
		Gamma : mission
		Alpha|mass (kg)|1250
		Beta|mass (kg)|2100
		Gamma|mass (kg)|300
		Alpha|end of mission|2009-11-01
		Beta|end of mission|2004-03-02
	`, []inquiry{
		{"What is the lightest mission?", "Gamma"},
		{"What is the heaviest mission?", "Beta"},
		{"What is the latest end of mission?", "Alpha"},
		{"Who has the highest mass?", ""},
	})
}
