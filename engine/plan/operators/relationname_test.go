package operators_test

import (
	"strings"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/pattern"
	"cairn/engine/plan/builtin"
)

// TestRelationNamesAreNoOperators asks by relations whose names hold the words of an
// operator: what the question says in full is the relation.
func TestRelationNamesAreNoOperators(t *testing.T) {
	var b kg.Builder
	for _, x := range [][3]string{
		{"Fever", "told apart from", "Flu"},
		{"Malaria", "told apart from", "Dengue"},
		{"Fever", "treated by", "Aspirin"},
		{"Malaria", "treated by", "Aspirin"},
		{"Dengue", "treated by", "Paracetamol"},
	} {
		b.Add(x[0], x[1], x[2])
	}
	for _, e := range []string{"Fever", "Flu", "Malaria", "Dengue"} {
		b.AddType(b.Entity(e), "disease")
	}
	g, lex := b.Graph(), lexicon.Builtin()
	p := builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{})
	for _, tt := range []struct{ question, want string }{
		{"Which disease is told apart from Dengue?", "(Dengue) <-told apart from- (?disease)"},
		{"Which disease must be told apart from Flu?", "(Flu) <-told apart from- (?disease)"},
		{"Which disease is treated by Aspirin and told apart from Dengue?", "-told apart from-> (Dengue)"},
		{"Which diseases apart from Fever are treated by Aspirin?", "!= (Fever)"},
	} {
		got, err := p.Plan(t.Context(), tt.question, nil)
		if err != nil || len(got.Readings) == 0 {
			t.Errorf("%s: %v, %v", tt.question, got, err)
			continue
		}
		if text := pattern.Format(got.Readings[0].Pattern); !strings.Contains(text, tt.want) || strings.Contains(text, "!=") != strings.Contains(tt.want, "!=") {
			t.Errorf("%s is read as %s, want %s", tt.question, text, tt.want)
		}
	}
}
