package kg

import (
	"encoding/binary"
	"hash/maphash"
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

// newKeyTable returns a table with room for n keys.
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
	at := t.ids.home(hash)
	for {
		if id, at, ok = t.ids.probe(hash, at); !ok {
			return 0, hash, at, false
		}
		if t.key(id) == string(key) {
			return id, hash, at, true
		}
	}
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
