package link

import (
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
//
//	word w of words, which are those of all keys, is in the keys
//	keys[at[w]:at[w+1]] of several words
type parts struct {
	words map[string]uint32
	at    []uint32
	keys  []uint32
	texts []string // indexed by key
	// initials has the keys with the given initials, ascending.
	initials map[string][]uint32
}

// newParts indexes the words of the keys.
func newParts(keys map[string]uint32, function map[string]bool) *parts {
	p := &parts{words: map[string]uint32{}, texts: make([]string, len(keys)), initials: map[string][]uint32{}}
	for text, k := range keys {
		p.texts[k] = text
	}
	type pair struct{ word, key uint32 }
	var pairs []pair
	for k, text := range p.texts {
		if strings.IndexByte(text, ' ') < 0 {
			if _, ok := p.words[text]; !ok {
				p.words[text] = uint32(len(p.words))
			}
			continue
		}
		p.addInitials(text, uint32(k), function)
		for w := range strings.SplitSeq(text, " ") {
			id, ok := p.words[w]
			if !ok {
				id = uint32(len(p.words))
				p.words[w] = id
			}
			pairs = append(pairs, pair{id, uint32(k)})
		}
	}
	p.at = make([]uint32, len(p.words)+1)
	for _, x := range pairs {
		p.at[x.word+1]++
	}
	for w := 1; w < len(p.at); w++ {
		p.at[w] += p.at[w-1]
	}
	next := slices.Clone(p.at)
	p.keys = make([]uint32, len(pairs))
	for _, x := range pairs {
		p.keys[next[x.word]] = x.key
		next[x.word]++
	}
	return p
}

// addInitials notes the initials of a name, with and without its function
// words: "United States of America" is usoa and usa.
func (p *parts) addInitials(text string, key uint32, function map[string]bool) {
	var all, short [maxAcronym]byte
	a, s := 0, 0
	for w := range strings.SplitSeq(text, " ") {
		if w[0] < 'a' || w[0] > 'z' || a == maxAcronym {
			return // numbers and other scripts have no initials
		}
		all[a] = w[0]
		a++
		if !function[w] || len(w) == 1 {
			short[s] = w[0]
			s++
		}
	}
	if s >= minAcronym {
		p.initials[string(short[:s])] = append(p.initials[string(short[:s])], key)
	}
	if a > s {
		p.initials[string(all[:a])] = append(p.initials[string(all[:a])], key)
	}
}

// with returns the keys that have all the words and more, ascending; nil where
// a word is unknown or too many keys have the rarest.
func (p *parts) with(words []string) []uint32 {
	var lists [][]uint32
	for _, w := range words {
		id, ok := p.words[w]
		if !ok {
			return nil
		}
		lists = append(lists, p.keys[p.at[id]:p.at[id+1]])
	}
	slices.SortStableFunc(lists, func(a, b []uint32) int { return cmp.Compare(len(a), len(b)) })
	if len(lists) == 0 {
		return nil
	}
	var found []uint32
	for _, k := range lists[0] {
		in := true
		for _, other := range lists[1:] {
			if _, ok := slices.BinarySearch(other, k); !ok {
				in = false
				break
			}
		}
		if in && (len(found) == 0 || found[len(found)-1] != k) {
			found = append(found, k)
		}
	}
	return found
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
	keys := l.parts().with(words)
	if begin || len(words) > 1 && len(keys) > maxPartialKeys {
		keys = slices.DeleteFunc(keys, func(k uint32) bool { return !strings.HasPrefix(l.parts().texts[k], joined+" ") })
	}
	if len(keys) > maxPartialKeys {
		return nil
	}
	var found []Candidate
	for _, k := range keys {
		text := l.parts().texts[k]
		extra := 1 + strings.Count(text, " ") - len(words)
		if extra < 0 || text == joined {
			continue
		}
		distance := partialDistance + extraDistance*float64(extra)
		if !strings.Contains(" "+text+" ", " "+joined+" ") {
			distance += orderDistance
		}
		for _, p := range l.names.postings[l.names.at[k]:l.names.at[k+1]] {
			found = append(found, Candidate{Entity: p.entity, Distance: distance, Method: Near})
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
	for _, k := range l.parts().initials[lower] {
		for _, p := range l.names.postings[l.names.at[k]:l.names.at[k+1]] {
			if p.form <= aliasForm {
				found = append(found, Candidate{Entity: p.entity, Distance: acronymDistance, Method: Near})
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
// against: "Ben Stiller" is no Amy Stiller. Such a word is a word of names, and
// none of questions.
func (s *search) withoutOthers(cs []Candidate, from, to int) []Candidate {
	for _, i := range []int{from - 1, to} {
		if i < 0 || i >= len(s.tokens) {
			continue
		}
		t := s.tokens[i]
		if s.tokens[max(i, from)].Start-s.tokens[min(i, to-1)].End != 1 {
			continue // a mark stands between
		}
		if s.known.word(t) && !s.capital(i) || s.known.function[t.Lower] || isNumber(t.Text) || t.Lower == lexicon.Possessive {
			continue
		}
		if _, ok := s.parts().words[t.Lower]; !ok || s.isNamed(i) {
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
	strength := 0.0
	for i, t := range s.tokens[from:to] {
		strength += s.weight(t, t.Capital, from+i)
	}
	strength *= 0.4
	if to-from > 1 {
		strength = max(strength, s.inner(from, to)+0.1)
	}
	m := Mention{Start: s.tokens[from].Start, End: s.tokens[to-1].End, Candidates: cs, Strength: strength}
	m.Text = s.question[m.Start:m.End]
	s.mentions = append(s.mentions, m)
}
