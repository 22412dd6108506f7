package kg

import (
	"slices"
	"unsafe"
)

// texts is a list of strings in one block of bytes, so that a snapshot of
// millions of names is two allocations and can be read from a file as it is.
type texts struct {
	at    []uint64 // text i is bytes[at[i]:at[i+1]]; empty for no texts
	bytes []byte
}

// textsOf packs strings.
func textsOf(list []string) texts {
	n := 0
	for _, s := range list {
		n += len(s)
	}
	t := texts{at: make([]uint64, 1, len(list)+1), bytes: make([]byte, 0, n)}
	for _, s := range list {
		t.add(s)
	}
	return t
}

// add appends a string.
func (t *texts) add(s string) {
	if len(t.at) == 0 {
		t.at = append(t.at, 0)
	}
	t.bytes = append(t.bytes, s...)
	t.at = append(t.at, uint64(len(t.bytes)))
}

// addAll appends texts that stand one after another in block. total is how many
// there will be at last, for the room to make.
func (t *texts) addAll(block string, lengths []uint32, total int) {
	if need := len(t.bytes) + len(block); need > cap(t.bytes) {
		// As much as the others will take if they are like those so far.
		like := float64(need) * float64(total) / float64(max(t.size()+len(lengths), 1))
		t.bytes = slices.Grow(t.bytes, int(min(like*1.01, 2*float64(need)))+len(block)-len(t.bytes))
	}
	at := uint64(len(t.bytes))
	for _, n := range lengths {
		at += uint64(n)
		t.at = append(t.at, at)
	}
	t.bytes = append(t.bytes, block...)
}

func (t *texts) size() int { return max(len(t.at)-1, 0) }

// get returns text i. It aliases the block, which is never written again.
func (t *texts) get(i int) string {
	b := t.bytes[t.at[i]:t.at[i+1]]
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// list unpacks the texts; the strings alias the block.
func (t *texts) list() []string {
	out := make([]string, t.size())
	for i := range out {
		out[i] = t.get(i)
	}
	return out
}

// ends reports whether the first and the last offset are where the block begins
// and ends.
func (t *texts) ends() bool {
	if len(t.at) == 0 {
		return len(t.bytes) == 0
	}
	return t.at[0] == 0 && t.at[len(t.at)-1] == uint64(len(t.bytes))
}
