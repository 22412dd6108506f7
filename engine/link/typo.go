package link

import (
	"context"
	"slices"
	"sort"
	"unicode/utf8"

	"cairn/engine/lexicon"
)

const (
	// editDistance is what an edit costs in the distance of a candidate.
	editDistance = 0.3
	// maxTypoWords is the longest span that is looked up with edits.
	maxTypoWords = 10
	// maxTries bounds how many spellings of one span are tried, word by word.
	maxTries = 2000
	// maxSuspects is how many words of a question are taken for misspelt.
	maxSuspects = 32
	// sureMention is the strength from which a mention's words are settled.
	sureMention = 0.55
	// likelyMention is the strength from which the words of a mention of several
	// are settled.
	likelyMention = 0.3
	// plainTypoLetters is how many letters a single word written small needs to
	// be taken for a misspelt name.
	plainTypoLetters = 6
)

// respell yields the keys that the words may stand for with at most the given
// edits, and none that needs none. others[i] are the spellings of word i; key
// is only valid during the call.
func respell(others [][]spelled, edits int, yield func(key []byte, edits int)) {
	if slices.ContainsFunc(others, func(o []spelled) bool { return len(o) == 0 }) {
		return
	}
	tries := 0
	var key []byte
	var walk func(i, used int)
	walk = func(i, used int) {
		if tries++; tries > maxTries {
			return
		}
		if i == len(others) {
			if used > 0 {
				yield(key, used)
			}
			return
		}
		size := len(key)
		for _, o := range others[i] {
			if used+o.edits > edits {
				break // the rest need more
			}
			if tries > maxTries {
				return
			}
			if i > 0 {
				key = append(key, ' ')
			}
			key = append(key, o.word...)
			walk(i+1, used+o.edits)
			key = key[:size]
		}
	}
	walk(0, 0)
}

// spellings returns what a word may stand for: itself, where a name has it, and
// the words near it. In a name of several words even a word of three letters
// may be misspelt.
func (l *Linker) spellings(lower string, several bool) []spelled {
	letters := utf8.RuneCountInString(lower)
	edits := allowedEdits(letters)
	if several && letters == 3 {
		edits = 1
	}
	var out []spelled
	if l.spelling().has(lower) {
		out = append(out, spelled{lower, 0})
	}
	return append(out, l.spelling().near(lower, edits)...)
}

// typo returns the candidates whose names the tokens misspell, by (distance,
// entity).
func (l *Linker) typo(tokens []lexicon.Token) []Candidate {
	if len(tokens) == 0 || len(tokens) > maxTypoWords {
		return nil
	}
	others := make([][]spelled, len(tokens))
	letters := 0
	for i, t := range tokens {
		others[i] = l.spellings(t.Lower, len(tokens) > 1)
		letters += utf8.RuneCountInString(t.Lower)
	}
	return mergeCandidates(l.respelled(others, letters), l.joinedTypo(tokens))
}

// respelled looks the spellings up.
func (l *Linker) respelled(others [][]spelled, letters int) []Candidate {
	var found []Candidate
	respell(others, allowedEdits(letters), func(key []byte, edits int) {
		for _, p := range l.names.find(key) {
			found = append(found, Candidate{
				Entity:   p.entity(),
				Distance: editDistance*float64(edits) + formDistance[p.form()] - formDistance[labelForm],
				Method:   Typo,
			})
		}
	})
	return mergeCandidates(found, nil)
}

// misspelt adds mentions for spans around words that no mention explains.
func (s *search) misspelt(ctx context.Context) error {
	suspects := s.suspects()
	others := make(map[int][]spelled, len(suspects))
	for _, at := range suspects {
		if err := ctx.Err(); err != nil {
			return err
		}
		others[at] = s.spellings(s.tokens[at].Lower, true)
	}
	done := map[[2]int]bool{}
	for _, at := range suspects {
		for from := max(0, at-maxTypoWords+1); from <= at; from++ {
			for to := at + 1; to <= min(from+maxTypoWords, len(s.tokens)); to++ {
				if done[[2]int{from, to}] {
					continue
				}
				done[[2]int{from, to}] = true
				if err := ctx.Err(); err != nil {
					return err
				}
				s.misspeltSpan(from, to, others)
			}
		}
	}
	return nil
}

// suspects returns the words that may be misspelt names: covered by no sure
// mention, and not words that questions use, unless capitalised inside a
// sentence.
func (s *search) suspects() []int {
	var out []int
	m := 0
	covered := s.covered()
	for i, t := range s.tokens[:min(len(s.tokens), maxGuessed)] {
		if m == maxSuspects {
			break
		}
		if covered[i] || isNumber(t.Text) || utf8.RuneCountInString(t.Lower) < 3 || t.Lower == lexicon.Possessive {
			continue
		}
		if s.known.word(t) && !s.capital(i) {
			continue
		}
		out = append(out, i)
		m++
	}
	return out
}

// covered says of every token whether a sure mention has it, or one of several
// words.
func (s *search) covered() []bool {
	covered := make([]bool, len(s.tokens))
	for _, m := range s.mentions {
		first := s.tokenAt(m.Start)
		if m.Strength < likelyMention || m.Strength < sureMention && (first+1 >= len(s.tokens) || s.tokens[first+1].End > m.End) {
			continue
		}
		for i := first; i < len(s.tokens) && s.tokens[i].End <= m.End; i++ {
			covered[i] = true
		}
	}
	return covered
}

