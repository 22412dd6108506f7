package builtin_test

import (
	"testing"

	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/plan/builtin"
	"cairn/internal/testing/testkg"
)

// TestUnknownNounAddsNoStep asks by nouns that the graph does not have: what they mean alone
// is no reason to go a step further than the verb.
func TestUnknownNounAddsNoStep(t *testing.T) {
	g := testkg.Build(
		"Alder v. Brook|decided by|Judge Marlow", "Alder v. Brook|plaintiff|Alder Mills",
		"Alder v. Brook|defendant|Brook Shipping", "Elms v. Frost|decided by|Judge Marlow",
		"Elms v. Frost|plaintiff|Elms Bank", "Elms v. Frost|overruled by|Alder v. Brook",
		"Judge Marlow|appointed by|President Stone", "Judge Vane|appointed by|President Stone",
		"Judge Marlow|studied at|Westfield University", "Judge Vane|studied at|Westfield University",
	)
	lex := lexicon.Builtin()
	p := builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{})
	for question, want := range map[string]string{
		"Which cases did Judge Marlow decide?":          "Judge Marlow ←decided by—",
		"Which judges studied at Westfield University?": "Westfield University ←studied at—",
		"Which judges did President Stone appoint?":     "President Stone ←appointed by—",
		"Which case overruled Elms v. Frost?":           "Elms v. Frost —overruled by→",
	} {
		got, err := p.Plan(t.Context(), question, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Readings) == 0 || got.Readings[0].Text != want {
			t.Errorf("%s is not read as %s, but as %+v", question, want, got.Readings)
		}
	}
}
