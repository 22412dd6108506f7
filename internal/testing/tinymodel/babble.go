package tinymodel

import "strings"

// Babble returns a model that says pronounceable nonsense and likes to close what
// it opened. Held to a JSON schema it writes a random instance of it, another one
// for each seed at a temperature above 0, and comes to an end.
func Babble() Model {
	v := newVocabulary()
	chars := make([]byte, len(v.tokens)) // the byte of each token; 0 for other tokens
	for b, id := range v.bytes {
		chars[id] = byte(b)
	}
	return bigram("babble", v, func(last, next int) float32 {
		if next == v.end() {
			return babbleEnd(chars[last])
		}
		return babbleNext(chars[last], chars[next])
	})
}

func in(c byte, set string) bool { return c != 0 && strings.IndexByte(set, c) >= 0 }

const (
	vowels     = "aeiou"
	consonants = "bdfgklmnprstvz"
)

// babbleEnd is how readily a reply ends after a byte.
func babbleEnd(last byte) float32 {
	if in(last, ".}]") {
		return 12
	}
	return 3
}

// babbleNext is how readily one byte follows another. Under a grammar only the
// allowed bytes compete, so that structure, unlikely here, comes where it is due:
// a close bracket a little less readily than a comma, so that lists have a few
// items.
func babbleNext(last, next byte) float32 {
	afterVowel, afterConsonant := in(last, vowels), in(last, consonants)
	switch {
	case next == '"' && afterVowel:
		return 9
	case next == '"' && last == '"': // a rare empty string
		return 3
	case next == '"':
		return 7
	case in(next, "{["):
		return 2
	case next == ',':
		return 1.3
	case in(next, "}]:"):
		return 1
	case in(next, vowels) && afterConsonant:
		return 10
	case in(next, consonants) && (afterVowel || last == ' ' || last == '"'):
		return 8
	case in(next, vowels), in(next, consonants):
		return 5
	case next == ' ' && afterVowel:
		return 7
	case next == '.' && afterVowel:
		return 6
	case in(next, "0123456789"):
		return 4
	case next >= 'a' && next <= 'z', next >= 'A' && next <= 'Z':
		return 3
	case next == '.':
		return 0
	case next == ' ':
		return -3
	}
	return -5
}
