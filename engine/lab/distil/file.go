package distil

import (
	"cmp"
	"encoding/binary"
	"hash/crc32"
	"math"
	"slices"
)

// entry is a word with its vector, of any length, and how much it says: 0 to 1.
type entry struct {
	word   string
	weight float64
	vector []float32
}

// write returns the file of some words, as package meanings reads it, which has them in the order of letters; the same
// entries give the same bytes.
func write(entries []entry) []byte {
	entries = slices.Clone(entries)
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.word, b.word) })
	var text, weights, codes []byte
	for _, e := range entries {
		text = append(append(text, e.word...), '\n')
		weights = append(weights, byte(math.Round(255*e.weight)))
		most := float32(0)
		for _, x := range e.vector {
			most = max(most, x, -x)
		}
		for _, x := range e.vector {
			codes = append(codes, byte(int8(math.Round(127*float64(x/most)))))
		}
	}
	rest := slices.Concat(text, weights, codes)
	out := []byte("cairn meanings 1")
	for _, n := range []int{len(entries), len(entries[0].vector), len(text), int(crc32.Checksum(rest, crc32.MakeTable(crc32.Castagnoli)))} {
		out = binary.LittleEndian.AppendUint32(out, uint32(n))
	}
	return append(out, rest...)
}
