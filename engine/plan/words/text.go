package words

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"cairn/engine/kg"
	"cairn/engine/lexicon"
	"cairn/engine/link"
)

const (
	// maxWords is how many words of a text are read.
	maxWords = 120
	// maxSpans is how many of the strongest mentions are tried.
	maxSpans = 8
	// SureStrength is the strength from which a mention is a name beyond doubt.
	SureStrength = 0.8
	// LikelyStrength is that of one word that questions do not use, written
	// without its capital, as people type: with a second name beside it, it is a
	// name too.
	LikelyStrength = 0.6
	// weakStrength is the strength below which stop words are no name.
	weakStrength = 0.5
)

// Text is a question or claim, with what may be a name in it.
type Text struct {
	Vocabulary *Vocabulary
	Source     string
	Words      []Word // before any name is chosen
	Spans      []Span // strongest first
	All        []Span // spans, with those beyond maxSpans
}

// NewText reads a text.
func (v *Vocabulary) NewText(text string, mentions []link.Mention) *Text {
	r := &Text{Vocabulary: v, Source: text}
	tokens := lexicon.Tokenize(text[:lexicon.Tag(text)])
	tokens = leaveSpeaker(tokens[:min(len(tokens), maxWords)])
	short, misspelt := v.shorten(tokens, mentions)
	tokens = v.joinNames(text, tokens, mentions)
	tokens = v.expandCompounds(tokens, mentions)
	for i, t := range tokens {
		w := Word{Token: t, Mention: -1, Stop: v.lex.IsStop(t.Lower), Short: short[t.Start], Misspelt: misspelt[t.Start]}
		if i > 0 && w.Stop && v.cues.isType(t.Stem) && (determiners[tokens[i-1].Lower] || quantifiers[tokens[i-1].Lower] || lexicon.IsSuperlative(tokens[i-1].Lower)) {
			w.Stop = false // "the oldest find" is a find where the graph has finds
		}
		w.Meant, w.MeantKinds = v.meant(t)
		w.meantTypes, w.typeNear = v.meantTypes(t, w.Meant)
		r.Words = append(r.Words, w)
	}
	for _, m := range mentions {
		s := Span{Mention: m}
		s.From = slices.IndexFunc(r.Words, func(w Word) bool { return w.Start >= m.Start })
		s.To = s.From
		for s.From >= 0 && s.To < len(r.Words) && r.Words[s.To].End <= m.End {
			s.To++
		}
		// "Who" may be WHO, but hardly is.
		onlyStops := s.Strength < weakStrength && !slices.ContainsFunc(r.Words[max(0, s.From):max(0, s.To)], func(w Word) bool { return !w.Stop })
		if s.To > s.From && !onlyStops && !IsInNumber(text, s.Start, s.End) && !v.isKindOf(r.Words, s) {
			r.Spans = append(r.Spans, s)
		}
	}
	for _, s := range r.Spans {
		for i := s.From; i < s.To; i++ {
			r.Words[i].meantTypes = nil // "cats" are no animals in general, where the graph has cats
		}
	}
	slices.SortStableFunc(r.Spans, func(a, b Span) int { return cmp.Compare(b.Strength, a.Strength) })
	r.All = r.Spans
	r.Spans = r.Spans[:min(len(r.Spans), maxSpans)]
	return r
}

// numbered are two parts of a number with a slash between them, other than a year and the next: "2023/010".
var numbered = regexp.MustCompile(`\b\d{4}/(?:\d|\d{3,})\b`)

// IsInNumber reports whether text[start:end] is a part of such a number as files have, which is no year.
func IsInNumber(text string, start, end int) bool {
	return slices.ContainsFunc(numbered.FindAllStringIndex(text, -1), func(at []int) bool {
		return at[0] <= start && end <= at[1] && end-start < at[1]-at[0]
	})
}

// leaveSpeaker leaves out of a question that it is of what the one who asks has: "how many ships do we
// have", "the oldest ship we have".
func leaveSpeaker(tokens []lexicon.Token) []lexicon.Token {
	if len(tokens) < 4 || !isAsking(tokens) {
		return tokens
	}
	for at := 2; at+1 < len(tokens); at++ {
		if w := tokens[at].Lower; w != "we" && w != "you" {
			continue
		}
		from, to := at, at+1
		if b := tokens[at-1].Lower; doing[b] || having[b] {
			from--
		}
		for to < len(tokens) && (having[tokens[to].Lower] || tokens[to].Lower == "got") {
			to++
		}
		if to == at+1 || from < 2 {
			continue
		}
		rest := slices.Clone(tokens[to:])
		if from < at {
			are, there := tokens[from], tokens[at]
			are.Lower, are.Stem, there.Lower, there.Stem = "are", lexicon.Stem("are"), "there", "there"
			rest = append([]lexicon.Token{are, there}, rest...)
		}
		return slices.Concat(tokens[:from], rest)
	}
	return tokens
}

var having = lexicon.WordSet("have has had")

// isAsking reports whether a text begins as a question for things does, and no claim.
func isAsking(tokens []lexicon.Token) bool {
	first := lexicon.Spelt(tokens[0]).Lower
	return questionWords[first] || requests[first] || strings.HasPrefix(first, "what")
}

var questionWords = lexicon.Words("question words")

