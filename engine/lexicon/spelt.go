package lexicon

// Spelt puts right what questions begin with, and the articles: two letters in each other's place, or
// one left out.
func Spelt(t Token) Token {
	if w, ok := slips[t.Lower]; ok {
		t.Lower, t.Stem = w, Stem(w)
	}
	return t
}

// slips are the misspellings of the words that matter most, with what they stand for.
var slips = func() map[string]string {
	m := map[string]string{}
	for _, w := range []string{"what", "which", "where", "when", "whose", "the", "that"} {
		for i := 1; i < len(w); i++ {
			if i+1 < len(w) {
				m[w[:i]+w[i+1:i+2]+w[i:i+1]+w[i+2:]] = w
			}
			if len(w) > 4 {
				m[w[:i]+w[i+1:]] = w
			}
		}
	}
	for w := range Words("function words") {
		delete(m, w)
	}
	return m
}()
