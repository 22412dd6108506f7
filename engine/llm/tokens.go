package llm

import "unicode/utf8"

// EstimateTokens estimates from above how many tokens a text has: a token for
// three bytes of ASCII, since names and JSON come in shorter pieces than prose
// (four), and three for two characters of any other script.
func EstimateTokens(s string) int {
	ascii, other := 0, 0
	for _, r := range s {
		if r < utf8.RuneSelf {
			ascii++
		} else {
			other++
		}
	}
	return (ascii+2)/3 + (other*3+1)/2
}
