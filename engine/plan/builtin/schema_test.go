package builtin

import (
	"fmt"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
)

// smallGraph has a relation, its inverse, its double, a symmetric relation and
// dates.
func smallGraph() *kg.Graph {
	var b kg.Builder
	for i := range 30 {
		film, person := fmt.Sprintf("Film %d", i), fmt.Sprintf("Person %d", i%7)
		b.Add(film, "directed_by", person)
		b.Add(person, "directed_by_inverse", film)
		b.Add(film, "film_directed_by", person)
		b.Add(film, "release_year", fmt.Sprint(1980+i))
		b.Add(fmt.Sprintf("Land %d", i), "borders", fmt.Sprintf("Land %d", (i+1)%30))
		b.Add(fmt.Sprintf("Land %d", (i+1)%30), "borders", fmt.Sprintf("Land %d", i))
		b.Add(person, "spouse_s", fmt.Sprintf("m.0%d", i%7))
	}
	return b.Graph()
}

func TestSchema(t *testing.T) {
	g := smallGraph()
	s, err := NewSchema(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]kg.RelationID{}
	for r := range g.Relations() {
		at[g.RelationKey(kg.RelationID(r))] = kg.RelationID(r)
	}
	directed, inverse, double := forward(at["directed_by"]), forward(at["directed_by_inverse"]), forward(at["film_directed_by"])
	if s.canonical[inverse] != directed.back() || s.canonical[inverse.back()] != directed {
		t.Errorf("canonical[directed_by_inverse] = %d, %d, want directed_by turned round", s.canonical[inverse], s.canonical[inverse.back()])
	}
	if s.canonical[double] != directed || len(s.twins[at["directed_by"]]) != 2 {
		t.Errorf("canonical[film_directed_by] = %d, twins %v, want directed_by with its double", s.canonical[double], s.twins[at["directed_by"]])
	}
	if !s.isSymmetric(at["borders"]) || s.isSymmetric(at["directed_by"]) {
		t.Error("isSymmetric: want borders to be, directed_by not")
	}
	if got := s.value[forward(at["release_year"]).to()]; got != dateValue {
		t.Errorf("value of release_year = %d, want dates", got)
	}
	if !s.nameless[forward(at["spouse_s"]).to()] || s.nameless[directed.to()] {
		t.Error("nameless: want the tails of spouse_s to be, persons not")
	}
}

func TestMappingsAndOverrides(t *testing.T) {
	g := smallGraph()
	lex := lexicon.Builtin()
	p := New(g, nil, lex, Options{Overrides: []Override{{RelationKey: "borders", Words: []string{"touches"}}}})
	got := map[string]Mapping{}
	for _, m := range p.Mappings() {
		got[g.RelationKey(m.Relation)] = m
	}
	if m := got["directed_by"]; m.Source != FromLexicon || len(m.Concepts) != 1 || m.Concepts[0] != "director" {
		t.Errorf("mapping of directed_by = %+v, want the concept director from the lexicon", m)
	}
	if m := got["directed_by_inverse"]; m.SameAs != got["directed_by"].Relation {
		t.Errorf("mapping of directed_by_inverse = %+v, want it to be the same as directed_by", m)
	}
	if m := got["borders"]; m.Source != FromUser || len(m.Concepts) != 0 {
		t.Errorf("mapping of borders = %+v, want the user's", m)
	}
	if len(p.cues.byLast[lexicon.Stem("touches")]) == 0 {
		t.Error("the user's word asks for nothing")
	}
}
