package kg

import "math/bits"

// idTable finds ids by the hash of what they stand for: open addressing with
// linear probing in one slice without pointers, which the garbage collector never
// looks into. A slot is 8 bytes: the high half of the hash, and the id. What an id
// stands for lies elsewhere, and who looks something up compares it.
//
//	home(h) = h·len(slots) >> 32   of the high half h of a hash
//
// so that slots in ascending order of h stay nearly sorted when the table grows,
// and growing reads and writes memory from front to back.
type idTable struct {
	slots []uint64 // h<<32 | id+1; 0 for an empty one
	used  int
}

// smallTable is the number of slots of the smallest table.
const smallTable = 16

// newIDTable returns a table with room for n ids.
func newIDTable(n int) idTable {
	return idTable{slots: make([]uint64, max(smallTable, n+n/2))}
}

// home returns where the search for a hash begins.
func (t *idTable) home(hash uint64) int {
	return int(hash >> 32 * uint64(len(t.slots)) >> 32)
}

// probe returns the next id whose hash has the same high half, and where to go on
// from; ok is false where there is none. A search begins at home.
func (t *idTable) probe(hash uint64, at int) (id uint32, next int, ok bool) {
	for {
		s := t.slots[at]
		if s == 0 {
			return 0, at, false
		}
		if at++; at == len(t.slots) {
			at = 0
		}
		if s>>32 == hash>>32 {
			return uint32(s) - 1, at, true
		}
	}
}

// add adds an id that is not in the table. empty is where the search for it ended.
func (t *idTable) add(hash uint64, id uint32, empty int) {
	t.slots[empty] = hash>>32<<32 | uint64(id) + 1
	t.used++
	if t.used > len(t.slots)/4*3 {
		t.grow()
	}
}

// grow makes the table half as large again.
func (t *idTable) grow() {
	old := t.slots
	t.slots = make([]uint64, len(old)+len(old)/2)
	for _, s := range old {
		if s == 0 {
			continue
		}
		at := t.home(s)
		for t.slots[at] != 0 {
			if at++; at == len(t.slots) {
				at = 0
			}
		}
		t.slots[at] = s
	}
}

// mix hashes two words: the folded product of wyhash (Wang Yi, 2019,
// https://github.com/wangyi-fudan/wyhash), with its constants.
func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^0xa0761d6478bd642f, b^0xe7037ed1a0b428db)
	return hi ^ lo
}
