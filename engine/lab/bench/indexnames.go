package bench

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// changed says a name as people do who do not have it before them: of the kinds in
// turn, two letters swapped, one left out, one wrong, a word left out, or a word
// shortened. A name that is too short for a change stays as it is.
func changed(name string, kind int, rng *rand.Rand) string {
	words := strings.Fields(name)
	letters := []rune(name)
	if kind %= 5; kind >= 3 && len(words) < 2 {
		kind -= 3
	}
	if kind < 3 && len(letters) < 4 {
		return name
	}
	switch at := 1 + rng.IntN(max(1, len(letters)-2)); kind {
	case 0:
		letters[at], letters[at+1] = letters[at+1], letters[at]
	case 1:
		letters = slices.Delete(letters, at, at+1)
	case 2:
		wrong := []rune("aeiounrtls")
		letters[at] = wrong[rng.IntN(len(wrong))]
	case 3:
		at := rng.IntN(len(words))
		return strings.Join(slices.Delete(words, at, at+1), " ")
	default:
		at := rng.IntN(len(words))
		words[at] = string([]rune(words[at])[:1]) + "."
		return strings.Join(words, " ")
	}
	return string(letters)
}
