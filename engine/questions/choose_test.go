package questions

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cairn/engine/kg"
	"cairn/engine/schema"
	"cairn/internal/testing/fakeollama"
)

// TestChoose: what a model says counts only where it names a question and one of its
// chains.
func TestChoose(t *testing.T) {
	var b kg.Builder
	b.Add("Emma", "author", "Jane Austen")
	b.Add("Jane Austen", "born in", "Steventon")
	b.Add("Jane Austen", "died in", "Steventon")
	b.Add("Steventon", "home of", "Emma")
	steps := func(ss ...schema.Step) []schema.Step { return ss }
	author, born, died, home := schema.Forward(b.Relation("author")), schema.Forward(b.Relation("born in")), schema.Forward(b.Relation("died in")), schema.Forward(b.Relation("home of"))
	x := Example{Text: "where was the author of Emma born?", Topics: []kg.EntityID{b.Entity("Emma")}, Spans: []Span{{24, 28}}, Answers: []kg.EntityID{b.Entity("Steventon")}}
	nameless := Example{Text: "where was she born?", Topics: x.Topics, Answers: x.Answers}
	chains := [][]schema.Step{steps(author, died), steps(author, born), steps(home.Back())}
	doubts := []Doubt{{&x, chains}, {&nameless, chains}, {&x, make([][]schema.Step, chainsAtMost+1)}, {&x, chains[:2]}}
	g := b.Graph()
	for _, test := range []struct {
		name, reply string
		want        []int
	}{
		{"both", `{"choices": [{"number": 1, "chain": 2}, {"number": 2, "chain": 1}]}`, []int{1, -1, -1, 0}},
		{"among words", `Sure! {"choices": [{"number": 1, "chain": 3}]}`, []int{2, -1, -1, -1}},
		{"none", `{"choices": [{"number": 1, "chain": 0}, {"number": 2, "chain": 0}]}`, []int{-1, -1, -1, -1}},
		{"numbers that there are not", `{"choices": [{"number": 1, "chain": 4}, {"number": 2, "chain": 3}, {"number": 3, "chain": 1}, {"number": 0, "chain": 1}, {"number": 2, "chain": -1}]}`, []int{-1, -1, -1, -1}},
		{"another form", `{"choices": "the second"}`, []int{-1, -1, -1, -1}},
		{"no form", "the second", []int{-1, -1, -1, -1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			fake := fakeollama.New(t).Model("m", fakeollama.Script{Reply: test.reply})
			got, err := Choose(t.Context(), at(t, fake), g, doubts, InquiryOptions{}, nil)
			if err != nil {
				t.Fatalf("Choose: %v", err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("Choose (-want +got):\n%s", diff)
			}
			wants := "1. where was the author of [[Emma]] born?\n   1: [[name]] -[author]-> x1 -[died in]-> answer\n   2: [[name]] -[author]-> x1 -[born in]-> answer\n   3: [[name]] <-[home of]- answer\n2. where"
			if prompt := fake.Chats()[0].Prompt; !strings.Contains(prompt, wants) {
				t.Errorf("the prompt is\n%s\nwant in it\n%s", prompt, wants)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	fake := fakeollama.New(t).Model("m", fakeollama.Script{Reply: "{}"})
	if got, err := Choose(ctx, at(t, fake), g, doubts, InquiryOptions{}, nil); !errors.Is(err, context.Canceled) || got[0] != -1 {
		t.Errorf("Choose when cancelled = %v, %v; want context.Canceled", got, err)
	}
}
