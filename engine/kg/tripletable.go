package kg

// tripleTable gives triples dense numbers in the order in which they come: 12 bytes
// each in blocks, and 8 to 16 in an idTable.
type tripleTable struct {
	ids    idTable
	blocks [][]Triple // all but the last are full
	count  int
}

// tripleBlock is the number of triples of a full block.
const tripleBlock = 1 << 16

// newTripleTable returns a table with room for n triples.
func newTripleTable(n int) *tripleTable { return &tripleTable{ids: newIDTable(n)} }

// size returns the number of triples.
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
	at := t.ids.home(hash)
	for {
		var n uint32
		if n, at, ok = t.ids.probe(hash, at); !ok {
			return 0, at, false
		}
		if t.blocks[n/tripleBlock][n%tripleBlock] == x {
			return TripleID(n), at, true
		}
	}
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

// put adds a pair and reports whether it is new.
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
