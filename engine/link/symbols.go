package link

import (
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
