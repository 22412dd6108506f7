package extract

import (
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/engine/lexicon"
	"cairn/internal/wording"
)

// token is a word of a document, folded, with its place.
type token struct {
	word       string
	start, end int // byte offsets in the document
}

// tokens returns the words that a model is shown of a range. Words are as they
// are shown: what is hidden within one does not divide it.
func (d *Document) tokens(in span) []token {
	parts := d.visible(in)
	var list []token
	part, before := 0, 0 // the part that a word lies in, and what is shown before it
	place := func(at int) int {
		for part < len(parts)-1 && at >= before+parts[part].end-parts[part].start {
			before += parts[part].end - parts[part].start
			part++
		}
		return parts[part].start + at - before
	}
	for _, t := range lexicon.Tokenize(d.shown(in)) {
		if t.Lower != lexicon.Possessive {
			list = append(list, token{t.Lower, place(t.Start), place(t.End-1) + 1})
		}
	}
	return list
}

// words returns the folded words of a text that is not the document's.
func words(s string) []string {
	var list []string
	for _, t := range lexicon.Tokenize(s) {
		if t.Lower != lexicon.Possessive {
			list = append(list, t.Lower)
		}
	}
	return list
}

// passage is a range of a document in which texts are looked for, word by word:
// case, accents, white space, punctuation and marks of Markdown do not count.
type passage struct {
	doc    *Document
	in     span
	tokens []token
	at     map[string][]int // where each word stands among tokens
}

func (d *Document) passage(in span) *passage {
	p := &passage{doc: d, in: in, tokens: d.tokens(in), at: map[string][]int{}}
	for i, t := range p.tokens {
		p.at[t.word] = append(p.at[t.word], i)
	}
	return p
}

// find returns the first place of a text, and whether there is one. A place that
// is the very same, byte by byte, comes before one that is so word by word.
func (p *passage) find(text string) (span, bool) {
	if s, ok := p.findExact(text); ok {
		return s, true
	}
	return p.findWords(words(text))
}

// findExact returns the first place that is a text, byte by byte.
func (p *passage) findExact(text string) (span, bool) {
	if text != "" {
		part := p.doc.Text[p.in.start:p.in.end]
		for from := 0; ; {
			i := strings.Index(part[from:], text)
			if i < 0 {
				break
			}
			s := span{p.in.start + from + i, p.in.start + from + i + len(text)}
			if p.whole(s) {
				return s, true
			}
			from += i + 1
		}
	}
	return span{}, false
}

// whole reports whether a range begins and ends with words, not within them, and
// shows a model all that is in it.
func (p *passage) whole(s span) bool {
	if vs := p.doc.visible(s); len(vs) != 1 || vs[0] != s {
		return false
	}
	return !p.within(s.start) && !p.within(s.end) && p.wholeNumbers(s)
}

// wholeNumbers reports whether a range neither begins nor ends within a number:
// 5 does not stand in 1.5, in 5,000 or in -5. A hyphen between digits divides
// numbers, as in 1815-1852.
func (p *passage) wholeNumbers(s span) bool {
	text := p.doc.Text[p.in.start:p.in.end]
	before, in, after := text[:s.start-p.in.start], text[s.start-p.in.start:s.end-p.in.start], text[s.end-p.in.start:]
	if in == "" {
		return true
	}
	if isDigit(in[0]) {
		sign, n := utf8.DecodeLastRuneInString(before)
		left, _ := utf8.DecodeLastRuneInString(before[:len(before)-n])
		switch {
		case (sign == '.' || sign == ',') && unicode.IsDigit(left) && !dayAndMonth.MatchString(before):
			return false
		case (sign == '-' || sign == '−') && (len(before) == n || unicode.IsSpace(left) || left == '('):
			return false
		}
	}
	cut := len(after) > 1 && (after[0] == '.' || after[0] == ',') && isDigit(after[1])
	return !cut || !isDigit(in[len(in)-1])
}

// dayAndMonth is what stands before the year of 24.12.1844.
var dayAndMonth = regexp.MustCompile(`(?:\A|[^\d.])\d{1,2}\.\d{1,2}\.\z`)

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// within reports whether an offset lies within a word.
func (p *passage) within(at int) bool {
	i := sort.Search(len(p.tokens), func(i int) bool { return p.tokens[i].end > at })
	return i < len(p.tokens) && p.tokens[i].start < at
}

// findWords returns the first place where words stand in a row.
func (p *passage) findWords(ws []string) (span, bool) {
	if len(ws) == 0 {
		return span{}, false
	}
	for _, i := range p.at[ws[0]] {
		if i+len(ws) > len(p.tokens) {
			break
		}
		s := span{p.tokens[i].start, p.tokens[i+len(ws)-1].end}
		if equalWords(p.tokens[i:i+len(ws)], ws) && p.wholeNumbers(s) {
			return s, true
		}
	}
	return span{}, false
}

// What belongs to words that it stands right before or after.
const (
	opening = `*_"'“‘«([{`
	closing = `*_"'”’»)]}.!?。！？`
)

// withMarks extends a place that was found word by word by the marks around it,
// as far as no white space is between, and by where a link leads.
func (p *passage) withMarks(s span) span {
	text := p.doc.Text
	s.start = p.in.start + len(strings.TrimRight(text[p.in.start:s.start], opening))
	for s.end < p.in.end {
		end := p.in.end - len(strings.TrimLeft(text[s.end:p.in.end], closing))
		if i := sort.Search(len(p.doc.hidden), func(i int) bool { return p.doc.hidden[i].end > s.end }); i < len(p.doc.hidden) && p.doc.hidden[i].start <= s.end {
			end = min(p.doc.hidden[i].end, p.in.end)
		}
		if end == s.end {
			break
		}
		s.end = end
	}
	return s
}

func equalWords(ts []token, ws []string) bool {
	return slices.EqualFunc(ts[:len(ws)], ws, func(t token, w string) bool { return t.word == w })
}

// articles may stand before a name in a reply and not in the text.
var articles = lexicon.WordSet("the a an der die das den dem le la les el los las il lo gli o os as het een")

// findName is find for a name, which may have an article that the text lacks.
func (p *passage) findName(name string) (span, bool) {
	if s, ok := p.find(name); ok {
		return s, true
	}
	ws := words(name)
	if len(ws) > 1 && articles[ws[0]] {
		return p.findWords(ws[1:])
	}
	return span{}, false
}

// as returns how a document writes what stands at s, on one line; fallback where
// part of it is hidden.
func (d *Document) as(s span, fallback string) string {
	if vs := d.visible(s); len(vs) != 1 || vs[0] != s {
		return fallback
	}
	return wording.OneLine(d.Text[s.start:s.end])
}

// around returns the sentences that a place lies in, within a range.
func (d *Document) around(in, s span) span {
	list := sentences(d.Text, in)
	out := s
	for _, x := range list {
		if x.start < s.end && s.start < x.end {
			out.start, out.end = min(out.start, x.start), max(out.end, x.end)
		}
	}
	return out
}
