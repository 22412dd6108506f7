package operators

import (
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
	"cairn/engine/plan/words"
	"cairn/engine/schema"
)

// phrase is a question, or what is left of one, with what its words say of the graph.
type phrase struct {
	*words.Text
	*words.Question

	mentions []link.Mention
	aside    []bool // words in quotes, in parentheses or of a title, which are no operators
}

func (r *reader) phrase(text string, mentions []link.Mention) *phrase {
	t := r.voc.NewText(text, mentions)
	names := slices.DeleteFunc(t.SureNames(), func(s words.Span) bool { // "2" is a number, whatever has it as a value
		return strings.Trim(s.Text, "0123456789") == "" && len(s.Text) < len("1000")
	})
	p := &phrase{Text: t, Question: r.voc.Read(t.Words, names), mentions: mentions}
	tokens := words.Tokens(p.Question.Words)
	tell := lexicon.CapitalsTell(tokens, r.voc.Lexicon().IsStop)
	for i, w := range tokens {
		before := text[:w.Start]
		quoted := strings.Count(before, "\"")%2 == 1 || strings.Count(before, "“") > strings.Count(before, "”") || strings.Count(before, "(") > strings.Count(before, ")")
		p.aside = append(p.aside, quoted || tell && i > 0 && w.Capital)
	}
	return p
}

// words of the question, whose names are chosen, hide those of the text.
func (p *phrase) len() int { return len(p.Question.Words) }

func (p *phrase) word(i int) *words.Word { return &p.Question.Words[i] }

// piece is a run of words of a phrase, or a text that stands where none is.
type piece struct {
	from, to int
	text     string
}

// span is the piece of words [from, to).
func span(from, to int) piece { return piece{from: from, to: to} }

// text is a piece of other words.
func text(s string) piece { return piece{text: s} }

// cut makes a phrase of pieces of another. Names that a piece holds stay names.
func (r *reader) cut(p *phrase, pieces ...piece) *phrase {
	var b strings.Builder
	var kept []link.Mention
	for _, x := range pieces {
		s := x.text
		from, to := 0, 0
		if x.to > x.from {
			from, to = p.word(x.from).Start, p.word(x.to-1).End
			s = p.Source[from:to]
		}
		if s == "" {
			continue
		}
		if b.Len() > 0 && !strings.HasPrefix(s, "'") {
			b.WriteByte(' ')
		}
		for _, m := range p.mentions {
			if x.to > x.from && from <= m.Start && m.End <= to {
				m.Start, m.End = b.Len()+m.Start-from, b.Len()+m.End-from
				kept = append(kept, m)
			}
		}
		b.WriteString(s)
	}
	if kept == nil {
		kept = []link.Mention{} // none, and none are to be looked for
	}
	return r.phrase(b.String(), kept)
}

// without is a phrase without words [from, to).
func (r *reader) without(p *phrase, from, to int) *phrase {
	return r.cut(p, span(0, from), span(to, p.len()))
}

// isName reports whether word i is part of a name.
func (p *phrase) isName(i int) bool { return i >= 0 && i < p.len() && p.word(i).Mention >= 0 }

// is reports whether word i is one of a set, and no part of a name.
func (p *phrase) is(i int, set map[string]bool) bool {
	return i >= 0 && i < p.len() && !p.isName(i) && set[p.word(i).Lower]
}

// says reports whether words from i on are those of a text.
func (p *phrase) says(i int, texts ...string) bool {
	return slices.ContainsFunc(texts, func(t string) bool {
		for j, more := i, true; more; j++ {
			var w string
			if w, t, more = strings.Cut(t, " "); !p.isWord(j, w) {
				return false
			}
		}
		return true
	})
}

// isWord reports whether word i is a word, and no operator's place: none of a name, and not aside.
func (p *phrase) isWord(i int, lower string) bool {
	return i >= 0 && i < p.len() && p.word(i).Lower == lower && !p.isName(i) && !p.aside[i]
}

// match returns how many words of the longest phrase of a class stand at i; 0 for none.
func (p *phrase) match(i int, class [][]string) (n int) {
	for _, ws := range class {
		if len(ws) <= n {
			continue
		}
		same := 0
		for same < len(ws) && p.isWord(i+same, ws[same]) {
			same++
		}
		if same == len(ws) {
			n = same
		}
	}
	if n > 0 && p.inRelation(i, n) {
		return 0
	}
	return n
}

// inRelation reports whether n words from i on are a part of a relation's name that the
// question says in full: "told apart from" leaves nothing out.
func (p *phrase) inRelation(i, n int) bool {
	g := p.Vocabulary.Graph()
	for r := range kg.RelationID(g.Relations()) {
		text := g.RelationText(r)
		if len(text) <= len(p.text(i, i+n)) || !strings.Contains(strings.ToLower(text), p.word(i).Lower) {
			continue
		}
		name := lexicon.Tokenize(text)
		for at := max(0, i+n-len(name)); len(name) > n && at <= i && at+len(name) <= p.len(); at++ {
			if !slices.ContainsFunc(upTo(at, at+len(name)), func(j int) bool { return p.isName(j) || p.word(j).Stem != name[j-at].Stem }) {
				return true
			}
		}
	}
	return false
}

