package nn

import "math"

// Spoil makes all memory of a tape no number, for what is used again is not zero.
func (t *Tape) Spoil() {
	for _, s := range t.slabs {
		for i := range s {
			s[i] = float32(math.NaN())
		}
	}
}
