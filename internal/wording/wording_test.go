package wording_test

import (
	"testing"

	"cairn/internal/wording"
)

func TestNumber(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 133582: "133,582", -1234567: "-1,234,567", -999: "-999"} {
		if got := wording.Number(n); got != want {
			t.Errorf("Number(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 entities", 1: "1 entity", 2730: "2,730 entities"} {
		if got := wording.Count(n, "entity", "entities"); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestList(t *testing.T) {
	for _, test := range []struct {
		words       []string
		and, choice string
	}{
		{nil, "", ""},
		{[]string{"a"}, "a", "a"},
		{[]string{"a", "b"}, "a and b", "a or b"},
		{[]string{"a", "b", "c"}, "a, b and c", "a, b or c"},
	} {
		if got := wording.List(test.words); got != test.and {
			t.Errorf("List(%q) = %q, want %q", test.words, got, test.and)
		}
		if got := wording.Choice(test.words); got != test.choice {
			t.Errorf("Choice(%q) = %q, want %q", test.words, got, test.choice)
		}
	}
}

func TestAmount(t *testing.T) {
	for want, got := range map[string]string{
		"1,684 km": wording.Amount(1684, "km"), "0.333": wording.Amount(1.0/3, ""), "1,234.57": wording.Amount(1234.567, ""), "2,000": wording.Amount(1999.999, ""),
		"-1.50 m": wording.Amount(-1.5, "m"), "$3": wording.Amount(3, "$"), "85%": wording.Amount(85, "%"),
	} {
		if got != want {
			t.Errorf("Amount = %q, want %q", got, want)
		}
	}
}

func TestFewSaysHowManyAreLeftOut(t *testing.T) {
	words := []string{"Austria", "Italy", "Malta", "Spain"}
	for n, want := range map[int]string{
		4: "Austria, Italy, Malta and Spain", 3: "Austria, Italy, Malta and 1 more", 1: "Austria and 3 more",
	} {
		if got := wording.Few(words, n); got != want {
			t.Errorf("Few(%d) = %q, want %q", n, got, want)
		}
	}
}
