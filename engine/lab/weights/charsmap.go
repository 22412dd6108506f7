package weights

import (
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"unicode/utf8"
)

// rules say what single characters are read as before a text is cut into tokens.
type rules map[rune]string

// charsmap packs rules as SentencePiece compiles them, which is what a server reads: the
// size of an array, the array, and the texts, each with a zero byte at its end. The
// array is a trie over the characters' bytes, in the form of Darts-clone: the entry of
// a node at i holds the byte that leads to it, whether a text ends there, and i^b for
// the base b at which its own entries lie; that of byte c is at b^c, and that of the
// text's place at b.
func charsmap(rs rules) ([]byte, error) {
	root := &trie{}
	var texts []byte
	for _, from := range slices.Sorted(maps.Keys(rs)) {
		if from == 0 || !utf8.ValidRune(from) {
			continue // the first ends every text, and no text has the others
		}
		root.put(string(from), len(texts))
		texts = append(append(texts, rs[from]...), 0)
	}
	if len(texts) == 0 {
		return nil, nil // characters are read as they are
	}
	d := doubleArray{entries: make([]uint32, 256), used: make([]bool, 256), bases: map[int]bool{}}
	d.used[0] = true
	if err := d.place(root, 0); err != nil {
		return nil, err
	}
	b := binary.LittleEndian.AppendUint32(nil, uint32(4*len(d.entries)))
	for _, e := range d.entries {
		b = binary.LittleEndian.AppendUint32(b, e)
	}
	return append(b, append(texts, 0)...), nil
}

// trie is a node of a trie over bytes.
type trie struct {
	next map[byte]*trie
	ends bool
	text int // where the text begins, if one ends here
}

func (t *trie) put(key string, text int) {
	for i := range len(key) {
		child := t.next[key[i]]
		if child == nil {
			child = &trie{}
			if t.next == nil {
				t.next = map[byte]*trie{}
			}
			t.next[key[i]] = child
		}
		t = child
	}
	t.ends, t.text = true, text
}

const (
	entryLeaf   = 1 << 8
	entryText   = 1 << 31
	entryOffset = 10
	maxOffset   = 1 << 21
)

var errManyRules = errors.New("too many characters are read as others")

type doubleArray struct {
	entries []uint32
	used    []bool
	bases   map[int]bool
	free    int // nothing below is free
}

// place puts the entries below the node whose own entry is at i.
func (d *doubleArray) place(t *trie, i int) error {
	labels := slices.Sorted(maps.Keys(t.next))
	if t.ends {
		labels = slices.Insert(labels, 0, 0)
	}
	base := d.base(labels)
	if i^base >= maxOffset {
		return errManyRules
	}
	d.bases[base] = true
	d.entries[i] |= uint32(i^base) << entryOffset
	for _, c := range labels {
		d.used[base^int(c)] = true
	}
	if t.ends {
		d.entries[i] |= entryLeaf
		d.entries[base] = entryText | uint32(t.text)
	}
	for _, c := range labels {
		if child := t.next[c]; child != nil {
			at := base ^ int(c)
			d.entries[at] = uint32(c)
			if err := d.place(child, at); err != nil {
				return err
			}
		}
	}
	return nil
}

// base returns a base that no other node has, at which the entries of all labels are
// free.
func (d *doubleArray) base(labels []byte) int {
	for d.free < len(d.used) && d.used[d.free] {
		d.free++
	}
	for at := d.free; ; at++ {
		for at >= len(d.entries) {
			d.entries = append(d.entries, make([]uint32, 256)...)
			d.used = append(d.used, make([]bool, 256)...)
		}
		base := at ^ int(labels[0])
		if !d.bases[base] && !slices.ContainsFunc(labels, func(c byte) bool { return d.used[base^int(c)] }) {
			return base
		}
	}
}