// tokenAt returns the first token that does not end before the byte offset.
func (s *search) tokenAt(start int) int {
	return sort.Search(len(s.tokens), func(i int) bool { return s.tokens[i].End > start })
}

// capital reports whether a word is capitalised where that tells a name.
func (s *search) capital(i int) bool { return i > 0 && s.telling && s.tokens[i].Capital }

// misspeltSpan adds a mention for the span where edits make it a name.
func (s *search) misspeltSpan(from, to int, others map[int][]spelled) {
	if !s.nameEdge(from) || !s.nameEdge(to-1) {
		return
	}
	if to-from == 1 && !s.plainTypo(from) {
		return
	}
	spellings := make([][]spelled, to-from)
	letters := 0
	for i := from; i < to; i++ {
		t := s.tokens[i]
		if o, ok := others[i]; ok {
			spellings[i-from] = o
		} else if s.spelling().has(t.Lower) {
			spellings[i-from] = []spelled{{t.Lower, 0}}
		}
		letters += utf8.RuneCountInString(t.Lower)
	}
	if to-from > 1 && s.spelledRight(from, to) && len(s.partial(s.tokens[from:to], false)) > 0 {
		return // "Thames River" is no misspelt James River
	}
	edits := allowedEdits(letters)
	if to-from == 1 && !s.capital(from) {
		edits = min(edits, letters/plainTypoLetters)
	}
	found := s.respelled(spellings, letters)
	if len(found) == 0 {
		found = s.joinedTypo(s.tokens[from:to])
	}
	for i, c := range found {
		if c.Distance > editDistance*float64(edits)+formDistance[compactForm] {
			found = found[:i]
			break
		}
	}
	if len(found) > 0 {
		s.addTypo(from, to, found)
	}
}

// spelledRight reports whether names have all the words as they are.
func (s *search) spelledRight(from, to int) bool {
	return !slices.ContainsFunc(s.tokens[from:to], func(t lexicon.Token) bool { return !s.spelling().has(t.Lower) })
}

// joinedTypo returns the candidates whose names, written without spaces, the
// words misspell: the space itself may be what is misplaced.
func (l *Linker) joinedTypo(tokens []lexicon.Token) []Candidate {
	if len(tokens) < 2 || len(tokens) > maxCompactTokens {
		return nil
	}
	joined := string(appendCompact(nil, tokens))
	letters := utf8.RuneCountInString(joined)
	if letters < 8 {
		return nil
	}
	var found []Candidate
	for _, o := range l.spelling().near(joined, allowedEdits(letters)) {
		for _, p := range l.names.find([]byte(o.word)) {
			if p.form() == compactForm {
				found = append(found, Candidate{Entity: p.entity(), Distance: editDistance * float64(o.edits), Method: Typo})
			}
		}
	}
	return mergeCandidates(found, nil)
}

// nameEdge reports whether a name may begin or end with the word.
func (s *search) nameEdge(i int) bool {
	return !s.known.function[s.tokens[i].Lower] || s.capital(i)
}

// plainTypo reports whether a single word may be a misspelt name: a capital
// speaks for it; a word written small must be long, no word of any name, and
// not a misspelt word of questions.
func (s *search) plainTypo(i int) bool {
	t := s.tokens[i]
	letters := utf8.RuneCountInString(t.Lower)
	if s.spelling().has(t.Lower) || letters < 4 {
		return false
	}
	return s.capital(i) || letters >= plainTypoLetters && !s.known.near(t.Lower)
}

// addTypo adds a mention of a misspelt name.
func (s *search) addTypo(from, to int, found []Candidate) {
	strength := max(0.05, s.weightOf(from, to)*0.5-0.2*found[0].Distance/editDistance)
	s.mention(from, to, found, max(strength, s.inner(from, to)+0.1))
}

// inner returns the strength of the strongest mention within a span that names
// something letter by letter or folded. What names the whole span explains more
// than what names a part of it.
func (s *search) inner(from, to int) float64 {
	strength := 0.0
	for _, m := range s.mentions {
		if m.Start >= s.tokens[from].Start && m.End <= s.tokens[to-1].End && m.Candidates[0].Method < Typo {
			strength = max(strength, m.Strength)
		}
	}
	return strength
}

// near reports whether a word is one edit from a word that questions use.
func (k *known) near(lower string) bool {
	rs := []rune(lower)
	if len(rs) > maxWordLetters {
		return false
	}
	try := func(rs []rune) bool {
		w := string(rs)
		return k.word(lexicon.Token{Lower: w, Stem: lexicon.Stem(w)})
	}
	buf := make([]rune, 0, len(rs)+1)
	for i := range len(rs) + 1 {
		if i < len(rs) {
			if buf = append(append(buf[:0], rs[:i]...), rs[i+1:]...); try(buf) {
				return true
			}
		}
		if i+1 < len(rs) {
			buf = append(buf[:0], rs...)
			if buf[i], buf[i+1] = buf[i+1], buf[i]; try(buf) {
				return true
			}
		}
		for c := 'a'; c <= 'z'; c++ {
			if buf = append(append(append(buf[:0], rs[:i]...), c), rs[i:]...); try(buf) {
				return true
			}
			if i < len(rs) {
				if buf = append(append(append(buf[:0], rs[:i]...), c), rs[i+1:]...); try(buf) {
					return true
				}
			}
		}
	}
	return false
}
