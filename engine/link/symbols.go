package link

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// symbols adds mentions for names without letters and digits, such as the film
// "$": they must stand by themselves.
func (s *search) symbols() {
	if s.names.symbols.size() == 0 {
		return
	}
	for start := 0; start < len(s.question); {
		r, size := utf8.DecodeRuneInString(s.question[start:])
		if unicode.IsSpace(r) {
			start += size
			continue
		}
		end := start + strings.IndexFunc(s.question[start:], unicode.IsSpace)
		if end < start {
			end = len(s.question)
		}
		field := s.question[start:end]
		if strings.IndexFunc(field, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) < 0 {
			s.symbol(start, field)
		}
		start = end
	}
}

// symbol adds a mention for a field, or for what is left of it without the
// marks around it.
func (s *search) symbol(start int, field string) {
	for _, cut := range []string{"", ".,;:!?", "\"'“”‘’«»[]()", "\"'“”‘’«»[](),.;:!?"} {
		text := strings.Trim(field, cut)
		es := s.names.symbols.under([]byte(text))
		if len(es) == 0 || text == "" {
			continue
		}
		at := start + strings.Index(field, text)
		m := Mention{Start: at, End: at + len(text), Text: text, Strength: 1.5}
		if isMark(text) {
			m.Strength = 0.1 // the question mark at the end of a question
		}
		for _, e := range es {
			m.Candidates = append(m.Candidates, Candidate{Entity: e})
		}
		s.mentions = append(s.mentions, m)
		return
	}
}

func isMark(text string) bool {
	return strings.Trim(text, ".,;:!?\"'“”‘’«»[]()-–—") == ""
}

// maxElided is the longest name of which a list may leave words out.
const maxElided = 8

// elided adds mentions for the items of a list that leave out what the last one says for
// all: the 2004 of "the 2004 and 2012 Summer Olympics". An item is one word, and stands
// for another first word of the name: in "York or York North" nothing is left out.
func (s *search) elided() {
	for _, m := range slices.Clone(s.mentions) {
		from, to := s.tokenAt(m.Start), s.tokenAt(m.Start)
		for to < len(s.tokens) && s.tokens[to].End <= m.End {
			to++
		}
		if to-from < 2 || to-from > maxElided || m.Candidates[0].Distance > 0 {
			continue
		}
		for at := s.itemBefore(from); at >= 0 && s.tokens[at].Lower != s.tokens[from].Lower; at = s.itemBefore(at) {
			s.key = append(append(s.key[:0], s.tokens[at].Lower...), ' ')
			s.key = appendKey(s.key, s.tokens[from+1:to])
			ps := slices.DeleteFunc(slices.Clone(s.names.find(s.key)), func(p posting) bool { return p.form() > aliasForm })
			if len(ps) == 0 {
				break
			}
			// What the word names by itself is not meant.
			start, end := s.tokens[at].Start, s.tokens[at].End
			s.mentions = slices.DeleteFunc(s.mentions, func(o Mention) bool { return o.Start == start && o.End == end })
			s.addForm(at, at+1, ps, aliasForm)
			s.mentions[len(s.mentions)-1].Strength = m.Strength
		}
	}
}

// itemBefore returns the word before word i where both are items of a list, otherwise -1.
func (s *search) itemBefore(i int) int {
	at, listed := i-1, false
	if at >= 0 && (s.tokens[at].Lower == "and" || s.tokens[at].Lower == "or") {
		at, listed = at-1, true
	}
	if at < 0 {
		return -1
	}
	between := s.question[s.tokens[at].End:s.tokens[at+1].Start]
	switch between {
	case ", ", ",":
		return at
	case " ":
		if listed {
			return at
		}
	}
	return -1
}
