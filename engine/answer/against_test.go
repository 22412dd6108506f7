package answer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cairn/engine/kg"
)

// TestAgainst plants what speaks against a triple, and what only looks as if it did.
func TestAgainst(t *testing.T) {
	var b kg.Builder
	for i := range 40 {
		b.Add(fmt.Sprintf("Country %d", i), "capital", fmt.Sprintf("City %d", i))
		b.Add(fmt.Sprintf("Country %d", i), "borders", fmt.Sprintf("Country %d", i+1))
		b.Add(fmt.Sprintf("Country %d", i), "borders", fmt.Sprintf("Country %d", i+2))
	}
	in := func(head, tail, year string) {
		b.AddStatement(head, "capital", tail, kg.Property{Name: "year", Value: year, Entity: kg.NoEntity})
	}
	b.Add("Country 1", "capital", "Elsewhere")
	in("Brazil", "Rio de Janeiro", "1950")
	in("Brazil", "Brasilia", "1960")
	b.Add("aspirin", "inhibits", "COX1")
	b.Add("aspirin", "does not inhibit", "COX1")
	b.Add("caffeine", "activates", "COX1")
	b.Add("caffeine", "inhibits", "COX1")
	b.Add("ginger", "activates", "COX1")
	b.Add("ginger", "binds", "COX1")
	b.Add("Ann", "likes", "Bob")
	b.Add("Ann", "dislikes", "Bob")
	g := b.Graph()
	id := func(text string) kg.TripleID {
		for i := range kg.TripleID(g.Triples()) {
			if x := g.Triple(i); text == g.Label(x.Head)+"|"+g.RelationText(x.Relation)+"|"+g.Label(x.Tail) {
				return i
			}
		}
		t.Fatalf("no triple %s", text)
		return 0
	}
	for of, want := range map[string]string{
		"Country 1|capital|City 1":      "Elsewhere “capital” has a single value",
		"Country 2|capital|City 2":      "",
		"Country 1|borders|Country 2":   "", // a country has several neighbours
		"Brazil|capital|Rio de Janeiro": "Brasilia It applies to a later time.",
		"Brazil|capital|Brasilia":       "", // the other was so before
		"aspirin|inhibits|COX1":         "COX1 It says the opposite.",
		"aspirin|does not inhibit|COX1": "COX1 It says the opposite.",
		"caffeine|activates|COX1":       "COX1 It says the opposite.",
		"ginger|activates|COX1":         "",
		"Ann|likes|Bob":                 "Bob It says the opposite.",
	} {
		var got []string
		for _, a := range Against(g, []kg.TripleID{id(of)}) {
			got = append(got, g.Label(g.Triple(a.Triple).Tail)+" "+a.Reason)
		}
		if len(got) > 1 || (want == "") != (len(got) == 0) || !slices.ContainsFunc(append(got, ""), func(s string) bool { return strings.HasPrefix(s, want) }) {
			t.Errorf("against %s: %q, want %q", of, got, want)
		}
	}
}
