package extract

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/llm"
	"cairn/internal/wording"
)

// chunks cuts a document into parts of about tokens tokens each, by estimate.
// It cuts between paragraphs where it can, else between sentences, else between
// words; only what has neither is cut within. A heading stays with what follows
// it. Parts do not overlap, so that each sentence is read once, and together they
// hold every word that a model is shown.
func (d *Document) chunks(tokens int) []kg.Chunk {
	return wording.Each(d.cut(span{0, len(d.Text)}, tokens), func(c span) kg.Chunk { return kg.Chunk{Start: int64(c.start), End: int64(c.end)} })
}

// halves returns an offset that cuts a part in two of about the same length, and
// whether there is one: not within a part that is one word.
func (d *Document) halves(c kg.Chunk) (at int64, ok bool) {
	whole := span{int(c.Start), int(c.End)}
	parts := d.cut(whole, max(1, (llm.EstimateTokens(d.shown(whole))+1)/2))
	if len(parts) < 2 {
		return 0, false
	}
	return int64(parts[1].start), true
}

// cut divides a range into parts that hold up to tokens tokens.
func (d *Document) cut(in span, tokens int) []span {
	var parts []span
	var open span
	room := 0
	add := func(s span, n int) {
		switch {
		case open.end == 0:
			open, room = s, tokens-n
		case n > room:
			parts = append(parts, open)
			open, room = s, tokens-n
		default:
			open.end = s.end
			room -= n
		}
	}
	for _, p := range d.paragraphs(in) {
		n := d.size(p)
		if n <= tokens {
			add(p, n)
			continue
		}
		for _, s := range sentences(d.Text, p) {
			if n := d.size(s); n <= tokens {
				add(s, n)
				continue
			}
			for _, piece := range d.pieces(s, tokens) {
				add(piece, d.size(piece))
			}
		}
	}
	if open.end > 0 {
		parts = append(parts, open)
	}
	var worded []span
	for _, p := range parts {
		if d.worded(p) {
			worded = append(worded, trim(d.Text, p))
		}
	}
	return worded
}

// size is how many tokens a model is shown of a range, by estimate.
func (d *Document) size(s span) int { return llm.EstimateTokens(d.shown(s)) }

// trim leaves white space out at both ends of a range.
func trim(text string, s span) span {
	part := text[s.start:s.end]
	left := strings.TrimLeftFunc(part, unicode.IsSpace)
	s.start += len(part) - len(left)
	s.end = s.start + len(strings.TrimRightFunc(left, unicode.IsSpace))
	return s
}

// blankLine is what stands between paragraphs; heading a line that belongs to
// what follows.
var (
	blankLine = regexp.MustCompile(`\r?\n[ \t]*\r?\n\s*`)
	heading   = regexp.MustCompile(`\A[ \t]*#{1,6}[ \t]`)
)

// paragraphs divides a range at blank lines, but for those after a heading.
func (d *Document) paragraphs(in span) []span {
	var list []span
	from := in.start
	for _, at := range blankLine.FindAllStringIndex(d.Text[in.start:in.end], -1) {
		p := trim(d.Text, span{from, in.start + at[0]})
		lastLine := d.Text[p.start:p.end]
		lastLine = lastLine[strings.LastIndexByte(lastLine, '\n')+1:]
		if heading.MatchString(lastLine) {
			continue
		}
		if p.start < p.end {
			list = append(list, p)
		}
		from = in.start + at[1]
	}
	if p := trim(d.Text, span{from, in.end}); p.start < p.end {
		list = append(list, p)
	}
	return list
}

// sentences divides a range after sentences, and before the lines of a list or a
// table.
func sentences(text string, in span) []span {
	var list []span
	from := in.start
	for i := in.start; i < in.end; {
		r, size := utf8.DecodeRuneInString(text[i:in.end])
		i += size
		if endsSentence(text, from, i, in.end, r) {
			list = append(list, span{from, i})
			from = i
		}
	}
	if from < in.end {
		list = append(list, span{from, in.end})
	}
	for i := range list {
		list[i] = trim(text, list[i])
	}
	return list
}

// listLine is the beginning of a line that is a sentence of its own.
var listLine = regexp.MustCompile(`\A[ \t]*(?:[-*+•|#]|\d{1,3}[.)])[ \t]`)

// endsSentence reports whether the sentence that begins at from ends after r,
// which ends at i.
func endsSentence(text string, from, i, end int, r rune) bool {
	rest := text[i:end]
	switch r {
	case '。', '！', '？', '；':
		return true
	case '\n':
		return listLine.MatchString(rest) || strings.HasPrefix(rest, "|")
	case '.', '!', '?', '…':
	default:
		return false
	}
	rest = strings.TrimLeft(rest, `"'”’»)]*_`)
	if rest == "" {
		return false // the range ends here anyhow
	}
	next, _ := utf8.DecodeRuneInString(rest)
	if !unicode.IsSpace(next) {
		return false
	}
	next, _ = utf8.DecodeRuneInString(strings.TrimLeftFunc(rest, unicode.IsSpace))
	if unicode.IsLower(next) {
		return false
	}
	return r != '.' || !abbreviated(text[from:i-1])
}

// abbreviations are words after which a full stop ends no sentence.
var abbreviations = lexicon.WordSet(`dr mr mrs ms prof st sr jr vs etc e.g i.e cf no nos vol fig pp ca approx dept inc ltd co corp
	gen col lt sgt capt rev hon gov sen rep jan feb mar apr jun jul aug sep sept oct nov dec bzw z.b usw nr d.h`)

// abbreviated reports whether s ends in an abbreviation or an initial.
func abbreviated(s string) bool {
	word := s[strings.LastIndexFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '(' })+1:]
	if utf8.RuneCountInString(word) == 1 && !unicode.IsDigit(rune(word[0])) {
		return true
	}
	return abbreviations[strings.ToLower(word)]
}

// pieces cuts a range that has no place to cut it at: after the last white space
// that fits, else between characters.
func (d *Document) pieces(s span, tokens int) []span {
	var list []span
	for s.start < s.end {
		fits := s.start // the longest beginning that fits
		space := s.start
		spent := 0
		for i := s.start; i < s.end; {
			r, size := utf8.DecodeRuneInString(d.Text[i:])
			cost := 2 // a sixth of a token: three bytes of ASCII are one,
			if r >= utf8.RuneSelf {
				cost = 9 // and two other characters three; see llm.EstimateTokens
			}
			if spent += cost; spent > 6*max(tokens-2, 1) && fits > s.start {
				break
			}
			i += size
			fits = i
			if unicode.IsSpace(r) {
				space = i
			}
		}
		end := fits
		if fits < s.end && space > s.start {
			end = space
		}
		list = append(list, span{s.start, end})
		s.start = end
	}
	return list
}
