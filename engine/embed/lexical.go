package embed

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"iter"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"cairn/engine/internal/splitmix"
	"cairn/engine/lexicon"
	"cairn/engine/vec"
)

// lexicalVersion is part of every id: raise it with any change to features,
// weights or hashing.
const lexicalVersion = 1

// lexicalDims is the length of the vectors. At 256 dimensions two labels
// without a common feature lie 1.41 ± 0.06 apart.
const lexicalDims = 256

// Lexical embeds texts by their words, without a model: texts are near that
// share words, word stems, parts of words (so that misspelt names stay near),
// or words that mean the same by the lexicon. It is immutable and safe for
// concurrent use.
//
//	feature    a word, a stem, 2 to 4 letters in a row within a word, two
//	           words in a row, or a concept of the lexicon
//	energy     the square of a feature's weight; a rare word has more
//	vector     Σ over features of weight · two signed unit vectors that the
//	           feature's hash picks, scaled to unit length
//
// The hash is the same on every platform, so that vectors can be stored.
type Lexical struct {
	lex *lexicon.Lexicon // may be nil
	// idf[h mod len(idf)] weighs the feature with hash h: the logarithm of how
	// rare it is among the labels. Features that share a place are rare enough
	// together: 2¹⁸ places for the some 10⁵ features of 43,000 labels.
	idf    []float32
	unseen float32 // the weight of what no label has
	id     string
}

const idfSize = 1 << 18

// How the energy of a word is shared out, in parts of the square of its idf.
// Fitted by hand on misspelt titles and relation names: see the transcript in
// testdata.
const (
	wordPart    = 1.0
	stemPart    = 0.5
	gramsPart   = 8.0
	pairPart    = 0.1
	conceptPart = 12.0
	numberPart  = 10.0 // instead of all others: no number is like another
	unseenPart  = 0.3  // of wordPart and stemPart, for words in no label: they may be misspelt
	unseenGram  = 0.05 // of a gram's share, for grams in no label
	stopPart    = 0.1  // of everything, for words without a meaning of their own
)

// The kinds of features, mixed into their hashes.
const (
	wordKind uint64 = iota + 1
	stemKind
	gramKind
	pairKind
	conceptKind
	symbolKind
)

// NewLexical returns an embedder that has learnt from labels how rare words and
// parts of words are. lex may be nil: then no two words mean the same.
func NewLexical(labels iter.Seq[string], lex *lexicon.Lexicon) *Lexical {
	c := newCounter()
	for label := range labels {
		c.add(label)
	}
	return newLexical(&c.counts, lex)
}

func newLexical(c *counts, lex *lexicon.Lexicon) *Lexical {
	l := &Lexical{lex: lex, idf: make([]float32, idfSize), unseen: rarity(c.labels, 0)}
	for i, n := range c.of {
		l.idf[i] = rarity(c.labels, n)
	}
	l.id = fmt.Sprintf("lexical-%d-%016x", lexicalVersion, l.fingerprint(c.of, c.labels))
	return l
}

// rarity is the inverse document frequency, never 0.
func rarity(n, count uint32) float32 {
	return float32(0.5 + math.Log(float64(n+1)/float64(count+1)))
}

// ID names the embedder, the labels that it learnt from and the lexicon.
func (l *Lexical) ID() string { return l.id }

// Dims is 256.
func (l *Lexical) Dims() int { return lexicalDims }

// Parallel implements Parallel.
func (l *Lexical) Parallel() {}

// checkEvery is how many texts are embedded between two looks at the context.
const checkEvery = 256

// Embed returns one unit vector a text, in order, and the zero vector for a
// text without letters and digits. Questions and names are embedded alike. The
// only error is the context's.
func (l *Lexical) Embed(ctx context.Context, _ Kind, texts []string) ([][]float32, error) {
	rows := make([]float32, lexicalDims*len(texts))
	out := make([][]float32, len(texts))
	var s scratch
	for i, text := range texts {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		out[i] = rows[i*lexicalDims : (i+1)*lexicalDims : (i+1)*lexicalDims]
		l.embed(out[i], text, &s)
	}
	return out, nil
}

// scratch is memory used again from text to text.
type scratch struct {
	tokens []lexicon.Token
	hashes []uint64
	words  []string
}

// maxTextTokens is how many words of a text are read: enough for any name and
// for a long question.
const maxTextTokens = 256

// embed adds the features of text to dst, which is zero, and scales it.
func (l *Lexical) embed(dst []float32, text string, s *scratch) {
	s.tokens = lexicon.AppendTokens(s.tokens[:0], text)
	tokens := s.tokens[:min(len(s.tokens), maxTextTokens)]
	previous := uint64(0)
	for _, t := range tokens {
		word := hash(wordKind, t.Lower)
		w := l.idf[word%idfSize]
		w *= w
		if l.isStop(t.Lower) {
			w *= stopPart
		}
		if isNumber(t.Lower) {
			spread(dst, word, w*numberPart)
		} else {
			l.spreadWord(dst, t, word, w, s)
		}
		if previous != 0 {
			spread(dst, splitmix.Mix(previous^splitmix.Mix(word+pairKind)), w*pairPart)
		}
		previous = word
	}
	l.spreadConcepts(dst, tokens, s)
	if symbols := strings.TrimSpace(text); len(tokens) == 0 && symbols != "" {
		spread(dst, hash(symbolKind, symbols), 1)
	}
	vec.Normalize(dst)
}

