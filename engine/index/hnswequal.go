package index

import (
	"hash/maphash"
	"math"
	"slices"
)

// equalTable finds the first vector that equals one, by open addressing.
type equalTable struct {
	exact Exact
	slots []uint32 // ids; noVector where free
	seed  maphash.Seed
	a, b  []float32
	bytes []byte
}

// newEqualTable returns an empty table with room for n vectors.
func newEqualTable(exact Exact, n int) *equalTable {
	size := 16
	for size < 2*n {
		size *= 2
	}
	t := &equalTable{
		exact: exact, slots: make([]uint32, size), seed: maphash.MakeSeed(),
		a: make([]float32, exact.Dims()), b: make([]float32, exact.Dims()),
	}
	for i := range t.slots {
		t.slots[i] = noVector
	}
	return t
}

// find returns the first vector of the table that equals i, and adds i where there
// is none. What it returns does not depend on the seed.
func (t *equalTable) find(i uint32) uint32 {
	t.exact.Row(int(i), t.a)
	t.bytes = t.bytes[:0]
	for _, x := range t.a {
		bits := math.Float32bits(x + 0) // -0 is 0
		t.bytes = append(t.bytes, byte(bits), byte(bits>>8), byte(bits>>16), byte(bits>>24))
	}
	mask := uint64(len(t.slots) - 1)
	for at := maphash.Bytes(t.seed, t.bytes) & mask; ; at = (at + 1) & mask {
		j := t.slots[at]
		if j == noVector {
			t.slots[at] = i
			return i
		}
		if t.exact.Row(int(j), t.b); slices.Equal(t.a, t.b) {
			return j
		}
	}
}
