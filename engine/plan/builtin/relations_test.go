package builtin_test

import (
	"fmt"
	"testing"

	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/plan/builtin"
	"cairn/internal/testing/testkg"
)

// TestManyRelations counts what planning allocates on graphs of few and of many relations: a
// question is read once, and not once a relation.
func TestManyRelations(t *testing.T) {
	for _, question := range []string{"Who gave the most to Ada?", "How much did Ada receive?", "Which things were made in 2015?", "Who made the largest thing?"} {
		allocs := func(relations int) float64 {
			var lines []string
			for i := range relations {
				lines = append(lines, fmt.Sprintf("Ada|made %c%c|Thing %d", 'a'+i/26, 'a'+i%26, i))
			}
			g := testkg.Build(lines...)
			lex := lexicon.Builtin()
			p := builtin.New(g, link.NewLinker(g, nil, lex), lex, builtin.Options{})
			return testing.AllocsPerRun(1, func() {
				if _, err := p.Plan(t.Context(), question, nil); err != nil {
					t.Fatal(err)
				}
			})
		}
		if more := (allocs(200) - allocs(20)) / 180; more > 150 { // reading it takes 300 and more
			t.Errorf("%s: %.0f allocations for every relation of the graph", question, more)
		}
	}
}
