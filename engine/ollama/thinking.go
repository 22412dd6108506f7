package ollama

import (
	"encoding/json"
	"strings"
)

// Models that think aloud do so in one of three ways: the server takes the
// thought apart (Message.Thinking), or it stands before the answer between
// <think> and </think>, or, where the template wrote the first tag, it ends with
// </think>.
//
// Policy. A model that can think is left to: nothing is said about it, and the
// server then has it think first and enforces the schema on what follows.
// Forbidding it along with a schema makes some servers ignore the schema (Ollama
// issues 8063, 14645 and 15260), so that this is only the second try, where the
// first reply is not the JSON asked for or never came to an end of its thoughts.
// What worked then is what the model's next requests begin with.
const (
	thinkOpen = "<think>"
	thinkShut = "</think>"
)

// thoughtTokens is what a model that thinks may use for that, in tokens, beside
// its reply: this much, or a quarter of its context where that is less.
const thoughtTokens = 2048

// splitThought divides a reply, or its beginning, into what was thought aloud
// and what follows, and reports whether more text cannot change where that
// begins.
func splitThought(s string) (thought, visible string, sure bool) {
	t := strings.TrimLeft(s, " \t\r\n")
	if strings.HasPrefix(thinkOpen, t) && len(t) < len(thinkOpen) {
		return "", t, false
	}
	if !strings.HasPrefix(t, thinkOpen) {
		return "", t, true
	}
	thought, after, _ := strings.Cut(t[len(thinkOpen):], thinkShut)
	after = strings.TrimLeft(after, " \t\r\n")
	return strings.TrimSpace(thought), after, after != ""
}

// wholeThought divides a complete reply. Only then a thought shows that has an
// end and no beginning.
func wholeThought(s string) (thought, visible string) {
	thought, visible, _ = splitThought(s)
	if before, after, ok := strings.Cut(visible, thinkShut); ok && thought == "" && !strings.Contains(before, thinkOpen) && !json.Valid([]byte(visible)) {
		thought, visible = strings.TrimSpace(before), after
	}
	return thought, strings.TrimSpace(visible)
}

// holdsJSON reports whether a reply is JSON, or holds an object or a list that
// is: in a code fence, or among other words. Parsers of replies look for the
// same.
func holdsJSON(s string) bool {
	for _, brackets := range []string{"{}", "[]"} {
		from, to := strings.IndexByte(s, brackets[0]), strings.LastIndexByte(s, brackets[1])
		if from >= 0 && to > from && json.Valid([]byte(s[from:to+1])) {
			return true
		}
	}
	return json.Valid([]byte(s))
}
