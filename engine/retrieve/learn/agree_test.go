package learn

import (
	"fmt"
	"slices"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/questions"
	"cairn/engine/schema"
	"cairn/internal/testing/retrievetest"
)

// TestAgreement: what a question's words ask for is learned from all questions, where a
// shorter chain leads to the same by chance, and where a graph says the same twice.
func TestAgreement(t *testing.T) {
	b := &kg.Builder{}
	for i := range 20 {
		parent, child, colour := fmt.Sprintf("Parent %d", i), fmt.Sprintf("Child %d", i), []string{"red", "blue"}[i%2]
		b.Add(parent, "heir", child)
		if i%4 > 0 {
			b.Add(child, "ancestor", parent)
		}
		b.Add(parent, "hue", colour)
		if i%3 > 0 { // else the colour is that of both
			colour = []string{"blue", "red"}[i%2]
		}
		b.Add(child, "hue", colour)
		b.Add(child, "town", fmt.Sprintf("Town %d", i%7))
	}
	g := b.Graph()
	w := &Walkers{Graph: g}
	k := w.Take()
	step := func(name string) schema.Step {
		for r := range kg.RelationID(g.Relations()) {
			if g.RelationKey(r) == name {
				return schema.Forward(r)
			}
		}
		panic(name)
	}
	heir, hue, town := step("heir"), step("hue"), step("town")
	var clues []Clue
	var asked []string
	ask := func(text string, e string, chain ...schema.Step) {
		from := []kg.EntityID{retrievetest.Entity(t, g, e)}
		x := retrievetest.Asked(t, g, fmt.Sprintf(text, e))
		x.Answers = slices.Sorted(slices.Values(k.Chain(from, chain)))
		clues, asked = append(clues, ClueOf(x, k.Leads(from, x.Answers, 3))), append(asked, x.Text)
	}
	for i := range 20 {
		parent, child := fmt.Sprintf("Parent %d", i), fmt.Sprintf("Child %d", i)
		ask("what is the shade of the baby of [%s]", parent, heir, hue)
		ask("what shade has [%s]", parent, hue)
		ask("where does the baby of [%s] live", parent, heir, town)
		ask("whose baby is [%s]", child, heir.Back())
	}
	got := Agree(g, clues)
	for i, chains := range got {
		want := [][]schema.Step{{heir, hue}, {hue}, {heir, town}, {heir.Back()}}[i%4]
		if len(chains) != 1 || !slices.Equal(chains[0], want) {
			t.Errorf("%s teaches %v, want %v", asked[i], chains, want)
		}
	}
	if again := Agree(g, clues); !slices.EqualFunc(got, again, func(a, b [][]schema.Step) bool {
		return slices.EqualFunc(a, b, func(x, y []schema.Step) bool { return slices.Equal(x, y) })
	}) {
		t.Error("the same questions teach something else the second time")
	}
}

// TestAgreementOfLittle: few questions, questions without words, and such that nothing leads
// from, teach what they can.
func TestAgreementOfLittle(t *testing.T) {
	b := &kg.Builder{}
	b.Add("A", "r", "B")
	g := b.Graph()
	k := (&Walkers{Graph: g}).Take()
	leads := k.Leads([]kg.EntityID{0}, []kg.EntityID{1}, 3)
	got := Agree(g, []Clue{ClueOf(questions.Example{}, leads), {Words: []string{"who"}}})
	if len(got) != 2 || len(got[0]) != 1 || got[1] != nil {
		t.Errorf("Agree = %v, want one chain for the first and none for the second", got)
	}
	if got := Agree(g, nil); len(got) != 0 {
		t.Errorf("Agree of nothing = %v", got)
	}
}

// TestAgreementOfOne: one question alone teaches the chain that its words mean, and does not go
// there and back.
func TestAgreementOfOne(t *testing.T) {
	b := &kg.Builder{}
	for i, film := range []string{"Fargo", "Gigi"} {
		b.Add(film, "directed_by", "Ann")
		b.Add(film, "written_by", "Ann")
		b.Add(film, "directed_by", fmt.Sprint("Other ", i))
	}
	g := b.Graph()
	k := (&Walkers{Graph: g, Returns: true}).Take()
	step := func(of string) schema.Step {
		for r := range kg.RelationID(g.Relations()) {
			if g.RelationKey(r) == of {
				return schema.Forward(r)
			}
		}
		panic(of)
	}
	for text, want := range map[string]schema.Step{
		"who is the author of [%s]":    step("written_by"),
		"who is the filmmaker of [%s]": step("directed_by"),
	} {
		x := retrievetest.Asked(t, g, fmt.Sprintf(text, "Fargo"))
		from := []kg.EntityID{retrievetest.Entity(t, g, "Fargo")}
		leads := k.Leads(from, slices.Sorted(slices.Values(k.Chain(from, []schema.Step{want}))), 3)
		if len(leads) < 3 {
			t.Fatalf("%s: the leads are %v", text, leads)
		}
		if got := Agree(g, []Clue{ClueOf(x, leads)}); len(got[0]) != 1 || !slices.Equal(got[0][0], []schema.Step{want}) {
			t.Errorf("%s teaches %v of %v, want %v", text, got[0], leads, want)
		}
	}
}
