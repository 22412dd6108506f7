package questions

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/kg"
	"cairn/engine/pattern"
)

// generated is a question about one name with one answer.
func generated(text string, topic, answer kg.EntityID, chain string) Generated {
	about := &pattern.Pattern{Nodes: []pattern.Node{{Entities: []kg.EntityID{topic}}}}
	return Generated{Text: text, Pattern: about, Answers: []kg.EntityID{answer}, Chain: chain}
}

func TestFromGraph(t *testing.T) {
	var b kg.Builder
	var made []Generated
	forms := map[string][]string{
		"directed_by": {"who directed %s", "the director of %s", "who is the director of %s?", "%s is by whom", "name the director of %s"},
		"has_genre":   {"the genre of %s"},
	}
	for i := range 40 {
		film := fmt.Sprintf("Film %d", i)
		x, director, genre := b.Entity(film), b.Entity(fmt.Sprintf("Director %d", i)), b.Entity(fmt.Sprintf("Genre %d", i%4))
		b.Add(film, "directed_by", fmt.Sprintf("Director %d", i))
		made = append(made,
			generated(fmt.Sprintf(forms["directed_by"][i%5], film), x, director, "directed_by"),
			generated(fmt.Sprintf(forms["has_genre"][0], film), x, genre, "has_genre"))
	}
	made = append(made, made[0], Generated{Text: "nobody", Pattern: &pattern.Pattern{}, Chain: "directed_by"})
	g := b.Graph()
	train, held := FromGraph(g, made, 0.2, 3)
	if len(train) != 64 || len(held) != 16 {
		t.Fatalf("FromGraph = %d and %d examples, want 64 and 16: each question once, two wordings of five held", len(train), len(held))
	}
	words := map[string]bool{}
	for _, x := range train {
		words[withoutNames(x)] = true
		if len(x.Spans) != 1 || x.Text[x.Spans[0].Start:x.Spans[0].End] != g.Label(x.Topics[0]) {
			t.Errorf("%q has the spans %v", x.Text, x.Spans)
		}
	}
	for _, x := range held {
		if words[withoutNames(x)] || withoutNames(x) == "the genre of …" {
			t.Errorf("%q is held, and its wording is trained on", x.Text)
		}
	}
	again, heldAgain := FromGraph(g, made, 0.2, 3)
	if diff := cmp.Diff([][]Example{train, held}, [][]Example{again, heldAgain}); diff != "" {
		t.Errorf("FromGraph twice with one seed (-first +second):\n%s", diff)
	}

	// One wording for everything: questions are held all the same.
	genres := made[1:2]
	for i := 3; i < 80; i += 2 {
		genres = append(genres, made[i])
	}
	if train, held = FromGraph(g, genres, 0.1, 3); len(train) != 36 || len(held) != 4 {
		t.Errorf("FromGraph of one wording = %d and %d examples, want 36 and 4", len(train), len(held))
	}
	if train, held = FromGraph(g, made[:1], 0.1, 3); len(train) != 1 || len(held) != 0 {
		t.Errorf("FromGraph of one question = %d and %d examples, want 1 and 0", len(train), len(held))
	}
	if train, held = FromGraph(g, nil, 0.1, 3); len(train) != 0 || len(held) != 0 {
		t.Errorf("FromGraph of none = %d and %d examples, want none", len(train), len(held))
	}
}
