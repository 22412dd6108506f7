package bench

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"cairn/engine/embed"
	"cairn/engine/lexicon"
)

func TestLinking(t *testing.T) {
	names := append(someNames(400), "Heat", "heat", "Vienna")
	look := func(pairs ...Pair) (*LinkingSet, error) {
		e := embed.NewLexical(slices.Values(names), lexicon.Builtin())
		return Linking(t.Context(), "letters", e, names, pairs, 10, 1, func(int64, int64) {})
	}
	set, err := look(Pair{"VIENNA", "Vienna"}, Pair{"the film", "HEAT"})
	if err != nil {
		t.Fatalf("Linking: %v", err)
	}
	if want := 403; set.Names != want {
		t.Errorf("%d names, want %d: case aside, each once, and the mark alone", set.Names, want)
	}
	for i, want := range []LinkingRow{{kindMisspelt, 30, 15, 20}, {kindShortened, 20, 1, 4}, {kindOtherwise, 2, 1, 1}} {
		got := set.Rows[i]
		if got.Kind != want.Kind || got.N != want.N || got.First < want.First || got.Five < max(want.Five, got.First) || want.Kind == kindOtherwise && got != want {
			t.Errorf("row %d = %+v, want %+v at least", i, got, want)
		}
	}
	var text bytes.Buffer
	if err := WriteLinking(&text, []LinkingSet{*set}); err != nil || !strings.Contains(text.String(), "said otherwise  2   0.500") {
		t.Errorf("the table, %v:\n%s", err, text.String())
	}
	if _, err := look(Pair{"Wien", "Wien"}); err == nil || !strings.Contains(err.Error(), `"Wien"`) {
		t.Errorf("a pair whose name is not there: %v", err)
	}
}
