package gsr

import (
	"math/rand/v2"
	"slices"

	"cairn/engine/lexicon"
	"cairn/engine/questions"
	"cairn/engine/retrieve/learn"
)

const (
	// slipping is how often a question of one step is learned from with slips; one of more
	// steps, which hangs on every word, as much more seldom.
	slipping = 0.4
	// Of its words these shares are mistaken for others, change places, or are misspelt.
	mistakenShare = 0.25
	swappedShare  = 0.04
	misspeltShare = 0.04
)

var mistaken = lexicon.Mistaken()

// slipped returns the words of a question as somebody in a hurry writes it, or whose
// English is foreign: each time anew, so that none of it is learned by heart.
func slipped(x *questions.Example, rng *rand.Rand) (out []lexicon.Token, at []int) {
	tokens, span := learn.TokensOf(*x)
	for i, t := range tokens {
		if span[i] < 0 {
			t = slip(t, rng)
		}
		out, at = append(out, t), append(at, span[i])
		if n := len(out); n > 1 && rng.Float64() < swappedShare && (at[n-1] < 0 || at[n-2] < 0) {
			out[n-1], out[n-2], at[n-1], at[n-2] = out[n-2], out[n-1], at[n-2], at[n-1]
		}
	}
	return out, at
}

// slip returns a word, or what stands in its place by mistake.
func slip(t lexicon.Token, rng *rand.Rand) lexicon.Token {
	if others := mistaken[t.Lower]; len(others) > 0 && rng.Float64() < mistakenShare {
		return wordOf(others[rng.IntN(len(others))])
	}
	if s := []rune(t.Lower); len(s) > 3 && rng.Float64() < misspeltShare {
		i := 1 + rng.IntN(len(s)-2)
		if rng.IntN(2) == 0 {
			s[i], s[i+1] = s[i+1], s[i]
		} else {
			s = slices.Delete(s, i, i+1)
		}
		return wordOf(string(s))
	}
	return t
}

// wordOf is a folded word as a token.
func wordOf(word string) lexicon.Token {
	return lexicon.Token{Text: word, Lower: word, Stem: lexicon.Stem(word)}
}