// spreadWord adds the word, its stem and its grams.
func (l *Lexical) spreadWord(dst []float32, t lexicon.Token, word uint64, w float32, s *scratch) {
	whole := w
	if l.idf[word%idfSize] == l.unseen {
		whole *= unseenPart
	}
	spread(dst, word, whole*wordPart)
	spread(dst, hash(stemKind, t.Stem), whole*stemPart)
	s.hashes = appendGrams(s.hashes[:0], t.Lower)
	var sum float32
	for _, h := range s.hashes {
		sum += l.gramWeight(h)
	}
	for _, h := range s.hashes {
		spread(dst, h, w*gramsPart*l.gramWeight(h)/sum)
	}
}

func (l *Lexical) gramWeight(h uint64) float32 {
	x := l.idf[h%idfSize]
	if x == l.unseen {
		return x * unseenGram
	}
	return x
}

// spreadConcepts adds what the words mean: every word's concepts, and those
// that all the words together name.
func (l *Lexical) spreadConcepts(dst []float32, tokens []lexicon.Token, s *scratch) {
	if l.lex == nil {
		return
	}
	energy := l.unseen * l.unseen * conceptPart
	all := len(tokens) > 1 && len(tokens) <= 6
	s.words = s.words[:0]
	var meant []int
	for _, t := range tokens {
		if !l.lex.Knows(t.Stem) && !l.isStop(t.Lower) {
			all = false
		}
		s.words = append(s.words, t.Lower)
		meant = append(meant, l.lex.ConceptsOf(t.Stem)...)
	}
	if all {
		// "date of birth" is one meaning, not that of "date" and that of "birth".
		if together := l.lex.Meanings(s.words); len(together) > 0 {
			meant = together
		}
	}
	slices.Sort(meant)
	meant = slices.Compact(meant)
	for _, c := range meant {
		spread(dst, hash(conceptKind, l.lex.Concepts[c].Name), energy/float32(len(meant)))
	}
}

func (l *Lexical) isStop(lower string) bool { return l.lex != nil && l.lex.IsStop(lower) }

// spread adds a feature of the given energy: in two places, because with one
// every thousandth pair of features would cancel or double each other.
func spread(dst []float32, h uint64, energy float32) {
	w := float32(math.Sqrt(float64(energy) / 2))
	for range 2 {
		h = splitmix.Mix(h)
		at := h % lexicalDims
		if h>>63 == 0 {
			dst[at] += w
		} else {
			dst[at] -= w
		}
	}
}

// appendCounted appends the features of a word whose frequency is learnt: the
// word itself and its grams.
func appendCounted(dst []uint64, lower string) []uint64 {
	dst = append(dst, hash(wordKind, lower))
	if isNumber(lower) {
		return dst
	}
	return appendGrams(dst, lower)
}

// appendGrams appends the hashes of every 2, 3 and 4 characters in a row of a
// word, its edges counting as one.
func appendGrams(dst []uint64, word string) []uint64 {
	var buf [48]byte
	edged := append(buf[:0], '^')
	edged = append(edged, word...)
	edged = append(edged, '$')
	ends := [3]int{-1, -1, -1} // where the 1, 2 and 3 characters before the next one begin
	for i := 0; i < len(edged); {
		_, size := utf8.DecodeRune(edged[i:])
		for n, from := range ends {
			if from >= 0 {
				dst = append(dst, hash(gramKind+uint64(n)<<8, edged[from:i+size]))
			}
		}
		ends = [3]int{i, ends[0], ends[1]}
		i += size
	}
	return dst
}

// isNumber reports whether a word is made of digits only.
func isNumber(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// hash is FNV-1a over kind and text, then mixed: FNV alone leaves the high bits
// of short texts alike.
func hash[S string | []byte](kind uint64, s S) uint64 {
	h := fnvOffset ^ kind*fnvPrime
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * fnvPrime
	}
	return splitmix.Mix(h)
}

const (
	fnvOffset uint64 = 14695981039346656037
	fnvPrime  uint64 = 1099511628211
)

// fingerprint hashes what the vectors depend on beside this file.
func (l *Lexical) fingerprint(counts []uint32, n uint32) uint64 {
	h := fnv.New64a()
	var buf [4]byte
	write := func(x uint32) {
		binary.LittleEndian.PutUint32(buf[:], x)
		_, _ = h.Write(buf[:]) // never fails
	}
	write(n)
	for _, c := range counts {
		write(c)
	}
	if l.lex == nil {
		return h.Sum64()
	}
	for _, c := range l.lex.Concepts {
		_, _ = h.Write([]byte(c.Name))
		for _, phrases := range [][]lexicon.Phrase{c.Relation, c.Tail, c.Ask} {
			for _, p := range phrases {
				_, _ = h.Write([]byte("\x00" + strings.Join(p.Stems, " ")))
			}
		}
	}
	return h.Sum64()
}
