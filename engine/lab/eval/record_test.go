package eval

import (
	"slices"
	"strings"
	"testing"

	"cairn/engine"
	"cairn/engine/answer"
	"cairn/engine/say"
	"cairn/internal/testing/testkg"
)

// TestLongAnswersAreWhole: what is shown cut is compared whole.
func TestLongAnswersAreWhole(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("Award for Best ", 12))
	g := testkg.Build(long+"|won by|Ada", "Ada|born in|Oldtown")
	var items []answer.Item
	for _, name := range []string{long, "Ada"} {
		e := testkg.Find(g, name)
		items = append(items, answer.Item{Entity: e, Label: say.Name(g, e)})
	}
	if items[0].Label == long {
		t.Fatal("the label is not cut")
	}
	if got, want := answerLabels(g, &engine.Run{Answer: &answer.Answer{Items: items}}), []string{long, "Ada"}; !slices.Equal(got, want) {
		t.Errorf("answers are %q, want %q", got, want)
	}
}
