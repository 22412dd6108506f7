package link

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unsafe"
)

// dictionary numbers distinct texts in the order in which they come. It is three
// arrays without pointers, so that it can be read from a file where it lies, and
// takes some 20 bytes a text beside the text itself.
type dictionary struct {
	at   []uint64 // text i is bytes[at[i]:at[i+1]]
	text []byte
	// slots is a table with open addressing, a power of two in size: a slot is the
	// hash of a text above 1 + its number, or 0. The hash is kept so that texts are
	// seldom compared, and never when the table grows.
	slots []uint64
}

// newDictionary returns room for about n texts of so many bytes together.
func newDictionary(n, bytes int) dictionary {
	return dictionary{at: make([]uint64, 1, n+1), text: make([]byte, 0, bytes), slots: make([]uint64, tableSize(n))}
}

// tableSize returns how many slots a table of n texts has: at most three in four
// are taken.
func tableSize(n int) int { return 1 << max(4, bits.Len(uint(n+n/3))) }

// size returns the number of texts.
func (d *dictionary) size() int { return max(len(d.at)-1, 0) }

// get returns text i. It aliases the dictionary's.
func (d *dictionary) get(i uint32) string {
	b := d.text[d.at[i]:d.at[i+1]]
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// find returns the number of a text.
func (d *dictionary) find(text []byte) (uint32, bool) {
	if len(d.slots) == 0 {
		return 0, false
	}
	slot, _ := d.slot(text)
	return uint32(d.slots[slot]) - 1, d.slots[slot] != 0
}

// between returns the texts from one number to before another. They alias the
// dictionary's.
func (d *dictionary) between(from, to int) []string {
	list := make([]string, to-from)
	for i := range list {
		list[i] = d.get(uint32(from + i))
	}
	return list
}

func (d *dictionary) findString(text string) (uint32, bool) {
	return d.find(unsafe.Slice(unsafe.StringData(text), len(text)))
}

// slot returns where the text is, or where it belongs, and its hash.
func (d *dictionary) slot(text []byte) (at uint64, hash uint32) {
	hash = hashOf(text)
	mask := uint64(len(d.slots) - 1)
	for at = uint64(hash) & mask; ; at = (at + 1) & mask {
		s := d.slots[at]
		if s == 0 || uint32(s>>32) == hash && d.get(uint32(s)-1) == unsafe.String(unsafe.SliceData(text), len(text)) {
			return at, hash
		}
	}
}

// add returns the number of a text, which is a new one where it has not come
// before.
func (d *dictionary) add(text []byte) uint32 {
	if 4*d.size() >= 3*len(d.slots) {
		d.grow()
	}
	slot, hash := d.slot(text)
	if d.slots[slot] == 0 {
		d.text = append(d.text, text...)
		d.at = append(d.at, uint64(len(d.text)))
		d.slots[slot] = uint64(hash)<<32 | uint64(d.size())
	}
	return uint32(d.slots[slot]) - 1
}

func (d *dictionary) grow() {
	was := d.slots
	d.slots = make([]uint64, max(16, 2*len(was)))
	mask := uint64(len(d.slots) - 1)
	for _, s := range was {
		if s == 0 {
			continue
		}
		at := s >> 32 & mask
		for d.slots[at] != 0 {
			at = (at + 1) & mask
		}
		d.slots[at] = s
	}
	if len(d.at) == 0 {
		d.at = append(d.at, 0)
	}
}

// sound reports whether everything in d is within bounds, and a search ends.
func (d *dictionary) sound() bool {
	n := d.size()
	if len(d.at) == 0 || d.at[0] != 0 || d.at[n] != uint64(len(d.text)) || !slices.IsSorted(d.at) {
		return false
	}
	if len(d.slots) == 0 || len(d.slots)&(len(d.slots)-1) != 0 || n >= len(d.slots) {
		return false
	}
	taken := 0
	for _, s := range d.slots {
		if s != 0 {
			taken++
			if uint32(s) == 0 || int(uint32(s)) > n {
				return false
			}
		}
	}
	return taken == n
}

// hashOf hashes a text, the same on every computer: eight bytes at a time are
// multiplied in, and the sum is mixed as MurmurHash3 does (Appleby 2011).
func hashOf(text []byte) uint32 {
	const m = 0x9e3779b97f4a7c15
	h := uint64(len(text)) * m
	for len(text) >= 8 {
		h = bits.RotateLeft64(h^binary.LittleEndian.Uint64(text), 29) * m
		text = text[8:]
	}
	var last uint64
	for i, c := range text {
		last |= uint64(c) << (8 * i)
	}
	h = (h ^ last) * m
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return uint32(h >> 32)
}

// table has a list of numbers under every text of a dictionary.
//
//	list of text t   items[first[t]:first[t+1]]
type table[T ~uint32] struct {
	dictionary

	first []uint32
	items []T
}

// of returns the list of text t.
func (t *table[T]) of(i uint32) []T { return t.items[t.first[i]:t.first[i+1]:t.first[i+1]] }

// under returns the list of a text, nil where it has none.
func (t *table[T]) under(text []byte) []T {
	i, ok := t.find(text)
	if !ok {
		return nil
	}
	return t.of(i)
}

// sound reports whether everything in t is within bounds, and its items below
// limit.
func (t *table[T]) sound(limit uint64) bool {
	n := t.size()
	if !t.dictionary.sound() || len(t.first) != n+1 || t.first[0] != 0 || int(t.first[n]) != len(t.items) || !slices.IsSorted(t.first) {
		return false
	}
	for _, x := range t.items {
		if uint64(x) >= limit {
			return false
		}
	}
	return true
}

// tableBuilder collects a table.
type tableBuilder[T ~uint32] struct {
	dictionary

	pairs []pair[T]
}

type pair[T ~uint32] struct {
	text uint32
	item T
}

// newTableBuilder returns room for about n texts of so many bytes together, and so
// many items.
func newTableBuilder[T ~uint32](n, bytes, items int) *tableBuilder[T] {
	return &tableBuilder[T]{dictionary: newDictionary(n, bytes), pairs: make([]pair[T], 0, items)}
}

func (b *tableBuilder[T]) put(text []byte, item T) {
	b.pairs = append(b.pairs, pair[T]{b.add(text), item})
}

func (b *tableBuilder[T]) putString(text string, item T) {
	b.put(unsafe.Slice(unsafe.StringData(text), len(text)), item)
}

// finish returns the table. The items under one text stay in the order in which
// they came.
func (b *tableBuilder[T]) finish() table[T] {
	t := table[T]{dictionary: b.dictionary}
	t.first, t.items = grouped(b.pairs, b.size())
	b.pairs = nil
	return t
}

// grouped returns the items of n texts, text by text: items[first[t]:first[t+1]] are
// those of text t, in the order in which they came.
func grouped[T ~uint32](pairs []pair[T], n int) (first []uint32, items []T) {
	first, items = make([]uint32, n+1), make([]T, len(pairs))
	for _, p := range pairs {
		first[p.text+1]++
	}
	for i := 1; i < len(first); i++ {
		first[i] += first[i-1]
	}
	// first[t] moves from the first item of t to its end, which is the first of t+1.
	for _, p := range pairs {
		items[first[p.text]] = p.item
		first[p.text]++
	}
	copy(first[1:], first)
	first[0] = 0
	return first, items
}