// isKindOf reports whether a span is but a noun for a kind of thing, "which instrument",
// although the graph has a thing of that name, as its classes are.
func (v *Vocabulary) isKindOf(ws []Word, s Span) bool {
	if s.From == 0 || ws[s.From].Capital || !quantifiers[ws[s.From-1].Lower] && !lexicon.IsSuperlative(ws[s.From-1].Lower) {
		return false
	}
	stems := Stems(ws[s.From:s.To])
	return slices.ContainsFunc(v.cues.types[stems[len(stems)-1]], func(t typeNoun) bool { return slices.Equal(t.stems, stems) })
}

var quantifiers = lexicon.Words("quantifiers")

// partsOf returns the words that a compound stands for, themselves written out where the graph does not
// know them; nil for none.
func (v *Vocabulary) partsOf(lower string) (parts []string) {
	for _, w := range v.lex.Compound(lower) {
		if some := v.partsOf(w); some != nil && len(v.cues.byLast[lexicon.Stem(w)]) == 0 {
			parts = append(parts, some...)
		} else {
			parts = append(parts, w)
		}
	}
	return parts
}

// expandCompounds writes compounds out where the graph knows their parts and
// not the compound: "grandson" as child 's child, or child of child before
// "of". Words inside sure names and capitalised words stay.
func (v *Vocabulary) expandCompounds(tokens []lexicon.Token, mentions []link.Mention) []lexicon.Token {
	var out []lexicon.Token
	write := func(t lexicon.Token, word string) {
		out = append(out, lexicon.Token{Text: t.Text, Lower: word, Stem: lexicon.Stem(word), Start: t.Start, End: t.End})
	}
	for i, t := range tokens {
		if words := v.keyWords(t); words != nil {
			for _, word := range words {
				write(t, word)
			}
			continue
		}
		parts := v.partsOf(t.Lower)
		inName := slices.ContainsFunc(mentions, func(m link.Mention) bool {
			return m.Strength >= SureStrength && m.Start <= t.Start && t.End <= m.End
		})
		if parts == nil || i > 0 && t.Capital || inName || len(v.cues.byLast[t.Stem]) > 0 || !v.knowsAll(parts) {
			out = append(out, t)
			continue
		}
		joint := lexicon.Possessive
		if i+1 < len(tokens) && tokens[i+1].Lower == "of" {
			joint = "of"
			parts = slices.Clone(parts)
			slices.Reverse(parts)
		}
		for j, w := range parts {
			if j > 0 {
				out = append(out, lexicon.Token{Text: t.Text, Lower: joint, Stem: joint, Start: t.Start, End: t.End})
			}
			write(t, w)
		}
	}
	return out
}

// keyWords returns the words of a relation that is written as its key is, "supersededBy"; nil for
// other words.
func (v *Vocabulary) keyWords(t lexicon.Token) []string {
	if strings.ToLower(t.Text[1:]) == t.Text[1:] {
		return nil
	}
	words := lexicon.RelationWords(t.Text)
	if len(words) < 2 {
		return nil // a name in capitals
	}
	for r := range kg.RelationID(v.g.Relations()) {
		if slices.Equal(lexicon.RelationWords(v.g.RelationName(r)), words) {
			return words
		}
	}
	return nil
}

func (v *Vocabulary) knowsAll(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return len(v.cues.byLast[lexicon.Stem(w)]) == 0 })
}

// InName reports whether word i is in a sure name.
func (r *Text) InName(i int) bool {
	return slices.ContainsFunc(r.Spans, func(s Span) bool { return s.IsSure() && s.From <= i && i < s.To })
}

// PartOfName reports whether word i is part of a longer name: the "Never" of "Never
// Let Me Go".
func (r *Text) PartOfName(i int) bool {
	return slices.ContainsFunc(r.Spans, func(s Span) bool { return s.IsSure() && s.To-s.From > 1 && s.From <= i && i < s.To })
}

// SureEnough is the strength from which a mention is a name in this text. Where
// somebody types without capitals, a name is no weaker for having none.
func (r *Text) SureEnough() float64 {
	for i, w := range r.Words {
		lower := strings.ToLower(w.Text)
		if i > 0 && w.Capital && strings.ToUpper(w.Text) != w.Text && lower != w.Text {
			return SureStrength
		}
	}
	return LikelyStrength
}

// SureNames returns the spans that are names beyond doubt and do not overlap.
func (r *Text) SureNames() []Span {
	var sure []Span
	for _, s := range r.Spans {
		if s.Strength >= r.SureEnough() && !slices.ContainsFunc(sure, s.Overlaps) {
			sure = append(sure, s)
		}
	}
	return sure
}

// IsContractedNot reports whether word i is the "isn" of "isn't".
func (r *Text) IsContractedNot(i int) bool {
	if i+1 >= len(r.Words) {
		return false
	}
	w, next := r.Words[i], r.Words[i+1]
	return strings.HasSuffix(w.Lower, "n") && next.Lower == "t" && strings.Trim(r.Source[w.End:next.Start], "'’") == ""
}

// IsLinked reports whether word i is part of what may be a name.
func (r *Text) IsLinked(i int) bool {
	return slices.ContainsFunc(r.Spans, func(s Span) bool { return s.From <= i && i < s.To })
}

// Distance is how many words lie from one to another.
func Distance(a, b int) int { return max(a-b, b-a) }
