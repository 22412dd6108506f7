package builtin

import (
	"slices"
	"strings"
	"unicode"

	"cairn/engine/link"
)

// readForm finds out whether the text is a claim to check, and whether it is
// denied.
func (r *reader) readForm() {
	if len(r.words) == 0 {
		return
	}
	switch text := strings.TrimSpace(r.text); {
	case r.asksOutright():
	case r.startsLikeYesNo():
		r.claim = true
	case strings.HasSuffix(text, "."), strings.HasSuffix(text, "!"):
		// Whatever it has inside: "It was Y who succeeded X."
		r.claim = r.hasVerb() || len(r.sureNames()) > 1 || r.joinsPlainNames()
	case strings.HasSuffix(text, "?"):
		// "That was the genre of X?" has lost its question word.
		r.claim = !r.hasQuestionWord() && r.words[0].Lower != "that" && !r.offersChoice() && r.hasFiniteVerb()
	default:
		r.claim = !r.hasQuestionWord() && r.isStatement()
	}
	r.negated = r.claim && r.isDenied()
}

// asksOutright reports whether the text starts as questions and requests do.
func (r *reader) asksOutright() bool {
	first := r.words[0].Lower
	if (questionWords[first] || requestWords[first]) && !r.partOfName(0) {
		return true
	}
	switch first {
	case "in", "at", "on", "by", "for", "of", "to", "from", "with", "through", "during":
		// "In which city …?", but not "In 1967 it was X who …".
		return len(r.words) > 1 && questionWords[r.words[1].Lower]
	case "can", "could", "would", "will", "do", "please", "i":
		// "Do you know who …", "I want to know which …"
		ask := slices.ContainsFunc(r.words[:min(len(r.words), 7)], func(w word) bool { return requestWords[w.Lower] || w.Lower == "know" || w.Lower == "wonder" })
		return ask && r.hasQuestionWord() || len(r.words) > 2 && requestWords[r.words[2].Lower] && r.words[1].Lower == "you"
	}
	return false
}

var questionWords = map[string]bool{
	"what": true, "which": true, "who": true, "whom": true, "whose": true, "when": true, "where": true, "how": true, "why": true,
}

var requestWords = map[string]bool{
	"name": true, "list": true, "show": true, "give": true, "tell": true, "find": true, "count": true, "identify": true, "describe": true,
}

// hasVerb reports whether the text has a word that only sentences have, or a
// past form: "X starred in Y".
func (r *reader) hasVerb() bool {
	return r.hasFiniteVerb() || slices.ContainsFunc(r.words, func(w word) bool { return w.isPast() })
}

// hasFiniteVerb reports whether the text has a word that only sentences have:
// "the son of X" is none, nor "films directed by X".
func (r *reader) hasFiniteVerb() bool {
	return slices.ContainsFunc(r.words, func(w word) bool { return verbs[w.Lower] })
}

var verbs = map[string]bool{
	"is": true, "are": true, "was": true, "were": true, "be": true, "been": true, "has": true, "have": true, "had": true,
	"does": true, "did": true, "do": true, "isn": true, "wasn": true, "can": true, "could": true, "will": true, "would": true,
	"comes": true, "came": true, "made": true, "won": true, "wrote": true, "went": true, "goes": true, "lies": true,
	"plays": true, "leads": true, "led": true, "owns": true, "belongs": true, "lives": true, "stands": true, "stars": true,
	"serves": true, "serve": true, "makes": true, "runs": true, "ran": true, "held": true, "holds": true, "uses": true,
	"contains": true, "includes": true, "became": true, "becomes": true, "speaks": true, "spoke": true, "began": true, "took": true,
}

// comparesThings reports whether a claim sets one thing against another, "longer
// than the Danube", or against a value by another word than "more than 80": what
// joins the two names in the graph says nothing of that.
func (r *reader) comparesThings() bool {
	for i, w := range r.words {
		if w.Lower != "than" || i == 0 || r.isLinked(i) {
			continue
		}
		switch r.words[i-1].Lower {
		case "rather", "other":
			continue
		case "more", "less", "fewer":
			to := i + 1
			for to < len(r.words) && r.words[to].stop {
				to++
			}
			if to == len(r.words) || !r.isLinked(to) || isNumeral(r.words[to].Text) {
				continue
			}
		}
		return true
	}
	return false
}

