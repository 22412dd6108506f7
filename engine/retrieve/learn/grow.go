package learn

import "slices"

// Grown returns the vocabulary of a training that starts from one with another: the
// words of both, and the relations of v.
func (v *Vocabulary) Grown(from *Vocabulary) *Vocabulary {
	both := func(a, b []string) []string {
		out := slices.Concat(a, b)
		slices.Sort(out)
		return slices.Compact(out)
	}
	return &Vocabulary{
		Words: both(v.Words, from.Words), Stems: both(v.Stems, from.Stems), Concepts: both(v.Concepts, from.Concepts), Relations: v.Relations,
	}
}

// From says of each row which row of another table stands for the same, or −1.
func (r *Rows) From(other *Rows) []int32 {
	out := make([]int32, r.Len())
	for i := range out {
		out[i] = -1
	}
	for i := range int32(nameRows) {
		out[i] = i
	}
	if r.words == nil || other.words == nil {
		return out
	}
	for _, kind := range [][2]map[string]int32{{r.words, other.words}, {r.stems, other.stems}, {r.concepts, other.concepts}} {
		for s, i := range kind[0] {
			if was, ok := kind[1][s]; ok {
				out[i] = was
			}
		}
	}
	for i := range int32(gramRows) {
		out[r.grams+i] = other.grams + i
	}
	return out
}
