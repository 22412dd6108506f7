package link

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"cairn/engine/lexicon"
)

const (
	// maxPartialKeys is how many names may have the words of a part before it
	// says too little: "John" is no mention of every John.
	maxPartialKeys = 60
	// maxPartial is how many candidates a part gets, the shortest names and the
	// best connected entities first.
	maxPartial = 8
	// partialDistance is what a part of a name costs, and extraDistance what
	// each further word of the name does.
	partialDistance = 0.5
	extraDistance   = 0.1
	// orderDistance is what another order of the words, or words between them,
	// costs.
	orderDistance = 0.1
	// acronymDistance is what initials cost.
	acronymDistance        = 0.6
	minAcronym, maxAcronym = 2, 8
	// maxGuessed is how many words of a question are taken for misspelt names
	// or parts of names.
	maxGuessed = 256
)

// parts finds the names that have a word and more.
type parts struct {
	keys *dictionary // of the names
	// words has the names of several words that a word of any key is in, ascending;
	// twice the one that has it twice.
	words table[uint32]
	// initials has the keys with the given initials, ascending.
	initials table[uint32]
}

// newParts indexes the words of the keys. tell, which may be nil, is told now and
// then how many keys were done since. The only error is the context's.
func newParts(ctx context.Context, keys *dictionary, tell func(n int)) (*parts, error) {
	words := newTableBuilder[uint32](keys.size(), len(keys.text)/2, 2*keys.size())
	initials := newTableBuilder[uint32](0, 0, keys.size()/2)
	function := functionSet()
	for k := range uint32(keys.size()) {
		if k%namesPiece == namesPiece-1 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if tell != nil {
				tell(namesPiece)
			}
		}
		text := keys.text[keys.at[k]:keys.at[k+1]]
		if bytes.IndexByte(text, ' ') < 0 {
			words.add(text)
			continue
		}
		addInitials(initials, text, k, function)
		// A long label is a description, and no part of it is a name.
		name := bytes.Count(text, []byte{' '}) < maxNameTokens
		for w := range bytes.SplitSeq(text, []byte{' '}) {
			if name {
				words.put(w, k)
			} else {
				words.add(w)
			}
		}
	}
	return &parts{keys: keys, words: words.finish(), initials: initials.finish()}, ctx.Err()
}

// addInitials notes the initials of a name, with and without its function
// words: "United States of America" is usoa and usa.
func addInitials(to *tableBuilder[uint32], text []byte, key uint32, function map[string]bool) {
	var all, short [maxAcronym]byte
	a, s := 0, 0
	for w := range bytes.SplitSeq(text, []byte{' '}) {
		if w[0] < 'a' || w[0] > 'z' || a == maxAcronym {
			return // numbers and other scripts have no initials
		}
		all[a] = w[0]
		a++
		if !function[string(w)] || len(w) == 1 {
			short[s] = w[0]
			s++
		}
	}
	if s >= minAcronym {
		to.put(short[:s], key)
	}
	if a > s {
		to.put(all[:a], key)
	}
}

// with returns the keys that have all the words and more, ascending; nil where a
// word is unknown. Where there are more than maxPartialKeys, or begin says so, they
// are those that begin with the words, in this order; nil where these are too many
// as well. A single word in too many names says nothing at all, but with begin.
func (p *parts) with(words []string, begin bool) []uint32 {
	var lists [][]uint32
	for _, w := range words {
		id, ok := p.words.findString(w)
		if !ok {
			return nil
		}
		lists = append(lists, p.words.of(id))
	}
	slices.SortStableFunc(lists, func(a, b []uint32) int { return cmp.Compare(len(a), len(b)) })
	if len(lists) == 0 {
		return nil
	}
	joined := strings.Join(words, " ") + " "
	// The lists of common words are long: what is found is counted to one more than
	// is wanted.
	var found, beginning []uint32
	last, some := uint32(0), false
	for _, k := range lists[0] {
		if some && k == last || !inAll(lists[1:], k) {
			continue
		}
		last, some = k, true
		if len(found) <= maxPartialKeys {
			found = append(found, k)
		} else if !begin && len(words) == 1 {
			return nil
		}
		if len(beginning) <= maxPartialKeys && strings.HasPrefix(p.keys.get(k), joined) {
			beginning = append(beginning, k)
		}
		if len(beginning) > maxPartialKeys {
			return nil
		}
	}
	if begin || len(words) > 1 && len(found) > maxPartialKeys {
		found = beginning
	}
	if len(found) > maxPartialKeys {
		return nil
	}
	return found
}

