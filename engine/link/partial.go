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
)

// parts finds the names that have a word.
//
//	word w of words is in the keys keys[at[w]:at[w+1]]
type parts struct {
	words map[string]uint32
	at    []uint32
	keys  []uint32
	texts []string // indexed by key
}

// newParts indexes the words of the keys that have several.
func newParts(keys map[string]uint32) *parts {
	p := &parts{words: map[string]uint32{}, texts: make([]string, len(keys))}
	for text, k := range keys {
		p.texts[k] = text
	}
	type pair struct{ word, key uint32 }
	var pairs []pair
	for k, text := range p.texts {
		if strings.IndexByte(text, ' ') < 0 {
			continue
		}
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
// as "Barack Obama" for "Obama"; nil where too many names have them.
func (l *Linker) partial(tokens []lexicon.Token) []Candidate {
	var words []string
	for _, t := range tokens {
		if t.Lower != lexicon.Possessive {
			words = append(words, t.Lower)
		}
	}
	keys := l.parts().with(words)
	if len(keys) == 0 || len(keys) > maxPartialKeys {
		return nil
	}
	var found []Candidate
	for _, k := range keys {
		extra := 1 + strings.Count(l.parts().texts[k], " ") - len(words)
		if extra <= 0 {
			continue
		}
		for _, p := range l.names.postings[l.names.at[k]:l.names.at[k+1]] {
			found = append(found, Candidate{Entity: p.entity, Distance: partialDistance + extraDistance*float64(extra), Method: Near})
		}
	}
	found = l.ByProminence(mergeCandidates(found, nil))
	found = found[:min(len(found), maxPartial)]
	sortCandidates(found)
	return found
}

// partly adds mentions for runs of words that are only a part of a name and
// that no other mention explains.
func (s *search) partly(ctx context.Context) error {
	covered := s.covered()
	for _, m := range s.mentions {
		for i := s.tokenAt(m.Start); i < len(s.tokens) && s.tokens[i].End <= m.End; i++ {
			covered[i] = covered[i] || m.Candidates[0].Method == Typo
		}
	}
	open := func(i int) bool {
		t := s.tokens[i]
		return !covered[i] && !isNumber(t.Text) && t.Lower != lexicon.Possessive && (!s.known.word(t) || s.capital(i))
	}
	for from := 0; from < len(s.tokens); from++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !open(from) {
			continue
		}
		to := from + 1
		for to < len(s.tokens) && to-from < maxTypoWords && open(to) {
			to++
		}
		s.partlyRun(from, to)
		from = to
	}
	return nil
}

// partlyRun adds mentions for the longest parts of a run that names have.
func (s *search) partlyRun(from, to int) {
	for n := to - from; n > 0; n-- {
		found := false
		for at := from; at+n <= to; at++ {
			if n == 1 && !s.plainPart(at) {
				continue
			}
			if cs := s.partial(s.tokens[at : at+n]); len(cs) > 0 {
				s.addPart(at, at+n, cs)
				found = true
			}
		}
		if found {
			return
		}
	}
}

// plainPart reports whether a single word may be a part of a name: a word that
// is written small must not be a misspelt word of questions.
func (s *search) plainPart(i int) bool {
	lower := s.tokens[i].Lower
	return utf8.RuneCountInString(lower) >= 3 && (s.capital(i) || !s.known.near(lower))
}

// addPart adds a mention of a part of a name.
func (s *search) addPart(from, to int, cs []Candidate) {
	strength := 0.0
	for i, t := range s.tokens[from:to] {
		strength += s.weight(t, t.Capital, from+i)
	}
	m := Mention{Start: s.tokens[from].Start, End: s.tokens[to-1].End, Candidates: cs, Strength: 0.4 * strength}
	m.Text = s.question[m.Start:m.End]
	s.mentions = append(s.mentions, m)
}
