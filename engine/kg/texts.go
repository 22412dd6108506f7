package kg

import "unsafe"

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

// size returns the number of texts.
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

// sound reports whether the offsets lie within the block, in order.
func (t *texts) sound() bool {
	if len(t.at) == 0 {
		return len(t.bytes) == 0
	}
	return t.at[0] == 0 && ascending(t.at) && t.at[len(t.at)-1] == uint64(len(t.bytes))
}

// ascending reports whether no number is smaller than the one before.
func ascending[N uint32 | uint64](ns []N) bool {
	for i := 1; i < len(ns); i++ {
		if ns[i] < ns[i-1] {
			return false
		}
	}
	return true
}
