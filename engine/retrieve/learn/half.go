package learn

import (
	"encoding/binary"
	"errors"
	"math"
)

// Halves writes numbers in two bytes each, little-endian: the upper half of their bits,
// rounded to the nearest, which is within a 256th of them (bfloat16).
func Halves(xs []float32) []byte {
	out := make([]byte, 0, 2*len(xs))
	for _, x := range xs {
		b := math.Float32bits(x)
		out = binary.LittleEndian.AppendUint16(out, uint16((b+0x7fff+b>>16&1)>>16)) // ties to even
	}
	return out
}

// SetHalves reads as many numbers as there is room for, and fails where b has others.
func SetHalves(to []float32, b []byte) error {
	if len(b) != 2*len(to) {
		return errors.New("its parts do not fit together")
	}
	for i := range to {
		to[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(b[2*i:])) << 16)
	}
	return nil
}
