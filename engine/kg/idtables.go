package kg

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"unsafe"
)

// keyTable gives keys dense numbers in the order in which they come. It holds the
// keys one after the other in blocks, with 8 bytes for where each begins and 8 to
// 16 in an idTable: at ten million keys of 45 bytes about 0.7 GB, where a map of
// strings takes more than twice that and has the garbage collector walk it.
type keyTable struct {
	ids    idTable
	seed   maphash.Seed
	blocks [][]byte // of uvarint(length) and key; full blocks are never moved
	begins []uint64 // of key i: block<<32 | offset in it
	bytes  int      // in all blocks
}

// Sizes of blocks, in bytes: each as large as all before it, within these bounds.
const (
	smallBlock = 4 << 10
	largeBlock = 1 << 20
)

func newKeyTable(n int) *keyTable {
	return &keyTable{ids: newIDTable(n), seed: maphash.MakeSeed(), begins: make([]uint64, 0, n)}
}

// find returns the number of a key, and whether it has one.
func (t *keyTable) find(key []byte) (uint32, bool) {
	id, _, _, ok := t.look(key)
	return id, ok
}

// findString is find.
func (t *keyTable) findString(key string) (uint32, bool) {
	return t.find(unsafe.Slice(unsafe.StringData(key), len(key)))
}

// put returns the number of a key, which is new where added is true. The table
// keeps a copy of key.
func (t *keyTable) put(key []byte) (id uint32, added bool) {
	id, hash, empty, ok := t.look(key)
	if ok {
		return id, false
	}
	id = uint32(len(t.begins))
	t.begins = append(t.begins, t.keep(key))
	t.ids.add(hash, id, empty)
	return id, true
}

// look finds a key, or the slot where it belongs.
func (t *keyTable) look(key []byte) (id uint32, hash uint64, empty int, ok bool) {
	hash = maphash.Bytes(t.seed, key)
	id, empty, ok = t.ids.find(hash, func(id uint32) bool { return t.key(id) == string(key) })
	return id, hash, empty, ok
}

// key returns key i. It stays valid, since blocks are only ever added to.
func (t *keyTable) key(i uint32) string {
	begin := t.begins[i]
	b := t.blocks[begin>>32][uint32(begin):]
	n, head := binary.Uvarint(b)
	return unsafe.String(unsafe.SliceData(b[head:]), int(n))
}

// keep appends a key to the last block, or to a new one, and returns where.
func (t *keyTable) keep(key []byte) uint64 {
	need := binary.MaxVarintLen64 + len(key)
	last := len(t.blocks) - 1
	if last < 0 || cap(t.blocks[last])-len(t.blocks[last]) < need {
		size := max(need, min(max(t.bytes, smallBlock), largeBlock))
		t.blocks = append(t.blocks, make([]byte, 0, size))
		t.bytes += size
		last++
	}
	b := t.blocks[last]
	begin := len(b)
	b = binary.AppendUvarint(b, uint64(len(key)))
	t.blocks[last] = append(b, key...)
	return uint64(last)<<32 | uint64(begin)
}

// tripleTable gives triples dense numbers in the order in which they come: 12 bytes
// each in blocks, and 8 to 16 in an idTable.
type tripleTable struct {
	ids    idTable
	blocks [][]Triple // all but the last are full
	count  int
}

// tripleBlock is the number of triples of a full block.
const tripleBlock = 1 << 16

func newTripleTable(n int) *tripleTable { return &tripleTable{ids: newIDTable(n)} }

func (t *tripleTable) size() int { return t.count }

// find returns the number of a triple, and whether it has one.
func (t *tripleTable) find(x Triple) (TripleID, bool) {
	id, _, ok := t.look(x, hashTriple(x))
	return id, ok
}

// put returns the number of a triple, which is new where added is true.
func (t *tripleTable) put(x Triple) (id TripleID, added bool) {
	hash := hashTriple(x)
	id, empty, ok := t.look(x, hash)
	if ok {
		return id, false
	}
	id = TripleID(t.count)
	last := len(t.blocks) - 1
	if last < 0 || len(t.blocks[last]) == tripleBlock {
		var fresh []Triple // the first one grows, for the many graphs that are small
		if last >= 0 {
			fresh = make([]Triple, 0, tripleBlock)
		}
		t.blocks = append(t.blocks, fresh)
		last++
	}
	t.blocks[last] = append(t.blocks[last], x)
	t.count++
	t.ids.add(hash, uint32(id), empty)
	return id, true
}

// look finds a triple, or the slot where it belongs.
func (t *tripleTable) look(x Triple, hash uint64) (id TripleID, empty int, ok bool) {
	n, empty, ok := t.ids.find(hash, func(n uint32) bool { return t.blocks[n/tripleBlock][n%tripleBlock] == x })
	return TripleID(n), empty, ok
}

func hashTriple(x Triple) uint64 {
	return mix(mix(uint64(x.Head)<<32|uint64(x.Tail), uint64(x.Relation)), 0x8ebc6af09c88c6e3)
}

// pairTable is a set of pairs of ids: open addressing with linear probing, 8 bytes a
// slot.
type pairTable struct {
	slots []uint64 // first<<32 | second, plus 1; 0 for an empty one
	used  int
}

func newPairTable() *pairTable {
	return &pairTable{slots: make([]uint64, smallTable)}
}

func (t *pairTable) put(first, second uint32) bool {
	word := (uint64(first)<<32 | uint64(second)) + 1
	at := t.at(word)
	if t.slots[at] == word {
		return false
	}
	t.slots[at] = word
	if t.used++; t.used > len(t.slots)/4*3 {
		old := t.slots
		t.slots = make([]uint64, len(old)+len(old)/2)
		for _, word := range old {
			if word != 0 {
				t.slots[t.at(word)] = word
			}
		}
	}
	return true
}

// at returns the slot of a word, or the empty one where it belongs.
func (t *pairTable) at(word uint64) int {
	at := int(mix(word, 0x589965cc75374cc3) >> 32 * uint64(len(t.slots)) >> 32)
	for t.slots[at] != 0 && t.slots[at] != word {
		if at++; at == len(t.slots) {
			at = 0
		}
	}
	return at
}

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

// find returns the id of a hash that stands for the same as what is looked for, and
// where none does the slot where it belongs.
func (t *idTable) find(hash uint64, same func(id uint32) bool) (id uint32, empty int, ok bool) {
	for at := t.home(hash); ; {
		s := t.slots[at]
		if s == 0 {
			return 0, at, false
		}
		if id := uint32(s) - 1; s>>32 == hash>>32 && same(id) {
			return id, 0, true
		}
		if at++; at == len(t.slots) {
			at = 0
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
		_, at, _ := t.find(s, func(uint32) bool { return false })
		t.slots[at] = s
	}
}

// mix hashes two words: the folded product of wyhash (Wang Yi, 2019,
// https://github.com/wangyi-fudan/wyhash), with its constants.
func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^0xa0761d6478bd642f, b^0xe7037ed1a0b428db)
	return hi ^ lo
}
