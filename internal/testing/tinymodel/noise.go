package tinymodel

import (
	"fmt"

	"cairn/internal/testing/gguf"
)

// Random returns a model of noise. What it says is mostly no text, and ends only
// where a grammar or a limit ends it.
func Random(seed uint64) Model {
	return llama{name: "random", context: 2048, width: 64, layers: 2, heads: 4, keys: 2, head: 16, inner: 128, typ: gguf.F16}.noise(newVocabulary(), seed)
}

// Large returns a model of noise with 13 million parameters, in 14 MB: large
// enough to be caught at its work, small enough to be made anew.
func Large(seed uint64) Model {
	v := newVocabulary()
	for i := 0; len(v.tokens) < 8192; i++ {
		v.add(fmt.Sprintf("w%04x", i))
	}
	return llama{name: "large", context: 4096, width: 320, layers: 8, heads: 5, keys: 5, head: 64, inner: 960, typ: gguf.Q8_0}.noise(v, seed)
}

// Loop returns a model that says "a" and nothing else. A server gives such a
// reply up after some thirty repeats, without a last word.
func Loop() Model {
	v := newVocabulary()
	return bigram("loop", v, func(_, next int) float32 {
		if next == v.bytes['a'] {
			return certain
		}
		return 0
	})
}

// certain is a logit that leaves the others no chance at any temperature in use.
const certain = 30
