package gsr

import (
	"math/rand/v2"
	"strings"
	"testing"

	"cairn/engine/lexicon"
	"cairn/engine/questions"
)

// Slips change little words and letters. Names stay, in their order.
func TestSlipped(t *testing.T) {
	x := &questions.Example{Text: "which films did Ann make with Bob"}
	for _, name := range []string{"Ann", "Bob"} {
		at := strings.Index(x.Text, name)
		x.Spans = append(x.Spans, questions.Span{Start: at, End: at + len(name)})
	}
	write := func(seed uint64) string {
		tokens, span := slipped(x, rand.New(rand.NewPCG(seed, 0)))
		out := make([]string, len(tokens))
		for i, tok := range tokens {
			if out[i] = tok.Lower; span[i] >= 0 {
				out[i] = string(rune('0' + span[i]))
			} else if tok.Stem != lexicon.Stem(tok.Lower) {
				t.Errorf("the word %q has the stem %q", tok.Lower, tok.Stem)
			}
		}
		return strings.Join(out, " ")
	}
	seen := map[string]bool{}
	for seed := range uint64(400) {
		got := write(seed)
		if again := write(seed); got != again {
			t.Errorf("slipped with seed %d wrote %q, and then %q", seed, got, again)
		}
		if !strings.Contains(got, "0") || strings.Index(got, "0") > strings.Index(got, "1") {
			t.Errorf("%q does not have both names in order", got)
		}
		seen[got] = true
	}
	for _, want := range []string{"which films did 0 make with 1", "what films did 0 make with 1", "which films 0 did make with 1", "which films made 0 make with 1"} {
		if !seen[want] {
			t.Errorf("nobody writes %q", want)
		}
	}
	if len(seen) < 60 {
		t.Errorf("400 times there are %d ways to write a question, want 60 and more", len(seen))
	}
}