// find returns the first place of a phrase of a class, and its length.
func (p *phrase) find(class [][]string) (at, n int) {
	for i := range p.len() {
		if n := p.match(i, class); n > 0 {
			return i, n
		}
	}
	return -1, 0
}

func upTo(from, to int) (list []int) {
	for ; from < to; from++ {
		list = append(list, from)
	}
	return list
}

// skip returns the first word from i on that is not a stop word.
func (p *phrase) skip(i int) int {
	for i < p.len() && !p.isName(i) && p.word(i).Stop {
		i++
	}
	return i
}

// trim returns the end of words [from, to) without the stop words at their end.
func (p *phrase) trim(from, to int) int {
	for to > from && !p.isName(to-1) && (p.word(to-1).Stop || fillers[p.word(to-1).Lower]) {
		to--
	}
	return to
}

// beforePrepositions returns the last word from i back that is no preposition.
func (p *phrase) beforePrepositions(i int) int {
	for p.is(i, prepositions) {
		i--
	}
	return i
}

// nameAt returns the end of the name that begins at word i; 0 for none.
func (p *phrase) nameAt(i int) int {
	if !p.isName(i) || i > 0 && p.word(i-1).Mention == p.word(i).Mention {
		return 0
	}
	return p.Question.Mentions[p.word(i).Mention].To
}

// lastName returns where the last name of words [from, to) begins; -1 for none.
func (p *phrase) lastName(from, to int) int {
	for i := to - 1; i >= from; i-- {
		if p.isName(i) {
			return max(from, p.Question.Mentions[p.word(i).Mention].From)
		}
	}
	return -1
}

// hasName reports whether words [from, to) hold a name.
func (p *phrase) hasName(from, to int) bool { return p.lastName(from, to) >= 0 }

// noun returns the first word of [from, to) that names a kind of thing, at the end of
// its phrase: "side effects"; -1 for none.
func (p *phrase) noun(from, to int) int {
	to = min(to, p.len())
	for i := from; i < to; i++ {
		w := p.word(i)
		if p.isName(i) || w.Silent || w.Stop || w.IsPast() || !w.IsNamedKind() {
			continue
		}
		for i+1 < to && !p.isName(i+1) && len(p.word(i+1).Types) > 0 && len(p.word(i).Types) == 0 {
			i++
		}
		return i
	}
	return -1
}

// kindNoun is noun, or else the first word by which the whole name of a relation calls things.
func (p *phrase) kindNoun(from, to int) int {
	if i := p.noun(from, to); i >= 0 {
		return i
	}
	return slices.IndexFunc(upTo(0, to), func(i int) bool { return i >= from && !p.isName(i) && len(p.Vocabulary.StepsCalled(p.word(i))) > 0 })
}

// isYear reports whether word i is a year, be it a name or not.
func (p *phrase) isYear(i int) bool {
	return i >= 0 && i < p.len() && schema.IsYear(p.word(i).Lower)
}

// number reads a small whole number at word i.
func (p *phrase) number(i int) (n int, ok bool) {
	if i < 0 || i >= p.len() || p.isName(i) {
		return 0, false
	}
	w, rest, before := p.word(i).Lower, p.Source[p.word(i).End:], p.Source[:p.word(i).Start]
	if len(rest) > 1 && rest[0] == '-' && i+1 < p.len() && p.word(i+1).Start == p.word(i).End+1 {
		return 0, false // "34-year-old" counts nothing
	}
	if n, ok = lexicon.Numeral(w); ok {
		return n, true
	}
	const most = 9 // digits
	if strings.HasPrefix(strings.TrimLeft(rest, " "), "%") || len(w) > most || strings.Trim(w, "0123456789") != "" || len(rest) > 1 && (rest[0] == ',' || rest[0] == '.') && rest[1] >= '0' && rest[1] <= '9' {
		return 0, false // "5,000" and "2.5" are values
	}
	if at := len(before) - 1; i > 0 && p.word(i-1).End == at && (before[at] == ',' || before[at] == '.') {
		return 0, false // the "000" of one
	}
	for _, c := range w {
		n = 10*n + int(c-'0')
	}
	return n, true
}

// ordinal reads "second" or "2nd" at word i.
func (p *phrase) ordinal(i int) (n int, ok bool) {
	if i < 0 || i >= p.len() || p.isName(i) {
		return 0, false
	}
	return lexicon.Ordinal(p.word(i).Lower)
}
