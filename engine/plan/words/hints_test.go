package words

import (
	"fmt"
	"testing"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
)

func TestHints(t *testing.T) {
	var b kg.Builder
	for i := range 30 {
		b.Add(fmt.Sprint("Film ", i), "directed_by", fmt.Sprint("Person ", i))
		b.Add(fmt.Sprint("Person ", i), "child", fmt.Sprint("Person ", i+30))
		b.Add(fmt.Sprint("Person ", i), "spouse", fmt.Sprint("Person ", i+60)) // one way only
		b.Add(fmt.Sprint("Town ", i), "twinned", fmt.Sprint("Town ", (i+15)%30))
		b.Add(fmt.Sprint("Town ", i), "road to", fmt.Sprint("Town ", (i+1)%30))
	}
	g := b.Graph()
	p := newVocabulary(t, g, Own{})
	for r, want := range []struct{ symmetric, same bool }{
		{false, false}, // directed by
		{false, true},  // child
		{true, true},   // spouse, by its meaning
		{true, true},   // twinned, by its triples
		{false, true},  // road to
	} {
		id := kg.RelationID(r)
		if got := p.Symmetric(id); got != want.symmetric {
			t.Errorf("Symmetric(%s) = %v, want %v", g.RelationText(id), got, want.symmetric)
		}
		if got := p.JoinsSame(id); got != want.same {
			t.Errorf("JoinsSame(%s) = %v, want %v", g.RelationText(id), got, want.same)
		}
	}
	for word, want := range map[string]bool{"directed": true, "director": true, "helmed": true, "film": false, "person": false, "child": false, "town": false} {
		if got := p.AsksFor(0, lexicon.Stem(word)); got != want {
			t.Errorf("AsksFor(directed by, %s) = %v, want %v", word, got, want)
		}
	}
	for word, want := range map[string]bool{"film": true, "person": true, "town": false, "directed": false} {
		if got := p.Joins(0, lexicon.Stem(word)); got != want {
			t.Errorf("Joins(directed by, %s) = %v, want %v", word, got, want)
		}
	}
}
