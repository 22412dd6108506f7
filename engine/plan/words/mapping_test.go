package words

import (
	"testing"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/schema"
	"cairn/internal/testing/testkg"
)

func newVocabulary(t *testing.T, g *kg.Graph, own Own) *Vocabulary {
	t.Helper()
	s, err := schema.Read(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	return New(s, lexicon.Builtin(), own, nil)
}

func TestMappingsAndOverrides(t *testing.T) {
	g := testkg.SaidTwice()
	p := newVocabulary(t, g, Own{Overrides: []Override{{RelationKey: "borders", Words: []string{"touches"}}}})
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
