package builtin

import (
	"slices"
	"strings"

	"cairn/engine/lexicon"
	"cairn/engine/plan/words"
)

// findTarget finds what is asked: the asked noun, the question word's kind and
// the anchor.
//
//	which genres do the films … fall under    asked: genres
//	who acted in the films …                  wh: who, anchor: acted
//	the parent of X                           asked: parent
func (q *question) findTarget() {
	for i := range q.Words {
		if q.Words[i].Mention < 0 && q.asked < 0 {
			q.readQuestionWord(i)
		}
	}
	switch {
	case q.asked >= 0:
	case q.wh == noWh:
		if !q.asksObject() {
			q.asked = q.bareTarget()
		}
	default:
		q.anchor = q.findAnchor()
	}
}

func (q *question) readQuestionWord(i int) {
	next := ""
	if i+1 < len(q.Words) {
		next = q.Words[i+1].Lower
	}
	set := func(w wh) {
		if q.wh == noWh {
			q.wh = w
		}
	}
	switch q.Words[i].Lower {
	case "who", "whom":
		set(who)
		if isBe(next) && q.isNounAhead(i+2) {
			q.asked = q.scanNoun(i + 1)
		}
	case "whose": // "whose mayor is X" asks for whoever has the mayor
		if n := len(q.Words); i == 0 && slices.ContainsFunc(q.Words[min(2, n):min(5, n)], func(w words.Word) bool { return isBe(w.Lower) }) {
			set(who)
		}
	case "when":
		set(when)
	case "where":
		set(where)
	case "how":
		switch next {
		case "many":
			set(howMany)
			q.asked = q.scanNoun(i + 2)
		case "old", "tall", "much", "long", "high", "deep", "big", "large", "heavy", "wide", "far", "fast":
			set(howMuch)
		}
	case "what", "which":
		if (i == 0 || q.wh == noWh) && !q.asksObject() {
			q.asked = q.scanNoun(i + 1)
		}
	}
}

// asksObject reports whether a question asks for what its subject does something to, which has no noun:
// "what does the maker of X make".
func (q *question) asksObject() bool {
	n := len(q.Words)
	at := 1
	if q.has(min(1, n), min(2, n), "else") {
		at++
	}
	if n < at+3 || !q.has(0, 1, "what") || !q.has(at, at+1, "do", "does", "did") {
		return false
	}
	last := &q.Words[n-1]
	return last.Mention < 0 && last.IsCue() && !last.Stop
}

func isBe(w string) bool { return w == "is" || w == "are" || w == "was" || w == "were" }

// isNounAhead reports whether a noun follows "who is": a determiner or a content
// word at i, not "who is from …".
func (q *question) isNounAhead(i int) bool {
	if i >= len(q.Words) {
		return false
	}
	return !q.Words[i].Stop || slices.Contains([]string{"the", "a", "an", "some", "all"}, q.Words[i].Lower)
}

// isNoun reports whether word i names something that a step leads to, or a kind
// of thing.
func (q *question) isNoun(i int) bool {
	w := &q.Words[i]
	return w.Mention < 0 && !w.Silent && (len(w.Names) > 0 || w.IsKind())
}

// scanNoun returns the first noun from i on, moved along directly adjacent
// nouns to the last of them ("football club"), or -1 where a mention or a verb
// comes first. A mention right after the question word is passed: "which Italy
// footballer".
func (q *question) scanNoun(i int) int {
	for j := i; j < len(q.Words); j++ {
		w := &q.Words[j]
		switch {
		case w.Mention >= 0:
			if i == 0 || q.Words[i].Mention != w.Mention {
				return -1
			}
		case w.Silent, w.Stop, w.Taken, w.Lower == "listed":
		case j > i && q.IsApposition(j): // "which was in the film Kismet"
		case q.isNoun(j):
			return q.lastNoun(j)
		case w.IsCue():
			return -1
		}
	}
	return -1
}