// inAll reports whether all the lists, which are ascending, have k.
func inAll(lists [][]uint32, k uint32) bool {
	for _, list := range lists {
		if _, ok := slices.BinarySearch(list, k); !ok {
			return false
		}
	}
	return true
}

// partial returns the candidates whose names have all the words and more, such
// as "Barack Obama" for "Obama", or the same words in another order; nil where
// too many names have them. begin asks for names that begin with the words.
func (l *Linker) partial(tokens []lexicon.Token, begin bool) []Candidate {
	var words []string
	for _, t := range tokens {
		if t.Lower != lexicon.Possessive {
			words = append(words, t.Lower)
		}
	}
	if len(words) == 0 {
		return nil
	}
	joined := strings.Join(words, " ")
	var found []Candidate
	for _, k := range l.parts().with(words, begin) {
		text := l.names.keys.get(k)
		extra := 1 + strings.Count(text, " ") - len(words)
		if extra < 0 || text == joined {
			continue
		}
		distance := partialDistance + extraDistance*float64(extra)
		if !strings.Contains(" "+text+" ", " "+joined+" ") {
			distance += orderDistance
		}
		for _, p := range l.names.keys.of(k) {
			found = append(found, Candidate{Entity: p.entity(), Distance: distance, Method: Near})
		}
	}
	return l.mostProminent(found)
}

// mostProminent keeps a few candidates: the nearest, the best connected first.
func (l *Linker) mostProminent(found []Candidate) []Candidate {
	found = l.ByProminence(mergeCandidates(found, nil))
	found = found[:min(len(found), maxPartial)]
	sortCandidates(found)
	return found
}

// acronym returns the candidates whose names have the letters of the word as
// initials, with or without their function words.
func (l *Linker) acronym(lower string) []Candidate {
	if n := len(lower); n < minAcronym || n > maxAcronym {
		return nil
	}
	var found []Candidate
	for _, k := range l.parts().initials.under([]byte(lower)) {
		for _, p := range l.names.keys.of(k) {
			if p.form() <= aliasForm {
				found = append(found, Candidate{Entity: p.entity(), Distance: acronymDistance, Method: Near})
			}
		}
	}
	return l.mostProminent(found)
}

// partly adds mentions for words that are only a part of a name, or its
// initials, and that no other mention explains. Longer parts come first, and
// their words are then explained.
func (s *search) partly(ctx context.Context) error {
	end := min(len(s.tokens), maxGuessed)
	explained := s.covered()
	sure := false
	for _, m := range s.mentions {
		sure = sure || m.Strength >= 0.9
		for i := s.tokenAt(m.Start); i < len(s.tokens) && s.tokens[i].End <= m.End; i++ {
			explained[i] = explained[i] || m.Candidates[0].Method == Typo
		}
	}
	for n := min(maxTypoWords, end); n > 0; n-- {
		if err := ctx.Err(); err != nil {
			return err
		}
		for from := 0; from+n <= end; from++ {
			to := from + n
			if !s.nameEdge(from) || !s.nameEdge(to-1) {
				continue
			}
			open := s.open(from, to, explained)
			if open == 0 && (sure || n == 1 || slices.Contains(explained[from:to], true)) {
				continue
			}
			if n == 1 && !s.plainPart(from) {
				continue
			}
			cs := s.partial(s.tokens[from:to], open == 0)
			if t := s.tokens[from]; n == 1 && (len(cs) == 0 || strings.ToUpper(t.Text) == t.Text) {
				cs = mergeCandidates(cs, s.acronym(t.Lower))
			}
			if cs = s.withoutOthers(cs, from, to); len(cs) > 0 {
				s.addPart(from, to, cs)
				for i := from; i < to; i++ {
					explained[i] = true
				}
			}
		}
	}
	return nil
}

