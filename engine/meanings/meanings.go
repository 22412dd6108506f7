// Package meanings holds what English words mean as vectors: words that are used alike
// have vectors that point the same way, though they share no letter.
//
//	model that embeds ─cairn-lab meanings─▶ assets/meanings.bin ─Builtin─▶ Table ─▶ Vector
//
// The vectors are static: one a word, whatever stands beside it. A cosine of 0.8 is a
// synonym ("wife" and "spouse"), one of 0.4 something of the same field; two words by
// chance are at 0.00 ± 0.09, and one pair in a thousand is above 0.44.
package meanings

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"slices"
	"sort"
	"strings"
	"sync"

	"cairn/assets"
	"cairn/engine/lexicon"
	"cairn/engine/vec"
)

// The file, numbers in little-endian order:
//
//	magic     "cairn meanings 1"
//	uint32    words n, dimensions d, bytes of the text of all words, CRC-32C of what follows
//	text      the words, ascending, a line feed after each
//	n bytes   weights, in parts of 255: frequent words say less
//	n·d bytes vectors, as signed numbers of one byte, each row with a scale of its own,
//	          which cosines do not need
const (
	magic  = "cairn meanings 1"
	header = len(magic) + 4*4
)

// ErrDamaged is returned for a file that is not one of meanings, or not all of it.
var ErrDamaged = errors.New("the file of meanings is damaged")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Table is the vectors of some words. It is immutable and safe for concurrent use; a nil
// Table knows no word.
type Table struct {
	words   []string // ascending
	weights string
	codes   string
	dims    int
}

// Builtin returns the vectors that are built into the program, which are read when they
// are first asked for.
var Builtin = sync.OnceValue(func() *Table {
	t, err := Read(assets.Meanings)
	if err != nil {
		panic("the built-in meanings: " + err.Error()) // a test reads them
	}
	return t
})

// Read reads a file of meanings. It keeps the file and copies none of it; the only error
// is ErrDamaged.
func Read(file string) (*Table, error) {
	if len(file) < header || file[:len(magic)] != magic {
		return nil, ErrDamaged
	}
	var head [4]uint32
	for i := range head {
		head[i] = binary.LittleEndian.Uint32([]byte(file[len(magic)+4*i:]))
	}
	n, dims, text, rest := uint64(head[0]), uint64(head[1]), uint64(head[2]), file[header:]
	if uint64(len(rest)) != text+n+n*dims || dims == 0 || crc32.Checksum([]byte(rest), castagnoli) != head[3] {
		return nil, ErrDamaged
	}
	t := &Table{words: strings.Split(rest[:text], "\n"), weights: rest[text : text+n], codes: rest[text+n:], dims: int(dims)}
	t.words = t.words[:len(t.words)-1] // after the last line feed there is nothing
	if uint64(len(t.words)) != n || !slices.IsSorted(t.words) {
		return nil, ErrDamaged
	}
	return t, nil
}

// Dims is the length of the vectors.
func (t *Table) Dims() int { return t.dims }

// Len is how many words there are.
func (t *Table) Len() int { return len(t.words) }

// Vector returns the unit vector of a folded word and how much the word says, 0 to 1:
// frequent words say less. Of a word that is not there, it is the shortest word that has
// its stem; nil where there is none.
func (t *Table) Vector(word string) (v []float32, weight float64) {
	at := t.find(word)
	if at < 0 {
		return nil, 0
	}
	v = make([]float32, t.dims)
	for i := range v {
		v[i] = float32(int8(t.codes[at*t.dims+i]))
	}
	vec.Normalize(v)
	return v, float64(t.weights[at]) / 255
}

// find returns the place of a word, or of the shortest one with its stem, or -1.
func (t *Table) find(word string) int {
	if t == nil {
		return -1
	}
	at, ok := slices.BinarySearch(t.words, word)
	if ok {
		return at
	}
	const least = 3 // letters that words of one stem begin with, but for the last
	stem := lexicon.Stem(word)
	if len(stem) <= least {
		return -1
	}
	begin := stem[:len(stem)-1]
	best := -1
	for at = sort.SearchStrings(t.words, begin); at < len(t.words) && strings.HasPrefix(t.words[at], begin); at++ {
		if w := t.words[at]; (best < 0 || len(w) < len(t.words[best])) && lexicon.Stem(w) == stem {
			best = at
		}
	}
	return best
}
