package builtin_test

import (
	"testing"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/plan/builtin"

	"github.com/google/go-cmp/cmp"
)

// TestVoice asks a graph in which both ends of a relation are companies, so that
// only the grammar tells who owns and who is owned.
func TestVoice(t *testing.T) {
	var b kg.Builder
	b.Add("Beta Trading", "owned by", "Alpha Holdings")
	b.Add("Alpha Holdings", "owned by", "Omega Trust")
	b.Add("Gamma Shipping", "owned by", "Beta Trading")
	g := b.Graph()
	lex := lexicon.Builtin()
	p := builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{})
	for _, tt := range []struct{ question, want string }{
		{"Which companies are owned by Alpha Holdings?", "Beta Trading"},
		{"Which companies does Alpha Holdings own?", "Beta Trading"},
		{"who owns Alpha Holdings?", "Omega Trust"},
		{"Alpha Holdings is owned by whom?", "Omega Trust"},
		{"which company owns Gamma Shipping", "Beta Trading"},
	} {
		got, err := p.Plan(t.Context(), tt.question)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Readings) == 0 {
			t.Errorf("Plan(%q) has no reading: %s", tt.question, got.Reason)
			continue
		}
		if diff := cmp.Diff([]string{tt.want}, answersOf(g, got.Readings[0].Pattern)); diff != "" {
			t.Errorf("Plan(%q) as %q (-want +got):\n%s", tt.question, got.Readings[0].Text, diff)
		}
	}
}
