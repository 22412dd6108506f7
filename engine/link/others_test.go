package link_test

import (
	"testing"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
)

// TestAnothersName: a part of a name is no mention where the word next to it is
// a word of other names.
func TestAnothersName(t *testing.T) {
	var b kg.Builder
	b.Add("Amy Brandt", "born_in", "Graz")
	b.Add("Ben Rowe", "born_in", "Graz")
	l := link.NewLinker(b.Graph(), nil, lexicon.Builtin())
	for text, want := range map[string]bool{
		"who did ben brandt marry": false,
		"who did amy brandt marry": true,
		"who did brandt marry":     true,
	} {
		ms, err := l.Link(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(ms) > 0; got != want {
			t.Errorf("Link(%q) = %v, want a mention: %v", text, ms, want)
		}
	}
}
