package builtin_test

import (
	"strings"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/plan"
	"cairn/engine/plan/builtin"
)

// TestLeadsToTheKindAskedFor asks a graph that has a type for everything: a reading that leads to
// things of the type asked for comes before a nearer one that does not, a noun for who does what a
// relation says names those, and a verb that only means a relation has its direction.
func TestLeadsToTheKindAskedFor(t *testing.T) {
	var b kg.Builder
	for _, line := range []string{
		"Minoan|region|Crete", "Zakra|region|Crete", "Palace|region|Crete", "Bull|found at|Zakra", "Disc|found at|Palace", "Axe|found at|Steinfeld", "Steinfeld|region|Styria",
		"Zakra|excavated by|Ada", "Palace|excavated by|Ben", "Steinfeld|excavated by|Ada", "Ada|born|1790-03-02", "Ben|born|1850-05-06", "Cleo|born|1795-01-01",
		"Ada|defeated|Ben", "Ben|defeated|Cleo",
	} {
		x := strings.Split(line, "|")
		b.Add(x[0], x[1], x[2])
	}
	for kind, names := range map[string]string{"Site": "Zakra Palace Steinfeld", "Find": "Bull Disc Axe", "Person": "Ada Ben Cleo", "Culture": "Minoan"} {
		for name := range strings.FieldsSeq(names) {
			b.AddType(b.Entity(name), kind)
		}
	}
	g, lex := b.Graph(), lexicon.Builtin()
	p := builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{})
	for _, tt := range []struct {
		question, want string
		doubt          plan.Doubt
	}{
		{"Which finds come from Crete?", "Crete ←region— ←found at—", plan.Unsure},
		{"Which sites are in Crete?", "Crete ←region—", plan.Sure},
		{"Which excavators were born before 1800?", "any excavators and born before 1800", plan.Sure},
		{"Who beat Ben?", "Ben ←defeated—", plan.Unsure},
		{"Who did Ben beat?", "Ben —defeated→", plan.Unsure},
	} {
		got, err := p.Plan(t.Context(), tt.question, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Readings) == 0 || got.Doubt != tt.doubt || got.Readings[0].Text != tt.want {
			t.Errorf("%s: %d readings, %v: %s; want %q, %v", tt.question, len(got.Readings), got.Doubt, got.Reason, tt.want, tt.doubt)
		}
	}
}
