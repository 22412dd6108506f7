package gsr

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/retrieve"
	"cairn/engine/retrieve/learn"
	"cairn/engine/schema"
	"cairn/internal/testing/testkg"
)

// openKnown is open with the graph's schema.
func openKnown(t *testing.T, g *kg.Graph) *retriever {
	t.Helper()
	known, err := schema.Read(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	_, weights := trained()
	r, err := Method{}.Open(t.Context(), retrieve.World{Graph: g, Weights: weights, Schema: known})
	if err != nil {
		t.Fatal(err)
	}
	return r.(*retriever) //nolint:errcheck // Open returns nothing else
}

// TestWhatTheGraphLacks: a question about a film that has no year is not surely about its
// director, because the film has nothing else.
func TestWhatTheGraphLacks(t *testing.T) {
	g := testkg.Build("Film 1|directed_by|Director 1", "Film 2|directed_by|Director 2", "Film 2|release_year|Year 1", "Film 3|release_year|Year 2", "Film 3|directed_by|Director 1")
	r := openKnown(t, g)
	for _, test := range []struct {
		text string
		want []string
	}{
		{"when did [Film 1] come out", []string{"“release year”"}},
		{"when did [Film 2] come out", nil},
		{"who directed [Film 1]", nil},
		{"who directed [Year 1]", nil}, // a year directs nothing, and is directed by nobody: nothing is missing from it
	} {
		q := query(t, g, test.text)
		readings, err := r.Read(t.Context(), q)
		if err != nil || len(readings) == 0 {
			t.Fatalf("%s: %v, %v", test.text, readings, err)
		}
		first := readings[0]
		if !slices.Equal(first.Lacking, test.want) {
			t.Errorf("%s: lacking are %q, want %q", test.text, first.Lacking, test.want)
		}
		noted := slices.ContainsFunc(retrieved(t, r, q).Notes, func(s string) bool { return strings.Contains(s, "seems to ask for “release year”") })
		if lacks := len(test.want) > 0; noted != lacks || lacks && first.Score >= 0.5 {
			t.Errorf("%s: read as %q, %v; said that the year is missing: %v", test.text, first.Text, first.Score, noted)
		}
	}
}

// TestLittleWordsThatTurnQuestions: who did not, and who did the same, is something else.
func TestLittleWordsThatTurnQuestions(t *testing.T) {
	g, _ := trained()
	r := openKnown(t, g)
	for text, want := range map[string][]string{
		"who directed [Film 1]":                      nil,
		"who has not directed [Film 1]":              {"not"},
		"who plays in the same films as [Actor 1]":   {"same"},
		"which films by [Director 3] share an actor": {"share", "actor"},
	} {
		readings, err := r.Read(t.Context(), query(t, g, text))
		if err != nil || len(readings) == 0 {
			t.Fatalf("%s: %v, %v", text, readings, err)
		}
		if got := readings[0]; len(want) == 0 && len(got.Unused) > 0 || len(want) > 0 && (!slices.Contains(got.Unused, want[0]) || got.Score >= 0.5) {
			t.Errorf("%s: %q is unused at a probability of %v, want %q among it", text, got.Unused, got.Score, want)
		}
	}
}

// TestSameIsTakenAccountOf: who was born in the same place as somebody is at the end of a
// step there and back.
func TestSameIsTakenAccountOf(t *testing.T) {
	triples := []string{"Ann|born in|York", "Ben|born in|York", "Ann|lives in|Leeds", "Ann|same age as|Ben"}
	for i := range 60 {
		triples = append(triples, fmt.Sprintf("Child %d|parents|Parent %d", i, i/2), fmt.Sprintf("Parent %d|children|Child %d", i/2, i))
	}
	g := testkg.Build(triples...)
	known, err := schema.Read(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	s := &speaker{walks: &learn.Walkers{Graph: g}, schema: known}
	step := func(name string) schema.Step {
		for r := range kg.RelationID(g.Relations()) {
			if g.RelationKey(r) == name {
				return schema.Forward(r)
			}
		}
		t.Fatalf("there is no relation %q", name)
		return 0
	}
	legs := func(chains ...[]schema.Step) *reading {
		r := &reading{}
		for _, c := range chains {
			var b beam
			for _, s := range c {
				b.said = append(b.said, spoken{step: s})
			}
			r.legs = append(r.legs, leg{beam: b})
		}
		return r
	}
	born, lives, parents, children := step("born in"), step("lives in"), step("parents"), step("children")
	for name, test := range map[string]struct {
		r    *reading
		want bool
	}{
		"there and back":             {legs([]schema.Step{born, born.Back()}), true},
		"there and back, and on":     {legs([]schema.Step{born, born.Back(), lives}), true},
		"back by the other relation": {legs([]schema.Step{parents, children}), true},
		"back by another relation":   {legs([]schema.Step{lives, born.Back()}), false},
		"there":                      {legs([]schema.Step{born}), false},
		"said by a relation":         {legs([]schema.Step{step("same age as")}), true},
		"of two":                     {legs([]schema.Step{born}, []schema.Step{born}), true},
	} {
		if got := s.shares(test.r); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
