package link

import (
	"hash/maphash"
	"math/bits"
)

// texts collects distinct texts and who has them. The texts are numbered in the
// order in which they come first.
//
// A table of numbers finds a text again, not a map of strings: of ten million
// names a map alone would take a gigabyte.
type texts[ID ~uint32] struct {
	seed  maphash.Seed
	slots []uint32 // 1 + a text's number, or 0, at the hash of the text or after it
	list  []string
	pairs []pair[ID]
}

// newTexts returns room for about n texts.
func newTexts[ID ~uint32](n int) *texts[ID] {
	return &texts[ID]{
		seed: maphash.MakeSeed(), slots: make([]uint32, slotsFor(n)),
		list: make([]string, 0, n), pairs: make([]pair[ID], 0, n),
	}
}

// slotsFor returns how many slots a table of n keys has: a power of two, at least
// twice n.
func slotsFor(n int) int { return 1 << max(4, bits.Len(uint(2*n))) }

// add notes that owner has the text; owners come in ascending order.
func (t *texts[ID]) add(text string, owner ID) {
	if 2*len(t.list) >= len(t.slots) {
		t.grow()
	}
	slot := t.slot(text)
	if t.slots[slot] == 0 {
		t.list = append(t.list, text)
		t.slots[slot] = uint32(len(t.list))
	}
	t.pairs = append(t.pairs, pair[ID]{t.slots[slot] - 1, owner})
}

// slot returns where the text is, or where it belongs.
func (t *texts[ID]) slot(text string) uint64 {
	mask := uint64(len(t.slots) - 1)
	at := maphash.String(t.seed, text) & mask
	for t.slots[at] != 0 && t.list[t.slots[at]-1] != text {
		at = (at + 1) & mask
	}
	return at
}

func (t *texts[ID]) grow() {
	t.slots = make([]uint32, 2*len(t.slots))
	for i, text := range t.list {
		t.slots[t.slot(text)] = uint32(i + 1)
	}
}

// owners returns who has each text: owners[at[t]:at[t+1]] have text t, ascending.
func (t *texts[ID]) owners() (at []uint32, owners []ID) { return grouped(t.pairs, len(t.list)) }