// withoutOthers leaves out candidates that the words next to a part speak
// against: "Ben Stiller" is no Amy Stiller, and "Apollo 15" no Apollo 11. Such a word
// is a word of names, and none of questions, or a number where the name has another.
func (s *search) withoutOthers(cs []Candidate, from, to int) []Candidate {
	for _, i := range []int{from - 1, to} {
		if i < 0 || i >= len(s.tokens) {
			continue
		}
		t := s.tokens[i]
		if s.tokens[max(i, from)].Start-s.tokens[min(i, to-1)].End != 1 {
			continue // a mark stands between
		}
		if i == to && isNumber(t.Text) {
			cs = slices.DeleteFunc(slices.Clone(cs), func(c Candidate) bool {
				n := digits(s.g.Label(c.Entity))
				return n != "" && !strings.Contains(n, t.Text)
			})
			continue
		}
		if s.known.word(t) && !s.capital(i) || s.known.function[t.Lower] || isNumber(t.Text) || t.Lower == lexicon.Possessive {
			continue
		}
		if _, ok := s.parts().words.findString(t.Lower); !ok || s.isNamed(i) {
			continue
		}
		cs = slices.DeleteFunc(slices.Clone(cs), func(c Candidate) bool {
			return !slices.ContainsFunc(lexicon.Tokenize(s.g.Label(c.Entity)), func(o lexicon.Token) bool { return o.Lower == t.Lower })
		})
	}
	return cs
}

// isNamed reports whether a word is in a mention that is a whole name.
func (s *search) isNamed(i int) bool {
	return slices.ContainsFunc(s.mentions, func(m Mention) bool {
		return m.Candidates[0].Method <= Folded && m.Start <= s.tokens[i].Start && s.tokens[i].End <= m.End
	})
}

// open counts the words of a span that no mention explains and that questions
// do not use.
func (s *search) open(from, to int, explained []bool) int {
	n := 0
	for i := from; i < to; i++ {
		t := s.tokens[i]
		if !explained[i] && !isNumber(t.Text) && t.Lower != lexicon.Possessive && (!s.known.word(t) || s.capital(i)) {
			n++
		}
	}
	return n
}

// plainPart reports whether a single word may be a part of a name: a word that
// is written small must not be a misspelt word of questions.
func (s *search) plainPart(i int) bool {
	lower := s.tokens[i].Lower
	switch n := utf8.RuneCountInString(lower); {
	case s.capital(i) || n == 2:
		return true
	default:
		return n > 2 && (s.spelling().has(lower) || !s.known.near(lower))
	}
}

// addPart adds a mention of a part of a name. A longer part explains more than
// a whole name within it.
func (s *search) addPart(from, to int, cs []Candidate) {
	strength := 0.4 * s.weightOf(from, to)
	if to-from > 1 {
		strength = max(strength, s.inner(from, to)+0.1)
	}
	s.mention(from, to, cs, strength)
}

// weightOf adds up the weights of the tokens from..to.
func (s *search) weightOf(from, to int) (sum float64) {
	for _, t := range s.tokens[from:to] {
		sum += s.weight(t, t.Capital)
	}
	return sum
}

// mention adds a mention of the tokens from..to.
func (s *search) mention(from, to int, cs []Candidate, strength float64) {
	m := Mention{Start: s.tokens[from].Start, End: s.tokens[to-1].End, Candidates: cs, Strength: strength}
	m.Text = s.question[m.Start:m.End]
	s.mentions = append(s.mentions, m)
}
