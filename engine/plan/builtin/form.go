package builtin

import (
	"slices"
	"strings"
)

// readForm finds out whether the text is a claim to check, and whether it is
// denied.
func (r *reader) readForm() {
	if len(r.words) == 0 {
		return
	}
	r.claim = !r.hasQuestionWord() && (r.startsLikeYesNo() || r.isStatement())
	r.negated = r.claim && slices.ContainsFunc(r.words, func(w word) bool {
		return w.Lower == "not" || w.Lower == "never" || w.Lower == "no"
	}) || r.claim && r.hasContractedNot()
}

func (r *reader) hasQuestionWord() bool {
	return slices.ContainsFunc(r.words, func(w word) bool {
		switch w.Lower {
		case "what", "which", "who", "whom", "whose", "when", "where", "how", "why":
			return true
		case "name", "list", "show", "give", "tell", "find", "count":
			return w.Start == r.words[0].Start
		}
		return false
	})
}

// startsLikeYesNo reports whether the text starts as a question for yes or no
// does, or asks outright for a check.
func (r *reader) startsLikeYesNo() bool {
	// "Is X a man or a woman?" asks which of the two.
	if slices.ContainsFunc(r.words, func(w word) bool { return w.Lower == "or" }) {
		return false
	}
	switch r.words[0].Lower {
	case "can", "could": // "can you name …" is a request
		return len(r.words) > 1 && r.words[1].Lower != "you"
	case "is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "isn", "aren", "wasn", "doesn", "didn", "verify", "true":
		return true
	}
	return false
}

// isStatement reports whether the text says something of two names: it is no
// question, and the first name stands at its beginning.
func (r *reader) isStatement() bool {
	if strings.HasSuffix(strings.TrimSpace(r.text), "?") {
		return false
	}
	var sure []span
	for _, s := range r.spans {
		if s.Strength >= sureStrength && !slices.ContainsFunc(sure, s.overlaps) {
			sure = append(sure, s)
		}
	}
	if len(sure) < 2 {
		return false
	}
	first := sure[0]
	for _, s := range sure {
		if s.from < first.from {
			first = s
		}
	}
	return !slices.ContainsFunc(r.words[:first.from], func(w word) bool { return !w.stop && !strings.HasSuffix(w.Lower, "ly") })
}

// hasContractedNot finds "isn't", which is cut into "isn" and "t".
func (r *reader) hasContractedNot() bool {
	for i := range r.words {
		if r.isContractedNot(i) {
			return true
		}
	}
	return false
}