// lastNoun moves along adjacent nouns; "co" may stand between, as in "co-star".
func (q *question) lastNoun(j int) int {
	for {
		next := j + 1
		if next+1 < len(q.Words) && q.Words[next].Lower == "co" {
			next++
		}
		if next >= len(q.Words) || !q.isNoun(next) || len(q.Words[next].Names) == 0 || q.isVerbAfter(j, next) || q.has(next, next+1, "do", "does", "did") {
			return j
		}
		j = next
	}
}

// isVerbAfter reports whether the word at next is a verb of the noun at j, by
// their endings and a name that follows: "which countries border France", "which
// drug targets the protein P"; or of a type of the graph by their endings alone, "which strains grow".
func (q *question) isVerbAfter(j, next int) bool {
	endsInS := func(w *words.Word) bool { return strings.HasSuffix(w.Lower, "s") && w.Stem != w.Lower }
	after := next + 1
	if after < len(q.Words) && q.Words[after].Lower == "the" {
		after++
	}
	if q.Words[j].IsKind() && (lexicon.IsPast(q.Words[next].Lower) || lexicon.IsParticiple(q.Words[next].Lower)) && q.has(next+1, min(next+2, len(q.Words)), "the", "a", "an", "most", "more", "fewer", "fewest") {
		return true // "which performance sold the most tickets"
	}
	isVerb := lexicon.IsPlural(q.Words[j].Lower) && !lexicon.IsPlural(q.Words[next].Lower) || lexicon.IsPast(q.Words[next].Lower)
	if isVerb && len(q.Words[j].Types) > 0 && len(q.Words[next].Types) == 0 && after < len(q.Words) && q.has(0, j, "which", "what") {
		return true
	}
	participle := strings.HasSuffix(q.Words[next].Lower, "ing") && q.Words[next].Lower != q.Words[next].Stem // "the film starring X"
	return (participle || endsInS(&q.Words[j]) != endsInS(&q.Words[next])) && after < len(q.Words) && q.Words[after].Mention >= 0
}

// bareTarget finds the asked noun of a question without a question word: the
// last word where a verb follows the mentions ("films X acted in genres"),
// otherwise the first noun.
func (q *question) bareTarget() int {
	last := len(q.Words) - 1
	if last < 0 || len(q.Mentions) == 0 {
		return q.scanNoun(0)
	}
	first := 0
	for first < last && (q.Words[first].Mention >= 0 || q.Words[first].Stop || q.Words[first].Silent) {
		first++
	}
	if first > 0 && q.Words[first-1].Mention >= 0 && len(q.Words[first].Types) > 0 { // "crime works"
		return q.lastNoun(first)
	}
	verb := q.Words[last].EndsGap
	for j := q.Mentions[len(q.Mentions)-1].To; j < last; j++ {
		if w := &q.Words[j]; w.IsCue() && len(w.Names) == 0 {
			verb = true
		}
		if q.has(j, j+1, relatives...) { // "genes that cause a disease": what stands there is said of the genes
			return q.scanNoun(0)
		}
	}
	if verb && q.isNoun(last) && !q.Words[last].Stop && last >= q.Mentions[0].To {
		return last
	}
	return q.scanNoun(0)
}

// findAnchor returns the cue next to a question word at either end of the
// question, with no mention between, or -1.
func (q *question) findAnchor() int {
	n := len(q.Words)
	isAnchor := func(j int) bool { return q.Words[j].IsCue() && !q.Words[j].Stop }
	switch q.Words[n-1].Lower {
	case "who", "whom", "where", "when":
		for j := n - 2; j >= 0 && q.Words[j].Mention < 0; j-- {
			if isAnchor(j) {
				return j
			}
		}
		return -1
	}
	if first := q.Words[0].Lower; first == "who" || first == "whom" {
		for j := 1; j < n && q.Words[j].Mention < 0; j++ {
			if isAnchor(j) {
				return j
			}
		}
	}
	return -1
}