// isNumeral reports whether a word is written in digits.
func isNumeral(s string) bool { return strings.IndexFunc(s, unicode.IsDigit) == 0 }

// isDenied reports whether the sentence says that something is not so.
func (r *reader) isDenied() bool {
	for i, w := range r.words {
		switch w.Lower {
		case "not", "never", "neither", "nor", "without", "cannot":
			if !r.isAboutSpeaker(i) && !r.partOfName(i) {
				return true
			}
		case "no":
			// "No, he was …" denies what was said before, not what it says.
			if i > 0 && !r.partOfName(i) {
				return true
			}
		}
	}
	return r.hasContractedNot()
}

// isAboutSpeaker reports whether a denial is of what the speaker knows: "not sure,
// but", "I wasn't aware that".
func (r *reader) isAboutSpeaker(i int) bool {
	return slices.ContainsFunc(r.words[i+1:min(i+3, len(r.words))], func(w word) bool {
		switch w.Lower {
		case "sure", "only", "aware", "know", "realize", "realise":
			return true
		}
		return false
	})
}

// partOfName reports whether word i is part of a longer name: the "Never" of "Never
// Let Me Go".
func (r *reader) partOfName(i int) bool {
	return slices.ContainsFunc(r.spans, func(s span) bool { return s.isSure() && s.to-s.from > 1 && s.from <= i && i < s.to })
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
	if r.offersChoice() {
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

// offersChoice reports whether the text asks which of two it is: "Is X a man or a
// woman?".
func (r *reader) offersChoice() bool {
	for i, w := range r.words {
		if w.Lower == "or" && !r.partOfName(i) {
			return true
		}
	}
	return false
}

// saysKind reports whether a name is followed by "is a" and one or two words, or by
// "is the highest …".
func (r *reader) saysKind(name span) bool {
	rest := r.words[name.to:]
	if len(rest) < 3 || !copulas[rest[0].Lower] {
		return false
	}
	switch rest[1].Lower {
	case "a", "an":
		return len(rest) < 5
	case "the":
		return isSuperlative(rest[2].Lower)
	}
	return false
}

// isStatement reports whether the text says something of two names, or what kind of
// thing one is: it is no question, and the first name stands at its beginning.
func (r *reader) isStatement() bool {
	if strings.HasSuffix(strings.TrimSpace(r.text), "?") {
		return false
	}
	sure := r.sureNames()
	if len(sure) == 0 || len(sure) == 1 && !r.saysKind(sure[0]) {
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

// sureEnough is the strength from which a mention is a name in this text. Where
// somebody types without capitals, a name is no weaker for having none.
func (r *reader) sureEnough() float64 {
	for i, w := range r.words {
		lower := strings.ToLower(w.Text)
		if i > 0 && w.Capital && strings.ToUpper(w.Text) != w.Text && lower != w.Text {
			return sureStrength
		}
	}
	return likelyStrength
}

// sureNames returns the spans that are names beyond doubt and do not overlap.
func (r *reader) sureNames() []span {
	var sure []span
	for _, s := range r.spans {
		if s.Strength >= r.sureEnough() && !slices.ContainsFunc(sure, s.overlaps) {
			sure = append(sure, s)
		}
	}
	return sure
}

// joinsPlainNames reports whether the text begins with one name that is written
// small and ends with another: "tissue surrounds cell".
func (r *reader) joinsPlainNames() bool {
	first, last := false, false
	for _, s := range r.spans {
		first = first || s.from == 0 && s.isPlain()
		last = last || s.from > 1 && s.to == len(r.words) && s.isPlain()
	}
	return first && last
}

// isPlain reports whether a span is the whole of a name that the graph itself writes
// small. Its words may be everyday ones: "cell".
func (a span) isPlain() bool {
	return a.Candidates[0].Method == link.Exact && strings.ToLower(a.Text) == a.Text
}

// hasContractedNot finds "isn't", which is cut into "isn" and "t".
// "Isn't X …?" expects a yes, and denies nothing.
func (r *reader) hasContractedNot() bool {
	for i := range r.words {
		if i > 0 && r.isContractedNot(i) && !r.isAboutSpeaker(i) {
			return true
		}
	}
	return false
}
