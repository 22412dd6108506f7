package ollama

import (
	"math/rand/v2"
	"strings"
	"testing"

	"cairn/engine/llm"
	"cairn/internal/testing/fakeollama"
)

func TestEstimateLearnsFromWhatIsCounted(t *testing.T) {
	var b budget
	prose := llm.Request{Prompt: strings.Repeat("word ", 600)} // 1000 tokens by estimate
	first := b.estimate(prose)
	for i := range factorPrompts {
		if got := b.estimate(prose); got != first {
			t.Errorf("after %d counts: %d tokens, want still %d", i, got, first)
		}
		b.learn(prose, 700)
	}
	if got := b.estimate(prose); got < 700 || got >= first {
		t.Errorf("after counts of 700: %d, want less than %d and no less than was counted", got, first)
	}
	b.learn(prose, 10) // the rest was in the server's cache
	if got := b.estimate(prose); got < 700 {
		t.Errorf("after a count from the cache: %d, below the 700 that were seen", got)
	}
	b.learn(prose, 3000)
	if got := b.estimate(prose); got < 3000 {
		t.Errorf("after a count of 3000: %d", got)
	}
	if got := b.estimate(llm.Request{Prompt: strings.Repeat("слово ", 600)}); got < 600*5 {
		t.Errorf("another script: %d, lowered by what was seen of ASCII", got)
	}
}

// No estimate is ever below what was counted of the same prompt before.
func TestEstimateIsNeverBelowWhatWasSeen(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var b budget
	type seen struct {
		req   llm.Request
		count int
	}
	var all []seen
	for i := range 2000 {
		req := llm.Request{Prompt: strings.Repeat([]string{"word ", "слово ", "mixed слово "}[r.IntN(3)], 1+r.IntN(300))}
		text, _ := kindOf(req)
		count := int(float64(text)*(0.2+2*r.Float64()*r.Float64())) + r.IntN(200)
		b.learn(req, count)
		all = append(all, seen{req, count})
		for _, s := range all[max(0, i-50):] {
			if got := b.estimate(s.req); got < s.count {
				t.Fatalf("step %d: %d tokens by estimate, and %d were counted", i, got, s.count)
			}
		}
	}
}

func TestRoom(t *testing.T) {
	m, _ := served(t, fakeollama.Script{Reply: "ok", Context: 2048})
	req := llm.Request{Prompt: strings.Repeat("abc", 100), MaxTokens: 500}
	if got, known := llm.Room(m, req); got != 8192-500-100-templateTokens || !known {
		t.Errorf("Room = %d, %v before the model is known", got, known)
	}
	wantReply(t, m, llm.Request{Prompt: "p"}, "ok")
	if got, _ := llm.Room(m, req); got != 2048-500-100-templateTokens {
		t.Errorf("Room = %d once the model's context is known", got)
	}
	thinker, _ := served(t, fakeollama.Script{Reply: "ok", Thought: "hm"})
	wantReply(t, thinker, llm.Request{Prompt: "p"}, "ok")
	if got, _ := llm.Room(thinker, req); got != 8192-500-2048-100-templateTokens {
		t.Errorf("Room = %d beside thoughts", got)
	}
	if _, known := llm.Room(struct{ llm.Model }{}, req); known {
		t.Error("Room of a model that does not tell is known")
	}
}

// Prompts that fit are sent once the model's own tokens are known, though the
// first estimate refused them.
func TestCautiousEstimateIsCorrected(t *testing.T) {
	m, fake := served(t, fakeollama.Script{Reply: "ok"})
	long := llm.Request{Prompt: strings.Repeat("word ", 4300), MaxTokens: 100} // 7167 by estimate, 5375 counted
	tight := long
	tight.MaxTokens = 2000
	if _, err := m.Ask(t.Context(), tight); err == nil {
		t.Error("the first estimate is not cautious")
	}
	for range factorPrompts {
		wantReply(t, m, long, "ok")
	}
	wantReply(t, m, tight, "ok")
	if n := len(fake.Chats()); n != factorPrompts+1 {
		t.Errorf("%d chats, want %d", n, factorPrompts+1)
	}
}

func TestPromptCountsOfACacheAreHarmless(t *testing.T) {
	m, _ := served(t, fakeollama.Script{Reply: "ok", CountsUncached: true})
	prose := llm.Request{Prompt: strings.Repeat("word ", 2000)}
	for range 5 {
		wantReply(t, m, prose, "ok")
	}
	if got := m.budget.estimate(prose); got < 2500 {
		t.Errorf("estimate = %d, below the 2508 of the first count", got)
	}
}
