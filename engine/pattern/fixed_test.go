package pattern_test

import (
	"testing"

	"cairn/engine/kg"
	"cairn/engine/pattern"
)

func TestIsFixed(t *testing.T) {
	known := pattern.Node{Text: "Paris", Entities: []kg.EntityID{1}}
	unlinked := pattern.Node{Text: "Pariss"}
	near := pattern.Node{Text: "Pariss", Entities: []kg.EntityID{1}, Distances: []float64{0.2}}
	variable := pattern.Node{Text: "?x", Variable: true}
	settled := pattern.Edge{From: 0, To: 1, Relation: "capital", Fixed: []kg.RelationID{3}}
	for _, tt := range []struct {
		name string
		from pattern.Node
		edge pattern.Edge
		want bool
	}{
		{"all settled", known, settled, true},
		{"any relation", known, pattern.Edge{From: 0, To: 1}, true},
		{"a relation in words", known, pattern.Edge{From: 0, To: 1, Relation: "capital"}, false},
		{"a name not linked", unlinked, settled, false},
		{"a name that is near", near, settled, false},
	} {
		p := pattern.Pattern{Nodes: []pattern.Node{tt.from, variable}, Edges: []pattern.Edge{tt.edge}}
		if got := p.IsFixed(); got != tt.want {
			t.Errorf("%s: IsFixed() = %v, want %v", tt.name, got, tt.want)
		}
	}
}
