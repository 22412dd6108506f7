package link

import (
	"slices"
	"strings"

	"cairn/engine/lexicon"
)

// Unlinked returns the phrases of a question that look like names but that no
// mention explains, in order: what is in quotation marks or brackets, and runs
// of capitalised words inside a sentence. A mention explains a phrase where it
// overlaps it and is more than a part of a longer name that only begins alike.
func (l *Linker) Unlinked(question string, mentions []Mention) []string {
	s := newSearch(l, question)
	explained := make([]bool, len(s.tokens))
	for _, m := range mentions {
		for i := s.tokenAt(m.Start); i < len(s.tokens) && s.tokens[i].Start < m.End; i++ {
			explained[i] = true
		}
	}
	for i, t := range s.tokens { // "30 February", "March 2022", "550 BC"
		beside := func(j int) bool { return j >= 0 && j < len(s.tokens) && startsWithDigit(s.tokens[j].Lower) }
		explained[i] = explained[i] || isMonth(t.Lower) && (beside(i-1) || beside(i+1)) || eras[t.Lower] && beside(i-1)
	}
	var phrases []string
	for from := 0; from < len(s.tokens); {
		if sp, ok := s.markedFrom(from); ok {
			if !slices.Contains(explained[from:sp.to], true) {
				phrases = append(phrases, strings.TrimSpace(question[sp.start:sp.end]))
			}
			from = sp.to
			continue
		}
		to := from
		for to < len(s.tokens) && !explained[to] && (s.nameLike(to) || to > from && s.inside(to, explained)) {
			if _, ok := s.markedFrom(to); ok {
				break
			}
			to++
		}
		if to > from {
			phrases = append(phrases, question[s.tokens[from].Start:s.tokens[to-1].End])
		}
		from = max(to, from+1)
	}
	return phrases
}

// eras stand behind a year.
var eras = lexicon.WordSet("bc bce ad ce")

// markedFrom returns the marked span that begins with the token.
func (s *search) markedFrom(i int) (span, bool) {
	for _, sp := range s.marked {
		if sp.from == i {
			return sp, true
		}
	}
	return span{}, false
}

// nameLike reports whether a word looks like a part of a name: capitalised
// inside a sentence, and no word that questions use, unless something in the
// same case stands beside it.
func (s *search) nameLike(i int) bool {
	t := s.tokens[i]
	if !s.capital(i) || s.sentenceStart(i) {
		return false
	}
	if !s.known.word(t) || s.tokens[i-1].Capital && i > 1 {
		return true
	}
	next := i + 1
	if next < len(s.tokens) && s.tokens[next].Lower == "of" {
		next++ // University of Nowhere
	}
	return next < len(s.tokens) && s.tokens[next].Capital
}

// inside reports whether a word written small may stand inside a name before
// another name-like word, "University of Nowhere", or is a number that goes with it.
func (s *search) inside(i int, explained []bool) bool {
	t := s.tokens[i]
	if t.Lower == lexicon.Possessive || isNumber(t.Text) {
		return isNumber(t.Text) && t.Start == s.tokens[i-1].End+1
	}
	switch t.Lower {
	case "of", "the", "de", "la", "von", "van", "der", "and", "in":
		return i+1 < len(s.tokens) && !explained[i+1] && (s.nameLike(i+1) || s.tokens[i+1].Lower == "the" && i+2 < len(s.tokens) && s.nameLike(i+2))
	}
	return false
}

// sentenceStart reports whether a full stop, question or exclamation mark
// stands right before the word.
func (s *search) sentenceStart(i int) bool {
	between := s.question[s.tokens[i-1].End:s.tokens[i].Start]
	return strings.ContainsAny(between, "?!") || strings.Contains(between, ". ") && len(s.tokens[i-1].Text) > 2
}
