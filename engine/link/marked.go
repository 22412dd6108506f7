package link

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/engine/lexicon"
)

// marks are the pairs that people put around names. The straight single
// quotation mark is also an apostrophe, so it counts only at the edge of words.
var marks = []struct{ open, shut string }{
	{"[", "]"}, {"\"", "\""}, {"“", "”"}, {"„", "“"}, {"«", "»"}, {"‘", "’"}, {"「", "」"}, {"『", "』"}, {"《", "》"}, {"'", "'"},
}

// maxMarkedBytes is the longest text in marks that is taken for a name.
const maxMarkedBytes = 200

// markedSpans returns the spans in quotation marks or square brackets, without
// the marks, in order and apart.
func markedSpans(question string, tokens []lexicon.Token) []span {
	if !strings.ContainsAny(question, "[\"“„«‘「『《'") {
		return nil
	}
	var spans []span
	for i := 0; i < len(question); {
		if start, end, ok := markedAt(question, i); ok {
			if sp, ok := tokensWithin(tokens, start, end); ok {
				spans = append(spans, sp)
			}
			i = end
			continue
		}
		_, size := utf8.DecodeRuneInString(question[i:])
		i += size
	}
	return spans
}

// markedAt returns the bytes inside the marks that open at i.
func markedAt(question string, i int) (start, end int, ok bool) {
	for _, m := range marks {
		if !strings.HasPrefix(question[i:], m.open) {
			continue
		}
		start = i + len(m.open)
		window := question[start:min(len(question), start+maxMarkedBytes)]
		if m.open != "'" {
			if n := strings.Index(window, m.shut); n > 0 {
				return start, start + n, true
			}
			continue
		}
		if before, _ := utf8.DecodeLastRuneInString(question[:i]); i > 0 && !unicode.IsSpace(before) && before != '(' {
			continue
		}
		for n, r := range window {
			after, _ := utf8.DecodeRuneInString(window[min(n+1, len(window)):])
			if r == '\'' && n > 0 && !unicode.IsLetter(after) && !unicode.IsDigit(after) {
				return start, start + n, true
			}
		}
	}
	return 0, 0, false
}

// tokensWithin returns the span of the tokens that lie in the bytes.
func tokensWithin(tokens []lexicon.Token, start, end int) (span, bool) {
	sp := span{from: -1, start: start, end: end, first: end, last: start}
	for i, t := range tokens {
		if t.Start < start || t.End > end {
			continue
		}
		if sp.from < 0 {
			sp.from, sp.first = i, t.Start
		}
		sp.to, sp.last = i+1, t.End
	}
	if sp.from < 0 { // a name without letters
		sp.first, sp.last = start, end
	}
	return sp, end > start
}

// unnamed adds mentions for marked spans that are no name letter by letter or
// folded, but misspelt or only a part of one. What is merely near does not
// count: a name in quotation marks that the graph lacks must stay unlinked.
func (s *search) unnamed(ctx context.Context) error {
	for _, sp := range s.marked {
		if err := ctx.Err(); err != nil {
			return err
		}
		if slices.ContainsFunc(s.mentions, func(m Mention) bool { return isMarked(m, sp) }) {
			continue
		}
		text := s.question[sp.first:sp.last]
		found := s.named(text)
		if tokens := s.tokens[max(sp.from, 0):sp.to]; len(found) == 0 {
			if found = s.typo(tokens); len(found) == 0 {
				found = s.partial(tokens, false)
			}
		}
		if len(found) > 0 {
			s.mentions = append(s.mentions, Mention{
				Start: sp.first, End: sp.last, Text: text, Candidates: found,
				Strength: max(0.1, 1-found[0].Distance),
			})
		}
	}
	return nil
}

// settle strengthens the mentions that are marked spans and leaves out those
// that overlap one without being it, provided that one was found.
func settle(mentions []Mention, marked []span) []Mention {
	for _, sp := range marked {
		// Marks may be part of a name: The 'Human' Factor.
		if slices.ContainsFunc(mentions, func(m Mention) bool { return m.Start < sp.start && m.End > sp.end && m.Candidates[0].Distance == 0 }) {
			continue
		}
		found := false
		for i, m := range mentions {
			if isMarked(m, sp) {
				mentions[i].Strength += 3
				found = true
			}
		}
		if !found {
			continue
		}
		kept := mentions[:0]
		for _, m := range mentions {
			if isMarked(m, sp) || m.End <= sp.start || m.Start >= sp.end {
				kept = append(kept, m)
			}
		}
		mentions = kept
	}
	return mentions
}

// isMarked reports whether the mention covers the marked span but for
// punctuation.
func isMarked(m Mention, sp span) bool {
	return m.Start >= sp.start-1 && m.End <= sp.end+1 && m.Start <= sp.first && m.End >= sp.last
}
