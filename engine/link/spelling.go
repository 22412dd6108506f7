package link

import (
	"cmp"
	"context"
	"math/bits"
	"runtime"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/internal/guard"
)

// spelling finds the words of names that a misspelt word may stand for. It
// compares the word with every known word of about its length, first by the
// set of their letters, which leaves a few hundred of the tens of thousands of
// words of a large graph to be compared letter by letter.
type spelling struct {
	words   *dictionary
	order   []uint32 // words by the number of their letters, then by number
	letters []uint64 // letters[i] has a bit for each letter of word order[i]
	at      []uint32 // order[at[n]:at[n+1]] have n letters
}

// maxWordLetters is the longest word that spelling knows.
const maxWordLetters = 32

// spelled is a word that another may stand for.
type spelled struct {
	word  string
	edits int
}

// newSpelling orders the words. The only error is the context's.
func newSpelling(ctx context.Context, words *dictionary) (*spelling, error) {
	s := &spelling{words: words, at: make([]uint32, maxWordLetters+2)}
	each := func(take func(w uint32, letters int)) error {
		for w := range uint32(words.size()) {
			if w%namesPiece == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if n := utf8.RuneCountInString(words.get(w)); n <= maxWordLetters {
				take(w, n)
			}
		}
		return nil
	}
	if err := each(func(_ uint32, n int) { s.at[n+1]++ }); err != nil {
		return nil, err
	}
	for n := 1; n < len(s.at); n++ {
		s.at[n] += s.at[n-1]
	}
	known := s.at[maxWordLetters+1]
	s.order, s.letters = make([]uint32, known), make([]uint64, known)
	next := slices.Clone(s.at)
	return s, each(func(w uint32, n int) {
		s.order[next[n]], s.letters[next[n]] = w, letterSet(words.get(w))
		next[n]++
	})
}

// letterSet has a bit for every letter of w; letters may share one.
func letterSet(w string) uint64 {
	var set uint64
	for _, r := range w {
		set |= 1 << (uint32(r) * 0x9e3779b1 >> 26)
	}
	return set
}

// has reports whether a word is one of a name's.
func (s *spelling) has(word string) bool {
	if utf8.RuneCountInString(word) > maxWordLetters {
		return false
	}
	_, ok := s.words.findString(word)
	return ok
}

// near returns the words at most so many edits from word, itself left out, by
// (edits, text). An edit is a letter more, less or changed, or two neighbours
// swapped. Numbers are never misspelt, alone or in a word.
func (s *spelling) near(word string, edits int) []spelled {
	rs := []rune(word)
	if edits <= 0 || len(rs) > maxWordLetters || isNumber(word) {
		return nil
	}
	from, to := s.at[max(1, len(rs)-edits)], s.at[min(maxWordLetters, len(rs)+edits)+1]
	parts := make([][]spelled, max(1, min(runtime.GOMAXPROCS(0), int(to-from)/wordsAtOnce)))
	_ = guard.Each(context.Background(), len(parts), func(i int) {
		n, of := uint64(to-from), uint64(len(parts))
		parts[i] = s.among(rs, word, edits, from+uint32(n*uint64(i)/of), from+uint32(n*uint64(i+1)/of))
	})
	found := slices.Concat(parts...)
	slices.SortFunc(found, func(a, b spelled) int {
		return cmp.Or(cmp.Compare(a.edits, b.edits), cmp.Compare(a.word, b.word))
	})
	return found
}

// wordsAtOnce is how many words are worth a processor: some 2 ms. It is a variable
// for tests.
var wordsAtOnce = 1 << 18

// among returns the words near to one among order[from:to].
func (s *spelling) among(rs []rune, word string, edits int, from, to uint32) []spelled {
	var found []spelled
	set := letterSet(word)
	var d editor
	for i := from; i < to; i++ {
		// An edit takes at most one letter away and brings at most one.
		if bits.OnesCount64(set&^s.letters[i]) > edits || bits.OnesCount64(s.letters[i]&^set) > edits {
			continue
		}
		other := s.words.get(s.order[i])
		if e := d.distance(rs, other, edits); e > 0 && e <= edits && digits(other) == digits(word) {
			found = append(found, spelled{other, e})
		}
	}
	return found
}

// digits are those of a word, in their order.
func digits(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, word)
}

// editor computes edit distances in memory of its own.
type editor struct {
	b    [maxWordLetters]rune
	rows [3][maxWordLetters + 1]int
}

// distance returns the number of edits from a to b (optimal string alignment:
// Damerau-Levenshtein where no letter is edited twice), or something larger
// than limit where it exceeds the limit.
func (d *editor) distance(a []rune, word string, limit int) int {
	b := d.b[:0]
	for _, r := range word {
		b = append(b, r)
	}
	if len(b) > maxWordLetters {
		return limit + 1
	}
	before, above, row := &d.rows[0], &d.rows[1], &d.rows[2]
	for j := range len(b) + 1 {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			e := min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				e = min(e, before[j-2]+1)
			}
			row[j] = e
			least = min(least, e)
		}
		if least > limit {
			return limit + 1
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}

// Edits returns how many edits one word is from another, or something larger than
// limit where it exceeds the limit; see spelling.near.
func Edits(a, b string, limit int) int {
	var d editor
	return d.distance([]rune(a), b, limit)
}

// allowedEdits is how many edits a name of so many letters may be away: one of
// at least four letters, two of at least eight.
func allowedEdits(letters int) int {
	switch {
	case letters >= 8:
		return 2
	case letters >= 4:
		return 1
	}
	return 0
}
