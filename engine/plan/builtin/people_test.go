package builtin_test

import (
	"slices"
	"strconv"
	"testing"

	"cairn/engine/kg"
	"cairn/internal/testing/testkg"
)

// "People" asks for persons, not for the ethnic groups that persons belong to.
func TestPeopleAreNoEthnicGroup(t *testing.T) {
	var b kg.Builder
	for i := range 12 {
		name := "Person Number " + strconv.Itoa(i)
		b.Add(name, "place of death", []string{"Munich", "Detroit"}[i%2])
		b.Add(name, "ethnic group", []string{"Bavarians", "Creoles"}[i%2])
		b.Add(name, "spouse", "Person Number "+strconv.Itoa((i+6)%12))
	}
	g := b.Graph()
	p := planner(g, nil)
	for _, text := range []string{"Which people have the place of death Munich?", "people with place of death Munich"} {
		got, err := p.Plan(t.Context(), text, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Readings) == 0 {
			t.Errorf("%q: no reading: %s", text, got.Reason)
			continue
		}
		answers := testkg.Execute(g, got.Readings[0].Pattern)
		if len(answers) != 6 || slices.ContainsFunc(answers, func(e kg.EntityID) bool { return len(g.In(e)) > 1 }) {
			t.Errorf("%q is read as %q", text, got.Readings[0].Text)
		}
	}
}
