package link

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// naiveEdits is the number of edits between two words, as optimal string alignment
// defines it, by recursion.
func naiveEdits(a, b []rune, known map[[2]int]int) int {
	switch {
	case len(a) == 0:
		return len(b)
	case len(b) == 0:
		return len(a)
	}
	key := [2]int{len(a), len(b)}
	if e, ok := known[key]; ok {
		return e
	}
	same := 1
	if a[0] == b[0] {
		same = 0
	}
	e := min(naiveEdits(a[1:], b[1:], known)+same, naiveEdits(a[1:], b, known)+1, naiveEdits(a, b[1:], known)+1)
	if len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] {
		e = min(e, naiveEdits(a[2:], b[2:], known)+1)
	}
	known[key] = e
	return e
}

// TestNear: the words near to a word are those of a comparison with every word,
// however many processors compare.
func TestNear(t *testing.T) {
	was := wordsAtOnce
	defer func() { wordsAtOnce = was }()
	rng := rand.New(rand.NewPCG(4, 4))
	words := newDictionary(0, 0)
	word := func() string {
		var b strings.Builder
		for range 1 + rng.IntN(6) {
			b.WriteRune([]rune("abcé7")[rng.IntN(5)])
		}
		return b.String()
	}
	for range 1500 {
		words.add([]byte(word()))
	}
	words.add([]byte(strings.Repeat("a", maxWordLetters+1)))
	s, err := newSpelling(t.Context(), &words)
	if err != nil {
		t.Fatalf("newSpelling: %v", err)
	}
	for range 60 {
		asked, edits := word(), rng.IntN(3)
		var want []string
		for w := range uint32(words.size()) {
			other := words.get(w)
			e := naiveEdits([]rune(asked), []rune(other), map[[2]int]int{})
			if e > 0 && e <= edits && !isNumber(asked) && digits(asked) == digits(other) && utf8.RuneCountInString(other) <= maxWordLetters {
				want = append(want, fmt.Sprint(e, other))
			}
		}
		slices.Sort(want)
		for _, wordsAtOnce = range []int{1 << 18, 100, 1} {
			var got []string
			for _, near := range s.near(asked, edits) {
				got = append(got, fmt.Sprint(near.edits, near.word))
			}
			if !slices.Equal(got, want) {
				t.Errorf("near(%q, %d) = %v, want %v", asked, edits, got, want)
			}
		}
	}
}
